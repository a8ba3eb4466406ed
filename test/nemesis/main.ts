/**
 * `npm run nemesis -- --seconds 180 --seed 1`: hurts a platform of two APIs, two workers, a Temporal and a Postgres
 * while partners use it, heals it, and checks that nothing was lost, doubled or left behind. Prints what was done and
 * what each rule has found; the exit code is 0 when no rule has found anything (G39).
 *
 * `npm run nemesis -- --short`: the form for the check of a change. Each short fault comes once, at a load that a busy
 * machine stands, and what is answered in time is not judged.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command } from 'commander';
import pg from 'pg';
import { SANDBOX_CELL } from '../setup/cells';
import { openReceiver } from '../support/receiver';
import {
  checkAtTheEnd,
  RULES_OF_TIME,
  runningWorkflows,
  type Evidence,
  type Findings,
  type Window,
} from './check';
import { FAULTS, type Fault } from './faults';
import { answerOf, isAccepted, startLoad, type Operation } from './load';
import { seeded } from './random';
import { openStage, type Stage } from './stage';

const SECONDS = 600;
const WALLETS = 6;
const FUNDED_KOBO = 100_000_000;
/** How long the platform is left alone between two faults, so that one is over before the next begins. */
const BETWEEN_MS = 4_000;
const BETWEEN_SHORT_MS = 1_000;
const LANES = 6;
const LANES_SHORT = 3;
/** Longer than the window of a USSD session (stage.ts), and than what a claim of a killed worker lasts. */
const SETTLED_WITHIN_MS = 150_000;
async function main(): Promise<void> {
  const { seconds, seed, only, short } = new Command('nemesis')
    .option('--seconds <number>', 'how long the platform is hurt', Number, SECONDS)
    .option('--seed <number>', 'the same seed chooses the same faults', Number)
    .option('--only <pattern>', 'only the faults whose name matches', (text) => new RegExp(text), /./)
    .option('--short', 'each short fault once, with seed 1', false)
    .parse()
    .opts<{ seconds: number; seed?: number; only: RegExp; short: boolean }>();
  const plan: Plan = {
    seed: seed ?? (short ? 1 : Date.now() % 2 ** 31),
    faults: FAULTS.filter(({ name, isShort }) => only.test(name) && (!short || isShort)),
    forMs: short ? null : seconds * 1_000,
    betweenMs: short ? BETWEEN_SHORT_MS : BETWEEN_MS,
    lanes: short ? LANES_SHORT : LANES,
  };
  console.log(`${short ? 'each short fault once' : `${String(seconds)} s`}, seed ${String(plan.seed)}`);
  const random = seeded(plan.seed);
  const stage = await openStage(random);
  let isSound = false;
  try {
    const findings = await hurt(stage, random, plan);
    const judged = Object.entries(findings).filter(([rule]) => !short || !RULES_OF_TIME.includes(rule));
    isSound = judged.every(([, found]) => found.length === 0);
    if (short) console.log(`  not judged, because the machine may be busy: ${RULES_OF_TIME.join('; ')}`);
  } finally {
    if (!isSound) {
      process.exitCode = 1;
      console.log(`The logs of all programs are in ${stage.logs}`);
    }
    await stage.close(!isSound);
  }
}

interface Plan {
  readonly seed: number;
  readonly faults: readonly Fault[];
  /** How long faults follow each other; null for each fault once. */
  readonly forMs: number | null;
  readonly betweenMs: number;
  readonly lanes: number;
}

async function hurt(stage: Stage, random: () => number, plan: Plan): Promise<Findings> {
  const { access, urls } = stage;
  const { faults, forMs, betweenMs, lanes } = plan;
  const owner = new pg.Pool({ connectionString: access.databaseUrl, max: 1 });
  owner.on('error', () => undefined);
  const partner = await access.partner(urls[0] ?? '');
  const { partnerId, key } = partner;
  const receiver = await openReceiver((_delivery, before) => (before % 7 === 3 ? 500 : 200));
  const endpoint = await partner.post('/v1/webhooks', { url: receiver.url, events: EVENTS });
  const wallets = await Promise.all(Array.from({ length: WALLETS }, () => partner.wallet(FUNDED_KOBO)));
  const load = startLoad(
    { partnerId, key, urls },
    wallets.map(({ id }) => id),
    random,
    lanes,
  );

  const windows: Window[] = [];
  const startedAt = performance.now();
  const isOver = (): boolean => forMs !== null && performance.now() >= startedAt + forMs;
  await sleep(betweenMs);
  for (let round = 0; round === 0 || (forMs !== null && !isOver()); round++) {
    // The first round goes down the table; later ones are shuffled by the seed.
    for (const fault of round === 0 ? faults : shuffled(faults, random)) {
      if (isOver()) break;
      const from = performance.now();
      await fault.run(stage, random, load);
      const to = performance.now();
      windows.push({ name: fault.name, stops: fault.stops, from, to });
      console.log(
        `  ${((from - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${fault.name}, ${((to - from) / 1_000).toFixed(1)} s`,
      );
      await sleep(betweenMs);
    }
  }
  await load.stop();

  const evidence = async (): Promise<Evidence> => ({
    db: owner,
    cell: SANDBOX_CELL,
    partnerId,
    operations: load.operations,
    deliveries: receiver.deliveries,
    secret: endpoint.body.data.secret as string,
    windows,
    running: await runningWorkflows(access.operator),
  });
  const healedAt = performance.now();
  await sleep(betweenMs);
  print(load.operations);
  const findings = await checkAtTheEnd(evidence, SETTLED_WITHIN_MS);
  console.log(`judged ${((performance.now() - healedAt) / 1_000).toFixed(1)} s after the last fault`);
  for (const [rule, found] of Object.entries(findings)) {
    console.log(`  ${String(found.length).padStart(4)}  ${rule}`);
    for (const line of found.slice(0, 10)) console.log(`          ${line}`);
  }
  const accepted = load.operations.filter((operation) => isAccepted(answerOf(operation))).length;
  console.log(`${String(windows.length)} faults, ${String(accepted)} operations accepted`);
  await receiver.close();
  await owner.end();
  return findings;
}

const EVENTS = [
  'transaction.completed',
  'transaction.failed',
  'transaction.expired',
  'wallet.activated',
  'kyc.verified',
  'kyc.failed',
];

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => [random(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
}

/** How many operations of each kind, how often they were asked, and how long the slowest answer took. */
function print(operations: readonly Operation[]): void {
  const kinds = [...new Set(operations.map(({ kind }) => kind))].sort();
  for (const kind of kinds) {
    const of = operations.filter((operation) => operation.kind === kind);
    const attempts = of.flatMap(({ attempts: all }) => all);
    const slowest = Math.max(...attempts.filter(({ status }) => status !== null).map(({ tookMs }) => tookMs));
    const statuses = new Map<string, number>();
    for (const { status, error } of attempts) {
      const said = status === null ? (error ?? '') : String(status);
      statuses.set(said, (statuses.get(said) ?? 0) + 1);
    }
    const accepted = of.filter((operation) => isAccepted(answerOf(operation))).length;
    console.log(
      `  ${kind.padEnd(11)} ${String(of.length).padStart(5)}, accepted ${String(accepted).padStart(5)}, slowest answer ` +
        `${String(Math.round(slowest)).padStart(6)} ms; ${[...statuses].map(([said, count]) => `${said}: ${String(count)}`).join('  ')}`,
    );
  }
}

// A connection of a program that was killed may still be open, and must not keep this process alive.
main().then(
  () => process.exit(),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
