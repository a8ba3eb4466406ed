/** The name enquiry: companies are asked in turn until one knows (D59). */
import type { NameAnswer } from '../../domain/payouts';
import type { Environment } from '../../runtime/environment';

/**
 * Asks for the name of an account. A company that fails or does not know is passed over for the next one, because
 * asking moves no money. `not_found` is an answer.
 * @param onError is told of each company that failed.
 * @returns `unknown` where no company knew, or none serves names.
 */
export async function askForName(
  companies: Environment['providers']['names'],
  asked: { bankCode: string; accountNumber: string; reference?: string },
  onError: (error: unknown, company: string) => void,
): Promise<NameAnswer> {
  for (const { name, names } of companies) {
    try {
      const answer = await names.enquire(asked.bankCode, asked.accountNumber, asked.reference);
      if (answer !== 'unknown') return answer;
    } catch (error) {
      onError(error, name);
    }
  }
  return 'unknown';
}
