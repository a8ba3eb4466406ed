/**
 * P2P transfers as a load: random pairs of wallets, each request with a reference and an Idempotency-Key of its
 * own.
 */
import { randomUUID } from 'node:crypto';
import { newId } from '../../src/db/pg/ids';
import { present } from '../../src/domain/assert';
import { load, post, type LoadOptions, type LoadResult } from './load';
import { checkAcknowledged, checkBooks } from './books';
import type { BenchPartner, BenchPlatform, Program } from './platform';
import type { Side } from './turns';
import type { WholePlatform } from './whole-platform';

export const CONNECTIONS = 64;
/** Enough for any load. */
export const FUND_KOBO = 1_000_000_000_000;
/** The source pays a fee and its VAT: a transfer has four entries. */
const AMOUNT_KOBO = 10_000;

interface Payments {
  /** The partner of the transfers; the platform's first partner if none is given. */
  by?: BenchPartner;
  /** Read again for every request, so the list may grow meanwhile. */
  wallets: readonly string[];
  /** If given, every transfer pays this wallet. */
  payee?: string;
  /** What the references begin with, if not with a random text. */
  run?: string;
}

/** What a transfer costs whatever it is compared with (R42). */
export interface P2pResult extends LoadResult {
  /** Processor time of the programs and of Postgres for one transfer. */
  cpuMicros: number;
  /** What Postgres has written to its log for one transfer. */
  walKb: number;
}

type P2pLoad = Payments & Omit<LoadOptions, 'next' | 'onBody'>;

/**
 * Runs the load, and then checks the books.
 * @throws when an answer is no 2xx, an acknowledged transfer is not in the ledger, or the books do not agree.
 */
export async function loadP2p(platform: BenchPlatform, options: P2pLoad): Promise<P2pResult> {
  const acknowledged: string[] = [];
  const walBefore = await walBytes(platform);
  const result = await load({
    ...options,
    next: p2pRequests(platform, options),
    onBody: (body) => acknowledged.push(referenceIn(body)),
  });
  const walKb = ((await walBytes(platform)) - walBefore) / 1_000 / result.answered;
  const { partnerId, cell } = options.by ?? platform;
  await checkAcknowledged(platform, partnerId, acknowledged, cell);
  await checkBooks(platform, cell);
  const watched = result.usage.filter(({ name }) => options.watched?.some((one) => one.name === name));
  const cpuSeconds = watched.reduce((sum, one) => sum + one.cpuSeconds, 0);
  return { ...result, cpuMicros: (cpuSeconds * 1e6) / result.answered, walKb };
}

/** How much Postgres has written to its log since it was made. */
async function walBytes({ sql }: BenchPlatform): Promise<number> {
  const { rows } = await sql<{ bytes: string }>(
    `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes`,
  );
  return Number(present(rows[0], 'a position in the log').bytes);
}

/** The same as a side of a comparison: programs that share the connections evenly, and are watched. */
export function p2pSide(
  platform: BenchPlatform,
  programs: readonly Program[],
  options: Payments & { connections?: number },
): Side<P2pResult> {
  const watched = [
    ...programs.map(({ pid }) => ({ name: 'API', pid })),
    { name: 'Postgres', pid: platform.postgresPid },
  ];
  const port = programs.map((program) => program.port);
  return (time) => loadP2p(platform, { connections: CONNECTIONS, port, watched, ...options, ...time });
}

/** The same through the API of a whole platform, whose worker and Temporal are watched, too. */
export const wholeP2p =
  (platform: WholePlatform, wallets: readonly string[]): Side<P2pResult> =>
  (time) =>
    loadP2p(platform, {
      ...time,
      port: platform.api.port,
      connections: CONNECTIONS,
      wallets,
      watched: platform.watched,
    });

/** @returns what gives the bytes of one request after another. */
export function p2pRequests(platform: Pick<BenchPartner, 'key'>, options: Payments): () => string {
  const { wallets, payee, by: { key } = platform, run = randomUUID() } = options;
  let count = 0;
  return () => {
    count += 1;
    const source = pick(wallets, payee);
    const dest = payee ?? pick(wallets, source);
    const body = `{"source_wallet":"${source}","dest_wallet":"${dest}","amount":${AMOUNT_KOBO},"reference":"${run}-${count}"}`;
    return post('/v1/transfers/p2p', key, body, `Idempotency-Key: ${randomUUID()}\r\n`);
  };
}

/** Any wallet but one. */
function pick(wallets: readonly string[], other: string | undefined): string {
  for (;;) {
    const wallet = wallets[Math.floor(Math.random() * wallets.length)] as string;
    if (wallet !== other) return wallet;
  }
}

/** The reference is cut out of the text, because to parse every answer would cost the machine too much. */
export function referenceIn(body: string): string {
  const start = body.indexOf('"reference":"') + 13;
  return body.slice(start, body.indexOf('"', start));
}

/**
 * Adds an endpoint of a partner, the platform's first if none is given, for every completed transfer. Its dispatcher is marked as
 * awake, as it is under load. Nothing is sent, because no worker runs.
 */
export async function subscribe({ sql, ...first }: BenchPlatform, by: BenchPartner = first): Promise<void> {
  await sql(
    `INSERT INTO ${by.cell}.webhook_endpoints (id, partner_id, url, events, secret_sealed, asleep)
     VALUES ($1, $2, 'https://partner.example/hook', '{transaction.completed}', 'unused', false)`,
    [newId(), by.partnerId],
  );
}
