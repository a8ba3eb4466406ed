/**
 * A payment that no wallet took goes back to its payer: it is ordered once, whatever is lost, and booked once (R44). The
 * company is a fake, which says what a case needs.
 */
import { newId } from '../../src/db/pg/ids';
import { directoryOf } from '../../src/db/pg/schema';
import { OF_NO_PARTNER } from '../../src/domain/partners';
import type { RefundOrderOutcome, RefundQueryOutcome } from '../../src/domain/refunds';
import type { Provider } from '../../src/providers/port';
import { activitiesForFile } from '../support/scene';
import { withFake } from '../support/fakes';
import { SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 500_000;
let answers: { order: RefundOrderOutcome | 'lost'; query: RefundQueryOutcome };
let heard: string[];

const told = <Outcome extends string>(outcome: Outcome, paymentRef: string) => ({
  outcome,
  providerRef: outcome === 'not_found' || outcome === 'unknown' ? null : `rfd-${paymentRef}`,
  reason: null,
  pollAfterMs: 1_000,
});
const company: Provider = {
  name: 'paystack',
  can: { failsForGood: false, asksFirst: false },
  refunds: {
    order({ paymentRef }) {
      heard.push(`order ${paymentRef}`);
      return answers.order === 'lost'
        ? Promise.reject(new Error('lost'))
        : Promise.resolve(told(answers.order, paymentRef));
    },
    query({ paymentRef }) {
      heard.push('query');
      return Promise.resolve(told(answers.query, paymentRef));
    },
    made: () => Promise.resolve([]),
  },
};

const { cell, activities } = activitiesForFile({
  change: (environment) => withFake(environment, () => company),
});
beforeEach(() => {
  answers = { order: 'accepted', query: 'success' };
  heard = [];
});

/** A payment in suspense with its finding, and the refund that two operators have ordered. */
async function ordered(): Promise<{ creditId: string; refundId: string }> {
  const [creditId, refundId] = [newId(), newId()];
  await cell.sql(
    `INSERT INTO ${directoryOf('sandbox')}.inbound_claims (provider, reference, credit_id, cell)
     VALUES ('paystack', $1, $2, $3)`,
    [`ref-${creditId}`, creditId, SANDBOX_CELL],
  );
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_credits
       (id, provider, reference, provider_ref, amount_kobo, account_number, refund_id)
     VALUES ($1, 'paystack', $2, $3, $4, '9930000902', $5)`,
    [creditId, `ref-${creditId}`, creditId, AMOUNT_KOBO, refundId],
  );
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_refunds (id, credit_id, provider, amount_kobo)
     VALUES ($1, $2, 'paystack', $3)`,
    [refundId, creditId, AMOUNT_KOBO],
  );
  const posted = await cell.openWriter().post({
    movement: {
      kind: 'open',
      type: 'unallocated_credit',
      transactionId: creditId,
      creditId,
      partnerId: OF_NO_PARTNER,
      by: { company: 'paystack', feeKobo: 5_000, owedKobo: 0 },
      told: { why: 'UNKNOWN_ACCOUNT' },
      reference: `fund_${creditId}`,
      amountKobo: AMOUNT_KOBO,
      description: '',
      metadata: {},
      key: null,
    },
    announce: () => [],
  });
  expect(posted.ok).toBe(true);
  return { creditId, refundId };
}
const advance = (ids: { creditId: string; refundId: string }, ageMs = 0) =>
  activities.run('advanceRefund', { ...ids, partnerId: OF_NO_PARTNER, epoch: 0 }, 0, ageMs);
const rowOf = async ({ creditId, refundId }: { creditId: string; refundId: string }) => {
  const [row] = await cell.sql(
    `SELECT r.state, r.is_posted, c.refund_id IS NOT NULL AS taken
       FROM ${SANDBOX_CELL}.inbound_refunds r JOIN ${SANDBOX_CELL}.inbound_credits c ON c.id = r.credit_id
      WHERE r.id = $1 AND c.id = $2`,
    [refundId, creditId],
  );
  return row;
};
const entriesOf = (id: string) =>
  cell.sql(
    `SELECT account, amount_kobo FROM ${SANDBOX_CELL}.entries WHERE transaction_id = $1 ORDER BY amount_kobo`,
    [id],
  );
const findingsOf = async (...ids: string[]) =>
  (
    await cell.sql(
      `SELECT class FROM ${SANDBOX_CELL}.recon_findings WHERE resource = ANY($1) AND closed_at IS NULL ORDER BY class`,
      [ids],
    )
  ).map((row) => row['class'] as string);
/** As if the last thing that was noted of a refund were a minute older. */
const minuteLater = (refundId: string) =>
  cell.sql(
    `UPDATE ${SANDBOX_CELL}.inbound_refunds SET failed_at = failed_at - interval '1 minute' WHERE id = $1`,
    [refundId],
  );

const BOOKED = [
  { account: expect.stringMatching(/2900$/), amount_kobo: -AMOUNT_KOBO },
  { account: '70617973-7461-636b-0000-000000001300', amount_kobo: AMOUNT_KOBO },
];

