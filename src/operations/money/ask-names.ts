/** The name enquiry: companies are asked in turn until one knows (D59). */
import type { NameAnswer } from '../../domain/payouts';
import type { Environment } from '../../runtime/environment';

/**
 * Asks for the name of an account. A company that fails or does not know is passed over for the next one, because
 * asking moves no money. `not_found` is an answer. A company that does not pay to the bank is not asked, and where none does,
 * nobody will ever know the account.
 * @param onError is told of each company that failed.
 * @returns `unknown` where no company knew, or none serves names.
 */
export async function askForName(
  companies: Environment['providers']['names'],
  asked: { bankCode: string; accountNumber: string; reference?: string },
  onError: (error: unknown, company: string) => void,
): Promise<NameAnswer> {
  let isKnowable = companies.length === 0;
  for (const company of companies) {
    const { name, names } = company;
    try {
      if (!(await reachesBank(company, asked.bankCode))) continue;
      isKnowable = true;
      const answer = await names.enquire(asked.bankCode, asked.accountNumber, asked.reference);
      if (answer !== 'unknown') return answer;
    } catch (error) {
      onError(error, name);
    }
  }
  return isKnowable ? 'unknown' : 'not_found';
}

/** @returns true where nobody knows, or where the company pays to every bank. */
export const reachesBank = async (
  { payouts }: Partial<Pick<Environment['providers']['payouts'][number], 'payouts'>>,
  bankCode: string,
): Promise<boolean> => (await payouts?.reaches?.(bankCode).catch(() => true)) ?? true;
