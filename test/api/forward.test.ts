/** Forward time: which deadlines of a sandbox move, and whose (D208). The workflows that then look again are in specification/sdk. */
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';

const { api } = apiForFile();
let partner: TestPartner;
let other: TestPartner;
beforeAll(async () => {
  [partner, other] = await Promise.all([api.partner(), api.partner()]);
});

const forward = (seconds: unknown, by = partner) => by.post('/v1/sandbox/clock/forward', { seconds });

test.each([0, 2_592_001, 1.5, '60', undefined])('by %p seconds is refused', async (seconds) => {
  expect(await forward(seconds)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
});

test('an open QR request is over once its time was forwarded, and that of another partner is not', async () => {
  const make = async (by: TestPartner): Promise<string> => {
    const body = { wallet_id: await by.wallet(), amount: 100, reference: 'qr' };
    return (await by.post('/v1/payments/qr/create', body)).body.data.reference;
  };
  const [mine, theirs] = await Promise.all([make(partner), make(other)]);
  expect(await forward(2_592_000)).toMatchObject({
    status: 200,
    body: { result: 'ok', seconds: 2_592_000, moved: { qr_requests: 1 } },
  });
  const statusOf = async (by: TestPartner, reference: string) =>
    (await by.get(`/v1/payments/qr/${reference}`)).body.data.status;
  expect([await statusOf(partner, mine), await statusOf(other, theirs)]).toEqual(['expired', 'open']);
});

test('a freeze with an end is lifted by as much as was forwarded, and not before', async () => {
  const wallet = await partner.wallet();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await partner.post(`/v1/wallets/${wallet}/freeze`, { reason: 'lost phone', expires_at: until });
  const status = async () => (await partner.get(`/v1/wallets/${wallet}`)).body.data.wallet.status;
  await forward(1_800);
  expect(await status()).toBe('frozen');
  expect((await forward(1_800)).body.moved.freezes).toBe(1);
  expect(await status()).toBe('active');
});

test('a key is forgotten after 24 hours, also in two steps, and the reference still protects', async () => {
  const [from, to] = await Promise.all([partner.wallet({ fundKobo: 10_000 }), partner.wallet()]);
  const body = { source_wallet: from, dest_wallet: to, amount: 100, reference: 'kept for ever' };
  const pay = (more = {}) =>
    partner.post('/v1/transfers/p2p', { ...body, ...more }, { 'Idempotency-Key': 'a key' });
  const first = await pay();
  expect((await forward(43_200)).body.moved.idempotency_keys).toBe(0);
  expect((await pay({ amount: 200 })).body.error).toBe('IDEMPOTENCY_KEY_REUSED');
  expect((await forward(43_200)).body.moved.idempotency_keys).toBe(1);
  expect((await pay({ amount: 200 })).body.error).toBe('DUPLICATE_REFERENCE');
  expect((await pay()).body.data.id).toBe(first.body.data.id);
});

test('live has no such operation', async () => {
  const live = await api.partner({ environment: 'live', status: 'active' });
  expect(await forward(60, live)).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
});
