/**
 * The chart of accounts. Wallets are the sub-ledger of 2100; the accounts below belong to the platform. They have
 * no running balance: their entries are summed when a balance is asked for. So no transaction waits for a lock on
 * their rows.
 */
export const SYSTEM_ACCOUNTS = [
  ['1200', 'asset', 'PSP balance'],
  ['1300', 'asset', 'Inbound NIP receivable (notified, not yet settled)'],
  ['1900', 'asset', 'Suspense: unexplained debits'],
  ['2200', 'liability', 'Outbound NIP in flight'],
  ['2210', 'liability', 'Fees of in-flight transfers'],
  ['2300', 'liability', 'MFB / NIP / PSP cost payable'],
  ['2400', 'liability', 'VAT payable (7.5 % of fees)'],
  ['2900', 'liability', 'Suspense: unallocated credits'],
  ['4100', 'income', 'P2P fees'],
  ['4110', 'income', 'Bank transfer fees'],
  ['5100', 'expense', 'MFB and NIP cost'],
  ['9000', 'contra', 'Sandbox external world'],
] as const;

export type SystemAccountCode = (typeof SYSTEM_ACCOUNTS)[number][0];

/** The account's key in the ledger: a uuid that ends in the chart's own code, so that a query reads well. */
export function systemAccountId(code: SystemAccountCode): string {
  return `00000000-0000-0000-0000-00000000${code}`;
}
