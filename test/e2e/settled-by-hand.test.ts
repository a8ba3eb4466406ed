/**
 * The sandbox operations that end a bank transfer: once, whoever asks, and also when the provider's outcome comes
 * at the same time.
 */
import { randomUUID } from 'node:crypto';
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const HOLD = { 'X-Sandbox-Hold': 'true' };
const FUNDED_KOBO = 1_000_000;
const DEBIT_KOBO = 10_000 + 5_000;

let platform: SharedPlatform;
let partner: Calls;
let walletId: string;

beforeAll(async () => {
  platform = await sharedPlatform();
  partner = await platform.partner(platform.url);
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

beforeEach(async () => {
  walletId = (await partner.wallet(FUNDED_KOBO)).id;
});

type Operation = 'complete' | 'fail';
const END: Record<Operation, string> = { complete: 'completed', fail: 'failed' };

const ask = (operation: Operation, transferId: string, reason?: string) =>
  partner.post(`/v1/sandbox/bank-transfer/${operation}`, { transaction_id: transferId, reason });

async function hold(): Promise<{ id: string; reference: string }> {
  const { reference, reply } = await partner.bankTransfer(walletId, {}, HOLD);
  return { id: reply.body.data.id, reference };
}

const eventsAbout = (transferId: string) =>
  platform.sql(`SELECT kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [transferId]);

describe('a paused transfer', () => {
  test('does not end by itself, however often the provider is asked', async () => {
    const { id, reference } = await hold();
    const workflow = platform.operator.workflow.getHandle(`bank-transfer/${id}`);
    await until('the third question to the provider', async () => {
      const { events } = await workflow.fetchHistory().catch(() => ({ events: [] }));
      const asked = (events ?? []).filter(
        (event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'queryTransfer',
      );
      return asked.length >= 3;
    });
    expect(await partner.transaction(walletId, reference)).toMatchObject({ status: 'processing' });
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - DEBIT_KOBO);
    expect(await eventsAbout(id)).toEqual([]);
  });
});

describe('a transfer that has ended', () => {
  test('by the provider is not ended again by hand', async () => {
    const { reference, reply } = await partner.bankTransfer(walletId, { accountNumber: '0123450000' });
    await partner.ended(walletId, reference);
    const late = await ask('complete', reply.body.data.id);
    expect(late).toMatchObject({ status: 422, body: { error: 'TRANSACTION_NOT_PROCESSING' } });
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
  });
});

describe('complete and fail at the same moment', () => {
  test('have one winner, and both callers get its result', async () => {
    const transfers = await Promise.all(Array.from({ length: 6 }, hold));
    const races = await Promise.all(
      transfers.map(async ({ id, reference }, place) => {
        const order: Operation[] = place % 2 === 0 ? ['complete', 'fail'] : ['fail', 'complete'];
        const answers = await Promise.all(order.map((operation) => ask(operation, id)));
        const { status } = await partner.transaction(walletId, reference);
        return { id, status, answers: order.map((operation, n) => [END[operation], answers[n]?.status]) };
      }),
    );
    let failed = 0;
    for (const { id, status, answers } of races) {
      expect(new Map(answers as [string, number][])).toEqual(
        new Map([
          ['completed', status === 'completed' ? 200 : 422],
          ['failed', status === 'failed' ? 200 : 422],
        ]),
      );
      expect(await eventsAbout(id)).toEqual([{ kind: `transaction.${status}` }]);
      failed += status === 'failed' ? 1 : 0;
    }
    const completed = races.length - failed;
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - completed * DEBIT_KOBO);
  });

  test('against the provider’s outcome: the answers agree with the row', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => partner.bankTransfer(walletId)));
    const answers = await Promise.all(sent.map(({ reply }) => ask('fail', reply.body.data.id)));
    let failed = 0;
    for (const [place, { reference }] of sent.entries()) {
      const { status } = await partner.ended(walletId, reference);
      expect(answers[place]?.status).toBe(status === 'failed' ? 200 : 422);
      failed += status === 'failed' ? 1 : 0;
    }
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO - (sent.length - failed) * DEBIT_KOBO);
  });
});

test.each([
  { what: 'an unknown transaction', id: () => randomUUID(), status: 404, error: 'NOT_FOUND' },
  {
    what: 'a transaction that is no bank transfer',
    id: async () => (await fundOnceMore()).transaction_id as string,
    status: 422,
    error: 'TRANSACTION_NOT_PROCESSING',
  },
])('complete of $what is refused', async ({ id, status, error }) => {
  expect(await ask('complete', await id())).toMatchObject({ status, body: { error } });
});

const fundOnceMore = async () =>
  (await partner.post(`/v1/sandbox/wallets/${walletId}/fund`, { amount_kobo: 1 })).body;
