/**
 * The chart of accounts. Wallets are the sub-ledger of 2100; the accounts below belong to the platform. They have
 * no running balance: their entries are summed when a balance is asked for. So no transaction waits for a lock on
 * their rows.
 */
import { assert } from './assert';

export const SYSTEM_ACCOUNTS = [
  ['1100', 'asset', 'Our own bank account'],
  ['1200', 'asset', 'PSP balance'],
  ['1300', 'asset', 'Inbound NIP receivable (notified, not yet settled)'],
  ['1900', 'asset', 'Suspense: unexplained debits'],
  ['1990', 'asset', 'Between cells: suspense that a wallet of another cell has got'],
  ['2200', 'liability', 'Outbound NIP in flight'],
  ['2210', 'liability', 'Fees of in-flight transfers'],
  ['2300', 'liability', 'MFB / NIP / PSP cost payable'],
  ['2400', 'liability', 'VAT payable (7.5 % of fees)'],
  ['2410', 'liability', 'Stamp duty that payers have borne, payable'],
  ['2900', 'liability', 'Suspense: unallocated credits'],
  ['4100', 'income', 'P2P fees'],
  ['4110', 'income', 'Bank transfer fees'],
  ['5100', 'expense', 'MFB and NIP cost'],
  ['5110', 'expense', 'Fees of the companies that pay out and take in'],
  ['5300', 'expense', 'Stamp duty that we pay ourselves'],
  ['5900', 'expense', 'Losses: debits that nobody gives back'],
  ['9000', 'contra', 'Sandbox external world'],
] as const;

export type SystemAccountCode = (typeof SYSTEM_ACCOUNTS)[number][0];

/** The account's key in the ledger: a uuid that ends in the chart's own code, so that a query reads well. */
export function systemAccountId(code: SystemAccountCode): string {
  return `00000000-0000-0000-0000-00000000${code}`;
}

/** The longest name of a company that fits into the id of an account. */
const NAME_MAX = 14;

/** Whether a company outside may have this name: its accounts are named by it. */
export const isCompanyName = (name: string): boolean =>
  /^[a-z][a-z0-9-]*$/.test(name) && name.length <= NAME_MAX;

/**
 * The account of the chart that we have with one company, such as our balance there: a uuid that begins with the
 * company's name in ASCII and ends in the chart's own code, so that each company has its own without a list of them.
 * @param company its name (`isCompanyName`).
 */
export function companyAccountId(code: SystemAccountCode, company: string): string {
  assert(isCompanyName(company), 'the name of a company fits into the id of an account');
  const name = Array.from(company, (letter) => letter.charCodeAt(0).toString(16)).join('');
  const digits = name.padEnd(2 * NAME_MAX, '0') + code;
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
