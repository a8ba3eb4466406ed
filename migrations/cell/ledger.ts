/**
 * Invariants, kept here whatever the code does: the entries of a transaction's step sum to zero; entries
 * are never changed or deleted; a balance is never below zero; a reference, an Idempotency-Key and a
 * reversal exist once. What grows without end has time-ordered keys (R5), and no sequence or foreign key
 * leaves the cell, so that a cell can be moved to another machine whole.
 */
import type { Knex } from 'knex';

/** Refuses entries that do not sum to zero. */
export const refuseUnbalanced = (
  cell: string,
): string => `CREATE FUNCTION ${cell}.refuse_unbalanced_entries() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    DECLARE wrong record;
    BEGIN
      SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo INTO wrong
        FROM inserted GROUP BY transaction_id, step HAVING sum(amount_kobo) <> 0 LIMIT 1;
      IF FOUND THEN
        RAISE EXCEPTION 'entries of transaction % (%) sum to %, not zero', wrong.transaction_id, wrong.step,
          wrong.sum_kobo USING ERRCODE = 'check_violation';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER entries_balance AFTER INSERT ON ${cell}.entries
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
      EXECUTE FUNCTION ${cell}.refuse_unbalanced_entries();`;

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${cell}.accounts (
      id           uuid PRIMARY KEY,
      partner_id   uuid NOT NULL,
      status       text NOT NULL CHECK (status IN ('pending', 'active', 'frozen', 'closed')),
      balance_kobo bigint NOT NULL DEFAULT 0 CHECK (balance_kobo >= 0),
      in_flight_kobo bigint NOT NULL DEFAULT 0 CHECK (in_flight_kobo >= 0),
      sequence     bigint NOT NULL DEFAULT 0,
      updated_at   timestamptz(3) NOT NULL DEFAULT now(),
      -- The largest integer that every reader can represent; what may come back has room below it.
      CHECK (balance_kobo + in_flight_kobo <= 9007199254740991)
    ) WITH (fillfactor = 50);

    CREATE TABLE ${cell}.wallets (
      id             uuid PRIMARY KEY REFERENCES ${cell}.accounts,
      partner_id     uuid NOT NULL,
      user_ref       text NOT NULL,
      currency       text NOT NULL DEFAULT 'NGN' CHECK (currency = 'NGN'),
      account_number text UNIQUE CHECK (account_number ~ '^[0-9]{10}$'),
      account_name   text,
      bank_code      text,
      bank_name      text,
      mfb_reference  text,
      metadata       json NOT NULL DEFAULT '{}',
      created_at     timestamptz(3) NOT NULL DEFAULT now(),
      updated_at     timestamptz(3) NOT NULL DEFAULT now(),
      UNIQUE (partner_id, user_ref),
      CHECK (num_nulls(account_number, account_name, bank_code, bank_name, mfb_reference) IN (0, 5))
    );

    CREATE TABLE ${cell}.transactions (
      id                uuid PRIMARY KEY,
      partner_id        uuid NOT NULL,
      reference         text NOT NULL,
      type              text NOT NULL CHECK (type IN ('wallet_funding', 'wallet_credit', 'wallet_debit',
                          'p2p_transfer', 'bank_transfer', 'ussd_payment', 'qr_payment', 'split_payment',
                          'fee_deduction', 'reversal', 'settlement_payout')),
      status            text NOT NULL CHECK (status IN ('pending', 'processing', 'completed', 'failed',
                          'reversed', 'expired')),
      amount_kobo       bigint NOT NULL CHECK (amount_kobo > 0),
      source_wallet     uuid REFERENCES ${cell}.accounts,
      dest_wallet       uuid REFERENCES ${cell}.accounts,
      dest_account      json,
      customer_fee_kobo bigint NOT NULL CHECK (customer_fee_kobo >= 0),
      merchant_fee_kobo bigint NOT NULL CHECK (merchant_fee_kobo >= 0),
      mfb_cost_kobo     bigint NOT NULL CHECK (mfb_cost_kobo >= 0),
      net_amount_kobo   bigint NOT NULL,
      psp_reference     text,
      psp_meta          json,
      hold              boolean NOT NULL DEFAULT false,
      idempotency_key   text,
      description       text NOT NULL DEFAULT '',
      metadata          json NOT NULL DEFAULT '{}',
      failed_reason     text,
      created_at        timestamptz(3) NOT NULL,
      updated_at        timestamptz(3) NOT NULL,
      completed_at      timestamptz(3),
      CHECK (source_wallet IS DISTINCT FROM dest_wallet),
      CHECK ((status = 'completed') = (completed_at IS NOT NULL) OR status = 'reversed'),
      CHECK (type <> 'bank_transfer' OR (source_wallet IS NOT NULL AND dest_account IS NOT NULL))
    );
    CREATE INDEX transactions_by_source ON ${cell}.transactions (source_wallet, created_at DESC, id DESC);
    CREATE INDEX transactions_by_dest ON ${cell}.transactions (dest_wallet, created_at DESC, id DESC);
    CREATE INDEX transactions_open ON ${cell}.transactions (created_at)
      WHERE status IN ('pending', 'processing');

    CREATE TABLE ${cell}.entries (
      transaction_id     uuid NOT NULL REFERENCES ${cell}.transactions,
      step               text NOT NULL CHECK (step IN ('accept', 'settle', 'return')),
      account            uuid NOT NULL,
      id                 uuid NOT NULL,
      amount_kobo        bigint NOT NULL CHECK (amount_kobo <> 0),
      sequence           bigint,
      balance_after_kobo bigint CHECK (balance_after_kobo >= 0),
      created_at         timestamptz(3) NOT NULL,
      PRIMARY KEY (transaction_id, step, account),
      UNIQUE (account, sequence),
      CHECK ((sequence IS NULL) = (balance_after_kobo IS NULL))
    );

    CREATE TABLE ${cell}.used_references (
      partner_id     uuid NOT NULL,
      reference      text NOT NULL,
      transaction_id uuid NOT NULL,
      terms          text NOT NULL,
      PRIMARY KEY (partner_id, reference)
    );

    CREATE TABLE ${cell}.idempotency_keys (
      partner_id  uuid NOT NULL,
      operation   text NOT NULL,
      key         text NOT NULL,
      fingerprint text NOT NULL,
      status      smallint NOT NULL,
      body        text NOT NULL,
      created_at  timestamptz(3) NOT NULL,
      PRIMARY KEY (partner_id, operation, key)
    );

    CREATE TABLE ${cell}.reversals (
      original_id uuid PRIMARY KEY REFERENCES ${cell}.transactions,
      reversal_id uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions
    );

    CREATE TABLE ${cell}.own_mfb_credits (
      bank_transfer_id uuid PRIMARY KEY,
      funding_id       uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions
    );

    ${refuseUnbalanced(cell)}

    CREATE FUNCTION ${cell}.refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'ledger entries are never changed or deleted; a correction is a new transaction'
        USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER entries_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ${cell}.entries
      FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TABLE ${cell}.own_mfb_credits, ${cell}.reversals, ${cell}.idempotency_keys, ${cell}.used_references,
      ${cell}.entries, ${cell}.transactions, ${cell}.wallets, ${cell}.accounts;
    DROP FUNCTION ${cell}.refuse_unbalanced_entries(), ${cell}.refuse_change();
  `);
}

export const ledger = { up, down };
