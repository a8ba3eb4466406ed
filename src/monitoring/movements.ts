/** Whether movements are shipped outside of the database: read from Postgres when metrics are scraped. */
import { Gauge } from 'prom-client';
import { shippedSeconds } from '../db/upkeep/movements';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** Adds the gauge. It has no value where nothing is shipped, and where the database cannot be asked. */
export function countShippedMovements(environments: readonly Environment[], metrics: Metrics): void {
  new Gauge({
    name: 'movements_behind_seconds',
    help: 'How long ago every movement was shipped outside of the database; no value where none are shipped',
    labelNames: ['environment'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const { name: environment, pool, directory } of environments) {
        const seconds = await shippedSeconds(pool, directory).catch(() => null);
        if (seconds !== null) this.set({ environment }, seconds);
      }
    },
  });
}
