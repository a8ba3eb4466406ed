/**
 * Whether a process should get work. It should when Postgres answers, its schemas are as new as the code, and the
 * process is not about to end. The answer also says whether Temporal serves, and how old the outbox is. A worker
 * is not ready without Temporal, because it can do nothing then; an API is, because it accepts requests and starts
 * their workflows later (D127, R25).
 */
import { missingMigrations } from '../db/upkeep/migrate';
import { isReachable } from '../db/pg/postgres';
import type { Environment } from '../runtime/environment';
import { servesNamespace } from '../runtime/temporal-health';
import type { Samples } from './samples';

interface Readiness {
  ready: boolean;
  checks: { postgres: boolean; migrations: boolean; temporal: boolean; draining: boolean };
  /** Age in seconds of the oldest workflow that has not started; null while Postgres is away. */
  outboxOldestSeconds: number | null;
}

export interface ReadinessCheck {
  look(): Promise<Readiness>;
  /** Makes the process not ready from now on, because it is about to end. */
  drain(): void;
}

/** How long Temporal may take to answer. */
const TEMPORAL_ANSWERS_WITHIN_MS = 2_000;

/** @param needsTemporal whether the process is not ready without Temporal. */
export function createReadinessCheck(
  environments: readonly Environment[],
  samples: Samples,
  needsTemporal: boolean,
): ReadinessCheck {
  let draining = false;
  // While a process runs its schemas only grow, so a migration that was found once is not looked for again.
  let migrated = false;

  async function lookAtMigrations(): Promise<boolean> {
    const missing = await Promise.all(
      environments.map(({ pool, partnersPool, directory, cells }) =>
        missingMigrations({ pool, partnersPool }, { directory, cells: [...cells.keys()] }),
      ),
    );
    return missing.flat().length === 0;
  }

  return {
    drain() {
      draining = true;
    },
    async look() {
      const [reached, served] = await Promise.all([
        Promise.all(environments.flatMap(({ pool, partnersPool }) => [pool, partnersPool].map(isReachable))),
        Promise.all(
          environments.map(({ temporal: { connection }, namespace }) =>
            servesNamespace(connection, namespace, TEMPORAL_ANSWERS_WITHIN_MS),
          ),
        ),
      ]);
      const postgres = reached.every(Boolean);
      const temporal = served.every(Boolean);
      // A database that has never been migrated has no table to look into.
      if (postgres && !migrated) migrated = await lookAtMigrations().catch(() => false);
      const ages = (postgres ? await samples() : []).flatMap(({ sample }) =>
        sample ? [sample.intentionOldestSeconds] : [],
      );
      return {
        ready: postgres && migrated && (temporal || !needsTemporal) && !draining,
        checks: { postgres, migrations: migrated, temporal, draining },
        outboxOldestSeconds: ages.length > 0 ? Math.max(...ages) : null,
      };
    },
  };
}
