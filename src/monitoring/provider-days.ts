/** Whether the days of providers are closed in time: read from Postgres when metrics are scraped. */
import { Gauge } from 'prom-client';
import { listDaysToClose } from '../db/reconcile/provider-days';
import { closedBy } from '../domain/days';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** Adds the gauge. An environment whose database cannot be asked shows no value, because an old one would look healthy. */
export function countLateDays(environments: readonly Environment[], metrics: Metrics): void {
  new Gauge({
    name: 'provider_day_late_seconds',
    help: 'Time since the noon before which the first open day of a provider should have been closed; 0 in time',
    labelNames: ['environment', 'provider'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      for (const { name: environment, pool, directory } of environments) {
        for (const { provider, day } of await listDaysToClose({ pool }, directory).catch(() => [])) {
          const lateMs = Math.max(0, Date.now() - closedBy(day).getTime());
          this.set({ environment, provider }, Math.floor(lateMs / 1_000));
        }
      }
    },
  });
}
