/**
 * Invariants: while a partner's sandbox is being reset nothing of it is written by anybody else; and exactly
 * one role, which has rights in the sandbox's cells alone, gets past the triggers that keep entries and audit
 * rows for ever. A writer holds the fence's shared lock until its commit, the reset takes it alone, so every
 * write is either seen by the reset or refused.
 */
import type { Knex } from 'knex';

const RESETTER = 'partner_wallet_sandbox_reset';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE FUNCTION ${cell}.refuse_while_resetting(asking uuid) RETURNS integer
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    DECLARE known partner_epochs;
    BEGIN
      PERFORM pg_advisory_xact_lock_shared(hashtextextended('${cell}/reset/' || asking, 0));
      SELECT * INTO known FROM partner_epochs WHERE partner_id = asking;
      IF known.resetting THEN
        RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'cannot_connect_now';
      END IF;
      RETURN coalesce(known.epoch, 0);
    END $$;

    CREATE FUNCTION ${cell}.begin_reset(asking uuid) RETURNS integer
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    DECLARE now_epoch integer;
    BEGIN
      PERFORM pg_advisory_xact_lock(hashtextextended('${cell}/reset/' || asking, 0));
      INSERT INTO partner_epochs AS known (partner_id, epoch, resetting, updated_at)
      VALUES (asking, 1, true, 'epoch')
      ON CONFLICT (partner_id) DO UPDATE SET resetting = true,
        epoch = CASE WHEN known.resetting THEN known.epoch ELSE known.epoch + 1 END
      RETURNING epoch INTO now_epoch;
      RETURN now_epoch;
    END $$;

    ${finality(cell, `IF TG_OP = 'DELETE' AND current_user = '${RESETTER}' THEN RETURN NULL; END IF;`)}

    CREATE INDEX workflow_intentions_of_partner ON ${cell}.workflow_intentions (partner_id);
    -- A deleted account is looked for in every table that may name it.
    CREATE INDEX qr_requests_of_wallet ON ${cell}.qr_requests (wallet_id);
    CREATE INDEX qr_requests_of_payer ON ${cell}.qr_requests (paid_by) WHERE paid_by IS NOT NULL;
    CREATE INDEX ussd_sessions_of_payer ON ${cell}.ussd_sessions (payer_wallet);
    CREATE INDEX ussd_sessions_of_merchant ON ${cell}.ussd_sessions (merchant_wallet);
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP INDEX ${cell}.workflow_intentions_of_partner, ${cell}.qr_requests_of_wallet,
      ${cell}.qr_requests_of_payer, ${cell}.ussd_sessions_of_payer, ${cell}.ussd_sessions_of_merchant;
    ${finality(cell, '')}
    DROP FUNCTION ${cell}.refuse_while_resetting(uuid), ${cell}.begin_reset(uuid);
  `);
}

/** The two triggers that keep rows for ever, with what they let through. */
const finality = (cell: string, exception: string): string => `
    CREATE OR REPLACE FUNCTION ${cell}.refuse_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    BEGIN
      ${exception}
      RAISE EXCEPTION 'ledger entries are never changed or deleted; a correction is a new transaction'
        USING ERRCODE = 'restrict_violation';
    END $$;

    CREATE OR REPLACE FUNCTION ${cell}.refuse_action_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    BEGIN
      ${exception}
      RAISE EXCEPTION 'what was done to a wallet is never changed or deleted' USING ERRCODE = 'restrict_violation';
    END $$;`;

export const sandboxReset = { up, down };
