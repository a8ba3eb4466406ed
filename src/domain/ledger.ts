/**
 * The ledger's decision: given the accounts as they stand under lock and the movements in the order they
 * came, it answers for each one *posted*, *refused*, or *known already*. It is pure: the writer in `db`
 * reads the books before it and writes its answers after it, and nothing else moves money.
 */
import { assert, present } from './assert';
import { feesFor } from './fees';
import { next } from './machine';
import { KOBO_MAX, type Kobo } from './money';
import {
  bankAcceptPostings,
  bankReturnPostings,
  bankSettlePostings,
  fundingPostings,
  p2pPostings,
  type Posting,
  type PostingStep,
} from './postings';
import { refuse, type Refusal } from './refusals';
import {
  BANK_TRANSFER_MACHINE,
  reversalReference,
  type BankAccount,
  type BankTransferTrigger,
  type ProviderFacts,
  type Transaction,
  type TransactionStatus,
} from './transactions';
import type { Metadata, WalletStatus } from './wallets';

/** The money side of a wallet, as locked. `sequence` is the running number of its last entry (D147). */
export interface Account {
  id: string;
  partnerId: string;
  status: WalletStatus;
  balanceKobo: Kobo;
  /** Debited for bank transfers whose outcome is not known: it may come back, so room for it is kept. */
  inFlightKobo: Kobo;
  sequence: number;
}

/** The first use of an Idempotency-Key within its window (D44). */
export interface UsedKey {
  operation: string;
  key: string;
  /** Of the body after aliases are folded, path ids included (D44, D167). */
  fingerprint: string;
}

interface OpeningCommon {
  kind: 'open';
  transactionId: string;
  partnerId: string;
  reference: string;
  amountKobo: Kobo;
  description: string;
  metadata: Metadata;
  key: UsedKey | null;
}

/** A movement that begins a transaction. */
export type Opening = OpeningCommon &
  (
    | { type: 'p2p_transfer'; sourceWalletId: string; destWalletId: string }
    | { type: 'bank_transfer'; sourceWalletId: string; destAccount: BankAccount; hold: boolean }
    | { type: 'wallet_funding'; destWalletId: string; from: FundingSource }
  );

/** Sandbox money, or a bank transfer to our own MFB, which credits a wallet once and for all (D60, R8). */
export type FundingSource = { kind: 'sandbox' } | { kind: 'own_mfb'; bankTransferId: string };

/** A movement that ends a bank transfer. */
export interface Settlement {
  kind: 'settle';
  transactionId: string;
  partnerId: string;
  /** Never changes, so it is known before the transfer is locked: accounts are locked first, everywhere. */
  sourceWalletId: string;
  trigger: BankTransferTrigger;
  paidBy: 'psp' | 'own_mfb';
  /** The id of the reversal, should this settlement need one. */
  reversalId: string;
  failedReason: string | null;
  facts: ProviderFacts | null;
}

export type Movement = Opening | Settlement;

/** What was read before deciding. The decision brings the maps up to date as it goes down its list. */
export interface Books {
  now: Date;
  accounts: Map<string, Account>;
  /** By `referenceName`: the transaction that used the reference, and what it agreed (D45). */
  references: Map<string, { transactionId: string; terms: string }>;
  /** By `keyName`: the stored first answer, or the place in this batch of the movement that is giving it. */
  keys: Map<string, { fingerprint: string; answer: StoredAnswer | null; place: number | null }>;
  /** Bank transfers to settle, locked after their accounts. */
  transfers: Map<string, Transaction>;
  /** Bank transfers whose credit to one of our own wallets was posted before: transfer id -> funding id. */
  creditedTransfers: Map<string, string>;
}

/** The bytes of an answer, kept to be repeated exactly. */
export interface StoredAnswer {
  status: number;
  body: string;
}

export interface Entry {
  transactionId: string;
  step: PostingStep;
  account: string;
  amountKobo: Kobo;
  /** Both null for the platform's own accounts, which keep no running balance. */
  sequence: number | null;
  balanceAfterKobo: Kobo | null;
}

export interface Posted {
  kind: 'posted';
  /** The partner's transaction, as it is from now on. */
  transaction: Transaction;
  /** True when this movement began the transaction, false when it moved its status. */
  opened: boolean;
  reversal: Transaction | null;
  entries: Entry[];
  balances: { sourceKobo: Kobo | null; destKobo: Kobo | null };
}

