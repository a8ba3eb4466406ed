/**
 * The end of a bank transfer: once, along its machine; a failure gives back amount and fee in one reversal (D56,
 * D96).
 */
import { valueAs } from '../../support/outcomes';
import { done, nameOf } from '../../../src/domain/outcome';
import { systemAccountId } from '../../../src/domain/accounts';
import { decide, type Books, type Posted } from '../../../src/domain/ledger';
import { next } from '../../../src/domain/machine';
import {
  BANK_TRANSFER_MACHINE,
  TRANSACTION_STATUSES,
  type BankTransferTrigger,
} from '../../../src/domain/transactions';
import {
  acceptedTransfer,
  account,
  ADA,
  balanceOf,
  bank,
  booksOf,
  BOLA,
  decideOne,
  funding,
  p2p,
  PARTNER,
  postOne,
  settlement,
  uuid,
} from '../../support/books';

const MAX = Number.MAX_SAFE_INTEGER;
const LATER = new Date('2026-11-21T10:00:02.000Z');
const TRIGGERS = ['provider_success', 'provider_failure'] as const;

function scene(status: (typeof TRANSACTION_STATUSES)[number] = 'processing') {
  const books = booksOf(account(ADA));
  const accepted = acceptedTransfer(books, { reference: 'order-1' });
  const transfer = { ...accepted, status };
  books.transactions.set(transfer.id, transfer);
  books.now = LATER;
  return { books, transfer };
}

const OUTCOMES = { provider_success: 'completed', provider_failure: 'failed' } as const;

describe('every status under every trigger', () => {
  const pairs = TRANSACTION_STATUSES.flatMap((status) =>
    ([...TRIGGERS, 'provider_return'] as const).map((trigger) => [status, trigger] as const),
  );

  test.each(pairs)('%s, %s', (status, trigger) => {
    const { books, transfer } = scene(status);
    const decision = decideOne(books, settlement(transfer.id, { trigger }));
    const after = next(BANK_TRANSFER_MACHINE, status, trigger);
    if (after) {
      expect(decision).toMatchObject({
        value: { kind: 'posted', was: status, transaction: { status: after } },
      });
      return;
    }
    expect(decision).toEqual(done({ kind: 'settled_before', transaction: transfer }));
    expect(balanceOf(books, ADA)).toBe(985_000);
  });
});

describe('success', () => {
  const facts = {
    provider: 'simulator',
    sessionId: '000058',
    responseCode: '00',
    feeKobo: null,
    dutyKobo: null,
  };

  test('completes the transfer now, keeps the provider facts, and leaves the wallet as it is', () => {
    const { books, transfer } = scene();
    const posted = postOne(books, settlement(transfer.id, { facts, failedReason: 'ignored' }));
    expect(posted).toMatchObject({
      was: 'processing',
      reversal: null,
      balances: { sourceKobo: 985_000, destKobo: null },
    });
    expect(posted.transaction).toEqual({
      ...transfer,
      status: 'completed',
      pspMeta: facts,
      completedAt: LATER,
      updatedAt: LATER,
    });
  });

  test('without facts, what the provider said before is kept', () => {
    const { books, transfer } = scene();
    books.transactions.set(transfer.id, { ...transfer, pspMeta: facts });
    expect(postOne(books, settlement(transfer.id)).transaction.pspMeta).toEqual(facts);
  });

  test('the money is paid out of the balance at the PSP', () => {
    const { books, transfer } = scene();
    const { entries } = postOne(books, settlement(transfer.id));
    const account = systemAccountId('1200');
    expect(entries.find((entry) => entry.account === account)).toEqual({
      transactionId: transfer.id,
      step: 'settle',
      account,
      amountKobo: 10_000,
      sequence: null,
      balanceAfterKobo: null,
    });
  });
});

