/** Every method of the SDK once, on the real platform: each sends what its operation takes and gives what it answers. */
import { randomUUID } from 'node:crypto';
import {
  ApiError,
  isRefusal,
  kobo,
  RefusedError,
  verifyWebhook,
  WalletClient,
  type StreamedEvent,
  type StreamedRequest,
  type StreamOptions,
} from '../../sdk/src';
import { referenceText } from '../../src/api/openapi/reference';
import { openReceiver } from '../support/receiver';
import { until } from '../support/until';
import { openService, type Service } from './client';

const PASSWORD = 'seven green kettles';
const email = `owner-${randomUUID()}@acme.example`;
const called = new Set<string>();

let service: Service;
let owner: WalletClient;
let wallet: WalletClient;
let ada: string;
let bola: string;

/** The client, noting each method that is called. */
function open(apiKey: string): WalletClient {
  const client = new WalletClient({ apiKey, baseUrl: service.url });
  return new Proxy(client, {
    get(target, group: string) {
      const operations = Reflect.get(target, group) as object;
      return new Proxy(operations, {
        get(of, name: string) {
          called.add(`${group}.${name}`);
          const method = Reflect.get(of, name) as (...args: unknown[]) => unknown;
          return method.bind(of);
        },
      });
    },
  });
}

async function openWallet(): Promise<string> {
  const { id } = await wallet.wallets.create({ user_ref: `user-${randomUUID()}` });
  await until('an active wallet', async () => (await wallet.wallets.get(id)).wallet.status === 'active');
  return id;
}

