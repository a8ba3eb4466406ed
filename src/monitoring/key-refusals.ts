/** Counts the answers of companies that they do not take our key, in this process. */
import { Counter } from 'prom-client';
import { companiesWithOrders, type Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** Every company has a value from the start on, because Prometheus sees no increase from nothing. */
export function countKeyRefusals(environments: readonly Environment[], metrics: Metrics): void {
  new Counter({
    name: 'provider_key_refused_total',
    help: 'Calls that a company did not take because of our key, in this process',
    labelNames: ['environment', 'provider'],
    registers: [metrics.registry],
    collect() {
      this.reset();
      for (const { name, providers, keyRefusals } of environments) {
        const companies = [...companiesWithOrders(providers), ...providers.accounts];
        for (const provider of new Set(companies.map((company) => company.name))) {
          this.inc({ environment: name, provider }, keyRefusals.get(provider) ?? 0);
        }
      }
    },
  });
}
