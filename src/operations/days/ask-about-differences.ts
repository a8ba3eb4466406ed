/**
 * Asks the company about each payout of a day whose statement says something else than our books (`status_differs`). What
 * the company says is booked (`askAgain`), and the day is to be compared again then.
 */
import { findSubmitter } from '../../db/payments/callbacks';
import type { Finding } from '../../domain/findings';
import { attemptOfPayout } from '../../domain/payouts';
import type { Environment } from '../../runtime/environment';
import { askAgain } from '../money/ask-again';
import type { AnswerLog } from '../money/ask-company';

/** What is booked by that changes what a day is compared with. */
const BOOKED: readonly string[] = ['taken_back', 'booked_late'];

/**
 * @param open the findings of the day. A second call asks again, and books nothing twice.
 * @returns of how many payouts something was booked now, or before.
 * @throws an outage while what a company says cannot be booked.
 */
export async function askAboutDifferences(
  environment: Environment,
  logger: AnswerLog,
  open: readonly Finding[],
): Promise<number> {
  let booked = 0;
  for (const transactionId of new Set(open.flatMap(transferOf))) {
    const partnerId = await findSubmitter(environment.pool, environment.directory, transactionId);
    const owner = partnerId === null ? null : await environment.findPartner(partnerId);
    const asked = owner && (await askAgain({ environment, ...owner }, logger, transactionId));
    if (asked?.said.some(({ followedBy }) => BOOKED.includes(followedBy))) booked++;
  }
  return booked;
}

/** The transfer of a finding; nothing for a finding of another class, or about something else. */
function transferOf({ class: name, resource }: Finding): string[] {
  const reference = resource.split('/').at(-1) ?? '';
  const attempt = name === 'status_differs' ? attemptOfPayout(reference) : null;
  return attempt ? [attempt.transactionId] : [];
}
