/** For how long the TLS certificates are still good that a process uses or is shown. */
import { Gauge } from 'prom-client';
import { endOfPostgres } from '../db/pg/server-certificate';
import type { Config } from '../runtime/config';
import { endOfFile, endOfTemporal, endsForTemporal, filesOfAddress } from '../runtime/certificates';
import { loginsOf } from '../runtime/logins';
import { databaseUrl } from '../runtime/database-urls';
import type { Environment } from '../runtime/environment';
import { servedEnvironments } from '../runtime/served-environments';
import { remember } from '../runtime/remember';
import { temporalTransport } from '../runtime/temporal-transport';
import type { Metrics } from './metrics';

const ASK_EVERY_MS = 60_000;
const ANSWERS_WITHIN_MS = 2_000;

interface End {
  use: string;
  end: Date | null;
}

/** @param program whose logins name the files of certificates. */
export function watchCertificates(
  environments: readonly Environment[],
  metrics: Metrics,
  config: Config,
  program: 'api' | 'worker',
): void {
  const addresses = loginsOf(program, servedEnvironments(config.ENVIRONMENTS)).map((login) =>
    databaseUrl(config, login),
  );
  const files = [...new Map(addresses.flatMap(filesOfAddress).map((one) => [one.file, one])).values()];
  const look = remember(ASK_EVERY_MS, async (): Promise<End[]> => {
    const shown = environments.map(async ({ pool }) => ({
      use: 'postgres_server',
      end: await endOfPostgres(pool).catch(() => null),
    }));
    const temporal = await endOfTemporal(temporalTransport(config), ANSWERS_WITHIN_MS);
    return [
      ...endsForTemporal(config),
      ...files.map(({ use, file }) => ({ use, end: endOfFile(file) })),
      ...(await Promise.all(shown)),
      { use: 'temporal_server', end: temporal },
    ];
  });
  new Gauge({
    name: 'certificate_ends_seconds',
    help: 'Time until a TLS certificate ends that the process uses, or that Postgres or Temporal has shown it; no value without TLS',
    labelNames: ['use'],
    registers: [metrics.registry],
    async collect() {
      this.reset();
      const first = new Map<string, number>();
      for (const { use, end } of await look('now')) {
        if (end !== null) first.set(use, Math.min(end.getTime(), first.get(use) ?? Infinity));
      }
      for (const [use, endMs] of first) this.set({ use }, (endMs - Date.now()) / 1_000);
    },
  });
}
