/**
 * Invariants: a USSD session has one transaction; a PIN is kept as a hash only (D75); at most nine guesses in a
 * row per wallet and three per session are ever looked at, because each is counted here before (G24); a gateway's
 * repeat of an input is the same attempt; a change of a PIN leaves a row that stays (D74).
 */
import type { CellPlace, Migration } from '../place';

export const ussd: Migration<CellPlace> = ({ cell, app, reconciler, resetter, ifReset }) => `
  CREATE TABLE ${cell}.ussd_sessions (
    id              uuid PRIMARY KEY,
    partner_id      uuid NOT NULL,
    transaction_id  uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions,
    payer_wallet    uuid NOT NULL REFERENCES ${cell}.accounts,
    merchant_wallet uuid NOT NULL REFERENCES ${cell}.accounts,
    merchant_name_sealed text, -- null once the merchant was erased
    phone           text,
    dial_code       text NOT NULL CHECK (dial_code ~ '^[0-9]{6}$'),
    status          text NOT NULL CHECK (status IN ('initiated', 'menu_main', 'pin_entry', 'processing',
                      'completed', 'failed', 'expired')),
    pin_attempts    smallint NOT NULL DEFAULT 0 CHECK (pin_attempts BETWEEN 0 AND 3),
    failure_reason  text,
    created_at      timestamptz(3) NOT NULL,
    updated_at      timestamptz(3) NOT NULL,
    expires_at      timestamptz(3) NOT NULL,
    completed_at    timestamptz(3)
  );
  -- The list of a partner's sessions, newest first.
  CREATE INDEX ussd_sessions_of_partner ON ${cell}.ussd_sessions (partner_id, created_at, id);
  -- The open sessions, by the end of their window: those past it are expired.
  CREATE INDEX ussd_sessions_open ON ${cell}.ussd_sessions (expires_at)
    WHERE status IN ('initiated', 'menu_main', 'pin_entry', 'processing');
  -- For retention, which blanks the numbers. A session gets its one entry when it ends, so no earlier move pays for it.
  CREATE INDEX ussd_sessions_with_phone ON ${cell}.ussd_sessions (created_at)
    WHERE phone IS NOT NULL AND status IN ('completed', 'failed', 'expired');
  -- A reset deletes accounts: Postgres then looks each one up in every table that may name it.
  CREATE INDEX ussd_sessions_of_payer ON ${cell}.ussd_sessions (payer_wallet);
  CREATE INDEX ussd_sessions_of_merchant ON ${cell}.ussd_sessions (merchant_wallet);
  GRANT SELECT, INSERT, UPDATE ON ${cell}.ussd_sessions TO ${app};
  GRANT SELECT ON ${cell}.ussd_sessions TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.ussd_sessions TO ${resetter};`)}

  CREATE TABLE ${cell}.ussd_pin_attempts (
    id              uuid PRIMARY KEY,
    partner_id      uuid NOT NULL,
    session_id      uuid NOT NULL REFERENCES ${cell}.ussd_sessions,
    gateway_session text NOT NULL,
    hop             smallint NOT NULL,
    number          smallint NOT NULL CHECK (number BETWEEN 1 AND 3),
    -- Null while it is being verified.
    outcome         text CHECK (outcome IN ('pin_accepted', 'pin_rejected', 'pin_exhausted', 'pin_locked')),
    -- The database's time of the guess decides whether the session was still open (R18).
    counted_at      timestamptz(3) NOT NULL DEFAULT now(),
    decided_at      timestamptz(3),
    UNIQUE (session_id, number),
    UNIQUE (session_id, gateway_session, hop),
    CONSTRAINT ussd_pin_attempts_decided_at_a_time CHECK ((outcome IS NULL) = (decided_at IS NULL))
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.ussd_pin_attempts TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.ussd_pin_attempts TO ${resetter};`)}

  CREATE TABLE ${cell}.wallet_pins (
    wallet_id      uuid PRIMARY KEY REFERENCES ${cell}.accounts,
    partner_id     uuid NOT NULL,
    -- Null in a sandbox wallet that still has the PIN it began with (D74).
    pin_hash       text,
    pepper_kid     text,
    wrong_in_a_row smallint NOT NULL DEFAULT 0 CHECK (wrong_in_a_row BETWEEN 0 AND 9),
    updated_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT wallet_pins_hash_with_pepper CHECK ((pin_hash IS NULL) = (pepper_kid IS NULL))
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.wallet_pins TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.wallet_pins TO ${resetter};`)}

  CREATE TABLE ${cell}.wallet_pin_changes (
    id               uuid PRIMARY KEY,
    partner_id       uuid NOT NULL,
    wallet_id        uuid NOT NULL REFERENCES ${cell}.accounts,
    -- False for a reset: the partner set a new PIN without knowing the old one.
    knew_current_pin boolean NOT NULL,
    request_id       text NOT NULL,
    created_at       timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX wallet_pin_changes_of_wallet ON ${cell}.wallet_pin_changes (wallet_id, id);
  GRANT SELECT, INSERT ON ${cell}.wallet_pin_changes TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.wallet_pin_changes TO ${resetter};`)}
`;
