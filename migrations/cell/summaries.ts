/**
 * Invariants: whoever reconciles may let the index of moves know new pages, and may do nothing else to it. It has a
 * summary for every range of pages that a clean-up has seen; a look by time reads all others.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- Definer: only an owner may. Whoever cleans the table up does the same at its end: it is not waited for, because
    -- it would be ended by somebody who waits longer than a second.
    CREATE FUNCTION ${cell}.summarize_moves() RETURNS void
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp SET lock_timeout = '100ms' AS $$
    BEGIN
      PERFORM brin_summarize_new_values('${cell}.transactions_by_move');
    EXCEPTION WHEN lock_not_available THEN
      NULL;
    END $$;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`DROP FUNCTION ${cell}.summarize_moves()`);
}

export const summaries = { up, down };
