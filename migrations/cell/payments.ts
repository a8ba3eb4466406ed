/**
 * Invariants: a reference belongs to one resource, with or without a transaction; a QR payment request is
 * paid once; a USSD session has one transaction and moves along its states only; a partner whose sandbox is
 * being reset is written to by nobody else.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- A freeze may end by itself: whoever locks or reads the wallet compares with the clock.
    ALTER TABLE ${cell}.accounts ADD COLUMN frozen_until timestamptz(3);
    ALTER TABLE ${cell}.transactions ADD COLUMN split_config json;

    -- The resource that a reference names; an unpaid QR has no transaction yet.
    ALTER TABLE ${cell}.used_references ADD COLUMN resource_id uuid;
    UPDATE ${cell}.used_references SET resource_id = transaction_id;
    ALTER TABLE ${cell}.used_references ALTER COLUMN resource_id SET NOT NULL;
    ALTER TABLE ${cell}.used_references ALTER COLUMN transaction_id DROP NOT NULL;

    CREATE TABLE ${cell}.qr_requests (
      id             uuid PRIMARY KEY,
      partner_id     uuid NOT NULL,
      wallet_id      uuid NOT NULL REFERENCES ${cell}.accounts,
      amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
      reference      text NOT NULL,
      label          text NOT NULL UNIQUE CHECK (label ~ '^[0-9A-HJKMNP-TV-Z]{12}$'),
      payee_name     text NOT NULL,
      description    text NOT NULL DEFAULT '',
      metadata       json NOT NULL DEFAULT '{}',
      created_at     timestamptz(3) NOT NULL,
      expires_at     timestamptz(3) NOT NULL,
      transaction_id uuid UNIQUE REFERENCES ${cell}.transactions,
      paid_by        uuid REFERENCES ${cell}.accounts,
      UNIQUE (partner_id, reference),
      CHECK ((transaction_id IS NULL) = (paid_by IS NULL))
    );

    CREATE TABLE ${cell}.ussd_sessions (
      id              uuid PRIMARY KEY,
      partner_id      uuid NOT NULL,
      transaction_id  uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions,
      payer_wallet    uuid NOT NULL REFERENCES ${cell}.accounts,
      merchant_wallet uuid NOT NULL REFERENCES ${cell}.accounts,
      merchant_name   text NOT NULL,
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
    CREATE INDEX ussd_sessions_open ON ${cell}.ussd_sessions (expires_at)
      WHERE status IN ('initiated', 'menu_main', 'pin_entry', 'processing');

    CREATE TABLE ${cell}.partner_epochs (
      partner_id uuid PRIMARY KEY,
      epoch      integer NOT NULL CHECK (epoch > 0),
      resetting  boolean NOT NULL,
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    );
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TABLE ${cell}.partner_epochs, ${cell}.ussd_sessions, ${cell}.qr_requests;
    ALTER TABLE ${cell}.used_references DROP COLUMN resource_id;
    ALTER TABLE ${cell}.transactions DROP COLUMN split_config;
    ALTER TABLE ${cell}.accounts DROP COLUMN frozen_until;
  `);
}

export const payments = { up, down };
