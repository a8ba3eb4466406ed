/** Fakes of outside companies, for tests of what the platform does with their answers. */
import type { Environment } from '../../src/runtime/environment';
import { NOTHING_TOLD, whoServes, type Facts, type Provider } from '../../src/providers/port';

/** Puts a fake before the simulator, which goes on to serve the parts that the fake has not. */
export function withFake(
  environment: Environment,
  fake: (simulated: Required<Provider>) => Provider,
): Environment {
  const { simulator } = environment;
  if (!simulator) return environment;
  return { ...environment, providers: whoServes([fake(simulator.provider), simulator.provider]) };
}

/** An answer in one word, with the few facts that a case is about. */
export const saying = <Outcome extends string>(outcome: Outcome, facts: Partial<Facts> = {}) => ({
  ...NOTHING_TOLD,
  ...facts,
  outcome,
});