/** The error with which a call is refused. */
async function refused(call: PromiseLike<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

beforeAll(async () => {
  service = await openService();
  const stranger = open('none');
  const phone = '+2348012345678';
  await stranger.auth.register({ business_name: 'Acme', email, phone, password: PASSWORD });
  const { access_token } = await stranger.auth.login({ email, password: PASSWORD });
  owner = open(access_token);
  wallet = open((await owner.apiKeys.create({ label: 'sdk' })).key);
  [ada, bola] = await Promise.all([openWallet(), openWallet()]);
  await wallet.sandbox.fund(ada, { amount_kobo: kobo('50,000.00') });
});

afterAll(() => service.close());

test('a transfer, its repeat by the same key, and what the headers say', async () => {
  const body = { source_wallet: ada, dest_wallet: bola, amount: kobo('1,500.00'), reference: randomUUID() };
  const options = { idempotencyKey: randomUUID() };
  const first = await wallet.transfers.p2p(body, options).withResponse();
  expect(first).toMatchObject({ status: 200, replayed: false, requestId: expect.stringMatching(/^req_/) });
  expect(first.rateLimit!.remaining).toBeLessThan(first.rateLimit!.limit);
  const again = await wallet.transfers.p2p(body, options).withResponse();
  expect([again.replayed, again.data]).toEqual([true, first.data]);
  expect((await wallet.transactions.get(first.data.id)).status).toBe('completed');
  const [listed] = (await wallet.transactions.list({ reference: body.reference }).page()).items;
  expect(listed!.id).toBe(first.data.id);
  const [volume] = (await wallet.volumes.list()).filter(({ type }) => type === 'p2p_transfer');
  expect(volume).toMatchObject({ count: 1, amount_kobo: 150_000 });
  expect((await wallet.transactions.timeline(first.data.id)).map(({ kind }) => kind)).toContain('ledger');
});

test('whose credential it is', async () => {
  const [ofKey, ofToken] = await Promise.all([wallet.partner.get(), owner.partner.get()]);
  expect([ofKey.credential.type, ofToken.credential.type]).toEqual(['api_key', 'access_token']);
  expect(ofKey.email).toBe(email);
});

test('a refusal is known by its code', async () => {
  const body = { source_wallet: bola, dest_wallet: ada, amount: kobo('9,000,000'), reference: randomUUID() };
  const error = await refused(wallet.transfers.p2p(body));
  expect(error).toBeInstanceOf(RefusedError);
  expect([isRefusal(error, 'INSUFFICIENT_FUNDS'), isRefusal(error, 'WALLET_FROZEN')]).toEqual([true, false]);
});

test('what a payment will cost', async () => {
  const asked = { source_wallet: ada, dest_wallet: bola, amount: 10_000 };
  expect(await wallet.quotes.create(asked)).toMatchObject({ total_debit: 10_050, refusal: null });
  expect((await wallet.fees.list()).map(({ type }) => type)).toContain('bank_transfer');
});

test('an amount that is set aside, and paid from', async () => {
  const asked = { wallet_id: ada, amount: 10_000 };
  const open = await wallet.holds.create({ ...asked, reference: randomUUID() });
  const paid = await wallet.holds.capture(open.id, { amount: 4_000, dest_wallet: bola });
  expect(paid).toMatchObject({ status: 'completed', amount: 4_000 });
  expect(await wallet.holds.get(open.id)).toMatchObject({ status: 'captured', captured_amount: 4_000 });
  const free = await wallet.holds.create({ ...asked, reference: randomUUID() });
  expect((await wallet.holds.release(free.id)).status).toBe('released');
  const { items } = await wallet.holds.list({ status: 'released' }).page();
  expect(items.map(({ id }) => id)).toEqual([free.id]);
});

test('a transfer that is made every month', async () => {
  const plan = await wallet.scheduledTransfers.create({
    source_wallet: ada,
    dest_wallet: bola,
    amount: 100,
    reference: randomUUID(),
    rule: { every: 'month', at: '09:00', day_of_month: 31 },
  });
  expect((await wallet.scheduledTransfers.get(plan.id)).next_due_at).toBe(plan.next_due_at);
  expect((await wallet.scheduledTransfers.runs(plan.id).page()).items).toEqual([]);
  expect((await wallet.scheduledTransfers.cancel(plan.id)).status).toBe('cancelled');
  const { items } = await wallet.scheduledTransfers.list({ status: 'cancelled' }).page();
  expect(items.map(({ id }) => id)).toEqual([plan.id]);
});

test('what was asked for', async () => {
  const { requestId } = await wallet.partner.get().withResponse();
  const found = await until('the request in the log', () =>
    wallet.requests.get(requestId ?? '').catch(() => null),
  );
  expect(found).toMatchObject({ operation: 'getPartner', status: 200 });
  // The list is without the bodies.
  const { items } = await wallet.requests.list({ operation: 'getPartner' }).page();
  const listed = items.find(({ request_id }) => request_id === requestId);
  expect(listed).toHaveProperty('operation');
  expect(found).toMatchObject(listed ?? {});
});

test('many transfers in one request', async () => {
  const transfers = Array.from({ length: 3 }, () => ({
    source_wallet: ada,
    dest_wallet: bola,
    amount: 100,
    reference: randomUUID(),
  }));
  const { id } = await wallet.bulkTransfers.create({ reference: randomUUID(), transfers });
  await until('the end', async () => (await wallet.bulkTransfers.get(id)).status === 'completed');
  const { items } = await wallet.bulkTransfers.lines(id).page();
  expect(items.map(({ status }) => status)).toEqual(['accepted', 'accepted', 'accepted']);
  expect((await wallet.bulkTransfers.list().page()).items.map((bulk) => bulk.id)).toContain(id);
  for (const order of ['pause', 'resume', 'cancel'] as const) {
    expect((await refused(wallet.bulkTransfers[order](id))).code).toBe('INVALID_BULK_STATE');
  }
});

test('a list is read through all its pages', async () => {
  const splits = [bola, bola].map((wallet_id) => ({ wallet_id, amount: 100 }));
  await wallet.payments.split({ source_wallet: ada, reference: randomUUID(), splits });
  const sequences: number[] = [];
  for await (const entry of wallet.wallets.ledger(bola, { limit: 1 })) sequences.push(entry.sequence);
  expect(sequences).toEqual(sequences.map((_one, index) => sequences.length - index));
  const page = await wallet.wallets.transactions(bola, { limit: 1 }).page();
  expect([page.items.length, page.nextCursor === null]).toEqual([1, false]);
  const statement = await wallet.wallets.statement(bola);
  expect(statement.entries.map(({ sequence }) => sequence)).toEqual([...sequences].reverse());
  const csv = await wallet.wallets.statementFile(bola, { format: 'csv' }).bytes();
  const lines = Buffer.from(csv).toString().trim().split('\r\n');
  // The names of the columns, and the balances before and after.
  expect(lines).toHaveLength(statement.entries.length + 3);
  const pdf = await wallet.wallets.statementFile(bola, { format: 'pdf' }).bytes();
  expect(Buffer.from(pdf.subarray(0, 5)).toString()).toBe('%PDF-');
  expect((await wallet.wallets.list({ limit: 2 }).page()).items.map(({ id }) => id).sort()).toEqual(
    [ada, bola].sort(),
  );
});

test('bank transfers, and waiting for their outcome', async () => {
  const [bank] = await wallet.banks.list();
  const found = await wallet.banks.resolve({ bank_code: bank!.code, account_number: '0123456789' });
  const send = (headers?: Record<string, string>) =>
    wallet.transfers.bank(
      {
        source_wallet: ada,
        dest_account: {
          bank_code: bank!.code,
          account_number: '0123456789',
          account_name: found.account_name,
        },
        amount: 10_000,
        reference: randomUUID(),
      },
      { ...(headers && { headers }) },
    );
  const [sent, kept, other] = await Promise.all([
    send(),
    send({ 'X-Sandbox-Hold': 'true' }),
    send({ 'X-Sandbox-Hold': 'true' }),
  ]);
  await wallet.sandbox.completeTransfer({ transaction_id: kept.id });
  await wallet.sandbox.failTransfer({ transaction_id: other.id });
  const ends = await Promise.all([sent, kept, other].map(({ id }) => wallet.transactions.untilFinal(id)));
  expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'failed']);
});

