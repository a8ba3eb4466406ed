/**
 * Invariants: the entries of a transaction's step sum to zero, and belong to a transaction that is there. Two triggers
 * each read the new entries; one reads them once.
 */
import type { Knex } from 'knex';
import { refuseUnbalanced } from './ledger';
import { ENTRIES_OF_TRANSACTION, refuseOrphans } from './parents';

export const refuseWrongEntries = (cell: string): string => `
    -- Definer, and the setting: as in the triggers that look for parents.
    CREATE OR REPLACE FUNCTION ${cell}.refuse_wrong_entries() RETURNS trigger
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp SET enable_seqscan = off AS $$
    DECLARE wrong record;
    BEGIN
      SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo INTO wrong
        FROM inserted GROUP BY transaction_id, step
      HAVING sum(amount_kobo) <> 0
          OR NOT EXISTS (SELECT FROM transactions WHERE id = inserted.transaction_id) LIMIT 1;
      IF wrong.sum_kobo <> 0 THEN
        RAISE EXCEPTION 'entries of transaction % (%) sum to %, not zero', wrong.transaction_id, wrong.step,
          wrong.sum_kobo USING ERRCODE = 'check_violation';
      ELSIF FOUND THEN
        RAISE EXCEPTION 'entries names %, which is not in transactions', wrong.transaction_id
          USING ERRCODE = 'foreign_key_violation';
      END IF;
      RETURN NULL;
    END $$;`;

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TRIGGER entries_balance ON ${cell}.entries;
    DROP TRIGGER entries_have_parents ON ${cell}.entries;
    DROP FUNCTION ${cell}.refuse_unbalanced_entries(), ${cell}.refuse_orphaned_entries();

    ${refuseWrongEntries(cell)}
    CREATE TRIGGER entries_are_right AFTER INSERT ON ${cell}.entries
      REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
      EXECUTE FUNCTION ${cell}.refuse_wrong_entries();
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TRIGGER entries_are_right ON ${cell}.entries;
    DROP FUNCTION ${cell}.refuse_wrong_entries();
    ${refuseUnbalanced(cell)}
    ${refuseOrphans(cell, ENTRIES_OF_TRANSACTION)}
  `);
}

export const entriesAtOnce = { up, down };
