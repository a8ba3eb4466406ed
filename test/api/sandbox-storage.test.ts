/** What a partner may store in its sandbox (D175). */
import { beginReset, finishReset } from '../../src/db/upkeep/epochs';
import { erasePartner } from '../../src/db/upkeep/erase';
import { insertResetOrder } from '../../src/db/payments/hand-orders';
import { openPool } from '../../src/db/pg/postgres';
import type { Answer, TestApi } from '../support/api';
import { asLogin } from '../support/logins';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';
import { REHEARSAL } from '../support/settings';

const ALLOWED_BYTES = 100_000;
const UNCONFIRMED_BYTES = 40_000;
const SETTINGS = {
  ...REHEARSAL,
  SANDBOX_STORAGE_BYTES: String(ALLOWED_BYTES),
  SANDBOX_STORAGE_UNCONFIRMED_BYTES: String(UNCONFIRMED_BYTES),
};
const { world, api } = apiForFile(SETTINGS);

/** A wallet with 10,000 bytes of metadata, which are in the body and in the answer. */
const TEXT = 'x'.repeat(10_000);
let made = 0;
const store = (partner: TestPartner): Promise<Answer> =>
  partner.post('/v1/wallets', { user_ref: `user-${String((made += 1))}`, metadata: { text: TEXT } });

/** Stores until the first refusal. @returns how often it worked, and the refusal. */
async function fill(partner: TestPartner): Promise<{ stored: number; refused: Answer }> {
  for (let stored = 0; stored < 100; stored += 1) {
    const answer = await store(partner);
    if (answer.status !== 202) return { stored, refused: answer };
  }
  throw new Error('nothing was refused');
}
const standing = async (partner: TestPartner): Promise<{ used_bytes: number; allowed_bytes: number }> =>
  (await partner.get('/v1/sandbox/storage')).body;

async function unconfirmedPartner(at: TestApi): Promise<TestPartner> {
  const partner = await at.partner();
  await world.sql('UPDATE platform.partners SET email_confirmed_at = NULL WHERE id = $1', [partner.id]);
  return partner;
}

/** Takes the steps of a reset, as the worker does. */
async function reset({ id }: TestPartner): Promise<void> {
  const { cell } = await api.environments.sandbox.partner(id);
  const by = { partnerId: id, orderId: await insertResetOrder(cell, id) };
  const pool = openPool(asLogin(world.databaseUrl, 'sandbox_reset'), 1, 10_000, () => undefined);
  await beginReset(pool, SANDBOX_CELL, by);
  await erasePartner(pool, { schema: SANDBOX_CELL, directory: 'sandbox_directory', ...by }, () => undefined);
  await finishReset(pool, SANDBOX_CELL, by);
  await pool.end();
}

test('a partner writes without end: it is refused at its limit, and its neighbour is not', async () => {
  const [partner, neighbour] = [await api.partner(), await api.partner()];
  const { stored, refused } = await fill(partner);
  expect(stored).toBeGreaterThanOrEqual(ALLOWED_BYTES / 30_000);
  expect(stored).toBeLessThanOrEqual(ALLOWED_BYTES / 10_000);
  expect(refused).toMatchObject({
    status: 422,
    body: {
      error: 'LIMIT_EXCEEDED',
      detail: { limit: 'sandbox_storage_bytes', used: expect.any(Number), allowed: ALLOWED_BYTES },
    },
  });
  expect(refused.body.detail.used).toBeGreaterThanOrEqual(ALLOWED_BYTES);
  expect(await standing(partner)).toEqual({
    used_bytes: refused.body.detail.used,
    allowed_bytes: ALLOWED_BYTES,
  });

  expect((await partner.get('/v1/wallets')).body.data).toHaveLength(stored);
  expect((await store(neighbour)).status).toBe(202);
  expect((await standing(neighbour)).used_bytes).toBeLessThan(30_000);
});

