/**
 * Invariant: the workflow of an accepted resource is written as an intention in the same commit, so that neither a
 * crash nor a stopped Temporal can lose it (G10, G30).
 */
import type { CellPlace, Migration } from '../place';

export const workflowIntentions: Migration<CellPlace> = ({
  cell,
  app,
  worker,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.workflow_intentions (
    workflow_id   text PRIMARY KEY,
    workflow_type text NOT NULL,
    partner_id    uuid NOT NULL,
    resource_id   uuid NOT NULL,
    request_id    uuid, -- the request that wanted it
    title         text NOT NULL,
    input         json NOT NULL,
    attempts      integer NOT NULL DEFAULT 0,
    created_at    timestamptz(3) NOT NULL,
    started_at    timestamptz(3)
  );
  -- What still has to be started, oldest first.
  CREATE INDEX workflow_intentions_waiting ON ${cell}.workflow_intentions (created_at) WHERE started_at IS NULL;
  -- What retention takes, oldest first.
  CREATE INDEX workflow_intentions_started ON ${cell}.workflow_intentions (started_at) WHERE started_at IS NOT NULL;
  CREATE INDEX workflow_intentions_of_partner ON ${cell}.workflow_intentions (partner_id); -- for a reset
  GRANT SELECT, INSERT, UPDATE ON ${cell}.workflow_intentions TO ${app};
  GRANT DELETE ON ${cell}.workflow_intentions TO ${worker};
  GRANT SELECT ON ${cell}.workflow_intentions TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.workflow_intentions TO ${resetter};`)}
`;
