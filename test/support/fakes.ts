/** Fakes of outside companies, for tests of what the platform does with their answers. */
import type { Environment } from '../../src/runtime/environment';
import { NOTHING_TOLD, whoServes, type Facts, type Provider } from '../../src/providers/port';

/** Puts a fake before the simulator, which still serves the parts that the fake does not have. */
export function withFake(
  environment: Environment,
  fake: (simulated: Required<Provider>) => Provider,
): Environment {
  const { simulator } = environment;
  if (!simulator) return environment;
  return { ...environment, providers: whoServes([fake(simulator.provider), simulator.provider]) };
}

/** An answer with the given outcome, and only the facts that a case needs. */
export const saying = <Outcome extends string>(outcome: Outcome, facts: Partial<Facts> = {}) => ({
  ...NOTHING_TOLD,
  ...facts,
  outcome,
});
