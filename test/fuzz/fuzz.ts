/**
 * Sends requests made from the served document to the real API, one after the other, and checks the answers
 * against the promises: nothing undocumented, no 500, and a request that is not answered 2xx moves nothing (G26).
 */
import fc from 'fast-check';
import { newApiKey } from '../../src/wire/api-keys';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import type { Answer, TestApi, World } from '../support/api';
import { auditCell } from '../support/audit';
import type { Document } from '../support/contract';
import { SANDBOX_SECRET } from '../support/phone';
import { createKnown, type Known } from './known';
import { EMPTYING, requestsOf, type Credential, type Request } from './requests';

export interface FuzzOptions {
  runs: number;
  seed: number;
  /** Only operations whose id matches; all operations if it is left out. */
  operations?: RegExp;
  /** Account numbers at other banks; one for each outcome of the sandbox if it is left out. */
  accounts?: readonly string[];
}

const ACCOUNTS = ['0123456789', '0123450000', '0123450404'];

/** Number of answers by operation and status. */
export type FuzzCounts = Record<string, Record<number, number>>;

/** Operations that end a USSD session whose time is over, with its event, even when they are refused. */
const EXPIRING = /Ussd/;
const ENDING_SESSIONS = /^endSession/;
const JWT_KEY = Buffer.alloc(32, 7).toString('base64');

/**
 * Sends `runs` requests. The run goes on after a broken promise, so that one run shows all of them.
 * @throws with every kind of breach, the request that showed it first, and the seed.
 */
export async function fuzz(world: World, options: FuzzOptions): Promise<FuzzCounts> {
  const { runs, seed, operations = /./, accounts = ACCOUNTS } = options;
  const api = await world.startApi({ JWT_KEY });
  const { body: document } = (await api.call('GET', '/openapi.json')) as { body: Document };
  const known = createKnown();
  const { credentials, makeScene, signInAgain } = await populate(world, api, known, accounts);
  const observe = await observer(world);
  const counts: FuzzCounts = {};
  let state = await observe();

  async function tryOut(request: Request): Promise<void> {
    const answer = await send(api, known, credentials, request);
    count(counts, request, answer.status);
    if (answer.status === 500) throw new Error(`answered 500 ${answer.text}`);
    const after = await observe();
    const mayMove = answer.status < 300 && !['GET', 'HEAD', 'OPTIONS'].includes(request.method);
    if (after.money !== state.money && !mayMove) throw new Error(`moved money, answered ${answer.text}`);
    // A request that meets an outage may leave rows that prepare its next step, but may not move money.
    const mayEnd = EXPIRING.test(request.operation ?? '');
    if (after.rows !== state.rows && !mayMove && !mayEnd && answer.status !== 503) {
      throw new Error(`changed ${difference(state.rows, after.rows)}, answered ${answer.text}`);
    }
    if (answer.status < 300) known.learn(request, answer);
    if (EMPTYING.test(request.operation ?? '') && answer.status === 200) {
      known.forget();
      await makeScene();
      state = await observe();
    } else if (ENDING_SESSIONS.test(request.operation ?? '') && answer.status === 204) {
      await signInAgain();
      state = await observe();
    } else {
      state = after;
    }
  }

  const breaches = new Map<string, string>();
  for (const request of fc.sample(requestsOf(document, operations), { numRuns: runs, seed })) {
    try {
      await tryOut(request);
    } catch (error) {
      const { message } = error as Error;
      const kind = `${request.operation ?? request.path}: ${message.replaceAll(/[0-9a-f-]{8,}/g, '').slice(0, 200)}`;
      if (!breaches.has(kind)) breaches.set(kind, `${message}\n  ${JSON.stringify(request)}`);
      state = await observe();
    }
  }

  const cells = [SANDBOX_CELL, LIVE_CELL].map((cell) => auditCell(world.databaseUrl, cell));
  const findings = (await Promise.all(cells)).flat();
  const found = [...breaches.values(), ...findings];
  if (found.length > 0) throw new Error(`seed ${String(seed)}: ${found.join('\n\n')}`);
  return counts;
}

function count(counts: FuzzCounts, { operation }: Request, status: number): void {
  const byStatus = (counts[operation ?? 'elsewhere'] ??= {});
  byStatus[status] = (byStatus[status] ?? 0) + 1;
}

interface Population {
  credentials: Record<Credential, string | null>;
  /** Makes wallets in every state, one foreign wallet, and banks: at the start, and again after a reset. */
  makeScene(): Promise<void>;
  /** Another token for the caller whose session has ended. */
  signInAgain(): Promise<void>;
}

