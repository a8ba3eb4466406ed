/** The sweep: starts, wakes and tells the workflows that a crash or an outage left behind. */
import { untoldCallbacks } from '../db/callbacks';
import { neglectedEndpoints } from '../db/deliveries';
import { overdueIntentions } from '../db/intentions';
import type { Dependencies } from './dependencies';

/** Per cell and run: what is left is taken by the next run. */
const SWEEP_MAX = 500;

export function sweepActivities({ environment, config }: Dependencies) {
  return {
    async sweepUp(): Promise<{ started: number; woken: number; told: number }> {
      const swept = { started: 0, woken: 0, told: 0 };
      for (const cell of environment.cells.values()) {
        const intentions = await overdueIntentions(cell, config.INTENTION_OVERDUE_MS, SWEEP_MAX);
        swept.started += await environment.relay.start(cell, intentions);
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
