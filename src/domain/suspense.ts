/**
 * Money without an owner: 2900 has what came in and nobody takes, 1900 what left and nobody has to pay. Each posting
 * against one of them stands in a finding, written in the same commit, and each finding has an operation that ends it. So
 * the balance of the account is the sum of its open findings (R54).
 */
import { systemAccountId } from './accounts';
import { assert, present } from './assert';
import type { FindingClass } from './findings';
import type { Kobo } from './money';

export const SUSPENSE_ACCOUNTS = ['1900', '2900'] as const;
export type SuspenseAccount = (typeof SUSPENSE_ACCOUNTS)[number];

const BY_ID = new Map(SUSPENSE_ACCOUNTS.map((code) => [systemAccountId(code), code]));

/** An operation that takes the money of a finding out of suspense. */
type Way = 'allocate' | 'refund' | 'paid_by_hand' | 'recovered' | 'adjust' | 'write_off';

/**
 * The classes of findings that stand for money: whether it is a credit, which somebody is to get, or a debit, which we miss;
 * and what ends it.
 */
export const SUSPENSE_CLASSES = {
  return_unallocated: { holds: 'credit', ends: ['allocate', 'paid_by_hand'] },
  payment_unallocated: { holds: 'credit', ends: ['allocate', 'refund'] },
  paid_after_all: { holds: 'debit', ends: ['recovered', 'write_off'] },
  payment_returned: { holds: 'debit', ends: ['adjust', 'recovered', 'write_off'] },
  debit_unexplained: { holds: 'debit', ends: ['recovered', 'write_off'] },
  adjustment_unexplained: { holds: 'either', ends: ['adjust', 'write_off'] },
} as const satisfies Partial<
  Record<FindingClass, { holds: 'credit' | 'debit' | 'either'; ends: readonly Way[] }>
>;
export type SuspenseClass = keyof typeof SUSPENSE_CLASSES;

/** Each way in the words of an operator. */
const WAYS: Readonly<Record<Way, string>> = {
  allocate: 'allocate it to a wallet',
  refund: 'give it back to its payer',
  paid_by_hand: 'book the treasury entry paid_by_hand, where it was sent by hand',
  recovered: 'book the treasury entry recovered, where it is back',
  adjust: 'make an adjustment that names the finding',
  write_off: 'write it off',
};

/** What an operator may do with the money of a finding, as a sentence. */
export const waysOut = (name: SuspenseClass): string =>
  `To end it: ${SUSPENSE_CLASSES[name].ends.map((way) => WAYS[way]).join('; or ')}`;

/**
 * Whether a way ends a finding of this class by this amount.
 * @param signedKobo the entry that the way makes on the account of the finding: it never takes more than is left.
 */
export function mayEnd({ class: name, kobo }: OpenMoney, way: Way, signedKobo: Kobo): boolean {
  const { ends }: { ends: readonly Way[] } = SUSPENSE_CLASSES[name];
  // Nobody makes an income of what belongs to somebody else.
  if (way === 'write_off' && kobo > 0) return false;
  return (
    ends.includes(way) && Math.sign(signedKobo) === -Math.sign(kobo) && Math.abs(signedKobo) <= Math.abs(kobo)
  );
}

/** The finding to which a posting belongs. */
export interface SuspenseFinding {
  class: SuspenseClass;
  resource: string;
  /** What people should know of it; null where the posting ends what the finding has said. */
  detail: Record<string, unknown> | null;
}

/** A posting against suspense, as it is written with its entries. */
export interface SuspensePosting extends SuspenseFinding {
  transactionId: string;
  account: SuspenseAccount;
  /** As the entry has it: positive for a credit. */
  amountKobo: Kobo;
}

/** An open finding with what is left of its money: below 0 where we miss it. */
export interface OpenMoney {
  class: SuspenseClass;
  resource: string;
  account: SuspenseAccount;
  kobo: Kobo;
}

export const isSuspenseClass = (name: string): name is SuspenseClass => name in SUSPENSE_CLASSES;

/**
 * What a movement writes about the suspense that it touches.
 * @param finding of the movement; null where it should touch none. A movement that touches some without a finding is a bug,
 *   which stops here.
 */
export function suspenseIn(
  entries: readonly { transactionId: string; account: string; amountKobo: Kobo }[],
  finding: SuspenseFinding | null,
): SuspensePosting | null {
  let found: SuspensePosting | null = null;
  for (const { transactionId, account: id, amountKobo } of entries) {
    const account = BY_ID.get(id);
    if (account === undefined) continue;
    assert(found === null, 'a movement touches suspense once');
    found = {
      ...present(finding, 'the finding of a posting against suspense'),
      transactionId,
      account,
      amountKobo,
    };
  }
  return found;
}