describe('failure', () => {
  const failure = { trigger: 'provider_failure', failedReason: 'Do not honor' } as const;

  test('fails the transfer with its reason and without a time of completion', () => {
    const { books, transfer } = scene();
    expect(postOne(books, settlement(transfer.id, failure)).transaction).toEqual({
      ...transfer,
      status: 'failed',
      failedReason: 'Do not honor',
      completedAt: null,
      updatedAt: LATER,
    });
  });

  test('gives back amount and fee in one completed reversal', () => {
    const { books, transfer } = scene();
    const posted = postOne(books, settlement(transfer.id, { ...failure, reversalId: uuid(8) }));
    expect(posted.reversal).toMatchObject({
      id: uuid(8),
      partnerId: PARTNER,
      type: 'reversal',
      status: 'completed',
      amountKobo: 15_000,
      sourceWalletId: null,
      destWalletId: ADA,
      reference: `rev_${transfer.id}`,
      metadata: { original_transaction_id: transfer.id, original_reference: 'order-1' },
      fees: { customerFeeKobo: 0, merchantFeeKobo: 0, platformFeeKobo: 0, mfbCostKobo: 0 },
      completedAt: LATER,
    });
    expect(posted.entries.map((entry) => [entry.transactionId, entry.step])).toEqual(
      Array.from({ length: 3 }, () => [uuid(8), 'return']),
    );
    expect(posted.balances).toEqual({ sourceKobo: 1_000_000, destKobo: null });
    expect(balanceOf(books, ADA)).toBe(1_000_000);
  });

  test.each(['frozen', 'closed'] as const)('a source that is %s by now gets its money back too', (status) => {
    const { books, transfer } = scene();
    books.accounts.set(ADA, account(ADA, { status, balanceKobo: 0, inFlightKobo: 15_000, sequence: 4 }));
    expect(postOne(books, settlement(transfer.id, failure)).balances.sourceKobo).toBe(15_000);
  });
});

describe('stamp duty that was charged with it (R46)', () => {
  const DUTY = { transactionId: uuid(7), amountKobo: 5_000 };
  const inWords = (entries: Posted['entries']) =>
    entries.map(({ transactionId, step, account: id, amountKobo }) => [
      transactionId === DUTY.transactionId ? 'duty' : 'other',
      step,
      id === ADA ? 'ada' : id.slice(-4),
      amountKobo,
    ]);

  /** A transfer of 10,000 kobo that was charged with a duty; the rule of the amount is not the ledger's. */
  function charged() {
    const books = booksOf(account(ADA));
    const posted = postOne(books, bank({ reference: 'order-1', duty: DUTY }));
    const { transaction: transfer, duty } = posted;
    books.transactions.set(transfer.id, transfer);
    books.duties.set(DUTY.transactionId, duty!.transaction);
    books.now = LATER;
    const settle = (trigger: BankTransferTrigger) =>
      settlement(transfer.id, { trigger, duty: { transactionId: DUTY.transactionId, reversalId: uuid(9) } });
    return { books, posted, transfer, settle };
  }

  test('is a transaction of its own, and the balance after the transfer is what is left', () => {
    const { books, posted, transfer } = charged();
    expect(posted.duty).toMatchObject({
      reversal: null,
      transaction: {
        id: DUTY.transactionId,
        type: 'fee_deduction',
        status: 'completed',
        amountKobo: 5_000,
        sourceWalletId: ADA,
        destWalletId: null,
        reference: `duty_${transfer.id}`,
        metadata: { original_transaction_id: transfer.id, original_reference: 'order-1' },
      },
    });
    expect(inWords(posted.entries)).toEqual([
      ['duty', 'accept', 'ada', -5_000],
      ['duty', 'accept', '2410', 5_000],
      ['other', 'accept', 'ada', -15_000],
      ['other', 'accept', '2200', 10_000],
      ['other', 'accept', '2210', 5_000],
    ]);
    expect(posted.balances.sourceKobo).toBe(980_000);
    expect(books.accounts.get(ADA)).toMatchObject({ balanceKobo: 980_000, inFlightKobo: 20_000 });
  });

  test('needs money beside the transfer and its fee', () => {
    const books = booksOf(account(ADA, { balanceKobo: 19_999 }));
    expect(decideOne(books, bank({ duty: DUTY }))).toMatchObject({
      refusal: { code: 'INSUFFICIENT_FUNDS', detail: { availableKobo: 19_999, requiredKobo: 20_000 } },
    });
    expect(balanceOf(books, ADA)).toBe(19_999);
  });

  test('comes back by a reversal of its own when the transfer fails', () => {
    const { books, settle } = charged();
    const posted = postOne(books, settle('provider_failure'));
    expect(posted.reversal).toMatchObject({ amountKobo: 15_000 });
    expect(posted.duty).toMatchObject({
      transaction: { id: DUTY.transactionId, status: 'reversed', updatedAt: LATER },
      reversal: {
        id: uuid(9),
        type: 'reversal',
        amountKobo: 5_000,
        destWalletId: ADA,
        reference: `rev_${DUTY.transactionId}`,
      },
    });
    expect(posted.balances.sourceKobo).toBe(1_000_000);
    expect(books.accounts.get(ADA)).toMatchObject({ balanceKobo: 1_000_000, inFlightKobo: 0 });
    expect(nameOf(decideOne(books, settle('provider_failure')))).toBe('settled_before');
  });

  test('stays charged when the transfer is paid, and also when that comes back later', () => {
    const { books, settle } = charged();
    expect(postOne(books, settle('provider_success')).duty).toBeNull();
    expect(books.accounts.get(ADA)).toMatchObject({ balanceKobo: 980_000, inFlightKobo: 0 });
    expect(postOne(books, settle('provider_return')).duty).toBeNull();
    expect(balanceOf(books, ADA)).toBe(995_000);
  });
});

