/** What one batch writes, gathered decision by decision, and the columns it goes into. */
import type { Account, Entry, OpeningKey, Posted } from '../../domain/ledger';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import { uuidOfRequest } from '../../domain/request-ids';
import type { SuspensePosting } from '../../domain/suspense';
import type { Transaction, TransactionStatus } from '../../domain/transactions';
import type { Column } from '../pg/bulk';
import { newId } from '../pg/ids';
import { legsAsStored } from './split-legs';

/** Everything one batch writes. */
export interface Writes {
  now: Date;
  opened: Transaction[];
  moved: { transaction: Transaction; was: TransactionStatus }[];
  entries: Entry[];
  /** What has gone into suspense or out of it, with the findings that say why. */
  suspense: SuspensePosting[];
  balances: Account[];
  /** Those that are under limits. */
  counted: Account[];
  references: { partnerId: string; reference: string; transactionId: string; terms: string }[];
  keys: { partnerId: string; used: OpeningKey; transactionId: string }[];
  reversals: { originalId: string; reversalId: string }[];
  ownMfbCredits: { bankTransferId: string; fundingId: string }[];
  qrPayments: { id: string; transactionId: string; paidBy: string; partnerId: string; reference: string }[];
  /** Holds that payments of this batch end. */
  captures: {
    id: string;
    transactionId: string;
    amountKobo: number;
    terms: string;
    partnerId: string;
    reference: string;
  }[];
  /** The hand orders that were carried out. */
  usedOrders: { id: string }[];
  /** Ended USSD payments: their sessions end in the same commit. */
  ussdEnds: Transaction[];
  events: { id: string; partnerId: string; requestId: string | undefined; draft: EventDraft }[];
  intentions: Intention[];
}

export const noWrites = (now: Date): Writes => ({
  now,
  opened: [],
  moved: [],
  entries: [],
  suspense: [],
  balances: [],
  counted: [],
  references: [],
  keys: [],
  reversals: [],
  ownMfbCredits: [],
  qrPayments: [],
  captures: [],
  usedOrders: [],
  ussdEnds: [],
  events: [],
  intentions: [],
});

/** Adds what a posted movement writes, apart from its answer and its events. */
export function collect(writes: Writes, posted: Posted): void {
  const { transaction, was } = posted;
  if (was === null) writes.opened.push(...legsAsStored(posted.legs.map((leg) => leg.transaction)));
  else writes.moved.push({ transaction, was });
  if (posted.reversal) {
    writes.opened.push(posted.reversal);
    writes.reversals.push({ originalId: transaction.id, reversalId: posted.reversal.id });
  }
  if (posted.duty) {
    const { transaction: duty, reversal } = posted.duty;
    if (reversal) {
      writes.moved.push({ transaction: duty, was: 'completed' });
      writes.opened.push(reversal);
      writes.reversals.push({ originalId: duty.id, reversalId: reversal.id });
    } else writes.opened.push(duty);
  }
  writes.entries.push(...posted.entries);
  if (posted.suspense) writes.suspense.push(posted.suspense);
}

export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  ['transaction_id', 'uuid', (entry) => entry.transactionId],
  ['step', 'text', (entry) => entry.step],
  ['account', 'uuid', (entry) => entry.account],
  ['id', 'uuid', () => newId()],
  ['amount_kobo', 'bigint', (entry) => entry.amountKobo],
  ['sequence', 'bigint', (entry) => entry.sequence],
  ['balance_after_kobo', 'bigint', (entry) => entry.balanceAfterKobo],
];

export const SUSPENSE_COLUMNS: readonly Column<SuspensePosting>[] = [
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['class', 'text', (row) => row.class],
  ['resource', 'text', (row) => row.resource],
  ['account', 'text', (row) => row.account],
  ['amount_kobo', 'bigint', (row) => row.amountKobo],
  ['finding_id', 'uuid', () => newId()],
  ['detail', 'json', (row) => row.detail && JSON.stringify(row.detail)],
];