test('case 28: it is ordered, asked about, and booked once however often that is done', async () => {
  const ids = await ordered();
  expect(await advance(ids)).toMatchObject({ ended: null, answer: 'accepted', pollAfterMs: 1_000 });
  expect(await entriesOf(ids.refundId)).toEqual([]);
  const both = await Promise.all([advance(ids), advance(ids)]);
  expect(both.map(({ ended }) => ended)).toEqual(['succeeded', 'succeeded']);
  expect(await advance(ids)).toMatchObject({ ended: 'succeeded' });
  expect(await entriesOf(ids.refundId)).toEqual(BOOKED);
  expect(await findingsOf(ids.creditId, ids.refundId)).toEqual([]);
  expect(heard.filter((one) => one.startsWith('order'))).toEqual([`order ${ids.creditId}`]);
});

test('an order whose answer is lost is never sent again, and is a finding after a day', async () => {
  const ids = await ordered();
  answers = { order: 'lost', query: 'not_found' };
  await expect(advance(ids)).rejects.toThrow('lost');
  expect(await advance(ids)).toMatchObject({ ended: null, answer: 'not_found', needsPeople: false });
  expect(await advance(ids, 86_400_000)).toMatchObject({ ended: null, needsPeople: true });
  expect(await rowOf(ids)).toEqual({ state: 'sending', is_posted: true, taken: true });
  expect(await findingsOf(ids.creditId, ids.refundId)).toEqual(['payment_unallocated', 'refund_stuck']);
  answers.query = 'success';
  expect(await advance(ids)).toMatchObject({ ended: 'succeeded' });
  expect(await entriesOf(ids.refundId)).toEqual(BOOKED);
  expect(await findingsOf(ids.creditId, ids.refundId)).toEqual([]);
  expect(heard.filter((one) => one.startsWith('order'))).toHaveLength(1);
});

test('an order that was provably not sent is sent later', async () => {
  const ids = await ordered();
  answers.order = 'not_sent';
  expect(await advance(ids)).toMatchObject({ ended: null, answer: 'not_sent' });
  expect(await rowOf(ids)).toEqual({ state: 'sending', is_posted: false, taken: true });
  answers.order = 'accepted';
  expect(await advance(ids)).toMatchObject({ answer: 'accepted' });
  expect(heard.filter((one) => one.startsWith('order'))).toHaveLength(2);
});

test('of two that come at once, one sends the order', async () => {
  const ids = await ordered();
  answers.query = 'not_found';
  await Promise.all(Array.from({ length: 8 }, () => advance(ids)));
  expect(heard.filter((one) => one.startsWith('order'))).toHaveLength(1);
});

test('one that is refused lets go of the payment, which waits for people again', async () => {
  const ids = await ordered();
  answers.order = 'refused';
  expect(await advance(ids)).toMatchObject({ ended: 'failed', needsPeople: true });
  expect(await rowOf(ids)).toEqual({ state: 'failed', is_posted: false, taken: false });
  expect(await findingsOf(ids.creditId, ids.refundId)).toEqual(['payment_unallocated']);
  expect(await entriesOf(ids.refundId)).toEqual([]);
});

test('one that fails after it was accepted fails by the second answer, a minute later', async () => {
  const ids = await ordered();
  answers.query = 'failed';
  await advance(ids);
  expect([(await advance(ids)).ended, (await advance(ids)).ended]).toEqual([null, null]);
  expect(await rowOf(ids)).toMatchObject({ state: 'accepted', taken: true });
  await minuteLater(ids.refundId);
  expect(await advance(ids)).toMatchObject({ ended: 'failed' });
  expect(await rowOf(ids)).toMatchObject({ state: 'failed', taken: false });
  expect(await entriesOf(ids.refundId)).toEqual([]);
});

test('one for which the company needs people is a finding at once, until it ends', async () => {
  const ids = await ordered();
  answers.query = 'needs_people';
  await advance(ids);
  expect(await advance(ids)).toMatchObject({ ended: null, needsPeople: true });
  expect(await findingsOf(ids.refundId)).toEqual(['refund_stuck']);
  answers.query = 'success';
  expect(await advance(ids)).toMatchObject({ ended: 'succeeded' });
  expect(await findingsOf(ids.refundId)).toEqual([]);
});

test('Postgres keeps a payment from going two ways, and from having two refunds at a time', async () => {
  const { creditId } = await ordered();
  await expect(
    cell.sql(
      `UPDATE ${SANDBOX_CELL}.inbound_credits SET allocated_to = gen_random_uuid(), allocated_as = gen_random_uuid()
        WHERE id = $1`,
      [creditId],
    ),
  ).rejects.toThrow('inbound_credits_goes_one_way');
  await expect(
    cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.inbound_refunds (id, credit_id, provider, amount_kobo)
       VALUES (gen_random_uuid(), $1, 'paystack', 1)`,
      [creditId],
    ),
  ).rejects.toThrow('inbound_refunds_one_at_a_time');
});
