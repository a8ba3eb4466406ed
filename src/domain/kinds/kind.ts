/**
 * The columns of the table of transaction kinds: everything in which one kind differs from another. What is not
 * a column here is the same for all kinds.
 */
import type { FeeRules } from '../fees';
import type { LimitName } from '../limits';
import type { Leg, OpeningCommon } from '../ledger/movements';
import type { Row } from '../machine';
import type { Kobo } from '../money';
import type { Posting, PostingStep } from '../postings';
import type { RefusalCode } from '../refusals';
import type { SuspenseFinding } from '../suspense';
import type { TransactionType } from '../transaction-types';
import type { Transaction, TransactionStatus } from '../transactions';
import type { WalletStatus } from '../wallets';

/**
 * The columns of every kind.
 * @typeParam Movement the movement that books its money first; `never` where the kind has no movement of its own.
 */
export interface TransactionKind<Movement = never> {
  /** What it is, in one sentence for partners: the reference and the OpenAPI document show it. */
  summary: string;
  /** What its source pays for it, and what the bank charges us. */
  fees: FeeRules;
  life: Life;
  events: EventsOfKind;
  /** The code that refuses it while its source is in that state; null where it has no source. */
  sourceRefusals: Readonly<Record<WalletStatus, RefusalCode | null>> | null;
  /** Which limits of the regulator its wallets meet, in live and where the sandbox enforces them (D123). */
  limits: readonly LimitName[];
  postings: Postings<Movement>;
}

/** A kind that partners, operators or providers begin by one movement (see `Opening`). */
export interface OpeningKind<Opened extends OpeningCommon> extends TransactionKind<Opened> {
  once: Once<Opened>;
  /**
   * Each debit with its credit, as a transaction of its own. The wallets of the legs are locked and checked.
   * Either all legs are booked in one commit, or none is.
   */
  legs: (opening: Opened) => readonly Leg[];
  /**
   * The fields of the record that other kinds leave empty; null where there are none. `place` counts legs from 0.
   */
  record: ((opening: Opened, place: number) => Partial<RecordOfKind>) | null;
  /**
   * The finding of its posting against 1900 or 2900; absent where it never makes one, and null where this one does not.
   * The ledger stops where there is a posting and no finding (R54).
   */
  suspense?: (opening: Opened) => SuspenseFinding | null;
  /** The transaction that it gives back, where it is a reversal that people have decided on; absent for every other kind. */
  reverses?: (opening: Opened) => string;
  postings: Postings<Opened> & { accept: Accept<Opened> };
}

/** How its status begins and moves, and what must be booked in each status. */
export interface Life {
  /** The status in which it is written first. */
  bornAs: TransactionStatus;
  /** The moves from there; empty where the first status is final. */
  machine: readonly Row<TransactionStatus, string>[];
  /** Who decides how it ends; null where the first status is final. */
  endedBy: 'provider' | 'ussd_session' | null;
  /**
   * The status in which the debit may still come back, so that the source keeps room for it; null if it never may.
   */
  inFlightWhile: TransactionStatus | null;
  /** The steps whose entries must be there in a status: what reconciliation looks for. */
  entries: Partial<Record<TransactionStatus, readonly PostingStep[]>>;
  /** The statuses in which one transaction has given amount and fee back, and the type of that one (D30, D56). */
  givenBack: { when: readonly TransactionStatus[]; as: TransactionType } | null;
}

/** How partners hear of it (interface: Events). */
export interface EventsOfKind {
  /** False where another transaction's event reports it: then reconciliation does not miss an event. */
  areSent: boolean;
  /** True where endpoints may know its events by the quickstart's names, `transfer.…` (D106). */
  areAliased: boolean;
  /** What `transaction.completed` names besides the common fields (D107). */
  completedNames: 'both_wallets' | 'provider_reference' | 'ussd_session';
}

/** How a repeat of a movement is recognised, so that nothing is ever booked twice. */
type Once<Opened> =
  /** The partner's reference, used up for ever. The same terms are a repeat, other terms are refused (D45). */
  | { by: 'reference'; terms: (opening: Opened) => string }
  /** The QR request that it pays: its row is locked, and it is paid once (D66). */
  | { by: 'qr_request'; id: (opening: Opened) => string }
  /** The bank transfer whose arrival it credits; null where the money comes from elsewhere (D60, R8). */
  | { by: 'credited_transfer'; id: (opening: Opened) => string | null }
  /** The transaction's own id, which was given out earlier (D14). */
  | { by: 'own_id' };

/** The parts of a transaction's record that only some kinds fill. */
type RecordOfKind = Pick<Transaction, 'destAccount' | 'paused' | 'scenario' | 'metadata' | 'splitConfig'>;

/** The journal of each step that the kind has; null where it has no such step. Each set sums to zero. */
interface Postings<Movement> {
  /** Its money moves for the first time. */
  accept: Accept<Movement> | null;
  /** The provider has paid it. `chargedKobo` is the stamp duty that its source bears; 0 where none was charged. */
  settle: ((ended: Transaction, chargedKobo: Kobo) => Posting[]) | null;
  /** It failed or came back: amount and fee go to `wallet`, or to suspense where none takes them (D30). */
  return: ((ended: Transaction, wallet: string | null) => Posting[]) | null;
}

type Accept<Movement> = (movement: Movement, begun: Transaction) => Posting[];
