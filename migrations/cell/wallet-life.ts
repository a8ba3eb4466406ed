/**
 * Invariants: who froze a wallet is known, because an operator's freeze is lifted by operators alone; every
 * freeze, unfreeze and close leaves a row that is never changed. The indexes serve the list of wallets and the
 * question whether anything of a wallet is still open; the latter hold open transactions only, so a transfer
 * that is born completed never enters them.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    ALTER TABLE ${cell}.accounts ADD COLUMN frozen_by text CHECK (frozen_by IN ('partner', 'operator'));

    CREATE TABLE ${cell}.wallet_actions (
      id           uuid PRIMARY KEY,
      partner_id   uuid NOT NULL,
      wallet_id    uuid NOT NULL,
      action       text NOT NULL CHECK (action IN ('freeze', 'unfreeze', 'close')),
      actor        text NOT NULL CHECK (actor IN ('partner', 'operator')),
      operator_id  uuid,
      request_id   text NOT NULL,
      reason       text,
      authority    text,
      frozen_until timestamptz(3),
      created_at   timestamptz(3) NOT NULL DEFAULT now(),
      CHECK ((actor = 'operator') = (operator_id IS NOT NULL))
    );
    CREATE INDEX wallet_actions_of_wallet ON ${cell}.wallet_actions (wallet_id);

    CREATE FUNCTION ${cell}.refuse_action_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'what was done to a wallet is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER wallet_actions_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ${cell}.wallet_actions
      FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_action_change();

    CREATE INDEX wallets_of_partner ON ${cell}.wallets (partner_id, created_at DESC, id DESC)
      WHERE left(user_ref, 2) <> '__';
    CREATE INDEX transactions_open_by_source ON ${cell}.transactions (source_wallet)
      WHERE status IN ('pending', 'processing');
    CREATE INDEX transactions_open_by_dest ON ${cell}.transactions (dest_wallet)
      WHERE status IN ('pending', 'processing') AND dest_wallet IS NOT NULL;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP INDEX ${cell}.wallets_of_partner, ${cell}.transactions_open_by_source, ${cell}.transactions_open_by_dest;
    DROP TABLE ${cell}.wallet_actions;
    DROP FUNCTION ${cell}.refuse_action_change();
    ALTER TABLE ${cell}.accounts DROP COLUMN frozen_by;
  `);
}

export const walletLife = { up, down };
