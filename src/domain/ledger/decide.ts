/**
 * The ledger's decision: given the accounts as they stand under lock and the movements in the order they
 * came, it answers for each one *posted*, *refused*, or *known already*. It is pure: the writer in `db`
 * reads the books before it and writes its answers after it, and nothing else moves money.
 */
import { assert, present } from '../assert';
import { handOrderRefusal } from '../hand-orders';
import { availableKobo } from '../holds';
import { feesFor, kindOf, openingKindOf, TRANSACTION_KINDS, type TransactionKind } from '../kinds';
import { afterDebit, afterReturn } from '../limits';
import { next } from '../machine';
import { KOBO_MAX, type Kobo } from '../money';
import { done, refuse, type Refused } from '../outcome';
import { dutyAcceptPostings, dutyReturnPostings, type Posting, type PostingStep } from '../postings';
import { suspenseIn, type SuspenseFinding } from '../suspense';
import type { TransactionType } from '../transaction-types';
import {
  dutyReference,
  reversalReference,
  STAMP_DUTY_MACHINE,
  USSD_PAYMENT_MACHINE,
  type BankAccount,
  type Transaction,
} from '../transactions';
import {
  calendarOf,
  isResetting,
  keyName,
  referenceName,
  type Books,
  type Decision,
  type Entry,
  type Posted,
} from './books';
import { ask, CHECKS, hasRoom, paymentRefusal, type Asked } from './checks';
import type { Leg, Movement, Opening, Settlement, UssdPayment } from './movements';
import { captureOf } from './needs';
import { ignoredIn, isSameRequest } from './same-request';

/**
 * Decides a batch in order, as if each movement had been alone.
 * @returns one decision per movement, at the same place.
 */
export function decide(books: Books, movements: readonly Movement[]): Decision[] {
  return movements.map((movement) => {
    if (movement.kind === 'open') return open(books, movement);
    if (isResetting(books, movement.partnerId)) return refuse('SERVICE_UNAVAILABLE');
    return movement.kind === 'settle' ? settle(books, movement) : payUssd(books, movement);
  });
}

function open(books: Books, opening: Opening): Decision {
  const known = knownAlready(books, opening);
  if (known) return known;
  const asked = ask(opening);
  for (const check of CHECKS) {
    const found = check(asked, books);
    if (found) return found;
  }
  // After this point the movement must succeed.
  return done(post(books, asked));
}

/** A repeat by key is recognised before anything else in the request is checked (D135). */
function knownAlready(books: Books, opening: Opening): Decision | null {
  const known = opening.key && books.keys.get(keyName(opening.partnerId, opening.key));
  if (!opening.key || !known) return null;
  if (!isSameRequest(known.fingerprint, opening.key.fingerprint)) return refuse('IDEMPOTENCY_KEY_REUSED');
  return done({ kind: 'same_key', first: known.first });
}

function post(books: Books, asked: Asked): Posted {
  const { opening, kind } = asked;
  const entries: Entry[] = [];
  endHold(books, opening);
  // It is charged first, so that the balance after the transfer is what the payer has left.
  const duty = chargeDuty(books, opening, entries);
  const legs = asked.legs.map((leg, index) => {
    const transaction = begun(asked, leg, index, books.now);
    entries.push(
      ...enter(books, transaction.id, firstStep(kind), kind.postings.accept(opening, transaction)),
    );
    if (transaction.status === kind.life.inFlightWhile) keepInFlight(books, transaction, duty, 1);
    return { transaction, balances: balancesOf(books, transaction) };
  });
  const on = opening.countsOn ?? calendarOf(books, opening.partnerId);
  useDay(books, kind, legs[0]?.transaction.sourceWalletId ?? null, opening.amountKobo, on);
  rememberNames(books, asked);
  return posted(legs, {
    was: null,
    reversal: null,
    duty: duty && { transaction: duty, reversal: null },
    entries,
    suspense: suspenseIn(entries, kind.suspense?.(opening) ?? null),
  });
}