describe('once', () => {
  const orders = TRIGGERS.flatMap((first) => TRIGGERS.map((second) => [first, second] as const));

  test.each(orders)('after %s, %s in the same batch gets the result of the first', (first, second) => {
    const { books, transfer } = scene();
    const [posted, later] = decide(books, [
      settlement(transfer.id, { trigger: first }),
      settlement(transfer.id, { trigger: second }),
    ]);
    const { transaction } = valueAs(posted!, 'posted');
    expect(transaction).toMatchObject({ status: OUTCOMES[first] });
    expect(later).toEqual(done({ kind: 'settled_before', transaction }));
    expect(balanceOf(books, ADA)).toBe(first === 'provider_failure' ? 1_000_000 : 985_000);
  });
});

describe('a bug stops loudly', () => {
  test('a transfer that was not read', () => {
    expect(() => decideOne(booksOf(account(ADA)), settlement(uuid(5)))).toThrow(/the transfer to settle/);
  });

  test("a settlement against another wallet than the transfer's source", () => {
    const { books, transfer } = scene();
    books.accounts.set(BOLA, account(BOLA));
    const stray = settlement(transfer.id, { trigger: 'provider_failure', sourceWalletId: BOLA });
    expect(() => decideOne(books, stray)).toThrow(/settled against its own source/);
    expect(balanceOf(books, BOLA)).toBe(1_000_000);
  });
});

describe('money in flight keeps the room it needs to come back', () => {
  const fill = (books: Books, amountKobo: number) =>
    decideOne(books, funding({ destWalletId: ADA, amountKobo }));
  const room = MAX - 1_000_000;

  test.each([
    ['one kobo too much', room + 1, 'LIMIT_EXCEEDED'],
    ['exactly the room that is left', room, 'posted'],
  ])('%s, while the transfer is processing', (_what, amountKobo, kind) => {
    const { books, transfer } = scene();
    expect(nameOf(fill(books, amountKobo))).toBe(kind);
    const posted = postOne(books, settlement(transfer.id, { trigger: 'provider_failure' }));
    expect(posted.balances.sourceKobo).toBe(kind === 'posted' ? MAX : 1_000_000);
  });

  test('after a success the room is free', () => {
    const { books, transfer } = scene();
    postOne(books, settlement(transfer.id, { trigger: 'provider_success' }));
    expect(nameOf(fill(books, room + 15_000))).toBe('posted');
    expect(balanceOf(books, ADA)).toBe(MAX);
  });
});

test('a settlement and its neighbours in one batch are decided in order', () => {
  const { books, transfer } = scene();
  books.accounts.set(BOLA, account(BOLA));
  const spend = () => p2p({ amountKobo: 990_000 });
  const [before, , after] = decide(books, [
    spend(),
    settlement(transfer.id, { trigger: 'provider_failure' }),
    spend(),
  ]);
  expect(before).toMatchObject({
    refusal: { code: 'INSUFFICIENT_FUNDS', detail: { availableKobo: 985_000 } },
  });
  expect(after).toMatchObject({ value: { kind: 'posted', balances: { sourceKobo: 1_000_000 - 994_950 } } });
});
