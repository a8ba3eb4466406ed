/** The companies outside: what each serves, our float there, its breakers, what is open with it, and when it was last heard. */
import { done } from '../../../domain/outcome';
import { findLastCredit, findOrderedLately } from '../../../db/payments/company-watch';
import { listOpenBreakers } from '../../../db/payments/provider-calls';
import { findLastCallback, listOpenByCompany } from '../../../db/payments/provider-health';
import { isAskingFirst } from '../../../db/payments/transfer-attempts';
import { floatHours, FLOAT_LOOKS_BACK_HOURS } from '../../../domain/payout-routes';
import { floatOf } from '../../../operations/money/route-payout';
import type { Environment } from '../../../runtime/environment';
import { writeProviderHealth, type ProviderHealth } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { inEnvironment, view } from '../route';

export const providerRoutes = [
  view(
    '/ops/:environment/providers',
    'listProviders',
    'The companies outside: what each serves, our float there, its breakers, what is open with it, and when it was last heard',
    inEnvironment(async (call) => {
      const health = await healthOf(call.environment);
      return done(dataAnswer(call, 200, health.map(writeProviderHealth)));
    }),
  ),
];

async function healthOf(environment: Environment): Promise<ProviderHealth[]> {
  const { providers, cells, pool, directory } = environment;
  const serving = Object.entries<Served | readonly Served[] | null>(providers).flatMap(([part, served]) =>
    companiesOf(served).map((company) => ({ part, company })),
  );
  const companies = new Map(serving.map(({ company }) => [company.name, company]));
  const breakers = await listOpenBreakers(pool, directory);
  const all = [...cells.values()];
  const open = (await Promise.all(all.map((cell) => listOpenByCompany(cell)))).flat();
  const ordered = await Promise.all(all.map((cell) => findOrderedLately(cell, FLOAT_LOOKS_BACK_HOURS)));
  return Promise.all(
    [...companies.values()].map(async ({ name, can }): Promise<ProviderHealth> => {
      const heard = await Promise.all(all.map((cell) => findLastCallback(cell, name)));
      const asked = can.asksFirst
        ? (await Promise.all(all.map((cell) => isAskingFirst(cell, name)))).every(Boolean)
        : null;
      const floatKobo = await floatOf(environment, name);
      const orderedKobo = ordered.reduce((sum, of) => sum + (of.get(name) ?? 0), 0);
      const lastCredit = await findLastCredit({ pool, directory }, all, name);
      return {
        name,
        serves: serving.filter(({ company }) => company.name === name).map(({ part }) => part),
        asksFirst: asked,
        floatKobo,
        floatHours: floatHours(floatKobo, orderedKobo),
        breakers: breakers.filter(({ provider }) => provider === name),
        open: open.filter(({ provider }) => provider === name),
        lastCreditAt: lastCredit === 'never' ? null : lastCredit,
        lastCallbackAt: heard.reduce((last, at) => (at && (!last || at > last) ? at : last), null),
      };
    }),
  );
}

interface Served {
  name: string;
  can: { asksFirst: boolean };
}

/** One company serves a part, or several, or nobody. */
const companiesOf = (served: Served | readonly Served[] | null): readonly Served[] =>
  served === null ? [] : 'name' in served ? [served] : served;
