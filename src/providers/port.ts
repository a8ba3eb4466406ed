/**
 * What the platform needs of the companies outside. A company has the parts that it serves and leaves the others
 * out. An operation that needs a part which nobody serves is refused before anything is written (R22).
 * `docs/how-to/add-a-provider.md` explains how to write a provider, and `test/support/provider-contract.ts` tests
 * the promises below.
 *
 * An answer that the adapter does not list is `unknown`, and `unknown` is never a failure (D57). A call that
 * throws means the same as `unknown`. The adapter itself limits each call to 12 seconds. Neither an answer nor an
 * error repeats a secret or a customer's number.
 */
import { isCompanyName } from '../domain/accounts';
import { assert } from '../domain/assert';
import type { ListedBank } from '../domain/bank-lists';
import type { Bank } from '../domain/banks';
import type { ConfirmOutcome, InboundPayment } from '../domain/inbound';
import type { Kobo } from '../domain/money';
import type {
  NameAnswer,
  OrderPart,
  PayoutFacts,
  PayoutOrder,
  QueryOutcome,
  RefusalCause,
  SubmitAnswer,
} from '../domain/payouts';
import type { PayoutTerms } from '../domain/payout-routes';
import type {
  MadeRefund,
  RefundFacts,
  RefundOrder,
  RefundOrderOutcome,
  RefundQueryOutcome,
} from '../domain/refunds';
import type { CompanySettlement, StatementLine } from '../domain/statement-lines';
import type { IdentityRecord, VerificationType } from '../domain/verifications';
import type { NeededDetail, OwnerDetail } from '../domain/owner-details';
import type { IssuedAccount } from '../domain/wallets';

/** One company outside. */
export interface Provider {
  /** 1 to 14 characters of a-z, 0-9 and `-`: our accounts with the company are named by it. */
  name: string;
  can: Capabilities;
  accounts?: Accounts;
  names?: Names;
  payouts?: Payouts;
  inbound?: Inbound;
  refunds?: Refunds;
  identity?: IdentityBureau;
  treasury?: Treasury;
  banks?: Banks;
}

/** What a company promises beyond the promises of its parts. */
interface Capabilities {
  /**
   * The first `failed` or `reversed` about a payout is final. Without this promise a payout has failed only when the
   * company has said it twice, because it may say so while the bank has given no definite answer.
   */
  failsForGood: boolean;
  /**
   * Before the company pays, it asks us, and pays only what we approve. So an order that we have given up is not paid,
   * however late it arrives.
   */
  asksFirst: boolean;
  /** Which further parts of an order the company carries to the bank; absent where it carries none of them. */
  carries?: readonly OrderPart[];
}

type Part = Exclude<keyof Provider, 'name' | 'can'>;
/** A company that has this part. */
type Serving<P extends Part> = Provider & Required<Pick<Provider, P>>;
/**
 * Who serves each part of an environment. One company serves a part, or nobody (null). Accounts are opened, names are
 * asked for, transfers are paid, money is taken in and numbers are looked up through several companies, the preferred one
 * first.
 */
export type Providers = { readonly [P in Exclude<Part, SharedPart>]: Serving<P> | null } & {
  readonly [P in SharedPart]: readonly Serving<P>[];
} & {
  /** They get no orders any more, and are asked about those that they have had. */
  readonly former: readonly Serving<'payouts'>[];
};
type SharedPart = 'accounts' | 'names' | 'payouts' | 'inbound' | 'refunds' | 'identity' | 'treasury';

/** The companies that are chosen for each work, the preferred one first. */
export interface ChosenCompanies {
  /** They pay out, and tell the names of accounts. */
  payouts: readonly Provider[];
  accounts: readonly Provider[];
  identity: readonly Provider[];
  /** They have keys and pay nothing out: their orders of before are asked about. */
  former?: readonly Provider[];
}

/**
 * Gives each part to the first of the chosen companies that has it, or to all of them.
 * @throws Error, at start, for a company whose name the books could not use.
 */
export function whoServes({ payouts, accounts, identity, former = [] }: ChosenCompanies): Providers {
  const withOurMoney = [...new Set([...payouts, ...accounts])];
  const everybody = [...new Set([...withOurMoney, ...identity])];
  for (const { name } of [...everybody, ...former])
    assert(isCompanyName(name), `${name} is a name for a company`);
  return {
    accounts: serving(accounts, 'accounts'),
    names: serving(payouts, 'names'),
    payouts: serving(payouts, 'payouts'),
    // Money comes to every account that a company has issued, also when another one issues them now.
    inbound: serving(everybody, 'inbound'),
    refunds: serving(everybody, 'refunds'),
    identity: serving(identity, 'identity'),
    treasury: serving(withOurMoney, 'treasury'),
    banks: serving(everybody, 'banks')[0] ?? null,
    former: serving(former, 'payouts'),
  };
}

