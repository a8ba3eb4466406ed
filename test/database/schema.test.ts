/** The kept description of the schema is what the migrations make, in both environments. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeSchema } from '../../tools/schema/catalogue';
import { describeAreas } from '../../tools/schema/areas';
import { openTestCell, type TestCell } from '../support/cell';

const ROOT = join(__dirname, '..', '..');
let cell: TestCell;

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

test('migrations/schema holds what the migrations make; npm run schema writes it anew', async () => {
  const made = await describeAreas(cell.owner);
  const kept = Object.keys(made).map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]);
  expect(Object.fromEntries(kept)).toEqual(made);
  expect(readdirSync(join(ROOT, 'migrations/schema')).length).toBe(kept.length);
});

/** Live has no orders of the sandbox's kinds, and no reset by which the money of a finding goes before it came. */
const ONLY_LIVE = [
  /,\n {2}CONSTRAINT hand_orders_not_of_sandbox .*$/m,
  / {2}CONSTRAINT recon_findings_give_money_once .*\n/,
];

/** Live takes nothing that is rehearsed. */
const ONLY_REHEARSED = /(\.rehearsed AS text CHECK \().*;/;

/** Only the storage of a sandbox is counted, its time is forwarded, and its limits are switched. */
const ONLY_SANDBOX = /^CREATE (UNLOGGED )?TABLE sandbox_0\.(sandbox_\w+|enforced_limits) \([^]*?\n\n/gm;

/** What decides a tier: each environment by itself, and live enforces limits always (D123). */
const LIMITS_OF_SANDBOX =
  /is_sandbox := true;\n(.*)EXISTS \(SELECT FROM enforced_limits WHERE partner_id = asking\);/;
const LIMITS_OF_LIVE = 'is_sandbox := false;\n$1true;';

test.each([
  ['sandbox_directory', 'live_directory'],
  ['sandbox_0', 'live_0'],
])(
  '%s and %s differ in the rights of a sandbox reset, in what only live refuses, in the counted storage, and in who is under limits',
  async (ofSandbox, ofLive) => {
    const [sandbox, live] = await Promise.all(
      [ofSandbox, ofLive].map((schema) => describeSchema(cell.owner, schema)),
    );
    const grants = sandbox!.split('\n').filter((line) => line.endsWith('TO partner_wallet_sandbox_reset;'));
    expect(grants.length).toBeGreaterThan(3);
    const expected = sandbox!
      .replace(ONLY_SANDBOX, '')
      .replace(LIMITS_OF_SANDBOX, LIMITS_OF_LIVE)
      .replace(ONLY_REHEARSED, '$1(VALUE IS NULL));')
      .split('\n')
      .filter((line) => !grants.includes(line))
      .join('\n')
      .replaceAll(ofSandbox, ofLive)
      .replaceAll(/TO partner_wallet_sandbox_(api|worker|reconcile);/g, 'TO partner_wallet_live_$1;');
    expect(ONLY_LIVE.reduce((text, only) => text.replace(only, ''), live!)).toBe(expected);
  },
);

describe('a change of any kind changes the description', () => {
  test.each([
    ['a column', 'ALTER TABLE sandbox_0.accounts ADD COLUMN note text'],
    ['a default', `ALTER TABLE sandbox_0.transactions ALTER COLUMN description SET DEFAULT '-'`],
    ['a column that may be empty', 'ALTER TABLE sandbox_0.entries ALTER COLUMN created_at DROP NOT NULL'],
    ['a type', 'ALTER TABLE sandbox_0.partner_epochs ALTER COLUMN epoch TYPE bigint'],
    ['a check', 'ALTER TABLE sandbox_0.accounts DROP CONSTRAINT accounts_representable'],
    ['a check of a type', 'ALTER DOMAIN sandbox_0.entry_kobo DROP CONSTRAINT entry_kobo_check'],
    ['a foreign key', 'ALTER TABLE sandbox_0.wallets DROP CONSTRAINT wallets_id_fkey'],
    ['an index', 'DROP INDEX sandbox_0.entries_of_wallet'],
    ['a trigger', 'DROP TRIGGER entries_are_final ON sandbox_0.entries'],
    ['a trigger that is switched off', 'ALTER TABLE sandbox_0.entries DISABLE TRIGGER entries_are_right'],
    ['a function', `ALTER FUNCTION sandbox_0.refuse_change() SET search_path = public`],
    ['a storage parameter', 'ALTER TABLE sandbox_0.deliveries RESET (fillfactor)'],
    ['a table that loses the write-ahead log', 'ALTER TABLE sandbox_0.directors SET UNLOGGED'],
    ['a right to a table', 'GRANT DELETE ON sandbox_0.entries TO partner_wallet_sandbox_api'],
    [
      'a right to a column',
      'GRANT UPDATE (terms) ON sandbox_0.used_references TO partner_wallet_sandbox_api',
    ],
    ['a right to the schema', 'GRANT CREATE ON SCHEMA sandbox_0 TO partner_wallet_sandbox_api'],
    ['a right of everybody', 'REVOKE EXECUTE ON FUNCTION sandbox_0.summarize_moves() FROM PUBLIC'],
    ['row security', 'ALTER TABLE sandbox_0.accounts ENABLE ROW LEVEL SECURITY'],
    ['a policy', 'CREATE POLICY own ON sandbox_0.accounts USING (partner_id IS NOT NULL)'],
    ['a sequence', 'CREATE SEQUENCE sandbox_0.numbers'],
  ])('%s', async (_, change) => {
    expect(await describedAfter(change)).not.toBe(await describeSchema(cell.owner, 'sandbox_0'));
  });

  test.each([
    ['a view', 'CREATE VIEW sandbox_0.view AS SELECT 1 AS one'],
    ['an enum', `CREATE TYPE sandbox_0.colour AS ENUM ('red')`],
  ])('%s, which it does not know, is refused', async (_, change) => {
    await expect(describedAfter(change)).rejects.toThrow('knows every kind of object');
  });
});

/** The description of the cell with a change that is rolled back. */
async function describedAfter(change: string): Promise<string> {
  const client = await cell.owner.connect();
  try {
    await client.query('BEGIN');
    await client.query(change);
    return await describeSchema(client, 'sandbox_0');
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}
