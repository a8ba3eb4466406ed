/**
 * The classes of personal data of a partner's customer: what an erasure does with each, and why what stays is kept. The
 * answer of an erasure and docs/personal-data.md show this table.
 */

/** What is shown in the place of a name that was erased. */
export const ERASED = 'ERASED';

interface PersonalData {
  /** What it is, in the words of the answer. */
  what: string;
  /** Why it is kept; null where it is erased. */
  keptBecause: string | null;
}

/** What an erasure takes away, and what it keeps and why, as the proposal, the answer and the trail say it. */
export interface ErasureTold {
  erased: string[];
  kept: { what: string; why: string }[];
}

/** The CBN's AML, CFT and CPF Regulations 2022 ask for records of transactions and customers for five years. */
const FIVE_YEARS =
  'AML law: records of transactions are kept for five years after the relationship has ended';

export const PERSONAL_DATA = {
  account_name: { what: 'name of the account', keptBecause: null },
  wallet_metadata: {
    what: 'metadata of the wallet, with names, addresses and telephone numbers',
    keptBecause: null,
  },
  identity_numbers: {
    what: 'BVNs and NINs with their indexes, and the names that belong to them',
    keptBecause: null,
  },
  pin: { what: 'wallet PIN', keptBecause: null },
  transaction_texts: {
    what: 'descriptions and metadata of its transactions; of a split that others received too, what names the person',
    keptBecause: null,
  },
  qr_texts: { what: 'texts of its QR requests', keptBecause: null },
  phones: { what: 'telephone numbers of its USSD payments', keptBecause: null },
  events: { what: 'events about the wallet and its verifications, sent or not', keptBecause: null },
  kept_answers: { what: 'kept answers that name the wallet', keptBecause: null },
  callback_bytes: { what: 'bytes of providers’ callbacks about its transactions', keptBecause: null },
  senders: {
    what: 'who has paid into the wallet from outside: name, bank, account, narration',
    keptBecause: null,
  },
  books: {
    what: 'ledger entries and transactions: ids, references, amounts, times',
    keptBecause: FIVE_YEARS,
  },
  identity: {
    what: 'account number and user_ref, which say whose transactions these are',
    keptBecause: FIVE_YEARS,
  },
  bank_accounts: {
    what: 'bank accounts that its transfers went to, with their names',
    keptBecause: FIVE_YEARS,
  },
  checks: {
    what: 'that a BVN or NIN was checked: on what consent, when, and with what result',
    keptBecause: FIVE_YEARS,
  },
  orders: {
    what: 'orders about the wallet and who gave them',
    keptBecause: 'they prove what people did to a customer’s money',
  },
} as const satisfies Record<string, PersonalData>;
export type PersonalClass = keyof typeof PERSONAL_DATA;

/** What there is of somebody who was checked and never had a wallet. */
export const OF_CHECKED_PERSON = [
  'identity_numbers',
  'events',
  'identity',
  'checks',
  'orders',
] as const satisfies readonly PersonalClass[];

/** The classes as the two lists that people agree to before an erasure, and are answered after it. */
export function erasureTold(
  classes: readonly PersonalClass[] = Object.keys(PERSONAL_DATA) as PersonalClass[],
): ErasureTold {
  const told: ErasureTold = { erased: [], kept: [] };
  for (const name of classes) {
    const { what, keptBecause } = PERSONAL_DATA[name];
    if (keptBecause === null) told.erased.push(what);
    else told.kept.push({ what, why: keptBecause });
  }
  return told;
}

/** How long AML law asks to keep what is known of a customer after the wallet was closed, or after the last check. */
const KEPT_YEARS = 5;

/** What the people who decide on an erasure are warned of: the period of AML law is not over. */
export function erasureWarnings(ended: 'wallet' | 'last check', endedAt: Date, now: Date): string[] {
  const until = new Date(endedAt);
  until.setUTCFullYear(until.getUTCFullYear() + KEPT_YEARS);
  if (now >= until) return [];
  const [end, kept] = [endedAt, until].map((at) => at.toISOString().slice(0, 10));
  return [
    `The ${ended === 'wallet' ? 'wallet was closed' : 'last check ended'} on ${String(end)}. AML law asks to keep records of a customer until ${String(kept)}: ` +
      'make sure that the partner or its bank keeps them',
  ];
}
