/**
 * A partner that forwards its sandbox over nine hundred due times with one small request, beside P2P of another one: the runs of
 * one partner come one after the other and hold a few of the worker's places (D235).
 */
import { request } from 'undici';
import type { Scenario } from '../scenario';
import { FUND_KOBO, wholeP2p } from '../support/p2p';
import type { BenchPartner } from '../support/platform';
import { takeTurns } from '../support/turns';
import { until } from '../support/until';
import { makeWallets } from '../support/wallets';
import { wholePlatform, type WholePlatform } from '../support/whole-platform';

const WALLETS = 1_000;
const DAYS = 9;
const DAY_S = 86_400;

export const hostileForward: Scenario = {
  rows: [
    {
      name: 'hostile-forward',
      ours: 'p99 of P2P, 64 connections, while another partner has forwarded over 900 due times',
      yardstick: 'P2P alone',
      unit: 'ms',
      ratio: 'at most',
      floor: 2,
      goal: 1.5,
    },
  ],
  async run({ size, figure, claim, usage }) {
    const platform = await wholePlatform();
    const wallets = await platform.wallets(WALLETS, FUND_KOBO);
    const hostile = await openHostile(platform, size.name === 'tiny' ? 10 : 100);
    const alone = wholeP2p(platform, wallets);
    let unfinished = 0;
    const beside: typeof alone = async (time) => {
      await hostile.forward();
      const result = await alone(time);
      unfinished += (await hostile.isDone()) ? 0 : 1;
      await until(hostile.isDone, 'runs that were forwarded are not done');
      return result;
    };
    await takeTurns(size, { beside, alone }, (round) => {
      figure('hostile-forward', round.beside.p99Ms, round.alone.p99Ms);
      usage('hostile-forward', round.beside.usage);
    });
    const words = `the runs went on for longer than the load in ${String(unfinished)} of the rounds`;
    claim('hostile-forward', true, words);
    await hostile.end();
  },
};

interface Hostile {
  /** Makes nine due times of each of its scheduled transfers due. */
  forward(): Promise<void>;
  /** Whether all that was made due has its result. */
  isDone(): Promise<boolean>;
  end(): Promise<void>;
}

async function openHostile(platform: WholePlatform, schedules: number): Promise<Hostile> {
  const partner = await platform.partner();
  const owner = { query: platform.sql } as unknown as Parameters<typeof makeWallets>[0];
  const [source, dest] = await makeWallets(owner, partner.partnerId, 2, FUND_KOBO);
  // An hour ago in the time of Lagos, so that each day has one due time.
  const rule = { every: 'day', at: new Date().toISOString().slice(11, 16) };
  for (let made = 0; made < schedules; made++) {
    const body = {
      source_wallet: source,
      dest_wallet: dest,
      amount: 100,
      reference: `flood-${String(made)}`,
      rule,
    };
    await call(platform, partner, '/v1/transfers/scheduled', body);
  }
  let forwards = 0;
  return {
    async forward() {
      forwards++;
      await call(platform, partner, '/v1/sandbox/clock/forward', { seconds: DAYS * DAY_S });
    },
    async isDone() {
      const { rows } = await platform.sql<{ paid: number }>(
        `SELECT coalesce(sum(paid), 0)::int AS paid FROM ${partner.cell}.scheduled_transfers WHERE partner_id = $1`,
        [partner.partnerId],
      );
      return rows[0]?.paid === forwards * DAYS * schedules;
    },
    end: () =>
      until(async () => (await post(platform, partner, '/v1/sandbox/reset', {})).status < 300, 'no reset'),
  };
}

/** @throws when the answer is not a 2xx. */
async function call(
  platform: WholePlatform,
  partner: BenchPartner,
  path: string,
  body: object,
): Promise<void> {
  const { status, text } = await post(platform, partner, path, body);
  if (status >= 300) throw new Error(`${path} was answered ${String(status)}: ${text}`);
}

async function post(
  { api }: WholePlatform,
  { key }: BenchPartner,
  path: string,
  body: object,
): Promise<{ status: number; text: string }> {
  const answer = await request(`http://127.0.0.1:${String(api.port)}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.statusCode, text: await answer.body.text() };
}
