/** Asks the companies about a transfer before a person ends it. A question never pays anything out. */
import {
  forbidsFailing,
  originatorOf,
  payoutOrder,
  UNKNOWN_ATTEMPT,
  type QueryOutcome,
} from '../../domain/payouts';
import { findBankTransfer } from '../../db/ledger/transactions';
import { findAttempts } from '../../db/payments/transfer-attempts';
import type { Environment } from '../../runtime/environment';
import type { Tenant } from '../tenant';

/**
 * Asks about every attempt that may have been paid; about the first one where none is noted.
 * @returns what a company says now; of several answers one that forbids failing the transfer, if there is one.
 *   `unknown` if a company does not answer, or nobody serves payouts; null where there is nothing to ask, because the
 *   transfer has ended or is no bank transfer.
 */
export async function askProvider(
  { environment, partner, cell }: Tenant,
  transactionId: string,
): Promise<QueryOutcome | null> {
  const found = await findBankTransfer(cell, partner.id, transactionId);
  if (found?.transfer.status !== 'processing' || !found.transfer.destAccount) return null;
  const { transfer, sender } = found;
  const { attempts } = await findAttempts(cell, environment.directory, transfer);
  const asked =
    attempts.length === 0 ? [UNKNOWN_ATTEMPT] : attempts.filter(({ state }) => state !== 'refused');
  const answers = await Promise.all(
    asked.map(async (attempt): Promise<QueryOutcome> => {
      try {
        const order = payoutOrder(transfer, originatorOf(sender, partner.businessName), attempt);
        return (await payingCompany(environment, attempt.provider).payouts.query(order)).outcome;
      } catch {
        // No answer is the case for which people are there: it forbids nothing, and the trail says `unknown`.
        return 'unknown';
      }
    }),
  );
  return answers.find(forbidsFailing) ?? answers.at(-1) ?? 'unknown';
}

/**
 * The company of an attempt.
 * @param provider its name; null for the preferred company.
 * @throws an outage if the company is not configured any more. Then the workflow waits until it is.
 */
export function payingCompany(
  { providers, name }: Environment,
  provider: string | null,
): Environment['providers']['payouts'][number] {
  const company = providers.payouts.find((one) => provider === null || one.name === provider);
  if (!company) throw new Error(`the provider ${provider ?? 'of payouts'} is not configured in ${name}`);
  return company;
}