export type Decision =
  | Posted
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'same_key'; answer: StoredAnswer }
  | { kind: 'same_key_in_batch'; place: number }
  | { kind: 'same_reference'; transactionId: string }
  | { kind: 'settled_before'; transaction: Transaction };

export const referenceName = (partnerId: string, reference: string): string => `${partnerId}/${reference}`;
export const keyName = (partnerId: string, key: UsedKey): string =>
  `${partnerId}/${key.operation}/${key.key}`;

/** The wallets whose rows a movement needs locked. A settlement gives its money back to the source. */
export function walletsOf(movement: Movement): string[] {
  if (movement.kind === 'settle') return [movement.sourceWalletId];
  if (movement.type === 'p2p_transfer') return [movement.sourceWalletId, movement.destWalletId];
  return [movement.type === 'bank_transfer' ? movement.sourceWalletId : movement.destWalletId];
}

/** True for the kinds that use up a partner's reference (D45, R6). */
export const usesReference = (opening: Opening): boolean => opening.type !== 'wallet_funding';

/** What makes two requests with one reference the same transfer: type, wallets or account, amount (D45). */
export function termsOf(opening: Opening): string {
  switch (opening.type) {
    case 'p2p_transfer':
      return JSON.stringify([opening.type, opening.sourceWalletId, opening.destWalletId, opening.amountKobo]);
    case 'bank_transfer': {
      const { bankCode, accountNumber } = opening.destAccount;
      return JSON.stringify([
        opening.type,
        opening.sourceWalletId,
        bankCode,
        accountNumber,
        opening.amountKobo,
      ]);
    }
    case 'wallet_funding':
      return JSON.stringify([opening.type, opening.destWalletId, opening.amountKobo]);
  }
}

/**
 * Decides a batch in order, as if each movement had been alone.
 * @returns one decision per movement, at the same place.
 */
export function decide(books: Books, movements: readonly Movement[]): Decision[] {
  return movements.map((movement, place) =>
    movement.kind === 'open' ? open(books, movement, place) : settle(books, movement),
  );
}

function open(books: Books, opening: Opening, place: number): Decision {
  const known = knownAlready(books, opening);
  if (known) return known;
  for (const check of CHECKS) {
    const found = check(opening, books);
    if (found) return 'kind' in found ? found : { kind: 'refused', refusal: found };
  }
  // After this point the movement must succeed.
  return post(books, opening, place);
}

/** A replay by key comes before every look at the request itself (D135). */
function knownAlready(books: Books, opening: Opening): Decision | null {
  const known = opening.key && books.keys.get(keyName(opening.partnerId, opening.key));
  if (!opening.key || !known) return null;
  if (known.fingerprint !== opening.key.fingerprint) {
    return { kind: 'refused', refusal: refuse('IDEMPOTENCY_KEY_REUSED') };
  }
  if (known.answer) return { kind: 'same_key', answer: known.answer };
  return { kind: 'same_key_in_batch', place: present(known.place, 'the place of a key used in this batch') };
}

type Check = (opening: Opening, books: Books) => Refusal | Decision | null;

const sourceOf = (opening: Opening): string | null =>
  opening.type === 'wallet_funding' ? null : opening.sourceWalletId;
const destOf = (opening: Opening): string | null =>
  opening.type === 'bank_transfer' ? null : opening.destWalletId;
const debitKobo = (opening: Opening): Kobo =>
  opening.amountKobo +
  (opening.amountKobo < 1 ? 0 : feesFor(opening.type, opening.amountKobo).customerFeeKobo);

/** The account, if it is this partner's: a foreign wallet looks exactly like an absent one (D29). */
function owned(books: Books, opening: Opening, walletId: string | null): Account | undefined {
  const account = walletId === null ? undefined : books.accounts.get(walletId);
  return account?.partnerId === opening.partnerId ? account : undefined;
}