test('bank transfers go as they were asked to', async () => {
  const asked = { 'unknown_then_success:1': 'completed', 'bank_down:1': 'completed', 'fail:57': 'failed' };
  expect((await wallet.sandbox.scenarios()).scenarios.map(({ scenario }) => scenario)).toContain(
    'fail:<code>',
  );
  const ends = await Promise.all(
    Object.keys(asked).map(async (scenario) => {
      const dest_account = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
      const body = { source_wallet: ada, dest_account, amount: 10_000, reference: randomUUID() };
      const { id } = await wallet.transfers.bank(body, { headers: { 'X-Sandbox-Scenario': scenario } });
      return wallet.transactions.untilFinal(id);
    }),
  );
  expect(ends.map(({ status }) => status)).toEqual(Object.values(asked));
});

test('details of an owner change, a wallet is opened again, and the sandbox asks for what live asks for', async () => {
  const id = await openWallet();
  expect(await wallet.wallets.change(id, { metadata: { plan: 'gold', note: null } })).toMatchObject({
    metadata: { plan: 'gold' },
  });
  expect(await wallet.sandbox.setRequirements({ as_live: true })).toMatchObject({ as_live: true });
  expect(await wallet.sandbox.requirements()).toMatchObject({ as_live: true });
  await refused(wallet.wallets.create({ user_ref: randomUUID() }));
  await wallet.sandbox.setRequirements({ as_live: false });
  // It was active before, so it stays closed.
  await wallet.wallets.close(id, {});
  await refused(wallet.wallets.reopen(id));
});

test('a transfer to an account that has another name waits for its partner', async () => {
  const dest_account = { bank_code: '058', account_number: '0123456789', account_name: 'SOMEBODY ELSE' };
  const { id } = await wallet.transfers.bank({
    source_wallet: ada,
    dest_account,
    amount: 100,
    reference: randomUUID(),
    on_name_mismatch: 'hold',
    purpose: 'rent',
  });
  const held = await until('the name of its holder', async () => {
    const now = await wallet.transactions.get(id);
    return now.dest_account?.name_matches === false && now;
  });
  expect(held).toMatchObject({ status: 'processing', dest_account: { purpose: 'rent' } });
  expect((await wallet.transactions.decideName(id, { decision: 'fail' })).id).toBe(id);
  expect((await wallet.transactions.untilFinal(id)).status).toBe('failed');
});

