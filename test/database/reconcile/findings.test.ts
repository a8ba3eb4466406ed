/** Reconciliation: every class of seeded corruption is found in one run, sound books give none (G34). */
import { storeCallback } from '../../../src/db/payments/callbacks';
import { newId } from '../../../src/db/pg/ids';
import { findTransaction } from '../../../src/db/ledger/transactions';
import { DAY_CLASSES, FINDING_CLASSES, type FindingClass } from '../../../src/domain/findings';
import { openActivities, type TestActivities } from '../../support/activities';
import { openTestCell, type TestCell } from '../../support/cell';
import { bankTransfer, funding, p2p, settlement, transactionIdOf } from '../../support/movements';
import { pastChecks } from '../../support/past-checks';
import { SANDBOX_CELL } from '../../setup/cells';

const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
/** One resource of each kind, which the seeds damage. */
let ids: Record<'ada' | 'bola' | 'p2p' | 'funding' | 'completed' | 'failed' | 'reversal' | 'open', string>;

beforeEach(async () => {
  cell = await openTestCell();
  activities = openActivities(cell.url, { RECONCILE_AFTER_MS: '0' });
  const writer = cell.openWriter();
  const ada = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const bola = await cell.wallet({ partnerId });
  const [paid] = [await writer.post(p2p({ partnerId, from: ada, to: bola, amountKobo: 10_000 }))];
  const transfers: string[] = [];
  for (const end of ['completed', 'failed', null] as const) {
    const id = transactionIdOf(await writer.post(bankTransfer({ partnerId, from: ada, amountKobo: 20_000 })));
    if (end) await writer.post(settlement({ partnerId, transactionId: id, from: ada, to: end }));
    transfers.push(id);
  }
  const [completed = '', failed = '', open = ''] = transfers;
  const given = await writer.post(funding({ partnerId, to: bola, amountKobo: 5_000 }));
  const [reversal] = await cell.sql(`SELECT reversal_id FROM ${SANDBOX_CELL}.reversals`);
  ids = {
    ada,
    bola,
    p2p: transactionIdOf(paid),
    funding: transactionIdOf(given),
    completed,
    failed,
    reversal: reversal?.['reversal_id'],
    open,
  };
});
afterEach(async () => {
  await activities.close();
  await cell.close();
});

const seed = (...statements: string[]) => pastChecks(cell.owner, statements);

const reconcile = (everything = false) => activities.run('reconcileCell', SANDBOX_CELL, everything);
const findings = (open = true) =>
  cell.sql(
    `SELECT class, resource, detail FROM ${SANDBOX_CELL}.recon_findings
      WHERE (closed_at IS NULL) = $1 ORDER BY class, resource`,
    [open],
  );

/** A provider's callback about a transfer, as the route keeps it. */
async function hear(transactionId: string, outcome: string, amountKobo = 20_000): Promise<void> {
  const notice = {
    eventId: newId(),
    transferName: transactionId,
    attemptNumber: null,
    providerReference: 'SBX_1',
    outcome,
    amountKobo,
    currency: 'NGN',
    occurredAt: new Date(),
  };
  const transfer = await findTransaction(cell.cell, partnerId, transactionId);
  const kept = { id: newId(), bodySealed: 'sealed', transfer, attempt: null };
  await storeCallback(cell.forApi, 'simulator', notice, kept);
}

test.each([false, true])('sound books: no finding, everything looked at (all at once: %s)', async (all) => {
  const run = await reconcile(all);
  expect(run).toMatchObject({ found: 0, closed: 0, revived: 0 });
  expect(run.looked).toBeGreaterThanOrEqual(7);
  expect(await findings()).toEqual([]);
  expect(await reconcile(all)).toMatchObject({ found: 0 });
});

