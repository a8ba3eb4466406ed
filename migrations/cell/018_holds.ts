/**
 * Invariants: a wallet never has less than its open holds have set aside; a hold ends once, and only its payment names
 * what it captured.
 *
 * `accounts.held_kobo` is the sum of the open holds of a wallet, kept beside its balance: a payment reads it with the row
 * that it locks anyway. Reconciliation compares it with the holds.
 */
import { HOLD_STATUSES } from '../../src/domain/holds';
import type { CellPlace, Migration } from '../place';

const STATUSES = HOLD_STATUSES.map((status) => `'${status}'`);

export const holds: Migration<CellPlace> = ({ cell, app, reconciler, resetter, ifReset }) => `
  CREATE TABLE ${cell}.holds (
    id             uuid PRIMARY KEY,
    partner_id     uuid NOT NULL,
    wallet_id      uuid NOT NULL REFERENCES ${cell}.accounts,
    amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
    reference      text NOT NULL,
    status         text NOT NULL CHECK (status IN (${STATUSES.join(', ')})),
    created_at     timestamptz(3) NOT NULL,
    expires_at     timestamptz(3) NOT NULL,
    ended_at       timestamptz(3),
    transaction_id uuid UNIQUE REFERENCES ${cell}.transactions,
    captured_kobo  bigint CHECK (captured_kobo > 0 AND captured_kobo <= amount_kobo),
    -- What makes another capture the same one.
    capture_terms  text,
    UNIQUE (partner_id, reference),
    CONSTRAINT holds_end_at_a_time CHECK ((status = 'open') = (ended_at IS NULL)),
    CONSTRAINT holds_are_captured_by_a_payment
      CHECK (num_nonnulls(transaction_id, captured_kobo, capture_terms) = CASE status WHEN 'captured' THEN 3 ELSE 0 END)
  );
  -- The list of a partner's holds, newest first.
  CREATE INDEX holds_of_partner ON ${cell}.holds (partner_id, created_at, id);
  -- A reset deletes accounts: Postgres then looks each one up in every table that may name it.
  CREATE INDEX holds_of_wallet ON ${cell}.holds (wallet_id);
  -- What reconciliation adds up, and what should have a workflow.
  CREATE INDEX holds_open_of_wallet ON ${cell}.holds (wallet_id) WHERE status = 'open';
  CREATE INDEX holds_open ON ${cell}.holds (id) WHERE status = 'open';
  GRANT SELECT, INSERT, UPDATE ON ${cell}.holds TO ${app};
  GRANT SELECT ON ${cell}.holds TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.holds TO ${resetter};`)}

  -- A hold that has ended stays as it is.
  CREATE FUNCTION ${cell}.refuse_ended_holds() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    IF OLD.status <> 'open' THEN
      RAISE EXCEPTION 'hold % has ended: %', OLD.id, OLD.status USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER holds_end_once BEFORE UPDATE ON ${cell}.holds
    FOR EACH ROW EXECUTE FUNCTION ${cell}.refuse_ended_holds();
`;