test('QR and USSD payments', async () => {
  const { reference } = await wallet.qr.create({ wallet_id: bola, amount: 5_000, reference: randomUUID() });
  expect((await wallet.qr.pay({ qr_reference: reference, source_wallet: ada })).type).toBe('qr_payment');
  expect(await wallet.qr.get(reference)).toMatchObject({ status: 'paid', source_wallet: ada });
  expect((await wallet.qr.list({ status: 'paid' }).page()).items.map((one) => one.reference)).toEqual([
    reference,
  ]);
  const { session_id } = await wallet.ussd.initiate({
    wallet_id: ada,
    merchant_wallet_id: bola,
    amount: 5_000,
    phone: '+2348012345678',
    reference: randomUUID(),
  });
  await wallet.sandbox.simulateUssd({ session_id, action: 'confirm' });
  expect((await wallet.ussd.get(session_id)).status).toBe('completed');
  expect((await wallet.ussd.list().page()).items.map((one) => one.session_id)).toEqual([session_id]);
});

test('a payer is played from the code to the paid screen', async () => {
  await wallet.wallets.setPin(ada, { pin: '4821' });
  const phone = '+2348012345678';
  const { session_id, dial_code } = await wallet.ussd.initiate({
    wallet_id: ada,
    merchant_wallet_id: bola,
    amount: 2_500,
    phone,
    reference: randomUUID(),
  });
  const type = (text?: string) =>
    wallet.sandbox.dialUssd({
      phone,
      gateway_session: 'one',
      service_code: dial_code,
      ...(text && { text }),
    });
  const menu = await type();
  expect(menu).toMatchObject({ open: true, reply: expect.stringContaining('25.00') });
  expect((await type('1')).reply).toMatch(/PIN/);
  expect((await type('1*1111')).open).toBe(true);
  const paid = await type('1*1111*4821');
  expect([paid.open, (await wallet.ussd.get(session_id)).status]).toEqual([false, 'completed']);
  expect(new URLSearchParams(paid.form).get('text')).toBe('1*1111*4821');
});

test('the life of a wallet', async () => {
  const id = await openWallet();
  expect(await wallet.wallets.balance(id)).toMatchObject({ wallet_id: id, balance_kobo: 0 });
  await wallet.wallets.setPin(id, { pin: '4821' });
  expect((await wallet.wallets.freeze(id, { reason: 'lost phone' })).status).toBe('frozen');
  expect((await wallet.wallets.unfreeze(id)).status).toBe('active');
  expect((await wallet.wallets.close(id)).status).toBe('closed');
});

test('webhook endpoints, and a delivery that is verified', async () => {
  const receiver = await openReceiver();
  const endpoint = await wallet.webhooks.create({ url: receiver.url, events: ['wallet.activated'] });
  await wallet.webhooks.test(endpoint.id);
  await until('the delivery', () => Promise.resolve(receiver.deliveries.length > 0));
  const { headers, text } = receiver.deliveries[0]!;
  expect((await verifyWebhook(text, headers, endpoint.secret)).event).toBe('webhook.test');
  const events = (await wallet.events.list({ event: 'webhook.test' }).page()).items;
  const [sent] = (await wallet.webhooks.deliveries(endpoint.id).page()).items;
  const delivery = await wallet.webhooks.delivery(endpoint.id, sent!.event_id);
  expect((await wallet.events.get(sent!.event_id)).event).toBe('webhook.test');
  expect(events.map(({ id }) => id)).toEqual([sent!.event_id]);
  expect(delivery.body).toBe(text);
  expect(await wallet.events.redeliver(sent!.event_id)).toEqual({ deliveries: 1 });
  await until('the same delivery again', () => Promise.resolve(receiver.deliveries.length > 1));
  expect(receiver.deliveries[1]!.text).toBe(text);
  const recovered = await wallet.webhooks.recover(endpoint.id, { since: endpoint.created_at });
  expect(recovered).toEqual({ deliveries: 0, has_more: false });
  expect((await wallet.webhooks.update(endpoint.id, { events: ['kyc.failed'] })).events).toEqual([
    'kyc.failed',
  ]);
  expect((await wallet.webhooks.get(endpoint.id)).events).toEqual(['kyc.failed']);
  expect((await wallet.webhooks.rotateSecret(endpoint.id)).secret).not.toBe(endpoint.secret);
  expect((await wallet.webhooks.list()).map(({ id }) => id)).toEqual([endpoint.id]);
  expect(await wallet.webhooks.delete(endpoint.id)).toBeNull();
  await receiver.close();
});

