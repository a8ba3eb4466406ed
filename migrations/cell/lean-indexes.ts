/**
 * Invariants: an event has one delivery per endpoint. Every index of a table is paid for by every row of it, so the
 * tables that a movement or a delivery writes to have those that something reads by, and no more.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- By event first, for retention, a reset and the key to events. By endpoint alone only what waits is looked for,
    -- by deliveries_due; all of an endpoint's would be for deleting an endpoint's row, which nobody may.
    ALTER TABLE ${cell}.deliveries DROP CONSTRAINT deliveries_pkey,
      ADD CONSTRAINT deliveries_pkey PRIMARY KEY (event_id, endpoint_id);
    DROP INDEX ${cell}.deliveries_of_event;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE INDEX deliveries_of_event ON ${cell}.deliveries (event_id);
    ALTER TABLE ${cell}.deliveries DROP CONSTRAINT deliveries_pkey,
      ADD CONSTRAINT deliveries_pkey PRIMARY KEY (endpoint_id, event_id);
  `);
}

export const leanIndexes = { up, down };
