/** A database from before the lean indexes: what was in it stays, up and down again. */
import { leanIndexes } from '../../migrations/cell/lean-indexes';
import { openEarlierCell, type EarlierCell } from '../support/earlier-cell';

let cell: EarlierCell;

beforeAll(async () => {
  cell = await openEarlierCell();
});
afterAll(() => cell.close());

const before = () => cell.takeBack({ '013_lean_indexes': leanIndexes });

const TABLES = {
  deliveries: `SELECT endpoint_id, event_id, attempts, next_attempt_at, delivered_at FROM $cell.deliveries ORDER BY 1, 2`,
  entries: `SELECT * FROM $cell.entries ORDER BY transaction_id, step, account`,
  keys: `SELECT * FROM $cell.idempotency_keys ORDER BY key`,
};
const rows = async () =>
  Object.fromEntries(
    await Promise.all(Object.entries(TABLES).map(async ([table, text]) => [table, await cell.rowsOf(text)])),
  ) as Record<keyof typeof TABLES, Record<string, unknown>[]>;

/** Deliveries in every state, and entries of a wallet and of the platform. */
const fill = () =>
  cell.rowsOf(`
    WITH endpoints AS (
      INSERT INTO $cell.webhook_endpoints (id, partner_id, url, events, secret_sealed)
      SELECT uuidv7(), uuidv7(), 'https://shop.example/hook', '{kyc.verified}', '' FROM generate_series(1, 2) RETURNING id),
    events AS (
      INSERT INTO $cell.events (id, partner_id, kind, resource_id, data, created_at)
      SELECT uuidv7(), uuidv7(), 'kyc.verified', uuidv7(), '{}', now() FROM generate_series(1, 50) RETURNING id),
    delivered AS (
      INSERT INTO $cell.deliveries (endpoint_id, event_id, event_name, attempts, next_attempt_at, delivered_at)
      SELECT p.id, e.id, 'kyc.verified', state, CASE state WHEN 0 THEN now() WHEN 1 THEN now() + interval '1 hour' END,
             CASE state WHEN 2 THEN now() END
        FROM endpoints p, (SELECT id, row_number() OVER () % 4 AS state FROM events) e),
    account AS (INSERT INTO $cell.accounts (id, partner_id, status) VALUES (uuidv7(), uuidv7(), 'active') RETURNING *),
    transaction AS (
      INSERT INTO $cell.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet, customer_fee_kobo,
        merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
      SELECT uuidv7(), partner_id, 'f' || n, 'wallet_funding', 'completed', 5, id, 0, 0, 0, 5, now(), now(), now()
        FROM account, generate_series(1, 20) AS n RETURNING id, dest_wallet, substr(reference, 2)::int AS n),
    keyed AS (
      INSERT INTO $cell.idempotency_keys (partner_id, operation, key, fingerprint, status, body, created_at)
      SELECT dest_wallet, 'fund', n, '', 200, '', now() FROM transaction)
    INSERT INTO $cell.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
    SELECT t.id, 'accept', v.account, uuidv7(), v.amount, v.sequence, v.after, now()
      FROM transaction t, LATERAL (VALUES (dest_wallet, 5, n, 5 * n),
           ('00000000-0000-0000-0000-000000009000'::uuid, -5, NULL, NULL)) AS v(account, amount, sequence, after)`);

test('rows from before are kept, and the shape from before comes back', async () => {
  const leanShape = await cell.shape();
  await before();
  const fatShape = await cell.shape();
  await fill();
  const kept = await rows();
  expect([kept.deliveries.length, kept.entries.length, kept.keys.length]).toEqual([100, 40, 20]);

  expect(await cell.migrate()).toEqual({ applied: 1 });
  expect(await cell.shape()).toEqual(leanShape);
  expect(await rows()).toEqual(kept);

  await cell.rowsOf(
    `UPDATE $cell.deliveries SET claimed_until = now() + interval '1 minute' WHERE attempts = 0`,
  );
  await before();
  expect(await cell.shape()).toEqual(fatShape);
  const claimed = { next_attempt_at: expect.any(Date) as unknown };
  expect(await rows()).toEqual({
    ...kept,
    deliveries: kept.deliveries.map((row) => (row['attempts'] === 0 ? { ...row, ...claimed } : row)),
  });
  expect(
    await cell.rowsOf(
      `SELECT count(*)::int AS claimed FROM $cell.deliveries WHERE attempts = 0 AND next_attempt_at > now()`,
    ),
  ).toEqual([{ claimed: 24 }]);
  expect(await cell.migrate()).toEqual({ applied: 1 });
});
