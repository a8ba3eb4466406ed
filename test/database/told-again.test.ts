/**
 * What a company says again under a known key is compared with what is kept (R52): an event of a transfer, a payment that came
 * in. A repeat that says the same changes nothing; one that says something else is kept, asked about or told to people.
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { directoryOf } from '../../src/db/pg/schema';
import { storeCallback } from '../../src/db/payments/callbacks';
import type { CallbackNotice } from '../../src/domain/callbacks';
import type { InboundPayment } from '../../src/domain/inbound';
import type { Provider } from '../../src/providers/port';
import { FIRST_SANDBOX_CELL, SANDBOX_CELL } from '../setup/cells';
import { activitiesForFile } from '../support/scene';
import { noPages } from '../support/pages';
import { withFake } from '../support/fakes';

const AMOUNT_KOBO = 500_000;
const BANK = '035';
const partnerId = newId();
/** What the company says of the payment that it is asked about. */
let says: Partial<InboundPayment>;
let asked = 0;

const company: Provider = {
  name: 'paystack',
  can: { failsForGood: false, asksFirst: false },
  inbound: {
    confirm(reference) {
      asked += 1;
      const sender = { name: null, bankName: null, accountNumber: null, narration: null };
      const payment = {
        providerRef: `of-${reference}`,
        amountKobo: AMOUNT_KOBO,
        feeKobo: 5_000,
        bankCode: BANK,
        accountNumber: reference,
        customerRef: null,
        sender,
        ...says,
      };
      return Promise.resolve({ outcome: 'received', payment });
    },
    list: noPages,
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
  says = {};
});

let accounts = 9_940_000_000;
/** The number of a wallet's account, by which its payments are named here. */
async function account(): Promise<{ reference: string; walletId: string }> {
  const reference = String((accounts += 1));
  const walletId = await cell.wallet({ partnerId });
  await cell.sql(
    `INSERT INTO ${directoryOf('sandbox')}.nubans (bank_code, account_number, partner_id, wallet_id)
     VALUES ($1, $2, $3, $4)`,
    [BANK, reference, partnerId, walletId],
  );
  return { reference, walletId };
}
const tell = (reference: string) => activities.run('bookPayment', { provider: 'paystack', reference }, 0, 0);
const findingsOf = async (reference: string) => {
  const rows = await cell.sql(
    `SELECT f.detail->'kept' AS kept, f.detail->'told' AS told FROM ${SANDBOX_CELL}.recon_findings f
       JOIN ${SANDBOX_CELL}.inbound_credits c ON c.id::text = f.resource
      WHERE c.reference = $1 AND f.class = 'provider_contradiction' AND f.closed_at IS NULL`,
    [reference],
  );
  return rows;
};