test('what stores nothing counts nothing: reading, refusals, and the repeat of a request', async () => {
  const partner = await api.partner();
  const body = { user_ref: 'ada', metadata: { text: TEXT } };
  const first = await partner.post('/v1/wallets', body, { 'Idempotency-Key': 'once' });
  const before = await standing(partner);
  const again = await partner.post('/v1/wallets', body, { 'Idempotency-Key': 'once' });
  expect(again.text).toBe(first.text);
  expect((await partner.post('/v1/wallets', { ...body, currency: 'USD' })).status).toBe(422);
  expect((await partner.get('/v1/wallets')).status).toBe(200);
  expect(await standing(partner)).toEqual(before);
});

test('before the email address is confirmed less is allowed', async () => {
  const partner = await unconfirmedPartner(api);
  const { refused } = await fill(partner);
  expect(refused.body.detail.allowed).toBe(UNCONFIRMED_BYTES);
  expect(refused.body.message).toContain('confirmed email address');

  await world.sql('UPDATE platform.partners SET email_confirmed_at = now() WHERE id = $1', [partner.id]);
  await until('the confirmation to be known', async () => (await store(partner)).status === 202);
});

test('in a full sandbox a repeat by key or by reference is answered as ever, and a new payment is refused', async () => {
  const partner = await api.partner();
  const [source, dest] = [await partner.wallet({ fundKobo: 100_000 }), await partner.wallet()];
  const pay = (reference: string, key?: string) =>
    partner.post(
      '/v1/transfers/p2p',
      { source_wallet: source, dest_wallet: dest, amount: 100, reference },
      key === undefined ? {} : { 'Idempotency-Key': key },
    );
  const [byKey, byReference] = [await pay('order-1', 'key-1'), await pay('order-2')];
  await fill(partner);

  expect((await pay('order-1', 'key-1')).text).toBe(byKey.text);
  expect((await pay('order-2')).body.data).toEqual(byReference.body.data);
  expect((await pay('order-3', 'key-3')).body.error).toBe('LIMIT_EXCEEDED');
  expect(await partner.balanceKobo(dest)).toBe(200);
});

test('two processes count together, and one that starts later remembers', async () => {
  const partner = await api.partner();
  const second = await world.startApi(SETTINGS);
  await fill(partner);
  await standing(partner);
  await until('the second process to know', async () => (await store(partner.at(second))).status === 422);

  const later = await world.startApi(SETTINGS);
  await until('the later process to know', async () => (await store(partner.at(later))).status === 422);
  expect((await standing(partner)).used_bytes).toBeLessThan(2 * ALLOWED_BYTES);
});

test('a reset opens the sandbox again, and what it leaves still counts', async () => {
  const partner = await api.partner();
  const endpoint = { url: 'https://example.com/hook', events: ['wallet.activated'] };
  expect((await partner.post('/v1/webhooks', endpoint)).status).toBe(201);
  const kept = await standing(partner);
  await fill(partner);
  await standing(partner);

  await reset(partner);
  await until('the process to hear of the reset', async () => (await store(partner)).status === 202);
  const { used_bytes: used } = await standing(partner);
  expect(used).toBeGreaterThan(kept.used_bytes);
  expect(used).toBeLessThan(kept.used_bytes + 30_000);
});

test('live has no such limit', async () => {
  const partner = await api.partner({ environment: 'live', status: 'active' });
  for (let count = 0; count < 12; count += 1) expect((await store(partner)).status).toBe(202);
  expect(await partner.get('/v1/sandbox/storage')).toMatchObject({
    status: 403,
    body: { error: 'SANDBOX_ONLY' },
  });
});

test('fifteen transfers wait for no statement about storage', async () => {
  const partner = await api.partner();
  const [source, dest] = [await partner.wallet({ fundKobo: 10_000_000 }), await partner.wallet()];
  await standing(partner);
  const { pool } = api.environments.sandbox;
  const asked = jest.spyOn(pool, 'query');
  const startedAt = performance.now();
  for (let count = 0; count < 15; count += 1) {
    const body = {
      source_wallet: source,
      dest_wallet: dest,
      amount: 100,
      reference: `many-${String(count)}`,
    };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
  }
  const elapsedMs = performance.now() - startedAt;
  const about = asked.mock.calls.filter(([query]) => JSON.stringify(query).includes('sandbox_storage'));
  expect(about.length).toBeLessThanOrEqual(1 + elapsedMs / 2_000);
});
