/** The companies outside: what each serves, our float there, its breakers, what is open with it, and when it was last heard. */
import { done } from '../../../domain/outcome';
import { listOpenBreakers } from '../../../db/payments/provider-calls';
import { findLastCallback, listOpenByCompany } from '../../../db/payments/provider-health';
import { isAskingFirst } from '../../../db/payments/transfer-attempts';
import { floatOf } from '../../../operations/money/route-payout';
import type { Environment } from '../../../runtime/environment';
import { writeProviderHealth, type ProviderHealth } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { inEnvironment, view } from '../route';

export const providerRoutes = [
  view(
    '/ops/:environment/providers',
    'listProviders',
    'The companies outside: what each serves, our float there, its breakers, what is open with it, its last callback',
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
  return Promise.all(
    [...companies.values()].map(async ({ name, can }): Promise<ProviderHealth> => {
      const heard = await Promise.all(all.map((cell) => findLastCallback(cell, name)));
      const asked = can.asksFirst
        ? (await Promise.all(all.map((cell) => isAskingFirst(cell, name)))).every(Boolean)
        : null;
      return {
        name,
        serves: serving.filter(({ company }) => company.name === name).map(({ part }) => part),
        asksFirst: asked,
        floatKobo: await floatOf(environment, name),
        breakers: breakers.filter(({ provider }) => provider === name),
        open: open.filter(({ provider }) => provider === name),
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