/** The step under which the first postings of a kind are booked: a reversal is the return of its transfer. */
const firstStep = ({ life }: TransactionKind): PostingStep => life.entries[life.bornAs]?.[0] ?? 'accept';

/** Charges the stamp duty of a transfer to its source, in the commit that accepts the transfer (R46). */
function chargeDuty(books: Books, opening: Opening, entries: Entry[]): Transaction | null {
  const { duty, transactionId, partnerId, reference } = opening;
  const [leg] = openingKindOf(opening).legs(opening);
  if (!duty || !leg) return null;
  const sourceWalletId = present(leg.sourceWalletId, 'the wallet that bears a stamp duty');
  const transaction = following({ id: transactionId, partnerId, reference }, books.now, {
    id: duty.transactionId,
    type: 'fee_deduction',
    reference: dutyReference(transactionId),
    amountKobo: duty.amountKobo,
    sourceWalletId,
    destWalletId: null,
  });
  entries.push(
    ...enter(books, transaction.id, 'accept', dutyAcceptPostings(sourceWalletId, duty.amountKobo)),
  );
  return transaction;
}

/**
 * Ends the hold that an opening captures. All that it has set aside is free from here on: what the payment does not take
 * stays with the wallet.
 */
function endHold(books: Books, opening: Opening): void {
  const capture = captureOf(opening);
  if (!capture) return;
  const hold = present(books.holds.get(capture.holdId), 'the hold that is captured');
  const source = present(books.accounts.get(hold.walletId), 'the wallet of a hold');
  source.heldKobo -= hold.amountKobo;
  assert(source.heldKobo >= 0, 'no more holds end than were open');
  const { transactionId, amountKobo } = opening;
  books.holds.set(hold.id, {
    ...hold,
    status: 'captured',
    capture: { transactionId, amountKobo, terms: capture.terms },
    endedAt: books.now,
  });
}

function begun({ opening, kind }: Asked, leg: Leg, index: number, now: Date): Transaction {
  const transaction: Transaction = {
    id: leg.transactionId,
    partnerId: opening.partnerId,
    reference: opening.reference,
    type: opening.type,
    amountKobo: leg.amountKobo,
    sourceWalletId: leg.sourceWalletId,
    destWalletId: leg.destWalletId,
    destAccount: null,
    splitConfig: null,
    paused: false,
    scenario: null,
    fees: feesFor(opening.type, leg.amountKobo),
    idempotencyKey: opening.key?.key ?? null,
    description: opening.description,
    metadata: opening.metadata,
    createdAt: now,
    ...unmoved(kind, now),
  };
  return kind.record ? { ...transaction, ...kind.record(opening, index) } : transaction;
}

/** The fields that later steps change, as they are when a transaction begins. */
const unmoved = ({ life: { bornAs: status } }: Pick<TransactionKind, 'life'>, createdAt: Date) => ({
  status,
  pspReference: null,
  pspMeta: null,
  failedReason: null,
  updatedAt: createdAt,
  completedAt: status === 'completed' ? createdAt : null,
});

/** A transaction as it was when its movement began it, whatever has happened to it since. */
export const asBegun = (transaction: Transaction): Transaction => ({
  ...transaction,
  ...unmoved(kindOf(transaction.type), transaction.createdAt),
  destAccount: transaction.destAccount && accountAsBegun(transaction.destAccount),
});

/** Without what the bank has told of the account since, and what the partner has decided then. */
function accountAsBegun(account: BankAccount): BankAccount {
  const begun = { ...account, resolvedName: null };
  delete begun.nameMatches;
  delete begun.nameDecision;
  return begun;
}

