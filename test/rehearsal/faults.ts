/**
 * Payments both ways while the connection to the fake Paystack, its events and our own processes fail at random. Afterwards
 * everything heals, and all that was begun must end.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { payoutReference, SECOND_KEY_AFTER_MS } from '../../src/domain/payouts';
import { seeded } from '../nemesis/random';
import { LIVE_CELL } from '../setup/cells';
import { paystackSignature } from '../../src/wire/provider-callbacks';
import { until } from '../support/until';
import type { FakeFault, FakeSettings } from '../standins/paystack/state';
import type { LiveWallet, Stage } from './stage';

const LANES = 3;
/**
 * How long a lane waits between two payments, on average. Paystack allows 600 calls a minute, of which a third are
 * questions: what is begun faster than that waits for its turn for longer than a rehearsal lasts.
 */
const EVERY_MS = 1_500;
/** No payment is begun while so many are open: a company that is down for an hour is no reason to pay ever more. */
const OPEN_MAX = 200;
const FUNDED_KOBO = 100_000_000;
/** How long a state of things lasts before the next. */
const LASTS_MS = 2_000;
const ACCOUNTS = ['0123456789', '0123456781', '0123456782', '0123456783'];
const FAILING = '0123456782';
/** The second key of a failure comes after a minute, and what is open then asks no faster than Paystack allows. */
const ENDED_WITHIN_MS = 10 * SECOND_KEY_AFTER_MS;

/** Tests ask again after a fifth of a second, which would use up the questions that Paystack allows. */
export const SETTINGS_UNDER_FAULTS = { TRANSFER_REQUERY_MS: '2000,5000,10000' };

type Random = () => number;

const oneOf = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;

const ORDER = 'POST /transfer';
const HTML = { status: 502, headers: { 'content-type': 'text/html' }, body: '<html>Bad gateway</html>' };

/** What can be wrong with the connection. Each fault happens to a part of the requests, and then no more. */
const FAULTS: readonly FakeFault[] = [
  { on: ORDER, does: 'drop before' },
  { on: ORDER, does: 'drop after' },
  { on: ORDER, does: 'answer', status: 500 },
  { on: ORDER, does: 'answer after', status: 503 },
  { on: ORDER, does: 'answer after', ...HTML },
  { on: ORDER, does: 'answer', status: 429, headers: { 'x-ratelimit-reset': '1' } },
  { on: ORDER, does: 'late', afterMs: 1_500 },
  { on: 'POST /transferrecipient', does: 'answer', ...HTML },
  { on: 'GET /bank/resolve', does: 'drop before' },
  { on: 'GET /transfer/verify', does: 'drop after' },
  { on: 'GET /transfer/verify', does: 'answer', ...HTML },
  { on: 'GET /transaction/verify', does: 'drop before' },
  { on: 'GET /transaction/verify', does: 'answer', status: 500 },
];

const HEALED: Partial<FakeSettings> = {
  faults: [],
  endings: { [FAILING]: 'failed' },
  validatingMs: 0,
  pendingMs: 100,
  latencyMs: 0,
  webhookTimes: 1,
  webhookDelayMs: 0,
  balanceKobo: 1_000_000_000,
};

/** How things stand for the next moments. An event of a payment is told at least once, however late. */
const someState = (random: Random): Partial<FakeSettings> => ({
  ...HEALED,
  faults: Array.from({ length: 1 + Math.floor(random() * 3) }, () => ({
    ...oneOf(random, FAULTS),
    times: 3,
  })),
  validatingMs: oneOf(random, [0, 0, 800]),
  pendingMs: oneOf(random, [0, 100, 1_500]),
  latencyMs: oneOf(random, [0, 0, 200]),
  webhookTimes: oneOf(random, [1, 1, 2, 4]),
  webhookDelayMs: oneOf(random, [0, 300, 1_500]),
  balanceKobo: oneOf(random, [0, 1_000_000_000, 1_000_000_000, 1_000_000_000]),
});

interface Count {
  orders: number;
  /** How many orders of transfers had each other answer. */
  refused: Record<string, number>;
  incoming: number;
  forged: number;
  kills: { api: number; worker: number };
  states: number;
  /** The most transfers that were open at the end of a state. */
  openAtMost: number;
}

/**
 * Pays for so many seconds, heals, and waits until all has ended.
 * @throws the error of `until`, naming what has not ended.
 */
