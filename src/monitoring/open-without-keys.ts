/**
 * Orders with a company that this process cannot ask, because it was started without the company's keys. Their transfers
 * would wait until somebody notices, so such a process says so and gets no work.
 */
import { listOpenByCompany } from '../db/payments/provider-health';
import { companiesWithOrders, type Environment } from '../runtime/environment';

/** What is open with one such company. */
export interface OpenWithoutKeys {
  environment: string;
  provider: string;
  /** How many attempts it may have, or has. */
  open: number;
}

/** @throws where Postgres does not answer. */
export async function openWithoutKeys({ name, providers, cells }: Environment): Promise<OpenWithoutKeys[]> {
  const asked = new Set(companiesWithOrders(providers).map((company) => company.name));
  const open = new Map<string, number>();
  for (const cell of cells.values()) {
    for (const { provider, unknown, accepted } of await listOpenByCompany(cell)) {
      // An order that provably nobody has goes to another company.
      const count = unknown + accepted;
      if (!asked.has(provider) && count > 0) open.set(provider, (open.get(provider) ?? 0) + count);
    }
  }
  return [...open].map(([provider, count]) => ({ environment: name, provider, open: count }));
}

export const sentenceOf = ({ environment, provider, open }: OpenWithoutKeys): string =>
  `${String(open)} orders are open in ${environment} with ${provider}, which cannot be asked: its keys are missing`;