/** What a later movement of the same batch must find: the reference, the key, the paid QR. */
function rememberNames(books: Books, { opening, kind: { once }, legs }: Asked): void {
  const { transactionId, partnerId } = opening;
  switch (once.by) {
    case 'reference': {
      // A later capture of the same hold finds the hold itself, which has ended.
      if (opening.holdId !== undefined) break;
      const name = referenceName(partnerId, opening.reference);
      books.references.set(name, { transactionId, terms: once.terms(opening) });
      break;
    }
    case 'credited_transfer': {
      const bankTransferId = once.id(opening);
      if (bankTransferId !== null) books.creditedTransfers.set(bankTransferId, transactionId);
      break;
    }
    case 'qr_request': {
      const request = present(books.qrRequests.get(once.id(opening)), 'the QR request that is paid');
      const sourceWalletId = present(legs[0]?.sourceWalletId, 'the wallet that pays the QR request');
      books.qrRequests.set(request.id, { ...request, paid: { transactionId, sourceWalletId } });
      break;
    }
    case 'own_id':
      // If two are in one batch, the primary key refuses the second one, and both are decided again one after the
      // other.
      break;
  }
  if (opening.key) {
    const { fingerprint, form, requestId } = opening.key;
    books.keys.set(keyName(partnerId, opening.key), {
      fingerprint,
      first: { transactionId, form, requestId, ...ignoredIn(fingerprint) },
    });
  }
}

/**
 * Ends a bank transfer once. The first call that finds it in the state which the trigger needs, under the lock of
 * the row, decides. Every later call is told the status that it really has (D96). A failure gives back amount and
 * fee in one reversal (D56); so does a completed transfer that the provider returned (D30).
 */
function settle(books: Books, settlement: Settlement): Decision {
  const transfer = present(books.transactions.get(settlement.transactionId), 'the transfer to settle');
  const kind = kindOf(transfer.type);
  const status = next(kind.life.machine, transfer.status, settlement.trigger);
  if (!status) return done({ kind: 'settled_before', transaction: transfer });
  const refused = notOrdered(books, settlement);
  if (refused) return refused;

  // After this point the settlement must succeed.
  assert(
    transfer.sourceWalletId === settlement.sourceWalletId,
    'a transfer is settled against its own source',
  );
  const transaction: Transaction = {
    ...transfer,
    status,
    failedReason: status === 'completed' ? null : settlement.failedReason,
    pspMeta: settlement.facts ?? transfer.pspMeta,
    completedAt: status === 'completed' ? books.now : transfer.completedAt,
    updatedAt: books.now,
  };
  const wasInFlight = transfer.status === kind.life.inFlightWhile;
  const charged = books.duties.get(settlement.duty.transactionId) ?? null;
  if (wasInFlight) keepInFlight(books, transfer, charged, -1);
  const { reversal, entries, finding } =
    status === 'completed'
      ? { reversal: null, entries: settled(books, kind, transaction, charged), finding: null }
      : givenBack(books, kind, settlement, transaction, wasInFlight);
  // A transfer that comes back after it was paid keeps its duty: it was a transfer, and the company keeps the duty, too.
  const duty =
    charged && wasInFlight && status !== 'completed' ? dutyBack(books, settlement, charged, entries) : null;
  books.transactions.set(transfer.id, transaction);
  const balances = { sourceKobo: balanceOf(books, settlement.sourceWalletId), destKobo: null };
  const suspense = suspenseIn(entries, finding);
  return done(
    posted([{ transaction, balances }], { was: transfer.status, reversal, duty, entries, suspense }),
  );
}

/** Why the hand order of a settlement does not allow it; null where it does, or where the provider has answered. */
function notOrdered(books: Books, { handOrder, partnerId, transactionId }: Settlement): Refused | null {
  if (handOrder === null) return null;
  const { id, verdict } = handOrder;
  const asked = { kind: 'settle_transfer', partnerId, resourceId: transactionId, verdict } as const;
  return handOrderRefusal(books.handOrders.get(id), asked, books.now);
}

function settled(books: Books, kind: TransactionKind, ended: Transaction, duty: Transaction | null): Entry[] {
  const postings = present(kind.postings.settle, `the postings that settle a ${ended.type}`);
  return enter(books, ended.id, 'settle', postings(ended, duty?.amountKobo ?? 0));
}

