/** Adjustments: one operator proposes, two others approve, and the ledger posts once (D14, D91). */
import { auditCell } from '../../support/audit';
import { openWorld, type Json, type TestApi, type World } from '../../support/api';
import type { TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { newId } from '../../../src/db/pg/ids';
import { SANDBOX_CELL } from '../../setup/cells';

let world: World;
let api: TestApi;
let partner: TestPartner;
let [ada, bola, chidi, dayo]: TestOperator[] = [];

beforeAll(async () => {
  world = await openWorld();
  api = await world.startApi();
  partner = await api.partner();
  [ada, bola, chidi, dayo] = await Promise.all(Array.from({ length: 4 }, () => api.operator()));
});
afterAll(async () => {
  expect(await auditCell(world.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await world.close();
});

const path = (partnerId = partner.id) => `/ops/sandbox/partners/${partnerId}/adjustments`;

async function propose(asked: { walletId: string; direction?: string; amountKobo?: number }, by = ada) {
  const { walletId, direction = 'credit', amountKobo = 2_500 } = asked;
  const body = { wallet_id: walletId, direction, amount_kobo: amountKobo, reason: 'Missed inbound credit' };
  return (await by!.post(path(), body)).body.data;
}
const proposal = (id: string, rest = '') => `/ops/proposals/${id}${rest}`;
const approve = (id: string, by: TestOperator | undefined) => by!.post(proposal(id, '/approve'));
const reject = (id: string, by: TestOperator | undefined) =>
  by!.post(proposal(id, '/reject'), { reason: 'No' });
const postedOf = (id: string) =>
  world.sql(
    `SELECT type, status, reference, amount_kobo::int FROM ${SANDBOX_CELL}.transactions WHERE id = $1`,
    [id],
  );

test.each([
  ['credit', 1_000, 3_500, 'wallet_credit'],
  ['debit', 4_000, 1_500, 'wallet_debit'],
])('a %s is posted by the second of two approvals', async (direction, fundKobo, afterKobo, type) => {
  const walletId = await partner.wallet({ fundKobo });
  const proposed = await propose({ walletId, direction });
  expect(proposed).toMatchObject({
    kind: 'adjust_wallet',
    environment: 'sandbox',
    status: 'proposed',
    approvals_needed: 2,
    terms: { wallet_id: walletId, direction, amount_kobo: 2_500, amount_naira: '25.00' },
    proposed_by: ada!.name,
    approved_by: [],
  });
  const first = await approve(proposed.id, bola);
  expect(first.body.data).toMatchObject({ status: 'proposed', approved_by: [bola!.name] });
  expect(await partner.balanceKobo(walletId)).toBe(fundKobo);

  const second = await approve(proposed.id, chidi);
  expect(second).toMatchObject({
    status: 200,
    body: { data: { status: 'applied', approved_by: [bola!.name, chidi!.name] } },
  });
  expect(await partner.balanceKobo(walletId)).toBe(afterKobo);
  expect(await postedOf(proposed.id)).toEqual([
    { type, status: 'completed', reference: `adj_${proposed.id}`, amount_kobo: 2_500 },
  ]);
  const shown = await partner.get(`/v1/transactions/${proposed.id}`);
  expect(shown.body.data).toMatchObject({ type, description: 'Correction' });
  expect(
    await world.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [proposed.id]),
  ).toEqual([{ kind: 'transaction.completed' }]);
});

describe('is not posted', () => {
  let walletId: string;
  let id: string;
  beforeEach(async () => {
    walletId = await partner.wallet({ fundKobo: 1_000 });
    ({ id } = await propose({ walletId }));
  });
  const untouched = async () => {
    expect(await partner.balanceKobo(walletId)).toBe(1_000);
    expect(await postedOf(id)).toEqual([]);
  };

  test('by the proposer’s approval: 403, and it does not count', async () => {
    expect(await approve(id, ada)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    await approve(id, bola);
    expect(await approve(id, ada)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
    expect((await ada!.get(proposal(id))).body.data).toMatchObject({
      status: 'proposed',
      approved_by: [bola!.name],
    });
    await untouched();
  });

  test('by the same operator twice, or with a new token', async () => {
    await approve(id, bola);
    expect((await approve(id, bola)).body.data).toMatchObject({
      status: 'proposed',
      approved_by: [bola!.name],
    });
    await untouched();
  });

  test('after a rejection, which is final', async () => {
    await approve(id, bola);
    expect((await reject(id, chidi)).body.data).toMatchObject({ status: 'rejected' });
    for (const again of [await approve(id, dayo), await reject(id, dayo)]) {
      expect(again).toMatchObject({
        status: 422,
        body: { error: 'INVALID_STATE', message: 'The proposal is rejected' },
      });
    }
    await untouched();
  });

  test('when its proposer withdraws it', async () => {
    expect((await reject(id, ada)).body.data).toMatchObject({ status: 'rejected' });
    await untouched();
  });
});

test('an approval during a sandbox reset is answered 503 and posted by the next one', async () => {
  const own = await api.partner();
  const walletId = await own.wallet({ fundKobo: 1_000 });
  const asked = {
    wallet_id: walletId,
    direction: 'credit',
    amount_kobo: 500,
    reason: 'Missed inbound credit',
  };
  const { id } = (await ada!.post(path(own.id), asked)).body.data;
  const approveIt = (by: TestOperator | undefined) => approve(id, by);
  await approveIt(bola);
  await world.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, gen_random_uuid())`, [own.id]);
  expect(await approveIt(chidi)).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
  expect((await ada!.get(proposal(id))).body.data).toMatchObject({ status: 'approved' });

  await world.sql(`UPDATE ${SANDBOX_CELL}.partner_epochs SET resetting = false WHERE partner_id = $1`, [
    own.id,
  ]);
  expect((await approveIt(chidi)).body.data).toMatchObject({ status: 'applied' });
  expect(await own.balanceKobo(walletId)).toBe(1_500);
});

test.each([
  [
    'a debit beyond the balance',
    { fundKobo: 10 },
    'debit',
    'INSUFFICIENT_FUNDS',
    { available_kobo: 10, required_kobo: 2_500 },
  ],
  ['a credit to a closed wallet', { status: 'closed' as const }, 'credit', 'WALLET_CLOSED', undefined],
  ['a debit from a closed wallet', { status: 'closed' as const }, 'debit', 'WALLET_CLOSED', undefined],
])('%s is refused by the ledger, for good', async (_what, wallet, direction, code, detail) => {
  const { id } = await propose({ walletId: await partner.wallet(wallet), direction });
  await approve(id, bola);
  const answer = await approve(id, chidi);
  expect(answer).toMatchObject({ status: 422, body: { error: code } });
  expect(answer.body.detail).toEqual(detail);
  expect((await ada!.get(proposal(id))).body.data).toMatchObject({ status: 'refused', refusal: code });
  expect(await approve(id, dayo)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect(await postedOf(id)).toEqual([]);
});

test('a frozen wallet is corrected too', async () => {
  const walletId = await partner.wallet({ fundKobo: 3_000, status: 'frozen' });
  const { id } = await propose({ walletId, direction: 'debit' });
  await approve(id, bola);
  expect((await approve(id, chidi)).body.data).toMatchObject({ status: 'applied' });
  expect(await partner.balanceKobo(walletId)).toBe(500);
});

test('approvals at the same moment are counted once each, and it is posted once', async () => {
  const walletId = await partner.wallet();
  const { id } = await propose({ walletId });
  const answers = await Promise.all([bola, chidi, dayo, bola, chidi, dayo, ada].map((by) => approve(id, by)));
  expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 403]));
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { data } = (await ada!.get(proposal(id))).body;
  expect(data.status).toBe('applied');
  expect(new Set(data.approved_by).size).toBe(2);
  expect(await partner.balanceKobo(walletId)).toBe(2_500);
});

test('an approval whose posting was lost can be repeated, and posts once', async () => {
  const walletId = await partner.wallet();
  const { id } = await propose({ walletId });
  await approve(id, bola);
  // The state after a crash between the approval and the posting.
  await world.sql(
    `INSERT INTO platform.proposal_approvals (proposal_id, proposed_by, operator_id) VALUES ($1, $2, $3)`,
    [id, ada!.id, chidi!.id],
  );
  await world.sql(`UPDATE platform.proposals SET status = 'approved' WHERE id = $1`, [id]);
  const answers = await Promise.all([approve(id, chidi), approve(id, bola)]);
  expect(answers.map(({ body }) => body.data.status)).toEqual(['applied', 'applied']);
  expect(await partner.balanceKobo(walletId)).toBe(2_500);
});

test('one person with a new token after an expired one is still one person', async () => {
  const { id } = await propose({ walletId: await partner.wallet() });
  const [again] = await world.sql(`SELECT id FROM platform.operators WHERE name = $1`, [bola!.name]);
  expect(again!['id']).toBe(bola!.id);
  await approve(id, bola);
  const renewed = await api.operator('operator', bola!.name);
  expect(renewed.id).toBe(bola!.id);
  expect((await approve(id, renewed)).body.data).toMatchObject({ status: 'proposed' });
  bola = renewed;
});

test.each<[string, Record<string, unknown>, number, string]>([
  ['no amount', { amount_kobo: undefined }, 422, 'VALIDATION_ERROR'],
  ['an amount of zero', { amount_kobo: 0 }, 422, 'VALIDATION_ERROR'],
  ['a broken amount', { amount_kobo: 1.5 }, 422, 'VALIDATION_ERROR'],
  ['an amount as text', { amount_kobo: '100' }, 422, 'VALIDATION_ERROR'],
  ['no direction', { direction: 'sideways' }, 422, 'VALIDATION_ERROR'],
  ['no reason', { reason: '' }, 422, 'VALIDATION_ERROR'],
  ['a blank reason', { reason: '   ' }, 422, 'VALIDATION_ERROR'],
  ['a malformed wallet', { wallet_id: 'x' }, 422, 'VALIDATION_ERROR'],
  ['an unknown wallet', { wallet_id: newId() }, 404, 'WALLET_NOT_FOUND'],
])('a proposal with %s is refused', async (_what, change, status, error) => {
  const wallet_id = await partner.wallet();
  const body = { wallet_id, direction: 'credit', amount_kobo: 1, reason: 'Because', ...change };
  expect(await ada!.post(path(), body)).toMatchObject({ status, body: { error } });
});

test('a wallet of another partner or environment, and an absent proposal, are not found', async () => {
  const walletId = await partner.wallet();
  const other = await api.partner();
  const body = { wallet_id: walletId, direction: 'credit', amount_kobo: 1, reason: 'Because' };
  expect(await ada!.post(path(other.id), body)).toMatchObject({
    status: 404,
    body: { error: 'WALLET_NOT_FOUND' },
  });
  const live = `/ops/live/partners/${partner.id}/adjustments`;
  expect(await ada!.post(live, body)).toMatchObject({ status: 404, body: { error: 'WALLET_NOT_FOUND' } });
  for (const absent of [newId(), 'x']) {
    expect(await ada!.get(proposal(absent))).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(await approve(absent, bola)).toMatchObject({ status: 404 });
    expect(await reject(absent, bola)).toMatchObject({ status: 404 });
  }
});

test('the list is newest first, in pages, by status and kind', async () => {
  const walletId = await partner.wallet();
  const ids: string[] = [];
  for (let made = 0; made < 3; made++) ids.push((await propose({ walletId })).id);
  const [newest, middle, oldest] = ids.reverse();
  const page = async (query: string) =>
    (await ada!.get(`/ops/proposals?status=proposed&kind=adjust_wallet&${query}`)).body;
  const first = await page('limit=2');
  expect(first.data.map((one: Json) => one.id)).toEqual([newest, middle]);
  const second = await page(`limit=2&cursor=${first.meta.next_cursor}`);
  expect(second.data[0].id).toBe(oldest);
  expect((await ada!.get('/ops/proposals?kind=raise_tier')).body.data).toEqual([]);
  for (const bad of ['status=open', 'kind=other']) {
    expect(await ada!.get(`/ops/proposals?${bad}`)).toMatchObject({ status: 422 });
  }
  expect(await ada!.get(`/ops/proposals?cursor=${first.meta.next_cursor}`)).toMatchObject({
    status: 422,
  });
});
