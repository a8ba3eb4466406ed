/**
 * Invariant: a security event about an endpoint is written here in the commit of what it reports, and stays until it
 * stands in the list of security events, which may lie on another server.
 */
import { CELL_ACTS, CELL_EVENT_KINDS } from '../../src/domain/security-events';
import type { CellPlace, Migration } from '../place';

export const securityNotices: Migration<CellPlace> = ({ cell, app, api, worker }) => `
  CREATE TABLE ${cell}.security_notices (
    id          uuid PRIMARY KEY, -- that of the event
    partner_id  uuid NOT NULL,
    user_id     uuid,
    kind        text NOT NULL CHECK (kind IN (${CELL_EVENT_KINDS.map((kind) => `'${kind}'`).join(', ')})),
    address     text,
    detail      jsonb NOT NULL,
    happened_at timestamptz(3) NOT NULL DEFAULT now()
  );
  -- Only a request adds or deletes an endpoint. Whoever has brought a notice to the list deletes it here.
  GRANT SELECT, DELETE ON ${cell}.security_notices TO ${app};
  GRANT INSERT ON ${cell}.security_notices TO ${api};
  -- The worker ends the endpoints that a proof of the mailbox has left to it. It writes no notice of anything else.
  CREATE FUNCTION ${cell}.note_ended_endpoint(notice uuid, endpoint uuid, of_user uuid, of_kind text, from_address text, more jsonb)
  RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
    INSERT INTO security_notices (id, partner_id, user_id, kind, address, detail)
      SELECT notice, partner_id, of_user, of_kind, from_address, more FROM webhook_endpoints
       WHERE id = endpoint AND deleted_at IS NOT NULL
         AND of_kind IN (${Object.values(CELL_ACTS.endpoint_deleted)
           .map((kind) => `'${kind}'`)
           .join(', ')})
  $$;
  REVOKE ALL ON FUNCTION ${cell}.note_ended_endpoint FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.note_ended_endpoint TO ${worker}, ${api};
`;
