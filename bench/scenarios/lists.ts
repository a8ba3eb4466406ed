/**
 * A wallet's transactions in large books: page 1, page 1,000 and one by its reference, beside page 1 in small
 * books.
 */
import { request } from 'undici';
import type { Report, Row } from '../scenario';
import { explained } from '../support/explain';
import type { History } from '../support/history';
import { get, load } from '../support/load';
import type { BenchPlatform, Program } from '../support/platform';
import { takeTurns, type Side } from '../support/turns';

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

export const LIST_ROWS = [
  listRow('list-first', 'page 1'),
  listRow('list-far', 'page 1,000'),
  listRow('list-reference', 'reference filter'),
];

/** A platform with a past, and the API that serves it. */
export interface Books {
  platform: BenchPlatform;
  history: History;
  api: Program;
}

export async function measureLists(report: Report, few: Books, many: Books): Promise<void> {
  const { seconds, warmUpSeconds } = report.size;
  const third = { ...report.size, seconds: seconds / 3, warmUpSeconds: warmUpSeconds / 3 };
  const far = `${firstPage(many)}&cursor=${await cursorOfPage(many, PAGE)}`;
  const lists = {
    'list-first': () => firstPage(many),
    'list-far': () => far,
    'list-reference': () => `${firstPage(many)}&reference=${anyReference(many)}`,
  };
  for (const [row, path] of Object.entries(lists)) {
    // The yardstick is measured again beside each row, so that both processes are equally warm and the machine is
    // in the same state.
    const sides = { ours: reading(many, path), small: reading(few, () => firstPage(few)) };
    await takeTurns(third, sides, ({ ours, small }) => {
      report.figure(row, ours.p50Ms, small.p50Ms);
      report.usage(row, ours.usage);
    });
  }
  await explained(many.platform, async (api, plans) => {
    for (const [row, path] of Object.entries(lists)) {
      await ask({ ...many, api }, path());
      judge(report, row, plans());
    }
  });
}

function reading({ api, platform }: Books, path: () => string): Side {
  const watched = [
    { name: 'API', pid: api.pid },
    { name: 'Postgres', pid: platform.postgresPid },
  ];
  const next = (): string => get(path(), platform.key);
  return (time) => load({ ...time, port: api.port, connections: 1, next, watched });
}

function judge(report: Report, row: string, plans: string): void {
  const whole = [...plans.matchAll(SEQUENTIAL)].map(([scan]) => scan);
  const indexes = [...new Set([...plans.matchAll(INDEX)].map(([, index]) => index))];
  const words = whole.length === 0 ? 'no sequential scan' : whole.join(', ');
  report.claim(row, whole.length === 0 && indexes.length > 0, `${words}; by ${indexes.join(', ')}`);
}

/** A sequential scan of a table that grows with wallets and payments. */
const SEQUENTIAL =
  /Seq Scan on (?:transactions|used_references|reversals|entries|accounts|wallets|idempotency_keys)\b/g;
const INDEX = /using (transactions_\w+|used_references_\w+)/g;

const firstPage = ({ history }: Books): string =>
  `/v1/wallets/${history.busy}/transactions?limit=${PER_PAGE}`;

/** A random reference of the busy wallet. */
const anyReference = ({ history: { references } }: Books): string =>
  `order-${4 * Math.ceil(Math.random() * Math.floor(references / 4))}`;

/**
 * The cursor of a page, by following the list in larger steps. In smaller books it is the cursor of the last page.
 */
async function cursorOfPage(books: Books, page: number): Promise<string> {
  const before = (page - 1) * PER_PAGE;
  const path = `/v1/wallets/${books.history.busy}/transactions`;
  let cursor = '';
  for (let seen = 0; seen < before; seen += PER_PAGE_MAX) {
    const limit = Math.min(PER_PAGE_MAX, before - seen);
    const { next_cursor: next } = await ask(books, `${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
    if (next === null) break;
    cursor = next;
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
