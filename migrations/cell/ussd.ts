/**
 * Invariants: a PIN is kept as a hash only; at most nine guesses in a row per wallet and three per session are
 * ever looked at, because each is counted here before; a gateway's repeat of an input is the same attempt;
 * a change of a PIN leaves a row that stays.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${cell}.wallet_pins (
      wallet_id      uuid PRIMARY KEY REFERENCES ${cell}.accounts,
      partner_id     uuid NOT NULL,
      -- Null in a sandbox wallet that still has the PIN it began with.
      pin_hash       text,
      pepper_kid     text,
      wrong_in_a_row smallint NOT NULL DEFAULT 0 CHECK (wrong_in_a_row BETWEEN 0 AND 9),
      updated_at     timestamptz(3) NOT NULL DEFAULT now(),
      CHECK ((pin_hash IS NULL) = (pepper_kid IS NULL))
    );

    CREATE TABLE ${cell}.wallet_pin_changes (
      id               uuid PRIMARY KEY,
      partner_id       uuid NOT NULL,
      wallet_id        uuid NOT NULL REFERENCES ${cell}.accounts,
      -- False for a reset: the partner set a new one without knowing the old.
      knew_current_pin boolean NOT NULL,
      request_id       text NOT NULL,
      created_at       timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX wallet_pin_changes_of_wallet ON ${cell}.wallet_pin_changes (wallet_id, id);

    CREATE TABLE ${cell}.ussd_pin_attempts (
      id              uuid PRIMARY KEY,
      partner_id      uuid NOT NULL,
      session_id      uuid NOT NULL REFERENCES ${cell}.ussd_sessions,
      gateway_session text NOT NULL,
      hop             smallint NOT NULL,
      number          smallint NOT NULL CHECK (number BETWEEN 1 AND 3),
      -- Null while it is being verified.
      outcome         text CHECK (outcome IN ('pin_accepted', 'pin_rejected', 'pin_exhausted', 'pin_locked')),
      counted_at      timestamptz(3) NOT NULL DEFAULT now(),
      decided_at      timestamptz(3),
      UNIQUE (session_id, number),
      UNIQUE (session_id, gateway_session, hop),
      CHECK ((outcome IS NULL) = (decided_at IS NULL))
    );
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`DROP TABLE ${cell}.ussd_pin_attempts, ${cell}.wallet_pin_changes, ${cell}.wallet_pins`);
}

export const ussd = { up, down };