/** Partners of every kind with their wallets. */
async function populate(
  world: World,
  api: TestApi,
  known: Known,
  accounts: readonly string[],
): Promise<Population> {
  const partner = await api.partner();
  const other = await api.partner();
  async function makeScene(): Promise<void> {
    const wallets = [
      ...Array.from({ length: 6 }, () => partner.wallet({ fundKobo: 1_000_000_000 })),
      partner.wallet(),
      ...(['pending', 'frozen', 'closed'] as const).map((status) => partner.wallet({ status })),
    ];
    const ids = [...(await Promise.all(wallets)), await other.wallet({ fundKobo: 5_000 })];
    for (const id of ids) for (const kind of ['wallet', 'wallets']) known.add(kind, id);
    for (const bank of ['058', '044', '50999']) known.add('bank_code', bank);
    for (const account of accounts) known.add('account_number', account);
    known.add('callback', SANDBOX_SECRET);
    known.add('providers', 'simulator');
  }
  await makeScene();
  const live = await api.partner({ environment: 'live', status: 'active' });
  const suspended = await api.partner({ environment: 'live', status: 'suspended' });
  const revoked = await api.partner();
  await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [revoked.keyId]);
  const credentials: Record<Credential, string | null> = {
    sandbox: partner.key,
    token: await api.token(partner.id),
    live: live.key,
    suspended: suspended.key,
    other: other.key,
    revoked: revoked.key,
    none: null,
    nonsense: newApiKey('sandbox'),
  };
  async function signInAgain(): Promise<void> {
    credentials.token = await api.token(partner.id);
  }
  return { credentials, makeScene, signInAgain };
}

/** Header values that HTTP can carry. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

async function send(
  api: TestApi,
  known: Known,
  credentials: Record<Credential, string | null>,
  request: Request,
): Promise<Answer> {
  const text = (value: unknown): string => textOf(known.resolve(value));
  const path = request.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(text(request.params[name])),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(request.query)) query.append(name, text(value));
  const headers = Object.fromEntries(
    Object.entries(request.headers).filter(([, value]) => SENDABLE.test(value)),
  );
  const key = credentials[request.credential];
  const body = bodyOf(known.resolve(request.body), headers['Content-Type']);
  return api.call(request.method, query.size > 0 ? `${path}?${query.toString()}` : path, {
    ...(key !== null && { key }),
    ...(body !== undefined && { body }),
    headers,
  });
}

const textOf = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)).toWellFormed();

/** Writes a gateway's form as a form; the client writes JSON itself. */
function bodyOf(body: unknown, type: string | undefined): unknown {
  if (type !== 'application/x-www-form-urlencoded' || typeof body !== 'object' || body === null) return body;
  return new URLSearchParams(
    Object.entries(body).map(([name, value]): [string, string] => [name, textOf(value)]),
  ).toString();
}

interface Observed {
  /** A hash of all accounts and the number of entries. */
  money: string;
  /** How many rows each table has. */
  rows: string;
}

/** Tables that a refused call may change too: counters, the log of requests, and what follows an answer. */
const COUNTING =
  /^(?:rate_|requests$|key_days$|sandbox_storage|knex_|stranger|login|security_events$|mail|wallet_pins$|ussd_pin)/;

/** Looks at every table of both environments and at the platform's own. */
async function observer(world: World): Promise<() => Promise<Observed>> {
  const tables = await world.sql(
    `SELECT table_schema AS schema, table_name AS name FROM information_schema.tables
      WHERE table_schema IN ($1, $2, 'platform') AND table_type = 'BASE TABLE' ORDER BY 1, 2`,
    [SANDBOX_CELL, LIVE_CELL],
  );
  const counted = tables.filter(({ name }) => !COUNTING.test(name));
  const rows = counted.map(
    ({ schema, name }) => `'${name} ' || (SELECT count(*) FROM "${schema}"."${name}")`,
  );
  const money = [SANDBOX_CELL, LIVE_CELL].flatMap((cell) => [
    // A payment that ends without a debit changes `updated_at` of the row and nothing else.
    `(SELECT sum(hashtextextended((to_jsonb(a) - 'updated_at')::text, 0)) FROM ${cell}.accounts a)`,
    `(SELECT count(*) FROM ${cell}.entries)`,
  ]);
  const statement = `SELECT array_to_string(ARRAY[${rows.join(', ')}], ', ') AS rows,
    array_to_string(ARRAY[${money.join(', ')}], ', ') AS money`;
  return async () => (await world.sql(statement))[0] as Observed;
}

/** The tables whose number of rows differs. */
function difference(before: string, after: string): string {
  const earlier = before.split(', ');
  return after
    .split(', ')
    .filter((entry, index) => entry !== earlier[index])
    .join(', ');
}
