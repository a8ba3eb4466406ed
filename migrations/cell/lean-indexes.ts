/**
 * Invariants: an event has one delivery per endpoint; a wallet has one entry per running number. Every index of a table
 * is paid for by every row of it, so the tables that a movement or a delivery writes to have those that something reads
 * by, and no more. Writers wait while the indexes are built.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- At once, and in the order in which a batch of movements takes them: neither waits for the other in a circle.
    LOCK TABLE ${cell}.entries, ${cell}.deliveries;

    -- By event first, for retention, a reset and the key to events. By endpoint alone only what waits is looked for,
    -- by deliveries_due; all of an endpoint's would be for deleting an endpoint's row, which nobody may.
    ALTER TABLE ${cell}.deliveries DROP CONSTRAINT deliveries_pkey,
      ADD CONSTRAINT deliveries_pkey PRIMARY KEY (event_id, endpoint_id);
    DROP INDEX ${cell}.deliveries_of_event;

    -- In no index, so claiming a delivery writes no index entry as long as its page has room for another version of
    -- each of its rows: of claims of 50 in a row 97 of 100 find it; with a fillfactor of 80 it may be half of them.
    ALTER TABLE ${cell}.deliveries ADD COLUMN claimed_until timestamptz(3);
    ALTER TABLE ${cell}.deliveries SET (fillfactor = 50);

    -- The platform's own accounts have no running number, and half of the entries.
    CREATE UNIQUE INDEX entries_of_wallet ON ${cell}.entries (account, sequence) WHERE sequence IS NOT NULL;
    ALTER TABLE ${cell}.entries DROP CONSTRAINT entries_account_sequence_key;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- At once, and in the order in which a batch of movements takes them: neither waits for the other in a circle.
    LOCK TABLE ${cell}.entries, ${cell}.deliveries;

    ALTER TABLE ${cell}.entries ADD CONSTRAINT entries_account_sequence_key UNIQUE (account, sequence);
    DROP INDEX ${cell}.entries_of_wallet;

    -- A claim was a later due time.
    UPDATE ${cell}.deliveries SET next_attempt_at = claimed_until
     WHERE next_attempt_at IS NOT NULL AND claimed_until > now();
    ALTER TABLE ${cell}.deliveries DROP COLUMN claimed_until;
    ALTER TABLE ${cell}.deliveries RESET (fillfactor);

    CREATE INDEX deliveries_of_event ON ${cell}.deliveries (event_id);
    ALTER TABLE ${cell}.deliveries DROP CONSTRAINT deliveries_pkey,
      ADD CONSTRAINT deliveries_pkey PRIMARY KEY (endpoint_id, event_id);
  `);
}

export const leanIndexes = { up, down };
