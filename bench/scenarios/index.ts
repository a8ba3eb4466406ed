/** Every scenario, in the order of the table. */
import type { Scenario } from '../scenario';
import { p2p } from './p2p';

export const SCENARIOS: readonly Scenario[] = [p2p];