/** In the published order (D135); the first that objects is the answer. */
const CHECKS: readonly Check[] = [
  function sumBeyondIntegers(opening) {
    if (debitKobo(opening) <= KOBO_MAX) return null;
    return refuse('VALIDATION_ERROR', { message: 'amount plus fee is beyond the largest integer' });
  },
  function amountTooLow(opening) {
    return opening.amountKobo < 1 ? refuse('AMOUNT_TOO_LOW') : null;
  },
  function sameWallet(opening) {
    const same = opening.type === 'p2p_transfer' && opening.sourceWalletId === opening.destWalletId;
    return same ? refuse('SAME_WALLET_TRANSFER') : null;
  },
  function referenceUsed(opening, books) {
    if (!usesReference(opening)) return creditedBefore(opening, books);
    const known = books.references.get(referenceName(opening.partnerId, opening.reference));
    if (!known) return null;
    if (known.terms === termsOf(opening)) {
      return { kind: 'same_reference', transactionId: known.transactionId };
    }
    return refuse('DUPLICATE_REFERENCE', { detail: { transactionId: known.transactionId } });
  },
  function walletsExist(opening, books) {
    const missing = [sourceOf(opening), destOf(opening)].some(
      (id) => id !== null && !owned(books, opening, id),
    );
    return missing ? refuse('WALLET_NOT_FOUND') : null;
  },
  function sourceState(opening, books) {
    const source = owned(books, opening, sourceOf(opening));
    const code = source && SOURCE_REFUSALS[source.status];
    return code ? refuse(code) : null;
  },
  function destinationClosed(opening, books) {
    const closed = owned(books, opening, destOf(opening))?.status === 'closed';
    return closed ? refuse('WALLET_CLOSED', { message: 'The destination wallet is closed' }) : null;
  },
  function funds(opening, books) {
    const source = owned(books, opening, sourceOf(opening));
    const requiredKobo = debitKobo(opening);
    if (!source || source.balanceKobo >= requiredKobo) return null;
    return refuse('INSUFFICIENT_FUNDS', {
      detail: { availableKobo: source.balanceKobo, requiredKobo },
    });
  },
  function roomInDestination(opening, books) {
    const dest = owned(books, opening, destOf(opening));
    if (!dest || dest.balanceKobo + dest.inFlightKobo <= KOBO_MAX - opening.amountKobo) return null;
    return refuse('LIMIT_EXCEEDED', { message: 'The balance would pass the largest integer' });
  },
];

/** What each state of a source wallet is refused with (D29); an active one is not. */
const SOURCE_REFUSALS = {
  pending: 'WALLET_NOT_ACTIVE',
  active: null,
  frozen: 'WALLET_FROZEN',
  closed: 'WALLET_CLOSED',
} as const;

function creditedBefore(opening: Opening, books: Books): Decision | null {
  if (opening.type !== 'wallet_funding' || opening.from.kind !== 'own_mfb') return null;
  const fundingId = books.creditedTransfers.get(opening.from.bankTransferId);
  return fundingId === undefined ? null : { kind: 'same_reference', transactionId: fundingId };
}

function post(books: Books, opening: Opening, place: number): Posted {
  const fees = feesFor(opening.type, opening.amountKobo);
  const transaction: Transaction = {
    id: opening.transactionId,
    partnerId: opening.partnerId,
    reference: opening.reference,
    type: opening.type,
    status: opening.type === 'bank_transfer' ? 'processing' : 'completed',
    amountKobo: opening.amountKobo,
    sourceWalletId: sourceOf(opening),
    destWalletId: destOf(opening),
    destAccount: opening.type === 'bank_transfer' ? opening.destAccount : null,
    hold: opening.type === 'bank_transfer' && opening.hold,
    fees,
    pspReference: null,
    pspMeta: null,
    idempotencyKey: opening.key?.key ?? null,
    description: opening.description,
    metadata: opening.metadata,
    failedReason: null,
    createdAt: books.now,
    updatedAt: books.now,
    completedAt: opening.type === 'bank_transfer' ? null : books.now,
  };
  const entries = enter(books, transaction.id, 'accept', openingPostings(opening, transaction));
  if (opening.type === 'bank_transfer') keepInFlight(books, transaction, 1);
  if (usesReference(opening)) {
    const name = referenceName(opening.partnerId, opening.reference);
    books.references.set(name, { transactionId: transaction.id, terms: termsOf(opening) });
  }
  if (opening.type === 'wallet_funding' && opening.from.kind === 'own_mfb') {
    books.creditedTransfers.set(opening.from.bankTransferId, transaction.id);
  }
  if (opening.key) {
    const used = { fingerprint: opening.key.fingerprint, answer: null, place };
    books.keys.set(keyName(opening.partnerId, opening.key), used);
  }
  const balances = {
    sourceKobo: balanceOf(books, transaction.sourceWalletId),
    destKobo: balanceOf(books, transaction.destWalletId),
  };
  return { kind: 'posted', transaction, opened: true, reversal: null, entries, balances };
}

