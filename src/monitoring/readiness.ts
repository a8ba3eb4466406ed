/**
 * Whether a process should get work. It should when Postgres answers, its schemas are as new as the code, the process
 * serves every cell that is there, it can ask every company that may have an order of ours, and it is not about to end. The answer also says whether Temporal serves, and how old the outbox is. A worker
 * is not ready without Temporal, because it can do nothing then; an API is, because it accepts requests and starts
 * their workflows later (D127, R25).
 */
import { cellsThere, missingMigrations } from '../db/upkeep/migrate';
import { isOutage, isReachable } from '../db/pg/postgres';
import type { Environment } from '../runtime/environment';
import { servesNamespace } from '../runtime/temporal-health';
import { openWithoutKeys, sentenceOf, type OpenWithoutKeys } from './open-without-keys';
import type { Samples } from './samples';

interface Readiness {
  ready: boolean;
  checks: {
    postgres: boolean;
    migrations: boolean;
    cells: boolean;
    companies: boolean;
    temporal: boolean;
    draining: boolean;
  };
  /** A sentence for each reason why it is not ready. */
  why: string[];
  /** Age in seconds of the oldest workflow that has not started; null while Postgres is away. */
  outboxOldestSeconds: number | null;
}

export interface ReadinessCheck {
  look(): Promise<Readiness>;
  /** Makes the process not ready from now on, because it is about to end. */
  drain(): void;
}

/** What was seen of the schemas. */
type Schema = Pick<Readiness['checks'], 'migrations' | 'cells'> & Pick<Readiness, 'why'>;

/** A database that has never been migrated has no table to look into. */
const NOT_MIGRATED: Schema = {
  migrations: false,
  cells: false,
  why: ['The database has not been migrated, or does not let this process look'],
};

/** Whether every company that may have an order can be asked. */
type Companies = Pick<Readiness['checks'], 'companies'> & Pick<Readiness, 'why'>;

const COMPANIES_NOT_SEEN: Companies = {
  companies: false,
  why: ['Postgres did not say in time which companies have open orders'],
};

/** Postgres went away, or was too slow, while it was asked. */
const NOT_SEEN: Schema = {
  migrations: false,
  cells: false,
  why: ['Postgres did not say in time which migrations the database has'],
};

/** How long Temporal may take to answer. */
const TEMPORAL_ANSWERS_WITHIN_MS = 2_000;

/**
 * @param needsTemporal whether the process is not ready without Temporal.
 * @param onUnasked is told once of each company that has orders and cannot be asked.
 */
export function createReadinessCheck(
  environments: readonly Environment[],
  samples: Samples,
  needsTemporal: boolean,
  onUnasked: (one: OpenWithoutKeys) => void,
): ReadinessCheck {
  let draining = false;
  // While a process runs its schemas only grow, so what was right once is not looked at again. A cell that is added
  // later has no partners before the processes were started anew for it.
  let schema: Schema = { migrations: false, cells: false, why: [] };
  // Orders go to configured companies alone, so this too stays right while the process runs.
  let companies: Companies = { companies: false, why: [] };
  const told = new Set<string>();

  async function lookAtSchema(): Promise<Schema> {
    const why: string[] = [];
    const looked = await Promise.all(
      environments.map(async ({ pool, partnersPool, directory, cells }) => {
        const served = [...cells.keys()];
        const missing = await missingMigrations({ pool, partnersPool }, { directory, cells: served });
        const there = await cellsThere(pool, directory);
        const strange = there.filter((cell) => !cells.has(cell));
        if (missing.length > 0)
          why.push(`The database lacks migrations of this version: ${missing.join(', ')}`);
        if (strange.length > 0)
          why.push(
            `The database has cells that this process does not serve: ${strange.join(', ')}. ` +
              `CELLS_PER_ENVIRONMENT is ${String(served.length)}, and should be ${String(there.length)}`,
          );
        return { migrations: missing.length === 0, cells: strange.length === 0 };
      }),
    );
    return {
      migrations: looked.every(({ migrations }) => migrations),
      cells: looked.every(({ cells }) => cells),
      why,
    };
  }

  async function lookAtCompanies(): Promise<Companies> {
    const unasked = (await Promise.all(environments.map(openWithoutKeys))).flat();
    for (const one of unasked) {
      const name = `${one.environment}/${one.provider}`;
      if (!told.has(name)) onUnasked(one);
      told.add(name);
    }
    return { companies: unasked.length === 0, why: unasked.map(sentenceOf) };
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
      if (postgres && !(schema.migrations && schema.cells)) {
        schema = await lookAtSchema().catch((error: unknown) => (isOutage(error) ? NOT_SEEN : NOT_MIGRATED));
      }
      const { migrations, cells } = schema;
      if (postgres && migrations && !companies.companies) {
        companies = await lookAtCompanies().catch(() => COMPANIES_NOT_SEEN);
      }
      const ages = (postgres ? await samples() : []).flatMap(({ sample }) =>
        sample ? [sample.intentionOldestSeconds] : [],
      );
      return {
        ready:
          postgres && migrations && cells && companies.companies && (temporal || !needsTemporal) && !draining,
        checks: {
          postgres,
          migrations,
          cells,
          companies: companies.companies,
          temporal,
          draining,
        },
        why: [
          ...(postgres ? [...schema.why, ...companies.why] : ['Postgres does not answer']),
          ...(needsTemporal && !temporal ? ['Temporal does not serve the namespaces'] : []),
          ...(draining ? ['The process is about to end'] : []),
        ],
        outboxOldestSeconds: ages.length > 0 ? Math.max(...ages) : null,
      };
    },
  };
}
