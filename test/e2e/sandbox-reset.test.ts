/**
 * A sandbox reset as a partner asks for it, on real Temporal: with money on its way, twice at once, and with
 * workflows and intentions of before that come too late (interface: Sandbox-only operations; D97, D140; R13, R14).
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, Calls } from '../support/calls';
import { auditCell } from '../support/audit';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { openReceiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const BETWEEN_ROUNDS_MS = 20;

let platform: SharedPlatform;
let url: string;
let partner: Calls;

beforeAll(async () => {
  platform = await sharedPlatform();
  url = platform.url;
});
beforeEach(async () => {
  partner = await platform.partner(url);
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

/** Asks until it is done, as a partner does that is answered 503. */
const reset = (): Promise<Json> =>
  until('the end of a reset', async () => {
    const { status, body } = await partner.post('/v1/sandbox/reset', undefined);
    if (status !== 503) expect(status).toBe(200);
    return status === 200 && body;
  });

/** What is left of the partner, by table. */
async function left(): Promise<string[]> {
  const tables = [
    'accounts',
    'wallets',
    'transactions',
    'events',
    'used_references',
    'workflow_intentions',
    'verifications',
  ];
  const counts = await Promise.all(
    tables.map(async (table) => {
      const rows = await platform.sql(`SELECT FROM ${SANDBOX_CELL}.${table} WHERE partner_id = $1`, [
        partner.partnerId,
      ]);
      return rows.length > 0 ? [table] : [];
    }),
  );
  return counts.flat();
}

const running = async (): Promise<string[]> => {
  const query = `PartnerId = '${partner.partnerId}' AND ExecutionStatus = 'Running'`;
  const ids: string[] = [];
  for await (const { workflowId } of platform.operator.workflow.list({ query })) ids.push(workflowId);
  return ids;
};

test('answers flat when the sandbox is empty, and everything can begin anew', async () => {
  const wallet = await partner.wallet(100_000);
  const { user_ref: userRef } = (await partner.get(`/v1/wallets/${wallet.id}`)).body.data.wallet;
  const { reference } = await partner.bankTransfer(wallet.id);
  await partner.ended(wallet.id, reference);

  const answer = await reset();
  expect(answer).toEqual({ result: 'ok', reset_at: expect.any(String) });
  expect(Math.abs(Date.now() - Date.parse(answer.reset_at))).toBeLessThan(60_000);
  expect(await left()).toEqual([]);
  expect((await partner.get(`/v1/wallets/${wallet.id}`)).status).toBe(404);

  const again = await partner.post('/v1/wallets', { user_ref: userRef });
  expect(again.status).toBe(202);
  await until('the new wallet to be active', async () => {
    const { wallet: now } = (await partner.get(`/v1/wallets/${again.body.data.id}`)).body.data;
    return now.status === 'active' && now.account_number !== wallet.accountNumber;
  });
});

