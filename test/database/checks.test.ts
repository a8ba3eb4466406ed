/** The checks of the ledger by type and by look-up: a database from before them keeps its rows, up and down again. */
import { randomBytes } from 'node:crypto';
import knexFactory, { type Knex } from 'knex';
import { domains } from '../../migrations/cell/domains';
import { singleLookUps } from '../../migrations/cell/single-look-ups';
import { readStartConfig } from '../../src/config';
import { createDatabase, dropDatabase } from '../../src/db/cluster';
import { migrateDatabase } from '../../src/db/migrate';
import { onDatabase } from '../setup/database';

const CELL = 'sandbox_0';
const server = onDatabase(readStartConfig().TEST_DATABASE_URL!, 'postgres');
const name = `wallet_checks_${randomBytes(6).toString('hex')}`;
const url = onDatabase(server, name);
let knex: Knex;

beforeAll(async () => {
  await createDatabase(server, name);
  await migrateDatabase(url, 1);
  knex = knexFactory({ client: 'pg', connection: url });
});
afterAll(async () => {
  await knex.destroy();
  await dropDatabase(server, name);
});

const rowsOf = async (text: string): Promise<Record<string, unknown>[]> =>
  (await knex.raw<{ rows: Record<string, unknown>[] }>(text.replaceAll('$cell', CELL))).rows;

/** Columns with their types, constraints, indexes, triggers and what their functions say. */
const shape = () =>
  rowsOf(`SELECT attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod) AS is
            FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
           WHERE relnamespace = '$cell'::regnamespace AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
          UNION ALL SELECT conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
           WHERE connamespace = '$cell'::regnamespace
          UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = '$cell'
          UNION ALL SELECT pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
           WHERE relnamespace = '$cell'::regnamespace AND NOT tgisinternal
          UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = '$cell'::regnamespace
           ORDER BY 1`);
const TABLES = ['accounts', 'transactions', 'entries', 'events', 'deliveries'];
const rows = () => Promise.all(TABLES.map((table) => rowsOf(`SELECT * FROM $cell.${table} ORDER BY 1, 2`)));

/** As if they had not run yet. */
async function before(): Promise<void> {
  await knex.transaction(async (trx) => {
    await singleLookUps.down(trx, CELL);
    await domains.down(trx, CELL);
  });
  await knex.raw(
    `DELETE FROM platform.migrations_of_${CELL} WHERE name IN ('016_domains', '017_single_look_ups')`,
  );
}

/** A funded wallet, and an event with its delivery. */
const fill = () =>
  rowsOf(`
    WITH account AS (
      INSERT INTO $cell.accounts (id, partner_id, status, balance_kobo, sequence)
      VALUES (uuidv7(), uuidv7(), 'active', 100, 1) RETURNING *),
    funded AS (
      INSERT INTO $cell.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet, customer_fee_kobo,
        merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
      SELECT uuidv7(), partner_id, 'r', 'wallet_funding', 'completed', 100, id, 0, 0, 0, 100, now(), now(), now()
        FROM account RETURNING *),
    entered AS (
      INSERT INTO $cell.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
      SELECT id, 'accept', account, uuidv7(), amount, sequence, after, now()
        FROM funded, LATERAL (VALUES (dest_wallet, 100, 1, 100), (uuidv7(), -100, NULL, NULL))
          AS v(account, amount, sequence, after)),
    endpoint AS (
      INSERT INTO $cell.webhook_endpoints (id, partner_id, url, events, secret_sealed)
      SELECT uuidv7(), partner_id, 'https://shop.example/hook', '{transaction.completed}', '' FROM account RETURNING id),
    event AS (
      INSERT INTO $cell.events (id, partner_id, kind, resource_id, data, created_at)
      SELECT uuidv7(), partner_id, 'transaction.completed', id, '{}', now() FROM funded RETURNING id)
    INSERT INTO $cell.deliveries (endpoint_id, event_id, event_name)
    SELECT endpoint.id, event.id, 'transaction.completed' FROM endpoint, event`);

test('rows from before are kept, and the shape from before comes back', async () => {
  const newShape = await shape();
  await before();
  const oldShape = await shape();
  expect(oldShape).not.toEqual(newShape);
  await fill();
  const kept = await rows();
  expect(kept.map((table) => table.length)).toEqual([1, 1, 2, 1, 1]);

  expect(await migrateDatabase(url, 1)).toEqual({ applied: 2 });
  expect(await shape()).toEqual(newShape);
  expect(await rows()).toEqual(kept);

  await before();
  expect(await shape()).toEqual(oldShape);
  expect(await rows()).toEqual(kept);
});