test('a payment that is told again as it was is asked about, and nothing differs', async () => {
  const { reference, walletId } = await account();
  await tell(reference);
  const before = asked;
  expect(await tell(reference)).toEqual({ kind: 'ended', as: 'credited' });
  expect(asked).toBe(before + 1);
  expect(await findingsOf(reference)).toEqual([]);
  expect(await cell.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
});

test.each<[what: string, says: Partial<InboundPayment>, kept: object, told: object]>([
  ['another amount', { amountKobo: AMOUNT_KOBO + 1 }, { kobo: AMOUNT_KOBO }, { kobo: AMOUNT_KOBO + 1 }],
  ['another fee', { feeKobo: 6_000 }, { feeKobo: 5_000 }, { feeKobo: 6_000 }],
  ['another bank', { bankCode: '058' }, { bankCode: BANK }, { bankCode: '058' }],
  [
    'another account',
    { accountNumber: '0000000000' },
    { account: 'the number that is kept' },
    { account: 'another number' },
  ],
])(
  'a payment that is told again with %s is a finding, and moves nothing',
  async (_what, again, kept, told) => {
    const { reference, walletId } = await account();
    await tell(reference);
    says = again;
    expect(await tell(reference)).toEqual({ kind: 'ended', as: 'credited' });
    expect(await findingsOf(reference)).toEqual([{ kept, told }]);
    expect(await cell.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
  },
);

/** A payment that was kept and, because of a crash, is not booked. */
async function keptOnly(feeKobo: number | null): Promise<{ reference: string; walletId: string }> {
  const { reference, walletId } = await account();
  const creditId = newId();
  await cell.sql(
    `INSERT INTO ${directoryOf('sandbox')}.inbound_claims (provider, reference, credit_id, cell, partner_id, wallet_id)
     VALUES ('paystack', $1, $2, '${SANDBOX_CELL}', $3, $4)`,
    [reference, creditId, partnerId, walletId],
  );
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, fee_kobo, bank_code,
       account_number, partner_id, wallet_id)
     VALUES ($1, 'paystack', $2, $3, ${String(AMOUNT_KOBO)}, $4, '${BANK}', $2, $5, $6)`,
    [creditId, reference, `of-${reference}`, feeKobo, partnerId, walletId],
  );
  return { reference, walletId };
}

test('a payment of which the company says something else before it is booked is not booked until it says one thing', async () => {
  const { reference, walletId } = await keptOnly(5_000);
  says = { amountKobo: AMOUNT_KOBO - 1 };
  await expect(tell(reference)).rejects.toThrow('has said something else');
  expect(await cell.balanceKobo(walletId)).toBe(0);
  expect(await findingsOf(reference)).toEqual([
    { kept: { kobo: AMOUNT_KOBO }, told: { kobo: AMOUNT_KOBO - 1 } },
  ]);
  says = {};
  expect(await tell(reference)).toEqual({ kind: 'ended', as: 'credited' });
  expect(await cell.balanceKobo(walletId)).toBe(AMOUNT_KOBO);
});

test('a payment is booked with the fee that is kept, so that the statement is compared with what was booked', async () => {
  const { reference } = await keptOnly(null);
  await tell(reference);
  const rows = await cell.sql(
    `SELECT right(e.account::text, 4) AS account, e.amount_kobo::int AS kobo FROM ${SANDBOX_CELL}.entries e
       JOIN ${SANDBOX_CELL}.inbound_credits c ON c.id = e.transaction_id
      WHERE c.reference = $1 AND right(e.account::text, 4) = '2300'`,
    [reference],
  );
  expect(rows).toHaveLength(1);
});

test('an event that comes again is kept once, and one that says something else under its id is kept beside it', async () => {
  const eventId = `event-${newId()}`;
  const notice: CallbackNotice = {
    eventId,
    transferName: 'not ours',
    attemptNumber: null,
    providerReference: 'P-1',
    outcome: 'success',
    amountKobo: 1_000,
    currency: 'NGN',
    occurredAt: new Date(),
  };
  const store = (more: Partial<CallbackNotice> = {}) =>
    storeCallback(
      { ...cell.forApi, schema: FIRST_SANDBOX_CELL },
      'simulator',
      { ...notice, ...more },
      {
        id: newId(),
        bodySealed: 'sealed',
        transfer: null,
        attempt: null,
      },
    );
  await store();
  await store();
  // The moment of which it speaks may be that of sending it again.
  await store({ occurredAt: new Date(0) });
  await store({ outcome: 'failed' });
  await store({ outcome: 'failed' });
  await store({ amountKobo: 999 });
  const rows = await cell.sql(
    `SELECT event_id, outcome, amount_kobo::int AS kobo FROM ${FIRST_SANDBOX_CELL}.provider_callbacks
      WHERE event_id LIKE $1 ORDER BY received_at, id`,
    [`${eventId}%`],
  );
  expect(rows.map(({ outcome, kobo }) => [outcome, kobo])).toEqual([
    ['success', 1_000],
    ['failed', 1_000],
    ['success', 999],
  ]);
});
