/**
 * What is nowhere readable: numbers and secrets that partners send, names of our own wallets and of accounts that are paid.
 * Known ones go through a platform whose processes log as much as they can, and are then looked for in every table, log
 * line and workflow history. The names are in answers, in events and on the payer's phone, and nowhere else.
 */
import type { Json } from '../support/calls';
import { asText, foundIn, tablesOf, workflowsOf, written, type Canaries } from '../support/canaries';
import type { Child } from '../support/children';
import { openPhone } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

/** Texts and numbers that cannot occur anywhere by chance. The names of accounts are written in capitals. */
const NUMBERS = { bvn: '73914628503', nin: '58203946177', refused: '9517306428', misplaced: '64028175399' };
const NAMES = {
  first: 'Zubenelgenubi',
  last: 'Quetzalcoatl',
  account: 'ZUBENELGENUBI QUETZALCOATL',
  address: '17 Xanthippe Close',
  shop: 'Brobdingnag Stores',
  shopAccount: 'BROBDINGNAG STORES',
  merchant: 'Psittacosaurus Kiosk',
};
const PAID = 'ZUBENELGENUBI OKWUQUVAMBI';

let platform: Platform;
let url: string;
let children: Child[];
let numbers: Awaited<ReturnType<typeof sendNumbers>>;
let wallets: Awaited<ReturnType<typeof useNames>>;
let payments: Awaited<ReturnType<typeof payAccounts>>;

beforeAll(async () => {
  platform = await openPlatform({ settings: { LOG_LEVEL: 'trace', SANDBOX_KYC_MS: '0,0' } });
  children = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  url = `http://127.0.0.1:${children[0]!.port}`;
  [numbers, wallets, payments] = await Promise.all([sendNumbers(), useNames(), payAccounts()]);
  // What is written from now on waits, because no worker runs.
  await children[1]!.kill();
  await payments.leaveWaiting();
});
afterAll(async () => {
  await Promise.all([numbers.receiver.close(), wallets.receiver.close()]);
  await platform.close();
});

const canaries = (): Canaries => ({
  ...NUMBERS,
  secret: numbers.secret.slice('sk_wh_'.length),
  ...NAMES,
  sent: PAID,
  told: payments.transfers.completed.dest_account.resolved_name,
});

/** Verifies people, and lets the platform refuse numbers in wrong places. */
async function sendNumbers() {
  const partner = await platform.partner(url);
  const receiver = await openReceiver();
  const hook = { url: receiver.url, events: ['kyc.verified', 'kyc.failed'] };
  const { secret } = (await partner.post('/v1/webhooks', hook)).body.data as { secret: string };
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: NUMBERS.bvn });
  await partner.post('/v1/kyc/nin', { user_ref: 'ada', nin: NUMBERS.nin });
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: NUMBERS.refused });
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', nin: NUMBERS.misplaced });
  await partner.post('/v1/kyc/nin', { user_ref: ['ada'], nin: NUMBERS.misplaced });
  await until('both events', () => receiver.deliveries.length === 2);
  return { partner, receiver, secret };
}

const OWNER = { first_name: NAMES.first, last_name: NAMES.last, address: NAMES.address };
const SHOP = { account_name: NAMES.shop };

/** Opens wallets, a code and a USSD payment under names, each with a key that is used twice. */
async function useNames() {
  const partner = await platform.partner(url);
  const receiver = await openReceiver();
  await partner.post('/v1/webhooks', {
    url: receiver.url,
    events: ['wallet.activated', 'transaction.completed'],
  });
  /** The first answer to each key, and the answer when it came again. */
  const kept: [first: string, again: string][] = [];
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

  const owner: string = (await twice('/v1/wallets', { user_ref: 'ada', metadata: OWNER }, 'wallet-1')).data
    .id;
  const shop: string = (
    await twice('/v1/wallets', { user_ref: 'shop', metadata: SHOP }, 'wallet-2', 'quickstart')
  ).data.ID;
  await Promise.all([active(owner), active(shop)]);
  await partner.post(`/v1/sandbox/wallets/${owner}/fund`, { amount_kobo: 100_000 });

  const qr = { wallet_id: shop, amount: 10_150, reference: 'order-1' };
  const code: Json = (await twice('/v1/payments/qr/create', qr, 'qr-1')).data;
  await partner.post('/v1/payments/qr/pay', { qr_reference: code.qr_payload, source_wallet: owner });

  const started = await twice(
    '/v1/payments/ussd/initiate',
    {
      payer_wallet_id: owner,
      merchant_wallet_id: shop,
      merchant_name: NAMES.merchant,
      amount_kobo: 20_000,
      reference: 'order-2',
    },
    'ussd-1',
  );
  const phone = openPhone(url, started.data.dial_code);
  const screen = await phone.dial();
  await phone.type('1');
  expect(await phone.type('1234')).toMatch(/^END Payment successful/);
  await until('all events', () => receiver.deliveries.length === 5);
  return { partner, receiver, kept, walletOf, owner, shop, code, screen };
}