export const KEY_COLUMNS: readonly Column<Writes['keys'][number]>[] = [
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['operation', 'text', (row) => row.used.operation],
  ['key', 'text', (row) => row.used.key],
  ['fingerprint', 'text', (row) => row.used.fingerprint],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['form', 'text', (row) => row.used.form],
  ['request_id', 'uuid', (row) => uuidOfRequest(row.used.requestId)],
];

export const MOVED_COLUMNS: readonly Column<Writes['moved'][number]>[] = [
  ['id', 'uuid', ({ transaction }) => transaction.id],
  ['was', 'text', ({ was }) => was],
  ['status', 'text', ({ transaction }) => transaction.status],
  ['failed_reason', 'text', ({ transaction }) => transaction.failedReason],
  ['psp_meta', 'json', ({ transaction }) => transaction.pspMeta && JSON.stringify(transaction.pspMeta)],
  ['completed_at', 'timestamptz', ({ transaction }) => transaction.completedAt],
];

export const QR_COLUMNS: readonly Column<Writes['qrPayments'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['paid_by', 'uuid', (row) => row.paidBy],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
];

export const CAPTURE_COLUMNS: readonly Column<Writes['captures'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['captured_kobo', 'bigint', (row) => row.amountKobo],
  ['capture_terms', 'text', (row) => row.terms],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
];

export const BALANCE_COLUMNS: readonly Column<Writes['balances'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['balance_kobo', 'bigint', (row) => row.balanceKobo],
  ['in_flight_kobo', 'bigint', (row) => row.inFlightKobo],
  ['held_kobo', 'bigint', (row) => row.heldKobo],
  ['sequence', 'bigint', (row) => row.sequence],
];

export const COUNTED_COLUMNS: readonly Column<Account>[] = [
  ...BALANCE_COLUMNS,
  ['counted_from', 'timestamptz', ({ limits }) => limits?.countedFrom],
  ['day_debit_kobo', 'bigint', ({ limits }) => limits?.dayDebitKobo],
  ['day_ussd_kobo', 'bigint', ({ limits }) => limits?.dayUssdKobo],
];

export const REFERENCE_COLUMNS: readonly Column<Writes['references'][number]>[] = [
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['reference', 'text', (row) => row.reference],
  ['resource_id', 'uuid', (row) => row.transactionId],
  ['transaction_id', 'uuid', (row) => row.transactionId],
  ['terms', 'text', (row) => row.terms],
];

export const REVERSAL_COLUMNS: readonly Column<Writes['reversals'][number]>[] = [
  ['original_id', 'uuid', (row) => row.originalId],
  ['reversal_id', 'uuid', (row) => row.reversalId],
];

export const CREDIT_COLUMNS: readonly Column<Writes['ownMfbCredits'][number]>[] = [
  ['bank_transfer_id', 'uuid', (row) => row.bankTransferId],
  ['funding_id', 'uuid', (row) => row.fundingId],
];

export const EVENT_COLUMNS: readonly Column<Writes['events'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
  ['partner_id', 'uuid', (row) => row.partnerId],
  ['kind', 'text', (row) => row.draft.kind],
  ['alias', 'text', (row) => row.draft.alias],
  ['resource_id', 'uuid', (row) => row.draft.resourceId],
  ['request_id', 'uuid', ({ requestId }) => (requestId === undefined ? null : uuidOfRequest(requestId))],
  ['data', 'text', (row) => row.draft.data],
];

export const USED_ORDER_COLUMNS: readonly Column<Writes['usedOrders'][number]>[] = [
  ['id', 'uuid', (row) => row.id],
];

export const USSD_COLUMNS: readonly Column<Transaction>[] = [
  ['transaction_id', 'uuid', (ended) => ended.id],
  ['status', 'text', (ended) => ended.status],
  ['failure_reason', 'text', (ended) => ended.failedReason],
  ['completed_at', 'timestamptz', (ended) => ended.completedAt],
];
