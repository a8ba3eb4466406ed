/** Banks and resolved accounts as the interface shows them (D61, D62). */
import type { Bank } from '../domain/banks';

export const writeBank = ({ code, name, slug, nipCode }: Bank) => ({ code, name, slug, nip_code: nipCode });

export const writeResolvedAccount = (account: {
  accountNumber: string;
  accountName: string;
  bankCode: string;
  bankName: string;
}) => ({
  account_number: account.accountNumber,
  account_name: account.accountName,
  bank_code: account.bankCode,
  bank_name: account.bankName,
});
