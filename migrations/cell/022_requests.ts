/**
 * Invariants: a row of the log of requests never changes. It has no path, and of bodies only what names nobody, so an erasure
 * has nothing to do in it; what a request has done stands elsewhere, and a row that is missing harms no money. `key_days` counts
 * those rows that a key has asked for, in the statement that writes them.
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
    -- The fault of the sandbox that it asked for, and met.
    fault           ${cell}.rehearsed,
    resource_id     uuid,
    -- Paths of fields of the body that had no effect, separated by blanks; no values.
    ignored_fields  text,
    -- As JSON text, with what is secret or personal hidden. Null without a body, and where bodies are not kept.
    request_body    text,
    response_body   text,
    -- Whether one of them was longer than what is kept of it.
    truncated       boolean NOT NULL DEFAULT false,
    PRIMARY KEY (partner_id, id)
  );
  -- Which requests were about a resource, and how it came to be.
  CREATE INDEX requests_of_resource ON ${cell}.requests (resource_id, id) WHERE resource_id IS NOT NULL;
  CREATE INDEX requests_by_age ON ${cell}.requests USING brin (id); -- for retention, oldest first
  CREATE TABLE ${cell}.key_days (
    key_id   uuid NOT NULL,
    -- A day of Lagos.
    day      date NOT NULL,
    requests bigint NOT NULL,
    PRIMARY KEY (key_id, day)
  ) WITH (fillfactor = 50); -- a row is counted up all day long, and its versions stay on its page
  CREATE INDEX key_days_by_age ON ${cell}.key_days USING brin (day); -- for retention
  GRANT SELECT ON ${cell}.key_days TO ${app};
  GRANT INSERT, UPDATE (requests) ON ${cell}.key_days TO ${api};
  GRANT DELETE ON ${cell}.key_days TO ${worker};
  GRANT SELECT ON ${cell}.requests TO ${app};
  GRANT INSERT ON ${cell}.requests TO ${api};
  GRANT DELETE ON ${cell}.requests TO ${worker};
`;
