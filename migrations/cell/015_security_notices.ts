/**
 * Invariant: a security event about an endpoint is written here in the commit of what it reports, and stays until it
 * stands in the list of security events, which may lie on another server.
 */
import { CELL_EVENT_KINDS } from '../../src/domain/security-events';
import type { CellPlace, Migration } from '../place';

export const securityNotices: Migration<CellPlace> = ({ cell, app, api }) => `
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
`;
