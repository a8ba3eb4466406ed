/**
 * A repeat that is overtaken by the first request: it has looked in one place while the first had not yet committed,
 * and looks in the other place afterwards. It gets the kept answer, byte for byte (D44), and never an answer that is
 * made anew from the reference (D45).
 */
import pg from 'pg';
import { SANDBOX_CELL } from '../setup/cells';
import { apiForFile, partnerForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let dest: string;
let other: string;
let firsts: pg.Client;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 100_000_000 });
  dest = await partner.wallet();
  other = await partner.wallet();
  firsts = new pg.Client({ connectionString: world.databaseUrl });
  await firsts.connect();
});
afterAll(() => firsts.end());

let count = 0;
const fresh = (): string => `overtaken-${(count += 1)}`;

/** Each operation that takes a key, with a body that is good once; and whether it uses up a reference. */
const OPERATIONS: [path: () => string, body: () => Record<string, unknown>, refers: boolean][] = [
  [() => '/v1/wallets', () => ({ user_ref: fresh() }), false],
  [
    () => '/v1/transfers/p2p',
    () => ({ source_wallet: source, dest_wallet: dest, amount: 100, reference: fresh() }),
    true,
  ],
  [
    () => '/v1/transfers/bank',
    () => ({
      source_wallet: source,
      dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
      amount: 100,
      reference: fresh(),
    }),
    true,
  ],
  [
    () => '/v1/payments/split',
    () => ({
      source_wallet: source,
      reference: fresh(),
      splits: [dest, other].map((id) => ({ wallet_id: id, amount: 100 })),
    }),
    true,
  ],
  [
    () => '/v1/payments/qr/create',
    () => ({ wallet_id: dest, amount: 100, reference: fresh(), expires_in: 300 }),
    true,
  ],
  [
    () => '/v1/payments/ussd/initiate',
    () => ({ payer_wallet_id: source, merchant_wallet_id: dest, amount_kobo: 100, reference: fresh() }),
    true,
  ],
  [() => `/v1/sandbox/wallets/${dest}/fund`, () => ({ amount_kobo: 100 }), false],
];

const STOPS = OPERATIONS.flatMap(([path, body, refers]) =>
  (refers ? (['used_references', 'idempotency_keys'] as const) : (['idempotency_keys'] as const)).map(
    (table) => [path().replace(/undefined/, '{id}'), table, path, body] as const,
  ),
);

/** What the commit of a request with a key writes into the two tables in which a repeat looks. */
const LOOKED_AT = ['used_references', 'idempotency_keys'] as const;

/** Takes the rows of the last request away, as if it had not committed yet. @returns the statements that write them. */
async function takeBack(): Promise<string> {
  const inserts: string[] = [];
  for (const table of LOOKED_AT) {
    const rows = await world.sql(
      `DELETE FROM ${SANDBOX_CELL}.${table} WHERE partner_id = $1
        RETURNING to_jsonb(${table}.*)::text AS row`,
      [partner.id],
    );
    for (const { row } of rows) {
      const name = `${SANDBOX_CELL}.${table}`;
      inserts.push(
        `INSERT INTO ${name} SELECT * FROM jsonb_populate_record(null::${name}, ${pg.escapeLiteral(row)})`,
      );
    }
  }
  return inserts.join(';');
}

const isAwaited = async (table: string): Promise<boolean> => {
  const waiting = await world.sql(
    `SELECT FROM pg_locks WHERE NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND relation = $1::regclass`,
    [`${SANDBOX_CELL}.${table}`],
  );
  return waiting.length > 0;
};

test.each(STOPS)(
  'POST %s: a repeat that waits at %s while the first one commits gets the kept answer',
  async (_path, table, path, makeBody) => {
    const [body, headers] = [makeBody(), { 'Idempotency-Key': fresh() }];
    const first = await partner.post(path(), body, headers);
    expect(first.status).toBeLessThan(300);
    const writes = await takeBack();

    await firsts.query(`BEGIN; LOCK TABLE ${SANDBOX_CELL}.${table}; ${writes}`);
    const repeat = partner.post(path(), body, headers);
    await until(`the repeat waits at ${table}`, () => isAwaited(table));
    await firsts.query('COMMIT');

    const { status, text, headers: answered } = await repeat;
    expect({ status, text }).toEqual({ status: first.status, text: first.text });
    expect(answered.get('Idempotent-Replayed')).toBe('true');
  },
);
