/** Every scenario, in the order of the table. */
import type { Scenario } from '../scenario';
import { bankAccept, bankFinish, bankFinishServer } from './bank-transfers';
import { bulk } from './bulk';
import { hostileBody } from './hostile-body';
import { hostileForward } from './hostile-forward';
import { large } from './large';
import { memory } from './memory';
import { mixed } from './mixed';
import { overload } from './overload';
import { p2p } from './p2p';
import { p2p500 } from './p2p-500';
import { p2pGrown } from './p2p-grown';
import { p2pGuards } from './p2p-guards';
import { p2pHot } from './p2p-hot';
import { p2pLive } from './p2p-live';
import { p2pMemory } from './p2p-memory';
import { p2pOne } from './p2p-one';
import { p2pOneShipped, p2pShipped } from './p2p-shipped';
import { p2pTwo } from './p2p-two';
import { recovery } from './recovery';
import { start } from './start';
import { ussd } from './ussd';
import { webhooks } from './webhooks';
import { webhooksRestart } from './webhooks-restart';

export const SCENARIOS: readonly Scenario[] = [
  p2p,
  p2pMemory,
  p2pHot,
  p2pOne,
  p2pLive,
  p2pGuards,
  p2pShipped,
  p2pOneShipped,
  mixed,
  bulk,
  p2pGrown,
  p2p500,
  p2pTwo,
  overload,
  hostileBody,
  hostileForward,
  large,
  webhooks,
  webhooksRestart,
  bankAccept,
  bankFinish,
  bankFinishServer,
  ussd,
  start,
  recovery,
  memory,
];