/** Gives the stamp duty of a failed transfer back, by a reversal of its own. */
function dutyBack(
  books: Books,
  { sourceWalletId, duty: { reversalId } }: Settlement,
  charged: Transaction,
  entries: Entry[],
): Posted['duty'] {
  const status = present(next(STAMP_DUTY_MACHINE, charged.status, 'transfer_failed'), 'a duty to give back');
  const transaction: Transaction = { ...charged, status, updatedAt: books.now };
  const { givenBack: due } = kindOf(charged.type).life;
  const reversal = reversalOf(
    transaction,
    present(due, 'how a duty is given back').as,
    reversalId,
    books.now,
  );
  entries.push(
    ...enter(books, reversal.id, 'return', dutyReturnPostings(sourceWalletId, charged.amountKobo)),
  );
  books.duties.set(charged.id, transaction);
  return { transaction, reversal };
}

/**
 * Gives amount and fee back to the source. The source keeps room for what is in flight; after that it may be
 * closed or full.
 */
function givenBack(
  books: Books,
  kind: TransactionKind,
  { sourceWalletId, reversalId }: Settlement,
  ended: Transaction,
  wasInFlight: boolean,
): { reversal: Transaction | null; entries: Entry[]; finding: SuspenseFinding | null } {
  const postings = present(kind.postings.return, `the postings that return a ${ended.type}`);
  const { as: type } = present(kind.life.givenBack, `how a ${ended.type} is given back`);
  const reversal = reversalOf(ended, type, reversalId, books.now);
  const source = present(books.accounts.get(sourceWalletId), 'the source of a returned transfer');
  if (wasInFlight || (source.status !== 'closed' && hasRoom(source, reversal.amountKobo))) {
    const entries = enter(books, reversal.id, 'return', postings(ended, sourceWalletId));
    if (source.limits) source.limits = afterReturn(source.limits, kind.limits, ended);
    return { reversal, entries, finding: null };
  }
  // No wallet can take the money: it is put into the suspense account until people decide, and no reversal is
  // written.
  const entries = enter(books, ended.id, 'return', postings(ended, null));
  const why = source.status === 'closed' ? 'WALLET_CLOSED' : 'LIMIT_EXCEEDED';
  return { reversal: null, entries, finding: returnFinding(ended, why) };
}

/** What people read of a returned transfer that no wallet takes. */
const returnFinding = (transfer: Transaction, why: string): SuspenseFinding => ({
  class: 'return_unallocated',
  resource: transfer.id,
  detail: {
    why,
    partner: transfer.partnerId,
    wallet: transfer.sourceWalletId,
    provider: transfer.pspMeta?.provider ?? null,
    kobo: mayComeBackKobo(transfer),
  },
});

const reversalOf = (original: Transaction, type: TransactionType, id: string, now: Date): Transaction =>
  following(original, now, {
    id,
    type,
    reference: reversalReference(original.id),
    amountKobo: original.amountKobo + original.fees.customerFeeKobo,
    sourceWalletId: null,
    destWalletId: original.sourceWalletId,
  });

/** A transaction that no partner has asked for: it follows from another one, which its metadata names. */
const following = (
  original: Pick<Transaction, 'id' | 'partnerId' | 'reference'>,
  now: Date,
  what: Pick<Transaction, 'id' | 'type' | 'reference' | 'amountKobo' | 'sourceWalletId' | 'destWalletId'>,
): Transaction => ({
  ...what,
  partnerId: original.partnerId,
  status: 'completed',
  destAccount: null,
  splitConfig: null,
  paused: false,
  scenario: null,
  fees: feesFor(what.type, what.amountKobo),
  pspReference: null,
  pspMeta: null,
  idempotencyKey: null,
  description: '',
  metadata: { original_transaction_id: original.id, original_reference: original.reference },
  failedReason: null,
  createdAt: now,
  updatedAt: now,
  completedAt: now,
});

/**
 * Carries out a USSD payment whose PIN was accepted, once. If it would be refused now, it ends as failed with the
 * code of the refusal as its reason, and no money moves.
 */