describe('what the SDK does when a request meets a fault', () => {
  // The time limit of a try is shorter than the slowest fault, and long for everything else.
  const patience = { timeoutMs: 2_500 };
  const LOST = ['before_503', 'after_503', 'lost_answer', 'slow:3000'];
  const meeting = (fault: string) => ({ ...patience, headers: { 'X-Sandbox-Fault': fault } });
  const errorOf = (call: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(
      call.then(
        () => null,
        (error: unknown) => error,
      ),
    );

  test('a payment is repeated with its key, and paid once', async () => {
    await Promise.all(
      [...LOST, 'rate_limited'].map(async (fault) => {
        const reference = randomUUID();
        const body = { source_wallet: ada, dest_wallet: bola, amount: 100, reference };
        const { data } = await wallet.transfers.p2p(body, meeting(fault)).withResponse();
        expect((await wallet.transactions.list({ reference }).page()).items).toMatchObject([{ id: data.id }]);
      }),
    );
  });

  test('what does nothing more the second time is repeated', async () => {
    const url = 'https://partner.example/hooks';
    const { id } = await wallet.webhooks.create({ url, events: ['kyc.failed'] });
    await Promise.all(
      [...LOST, 'rate_limited'].map(async (fault) => {
        const [read, changed] = await Promise.all([
          wallet.wallets.get(bola, meeting(fault)),
          wallet.webhooks.update(id, { events: ['kyc.verified'] }, meeting(fault)),
        ]);
        expect([read.wallet.id, changed.events]).toEqual([bola, ['kyc.verified']]);
      }),
    );
    expect(await wallet.webhooks.delete(id, meeting('lost_answer'))).toBeNull();
  });

  test('what would do more is done once, and repeated only after a 429', async () => {
    const create = (fault: string) =>
      wallet.webhooks.create(
        { url: `https://partner.example/hooks/${fault}`, events: ['kyc.failed'] },
        meeting(fault),
      );
    const errors = await Promise.all(LOST.map((fault) => errorOf(create(fault))));
    expect(errors.map((error) => (error as Error).name)).toEqual([
      'ServerError',
      'ServerError',
      'ConnectionError',
      'TimeoutError',
    ]);
    const limited = await create('rate_limited');
    // Nothing is done for the caller of the slow one, who has gone while it waited.
    const made = await until('all that were registered', async () => {
      const all = await wallet.webhooks.list();
      return all.length === 3 && all;
    });
    expect(made.map(({ id }) => id)).toContain(limited.id);
    await Promise.all(made.map(({ id }) => wallet.webhooks.delete(id)));
  });
});

test('deliveries go wrong as they were asked to, and say so', async () => {
  const receiver = await openReceiver();
  const { id, created_at: since } = await wallet.webhooks.create({
    url: receiver.url,
    events: ['transaction.completed'],
  });
  const fund = async () => (await wallet.sandbox.fund(bola, { amount_kobo: 100 })).transaction_id;
  const came = (funded: string, times: number) =>
    until(`${String(times)} deliveries`, () => Promise.resolve(receiver.about(funded).length >= times));
  /** What the attempts of a delivery met, once it has arrived. */
  const delivered = (funded: string) =>
    until('a delivery that is noted', async () => {
      const attempts = (await wallet.transactions.timeline(funded)).filter(({ kind }) => kind === 'delivery');
      return attempts.some(({ status }) => status === '200') && attempts.map(({ error }) => error);
    });
  await came(await fund(), 1);

  await wallet.sandbox.fault(id, { mode: 'twice' });
  const twice = await fund();
  await came(twice, 2);
  expect(new Set(receiver.about(twice).map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect(await delivered(twice)).toEqual(['fault: twice']);

  // The fault ends once an attempt has met it. Until then a slow machine may have used up all attempts: what has
  // failed is recovered.
  const meet = async (mode: 'drop' | 'answer_500', times: number) => {
    await wallet.sandbox.fault(id, { mode, seconds: 3_600 });
    const funded = await fund();
    await until('an attempt that is noted', async () =>
      (await wallet.transactions.timeline(funded)).some(({ kind }) => kind === 'delivery'),
    );
    await wallet.sandbox.fault(id, { mode: 'none' });
    await until(`${String(times)} deliveries`, async () => {
      await wallet.webhooks.recover(id, { since });
      return receiver.about(funded).length >= times;
    });
    expect((await delivered(funded))[0]).toBe(`fault: ${mode}`);
  };
  await meet('drop', 1);
  await meet('answer_500', 2);

  await wallet.sandbox.fault(id, { mode: 'reorder' });
  const [first, second] = [await fund(), await fund()];
  await came(first, 1);
  const order = receiver.deliveries.map(({ body }) => body.data.id as string);
  expect(order.indexOf(second)).toBeLessThan(order.indexOf(first));
  expect(await delivered(first)).toEqual(['fault: reorder']);

  expect(await wallet.sandbox.fault(id, { mode: 'delay', seconds: 3_600 })).toMatchObject({ mode: 'delay' });
  const late = await fund();
  await wallet.sandbox.fault(id, { mode: 'none' });
  await came(late, 1);
  expect(await delivered(late)).toEqual(['fault: delay']);
  await wallet.webhooks.delete(id);
  await receiver.close();
});

test('time is forwarded: what was to end later ends now', async () => {
  const phone = '+2348012345678';
  const hold = { wallet_id: ada, amount: 100, reference: randomUUID(), expires_in_seconds: 3_600 };
  const { id } = await wallet.holds.create(hold);
  const dest_account = { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' };
  const [later, returned] = await Promise.all(
    ['success_after:300', 'returned:300'].map((scenario) =>
      wallet.transfers.bank(
        { source_wallet: ada, dest_account, amount: 100, reference: randomUUID() },
        { headers: { 'X-Sandbox-Scenario': scenario } },
      ),
    ),
  );
  // Their workflows have hardly begun when the time is forwarded.
  const sessions = await Promise.all(
    Array.from({ length: 5 }, () =>
      wallet.ussd.initiate({
        wallet_id: ada,
        merchant_wallet_id: bola,
        amount: 100,
        phone,
        reference: randomUUID(),
      }),
    ),
  );
  // Three of five minutes of the transfers, and all of the sessions.
  const first = await wallet.sandbox.forward({ seconds: 200 });
  expect(first.moved).toMatchObject({ ussd_sessions: 5, transfers: 2, holds: 1 });
  await until('an event of each session', async () => {
    const { items } = await wallet.events.list({ event: 'transaction.expired' }).page();
    return sessions.every(({ session_id }) =>
      items.some(({ data }) => (data as { session_id?: string }).session_id === session_id),
    );
  });
  expect((await wallet.holds.get(id)).status).toBe('open');
  expect((await wallet.transactions.get(later!.id)).status).toBe('processing');
  expect((await wallet.transactions.untilFinal(returned!.id)).status).toBe('completed');
  await wallet.sandbox.forward({ seconds: 3_600 });
  expect((await wallet.transactions.untilFinal(later!.id)).status).toBe('completed');
  await until('the return', async () => (await wallet.transactions.get(returned!.id)).status === 'reversed');
  await until('the expired hold', async () => (await wallet.holds.get(id)).status === 'expired');
});

test('scheduled transfers run each due time that the calendar is forwarded over', async () => {
  const plan = await wallet.scheduledTransfers.create({
    source_wallet: ada,
    dest_wallet: bola,
    amount: 100,
    reference: randomUUID(),
    rule: { every: 'day', at: '09:00' },
  });
  const { moved } = await wallet.sandbox.forward({ seconds: 3 * 86_400 });
  expect(moved.scheduled_transfers).toBe(1);
  const paid = await until('three runs', async () => {
    const { items } = await wallet.scheduledTransfers.runs(plan.id).page();
    return items.length === 3 && items.every(({ status }) => status === 'paid') ? items.reverse() : null;
  });
  const due = Date.parse(plan.next_due_at ?? '');
  const dates = [0, 1, 2, 3].map((days) => new Date(due + days * 86_400_000).toISOString());
  expect(paid.map(({ due_at }) => due_at)).toEqual(dates.slice(0, 3));
  expect(paid.map(({ transaction_status }) => transaction_status)).toEqual(Array(3).fill('completed'));
  expect((await wallet.scheduledTransfers.runs(plan.id, { status: 'skipped' }).page()).items).toEqual([]);
  expect((await wallet.scheduledTransfers.get(plan.id)).next_due_at).toBe(dates[3]);
  const { balance_kobo: before } = await wallet.wallets.get(bola);
  await wallet.sandbox.forward({ seconds: 86_400 });
  await until('the fourth', async () => (await wallet.scheduledTransfers.get(plan.id)).runs.paid === 4);
  expect((await wallet.wallets.get(bola)).balance_kobo).toBe(before + 100);
  await wallet.scheduledTransfers.cancel(plan.id);
});

test('the limits of wallets, switched on and off', async () => {
  const refused = async () => {
    const body = { source_wallet: ada, dest_wallet: bola, amount: 1, reference: randomUUID() };
    const { refusal } = await wallet.quotes.create(body);
    return refusal?.detail?.['limit'] ?? null;
  };
  expect([(await wallet.sandbox.limits()).enforced, await refused()]).toEqual([false, null]);
  await wallet.sandbox.setLimits({ enforced: true });
  // Ada has no verification.
  expect(await refused()).toBe('single_debit');
  await wallet.sandbox.setLimits({ enforced: false });
  expect(await refused()).toBeNull();
});

test('identity and compliance', async () => {
  const user_ref = `kyc-${randomUUID()}`;
  const { verification_id } = await wallet.kyc.bvn({ user_ref, bvn: '22222222222' });
  await wallet.kyc.nin({ user_ref, nin: '22222222222' });
  expect((await wallet.kyc.status(user_ref)).verifications.map((one) => one.verification_id)).toContain(
    verification_id,
  );
  await wallet.compliance.business({ cac_number: 'RC1234567', business_type: 'llc' });
  await wallet.compliance.directors({ directors: [{ full_name: 'Ngozi Adeyemi', role: 'Director' }] });
  await wallet.compliance.agreements({ terms: true, aml_policy: true, dpa: true });
  await wallet.compliance.useCase({ description: 'Wallets for the riders of a delivery company' });
  expect((await wallet.compliance.status()).overall_status).toMatch(/^(submitted|under_review)$/);
  // The worker may have claimed it before.
  const review = wallet.sandbox.reviewCompliance({ decision: 'claim' });
  await review.catch((error: unknown) => expect(error).toBeInstanceOf(ApiError));
});

test('people, sessions and keys', async () => {
  const [me] = (await owner.users.list().page()).items;
  await owner.users
    .setRole(me!.id, { role: 'owner' })
    .catch((error: unknown) => expect(error).toBeInstanceOf(ApiError));
  await refused(owner.users.remove(randomUUID()));
  const invitation = await owner.invitations.create({ email: `viewer-${email}`, role: 'viewer' });
  expect((await owner.invitations.list().page()).items.map(({ id }) => id)).toEqual([invitation.id]);
  await owner.invitations.withdraw(invitation.id);
  const spare = await owner.apiKeys.create({ scopes: ['read'] });
  const other = await owner.apiKeys.rotate(spare.id, { overlap_seconds: 0 });
  expect(other.scopes).toEqual(['read']);
  await owner.apiKeys.delete(other.id);
  // A key that has ended by itself is shown, and one that was deleted is not.
  const listed = (await owner.apiKeys.list().page()).items.map(({ id }) => id);
  expect(listed.includes(spare.id) && !listed.includes(other.id)).toBe(true);
  expect((await owner.securityEvents.list().page()).items.length).toBeGreaterThan(0);
});

test('one-time codes and passwords', async () => {
  const again = { password: PASSWORD };
  await owner.auth.prove(again);
  expect((await owner.oneTimeCodes.offer(again)).uri).toMatch(/^otpauth:/);
  await refused(owner.oneTimeCodes.enable({ code: '000000' }));
  // The codes are off.
  const calls = [owner.oneTimeCodes.disable(again), owner.oneTimeCodes.renewRecoveryCodes(again)];
  await Promise.all(calls.map((call) => refused(call)));
  await owner.auth.changePassword({ ...again, new_password: `${PASSWORD} more` });
});

test('what a mailed token is for', async () => {
  const token = 'not a token';
  await owner.auth.sendConfirmation();
  await owner.auth.changeEmail({ password: `${PASSWORD} more`, new_email: `new-${email}` });
  await owner.auth.forgotPassword({ email });
  const calls = [
    owner.auth.confirmEmail({ token }),
    owner.auth.takeEmailBack({ token, new_password: PASSWORD }),
    owner.auth.resetPassword({ token, new_password: PASSWORD }),
    owner.invitations.accept({ token, password: PASSWORD }),
  ];
  for (const { status } of await Promise.all(calls.map((call) => refused(call))))
    expect([401, 422]).toContain(status);
});

test('the streams give each event and request once, typed, also behind an event that was there before', async () => {
  const ended = new AbortController();
  const notices: string[] = [];
  const got: StreamedEvent[] = [];
  const listen = async (since?: string): Promise<void> => {
    const options: StreamOptions = {
      events: ['transaction.completed'],
      signal: ended.signal,
      onNotice: ({ notice }) => notices.push(notice),
      ...(since !== undefined && { since }),
    };
    for await (const one of wallet.events.stream(options)) got.push(one);
  };
  const requests: StreamedRequest[] = [];
  const watching = (async () => {
    const options = { operation: 'fundWallet', signal: ended.signal };
    for await (const one of wallet.requests.stream(options)) requests.push(one);
  })();
  const polled: StreamedEvent[] = [];
  let isPolling = false;
  const polling = (async () => {
    const onNotice = (): void => void (isPolling = true);
    const options: StreamOptions = { events: ['transaction.completed'], signal: ended.signal, onNotice };
    for await (const one of wallet.events.poll(options)) polled.push(one);
  })();
  const first = listen();
  await until('ready', () => notices.includes('ready') && isPolling);
  const { transaction_id: funded } = await wallet.sandbox.fund(ada, { amount_kobo: 100 });
  await until('the event', () => got.length === 1);
  const { id, rawBody, event } = got[0]!;
  expect(JSON.parse(rawBody)).toEqual(event);
  expect(event).toMatchObject({ event: 'transaction.completed', data: { id: funded } });
  const again = listen(id);
  await wallet.sandbox.fund(ada, { amount_kobo: 100 });
  await until('the later event, twice', () => got.filter((one) => one.id > id).length === 2);
  await until('the polled events', () => polled.length === 2);
  expect(polled[0]).toEqual(got[0]);
  await until('the request', () => requests.some(({ request }) => request.resource_id === ada));
  ended.abort();
  await Promise.all([first, again, watching, polling]);
  const refusal = await refused(
    (async () => {
      const client = open('sk_test_nobody');
      for await (const one of client.events.stream()) got.push(one);
    })(),
  );
  expect(refusal.status).toBe(401);
});

test('storage and reset, then the end of all sessions', async () => {
  expect((await wallet.sandbox.storage()).used_bytes).toBeGreaterThan(0);
  await wallet.sandbox.reset();
  expect((await wallet.wallets.list().page()).items).toEqual([]);
  const [session] = (await owner.sessions.list().page()).items;
  expect(session).toBeDefined();
  await refused(owner.sessions.end(randomUUID()));
  await owner.sessions.endAll();
});

test('no method was left out', () => {
  const { paths } = JSON.parse(referenceText()) as {
    paths: Record<string, Record<string, { 'x-sdk': string }>>;
  };
  const all = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one['x-sdk']));
  expect(all.filter((name) => !called.has(name))).toEqual([]);
});
