/** The checks of the ledger by type and by look-up: a database from before them keeps its rows, up and down again. */
import { domains } from '../../migrations/cell/domains';
import { singleLookUps } from '../../migrations/cell/single-look-ups';
import { openEarlierCell, type EarlierCell } from '../support/earlier-cell';

let cell: EarlierCell;

beforeAll(async () => {
  cell = await openEarlierCell();
});
afterAll(() => cell.close());

const TABLES = ['accounts', 'transactions', 'entries', 'events', 'deliveries'];
const rows = () =>
  Promise.all(TABLES.map((table) => cell.rowsOf(`SELECT * FROM $cell.${table} ORDER BY 1, 2`)));

const before = () => cell.takeBack({ '016_domains': domains, '017_single_look_ups': singleLookUps });

/** A funded wallet, and an event with its delivery. */
const fill = () =>
  cell.rowsOf(`
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
  const newShape = await cell.shape();
  await before();
  const oldShape = await cell.shape();
  expect(oldShape).not.toEqual(newShape);
  await fill();
  const kept = await rows();
  expect(kept.map((table) => table.length)).toEqual([1, 1, 2, 1, 1]);

  expect(await cell.migrate()).toEqual({ applied: 2 });
  expect(await cell.shape()).toEqual(newShape);
  expect(await rows()).toEqual(kept);

  await before();
  expect(await cell.shape()).toEqual(oldShape);
  expect(await rows()).toEqual(kept);
});
