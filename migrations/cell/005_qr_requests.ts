/** Invariant: a QR request is paid once (D66), by one wallet. It is no transaction before it is paid (D68). */
import type { CellPlace, Migration } from '../place';

export const qrRequests: Migration<CellPlace> = ({ cell, app, resetter, ifReset }) => `
  CREATE TABLE ${cell}.qr_requests (
    id             uuid PRIMARY KEY,
    partner_id     uuid NOT NULL,
    wallet_id      uuid NOT NULL REFERENCES ${cell}.accounts,
    amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
    reference      text NOT NULL,
    -- What the code shows, in letters and digits that cannot be taken for one another.
    label          text NOT NULL UNIQUE CHECK (label ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
    payee_name_sealed text, -- null once its owner was erased
    description    text NOT NULL DEFAULT '',
    metadata       json NOT NULL DEFAULT '{}',
    created_at     timestamptz(3) NOT NULL,
    expires_at     timestamptz(3) NOT NULL,
    transaction_id uuid UNIQUE REFERENCES ${cell}.transactions,
    paid_by        uuid REFERENCES ${cell}.accounts,
    UNIQUE (partner_id, reference),
    CONSTRAINT qr_requests_paid_by_somebody CHECK ((transaction_id IS NULL) = (paid_by IS NULL))
  );
  -- The list of a partner's requests, newest first.
  CREATE INDEX qr_requests_of_partner ON ${cell}.qr_requests (partner_id, created_at, id);
  -- A reset deletes accounts: Postgres then looks each one up in every table that may name it.
  CREATE INDEX qr_requests_of_wallet ON ${cell}.qr_requests (wallet_id);
  CREATE INDEX qr_requests_of_payer ON ${cell}.qr_requests (paid_by) WHERE paid_by IS NOT NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.qr_requests TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.qr_requests TO ${resetter};`)}
`;
