/**
 * The name of an account that is paid, as its partner has sent it and as its bank has told it, goes through the whole
 * platform, whose processes log as much as they can, and is nowhere readable: in no table, no log line and no workflow history.
 */
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../support/children';
import type { Calls, Json } from '../support/calls';
import { foundIn, tablesOf, workflowsOf, type Canaries } from '../support/canaries';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

jest.setTimeout(120_000);

/** It cannot occur anywhere by chance. */
const SENT = 'ZUBENELGENUBI OKWUQUVAMBI';
const account = (number: string) => ({ bank_code: '058', account_number: number, account_name: SENT });
const GOOD = account('0123456789');

let platform: Platform;
let children: Child[];
let partner: Calls;
let source = '';
let canaries: Canaries;
/** How each transfer has ended, as its partner sees it. */
let transfers: Record<'completed' | 'failed' | 'unknown' | 'bulk' | 'scheduled' | 'captured', Json>;

let count = 0;
const asked = (to: object, amount = 1_000) => ({
  source_wallet: source,
  dest_account: to,
  amount,
  reference: `paid-${String((count += 1))}`,
});
const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
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

beforeAll(async () => {
  platform = await openPlatform({ settings: { LOG_LEVEL: 'trace' } });
  children = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  partner = await platform.partner(`http://127.0.0.1:${children[0]!.port}`);
  source = (await partner.wallet(1_000_000)).id;
  const [completed, failed, unknown, bulk, scheduled, captured] = await Promise.all([
    pay(GOOD),
    pay(account('0123450000')),
    pay(account('0123450404')),
    payInBulk(),
    payLater(),
    capture(),
  ]);
  transfers = { completed, failed, unknown, bulk, scheduled, captured };
  canaries = { sent: SENT, told: completed.dest_account.resolved_name };

  // What is written now waits, because no worker runs.
  await children[1]!.kill();
  await partner.post('/v1/transfers/bulk', { reference: 'waits', transfers: [asked(GOOD)] });
  await partner.post('/v1/transfers/scheduled', { ...asked(GOOD), due_at: inMs(86_400_000) });
  await partner.post('/v1/transfers/bank', asked(GOOD));
});
afterAll(() => platform.close());

test('every transfer shows the name that was sent, and the one that the bank has told', () => {
  const { completed, failed, unknown, bulk, scheduled, captured } = transfers;
  const told = completed.dest_account.resolved_name;
  expect(told).toMatch(/^[A-Z]+ [A-Z]+$/);
  for (const one of [completed, bulk, scheduled, captured]) {
    expect(one).toMatchObject({ status: 'completed', dest_account: { ...GOOD, resolved_name: told } });
  }
  expect(failed).toMatchObject({ status: 'failed', dest_account: { account_name: SENT } });
  expect(unknown).toMatchObject({ status: 'failed', dest_account: { account_name: SENT } });
});

test('a transfer that is refused is refused as ever, and a repeated one has its first answer', async () => {
  const refused = await partner.post('/v1/transfers/bank', asked(GOOD, 900_000_000));
  expect(refused.body).toMatchObject({ error: 'INSUFFICIENT_FUNDS' });
  const body = asked(GOOD);
  const key = { 'Idempotency-Key': 'first' };
  const first = await partner.post('/v1/transfers/bank', body, key);
  expect(first.text).toContain(SENT);
  const again = await partner.post('/v1/transfers/bank', body, key);
  expect([again.status, again.text]).toEqual([202, first.text]);
});

test('no row of any table has a name', async () => {
  const tables = await tablesOf(platform, canaries);
  expect(tables.filter((table) => table.found.length > 0)).toEqual([]);
  expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(50);
  const [sealed] = await platform.sql(
    `SELECT (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.transactions) AS sent,
            (SELECT count(resolved_name_sealed)::int FROM ${SANDBOX_CELL}.transactions) AS told,
            (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.bulk_transfer_lines) AS lines,
            (SELECT count(account_name_sealed)::int FROM ${SANDBOX_CELL}.scheduled_transfers) AS scheduled`,
  );
  expect(sealed).toEqual({ sent: 8, told: 5, lines: 1, scheduled: 1 });
});

test('no log line has a name, although everything is logged', () => {
  const logs = children.map((child) => child.said()).join('\n');
  expect(logs).toContain('ready');
  expect(foundIn(canaries, logs)).toEqual([]);
});

test('no workflow history has a name', async () => {
  const connection = await Connection.connect({ address: platform.temporal.address });
  const sandbox = new Client({ connection, namespace: 'wallet-sandbox' });
  await until('the list of what has run', async () => {
    const types = new Set<string>();
    for await (const { type } of sandbox.workflow.list()) types.add(type);
    return ['bankTransfer', 'bulkTransfer', 'scheduledTransfer', 'hold'].every((type) => types.has(type));
  });
  await connection.close();
  const workflows = await workflowsOf(platform, canaries);
  expect(workflows.filter((workflow) => workflow.found.length > 0)).toEqual([]);
});
