/**
 * Invariants: a row of the log of requests never changes. It has no body and no path, so it names nobody; what a request has
 * done stands elsewhere, and a row that is missing harms no money.
 */
import type { CellPlace, Migration } from '../place';

export const requests: Migration<CellPlace> = ({ cell, app, api, worker }) => `
  CREATE TABLE ${cell}.requests (
    -- The id of the request, which begins with its time.
    id              uuid NOT NULL,
    partner_id      uuid NOT NULL,
    method          text NOT NULL,
    operation       text NOT NULL,
    -- Null when the caller went away before it was answered.
    status          smallint,
    code            text,
    duration_ms     integer NOT NULL,
    key_prefix      text,
    idempotency_key text,
    replayed        boolean NOT NULL,
    resource_id     uuid,
    PRIMARY KEY (partner_id, id)
  );
  -- Which requests were about a resource, and how it came to be.
  CREATE INDEX requests_of_resource ON ${cell}.requests (resource_id, id) WHERE resource_id IS NOT NULL;
  CREATE INDEX requests_by_age ON ${cell}.requests USING brin (id); -- for retention, oldest first
  GRANT SELECT ON ${cell}.requests TO ${app};
  GRANT INSERT ON ${cell}.requests TO ${api};
  GRANT DELETE ON ${cell}.requests TO ${worker};
`;
