/** Every scenario, in the order of the table. */
import type { Scenario } from '../scenario';
import { bankAccept, bankFinish } from './bank-transfers';
import { memory } from './memory';
import { mixed } from './mixed';
import { p2p } from './p2p';
import { start } from './start';
import { ussd } from './ussd';
import { webhooks } from './webhooks';

export const SCENARIOS: readonly Scenario[] = [
  p2p,
  mixed,
  webhooks,
  bankAccept,
  bankFinish,
  ussd,
  start,
  memory,
];
