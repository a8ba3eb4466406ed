/**
 * A company takes a payment back: the wallet that was credited is debited as far as it has the money, and the rest is
 * unexplained, with a finding; once for each return (R45). The company is a fake, which says what a case needs.
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { adjustmentOpening } from '../../src/domain/adjustments';
import { directoryOf } from '../../src/db/pg/schema';
import type { ConfirmOutcome } from '../../src/domain/inbound';
import type { MadeRefund, RefundQueryOutcome } from '../../src/domain/refunds';
import type { Provider } from '../../src/providers/port';
import { activitiesForFile } from '../support/scene';
import { withFake } from '../support/fakes';
import { noPages } from '../support/pages';
import { FIRST_SANDBOX_CELL, SANDBOX_CELL } from '../setup/cells';

const AMOUNT_KOBO = 500_000;
const BANK = '035';
const partnerId = newId();
/** What the company says of every payment, and its list of what went back. */
let says: ConfirmOutcome;
let made: MadeRefund[];

const company: Provider = {
  name: 'paystack',
  can: { failsForGood: false, asksFirst: false },
  inbound: {
    confirm(reference) {
      if (says !== 'received') return Promise.resolve({ outcome: says, pollAfterMs: null });
      const payment = {
        providerRef: `of-${reference}`,
        amountKobo: AMOUNT_KOBO,
        feeKobo: 5_000,
        bankCode: BANK,
        accountNumber: reference,
        customerRef: null,
        sender: { name: null, bankName: null, accountNumber: null, narration: null },
      };
      return Promise.resolve({ outcome: 'received', payment });
    },
    list: noPages,
  },
  refunds: {
    order: () => Promise.reject(new Error('nothing is ordered here')),
    query: () => Promise.reject(new Error('nothing is ordered here')),
    made: () => Promise.resolve(made),
  },
};

const { cell, activities } = activitiesForFile({
  change: (environment) => withFake(environment, () => company),
});
beforeAll(async () => {
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
});
beforeEach(() => {
  says = 'received';
  made = [];
});

let accounts = 9_930_000_000;
/** A wallet that was credited with a payment. The payment's reference is the number of its account. */
async function credited(): Promise<{ reference: string; walletId: string }> {
  const reference = String((accounts += 1));
  const walletId = await cell.wallet({ partnerId });
  await cell.sql(
    `INSERT INTO ${directoryOf('sandbox')}.nubans (bank_code, account_number, partner_id, wallet_id)
     VALUES ($1, $2, $3, $4)`,
    [BANK, reference, partnerId, walletId],
  );
  const booked = await activities.run('bookPayment', { provider: 'paystack', reference }, 0, 0);
  expect(booked).toEqual({ kind: 'ended', as: 'credited' });
  return { reference, walletId };
}
const back = (reference: string, amountKobo = AMOUNT_KOBO, outcome: RefundQueryOutcome = 'success'): void => {
  const providerRef = `rfd-${reference}-${String(made.length)}`;
  made.push({ providerRef, paymentRef: `of-${reference}`, amountKobo, outcome });
};
const follow = (reference: string) =>
  activities.run('bookPayment', { provider: 'paystack', reference, about: 'return' }, 0, 0);
/** Takes money out of a wallet, or puts some into it, as an operator's correction does. */
async function move(walletId: string, direction: 'credit' | 'debit', amountKobo: number): Promise<void> {
  const movement = adjustmentOpening(newId(), partnerId, { walletId, direction, amountKobo, reason: 'x' });
  const posted = await cell.openWriter().post({ movement, announce: () => [] });
  expect(posted.ok).toBe(true);
}
/** What was booked because payments went back, by account. The wallet is W. */
async function booksOf(walletId: string): Promise<[type: string, ...entries: [string, number][]][]> {
  const rows = await cell.sql(
    `SELECT t.type, json_agg(json_build_array(e.account, e.amount_kobo) ORDER BY e.amount_kobo) AS entries
       FROM ${SANDBOX_CELL}.transactions t JOIN ${SANDBOX_CELL}.entries e ON e.transaction_id = t.id
      WHERE t.created_at >= (SELECT max(created_at) FROM ${SANDBOX_CELL}.transactions
                              WHERE dest_wallet = $1 AND type = 'wallet_funding')
        AND (t.type = 'return_shortfall' OR (t.type = 'wallet_debit' AND t.source_wallet = $1
        AND t.reference LIKE 'returned%')) GROUP BY t.id, t.type ORDER BY t.id`,
    [walletId],
  );
  return rows.map((row) => [
    row['type'] as string,
    ...(row['entries'] as [string, number][]).map(([account, kobo]): [string, number] => [
      account === walletId ? 'W' : account.slice(-4),
      kobo,
    ]),
  ]);
}
const findingsOf = (reference: string, schema = SANDBOX_CELL) =>
  cell.sql(
    `SELECT f.detail->>'why' AS why, (f.detail->>'short')::int AS short FROM ${schema}.recon_findings f
       JOIN ${schema}.inbound_credits c ON c.id::text = f.resource
      WHERE c.reference = $1 AND f.class = 'payment_returned' AND f.closed_at IS NULL`,
    [reference],
  );

