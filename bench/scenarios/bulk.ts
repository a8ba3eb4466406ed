/**
 * A bulk transfer of 10,000 lines, of which every fiftieth is refused, while its worker is killed three times, beside
 * P2P at full load: how long it takes, and how much of P2P is left meanwhile. Each good line must be in the books
 * once.
 */
import { newId } from '../../src/db/pg/ids';
import type { Row, Scenario } from '../scenario';
import { CELL } from '../support/cell';
import type { LoadResult } from '../support/load';
import { FUND_KOBO, wholeP2p } from '../support/p2p';
import { until } from '../support/until';
import { wholePlatform, type WholePlatform } from '../support/whole-platform';

const TIME: Row = {
  name: 'bulk',
  ours: 'a bulk transfer of 10,000 lines, 200 of them refused, its worker killed three times, beside P2P',
  yardstick: 'the same, until the third worker is killed',
  unit: 's',
  ratio: 'at most',
  floor: 60,
  goal: 60,
  absolute: true,
};
const P2P: Row = {
  name: 'p2p-bulk',
  ours: 'P2P over HTTP, 64 connections, while the bulk transfer runs',
  yardstick: 'P2P alone',
  unit: '/s',
  ratio: 'at least',
  floor: 0.7,
  goal: 0.7,
};

const WALLETS = 1_000;
const LINES = 10_000;
const LINES_TINY = 200;
const BAD_EVERY = 50;
const AMOUNT_KOBO = 10_000;
/** What a line asks for that its wallet does not have. */
const TOO_MUCH_KOBO = 2 * FUND_KOBO;
/** After which parts of the results the worker dies. */
const KILLED_AFTER = [0.15, 0.3, 0.45];

export const bulk: Scenario = {
  rows: [TIME, P2P],
  async run({ size, figure, usage, say }) {
    const platform = await wholePlatform();
    const wallets = await platform.wallets(WALLETS, FUND_KOBO);
    const isTiny = size.name === 'tiny';
    const lines = isTiny ? LINES_TINY : LINES;
    const deaths = isTiny ? KILLED_AFTER.slice(0, 1) : KILLED_AFTER;
    const p2p = wholeP2p(platform, wallets);
    await p2p({ seconds: size.warmUpSeconds, warmUpSeconds: 0 });
    for (let run = 0; run < size.runs; run++) {
      const alone = await p2p({ seconds: size.seconds, warmUpSeconds: 0.1 });
      const begunAt = performance.now();
      const since = (): number => (performance.now() - begunAt) / 1_000;
      const id = await begin(platform, lines);
      let endedAfterS: number | undefined;
      const running = killing(
        platform,
        id,
        deaths.map((part) => part * lines),
      ).then(async () => {
        const killedAfterS = since();
        await until(async () => (await counted(platform, id)).ended, 'the bulk transfer does not end');
        endedAfterS = since();
        return killedAfterS;
      });
      const beside: LoadResult[] = [];
      while (endedAfterS === undefined) beside.push(await p2p({ seconds: size.seconds, warmUpSeconds: 0 }));
      const killedAfterS = await running;
      await checkLines(platform, id, lines);
      const perSecond = beside.reduce((sum, one) => sum + one.perSecond, 0) / beside.length;
      figure(TIME.name, endedAfterS, killedAfterS);
      figure(P2P.name, perSecond, alone.perSecond);
      usage(P2P.name, (beside[0] ?? alone).usage);
      say(`${String(lines)} lines in ${endedAfterS.toFixed(1)} s`);
    }
  },
};

/** @returns the id of the bulk transfer, from a wallet of its own. */
async function begin(platform: WholePlatform, lines: number): Promise<string> {
  const [source, dest] = await platform.wallets(2, FUND_KOBO);
  const run = newId();
  const transfers = Array.from({ length: lines }, (_, n) => ({
    source_wallet: source,
    dest_wallet: dest,
    amount: n % BAD_EVERY === 0 ? TOO_MUCH_KOBO : AMOUNT_KOBO,
    reference: `${run}-${String(n)}`,
  }));
  const { id } = await platform.call<{ id: string }>('POST', '/v1/transfers/bulk', {
    reference: run,
    transfers,
  });
  return id;
}

/** Kills the worker after each of these numbers of results, and starts it again at once. */
async function killing(platform: WholePlatform, id: string, after: readonly number[]): Promise<void> {
  for (const count of after) {
    await until(async () => {
      const { results, ended } = await counted(platform, id);
      return ended || results >= count;
    }, 'the bulk transfer stands still');
    const startAgain = await platform.kill('worker');
    await startAgain();
  }
}

async function counted(platform: WholePlatform, id: string): Promise<{ results: number; ended: boolean }> {
  const { rows } = await platform.sql<{ results: number; ended: boolean }>(
    `SELECT accepted_lines + refused_lines AS results, ended_at IS NOT NULL AS ended
       FROM ${CELL}.bulk_transfers WHERE id = $1`,
    [id],
  );
  return rows[0] ?? { results: 0, ended: false };
}

/** @throws when a good line is not in the books once, or a bad one was not refused. */
async function checkLines(platform: WholePlatform, id: string, lines: number): Promise<void> {
  const bad = Math.ceil(lines / BAD_EVERY);
  const { rows } = await platform.sql(
    `SELECT count(*) FILTER (WHERE l.status = 'accepted')::int AS accepted,
            count(*) FILTER (WHERE l.status = 'refused')::int AS refused,
            count(DISTINCT t.id)::int AS made, coalesce(sum(t.amount_kobo), 0)::float8 AS kobo
       FROM ${CELL}.bulk_transfer_lines l LEFT JOIN ${CELL}.transactions t ON t.id = l.transaction_id
      WHERE l.bulk_id = $1`,
    [id],
  );
  const good = lines - bad;
  const expected = { accepted: good, refused: bad, made: good, kobo: good * AMOUNT_KOBO };
  if (JSON.stringify(rows[0]) !== JSON.stringify(expected))
    throw new Error(`the lines ended as ${JSON.stringify(rows[0])}, and not as ${JSON.stringify(expected)}`);
}