export async function hurt(
  stage: Stage,
  { seconds, seed }: { seconds: number; seed: number },
  say: (line: string) => void,
): Promise<void> {
  const random = seeded(seed);
  say(`  ${String(seconds)} s of faults, seed ${String(seed)}`);
  const { paystack, monnify, live } = stage;
  // Orders that Paystack does not take wait for it.
  await monnify.set({ balance: 0 });
  await paystack.set(HEALED);
  const wallets = await Promise.all(Array.from({ length: LANES }, () => stage.wallet()));
  for (const [index, wallet] of wallets.entries()) {
    await paystack.receive(`start-${String(index)}`, {
      amountKobo: FUNDED_KOBO,
      accountNumber: wallet.accountNumber,
    });
    await until('the first money', async () => (await live.balanceKobo(wallet.id)) === FUNDED_KOBO);
  }

  let endsAt = performance.now() + seconds * 1_000;
  const isOver = (): boolean => performance.now() >= endsAt;
  let open = 0;
  const count: Count = {
    orders: 0,
    refused: {},
    incoming: 0,
    forged: 0,
    kills: { api: 0, worker: 0 },
    states: 0,
    openAtMost: 0,
  };
  const lanes = wallets.map(async (wallet, index) => {
    while (!isOver()) {
      if (open >= OPEN_MAX) {
        await sleep(EVERY_MS);
        continue;
      }
      await pay(stage, wallet, random, count);
      if (random() < 0.3) {
        count.incoming += 1;
        const reference = `in-${String(index)}-${String(count.incoming)}`;
        const amountKobo = 100 * (100 + Math.floor(random() * 10_000));
        await paystack.receive(reference, { amountKobo, accountNumber: wallet.accountNumber });
      }
      await sleep(random() * 2 * EVERY_MS);
    }
  });
  try {
    while (!isOver()) {
      await paystack.set(someState(random));
      count.states += 1;
      if (random() < 0.3) await forge(stage, count);
      if (random() < 0.25) {
        const program = oneOf(random, ['api', 'worker'] as const);
        await stage.kill(program);
        count.kills[program] += 1;
      }
      await sleep(LASTS_MS);
      open = await countOpen(stage);
      count.openAtMost = Math.max(count.openAtMost, open);
    }
  } finally {
    // What has gone wrong is told, and not what the lanes do without a company.
    endsAt = 0;
    await Promise.allSettled(lanes);
  }
  await Promise.all(lanes);
  await paystack.set(HEALED);
  const { api, worker } = count.kills;
  say(
    `  ${String(count.states)} states, ${String(api)} kills of the API and ${String(worker)} of the worker, ` +
      `${String(count.orders)} transfers, at most ${String(count.openAtMost)} open, ${String(count.incoming)} payments in, ${String(count.forged)} forged events, ` +
      `not taken: ${JSON.stringify(count.refused)}`,
  );
  for (const [kind, times] of Object.entries((await paystack.state()).faultsHad).sort()) {
    say(`  ${String(times).padStart(6)}  ${kind}`);
  }
  const startedAt = performance.now();
  await until(
    'the end of all transfers',
    async () => (await openTransfers(stage)).length === 0,
    ENDED_WITHIN_MS,
  ).catch(async (error: unknown) => {
    for (const line of await openTransfers(stage)) say(`  OPEN  ${line}`);
    throw error;
  });
  await until('the last event', async () => (await paystack.state()).events.length === 0, ENDED_WITHIN_MS);
  await until('the last credit', () => allCredited(stage), ENDED_WITHIN_MS);
  say(`  all ended ${((performance.now() - startedAt) / 1_000).toFixed(1)} s after the last fault`);
}

/** A process may be killed while it answers, so a call may have no answer: the books tell what became of it. */
async function pay({ live }: Stage, { id }: LiveWallet, random: Random, count: Count): Promise<void> {
  const amountKobo = 100 * (100 + Math.floor(random() * 1_000));
  const to = { accountNumber: oneOf(random, ACCOUNTS), amountKobo };
  const answer = await live.bankTransfer(id, to).then(
    ({ reply }) => (reply.status === 202 ? null : String(reply.status)),
    () => 'no answer',
  );
  if (answer === null) count.orders += 1;
  else count.refused[answer] = (count.refused[answer] ?? 0) + 1;
}

/** An event that Paystack has not signed. */
async function forge({ paystack }: Stage, count: Count): Promise<void> {
  const { settings } = await paystack.state();
  const data = {
    id: 1,
    domain: 'live',
    status: 'success',
    reference: 'forged',
    amount: 1,
    channel: 'dedicated_nuban',
  };
  const body = JSON.stringify({ event: 'charge.success', data });
  const headers = {
    'content-type': 'application/json',
    'x-paystack-signature': paystackSignature(body, 'sk_live_guessed'),
  };
  await fetch(settings.webhookUrl, { method: 'POST', headers, body }).catch(() => undefined);
  count.forged += 1;
}

async function countOpen({ platform }: Stage): Promise<number> {
  const [row] = await platform.sql(
    `SELECT count(*)::int AS n FROM ${LIVE_CELL}.transactions WHERE type = 'bank_transfer' AND status = 'processing'`,
  );
  return Number(row?.n);
}

/** The transfers that have not ended, with what both sides know of their attempts. */
async function openTransfers({ platform, paystack }: Stage): Promise<string[]> {
  const rows = await platform.sql(
    `SELECT t.id, t.created_at, a.n, a.state, a.open_posts, a.failed_at, a.updated_at
       FROM ${LIVE_CELL}.transactions t LEFT JOIN ${LIVE_CELL}.transfer_attempts a ON a.transaction_id = t.id
      WHERE t.type = 'bank_transfer' AND t.status = 'processing' ORDER BY t.created_at, a.n`,
  );
  if (rows.length === 0) return [];
  const { transfers } = await paystack.state();
  return rows.map(({ id, n, ...row }) => {
    const told = transfers.find(({ reference }) => reference === payoutReference(id as string, Number(n)));
    return JSON.stringify({ id, n, ...row, paystack: told?.status ?? null });
  });
}

async function allCredited({ platform, paystack }: Stage): Promise<boolean> {
  const { transactions } = await paystack.state();
  const [row] = await platform.sql(`SELECT count(*)::int AS n FROM ${LIVE_CELL}.inbound_credits`);
  return row?.n === transactions.length;
}