const account = (number: string) => ({ bank_code: '058', account_number: number, account_name: PAID });
const GOOD = account('0123456789');
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();

/** Pays accounts at banks in each way there is. */
async function payAccounts() {
  const partner = await platform.partner(url);
  const source = (await partner.wallet(1_000_000)).id;
  let count = 0;
  const asked = (to: object, amount = 1_000) => ({
    source_wallet: source,
    dest_account: to,
    amount,
    reference: `paid-${String((count += 1))}`,
  });
  const end = (reference: string): Promise<Json> => partner.ended(source, reference);

  async function pay(to: object): Promise<Json> {
    const body = asked(to);
    expect((await partner.post('/v1/transfers/bank', body)).status).toBe(202);
    return end(body.reference);
  }
  async function payInBulk(): Promise<Json> {
    const line = asked(GOOD);
    const { status } = await partner.post('/v1/transfers/bulk', { reference: 'payroll', transfers: [line] });
    expect(status).toBe(202);
    return end(line.reference);
  }
  async function payLater(): Promise<Json> {
    const body = { ...asked(GOOD), due_at: inMs(1_500) };
    expect((await partner.post('/v1/transfers/scheduled', body)).status).toBe(201);
    return end(`${body.reference}-1`);
  }
  async function capture(): Promise<Json> {
    const hold = { wallet_id: source, amount: 10_000, reference: 'held', expires_in_seconds: 60 };
    const { id } = (await partner.post('/v1/holds', hold)).body.data;
    const captured = { amount: 1_000, dest_account: GOOD };
    expect((await partner.post(`/v1/holds/${id}/capture`, captured)).status).toBe(200);
    return end('held');
  }
  const [completed, failed, unknown, bulk, scheduled, captured] = await Promise.all([
    pay(GOOD),
    pay(account('0123450000')),
    pay(account('0123450404')),
    payInBulk(),
    payLater(),
    capture(),
  ]);
  return {
    partner,
    asked,
    /** How each transfer has ended, as its partner sees it. */
    transfers: { completed, failed, unknown, bulk, scheduled, captured },
    async leaveWaiting(): Promise<void> {
      await partner.post('/v1/transfers/bulk', { reference: 'waits', transfers: [asked(GOOD)] });
      await partner.post('/v1/transfers/scheduled', { ...asked(GOOD), due_at: inMs(86_400_000) });
      await partner.post('/v1/transfers/bank', asked(GOOD));
    },
  };
}

