/**
 * Invariants: an operator's token is kept as a hash only; the trail of operators is a chain that is never
 * changed or shortened, not even by its owner by mistake; nobody approves an adjustment twice, nor their own.
 */
import type { Knex } from 'knex';

async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE platform.operators (
      id           uuid PRIMARY KEY,
      name         text NOT NULL UNIQUE,
      role         text NOT NULL CHECK (role IN ('operator', 'viewer')),
      token_hash   bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32),
      token_prefix text NOT NULL,
      created_at   timestamptz(3) NOT NULL DEFAULT now(),
      revoked_at   timestamptz(3)
    );

    CREATE TABLE platform.audit (
      sequence      bigint PRIMARY KEY CHECK (sequence > 0),
      at            timestamptz(3) NOT NULL,
      request_id    text NOT NULL,
      operator_id   uuid NOT NULL,
      operator_name text NOT NULL,
      action        text NOT NULL,
      resource      text NOT NULL,
      phase         text NOT NULL CHECK (phase IN ('asked', 'done', 'refused', 'failed')),
      detail        text NOT NULL,
      hash          bytea NOT NULL CHECK (length(hash) = 32)
    );

    -- The end of the chain: its row's lock is the turn of whoever appends, and a chain cut short is seen by it.
    CREATE TABLE platform.audit_head (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
      sequence bigint NOT NULL,
      hash     bytea NOT NULL CHECK (length(hash) = 32)
    );
    INSERT INTO platform.audit_head (sequence, hash) VALUES (0, decode(repeat('00', 32), 'hex'));

    CREATE FUNCTION platform.refuse_audit_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'the audit trail is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON platform.audit
      FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_audit_change();

    CREATE TABLE platform.adjustments (
      id          uuid PRIMARY KEY,
      environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
      partner_id  uuid NOT NULL REFERENCES platform.partners,
      wallet_id   uuid NOT NULL,
      direction   text NOT NULL CHECK (direction IN ('credit', 'debit')),
      amount_kobo bigint NOT NULL CHECK (amount_kobo > 0),
      reason      text NOT NULL,
      status      text NOT NULL DEFAULT 'proposed'
                  CHECK (status IN ('proposed', 'seconded', 'approved', 'posted', 'refused', 'rejected')),
      refusal     text CHECK ((status = 'refused') = (refusal IS NOT NULL)),
      proposed_by uuid NOT NULL REFERENCES platform.operators,
      created_at  timestamptz(3) NOT NULL DEFAULT now(),
      updated_at  timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (id, proposed_by)
    );
    CREATE INDEX adjustments_by_age ON platform.adjustments (environment, created_at DESC, id DESC);

    CREATE TABLE platform.adjustment_approvals (
      adjustment_id uuid NOT NULL,
      proposed_by   uuid NOT NULL,
      operator_id   uuid NOT NULL REFERENCES platform.operators,
      approved_at   timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (adjustment_id, operator_id),
      FOREIGN KEY (adjustment_id, proposed_by) REFERENCES platform.adjustments (id, proposed_by),
      CHECK (operator_id <> proposed_by)
    );
  `);
}

async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    DROP TABLE platform.adjustment_approvals, platform.adjustments, platform.audit_head, platform.audit,
      platform.operators;
    DROP FUNCTION platform.refuse_audit_change();
  `);
}

export const operators = { up, down };
