/**
 * Invariant: a dial code leads to one session at a time, and is given out again only when that session's
 * window is over. A gateway knows neither partner nor cell: the code, its own session, or the phone finds
 * them (R1).
 */
import type { Knex } from 'knex';

async function up(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${schema}.dial_codes (
      code            text PRIMARY KEY CHECK (code ~ '^[0-9]{6}$'),
      partner_id      uuid NOT NULL,
      session_id      uuid NOT NULL,
      phone           text,
      gateway_session text,
      held_until      timestamptz(3) NOT NULL
    );
    CREATE INDEX dial_codes_of_phone ON ${schema}.dial_codes (phone, session_id DESC) WHERE phone IS NOT NULL;
    CREATE INDEX dial_codes_of_gateway ON ${schema}.dial_codes (gateway_session)
      WHERE gateway_session IS NOT NULL;
    CREATE INDEX dial_codes_of_partner ON ${schema}.dial_codes (partner_id);
  `);
}

async function down(knex: Knex, schema: string): Promise<void> {
  await knex.raw(`DROP TABLE ${schema}.dial_codes`);
}

export const dialCodes = { up, down };