describe('they went through the whole platform, and are told where they should be', () => {
  test('both numbers were verified', async () => {
    const { verifications } = (await numbers.partner.get('/v1/kyc/ada/status')).body.data;
    expect(verifications).toMatchObject([
      { type: 'nin', status: 'verified' },
      { type: 'bvn', status: 'verified' },
    ]);
  });

  test('partners and payers see the names of wallets', async () => {
    const { partner, walletOf, owner, code, screen } = wallets;
    const wallet = await walletOf(owner);
    expect(wallet).toMatchObject({ account_name: NAMES.account, metadata: OWNER });
    const { data: listed } = (await partner.get('/v1/wallets')).body;
    expect(listed.map(({ metadata }: Json) => metadata)).toEqual([SHOP, OWNER]);
    expect(code.qr_payload).toContain(NAMES.shopAccount);
    expect(screen).toContain(NAMES.merchant);
    const { bank_code, account_number } = wallet;
    const enquiry = await partner.get(
      `/v1/banks/resolve?bank_code=${bank_code}&account_number=${account_number}`,
    );
    expect(enquiry.body.data.account_name).toBe(NAMES.account);
  });

  test('an event tells the name to its receiver, and to whoever reads it again, in the same words', async () => {
    const { partner, receiver, owner } = wallets;
    const [told] = receiver.about(owner).filter(({ body }) => body.event === 'wallet.activated');
    expect(told!.body.data).toMatchObject({ account_name: NAMES.account, status: 'active' });
    const [event] = (await partner.get(`/v1/events?resource_id=${owner}`)).body.data;
    expect(event.data).toEqual(told!.body.data);
  });

  test('a repeated request gets the bytes of the first answer', () => {
    expect(wallets.kept).toHaveLength(4);
    for (const [first, again] of wallets.kept) expect(again).toBe(first);
  });

  test('every transfer shows the name that was sent, and the one that the bank has told', () => {
    const { completed, failed, unknown, bulk, scheduled, captured } = payments.transfers;
    const told = completed.dest_account.resolved_name;
    expect(told).toMatch(/^[A-Z]+ [A-Z]+$/);
    for (const one of [completed, bulk, scheduled, captured]) {
      expect(one).toMatchObject({ status: 'completed', dest_account: { ...GOOD, resolved_name: told } });
    }
    expect(failed).toMatchObject({ status: 'failed', dest_account: { account_name: PAID } });
    expect(unknown).toMatchObject({ status: 'failed', dest_account: { account_name: PAID } });
  });

  test('a transfer that is refused is refused as ever, and a repeated one has its first answer', async () => {
    const { partner, asked } = payments;
    const refused = await partner.post('/v1/transfers/bank', asked(GOOD, 900_000_000));
    expect(refused.body).toMatchObject({ error: 'INSUFFICIENT_FUNDS' });
    const body = asked(GOOD);
    const key = { 'Idempotency-Key': 'first' };
    const first = await partner.post('/v1/transfers/bank', body, key);
    expect(first.text).toContain(PAID);
    const again = await partner.post('/v1/transfers/bank', body, key);
    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  test('the names of paid accounts are in their rows, sealed', async () => {
    const [sealed] = await platform.sql(
      `SELECT (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.transactions) AS sent,
              (SELECT count(resolved_name_sealed)::int FROM ${SANDBOX_CELL}.transactions) AS told,
              (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.bulk_transfer_lines) AS lines,
              (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.scheduled_transfers) AS scheduled`,
    );
    expect(sealed).toEqual({ sent: 8, told: 5, lines: 1, scheduled: 1 });
  });
});

/** The types of the workflows that have run. */
const RUN = [
  ...['walletProvisioning', 'ussdSession', 'kycVerification', 'bankTransfer', 'bulkTransfer'],
  ...['scheduledTransfer', 'hold', 'webhookDispatcher', 'sweep'],
];

/** The tables that show a canary. */
async function tablesWithCanaries(): Promise<string[]> {
  const tables = await tablesOf(platform, canaries());
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(120);
  return tables.flatMap(({ name, found }) => found.map((canary) => `${name}: ${canary}`));
}

describe('they are nowhere else', () => {
  test('in no row of any table', async () => {
    // The log of requests is written a moment after the answers.
    await until('the log of requests', async () => {
      const { data } = (await wallets.partner.get('/v1/requests?limit=50')).body;
      return data.some(({ operation }: Json) => operation === 'initiateUssd');
    });
    expect(await tablesWithCanaries()).toEqual([]);
  });

  test('in no log line, although everything is logged; the partners’ keys neither', () => {
    const logs = children.map((child) => child.said()).join('\n');
    expect(logs).toContain('ready');
    expect(foundIn(canaries(), logs)).toEqual([]);
    for (const { partner } of [numbers, wallets, payments]) expect(logs).not.toContain(partner.key);
  });

  test('in no workflow history', async () => {
    // The list shows a workflow a little after it began, and the sweep is started by a Schedule.
    await until('the list of what has run', async () => {
      const types = new Set<string>();
      for await (const { type } of platform.operator.workflow.list()) types.add(type);
      return RUN.every((type) => types.has(type));
    });
    const workflows = await workflowsOf(platform, canaries());
    expect(workflows.filter(({ found }) => found.length > 0)).toEqual([]);
    expect(workflows.map(({ type }) => type)).toEqual(expect.arrayContaining(RUN));
  });

  test('in no delivery about a verification', () => {
    const deliveries = numbers.receiver.deliveries
      .map(({ text, headers }) => text + JSON.stringify(headers))
      .join('\n');
    expect(foundIn(canaries(), deliveries)).toEqual([]);
  });

  test('after an erasure in no answer about the person either', async () => {
    const { partner, walletOf, owner, shop } = wallets;
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
    expect(await tablesWithCanaries()).toEqual([]);
  });
});

test('the search finds a canary that is written down', () => {
  for (const way of written(NUMBERS.bvn)) expect(foundIn(NUMBERS, `{"x":"${way}"}`)).toEqual(['bvn']);
  expect(foundIn(NUMBERS, asText({ data: Buffer.from(`"${NUMBERS.nin}"`) }))).toEqual(['nin']);
});
