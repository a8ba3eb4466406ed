/**
 * What a partner may say of how a bank transfer is paid: what it is for, and what happens where the bank has another name for the
 * account.
 */
import { isSameHolder } from './names';

/**
 * What happens where the bank tells another name for the account than the partner has sent (D59).
 * - `continue`: the transfer is paid.
 * - `hold`: no order is sent until the partner decides; the money comes back where it does not in time.
 * - `fail`: the transfer fails, and the money comes back at once.
 */
export const ON_NAME_MISMATCH = ['continue', 'hold', 'fail'] as const;
export type OnNameMismatch = (typeof ON_NAME_MISMATCH)[number];
export const NAME_DECISIONS = ['continue', 'fail'] as const satisfies readonly OnNameMismatch[];
export type NameDecision = (typeof NAME_DECISIONS)[number];

/** What a transfer is for, with its code in the lists of ISO 20022, which a company gets that carries one. */
export const PURPOSES = {
  salary: 'SALA',
  supplier: 'SUPP',
  goods: 'GDDS',
  services: 'SCVE',
  rent: 'RENT',
  loan: 'LOAN',
  tax: 'TAXS',
  other: 'OTHR',
} as const;
export type Purpose = keyof typeof PURPOSES;
export const PURPOSE_NAMES = Object.keys(PURPOSES) as [Purpose, ...Purpose[]];

/** Kept with the account that a transfer pays; what is absent is usual. */
export interface PayoutInstructions {
  /** `other` where it is absent. */
  purpose?: Purpose;
  /** `continue` where it is absent. */
  onNameMismatch?: OnNameMismatch;
}

/** What a partner has decided about a transfer that was to be held; absent before. */
export interface NameDecided {
  nameDecision?: NameDecision;
}

/** What is kept of the instructions: nothing of what is usual anyway. */
export const unusual = ({ purpose, onNameMismatch }: PayoutInstructions): PayoutInstructions => ({
  ...(purpose !== undefined && purpose !== 'other' && { purpose }),
  ...(onNameMismatch !== undefined && onNameMismatch !== 'continue' && { onNameMismatch }),
});

/** Why a transfer to an account of another holder has failed, as its partner reads it. */
export const OTHER_HOLDER = 'The bank has another name for the account';

/**
 * What is done about a transfer after the name enquiry.
 * @param told the name that the bank has told; null where nobody has told one, which stops nothing (D59).
 */
export function judgeName(
  { onNameMismatch, nameDecision, accountName }: PayoutInstructions & NameDecided & { accountName: string },
  told: string | null,
): OnNameMismatch {
  const wanted = nameDecision ?? onNameMismatch ?? 'continue';
  return told === null || isSameHolder(accountName, told) ? 'continue' : wanted;
}
