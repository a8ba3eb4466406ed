/**
 * Telling more of the owner of a wallet (D27, D142), what is demanded at the door, and wallets that are closed before they have
 * an account (D11, D26).
 */
import { randomUUID } from 'node:crypto';
import { untoldNews } from '../../src/db/wallets/owner-news';
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const asLive = partnerForFile(api);
/** Live with companies that demand something; nothing is asked of them here. */
const LIVE = {
  LIVE_PAYOUTS: 'monnify',
  LIVE_ACCOUNTS: 'monnify',
  MONNIFY_API_KEY: 'key-for-tests',
  MONNIFY_SECRET_KEY: 'secret-for-tests',
  MONNIFY_SOURCE_ACCOUNT: '8016472829',
  MONNIFY_CONTRACT_CODE: '100693167467',
  MONNIFY_ACCOUNTS_BANK: '50515',
  LIVE_IDENTITY: 'smile',
  SMILE_PARTNER_ID: '2420',
  SMILE_API_KEY: 'key-for-tests',
};
let live: TestPartner;
beforeAll(async () => {
  live = await (await world.startApi(LIVE)).partner({ environment: 'live', status: 'active' });
  expect(await asLive.put('/v1/sandbox/requirements', { as_live: true })).toMatchObject({ status: 200 });
});

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';
const patch = (id: string, metadata: unknown, by: TestPartner = partner, headers = {}): Promise<Answer> =>
  by.patch(`/v1/wallets/${id}`, { metadata }, headers);
const create = (metadata: Json = {}, by: TestPartner = partner, userRef = `user-${randomUUID()}`) =>
  by.post('/v1/wallets', { user_ref: userRef, metadata });
const shown = async (id: string, by: TestPartner = partner): Promise<Json> =>
  (await by.get(`/v1/wallets/${id}`)).body.data.wallet;
const fieldsOf = ({ status, body }: Answer) => [
  status,
  body.error,
  (body.detail?.fields ?? []).map(({ field }: { field: string }) => field),
];
const ADA = { first_name: 'Ada', last_name: 'Obi', email: 'ada@example.com' };

describe('PATCH /v1/wallets/{id}', () => {
  test('merges, and answers with the wallet as it is shown from then on', async () => {
    const id = await partner.wallet({ metadata: { tag: 'é', home: { city: 'Ìlọrin', street: 'Broad' } } });
    const before = await shown(id);
    const answer = await patch(id, { home: { street: null }, tag: null, email: 'ada@example.com' });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...before,
      metadata: { home: { city: 'Ìlọrin' }, email: 'ada@example.com' },
      updated_at: expect.any(String),
    });
    expect(answer.body.data.updated_at > before.updated_at).toBe(true);
    expect(await shown(id)).toEqual(answer.body.data);
  });

  test('the same again changes nothing, not even when it was last changed', async () => {
    const id = await partner.wallet();
    const { body } = await patch(id, ADA);
    expect((await patch(id, ADA)).body.data).toEqual(body.data);
  });

  test('is kept sealed, and as nothing where nothing is left', async () => {
    const id = await partner.wallet();
    const kept = async () =>
      (await world.sql(`SELECT metadata_sealed FROM ${SANDBOX_CELL}.wallets WHERE id = $1`, [id]))[0];
    await patch(id, { email: 'canary-of-ada@example.com' });
    expect((await kept())?.metadata_sealed).toMatch(/^v\d\./);
    expect((await kept())?.metadata_sealed).not.toContain('canary');
    await patch(id, { email: null });
    expect(await kept()).toEqual({ metadata_sealed: null });
  });

  test('twenty changes of different keys at once all survive', async () => {
    const id = await partner.wallet();
    const keys = Array.from({ length: 20 }, (_, n) => `key_${String(n)}`);
    const answers = await Promise.all(keys.map((key) => patch(id, { [key]: key })));
    expect(answers.map(({ status }) => status)).toEqual(keys.map(() => 200));
    expect((await shown(id)).metadata).toEqual(Object.fromEntries(keys.map((key) => [key, key])));
  });

  test.each(['pending', 'active', 'frozen'] as const)('of a wallet that is %s', async (status) => {
    const id = await partner.wallet({ status });
    expect(await patch(id, ADA)).toMatchObject({ status: 200, body: { data: { status, metadata: ADA } } });
  });

  test.each<[what: string, body: unknown, field: string]>([
    ['no metadata', {}, 'metadata'],
    ['a null', { metadata: null }, 'metadata'],
    ['a list', { metadata: [] }, 'metadata'],
    ['a text', { metadata: 'x' }, 'metadata'],
    ['control characters', { metadata: { a: '\u0007' } }, 'metadata'],
    ['more than 16,384 bytes', { metadata: { a: 'x'.repeat(16_377) } }, 'metadata'],
  ])('with %s: 422, and nothing changes', async (_what, body, field) => {
    const id = await partner.wallet({ metadata: { a: 1 } });
    expect(fieldsOf(await partner.patch(`/v1/wallets/${id}`, body))).toEqual([
      422,
      'VALIDATION_ERROR',
      [field],
    ]);
    expect((await shown(id)).metadata).toEqual({ a: 1 });
  });

  test('the whole stays within 16,384 bytes: the last byte fits, one more does not', async () => {
    const id = await partner.wallet({ metadata: { a: 'x'.repeat(16_000) } });
    const room = 16_384 - Buffer.byteLength(JSON.stringify({ a: 'x'.repeat(16_000), b: '' }));
    expect(fieldsOf(await patch(id, { b: 'x'.repeat(room + 1) }))).toEqual([
      422,
      'VALIDATION_ERROR',
      ['metadata'],
    ]);
    expect((await patch(id, { b: 'x'.repeat(room) })).status).toBe(200);
  });

  test.each<[what: string, id: () => Promise<string>, status: number, code: string]>([
    ['a closed wallet', () => partner.wallet({ status: 'closed' }), 422, 'WALLET_CLOSED'],
    ['an unknown one', () => Promise.resolve(UNKNOWN_ID), 404, 'NOT_FOUND'],
    ['no id', () => Promise.resolve('x'), 404, 'NOT_FOUND'],
    ['that of another partner', () => asLive.wallet(), 404, 'NOT_FOUND'],
    [
      'the settlement wallet',
      () => partner.wallet({ userRef: '__settlement__' }),
      422,
      'INVALID_WALLET_STATE',
    ],
  ])('of %s: refused', async (_what, idOf, status, code) => {
    expect(await patch(await idOf(), ADA)).toMatchObject({ status, body: { error: code } });
  });

  test.each([
    ['reference', 'metadata'],
    ['quickstart', 'Metadata'],
  ])('is answered in the form %s', async (form, field) => {
    const id = await partner.wallet();
    const { body } = await patch(id, ADA, partner, { 'X-Response-Form': form });
    expect(body.data[field]).toEqual(ADA);
  });
});

