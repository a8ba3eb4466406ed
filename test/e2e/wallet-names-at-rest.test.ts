/**
 * Names of our own wallets are nowhere readable but in answers, events and on the payer's phone: known names go in with
 * a wallet, a code and a USSD payment, and are then looked for in every table, log line and workflow history.
 */
import { foundIn, tablesOf, workflowsOf } from '../support/canaries';
import type { Calls, Json } from '../support/calls';
import type { Child } from '../support/children';
import { openPhone } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

jest.setTimeout(90_000);

/** Texts that cannot occur anywhere by chance. The names of accounts are written in capitals. */
const CANARIES = {
  first: 'Zubenelgenubi',
  last: 'Quetzalcoatl',
  account: 'ZUBENELGENUBI QUETZALCOATL',
  address: '17 Xanthippe Close',
  shop: 'Brobdingnag Stores',
  shopAccount: 'BROBDINGNAG STORES',
  merchant: 'Psittacosaurus Kiosk',
};
const OWNER = { first_name: CANARIES.first, last_name: CANARIES.last, address: CANARIES.address };
const SHOP = { account_name: CANARIES.shop };

let platform: Platform;
let url: string;
let children: Child[];
let partner: Calls;
let receiver: Receiver;
/** Of the wallets, the code and the session: the first answer to a key, and the answer when it came again. */
const kept: [first: string, again: string][] = [];
let owner: string;
let shop: string;
let code: Json;
let screen: string;

/** Sends the same request twice under one key. @returns the answer. */
async function twice(path: string, body: object, key: string, form = 'reference'): Promise<Json> {
  const headers = { 'Idempotency-Key': key, 'X-Response-Form': form };
  const first = await partner.post(path, body, headers);
  expect(first.status).toBeLessThan(300);
  const again = await partner.post(path, body, headers);
  expect(again.headers.get('idempotent-replayed')).toBe('true');
  kept.push([first.text, again.text]);
  return first.body;
}
const walletOf = async (id: string): Promise<Json> =>
  (await partner.get(`/v1/wallets/${id}`)).body.data.wallet;
const active = (id: string) =>
  until(`wallet ${id} to be active`, async () => (await walletOf(id)).status === 'active');

beforeAll(async () => {
  platform = await openPlatform({ settings: { LOG_LEVEL: 'trace' } });
  children = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  url = `http://127.0.0.1:${children[0]!.port}`;
  partner = await platform.partner(url);
  receiver = await openReceiver();
  await partner.post('/v1/webhooks', {
    url: receiver.url,
    events: ['wallet.activated', 'transaction.completed'],
  });

  owner = (await twice('/v1/wallets', { user_ref: 'ada', metadata: OWNER }, 'wallet-1')).data.id;
  shop = (await twice('/v1/wallets', { user_ref: 'shop', metadata: SHOP }, 'wallet-2', 'quickstart')).data.ID;
  await Promise.all([active(owner), active(shop)]);
  await partner.post(`/v1/sandbox/wallets/${owner}/fund`, { amount_kobo: 100_000 });

  const qr = { wallet_id: shop, amount: 10_150, reference: 'order-1' };
  code = (await twice('/v1/payments/qr/create', qr, 'qr-1')).data;
  await partner.post('/v1/payments/qr/pay', { qr_reference: code.qr_payload, source_wallet: owner });

  const started = await twice(
    '/v1/payments/ussd/initiate',
    {
      payer_wallet_id: owner,
      merchant_wallet_id: shop,
      merchant_name: CANARIES.merchant,
      amount_kobo: 20_000,
      reference: 'order-2',
    },
    'ussd-1',
  );
  const phone = openPhone(url, started.data.dial_code);
  screen = await phone.dial();
  await phone.type('1');
  expect(await phone.type('1234')).toMatch(/^END Payment successful/);
  await until('all events', () => receiver.deliveries.length === 5);
});

afterAll(async () => {
  await receiver.close();
  await platform.close();
});

test('partners and payers see the names where they did', async () => {
  expect(await walletOf(owner)).toMatchObject({ account_name: CANARIES.account, metadata: OWNER });
  const { data: listed } = (await partner.get('/v1/wallets')).body;
  expect(listed.map((wallet: Json) => wallet.metadata)).toEqual([SHOP, OWNER]);
  expect(code.qr_payload).toContain(CANARIES.shopAccount);
  expect(screen).toContain(CANARIES.merchant);
  const enquiry = await partner.get(
    `/v1/banks/resolve?bank_code=${(await walletOf(owner)).bank_code}&account_number=${(await walletOf(owner)).account_number}`,
  );
  expect(enquiry.body.data.account_name).toBe(CANARIES.account);
});

test('an event tells the name to its receiver, and to whoever reads it again, in the same words', async () => {
  const [told] = receiver.about(owner).filter(({ body }) => body.event === 'wallet.activated');
  expect(told!.body.data).toMatchObject({ account_name: CANARIES.account, status: 'active' });
  const [event] = (await partner.get(`/v1/events?resource_id=${owner}`)).body.data;
  expect(event.data).toEqual(told!.body.data);
});

test('a repeated request gets the bytes of the first answer', () => {
  expect(kept).toHaveLength(4);
  for (const [first, again] of kept) expect(again).toBe(first);
});

/** The tables that show a canary. */
const shows = async (): Promise<string[]> => {
  const tables = await tablesOf(platform, CANARIES);
  expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(40);
  return tables.flatMap(({ name, found }) => found.map((canary) => `${name}: ${canary}`));
};

test('no row of any table shows a name', async () => {
  // The log of requests is written a moment after the answers.
  await until('the log of requests', async () => {
    const { data } = (await partner.get('/v1/requests?limit=50')).body;
    return data.some(({ operation }: Json) => operation === 'initiateUssd');
  });
  expect(await shows()).toEqual([]);
});

test('no log line and no workflow history shows a name, although everything is logged', async () => {
  const logs = children.map((child) => child.said()).join('\n');
  expect(logs).toContain('ready');
  expect(foundIn(CANARIES, logs)).toEqual([]);
  const workflows = await workflowsOf(platform, CANARIES);
  expect(workflows.filter(({ found }) => found.length > 0)).toEqual([]);
  const types = workflows.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['walletProvisioning', 'ussdSession', 'webhookDispatcher']));
});

test('after an erasure no answer shows a name of the person either', async () => {
  // With the fee of 0.5 percent it is all that the shop has got.
  const back = { source_wallet: shop, dest_wallet: owner, amount: 30_000, reference: 'back' };
  expect((await partner.post('/v1/transfers/p2p', back)).status).toBe(200);
  expect((await partner.post(`/v1/wallets/${shop}/close`, {})).status).toBe(200);
  await platform.startApi();
  const operator = await platform.openOperator();
  const erased = await operator.post(
    `/ops/sandbox/partners/${partner.partnerId}/wallets/${shop}/erase-person`,
    { reason: 'case 7' },
  );
  expect(erased.status).toBe(200);

  expect(await walletOf(shop)).toMatchObject({ account_name: 'ERASED', metadata: {} });
  const ussd = (await partner.get('/v1/payments/ussd')).body.data;
  expect(ussd).toMatchObject([{ merchant_name: 'ERASED' }]);
  const rows = await platform.sql(
    `SELECT account_name_sealed, metadata_sealed FROM ${SANDBOX_CELL}.wallets WHERE id = $1`,
    [shop],
  );
  expect(rows).toEqual([{ account_name_sealed: null, metadata_sealed: null }]);
  expect(await shows()).toEqual([]);
});
