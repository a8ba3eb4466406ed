/** Books and movements as the ledger's decision takes them: one valid movement of each kind, for tests to vary. */
import { valueAs } from './outcomes';
import {
  booksOfAccounts,
  decide,
  keyName,
  referenceName,
  termsOf,
  type Account,
  type Books,
  type Decision,
  type FirstAnswer,
  type Movement,
  type Opening,
  type Posted,
  type Settlement,
  type UssdPayment,
} from '../../src/domain/ledger';
import type { QrRequest } from '../../src/domain/qr-requests';
import type { Transaction } from '../../src/domain/transactions';
import { sampleTransfer } from './samples';

/** A uuid that ends in the given number. */
export const uuid = (number: number): string => `018f0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export const NOW = new Date('2026-11-21T10:00:00.000Z');
export const PARTNER = uuid(1);
export const OTHER_PARTNER = uuid(2);
export const ADA = uuid(11);
export const BOLA = uuid(12);

export type P2p = Extract<Opening, { type: 'p2p_transfer' }>;
export type Bank = Extract<Opening, { type: 'bank_transfer' }>;
export type Funding = Extract<Opening, { type: 'wallet_funding' }>;

/** An active wallet of `PARTNER` with a million kobo. */
export const account = (id: string, more: Partial<Account> = {}): Account => ({
  id,
  partnerId: PARTNER,
  status: 'active',
  balanceKobo: 1_000_000,
  inFlightKobo: 0,
  heldKobo: 0,
  sequence: 0,
  limits: null,
  ...more,
});

export const booksOf = (...accounts: Account[]): Books =>
  booksOfAccounts(NOW, new Map(accounts.map((one) => [one.id, { ...one }])));

let drawn = 1_000;
/** Another uuid on every call. */
export const freshId = (): string => uuid(++drawn);

const opening = () => {
  const transactionId = freshId();
  return {
    kind: 'open' as const,
    transactionId,
    partnerId: PARTNER,
    reference: `ref-${transactionId}`,
    amountKobo: 10_000,
    description: '',
    metadata: {},
    key: null,
  };
};

/** 10,000 kobo from Ada to Bola; the fee is 50. */
export const p2p = (more: Partial<P2p> = {}): P2p => ({
  ...opening(),
  type: 'p2p_transfer',
  sourceWalletId: ADA,
  destWalletId: BOLA,
  ...more,
});

export const DEST_ACCOUNT = {
  bankCode: '058',
  bankName: 'GTBank',
  accountNumber: '0108024071',
  accountName: 'ADA OBI',
  resolvedName: null,
};

/** 10,000 kobo from Ada to a bank account; the fee is 5,000. */
export const bank = (more: Partial<Bank> = {}): Bank => ({
  ...opening(),
  type: 'bank_transfer',
  sourceWalletId: ADA,
  destAccount: DEST_ACCOUNT,
  paused: false,
  scenario: null,
  ...more,
});

/** 10,000 kobo of sandbox money to Bola. */
export const funding = (more: Partial<Funding> = {}): Funding => ({
  ...opening(),
  type: 'wallet_funding',
  destWalletId: BOLA,
  from: { kind: 'sandbox' },
  ...more,
});

export type Split = Extract<Opening, { type: 'split_payment' }>;

/** From Ada to each wallet in turn; the first leg's transaction is the split's. */
export function split(shares: [walletId: string, amountKobo: number][], more: Partial<Split> = {}): Split {
  const first = opening();
  const legs = shares.map(([walletId, amountKobo], index) => ({
    transactionId: index === 0 ? first.transactionId : freshId(),
    walletId,
    amountKobo,
    percentage: null,
  }));
  const amountKobo = legs.reduce((sum, leg) => sum + leg.amountKobo, 0);
  return { ...first, amountKobo, type: 'split_payment', sourceWalletId: ADA, shares: legs, ...more };
}

/** A request of Bola's for 10,000 kobo, open until an hour from `NOW`, in the books. */
export function qrRequest(books: Books, more: Partial<QrRequest> = {}): QrRequest {
  const id = freshId();
  const request: QrRequest = {
    id,
    partnerId: PARTNER,
    walletId: BOLA,
    amountKobo: 10_000,
    reference: `qr-${id}`,
    label: 'Q7K2M9X4TB3H',
    payeeName: 'BOLA STORES',
    description: '',
    metadata: {},
    createdAt: NOW,
    expiresAt: new Date(NOW.getTime() + 3_600_000),
    paid: null,
    ...more,
  };
  books.qrRequests.set(id, request);
  return request;
}

export type QrPayment = Extract<Opening, { type: 'qr_payment' }>;

/** Ada pays the request. */
export const qrPayment = (request: QrRequest, more: Partial<QrPayment> = {}): QrPayment => ({
  ...opening(),
  type: 'qr_payment',
  qrRequestId: request.id,
  sourceWalletId: ADA,
  destWalletId: request.walletId,
  amountKobo: request.amountKobo,
  reference: request.reference,
  ...more,
});

/** Ada's confirmed payment of 10,000 kobo to Bola, in the books. */
export function ussdPayment(books: Books, more: Partial<Transaction> = {}): UssdPayment {
  const transactionId = freshId();
  const agreed = sampleTransfer({
    id: transactionId,
    partnerId: PARTNER,
    type: 'ussd_payment',
    status: 'processing',
    amountKobo: 10_000,
    sourceWalletId: ADA,
    destWalletId: BOLA,
    completedAt: null,
    ...more,
  });
  books.transactions.set(transactionId, agreed);
  return { kind: 'pay_ussd', transactionId, partnerId: PARTNER, sourceWalletId: ADA, destWalletId: BOLA };
}

/** 10,000 kobo to or from Ada by an operator. */
export const correction = (direction: 'credit' | 'debit', amountKobo = 10_000): Opening =>
  direction === 'credit'
    ? { ...opening(), amountKobo, type: 'wallet_credit', destWalletId: ADA }
    : { ...opening(), amountKobo, type: 'wallet_debit', sourceWalletId: ADA };

export const settlement = (transactionId: string, more: Partial<Settlement> = {}): Settlement => ({
  kind: 'settle',
  transactionId,
  partnerId: PARTNER,
  sourceWalletId: ADA,
  trigger: 'provider_success',
  reversalId: freshId(),
  duty: { transactionId: freshId(), reversalId: freshId() },
  failedReason: null,
  facts: null,
  handOrder: null,
  ...more,
});

export const keyed = (key: string, fingerprint = 'same body', operation = 'p2pTransfer') => ({
  operation,
  key,
  fingerprint,
  form: 'reference',
  requestId: 'req_0198c0de000070008000000000000001',
});

/** Notes a key as used before, by the request that began `transactionId`. */
export function useKey(books: Books, key: ReturnType<typeof keyed>, transactionId = freshId()): FirstAnswer {
  const { fingerprint, form, requestId } = key;
  const first = { transactionId, form, requestId };
  books.keys.set(keyName(PARTNER, key), { fingerprint, first });
  return first;
}

/** Notes a reference as used before by `transactionId`, which was opened like this. */
export function useReference(books: Books, reference: string, transactionId: string, by: Opening): void {
  const terms = termsOf(by);
  if (terms === null) throw new Error('it uses no reference');
  books.references.set(referenceName(PARTNER, reference), { transactionId, terms });
}

/** The decision over one movement. */
export function decideOne(books: Books, movement: Movement): Decision {
  const [decision] = decide(books, [movement]);
  if (!decision) throw new Error('no decision was made');
  return decision;
}

/** Decides one movement that must be posted. */
export function postOne(books: Books, movement: Movement): Posted {
  return valueAs(decideOne(books, movement), 'posted');
}

/** Posts a bank transfer and puts it where a settlement looks for it, as the writer reads it under lock. */
export function acceptedTransfer(books: Books, more: Partial<Bank> = {}): Transaction {
  const { transaction } = postOne(books, bank(more));
  books.transactions.set(transaction.id, transaction);
  return transaction;
}

export const balanceOf = (books: Books, walletId: string): number | undefined =>
  books.accounts.get(walletId)?.balanceKobo;