type Seed = [FindingClass, () => Promise<void>, resource: () => string, also?: FindingClass[]];
const SEEDS: Seed[] = [
  [
    'transaction_unbalanced',
    () =>
      seed(`UPDATE entries SET amount_kobo = amount_kobo + 1
                 WHERE transaction_id = '${ids.p2p}' AND sequence IS NULL AND account::text LIKE '%4100'`),
    () => ids.p2p,
    ['ledger_unbalanced'],
  ],
  [
    'ledger_unbalanced',
    () =>
      seed(`UPDATE entries SET amount_kobo = amount_kobo - 7
                 WHERE transaction_id = '${ids.completed}' AND account::text LIKE '%1200'`),
    () => SANDBOX_CELL,
    ['transaction_unbalanced'],
  ],
  [
    'transaction_impossible',
    () => seed(`UPDATE transactions SET status = 'processing', completed_at = NULL WHERE id = '${ids.p2p}'`),
    () => ids.p2p,
  ],
  [
    'balance_mismatch',
    () => seed(`UPDATE accounts SET balance_kobo = balance_kobo + 1 WHERE id = '${ids.bola}'`),
    () => ids.bola,
  ],
  [
    'chain_broken',
    () =>
      seed(`UPDATE entries SET balance_after_kobo = balance_after_kobo + 1
                 WHERE transaction_id = '${ids.p2p}' AND account = '${ids.ada}'`),
    () => ids.p2p,
  ],
  [
    'entries_missing',
    () => seed(`DELETE FROM entries WHERE transaction_id = '${ids.completed}' AND step = 'settle'`),
    () => ids.completed,
  ],
  [
    'processing_too_long',
    () =>
      seed(
        `UPDATE transactions SET created_at = now() - interval '2 days', paused = false WHERE id = '${ids.open}'`,
      ),
    () => ids.open,
  ],
  ['reversal_missing', () => seed(`DELETE FROM reversals`), () => ids.failed, ['reversal_repeated']],
  [
    'reversal_repeated',
    () => {
      const again = newId();
      return seed(
        `INSERT INTO transactions SELECT (json_populate_record(t, json_build_object('id', '${again}'))).*
           FROM transactions t WHERE id = '${ids.reversal}'`,
        `INSERT INTO entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
         SELECT '${again}', step, CASE WHEN sequence IS NULL THEN account ELSE '${newId()}' END, gen_random_uuid(),
                amount_kobo, NULL, NULL, now() FROM entries WHERE transaction_id = '${ids.reversal}'`,
      );
    },
    () => '',
  ],
  ['provider_contradiction', () => hear(ids.failed, 'success'), () => ids.failed],
  ['provider_unknown', () => hear(newId(), 'success'), () => ''],
  [
    'fee_mismatch',
    () => seed(`UPDATE transactions SET customer_fee_kobo = customer_fee_kobo + 1 WHERE id = '${ids.p2p}'`),
    () => ids.p2p,
  ],
  [
    'expired_but_open',
    () =>
      seed(`INSERT INTO ussd_sessions (id, partner_id, transaction_id, payer_wallet, merchant_wallet,
                dial_code, status, created_at, updated_at, expires_at)
              VALUES ('${newId()}', '${partnerId}', '${ids.open}', '${ids.ada}', '${ids.bola}', '123456',
                'pin_entry', now(), now(), now() - interval '2 minutes')`),
    () => '',
  ],
  ['held_mismatch', () => seed(`UPDATE accounts SET held_kobo = 1 WHERE id = '${ids.bola}'`), () => ids.bola],
  [
    'suspense_differs',
    () =>
      seed(
        `INSERT INTO entries (transaction_id, step, account, id, amount_kobo, created_at)
         SELECT '${ids.completed}', 'return', ('00000000-0000-0000-0000-00000000' || code)::uuid, gen_random_uuid(),
                kobo, now() FROM (VALUES ('2900', 105000), ('1200', -105000)) AS posted(code, kobo)`,
      ),
    () => `${SANDBOX_CELL}/2900`,
  ],
  ['event_missing', () => seed(`DELETE FROM events WHERE resource_id = '${ids.funding}'`), () => ids.funding],
];

test('every class that a database can show has a seed', () => {
  // Those of a provider's day are in provider-days.test.ts, those of payments that come in in e2e/paystack.test.ts
  // and database/inbound-refunds.test.ts, and those of money without an owner in
  // api/operators/returns.test.ts.
  const elsewhere: string[] = ['paid_after_all', 'workflow_missing', 'workflow_failing', 'lost_in_restore'];
  elsewhere.push(
    ...DAY_CLASSES,
    'payment_unallocated',
    'return_unallocated',
    'debit_unexplained',
    'adjustment_unexplained',
    'payment_unconfirmed',
    'payment_returned',
    'refund_stuck',
  );
  const seeded = SEEDS.map(([name]) => name);
  expect([...seeded, ...elsewhere].sort()).toEqual(Object.keys(FINDING_CLASSES).sort());
});