function openingPostings(opening: Opening, { fees, amountKobo }: Transaction): Posting[] {
  switch (opening.type) {
    case 'p2p_transfer':
      return p2pPostings({ source: opening.sourceWalletId, dest: opening.destWalletId }, amountKobo, fees);
    case 'bank_transfer':
      return bankAcceptPostings(opening.sourceWalletId, amountKobo, fees);
    case 'wallet_funding':
      return fundingPostings(opening.destWalletId, amountKobo, opening.from.kind);
  }
}

/**
 * Ends a bank transfer, once: whoever finds it `processing` under the row's lock decides, everybody later
 * is told what really holds (D96). A failure gives back amount and fee in one reversal (D56).
 */
function settle(books: Books, settlement: Settlement): Decision {
  const transfer = present(books.transfers.get(settlement.transactionId), 'the transfer to settle');
  const status = next<TransactionStatus, BankTransferTrigger>(
    BANK_TRANSFER_MACHINE,
    transfer.status,
    settlement.trigger,
  );
  if (!status) return { kind: 'settled_before', transaction: transfer };

  // After this point the settlement must succeed.
  const source = settlement.sourceWalletId;
  assert(transfer.sourceWalletId === source, 'a transfer is settled against its own source');
  const failed = status === 'failed';
  const transaction: Transaction = {
    ...transfer,
    status,
    failedReason: failed ? settlement.failedReason : null,
    pspMeta: settlement.facts ?? transfer.pspMeta,
    completedAt: failed ? null : books.now,
    updatedAt: books.now,
  };
  const reversal = failed ? reversalOf(transaction, settlement.reversalId, books.now) : null;
  const entries = reversal
    ? enter(books, reversal.id, 'return', bankReturnPostings(source, transfer.amountKobo, transfer.fees))
    : enter(
        books,
        transfer.id,
        'settle',
        bankSettlePostings(transfer.amountKobo, transfer.fees, settlement.paidBy),
      );
  keepInFlight(books, transfer, -1);
  books.transfers.set(transfer.id, transaction);
  const balances = { sourceKobo: balanceOf(books, source), destKobo: null };
  return { kind: 'posted', transaction, opened: false, reversal, entries, balances };
}

function reversalOf(failed: Transaction, id: string, now: Date): Transaction {
  return {
    id,
    partnerId: failed.partnerId,
    reference: reversalReference(failed.id),
    type: 'reversal',
    status: 'completed',
    amountKobo: failed.amountKobo + failed.fees.customerFeeKobo,
    sourceWalletId: null,
    destWalletId: failed.sourceWalletId,
    destAccount: null,
    hold: false,
    fees: feesFor('reversal', failed.amountKobo + failed.fees.customerFeeKobo),
    pspReference: null,
    pspMeta: null,
    idempotencyKey: null,
    description: '',
    metadata: { original_transaction_id: failed.id, original_reference: failed.reference },
    failedReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: now,
  };
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
      account.balanceKobo >= 0 && account.balanceKobo <= KOBO_MAX,
      'a balance stays within 0 and 2^53 - 1',
    );
    const { sequence, balanceKobo: balanceAfterKobo } = account;
    return { transactionId, step, account: accountId, amountKobo, sequence, balanceAfterKobo };
  });
}

/** A transfer's debit is in flight from its acceptance to its end, whichever that is. */
function keepInFlight(books: Books, transfer: Transaction, sign: 1 | -1): void {
  const source = present(books.accounts.get(transfer.sourceWalletId ?? ''), 'the source of a bank transfer');
  source.inFlightKobo += sign * (transfer.amountKobo + transfer.fees.customerFeeKobo);
  assert(source.inFlightKobo >= 0, 'no more ends than was in flight');
}

function balanceOf(books: Books, walletId: string | null): Kobo | null {
  return walletId === null ? null : (books.accounts.get(walletId)?.balanceKobo ?? null);
}
