/** Fakes of outside companies, for tests of what the platform does with their answers. */
import type { Environment } from '../../src/runtime/environment';
import { forEveryWork, NOTHING_TOLD, whoServes, type Facts, type Provider } from '../../src/providers/port';
import type { Simulator } from '../../src/providers/simulator/simulator';

/**
 * Puts fakes in the place of the simulator, which still serves the parts that no fake has. A fake promises what the
 * simulator promises, unless it says something else.
 */
export function withFake(
  environment: Environment,
  ...fakes: ((simulated: Simulator['provider']) => Omit<Provider, 'can'> & Partial<Provider>)[]
): Environment {
  const { simulator } = environment;
  if (!simulator) return environment;
  const { name, can, ...parts } = simulator.provider;
  const companies = fakes.map((fake): Provider => ({ can, ...fake(simulator.provider) }));
  const left = Object.entries(parts).filter(([part]) => !companies.some((company) => part in company));
  return {
    ...environment,
    providers: whoServes(forEveryWork([...companies, { name, can, ...Object.fromEntries(left) }])),
  };
}

/** An answer with the given outcome, and only the facts that a case needs. */
export const saying = <Outcome extends string>(outcome: Outcome, facts: Partial<Facts> = {}) => ({
  ...NOTHING_TOLD,
  ...facts,
  outcome,
});
