/** Every scenario, in the order of the table. */
import type { Scenario } from '../scenario';

export const SCENARIOS: readonly Scenario[] = [];