describe('at the door', () => {
  const whoever: [string, () => TestPartner][] = [
    ['live', () => live],
    ['a sandbox as live', () => asLive],
  ];
  const ALL = ['metadata.email', 'metadata.first_name', 'metadata.last_name'];

  test.each(whoever)('%s refuses a wallet without what the companies demand', async (_where, by) => {
    expect(fieldsOf(await create({}, by()))).toEqual([422, 'VALIDATION_ERROR', ALL]);
    expect(fieldsOf(await create({ ...ADA, email: 'ada' }, by()))).toEqual([
      422,
      'VALIDATION_ERROR',
      ['metadata.email'],
    ]);
    expect((await create(ADA, by())).status).toBe(202);
  });

  test.each(whoever)(
    '%s lets nobody take it away, and lets everything else be changed',
    async (_where, by) => {
      const { id } = (await create(ADA, by())).body.data;
      expect(fieldsOf(await patch(id, { email: null, tag: 'x' }, by()))).toEqual([
        422,
        'VALIDATION_ERROR',
        ['metadata.email'],
      ]);
      expect((await shown(id, by())).metadata).toEqual(ADA);
      const changed = await patch(id, { email: 'obi@example.com', tag: 'x' }, by());
      expect(changed.body.data.metadata).toEqual({ ...ADA, email: 'obi@example.com', tag: 'x' });
    },
  );

  test.each(whoever)('%s takes one detail after the other of an older wallet', async (_where, by) => {
    const id = await by().wallet({ status: 'pending' });
    expect((await patch(id, { email: ADA.email }, by())).status).toBe(200);
    expect((await patch(id, { first_name: 'Ada' }, by())).status).toBe(200);
  });

  test.each(whoever)('%s checks no number of somebody without a name', async (_where, by) => {
    const check = (userRef: string, type: 'bvn' | 'nin') =>
      by().post(`/v1/kyc/${type}`, { user_ref: userRef, [type]: '22222222222' });
    const userRef = `user-${randomUUID()}`;
    for (const type of ['bvn', 'nin'] as const) {
      expect(fieldsOf(await check(userRef, type))).toEqual([422, 'VALIDATION_ERROR', ['user_ref']]);
    }
    await create(ADA, by(), userRef);
    expect((await check(userRef, 'bvn')).status).toBe(202);
  });

  test.each(whoever)('%s checks no director with half a name', async (_where, by) => {
    const submit = (...names: string[]) =>
      by().post('/v1/partner/compliance/directors', {
        directors: names.map((full_name) => ({ full_name, role: 'Director', bvn: '22222222222' })),
      });
    expect(fieldsOf(await submit('Ada Obi', 'Ada'))).toEqual([
      422,
      'VALIDATION_ERROR',
      ['directors[1].full_name'],
    ]);
    const { error } = (await submit('Ada Obi')).body;
    expect(error).not.toBe('VALIDATION_ERROR');
  });

  test('in live the names of an owner with a verified number are not demanded', async () => {
    const userRef = `user-${randomUUID()}`;
    await create(ADA, live, userRef);
    const { body } = await live.post('/v1/kyc/nin', { user_ref: userRef, nin: '22222222222' });
    await world.sql(
      `UPDATE ${SANDBOX_CELL.replace('sandbox', 'live')}.verifications SET status = 'verified', verified_at = now()
        WHERE id = $1`,
      [body.data.verification_id],
    );
    const { body: page } = await live.get(`/v1/wallets?user_ref=${userRef}`);
    expect((await patch(page.data[0].id, { first_name: null }, live)).status).toBe(200);
  });

  test('a sandbox that has not asked for it demands nothing', async () => {
    expect((await create({})).status).toBe(202);
    expect(await partner.get('/v1/sandbox/requirements')).toMatchObject({
      status: 200,
      body: { as_live: false, wallet: ALL, kyc: ALL.slice(1) },
    });
  });

  test('the answer of a key is repeated although more is demanded by now', async () => {
    const switching = await api.partner();
    const body = { user_ref: 'ada' };
    const once = () => switching.post('/v1/wallets', body, { 'Idempotency-Key': 'before' });
    const first = await once();
    await switching.put('/v1/sandbox/requirements', { as_live: true });
    expect((await once()).text).toBe(first.text);
    expect((await switching.put('/v1/sandbox/requirements', { as_live: false })).body.as_live).toBe(false);
    expect((await create({}, switching)).status).toBe(202);
  });

  test.each<[string, unknown]>([
    ['without a value', {}],
    ['with a text', { as_live: 'true' }],
  ])('the switch %s is refused, and live has none', async (_what, body) => {
    expect(fieldsOf(await partner.put('/v1/sandbox/requirements', body))).toEqual([
      422,
      'VALIDATION_ERROR',
      ['as_live'],
    ]);
    expect((await live.put('/v1/sandbox/requirements', { as_live: true })).body.error).toBe('SANDBOX_ONLY');
  });
});

