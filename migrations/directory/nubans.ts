/**
 * Invariant: an account number is issued once per environment, to one wallet, for ever: the serial comes
 * from one sequence per environment, and the number leads to its partner without asking every cell (R1).
 */
import type { Knex } from 'knex';

async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`
    CREATE SEQUENCE ${schema}.nuban_serial AS bigint START WITH 100000001 MAXVALUE 999999999 NO CYCLE;

    CREATE TABLE ${schema}.nubans (
      account_number text PRIMARY KEY CHECK (account_number ~ '^[0-9]{10}$'),
      partner_id     uuid NOT NULL,
      wallet_id      uuid NOT NULL UNIQUE,
      created_at     timestamptz(3) NOT NULL DEFAULT now()
    );
  `);
}

async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`DROP TABLE ${schema}.nubans; DROP SEQUENCE ${schema}.nuban_serial`);
}

export const nubans = { up, down };
