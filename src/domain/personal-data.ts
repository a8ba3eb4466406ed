/**
 * The classes of personal data of a partner's customer: what an erasure does with each, and why what stays is kept. The
 * answer of an erasure and docs/personal-data.md show this table.
 */

export interface PersonalData {
  /** What it is, in the words of the answer. */
  what: string;
  /** Why it is kept; null where it is erased. */
  keptBecause: string | null;
}

/** The CBN's AML, CFT and CPF Regulations 2022 ask for records of transactions and customers for five years. */
const FIVE_YEARS =
  'AML law: records of transactions are kept for five years after the relationship has ended';

export const PERSONAL_DATA: readonly PersonalData[] = [
  { what: 'name of the account', keptBecause: null },
  { what: 'metadata of the wallet, with names, addresses and telephone numbers', keptBecause: null },
  { what: 'BVNs and NINs with their indexes, and the names that belong to them', keptBecause: null },
  { what: 'wallet PIN', keptBecause: null },
  { what: 'descriptions and metadata of its transactions', keptBecause: null },
  { what: 'texts of its QR requests', keptBecause: null },
  { what: 'telephone numbers of its USSD payments', keptBecause: null },
  { what: 'events about the wallet and its verifications, sent or not', keptBecause: null },
  { what: 'kept answers that name the wallet', keptBecause: null },
  { what: 'bytes of providers’ callbacks about its transactions', keptBecause: null },
  { what: 'ledger entries and transactions: ids, references, amounts, times', keptBecause: FIVE_YEARS },
  { what: 'account number and user_ref, which say whose transactions these are', keptBecause: FIVE_YEARS },
  { what: 'bank accounts that its transfers went to, with their names', keptBecause: FIVE_YEARS },
  { what: 'that a BVN or NIN was checked, when, and with what result', keptBecause: FIVE_YEARS },
  {
    what: 'orders about the wallet and who gave them',
    keptBecause: 'they prove what people did to a customer’s money',
  },
];
