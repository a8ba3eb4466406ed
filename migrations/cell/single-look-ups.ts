/**
 * Invariants: as before, an entry's step sums to zero and has its transaction, a transaction has its wallets, a delivery
 * has its endpoint and its event. New: a transaction is not opened while its partner's sandbox is being reset; who
 * holds its wallets and meets this decides anew. Each name is looked up by a query of its own, which Postgres neither
 * joins nor keeps a list of all rows for: one row costs less, and no plan reads a whole table.
 */
import type { Knex } from 'knex';
import { refuseWrongEntries } from './entries-at-once';
import { DELIVERIES_TO_ENDPOINT, refuseOrphans, WALLETS_OF_TRANSACTION } from './parents';

/** Definer: whoever writes a child need not be allowed to read the parent. The setting has rows found by an index. */
const asTrigger = (cell: string): string =>
  `RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp SET enable_seqscan = off`;

const isMissing = (parent: string, column: string): string =>
  `(SELECT true FROM ${parent} WHERE id = inserted.${column}) IS NULL`;

/** As it stands now and not when the statement began: what is asked in a trigger is. */
const RESETTING = '(SELECT resetting FROM partner_epochs WHERE partner_id = inserted.partner_id)';

/** @param query finds what is wrong; only its first row is fetched. */
const refuse = (cell: string, name: string, query: string, complaint: string): string => `
    CREATE OR REPLACE FUNCTION ${cell}.${name}() ${asTrigger(cell)} AS $$
    DECLARE wrong record;
    BEGIN
      ${query};
      ${complaint}
      RETURN NULL;
    END $$;`;

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    ${refuse(
      cell,
      'refuse_wrong_entries',
      `SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo INTO wrong
         FROM inserted GROUP BY transaction_id, step
       HAVING sum(amount_kobo) <> 0 OR ${isMissing('transactions', 'transaction_id')}`,
      `IF wrong.sum_kobo <> 0 THEN
        RAISE EXCEPTION 'entries of transaction % (%) sum to %, not zero', wrong.transaction_id, wrong.step,
          wrong.sum_kobo USING ERRCODE = 'check_violation';
      ELSIF FOUND THEN
        RAISE EXCEPTION 'entries name %, which is not in transactions', wrong.transaction_id
          USING ERRCODE = 'foreign_key_violation';
      END IF;`,
    )}
    ${refuse(
      cell,
      'refuse_orphaned_transactions',
      `SELECT source_wallet, dest_wallet, ${RESETTING} AS fenced INTO wrong FROM inserted
        WHERE (source_wallet IS NOT NULL AND ${isMissing('accounts', 'source_wallet')})
           OR (dest_wallet IS NOT NULL AND ${isMissing('accounts', 'dest_wallet')})
           OR ${RESETTING}`,
      `IF wrong.fenced THEN
        RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'serialization_failure';
      ELSIF FOUND THEN
        RAISE EXCEPTION 'a transaction names % and %, which are not both in accounts', wrong.source_wallet,
          wrong.dest_wallet USING ERRCODE = 'foreign_key_violation';
      END IF;`,
    )}
    ${refuse(
      cell,
      'refuse_orphaned_deliveries',
      `SELECT event_id, endpoint_id INTO wrong FROM inserted
        WHERE ${isMissing('events', 'event_id')} OR ${isMissing('webhook_endpoints', 'endpoint_id')}`,
      `IF FOUND THEN
        RAISE EXCEPTION 'a delivery names event % and endpoint %, which are not both there', wrong.event_id,
          wrong.endpoint_id USING ERRCODE = 'foreign_key_violation';
      END IF;`,
    )}

    ALTER TABLE ${cell}.deliveries DROP CONSTRAINT deliveries_event_id_fkey;
    CREATE FUNCTION ${cell}.refuse_orphaning_events_deliveries() ${asTrigger(cell)} AS $$
    DECLARE kept uuid;
    BEGIN
      SELECT id INTO kept FROM deleted WHERE (SELECT true FROM deliveries WHERE event_id = deleted.id LIMIT 1);
      IF FOUND THEN
        RAISE EXCEPTION '% of events is named by deliveries', kept USING ERRCODE = 'foreign_key_violation';
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER events_keep_deliveries AFTER DELETE ON ${cell}.events
      REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
      EXECUTE FUNCTION ${cell}.refuse_orphaning_events_deliveries();
    CREATE TRIGGER events_are_not_emptied BEFORE TRUNCATE ON ${cell}.events
      FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_event_change();
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TRIGGER events_are_not_emptied ON ${cell}.events;
    DROP TRIGGER events_keep_deliveries ON ${cell}.events;
    DROP FUNCTION ${cell}.refuse_orphaning_events_deliveries();
    ALTER TABLE ${cell}.deliveries ADD FOREIGN KEY (event_id) REFERENCES ${cell}.events;
    ${['transactions', 'deliveries']
      .map(
        (child) => `
    DROP TRIGGER ${child}_have_parents ON ${cell}.${child};
    DROP FUNCTION ${cell}.refuse_orphaned_${child}();`,
      )
      .join('')}
    ${refuseOrphans(cell, WALLETS_OF_TRANSACTION)}
    ${refuseOrphans(cell, DELIVERIES_TO_ENDPOINT)}
    ${refuseWrongEntries(cell)}
  `);
}

export const singleLookUps = { up, down };