function payUssd(books: Books, payment: UssdPayment): Decision {
  const agreed = present(books.transactions.get(payment.transactionId), 'the USSD payment to carry out');
  const completed = next(USSD_PAYMENT_MACHINE, agreed.status, 'debited');
  const failed = next(USSD_PAYMENT_MACHINE, agreed.status, 'refused');
  if (!completed || !failed) return done({ kind: 'settled_before', transaction: agreed });

  const source = present(books.accounts.get(payment.sourceWalletId), 'the wallet that pays by USSD');
  const dest = present(books.accounts.get(payment.destWalletId), 'the wallet that is paid by USSD');
  assert(agreed.sourceWalletId === source.id && agreed.destWalletId === dest.id, 'between its own wallets');
  const aheadMs = books.aheadMs.get(payment.partnerId) ?? 0;
  const obstacle = paymentRefusal(agreed, { source, dest }, books.now, aheadMs);
  const transaction: Transaction = {
    ...agreed,
    status: obstacle ? failed : completed,
    failedReason: obstacle?.refusal.code ?? null,
    completedAt: obstacle ? null : books.now,
    updatedAt: books.now,
  };
  books.transactions.set(agreed.id, transaction);
  const { accept } = TRANSACTION_KINDS.ussd_payment.postings;
  const entries = obstacle ? [] : enter(books, agreed.id, 'accept', accept(payment, transaction));
  const on = calendarOf(books, payment.partnerId);
  if (!obstacle) useDay(books, kindOf(agreed.type), source.id, agreed.amountKobo, on);
  const leg = { transaction, balances: balancesOf(books, transaction) };
  return done(posted([leg], { was: agreed.status, reversal: null, duty: null, entries, suspense: null }));
}

/** Turns postings into entries and moves the balances of the wallets among them. */
function enter(
  books: Books,
  transactionId: string,
  step: PostingStep,
  postings: readonly Posting[],
): Entry[] {
  return postings.map(({ account: accountId, amountKobo }) => {
    const account = books.accounts.get(accountId);
    if (!account) {
      return { transactionId, step, account: accountId, amountKobo, sequence: null, balanceAfterKobo: null };
    }
    account.balanceKobo += amountKobo;
    account.sequence += 1;
    assert(
      availableKobo(account) >= 0 && account.balanceKobo <= KOBO_MAX,
      'a balance stays within what holds set aside and 2^53 - 1',
    );
    const { sequence, balanceKobo: balanceAfterKobo } = account;
    return { transactionId, step, account: accountId, amountKobo, sequence, balanceAfterKobo };
  });
}

/** A transfer's debit is in flight from its acceptance to its end, whichever that is. */
function keepInFlight(books: Books, transfer: Transaction, duty: Transaction | null, sign: 1 | -1): void {
  const source = present(books.accounts.get(transfer.sourceWalletId ?? ''), 'the source of a bank transfer');
  source.inFlightKobo += sign * (mayComeBackKobo(transfer) + (duty?.amountKobo ?? 0));
  assert(source.inFlightKobo >= 0, 'no more ends than was in flight');
}

/** What a transfer gives back if it fails, without its stamp duty. */
export const mayComeBackKobo = ({ amountKobo, fees }: Transaction): Kobo => amountKobo + fees.customerFeeKobo;

/** Counts a payment into the day of its source, where that is under limits (D123). */
function useDay(
  books: Books,
  { limits }: TransactionKind,
  walletId: string | null,
  amountKobo: Kobo,
  on: Date,
): void {
  const source = walletId === null ? undefined : books.accounts.get(walletId);
  if (source?.limits) source.limits = afterDebit(source.limits, limits, amountKobo, on);
}

const balancesOf = (books: Books, transaction: Transaction) => ({
  sourceKobo: balanceOf(books, transaction.sourceWalletId),
  destKobo: balanceOf(books, transaction.destWalletId),
});

const balanceOf = (books: Books, walletId: string | null): Kobo | null =>
  walletId === null ? null : (books.accounts.get(walletId)?.balanceKobo ?? null);

function posted(
  legs: Posted['legs'],
  what: Pick<Posted, 'was' | 'reversal' | 'duty' | 'entries' | 'suspense'>,
): Posted {
  const { transaction, balances } = present(legs[0], 'a transaction of a movement');
  return { kind: 'posted', legs, transaction, balances, ...what };
}