test('a wallet that has the money is debited once, however often and at once that is asked', async () => {
  const { reference, walletId } = await credited();
  back(reference);
  const returned = { kind: 'ended', as: 'returned' };
  expect(await Promise.all([follow(reference), follow(reference), follow(reference)])).toEqual([
    returned,
    returned,
    returned,
  ]);
  expect(await follow(reference)).toEqual(returned);
  expect(await booksOf(walletId)).toEqual([['wallet_debit', ['W', -AMOUNT_KOBO], ['1300', AMOUNT_KOBO]]]);
  expect([await cell.balanceKobo(walletId), await findingsOf(reference)]).toEqual([0, []]);
  const events = await cell.sql(
    `SELECT e.kind FROM ${SANDBOX_CELL}.events e JOIN ${SANDBOX_CELL}.transactions t ON t.id = e.resource_id
      WHERE t.source_wallet = $1`,
    [walletId],
  );
  expect(events).toEqual([{ kind: 'transaction.completed' }]);
});

test.each<[what: string, leftKobo: number, books: Awaited<ReturnType<typeof booksOf>>]>([
  [
    'has spent a part of it',
    200_000,
    [
      ['wallet_debit', ['W', -200_000], ['1300', 200_000]],
      ['return_shortfall', ['1900', -300_000], ['1300', 300_000]],
    ],
  ],
  [
    'lacks one kobo of it',
    499_999,
    [
      ['wallet_debit', ['W', -499_999], ['1300', 499_999]],
      ['return_shortfall', ['1900', -1], ['1300', 1]],
    ],
  ],
  ['has spent all of it', 0, [['return_shortfall', ['1900', -AMOUNT_KOBO], ['1300', AMOUNT_KOBO]]]],
])(
  'a wallet that %s is debited by what it has, and the rest is a finding',
  async (_what, leftKobo, books) => {
    const { reference, walletId } = await credited();
    await move(walletId, 'debit', AMOUNT_KOBO - leftKobo);
    back(reference);
    await follow(reference);
    const sorted = (await booksOf(walletId)).sort(([one], [other]) => other.localeCompare(one));
    expect(sorted).toEqual(books);
    expect(await findingsOf(reference)).toEqual([{ why: 'shortfall', short: AMOUNT_KOBO - leftKobo }]);
    // Money that comes later is not taken for it.
    await move(walletId, 'credit', AMOUNT_KOBO);
    await follow(reference);
    expect(await cell.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
  },
);

test('a frozen wallet is debited, and a closed one is not', async () => {
  const [frozen, closed] = [await credited(), await credited()];
  await move(closed.walletId, 'debit', AMOUNT_KOBO);
  for (const [status, { walletId }] of Object.entries({ frozen, closed })) {
    await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = $2 WHERE id = $1`, [walletId, status]);
  }
  back(frozen.reference);
  back(closed.reference);
  await follow(frozen.reference);
  await follow(closed.reference);
  expect(await cell.balanceKobo(frozen.walletId)).toBe(0);
  expect(await findingsOf(frozen.reference)).toEqual([]);
  expect(await findingsOf(closed.reference)).toEqual([{ why: 'shortfall', short: AMOUNT_KOBO }]);
});

test('each part that goes back is booked once', async () => {
  const { reference, walletId } = await credited();
  back(reference, 100_000);
  await follow(reference);
  back(reference, 400_000);
  await follow(reference);
  await follow(reference);
  expect(await booksOf(walletId)).toEqual([
    ['wallet_debit', ['W', -100_000], ['1300', 100_000]],
    ['wallet_debit', ['W', -400_000], ['1300', 400_000]],
  ]);
});

test.each(['pending', 'needs_people', 'unknown'] as const)(
  'a return that is %s moves nothing, and is asked about again',
  async (outcome) => {
    const { reference, walletId } = await credited();
    back(reference, AMOUNT_KOBO, outcome);
    expect(await follow(reference)).toMatchObject({ kind: 'open', answer: 'pending' });
    expect([await booksOf(walletId), await cell.balanceKobo(walletId)]).toEqual([[], AMOUNT_KOBO]);
  },
);

test('one that has failed, and one of another payment, move nothing', async () => {
  const { reference, walletId } = await credited();
  back(reference, AMOUNT_KOBO, 'failed');
  back('another');
  expect(await follow(reference)).toEqual({ kind: 'ended', as: 'credited' });
  expect([await booksOf(walletId), await findingsOf(reference)]).toEqual([[], []]);
});

test('a payment that is called reversed, while no refund says how much of it, is a finding and moves nothing', async () => {
  const { reference, walletId } = await credited();
  says = 'failed';
  expect(await follow(reference)).toEqual({ kind: 'ended', as: 'credited' });
  expect(await booksOf(walletId)).toEqual([]);
  expect(await findingsOf(reference)).toEqual([{ why: 'amount_not_told', short: null }]);
});

test('a payment that no wallet took is left to people, who order the refund that is there', async () => {
  const reference = String((accounts += 1));
  expect(await activities.run('bookPayment', { provider: 'paystack', reference }, 0, 0)).toEqual({
    kind: 'ended',
    as: 'unallocated',
  });
  back(reference);
  expect(await follow(reference)).toEqual({ kind: 'ended', as: 'returned' });
  expect(await findingsOf(reference, FIRST_SANDBOX_CELL)).toEqual([{ why: 'not_ordered', short: null }]);
});

describe('a payment that no wallet takes says why, how much, and to which number', () => {
  const unallocated = async (reference: string, bank = BANK) => {
    const booked = await activities.run('bookPayment', { provider: 'paystack', reference }, 0, 0);
    expect(booked).toEqual({ kind: 'ended', as: 'unallocated' });
    // To book it again finds it booked, and its finding.
    expect(await activities.run('bookPayment', { provider: 'paystack', reference }, 0, 0)).toEqual(booked);
    const found = await cell.sql(
      `SELECT f.account, f.kobo::int, f.detail FROM ${SANDBOX_CELL}.recon_findings f
         JOIN ${SANDBOX_CELL}.inbound_credits c ON c.id::text = f.resource
        WHERE c.reference = $1 AND f.class = 'payment_unallocated' AND f.closed_at IS NULL`,
      [reference],
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      account: '2900',
      kobo: AMOUNT_KOBO,
      detail: {
        kobo: AMOUNT_KOBO,
        account_number: reference,
        bank_code: bank,
        provider: 'paystack',
        reference,
      },
    });
    return found[0]!['detail'] as Record<string, unknown>;
  };
  /** A wallet with an account number, to which nothing has come yet. */
  async function numbered(
    status: 'active' | 'closed' = 'active',
  ): Promise<{ reference: string; walletId: string }> {
    const reference = String((accounts += 1));
    const walletId = await cell.wallet({ partnerId, status });
    await cell.sql(
      `INSERT INTO ${directoryOf('sandbox')}.nubans (bank_code, account_number, partner_id, wallet_id)
       VALUES ($1, $2, $3, $4)`,
      [BANK, reference, partnerId, walletId],
    );
    return { reference, walletId };
  }

  test('nobody has the number', async () => {
    const detail = await unallocated(String((accounts += 1)));
    expect(detail).toMatchObject({ why: 'UNKNOWN_ACCOUNT', wallet: null, partner: null });
  });

  test('its wallet is closed', async () => {
    const { reference, walletId } = await numbered('closed');
    expect(await unallocated(reference)).toMatchObject({
      why: 'WALLET_CLOSED',
      wallet: walletId,
      partner: partnerId,
    });
  });

  test('a limit of its wallet would be passed', async () => {
    const { reference, walletId } = await numbered();
    await move(walletId, 'credit', 29_900_000);
    await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET limit_tier = 'tier_1' WHERE id = $1`, [walletId]);
    const detail = await unallocated(reference);
    expect(detail).toMatchObject({ why: 'LIMIT_EXCEEDED', limit: 'largest_balance', wallet: walletId });
  });
});
