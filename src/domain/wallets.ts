/** A wallet as the rest of the code sees it, and the machine of its status (interface: States; D26, D28). */
import type { Kobo } from './money';
import { next, type Row } from './machine';
import { refuse, type Refused } from './outcome';
import type { RefusalCode } from './refusals';

export const WALLET_STATUSES = ['pending', 'active', 'frozen', 'closed'] as const;
export type WalletStatus = (typeof WALLET_STATUSES)[number];

export const ACCOUNT_STATUSES = ['provisioning', 'active', 'suspended', 'closed'] as const;
export type AccountStatus = (typeof ACCOUNT_STATUSES)[number];

export type WalletTrigger = 'account_issued' | 'freeze' | 'unfreeze' | 'close' | 'reopen';

export const WALLET_MACHINE: readonly Row<WalletStatus, WalletTrigger>[] = [
  ['pending', 'account_issued', 'active'],
  ['pending', 'close', 'closed'],
  ['active', 'freeze', 'frozen'],
  ['frozen', 'unfreeze', 'active'],
  ['active', 'close', 'closed'],
  ['frozen', 'close', 'closed'],
  // Only where no account was ever ordered for it.
  ['closed', 'reopen', 'pending'],
];

/** Who can freeze a wallet. A partner cannot lift the freeze of an operator (D26). */
export const FREEZERS = ['partner', 'operator'] as const;
export type Freezer = (typeof FREEZERS)[number];

/**
 * The status after a move, or null where it is refused. A partner can neither unfreeze nor close a wallet that an
 * operator froze. An operator may freeze a frozen wallet again, to take the freeze over or to change when it ends.
 */
export function afterMove(
  wallet: { status: WalletStatus; frozenBy: Freezer | null },
  trigger: WalletTrigger,
  actor: Freezer,
): WalletStatus | null {
  const isFrozen = wallet.status === 'frozen';
  if (isFrozen && wallet.frozenBy === 'operator' && actor === 'partner') return null;
  if (isFrozen && trigger === 'freeze' && actor === 'operator') return 'frozen';
  return next(WALLET_MACHINE, wallet.status, trigger);
}

/**
 * What a move may do to a freeze that an operator ordered: lift or shorten it at once, where no money is real; not
 * touch it; or lift the one that two people have agreed on. It says nothing about a freeze of the partner itself.
 */
export type OverOrder = 'free' | 'kept' | { freezeId: string };

/** The refusal for the payer's wallet in each state (D29, D138); none when it is active. */
export const PAYER_REFUSALS: Readonly<Record<WalletStatus, RefusalCode | null>> = {
  pending: 'WALLET_NOT_ACTIVE',
  active: null,
  frozen: 'WALLET_FROZEN',
  closed: 'WALLET_CLOSED',
};

/** The refusal for the wallet that receives: only a closed wallet cannot be paid (D29, D138). */
export const DESTINATION_CLOSED: Refused = refuse('WALLET_CLOSED', {
  message: 'The destination wallet is closed',
});

/**
 * The platform's own wallets, such as the settlement wallet of a partner. They are hidden from lists, and never
 * frozen or closed (D69, D137).
 */
export const isOfPlatform = (userRef: string): boolean => userRef.startsWith('__');

/** The status of the bank account under a wallet follows from the wallet's own (D28). */
export const ACCOUNT_STATUS_OF: Readonly<Record<WalletStatus, AccountStatus>> = {
  pending: 'provisioning',
  active: 'active',
  frozen: 'suspended',
  closed: 'closed',
};

/** The bank account that the MFB issued for a wallet. */
export interface IssuedAccount {
  accountNumber: string;
  accountName: string;
  bankCode: string;
  bankName: string;
  mfbReference: string;
}

export interface Wallet {
  id: string;
  partnerId: string;
  userRef: string;
  status: WalletStatus;
  /** null until the MFB has issued it. */
  account: IssuedAccount | null;
  metadata: Metadata;
  balanceKobo: Kobo;
  /** What open holds have set aside of it. */
  heldKobo: Kobo;
  createdAt: Date;
  updatedAt: Date;
}

export type Metadata = Record<string, unknown>;

const NAME_MAX = 60;

/**
 * The owner's name for the account: metadata.account_name, else first and last name, else the name by which the
 * owner was verified; upper case, at most 60 characters (D10).
 * @returns null if there is none of these. The partner's own name of the owner is no such name (D171).
 */
export function ownerNameFor(metadata: Metadata, verifiedName: string | null = null): string | null {
  const name = textIn(metadata, 'account_name') || fullNameIn(metadata) || verifiedName;
  return name ? inCapitals(name, NAME_MAX) : null;
}

/**
 * The account name where the owner has none: the business and the last six digits of the account number, at most
 * 60 characters (D171). Others see account names, so this one tells nothing about the owner.
 */
export function nameWithoutOwner(businessName: string, accountNumber: string): string {
  const digits = `/${accountNumber.slice(-6)}`;
  return inCapitals(businessName, NAME_MAX - digits.length) + digits;
}

const inCapitals = (name: string, max: number): string =>
  Array.from(name.toUpperCase()).slice(0, max).join('');

/** The owner's first and last name as the partner gave them in the metadata; null unless both are there. */
export function fullNameIn(metadata: Metadata): string | null {
  const [first, last] = [textIn(metadata, 'first_name'), textIn(metadata, 'last_name')];
  return first && last ? `${first} ${last}` : null;
}

/** A text of the metadata, on one line; empty where there is none. */
export function textIn(metadata: Metadata, key: string): string {
  const value = metadata[key];
  return typeof value === 'string' ? value.replace(/\s+/g, ' ').trim() : '';
}

/**
 * The metadata after a change, by JSON Merge Patch (RFC 7396): a null deletes a key, an object is merged key by key, and
 * anything else takes the place of what was there.
 */
export function mergedMetadata(before: Metadata, change: Metadata): Metadata {
  const entries = [...new Set([...Object.keys(before), ...Object.keys(change)])].flatMap(
    (key): [string, unknown][] => {
      if (!Object.hasOwn(change, key)) return [[key, before[key]]];
      const [was, becomes] = [before[key], change[key]];
      if (becomes === null) return [];
      return [[key, isObject(becomes) ? mergedMetadata(isObject(was) ? was : {}, becomes) : becomes]];
    },
  );
  return Object.fromEntries(entries);
}

const isObject = (value: unknown): value is Metadata =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why the opening of an account stands still until somebody does something; partners read these codes. */
export const PARKING_REASONS = {
  details_missing: 'Details about the owner are missing',
  no_account: 'The bank has issued no account number',
} as const;
export type ParkingReason = keyof typeof PARKING_REASONS;
