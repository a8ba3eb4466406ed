/**
 * The companies outside, as the platform needs them. A company has the parts that it serves and leaves the others
 * out; a part that nobody serves is refused before anything is written (R22). `docs/how-to/add-a-provider.md` tells how to write
 * one, and `test/support/provider-contract.ts` holds the promises below as cases.
 *
 * What a company answered in words that its adapter does not list is `unknown`, and unknown is never a failure
 * (D57). A call that throws tells us as little as `unknown`. Each call ends within 12 seconds, by a limit of the adapter's
 * own. Neither an answer nor an error repeats a secret or a customer's number.
 */
import type { Bank } from '../domain/banks';
import type { Kobo } from '../domain/money';
import type { QueryOutcome, RefusalCause, SubmitOutcome } from '../domain/payouts';
import type { IdentityRecord, VerificationType } from '../domain/verifications';
import type { IssuedAccount, OwnerDetail } from '../domain/wallets';

/** One company outside. */
export interface Provider {
  name: string;
  accounts?: Accounts;
  names?: Names;
  payouts?: Payouts;
  identity?: IdentityBureau;
  banks?: Banks;
}

type Part = Exclude<keyof Provider, 'name'>;
/** A company that has this part. */
type Serving<P extends Part> = Provider & Required<Pick<Provider, P>>;
/** Who serves each part of an environment; null where nobody does. */
export type Providers = { readonly [P in Part]: Serving<P> | null };

/** Gives each part to the first of the companies that has it. */
export function whoServes(companies: readonly Provider[]): Providers {
  const first = <P extends Part>(part: P): Serving<P> | null =>
    companies.find((company): company is Serving<P> => company[part] !== undefined) ?? null;
  return {
    accounts: first('accounts'),
    names: first('names'),
    payouts: first('payouts'),
    identity: first('identity'),
    banks: first('banks'),
  };
}

/** Opens bank accounts for wallets. */
interface Accounts {
  /** Orders an account; the wallet's id is the key, so that a second order gets the same account. */
  issue(order: AccountOrder): Promise<AccountAnswer>;
}

interface AccountOrder {
  partnerId: string;
  walletId: string;
  accountName: string;
  /** What the partner has told of the wallet's owner; companies differ in what they demand (D27). */
  owner: Record<OwnerDetail, string | null>;
  createdAt: Date;
}

export type AccountAnswer =
  | { outcome: 'issued'; account: IssuedAccount }
  | { outcome: 'pending'; pollAfterMs: number }
  /** Nothing was opened, because these details of the owner are missing. */
  | { outcome: 'needs'; details: OwnerDetail[] };

/** Tells whose an account at another bank is. */
interface Names {
  /**
   * The name that the destination bank has for an account (D59). `not_found` only where the bank has said that there is no
   * such account; every other trouble is `unknown`.
   * @param reference the payout that it is asked for; absent where somebody only wants to know the name.
   */
  enquire(bankCode: string, accountNumber: string, reference?: string): Promise<NameAnswer>;
}

export type NameAnswer = { found: string } | 'not_found' | 'unknown';

/** Pays to accounts at other banks. */
export interface Payouts {
  /**
   * Sends an order. Under one reference money moves at most once, however often and from however many processes it is sent.
   * Nothing is known after a throw: the order may have arrived.
   */
  submit(order: PayoutOrder): Promise<Submitted>;
  /** Asks what became of an order. Asking as often as one likes pays nothing out. */
  query(order: PayoutOrder): Promise<Queried>;
}

/** A payout to a bank account. */
export interface PayoutOrder {
  /** Ours; 39 characters of a-z, 0-9 and `-`. */
  reference: string;
  /** The company's own id of it; null until it has told us one. */
  providerRef: string | null;
  amountKobo: Kobo;
  bankCode: string;
  accountNumber: string;
  /** The beneficiary's name as the sender wrote it. */
  accountName: string;
  /** Never empty; the adapter shortens it to what its company takes. */
  narration: string;
  senderName: string;
}

/** What a company told along with an answer; null where it did not. */
export interface Facts {
  providerRef: string | null;
  sessionId: string | null;
  /** What the company takes from us for it. */
  feeKobo: Kobo | null;
  /** The response code in the rail's own words. */
  code: string | null;
  reason: string | null;
  /** When asking, or sending again after `not_sent`, makes sense: 0 is at once. */
  pollAfterMs: number | null;
}

export const NOTHING_TOLD: Facts = {
  providerRef: null,
  sessionId: null,
  feeKobo: null,
  code: null,
  reason: null,
  pollAfterMs: null,
};

/**
 * `accepted`: the company has the order. `exists`: it had this reference before. `not_sent`: it provably has not taken the order, and it may be sent
 * again later. `refused`: neither, and it says why; `beneficiary` is final, the other causes are ours to mend.
 */
export type Submitted = Facts &
  ({ outcome: Exclude<SubmitOutcome, 'refused'> } | { outcome: 'refused'; cause: RefusalCause });

/** `failed` and `reversed` only where they are final: the money is with us, or came back to us (G12). */
export type Queried = Facts & { outcome: QueryOutcome };

/** Looks numbers up in the registers of BVN and NIN. */
export interface IdentityBureau {
  /** Asks for one number; the verification's id is the key, so that asking twice is one look-up. */
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
  /** The bureau itself has given up on the register behind it: asking again is of no use. */
  | { outcome: 'unavailable' };

/** Knows banks that our own list does not. */
export interface Banks {
  list(): Promise<readonly Bank[]>;
}