test('with transfers, wallets and verifications on their way: nothing of them is left or comes later', async () => {
  const receiver = await openReceiver();
  const events = ['transaction.completed', 'transaction.failed', 'wallet.activated', 'kyc.verified'];
  const hook = await partner.post('/v1/webhooks', { url: receiver.url, events });
  const sources = await Promise.all([partner.wallet(10_000_000), partner.wallet(10_000_000)]);
  const sourceIds = sources.map(({ id }) => id);
  const [source, dest] = sourceIds as [string, string];
  const held = await partner.bankTransfer(source, {}, { 'X-Sandbox-Hold': 'true' });
  let stopped = false;
  const statuses = new Map<string, number>();
  const load = async (): Promise<void> => {
    while (!stopped) {
      const reference = randomUUID();
      const p2p = { source_wallet: source, dest_wallet: dest, amount: 10, reference };
      const replies = await Promise.all([
        partner.bankTransfer(source, { amountKobo: 10 }).then(({ reply }) => reply),
        partner.post('/v1/transfers/p2p', p2p),
        partner.post('/v1/wallets', { user_ref: reference }),
        partner.post('/v1/kyc/bvn', { user_ref: reference, bvn: '22222222222' }),
      ]);
      for (const { status } of replies) statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
      // A caller without a limit that is refused at once would take the processor from the reset itself.
      await sleep(BETWEEN_ROUNDS_MS);
    }
  };
  const loaded = load();
  let first: Json;
  try {
    await until('some load', () => (statuses.get('202') ?? 0) > 4);
    first = await reset();
    await until('a caller whose wallets are gone', () => statuses.has('404'));
  } finally {
    stopped = true;
    await loaded;
  }
  // What came after the fence was down is of the new epoch; its wallets are gone, so no money moved since.
  expect(Object.keys(Object.fromEntries(statuses)).sort()).toEqual(
    expect.arrayContaining(['200', '202', '404']),
  );
  for (const status of statuses.keys()) expect(['200', '202', '404', '503']).toContain(status);

  const second = await reset();
  expect(Date.parse(second.reset_at)).toBeGreaterThan(Date.parse(first.reset_at));
  expect(await left()).toEqual([]);
  await until('every workflow but the dispatcher to end', async () => {
    const ids = await running();
    return ids.every((id) => id.startsWith('webhook/'));
  });
  expect(await left()).toEqual([]);
  const handle = platform.operator.workflow.getHandle(`bank-transfer/${held.reply.body.data.id}`);
  expect((await handle.describe()).status.name).toBe('TERMINATED');

  // The endpoint was kept, and hears of the new epoch.
  const { id } = await partner.wallet();
  await until('the event of a new wallet', () => receiver.about(id)[0]);
  expect((await partner.get('/v1/webhooks')).body.data).toMatchObject([{ id: hook.body.data.id }]);
  await receiver.close();
});

test('five at once: all are answered, and nobody is left behind the fence', async () => {
  await partner.wallet(1_000);
  const answers = await Promise.all(Array.from({ length: 5 }, reset));
  expect(answers.every(({ result }) => result === 'ok')).toBe(true);
  expect(await left()).toEqual([]);
  expect((await partner.post('/v1/wallets', { user_ref: 'ada' })).status).toBe(202);
});

test('another partner’s transfers end as if nothing had happened', async () => {
  const other = await platform.partner(url);
  const { id } = await other.wallet(100_000);
  const transfers = await Promise.all([1, 2, 3].map(() => other.bankTransfer(id)));
  await partner.wallet();
  await reset();
  for (const { reference } of transfers) {
    expect(await other.ended(id, reference)).toMatchObject({ status: 'completed' });
  }
  expect(await other.balanceKobo(id)).toBe(100_000 - 3 * 15_000);
});

test('a workflow of before the reset that starts late ends without effect', async () => {
  const wallet = await partner.wallet(100_000);
  const { reply } = await partner.bankTransfer(wallet.id, {}, { 'X-Sandbox-Hold': 'true' });
  const intentions = await platform.sql(
    `SELECT workflow_type, input FROM ${SANDBOX_CELL}.workflow_intentions WHERE partner_id = $1`,
    [partner.partnerId],
  );
  expect(intentions.map(({ workflow_type: type }) => type).sort()).toEqual([
    'bankTransfer',
    'walletProvisioning',
  ]);
  await reset();
  for (const { workflow_type: type, input } of intentions) {
    expect(input.epoch).toBe(0);
    const late = await platform.operator.workflow.execute(type, {
      workflowId: `late/${randomUUID()}`,
      taskQueue: 'wallet-core',
      args: [input],
    });
    expect(late).toBe('reset');
  }
  expect(await left()).toEqual([]);
  const completing = await partner.post('/v1/sandbox/bank-transfer/complete', {
    transaction_id: reply.body.data.id,
  });
  expect(completing.status).toBe(404);
});

test('directors’ verifications and compliance are left alone', async () => {
  const id = randomUUID();
  await platform.sql(
    `INSERT INTO ${SANDBOX_CELL}.verifications (id, partner_id, subject, director_id, type, number_sealed, number_index,
       created_at, updated_at) VALUES ($1, $2, 'director', gen_random_uuid(), 'bvn', 'sealed', 'index', now(), now())`,
    [id, partner.partnerId],
  );
  await reset();
  expect(await platform.sql(`SELECT id FROM ${SANDBOX_CELL}.verifications WHERE id = $1`, [id])).toEqual([
    { id },
  ]);
});
