/**
 * Invariant: what all processes must know together about the companies that pay out is one row: how many calls of this
 * minute are used, and whether a breaker is open. A row that is lost costs at
 * most an answer 429, or orders to a company that does not answer.
 */
import { CALL_WORKS } from '../../src/domain/call-limits';
import type { DirectoryPlace, Migration } from '../place';

export const payoutRoutes: Migration<DirectoryPlace> = ({ directory, app, api, worker }) => `
  -- Which company pays transfers to a bank with an amount in a band. Operators keep them.
  CREATE TABLE ${directory}.payout_routes (
    id         uuid PRIMARY KEY,
    bank_code  text,
    from_kobo  bigint NOT NULL CHECK (from_kobo >= 0),
    to_kobo    bigint,
    provider   text NOT NULL,
    priority   integer NOT NULL CHECK (priority BETWEEN 1 AND 1000),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT payout_routes_band CHECK (to_kobo >= from_kobo)
  );
  GRANT SELECT ON ${directory}.payout_routes TO ${app};
  GRANT INSERT, DELETE ON ${directory}.payout_routes TO ${api};

  -- The bank '' is the breaker of the company for all banks.
  CREATE UNLOGGED TABLE ${directory}.provider_breakers (
    provider    text NOT NULL,
    bank_code   text NOT NULL,
    window_from timestamptz(3) NOT NULL,
    calls       integer NOT NULL,
    unknown     integer NOT NULL,
    opened_at   timestamptz(3),
    open_until  timestamptz(3),
    is_probing  boolean NOT NULL,
    PRIMARY KEY (provider, bank_code)
  );
  GRANT SELECT ON ${directory}.provider_breakers TO ${app};
  GRANT INSERT, UPDATE ON ${directory}.provider_breakers TO ${worker};

  -- The calls of the current minute, and until when the company takes none at all.
  CREATE UNLOGGED TABLE ${directory}.provider_calls (
    provider     text NOT NULL,
    work         text NOT NULL CHECK (work IN (${CALL_WORKS.map((work) => `'${work}'`).join(', ')})),
    window_start timestamptz(3) NOT NULL,
    used         integer NOT NULL,
    -- So many have been sent away and come again; a minute serves as many of them as it has places.
    waiting      integer NOT NULL DEFAULT 0,
    closed_until timestamptz(3),
    PRIMARY KEY (provider, work)
  );
  GRANT SELECT, INSERT, UPDATE ON ${directory}.provider_calls TO ${app};
`;