test.each(SEEDS)(
  '%s: found by one run, and listed once although later runs see it again',
  async (name, corrupt, resource, also = []) => {
    await reconcile();
    await corrupt();
    await reconcile();
    const found = await findings();
    expect(new Set(found.map((one) => one['class']))).toEqual(new Set([name, ...also]));
    const wanted = found.filter((one) => one['class'] === name);
    // A wrong balance after one entry also makes a finding at the next entry.
    expect(wanted).toHaveLength(name === 'chain_broken' ? 2 : 1);
    if (resource() !== '') expect(wanted.map((one) => one['resource'])).toContain(resource());
    await reconcile(true);
    expect((await findings()).map((one) => one['class'])).toEqual(found.map((one) => one['class']));
  },
);

test('all classes at once: one run finds them all', async () => {
  for (const [, corrupt] of SEEDS) await corrupt();
  await reconcile();
  const found = new Set((await findings()).map((one) => one['class']));
  expect([...found].sort()).toEqual(SEEDS.map(([name]) => name).sort());
});

test('a finding whose cause is mended is closed by the next run, and opens again as a new row', async () => {
  const break_ = () => seed(`UPDATE accounts SET balance_kobo = balance_kobo + 1 WHERE id = '${ids.bola}'`);
  const mend = () => seed(`UPDATE accounts SET balance_kobo = balance_kobo - 1 WHERE id = '${ids.bola}'`);
  await break_();
  await reconcile();
  await mend();
  expect(await reconcile()).toMatchObject({ found: 0, closed: 1 });
  expect(await findings()).toEqual([]);
  await break_();
  await reconcile();
  expect(await findings()).toHaveLength(1);
  expect(await findings(false)).toHaveLength(1);
});

test('a provider’s contradiction stays until people close it, and is not found again afterwards', async () => {
  await hear(ids.failed, 'success');
  await reconcile();
  await reconcile(true);
  expect(await findings()).toMatchObject([
    { class: 'provider_contradiction', resource: ids.failed, detail: { about: 'outcome', status: 'failed' } },
  ]);
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.recon_findings SET closed_at = now(), closed_by = 'ada', closed_note = 'ok'`,
  );
  await reconcile(true);
  expect(await findings()).toEqual([]);
});

test('a callback about a transfer that is open is no finding before its end', async () => {
  await hear(ids.open, 'failed');
  await reconcile();
  expect(await findings()).toEqual([]);
  const writer = cell.openWriter();
  await writer.post(settlement({ partnerId, transactionId: ids.open, from: ids.ada, to: 'completed' }));
  await reconcile();
  expect(await findings()).toMatchObject([{ class: 'provider_contradiction', resource: ids.open }]);
});

test('many runs while money moves all the time: no false alarm', async () => {
  const [one, other] = [cell.openWriter(), cell.openWriter()];
  let moving = true;
  const move = async (n: number): Promise<void> => {
    const writer = n % 2 ? one : other;
    const [from, to] = n % 3 ? [ids.ada, ids.bola] : [ids.bola, ids.ada];
    while (moving) {
      await writer.post(p2p({ partnerId, from, to, amountKobo: 1 + n }));
      const sent = await writer.post(bankTransfer({ partnerId, from: ids.ada, amountKobo: 1 }));
      if (!sent.ok || sent.value.kind !== 'posted') continue;
      const end = n % 2 ? ('completed' as const) : ('failed' as const);
      await writer.post(
        settlement({ partnerId, transactionId: sent.value.transaction.id, from: ids.ada, to: end }),
      );
    }
  };
  const moves = Array.from({ length: 6 }, (_, n) => move(n));
  for (let runs = 0; runs < 8; runs++) expect(await reconcile(runs % 2 === 0)).toMatchObject({ found: 0 });
  moving = false;
  await Promise.all(moves);
  expect(await findings()).toEqual([]);
});