describe('news of an owner', () => {
  const untold = async () =>
    (await untoldNews(api.environments.sandbox.cells.get(SANDBOX_CELL)!, -60_000, 500)).map(
      ({ walletId }) => walletId,
    );

  test('of a wallet that waits for its account stay until its workflow has heard, and nobody else is told', async () => {
    const signal = jest
      .spyOn(api.environments.sandbox.relay, 'tellOfNewsLater')
      .mockImplementation(() => undefined);
    const [pending, active, closing] = [
      await partner.wallet({ status: 'pending' }),
      await partner.wallet(),
      await partner.wallet({ status: 'pending' }),
    ];
    for (const id of [pending, active]) await patch(id, ADA);
    await partner.post(`/v1/wallets/${closing}/close`);
    signal.mockRestore();
    expect(await untold()).toEqual(expect.arrayContaining([pending, closing]));
    expect(await untold()).not.toContain(active);
  });

  test('reach the pending checks of the owner', async () => {
    const forwarded = jest
      .spyOn(api.environments.sandbox.relay, 'forwardLater')
      .mockImplementation(() => undefined);
    const userRef = `user-${randomUUID()}`;
    const id = await partner.wallet({ userRef });
    const { body } = await partner.post('/v1/kyc/bvn', { user_ref: userRef, bvn: '22222222222' });
    await patch(id, ADA);
    expect(forwarded.mock.calls.at(-1)?.[0]).toEqual([
      { workflowId: `kyc/${String(body.data.verification_id)}`, by: 'bureau' },
    ]);
    forwarded.mockRestore();
  });
});

