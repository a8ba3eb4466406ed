/**
 * How the companies outside stand: our float, the breakers, orders of unknown fate, transfers that nobody takes, and whether
 * money comes in. It is read from Postgres when metrics are scraped, at most every fifteen seconds.
 */
import { Gauge } from 'prom-client';
import {
  bringsEnough,
  findLastCredit,
  findOldestUntold,
  listUntaken,
  findOrderedLately,
} from '../db/payments/company-watch';
import { differingBanks } from '../db/payments/listed-banks';
import { listOpenBreakers } from '../db/payments/provider-calls';
import { listOpenByCompany } from '../db/payments/provider-health';
import { openForMs } from '../domain/breakers';
import { quietMs } from '../domain/inbound';
import { floatHours, FLOAT_LOOKS_BACK_HOURS } from '../domain/payout-routes';
import { remember } from '../runtime/remember';
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

const ASK_EVERY_MS = 15_000;

interface Series {
  labels: Record<string, string>;
  value: number;
}

const ageSeconds = (at: Date | null): number => (at ? Math.max(0, (Date.now() - at.getTime()) / 1_000) : 0);

/** Each gauge with its labels beside `environment`, and how its values are read. */
const GAUGES: readonly {
  name: string;
  help: string;
  labels: readonly string[];
  read: (environment: Environment) => Promise<Series[]>;
}[] = [
  {
    name: 'payout_float_hours',
    help: `For how long our float at a company lasts, at the rate of the last ${String(FLOAT_LOOKS_BACK_HOURS)} hours; no value where nothing was paid`,
    labels: ['provider'],
    async read(environment) {
      const ordered = await Promise.all(
        [...environment.cells.values()].map((cell) => findOrderedLately(cell, FLOAT_LOOKS_BACK_HOURS)),
      );
      const read = environment.providers.treasury.map(
        async ({ name: provider, treasury }): Promise<Series[]> => {
          const orderedKobo = ordered.reduce((sum, of) => sum + (of.get(provider) ?? 0), 0);
          const floatKobo = orderedKobo === 0 ? null : await treasury.balance().catch(() => null);
          const value = floatHours(floatKobo, orderedKobo);
          return value === null ? [] : [{ labels: { provider }, value }];
        },
      );
      return (await Promise.all(read)).flat();
    },
  },
  {
    name: 'payout_unknown_oldest_seconds',
    help: 'Age of the oldest order to a company of which nobody knows whether the company has it',
    labels: ['cell', 'provider'],
    read: (environment) => ofOpen(environment, ({ unknownOldestAt }) => unknownOldestAt),
  },
  {
    name: 'payout_unauthorized_oldest_seconds',
    help: 'Age of the oldest payout that a company pays only when a person of ours confirms it there',
    labels: ['cell', 'provider'],
    read: (environment) => ofOpen(environment, ({ toAuthorizeOldestAt }) => toAuthorizeOldestAt),
  },
  {
    name: 'payout_untaken_oldest_seconds',
    help: 'Age of the oldest bank transfer of which no company has an order',
    labels: ['cell'],
    read: (environment) =>
      Promise.all(
        [...environment.cells.values()].map(async (cell) => {
          const [oldest] = await listUntaken(cell, 1);
          return { labels: { cell: cell.schema }, value: ageSeconds(oldest?.createdAt ?? null) };
        }),
      ),
  },
  {
    name: 'provider_breaker_open_seconds',
    help: 'For how long a company has got no orders because it did not answer them; `bank` is `any` for all banks',
    labels: ['provider', 'bank'],
    async read({ pool, directory }) {
      const now = new Date();
      return (await listOpenBreakers(pool, directory)).map((breaker) => ({
        labels: { provider: breaker.provider, bank: breaker.bankCode ?? 'any' },
        value: openForMs(breaker, now) / 1_000,
      }));
    },
  },
  {
    name: 'inbound_quiet_seconds',
    help: 'Time by day, from 8 to 20 in Lagos, in which no payment came in through a company; no value where fewer than twenty came in a week',
    labels: ['provider'],
    async read({ pool, directory, cells, providers }) {
      const all = [...cells.values()];
      const read = providers.inbound.map(async ({ name: provider }): Promise<Series[]> => {
        if (!(await bringsEnough(all, provider))) return [];
        const last = await findLastCredit({ pool, directory }, all, provider);
        return last === 'never' ? [] : [{ labels: { provider }, value: quietMs(last, new Date()) / 1_000 }];
      });
      return (await Promise.all(read)).flat();
    },
  },
  {
    name: 'banks_differing',
    help: 'Banks of which a company’s list says other codes or names than ours, or which it lists no more, at the newest daily look',
    labels: ['provider', 'what'],
    async read({ pool, directory }) {
      return (await differingBanks(pool, directory)).flatMap(({ company: provider, ...counts }) =>
        Object.entries(counts).map(([what, value]) => ({ labels: { provider, what }, value })),
      );
    },
  },
  {
    name: 'callback_untold_oldest_seconds',
    help: 'Age of the oldest callback of a company of which no workflow was told',
    labels: [],
    async read({ pool, directory, cells }) {
      const oldest = await findOldestUntold({ pool, directory }, [...cells.values()]);
      return [{ labels: {}, value: ageSeconds(oldest) }];
    },
  },
];

type Open = Awaited<ReturnType<typeof listOpenByCompany>>[number];

async function ofOpen({ cells }: Environment, of: (open: Open) => Date | null): Promise<Series[]> {
  const read = [...cells.values()].map(async (cell) =>
    (await listOpenByCompany(cell)).map((open) => ({
      labels: { cell: cell.schema, provider: open.provider },
      value: ageSeconds(of(open)),
    })),
  );
  return (await Promise.all(read)).flat();
}

/** Adds the gauges. Where a database does not answer there is no value, because an old one would look healthy. */
export function watchCompanies(environments: readonly Environment[], metrics: Metrics): void {
  for (const { name, help, labels, read } of GAUGES) {
    const ask = remember(ASK_EVERY_MS, async () => {
      const all = environments.map(async (environment) =>
        (await read(environment).catch(() => [])).map((one) => ({
          ...one,
          labels: { environment: environment.name, ...one.labels },
        })),
      );
      return (await Promise.all(all)).flat();
    });
    new Gauge({
      name,
      help,
      labelNames: ['environment', ...labels],
      registers: [metrics.registry],
      async collect() {
        this.reset();
        for (const { labels: of, value } of await ask('now')) this.set(of, value);
      },
    });
  }
}
