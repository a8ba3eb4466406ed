/**
 * Invariant: a transfer that was handed to a provider leads back to its partner, so that what the provider says
 * of it finds its cell without asking every one (R1). The row is written before the transfer is submitted.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${schema}.submitted_transfers (
      transaction_id uuid PRIMARY KEY,
      partner_id     uuid NOT NULL
    );
  `);
}

async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`DROP TABLE ${schema}.submitted_transfers`);
}

export const submittedTransfers = { up, down };
