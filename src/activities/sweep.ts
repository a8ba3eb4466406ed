/** The sweep: starts, wakes and tells the workflows that a crash or an outage left behind. */
import { untoldCallbacks } from '../db/payments/callbacks';
import { neglectedEndpoints } from '../db/events/deliveries';
import { overdueIntentions } from '../db/events/intentions';
import type { Dependencies } from './dependencies';

/** Rows of one look; what is left is taken by the next. */
const SWEEP_MAX = 500;
/** Looks at one cell's intentions until then, so that a backlog of thousands is not started 500 in a run; the workflow gives a minute. */
const SWEEP_MS = 30_000;

export function sweepActivities({ environment, config }: Dependencies) {
  return {
    async sweepUp(): Promise<{ started: number; woken: number; told: number }> {
      const swept = { started: 0, woken: 0, told: 0 };
      const lookUntil = Date.now() + SWEEP_MS;
      for (const cell of environment.cells.values()) {
        let started: number;
        do {
          const intentions = await overdueIntentions(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX);
          started = await environment.relay.start(cell, intentions);
          swept.started += started;
        } while (started === SWEEP_MAX && Date.now() < lookUntil);
        swept.woken += await environment.relay.wake(
          await neglectedEndpoints(cell, config.INTENTION_OVERDUE_MS),
        );
        swept.told += await environment.relay.tell(
          cell,
          await untoldCallbacks(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX),
        );
      }
      return swept;
    },
  };
}
