/**
 * Whether a process should get work: Postgres answers, its schemas are as new as the code, and it is not
 * about to end. The outbox's age is told beside it and decides nothing: Temporal may be away (D127, R25).
 */
import { missingMigrations } from '../db/upkeep/migrate';
import { isReachable } from '../db/pg/postgres';
import type { Environment } from '../runtime/environment';
import type { Samples } from './samples';

interface Readiness {
  ready: boolean;
  checks: { postgres: boolean; migrations: boolean; draining: boolean };
  /** Age in seconds of the oldest workflow that has not started; null when Postgres does not tell. */
  outboxOldestSeconds: number | null;
}

export interface ReadinessCheck {
  look(): Promise<Readiness>;
  /** From now on not ready: the process is about to end. */
  drain(): void;
}

export function createReadinessCheck(environments: readonly Environment[], samples: Samples): ReadinessCheck {
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
      const reached = await Promise.all(environments.map(({ pool }) => isReachable(pool)));
      const postgres = reached.every(Boolean);
      // A database older than the check itself refuses the look.
      if (postgres && !migrated) migrated = await lookAtMigrations().catch(() => false);
      const ages = (postgres ? await samples() : []).flatMap(({ sample }) =>
        sample ? [sample.intentionOldestSeconds] : [],
      );
      return {
        ready: postgres && migrated && !draining,
        checks: { postgres, migrations: migrated, draining },
        outboxOldestSeconds: ages.length > 0 ? Math.max(...ages) : null,
      };
    },
  };
}
