/**
 * Invariant: what is sent to one receiver is paced for all partners and processes of an environment together, so nobody can have
 * the platform flood a host by registering many endpoints there. A lost row only lets a second's worth of posts through.
 */
import type { DirectoryPlace, Migration } from '../place';

export const webhookHosts: Migration<DirectoryPlace> = ({ directory, worker }) => `
  -- It skips the write-ahead log: after a crash of the server a host may get a little more than it should. Half of each page
  -- stays free, so that an update stays on its page.
  CREATE UNLOGGED TABLE ${directory}.webhook_hosts (
    host    text NOT NULL,
    -- Whether of endpoints that have never answered.
    trials  boolean NOT NULL,
    -- When all that was granted is sent at the host's pace.
    busy_until timestamptz NOT NULL,
    -- What the last one who asked was granted.
    granted integer NOT NULL,
    PRIMARY KEY (host, trials)
  ) WITH (fillfactor = 50);
  GRANT SELECT, INSERT, UPDATE ON ${directory}.webhook_hosts TO ${worker};
`;