const serving = <P extends Part>(companies: readonly Provider[], part: P): Serving<P>[] =>
  companies.filter((company): company is Serving<P> => company[part] !== undefined);

/** The same companies for every work. */
export const forEveryWork = (companies: readonly Provider[]): ChosenCompanies => ({
  payouts: companies,
  accounts: companies,
  identity: companies,
});

/** Opens bank accounts for wallets. */
export interface Accounts {
  /**
   * What the company must know of the owner before it opens an account. It is said at the door and looked at before an order,
   * and the company is asked nothing for it. Absent where it opens one for everybody.
   */
  readonly demands?: readonly NeededDetail[];
  /** Orders an account; the wallet's id is the key, so that a second order gets the same account. */
  issue(order: AccountOrder): Promise<AccountAnswer>;
  /**
   * Gives the account of a wallet up, so that no more money comes to it. `none`: the company says that it has no account of
   * this wallet. `unknown` is asked again. Absent where the numbers are our own.
   */
  close?(walletId: string): Promise<'closed' | 'none' | 'unknown'>;
}

export interface AccountOrder {
  partnerId: string;
  walletId: string;
  accountName: string;
  /** What the partner has told us about the wallet's owner. Companies demand different details (D27). */
  owner: Record<OwnerDetail, string | null>;
  /** A number of the owner that an identity bureau has verified. It goes to the company and nowhere else. */
  identity: { type: VerificationType; number: string } | null;
  createdAt: Date;
}

export type AccountAnswer =
  | { outcome: 'issued'; account: IssuedAccount }
  | { outcome: 'pending'; pollAfterMs: number }
  /** Nothing was opened, because these details of the owner are missing. */
  | { outcome: 'needs'; details: NeededDetail[] };

/** Tells who owns an account at another bank. */
interface Names {
  /**
   * The name that the destination bank has for an account (D59). `not_found` only where the bank has said that
   * there is no such account; every other failure is `unknown`.
   * @param reference the payout for which the name is asked; absent where somebody only wants to know the name.
   */
  enquire(bankCode: string, accountNumber: string, reference?: string): Promise<NameAnswer>;
}

/** Pays to accounts at other banks. */
export interface Payouts {
  /** What it takes and costs; absent where it runs in our own process, and no call leaves it. */
  terms?: PayoutTerms;
  /**
   * Whether the company's own list has a bank, asked of the company, before we go live. Absent where `reaches` asks it.
   * @throws Error where it does not tell its list.
   */
  lists?(bankCode: string): Promise<boolean>;
  /**
   * Every bank of the company's own list. Absent where it has none.
   * @throws Error where it does not tell its list.
   */
  listed?(): Promise<readonly ListedBank[]>;
  /**
   * The account behind the company's own name of a recipient; null where it knows no such recipient. Absent where a company
   * names accounts alone.
   * @throws Error where it does not answer.
   */
  recipient?(code: string): Promise<{ bankCode: string; accountNumber: string } | null>;
  /**
   * How long until an order that waits should look again, in milliseconds: those who wait come one after the other. Absent where
   * no call leaves our own process.
   */
  turnMs?(): Promise<number>;
  /** Whether it pays to a bank; absent where it pays to all of our list. A throw is that nobody knows. */
  reaches?(bankCode: string): Promise<boolean>;
  /**
   * Sends an order. Under one reference money moves at most once, however often and from however many processes it
   * is sent. Nothing is known after a throw: the order may have arrived.
   */
  submit(order: PayoutOrder): Promise<Submitted>;
  /** Asks what became of an order. A query never pays anything out, however often it is repeated. */
  query(order: PayoutOrder): Promise<Queried>;
}

/** Further facts that came with a company's answer; null where the answer did not have them. */
export interface Facts extends PayoutFacts {
  /** In our own fixed words: the company's text may name people. A partner reads it where it ends a transfer. */
  reason: string | null;
  /** The company's code of the answer, or the status of HTTP where it has none (`saidCodeOf`). */
  saidCode: string | null;
  /** Amount, account, reference or world of the answer are not those of the order: people have to look. */
  isAboutAnother: boolean;
  /** How long to wait before the next query, or before sending again after `not_sent`; 0 means at once. */
  pollAfterMs: number | null;
  /** So long the company takes no calls at all, as it has said; null where it has not said so. */
  closedForMs: number | null;
}

export const NOTHING_TOLD: Facts = {
  providerRef: null,
  sessionId: null,
  feeKobo: null,
  dutyKobo: null,
  needsAuthorization: null,
  code: null,
  reason: null,
  saidCode: null,
  isAboutAnother: false,
  pollAfterMs: null,
  closedForMs: null,
};

/** A code as it may be kept: short, and no sentence. Anything else, which could be a text, is left out. */
export const saidCodeOf = (code: string | null | undefined, status: number): string =>
  code && /^[A-Za-z0-9_.-]{1,40}$/.test(code) ? code : `http_${String(status)}`;