describe('a wallet that is closed before it has an account', () => {
  const closed = async (metadata: Json = {}) => {
    const userRef = `user-${randomUUID()}`;
    const { id } = (await create(metadata, partner, userRef)).body.data;
    expect((await partner.post(`/v1/wallets/${id}/close`)).body.data).toMatchObject({
      status: 'closed',
      account_status: 'closed',
    });
    return { id, userRef };
  };

  test('is refused while it holds money', async () => {
    const { id } = (await create()).body.data;
    await partner.post(`/v1/sandbox/wallets/${id}/fund`, { amount_kobo: 5 });
    expect(await partner.post(`/v1/wallets/${id}/close`)).toMatchObject({
      status: 422,
      body: { error: 'WALLET_NOT_EMPTY', detail: { balance_kobo: 5, open_transactions: 0 } },
    });
  });

  const reopen = (id: string, body?: unknown, by: TestPartner = partner) =>
    by.post(`/v1/wallets/${id}/reopen`, body);
  const actsOf = async (id: string) =>
    (
      await world.sql(`SELECT action FROM ${SANDBOX_CELL}.wallet_actions WHERE wallet_id = $1 ORDER BY id`, [
        id,
      ])
    ).map(({ action }) => action as string);

  test('keeps its user_ref, and is opened again with what is told then', async () => {
    const { id, userRef } = await closed({ tag: 'first', old: 1 });
    expect(await create({}, partner, userRef)).toMatchObject({
      status: 409,
      body: { error: 'WALLET_ALREADY_EXISTS', detail: { wallet_id: id } },
    });
    const again = await reopen(id, { metadata: { tag: 'second', old: null } });
    expect(again).toMatchObject({
      status: 200,
      body: { data: { id, status: 'pending', account_status: 'provisioning', metadata: { tag: 'second' } } },
    });
    expect(await shown(id)).toEqual(again.body.data);
    expect(await actsOf(id)).toEqual(['close', 'reopen']);
    const [intended] = await world.sql(
      `SELECT input->'isAgain' AS again FROM ${SANDBOX_CELL}.workflow_intentions WHERE workflow_id = $1`,
      [`wallet/${id}`],
    );
    expect(intended).toEqual({ again: true });
  });

  test('is opened again without a body, and of twenty at once one is 200', async () => {
    const { id } = await closed({ tag: 'kept' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => reopen(id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ body }) => body.error === 'INVALID_WALLET_STATE')).toHaveLength(19);
    expect((await shown(id)).metadata).toEqual({ tag: 'kept' });
    expect(await actsOf(id)).toEqual(['close', 'reopen']);
  });

  test('is opened again only with what is demanded by then', async () => {
    const id = await asLive.wallet({ status: 'pending' });
    await asLive.post(`/v1/wallets/${id}/close`);
    expect(fieldsOf(await reopen(id, { metadata: { email: ADA.email } }, asLive))).toEqual([
      422,
      'VALIDATION_ERROR',
      ['metadata.first_name', 'metadata.last_name'],
    ]);
    expect((await shown(id, asLive)).status).toBe('closed');
    expect((await reopen(id, { metadata: ADA }, asLive)).status).toBe(200);
  });

  test.each<[what: string, spoil: (id: string) => Promise<unknown>]>([
    [
      'money has moved over it',
      async (id) => {
        await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'pending' WHERE id = $1`, [id]);
        await partner.post(`/v1/sandbox/wallets/${id}/fund`, { amount_kobo: 5 });
        await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = $1`, [id]);
      },
    ],
    [
      'an account was ordered for it',
      (id) =>
        world.sql(
          `INSERT INTO ${SANDBOX_CELL}.provider_customers (wallet_id, partner_id, provider) VALUES ($1, $2, 'monnify')`,
          [id, partner.id],
        ),
    ],
    [
      'its owner was erased',
      (id) => world.sql(`UPDATE ${SANDBOX_CELL}.wallets SET erased_at = now() WHERE id = $1`, [id]),
    ],
  ])('is not opened again where %s', async (_what, spoil) => {
    const { id } = await closed();
    await spoil(id);
    expect(await reopen(id)).toMatchObject({ status: 422, body: { error: 'INVALID_WALLET_STATE' } });
    expect((await shown(id)).status).toBe('closed');
  });

  test.each<[what: string, id: () => Promise<string>, status: number, code: string]>([
    ['one that had an account', () => partner.wallet({ status: 'closed' }), 422, 'INVALID_WALLET_STATE'],
    ['one that is pending', () => partner.wallet({ status: 'pending' }), 422, 'INVALID_WALLET_STATE'],
    ['one that is frozen', () => partner.wallet({ status: 'frozen' }), 422, 'INVALID_WALLET_STATE'],
    ['that of another partner', () => asLive.wallet({ status: 'pending' }), 404, 'NOT_FOUND'],
    ['an unknown one', () => Promise.resolve(UNKNOWN_ID), 404, 'NOT_FOUND'],
  ])('%s is not opened again', async (_what, idOf, status, code) => {
    expect(await reopen(await idOf())).toMatchObject({ status, body: { error: code } });
  });

  test('in live without a company that opens accounts: 503, and nothing changes', async () => {
    const without = await api.partner({ environment: 'live', status: 'active' });
    expect((await reopen(UNKNOWN_ID, {}, without)).body.error).toBe('SERVICE_UNAVAILABLE');
  });
});
