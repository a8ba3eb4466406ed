/**
 * One partner's flood delays no other: tasks that wait for a worker are given out partner by partner (D235), and the runs of one
 * partner hold a few of the worker's places. What is compared is the order, and no time.
 */
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const SCHEDULES = 100;
const DAYS = 9;
/** An hour ago in the time of Lagos, so that each day that is gone over has one due time. */
const DAILY = { every: 'day', at: new Date().toISOString().slice(11, 16) };

let platform: Platform;
let url: string;
beforeAll(async () => {
  platform = await openPlatform();
  url = await platform.startApi();
});
afterAll(() => platform.close());

/** How many due times of a partner have their result. */
async function done({ partnerId }: Calls): Promise<number> {
  const [row] = await platform.sql(
    `SELECT coalesce(sum(paid), 0)::int AS paid FROM ${SANDBOX_CELL}.scheduled_transfers WHERE partner_id = $1`,
    [partnerId],
  );
  return row!['paid'] as number;
}

test('a bank transfer of one partner ends before nine hundred runs that another one has forwarded', async () => {
  const first = await platform.startChild('worker');
  const [flooder, other] = [await platform.partner(url), await platform.partner(url)];
  const [from, to, source] = await Promise.all([
    flooder.wallet(10_000_000),
    flooder.wallet(),
    other.wallet(1_000_000),
  ]);
  await first.kill();
  for (let made = 0; made < SCHEDULES; made += 5) {
    const some = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        flooder.post('/v1/transfers/scheduled', {
          source_wallet: from.id,
          dest_wallet: to.id,
          amount: 100,
          reference: `flood-${String(made + n)}`,
          rule: DAILY,
        }),
      ),
    );
    expect(new Set(some.map(({ status }) => status))).toEqual(new Set([201]));
  }
  // No worker runs: all of it waits before the transfer does.
  const forwarded = await flooder.post('/v1/sandbox/clock/forward', { seconds: DAYS * 86_400 });
  expect(forwarded.body.moved.scheduled_transfers).toBe(SCHEDULES);
  const client = platform.operator;
  await until(
    'the flood to wait',
    async () => {
      const { count } = await client.workflow.count(
        `WorkflowType = 'scheduledTransfer' AND PartnerId = '${flooder.partnerId}'`,
      );
      return count >= SCHEDULES;
    },
    60_000,
  );
  const transfer = await other.post('/v1/transfers/bank', {
    source_wallet: source.id,
    dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'ADA OBI' },
    amount: 10_000,
    reference: 'beside-a-flood',
  });
  expect(transfer).toMatchObject({ status: 202 });
  const { id } = transfer.body.data;
  const handle = client.workflow.getHandle(`bank-transfer/${id}`);
  await until('the workflow of the transfer', () =>
    handle.describe().then(
      () => true,
      () => false,
    ),
  );
  expect((await handle.describe()).priority?.fairnessKey).toBe(other.partnerId);

  await platform.startChild('worker');
  await until(
    'the transfer to end',
    async () => {
      const { body } = await other.get(`/v1/transactions/${id}`);
      return body.data.status === 'completed';
    },
    60_000,
  );
  const paidBefore = await done(flooder);
  expect(paidBefore).toBeLessThan((SCHEDULES * DAYS) / 2);
  // It goes on all the same.
  await until('more of the flood', async () => (await done(flooder)) > paidBefore, 60_000);
});