/**
 * `accepted`: the company has the order. `exists`: the company had an order with this reference before.
 * `not_sent`: the company has certainly not taken the order, which may be sent again later. `refused`: the company
 * has not taken the order and says why; the cause `beneficiary` is final, and the other causes are for us to mend.
 * `saysNo` beside `unknown`: the company itself has answered 400 or 422 in its own form, for a reason that is in no row. It
 * is never set for what a process on the way may have answered, or for an error of the server.
 */
export type Submitted = Facts & SubmitAnswer;

/** `failed` and `reversed`: the money is with us, or came back to us (G12). See `failsForGood`. */
export type Queried = Facts & { outcome: QueryOutcome };

/** Receives money for our account numbers, and settles it with us later. */
export interface Inbound {
  /** What became of the payment with this reference. A question never moves money, however often it is repeated. */
  confirm(reference: string): Promise<Confirmed>;
  /**
   * The references of the payments to our account numbers between two times, page by page. It may name one twice, and
   * misses none.
   * @throws where an answer is not a list: then nothing is known of what is missing.
   */
  list(window: Span): AsyncIterable<readonly string[]>;
}

export type Confirmed =
  | { outcome: 'received'; payment: InboundPayment }
  | { outcome: Exclude<ConfirmOutcome, 'received'>; pollAfterMs: number | null };

/** Gives payments that came in back to their payers. */
export interface Refunds {
  /**
   * Orders the refund of a whole payment. One of the same payment that the company has already, of whomever, is found
   * first and is the answer `exists`. `refused`: the company says that it has not taken the order. Nothing is known after
   * a throw, and the caller does not order again.
   */
  order(refund: RefundOrder): Promise<RefundOrdered>;
  /** Asks what became of a refund. A question gives nothing back, however often it is repeated. */
  query(refund: RefundOrder): Promise<RefundQueried>;
  /**
   * Everything that went back to payers since a time, whoever has ordered it: the company itself does so after a
   * charge-back.
   * @throws where the answer is not a list: then nothing is known of what is missing.
   */
  made(since: Date): Promise<MadeRefund[]>;
}

interface RefundTold extends RefundFacts {
  /** In the company's words, or ours. */
  reason: string | null;
  pollAfterMs: number | null;
}
export type RefundOrdered = RefundTold & { outcome: RefundOrderOutcome };
export type RefundQueried = RefundTold & { outcome: RefundQueryOutcome };

/** Looks numbers up in the registers of BVN and NIN. */
export interface IdentityBureau {
  /** What the bureau must know of the person beside the number. Absent where the number is enough. */
  readonly demands?: readonly OwnerDetail[];
  /**
   * Asks for one number; the verification's id is the key, so that asking twice is one look-up where the bureau
   * allows it. A throw is an outage: nothing is known, and the bureau is asked again.
   */
  lookUp(order: IdentityOrder): Promise<IdentityAnswer>;
}

export interface IdentityOrder {
  verificationId: string;
  type: VerificationType;
  /** The BVN or NIN itself: it goes to the bureau and nowhere else. */
  number: string;
  /** For bureaus that compare names themselves; null when none is known. */
  expectedName: string | null;
  submittedAt: Date;
}

export type IdentityAnswer =
  | { outcome: 'found'; record: IdentityRecord }
  | { outcome: 'not_found' }
  | { outcome: 'pending'; pollAfterMs: number }
  /** The bureau only compares names, and there is none to compare. It was not asked. */
  | { outcome: 'needs_name' }
  /** The bureau does not serve us: people must mend our account there, or fill our purse. */
  | { outcome: 'refused'; cause: BureauRefusal }
  /** The bureau has given up asking the register behind it, so asking the bureau again does not help. */
  | { outcome: 'unavailable' };

/** Why a bureau does not serve us. */
type BureauRefusal = Extract<RefusalCause, 'access' | 'float'>;

/** Knows banks that our own list does not. */
export interface Banks {
  list(): Promise<readonly Bank[]>;
}

/** Our money with a company: what is there now, and what its statement says of earlier days. */
export interface Treasury {
  /**
   * What the company can pay out for us now. Amounts that it has taken for orders are not in it any more.
   * @throws Error where nobody knows.
   */
  balance(): Promise<Kobo>;
  /**
   * Each change of that balance within a span of time, page by page, in any order. A line that comes on two pages is the same
   * line.
   * @throws Error where an answer is not understood: nothing may be concluded from a part of a statement.
   */
  lines(span: Span): AsyncIterable<readonly StatementLine[]>;
  /**
   * What the company has paid to our bank account of the money that came in; absent where that is in `lines`.
   * @throws Error as `lines`.
   */
  settlements?(span: Span): AsyncIterable<readonly CompanySettlement[]>;
}

/** A span of time: from its beginning on, up to its end and without it. */
export interface Span {
  from: Date;
  to: Date;
}
