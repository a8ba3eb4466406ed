/**
 * `npm run golive:check` says whether real money may move: one line for each point, and what to do about it. It asks the
 * companies outside and moves nothing. It has the settings of the API, or those of the local sandbox, and ends with 0 only where every point is met.
 */
import { Command, InvalidArgumentError } from 'commander';
import { findLastNotice } from '../db/payments/inbound-credits';
import { findLastCallback } from '../db/payments/provider-health';
import { isAskingFirst } from '../db/payments/transfer-attempts';
import { listOperators } from '../db/partners/operators';
import { findDatabaseTime, openPool } from '../db/pg/postgres';
import { sampleCell } from '../db/upkeep/samples';
import { hasOpenedAccount } from '../db/wallets/provider-customers';
import { CONFIRMED_POINTS, judgeGoLive, type GoLiveFacts } from '../domain/go-live';
import { readConfig, type ApiConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { openLive, type Environment } from '../runtime/environment';
import { LIVE_ROLES } from '../runtime/live-companies';
import { createLogger } from '../runtime/process';
import { processSettings } from './process-settings';

const WEEK_MS = 7 * 86_400_000;

/** Reads everything that the check looks at. */
async function factsOf(config: ApiConfig, live: Environment): Promise<GoLiveFacts> {
  const { payouts, treasury } = live.providers;
  const cells = [...live.cells.values()];
  const everyCell = <Found>(look: (cell: (typeof cells)[number]) => Promise<Found>): Promise<Found[]> =>
    Promise.all(cells.map(look));
  const unserved = [...LIVE_ROLES, 'LIVE_USSD' as const].filter((role) =>
    ['', 'none', 'simulator'].includes(String(config[role])),
  );
  const floats = await Promise.all(
    payouts.map(async ({ name, payouts: { terms } }) => {
      const company = treasury.find((one) => one.name === name);
      const kobo = company ? await company.treasury.balance().catch(() => null) : null;
      const neededKobo = config.PAYOUT_RESERVE_KOBO + (terms ? terms.minKobo + terms.costMaxKobo : 0);
      return { company: name, kobo, neededKobo };
    }),
  );
  const unasked: string[] = [];
  const silent: string[] = [];
  for (const { name, can } of payouts) {
    const asked = await everyCell((cell) => isAskingFirst(cell, name));
    if (can.asksFirst && !asked.every(Boolean)) unasked.push(name);
    const heard = await everyCell((cell) => findLastCallback(cell, name));
    if (!heard.some((at) => at && Date.now() - at.getTime() < WEEK_MS)) silent.push(name);
  }
  const unopened: string[] = [];
  for (const { name } of live.providers.accounts) {
    const opened = await everyCell((cell) => hasOpenedAccount(cell, name));
    if (!opened.some(Boolean)) unopened.push(name);
  }
  const unnoticed: string[] = [];
  for (const { name } of live.providers.inbound) {
    const at = await findLastNotice(live, name);
    if (!at || Date.now() - at.getTime() >= WEEK_MS) unnoticed.push(name);
  }
  const before = Date.now();
  const databaseTime = await findDatabaseTime(live.pool);
  const samples = await everyCell((cell) => sampleCell(cell));
  return {
    isProduction: config.NODE_ENV === 'production',
    unserved,
    floats,
    unasked,
    silent,
    unopened,
    unnoticed,
    unreachedBanks: await unreachedBanks(live).catch(() => null),
    stampDuty: config.STAMP_DUTY,
    clockOffMs: Math.round(databaseTime.getTime() - (before + Date.now()) / 2),
    openFindings: samples
      .flatMap(({ findings }) => [...findings.values()])
      .reduce((sum, open) => sum + open, 0),
    // A cell that was never reconciled has 0.
    reconciledSeconds: samples.some(({ reconciledSeconds }) => reconciledSeconds === null)
      ? null
      : Math.max(...samples.map(({ reconciledSeconds }) => reconciledSeconds ?? 0)),
    operators: await workingOperators(config),
  };
}

/** @throws Error where a company does not tell its banks. */
async function unreachedBanks({ banks, providers }: Environment): Promise<string[]> {
  const unreached: string[] = [];
  for (const { code, name } of await banks.list()) {
    const reached = await Promise.all(
      providers.payouts.map(
        async ({ payouts }) => (await (payouts.lists ?? payouts.reaches)?.(code)) ?? true,
      ),
    );
    if (!reached.some(Boolean)) unreached.push(name);
  }
  return unreached;
}

/** How many different people have a token of an operator that works now. */
async function workingOperators(config: ApiConfig): Promise<number> {
  const pool = openPool(databaseUrl(config, 'operator'), 1, config.DATABASE_CONNECT_MS, () => undefined);
  try {
    const working = (await listOperators(pool)).filter(
      ({ role, admittedAt, revokedAt, expiresAt }) =>
        role === 'operator' && admittedAt !== null && revokedAt === null && expiresAt > new Date(),
    );
    return new Set(working.map(({ name }) => name)).size;
  } finally {
    await pool.end();
  }
}

function pointsIn(text: string): string[] {
  const names = text.split(',');
  const known = Object.keys(CONFIRMED_POINTS);
  if (names.every((name) => known.includes(name))) return names;
  throw new InvalidArgumentError(`names of ${known.join(', ')}, separated by commas`);
}

const program = new Command('golive').description('Looks whether real money may move.');

program
  .command('check')
  .description('check every point, and say what to do')
  .option('--confirmed <points>', 'what people have made sure of', pointsIn, [])
  .action(async ({ confirmed }: { confirmed: string[] }) => {
    const config = readConfig(processSettings('api'));
    const live = openLive(config, createLogger(config, 'golive'), 'api');
    try {
      const points = judgeGoLive(await factsOf(config, live), confirmed);
      for (const { name, isMet, says } of points) {
        process.stdout.write(`${isMet ? 'ok  ' : 'FAIL'} ${name}: ${says}\n`);
      }
      if (points.some(({ isMet }) => !isMet)) process.exitCode = 1;
    } finally {
      await live.close();
    }
  });

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
