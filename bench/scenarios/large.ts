/**
 * Books that have grown large: lists and payments at a million wallets and five million transactions, beside
 * small ones. A list's page N must cost what its page 1 costs, whatever the table has become.
 */
import { request } from 'undici';
import type { Report, Row, Scenario } from '../scenario';
import { explained } from '../support/explain';
import { makeHistory, type History } from '../support/history';
import { get, load } from '../support/load';
import { p2pSide, subscribe } from '../support/p2p';
import type { BenchPlatform, Program } from '../support/platform';
import { API } from '../support/programs';
import { WALLETS, withPlatform } from '../support/stand';
import { takeTurns, type Side } from '../support/turns';

const SMALL = { wallets: WALLETS, transactions: 5_000 };
const PAGE = 1_000;
const PER_PAGE = 20;
const PER_PAGE_MAX = 100;

const listRow = (name: string, what: string): Row => ({
  name,
  ours: `wallet transactions at 5 million: ${what}, p50`,
  yardstick: 'page 1 at 5 thousand',
  unit: 'ms',
  ratio: 'at most',
  floor: 1.5,
  goal: 1.5,
});

const MANY: Row = {
  name: 'p2p-many',
  ours: 'P2P over HTTP, 64 connections, 1 million wallets, 5 million transactions',
  yardstick: '1,000 wallets, 5 thousand transactions',
  unit: '/s',
  ratio: 'at least',
  floor: 0.6,
  goal: 0.6,
};

export const large: Scenario = {
  rows: [
    listRow('list-first', 'page 1'),
    listRow('list-far', 'page 1,000'),
    listRow('list-reference', 'reference filter'),
    MANY,
  ],
  run: (report) =>
    withPlatform((few) =>
      withPlatform(async (many) => {
        const { manyWallets: wallets, manyTransactions: transactions } = report.size;
        const ofFew = { platform: few, history: await makeHistory(few, SMALL), api: await few.start(API) };
        const startedAt = performance.now();
        const history = await makeHistory(many, { wallets, transactions });
        const seconds = Math.round((performance.now() - startedAt) / 1_000);
        report.say(`  ${wallets} wallets and ${transactions} transactions were there after ${seconds} s`);
        const ofMany = { platform: many, history, api: await many.start(API) };
        await measureLists(report, ofFew, ofMany);
        await measurePayments(report, ofFew, ofMany);
      }),
    ),
};

interface Books {
  platform: BenchPlatform;
  history: History;
  api: Program;
}

async function measureLists(report: Report, few: Books, many: Books): Promise<void> {
  const far = `${firstPage(many)}&cursor=${await cursorOfPage(many, PAGE)}`;
  const { history } = many;
  // Every fourth reference is a payment to the busy wallet.
  const byReference = (): string => {
    const place = 4 * Math.ceil(Math.random() * Math.floor(history.references / 4));
    return `${firstPage(many)}&reference=order-${place}`;
  };
  const reading = ({ api, platform }: Books, path: () => string): Side => {
    const watched = [
      { name: 'API', pid: api.pid },
      { name: 'Postgres', pid: platform.postgresPid },
    ];
    const next = (): string => get(path(), platform.key);
    return (time) => load({ ...time, port: api.port, connections: 1, next, watched });
  };
  const sides = {
    small: reading(few, () => firstPage(few)),
    first: reading(many, () => firstPage(many)),
    far: reading(many, () => far),
    reference: reading(many, byReference),
  };
  await takeTurns(report.size, sides, ({ small, ...ours }) => {
    for (const [name, { p50Ms, usage }] of Object.entries(ours)) {
      report.figure(`list-${name}`, p50Ms, small.p50Ms);
      report.usage(`list-${name}`, usage);
    }
  });
  for (const [name, path] of Object.entries({ first: firstPage(many), far, reference: byReference() })) {
    const plans = await explained(many.platform, (api) => ask({ ...many, api }, path).then(() => undefined));
    const whole = [...plans.matchAll(SEQUENTIAL)].map(([, table]) => table);
    const used = new Set(
      [...plans.matchAll(/using (transactions_\w+|used_references_\w+)/g)].map(([, index]) => index),
    );
    report.claim(
      `list-${name}`,
      whole.length === 0 && used.size > 0,
      `no sequential scan; by ${[...used].join(', ')}`,
    );
  }
}

/** Of tables that grow with the payments. */
const SEQUENTIAL =
  /Seq Scan on (?:\w+\.)?(transactions|used_references|entries|accounts|wallets|reversals)\b/g;

async function measurePayments(report: Report, few: Books, many: Books): Promise<void> {
  await Promise.all([subscribe(few.platform), subscribe(many.platform)]);
  const paying = ({ platform, api, history }: Books): Side =>
    p2pSide(platform, [api], { wallets: history.wallets });
  await takeTurns(report.size, { few: paying(few), many: paying(many) }, (round) => {
    report.figure(MANY.name, round.many.perSecond, round.few.perSecond);
    report.usage(MANY.name, round.many.usage);
  });
}

const firstPage = ({ history }: Books): string =>
  `/v1/wallets/${history.busy}/transactions?limit=${PER_PAGE}`;

/** The cursor of a page, by following the list in larger steps; the last page's in smaller books. */
async function cursorOfPage(books: Books, page: number): Promise<string> {
  const before = (page - 1) * PER_PAGE;
  const path = `/v1/wallets/${books.history.busy}/transactions`;
  let cursor = '';
  for (let seen = 0; seen < before;) {
    const limit = Math.min(PER_PAGE_MAX, before - seen);
    const { next_cursor: next } = await ask(books, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    if (next === null) break;
    cursor = next;
    seen += limit;
  }
  return cursor;
}

/** @returns `meta` of a page. */
async function ask({ api, platform }: Books, path: string): Promise<{ next_cursor: string | null }> {
  const answer = await request(`http://127.0.0.1:${api.port}${path}`, {
    headers: { authorization: `Bearer ${platform.key}` },
  });
  if (answer.statusCode !== 200) throw new Error(`${path} was answered ${answer.statusCode}`);
  return ((await answer.body.json()) as { meta: { next_cursor: string | null } }).meta;
}
