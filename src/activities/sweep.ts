/**
 * The sweep starts, wakes and tells workflows, and brings security events to their list, where a crash or an outage has
 * prevented that. It also announces the end of API keys, and ends what a proof of a mailbox left to it.
 */
import { untoldCallbacks } from '../db/payments/callbacks';
import { untoldNotices } from '../db/payments/inbound-credits';
import { neglectedEndpoints } from '../db/events/dispatchers';
import { neglectedSchedules } from '../db/payments/scheduled-transfers';
import { overdueIntentions } from '../db/events/intentions';
import { untoldNews } from '../db/wallets/owner-news';
import { endWhatIsLeft } from '../operations/partners/first-proof';
import type { Dependencies } from './dependencies';

/** How many rows are read at once. The next read takes the others. */
const SWEEP_MAX = 500;
/**
 * How long one run starts workflows of one cell, so that it works on a backlog of thousands and not on 500 rows
 * only. The activity has a minute.
 */
const SWEEP_MS = 30_000;

/** How many of each were swept up. */
interface Swept {
  started: number;
  woken: number;
  told: number;
  /** Security events of cells that came to their list. */
  brought: number;
  /** Keys whose end was announced. */
  noted: number;
  /** Partners of whom something ended, because somebody else had made it. */
  ended: number;
}

export function sweepActivities({ environment, config }: Dependencies) {
  return {
    async sweepUp(): Promise<Swept> {
      const swept: Swept = { started: 0, woken: 0, told: 0, brought: 0, noted: 0, ended: 0 };
      const lookUntil = Date.now() + SWEEP_MS;
      for (const cell of environment.cells.values()) {
        let started: number;
        do {
          const intentions = await overdueIntentions(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX);
          started = await environment.relay.start(cell, intentions);
          swept.started += started;
        } while (started === SWEEP_MAX && Date.now() < lookUntil);
        swept.started += await environment.relay.start(
          cell,
          await neglectedSchedules(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX),
        );
        swept.woken += await environment.relay.wake(
          await neglectedEndpoints(cell, config.INTENTION_OVERDUE_MS),
        );
        swept.told += await environment.relay.tell(
          cell,
          await untoldCallbacks(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX),
        );
        swept.told += await environment.relay.tellOfNews(
          cell,
          await untoldNews(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX),
        );
      }
      for (const cell of environment.cells.values()) {
        swept.brought += await environment.relay.bringNotices(cell);
      }
      swept.told += await environment.relay.tellOfPayments(
        environment,
        await untoldNotices(environment, config.INTENTION_OVERDUE_MS, SWEEP_MAX),
      );
      swept.noted = await environment.relay.noteExpiringKeys();
      // At the end, so that one that cannot be done yet keeps nothing else.
      swept.ended = await endWhatIsLeft(environment);
      return swept;
    },
  };
}
