/**
 * What waits for a person, and for how long: records of companies, payments without an owner, repairs, and, where a process
 * has the login of the operators, proposals and tokens. It is read when metrics are scraped, at most every fifteen seconds.
 */
import { Gauge } from 'prom-client';
import { secondsUntilNobodyApproves } from '../db/partners/operators';
import type { Queryable } from '../db/pg/postgres';
import { choreAges } from '../db/upkeep/chores';
import { listWaitingInCell, listWaitingOnPlatform } from '../db/upkeep/waiting';
import { PLATFORM_WAITING, WAITING_KINDS, type Waiting, type WaitingKind } from '../domain/waiting';
import type { Environment } from '../runtime/environment';
import { remember } from '../runtime/remember';
import type { Metrics } from './metrics';

const ASK_EVERY_MS = 15_000;

/** What was seen in a place. Kinds of which nothing waits are shown as 0. */
interface Seen {
  environment: string;
  cell: string;
  kinds: readonly WaitingKind[];
  waiting: readonly Pick<Waiting, 'kind' | 'since'>[];
}

const onPlatform = (kind: WaitingKind): boolean => PLATFORM_WAITING.some((one) => one === kind);

async function lookAtCells(environments: readonly Environment[]): Promise<Seen[]> {
  const kinds = WAITING_KINDS.filter((kind) => !onPlatform(kind));
  const all = environments.flatMap(({ name, cells }) =>
    [...cells.values()].map(async (cell) => {
      const waiting = await listWaitingInCell(cell).catch(() => null);
      return waiting ? [{ environment: name, cell: cell.schema, kinds, waiting }] : [];
    }),
  );
  return (await Promise.all(all)).flat();
}

async function lookAtPlatform(environments: readonly Environment[], platform: Queryable): Promise<Seen[]> {
  const waiting = await listWaitingOnPlatform(platform).catch(() => null);
  if (!waiting) return [];
  return environments.map(({ name: environment }) => ({
    environment,
    cell: 'platform',
    kinds: PLATFORM_WAITING,
    waiting: waiting.filter((one) => one.environment === environment),
  }));
}

/**
 * Adds the gauges. A place whose database does not answer shows no value, because an old one would look healthy.
 * @param platform under the operators' login; null in a process that has none.
 */
export function watchWaiting(
  environments: readonly Environment[],
  metrics: Metrics,
  platform: Queryable | null,
): void {
  const registers = [metrics.registry];
  const look = remember(ASK_EVERY_MS, async () => {
    const seen = [lookAtCells(environments), ...(platform ? [lookAtPlatform(environments, platform)] : [])];
    return (await Promise.all(seen)).flat();
  });
  const gauge = (name: string, help: string, of: (since: readonly number[]) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['environment', 'cell', 'kind'],
      registers,
      async collect() {
        this.reset();
        for (const { environment, cell, kinds, waiting } of await look('now')) {
          for (const kind of kinds) {
            const since = waiting.filter((one) => one.kind === kind).map((one) => one.since.getTime());
            this.set({ environment, cell, kind }, of(since));
          }
        }
      },
    });
  };
  gauge('waiting_for_people', 'What waits for a person, by kind', (since) => since.length);
  gauge(
    'waiting_for_people_oldest_seconds',
    'Age of the oldest thing that waits for a person, by kind',
    (since) => (since.length === 0 ? 0 : Math.max(0, (Date.now() - Math.min(...since)) / 1_000)),
  );
  const [first] = environments;
  new Gauge({
    name: 'chore_age_seconds',
    help: 'Time since a backup was last made, and since an anchor of the operators’ trail was',
    labelNames: ['chore'],
    registers,
    async collect() {
      this.reset();
      const ages = first ? await choreAges(first.partnersPool).catch(() => []) : [];
      for (const [chore, age] of ages) this.set({ chore }, age);
    },
  });
  if (!platform) return;
  new Gauge({
    name: 'operators_until_seconds',
    help: 'Time until fewer than two operators have a token that works, so that nobody can approve anything',
    registers,
    async collect() {
      this.reset();
      const seconds = await secondsUntilNobodyApproves(platform).catch(() => null);
      if (seconds === null) this.remove();
      else this.set(seconds);
    },
  });
}
