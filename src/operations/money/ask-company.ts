/**
 * One question to a company about one payout, and what is kept of its answer: a line in the log with the company's code and
 * our own words, and a finding where the answer is about another amount or another transfer. A question never pays anything
 * out.
 */
import { recordFindings } from '../../db/reconcile/findings';
import type { Cell } from '../../db/pg/postgres';
import { attemptOfPayout, type PayoutOrder } from '../../domain/payouts';
import { companiesWithOrders, type Environment } from '../../runtime/environment';

/** The log of the process. */
export interface AnswerLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

type Payouts = Environment['providers']['payouts'][number]['payouts'];
type Submitted = Awaited<ReturnType<Payouts['submit']>>;
/** A company's answer to a question. */
export type Queried = Awaited<ReturnType<Payouts['query']>>;

/** What a payout is, for who keeps an answer about it. */
interface AskedPayout {
  cell: Cell;
  logger: AnswerLog;
  order: PayoutOrder;
  provider: string;
}

/** The outcomes that need nobody. */
const PLAIN: readonly (Queried | Submitted)['outcome'][] = ['accepted', 'exists', 'success', 'pending'];

/**
 * Keeps an answer. A second one with the same content changes nothing but the time of the finding. That a finding cannot be
 * written now loses no answer: the next one writes it.
 */
export async function keepAnswer<Answer extends Queried | Submitted>(
  { cell, logger, order: { reference }, provider }: AskedPayout,
  answer: Answer,
): Promise<Answer> {
  const { outcome, reason, isAboutAnother } = answer;
  const said = { reference, provider, outcome, code: answer.saidCode ?? answer.code, reason };
  if (PLAIN.includes(outcome)) logger.info(said, 'A company has answered about a payout');
  else logger.warn(said, 'A company has answered about a payout, and has not taken or paid it');
  const attempt = isAboutAnother ? attemptOfPayout(reference) : null;
  if (attempt) {
    const detail = { about: 'answer', attempt: attempt.n, provider, why: reason };
    const finding = { class: 'provider_contradiction', resource: attempt.transactionId, detail } as const;
    await recordFindings(cell.pool, cell.schema, [finding]).catch((error: unknown) => {
      logger.warn({ err: error, reference }, 'The finding of an answer about another payout was not written');
    });
  }
  return answer;
}

/** Asks a company. @throws what the company's call throws: then nothing is known. */
export async function askCompany(environment: Environment, asked: AskedPayout): Promise<Queried> {
  const company = askedCompany(environment, asked.provider);
  return keepAnswer(asked, await company.payouts.query(asked.order));
}

/**
 * The company of an attempt, of which questions are asked. It may be one that gets no orders any more.
 * @param provider its name; null for the preferred company.
 * @throws an outage if it is not configured. Then the transfer waits until it is.
 */
export function askedCompany(
  { providers, name }: Pick<Environment, 'providers' | 'name'>,
  provider: string | null,
): Environment['providers']['payouts'][number] {
  const all = companiesWithOrders(providers);
  const company = all.find((one) => provider === null || one.name === provider);
  if (!company) throw new Error(`the provider ${provider ?? 'of payouts'} is not configured in ${name}`);
  return company;
}

/**
 * The company of an attempt, which gets its order.
 * @throws an outage if it gets no orders (any more).
 */
export function payingCompany(
  { providers, name }: Pick<Environment, 'providers' | 'name'>,
  provider: string,
): Environment['providers']['payouts'][number] {
  const company = providers.payouts.find((one) => one.name === provider);
  if (!company) throw new Error(`the provider ${provider} gets no orders in ${name}`);
  return company;
}
