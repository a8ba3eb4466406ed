/**
 * Whether a process should get work: Postgres answers, its schemas are as new as the code, and it is not
 * about to end. Whether Temporal serves, and the outbox's age, are told beside it. They decide for a worker, which
 * can do nothing without Temporal, and not for an API, which accepts and lets things wait (D127, R25).
 */
import { missingMigrations } from '../db/upkeep/migrate';
import { isReachable } from '../db/pg/postgres';
import type { Environment } from '../runtime/environment';
import { servesNamespace } from '../runtime/temporal-health';
import type { Samples } from './samples';

interface Readiness {
  ready: boolean;
  checks: { postgres: boolean; migrations: boolean; temporal: boolean; draining: boolean };
  /** Age in seconds of the oldest workflow that has not started; null when Postgres does not tell. */
  outboxOldestSeconds: number | null;
}

export interface ReadinessCheck {
  look(): Promise<Readiness>;
  /** From now on not ready: the process is about to end. */
  drain(): void;
}

/** How long Temporal may take to answer a look. */
const TEMPORAL_ANSWERS_WITHIN_MS = 2_000;

/** @param needsTemporal whether the process is not ready without Temporal. */
export function createReadinessCheck(
  environments: readonly Environment[],
  samples: Samples,
  needsTemporal: boolean,
): ReadinessCheck {
  let draining = false;
  // Schemas only grow while a process runs, so what was found once stays found.
  let migrated = false;

  async function lookAtMigrations(): Promise<boolean> {
    const missing = await Promise.all(
      environments.map(({ pool, directory, cells }) =>
        missingMigrations(pool, { directory, cells: [...cells.keys()] }),
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
        Promise.all(environments.map(({ pool }) => isReachable(pool))),
        Promise.all(
          environments.map(({ temporal: { connection }, namespace }) =>
            servesNamespace(connection, namespace, TEMPORAL_ANSWERS_WITHIN_MS),
          ),
        ),
      ]);
      const postgres = reached.every(Boolean);
      const temporal = served.every(Boolean);
      // A database older than the check itself refuses the look.
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
