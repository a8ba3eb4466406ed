/**
 * Signed deliveries to four healthy receivers while one more endpoint hangs. For the throughput the events are
 * inserted in one statement, by the fan-out's own SQL, and a payment through the API wakes the dispatchers as
 * always; for the latency every event is a payment through the API, at a rate below capacity.
 */
import { deliver } from '../../src/db/events/events';
import type { MovedMoney } from '../../src/domain/events';
import { writeMoneyMoved } from '../../src/wire/webhooks';
import type { Report, Row, Scenario } from '../scenario';
import { pace } from '../support/pace';
import { openPayments, type Payments } from '../support/payments';
import { CELL } from '../support/cell';
import { command } from '../support/program';
import { BARE_WEBHOOKS } from '../support/programs';
import { openReceivers, type Receivers } from '../support/receivers';
import { watchUsage } from '../support/usage';
import { wholePlatform, type WholePlatform } from '../support/whole-platform';
import type { Seen } from '../programs/receivers';
import type { BareOrder } from '../yardsticks/bare-webhooks/main';

const ROW: Row = {
  name: 'webhooks',
  ours: 'signed deliveries to 4 healthy receivers, while one more endpoint hangs',
  yardstick: 'signing and posting in a bare loop',
  unit: '/s',
  ratio: 'at least',
  floor: 1_500,
  goal: 3_000,
  absolute: true,
};

const HEALTHY = 4;
/** How many attempts the worker has under way to one endpoint. */
const AT_ONCE = 10;
/** How many events are inserted for each second that a run is to last. */
const EVENTS_PER_SECOND = 500;
const STEADY_EVENTS_PER_SECOND = 50;
const FIRST_ATTEMPT_MS = 1_000;

export const webhooks: Scenario = {
  rows: [ROW],
  async run(report) {
    const platform = await wholePlatform();
    const receivers = await openReceivers(platform, { count: HEALTHY, andOneHangs: true });
    const payments = await openPayments(platform);
    const { runs, seconds, warmUpSeconds } = report.size;
    const payment = await onePayment(platform, payments);
    const post = await openBareLoop(platform, receivers, writeMoneyMoved(payment));
    const dispatch = async (events: number): Promise<number> => {
      await receivers.forget();
      await insertEvents(platform, events, payment.id);
      await payments.payWallet();
      const seen = await receivers.arrived((events + 1) * HEALTHY);
      receivers.checkSignatures(seen);
      return ratePerSecond(seen);
    };

    const few = Math.ceil(EVENTS_PER_SECOND * warmUpSeconds);
    await post(few);
    await dispatch(few);
    const events = Math.ceil(EVENTS_PER_SECOND * seconds);
    for (let run = 0; run < runs; run++) {
      const yardstick = await post(events);
      const usage = watchUsage(platform.watched);
      report.figure(ROW.name, await dispatch(events), yardstick);
      report.usage(ROW.name, usage());
      await receivers.allRecorded();
    }
    await claimFirstAttempts(report, receivers, payments);
    await payments.check();
    await receivers.allRecorded();
    await receivers.close();
  },
};

const ratePerSecond = ({ deliveries, seconds }: Seen): number => deliveries / seconds;

/**
 * The bare loop posts `count` deliveries to each receiver.
 * @returns deliveries per second, as the receivers saw them.
 */
async function openBareLoop(
  platform: WholePlatform,
  receivers: Receivers,
  data: string,
): Promise<(count: number) => Promise<number>> {
  const program = await platform.start(BARE_WEBHOOKS);
  return async (count) => {
    await receivers.forget();
    const order: BareOrder = { urls: [...receivers.urls], count, atOnce: AT_ONCE, data };
    await command(program, 'post', order);
    return ratePerSecond(await receivers.arrived(count * HEALTHY));
  };
}

/** A payment's payload, as the product wrote it. */
async function onePayment(platform: WholePlatform, payments: Payments): Promise<MovedMoney> {
  await payments.payWallet();
  const { rows } = await platform.sql(
    `SELECT id, type, status, reference, amount_kobo::float8 AS "amountKobo", source_wallet AS "sourceWalletId",
            dest_wallet AS "destWalletId", created_at AS "createdAt"
       FROM ${CELL}.transactions ORDER BY id DESC LIMIT 1`,
  );
  return rows[0] as MovedMoney;
}

/** Events of a payment with a delivery for each endpoint, due now. No dispatcher is woken. */
async function insertEvents(platform: WholePlatform, count: number, paymentId: string): Promise<void> {
  await platform.sql(
    `WITH happened AS (
       INSERT INTO ${CELL}.events (id, partner_id, kind, resource_id, created_at)
       SELECT uuidv7(), $1, 'transaction.completed', $3, now() FROM generate_series(1, $2)
       RETURNING id, partner_id, kind)
     ${deliver(CELL, '(SELECT id, partner_id, kind, NULL::text AS alias FROM happened)', 'now()')}`,
    [platform.partnerId, count, paymentId],
  );
}

async function claimFirstAttempts(report: Report, receivers: Receivers, payments: Payments): Promise<void> {
  await receivers.forget();
  const events = await pace(STEADY_EVENTS_PER_SECOND, report.size.seconds, payments.payWallet);
  const { deliveries, p50Ms, p99Ms } = await receivers.arrived(events * HEALTHY);
  report.claim(
    ROW.name,
    p99Ms <= FIRST_ATTEMPT_MS,
    `at ${String(STEADY_EVENTS_PER_SECOND)} payments/s to ${String(HEALTHY)} healthy endpoints the first attempt ` +
      `comes ${p50Ms.toFixed(0)} ms after the event (p50), ${p99Ms.toFixed(0)} ms (p99 of ${String(deliveries)})`,
  );
}
