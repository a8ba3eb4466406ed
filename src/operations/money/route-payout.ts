/** Which companies can pay a transfer now: its route, and how each company stands. */
import { listOpenBreakers } from '../../db/payments/provider-calls';
import { listPayoutRoutes } from '../../db/payments/payout-routes';
import type { Kobo } from '../../domain/money';
import { passedOver, routed, type PayoutCompany, type PayoutRoute } from '../../domain/payout-routes';
import type { Environment } from '../../runtime/environment';
import { reachesBank } from './ask-names';

interface Routed {
  bankCode: string;
  amountKobo: Kobo;
}

/**
 * The companies for a transfer, in the order of its routes, with what stops each of them. Companies of which nothing is
 * known now, because they do not answer, are not stopped: they say themselves what they do not take.
 * @param reserveKobo so much of our balance with a company is never paid out.
 * @throws an outage if Postgres does not answer.
 */
export async function routePayout(
  environment: Environment,
  asked: Routed,
  reserveKobo: Kobo,
): Promise<{ name: string; passedOver: ReturnType<typeof passedOver> }[]> {
  const { pool, directory, providers } = environment;
  const { payouts } = providers;
  // A company in our own process takes everything, and has no routes.
  if (payouts.every((company) => !company.payouts.terms)) {
    return payouts.map(({ name }) => ({ name, passedOver: null }));
  }
  const codeOf = async (code: string): Promise<string> => (await environment.banks.find(code))?.code ?? code;
  const transfer: Routed = { ...asked, bankCode: await codeOf(asked.bankCode) };
  const routes = await Promise.all(
    (await listPayoutRoutes(pool, directory)).map(async (route): Promise<PayoutRoute> => ({
      ...route,
      bankCode: route.bankCode === null ? null : await codeOf(route.bankCode),
    })),
  );
  const open = await listOpenBreakers(pool, directory);
  const now = new Date();
  const isBroken = (name: string): boolean =>
    open.some(
      ({ provider, bankCode, openUntil }) =>
        provider === name &&
        (bankCode === null || bankCode === asked.bankCode) &&
        openUntil !== null &&
        openUntil > now,
    );
  return Promise.all(
    routed(transfer, routes, payouts).map(async (company) => {
      const stands: PayoutCompany = {
        name: company.name,
        terms: company.payouts.terms ?? null,
        isBroken: isBroken(company.name),
        floatKobo: await floatOf(environment, company.name),
        reachesBank: await reachesBank(company, asked.bankCode),
      };
      return { name: company.name, passedOver: passedOver(transfer, stands, reserveKobo) };
    }),
  );
}

/** What a company can pay out for us, as it said lately; null where it tells nobody. */
export const floatOf = async ({ providers }: Environment, provider: string): Promise<Kobo | null> => {
  const company = providers.treasury.find(({ name }) => name === provider);
  return company ? company.treasury.balance().catch(() => null) : null;
};
