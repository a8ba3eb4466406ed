/** Counts the look-ups that an identity company turned away because of our account with it. */
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

type Bureau = Environment['providers']['identity'][number];

/** Puts a counting bureau in front of each company of each environment. What it answers stays the same. */
export function countIdentityRefusals(environments: readonly Environment[], metrics: Metrics): void {
  const counting = (company: Bureau): Bureau => {
    const refused = metrics.identityRefusals(company.name);
    return {
      ...company,
      identity: {
        ...company.identity,
        async lookUp(order) {
          const answer = await company.identity.lookUp(order);
          if (answer.outcome === 'refused') refused();
          return answer;
        },
      },
    };
  };
  for (const environment of environments) {
    const { providers } = environment;
    environment.providers = { ...providers, identity: providers.identity.map(counting) };
  }
}
