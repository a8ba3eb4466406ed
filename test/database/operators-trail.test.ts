/**
 * The operators' trail: a chain that nobody can rewrite without notice (G35), and what Postgres itself refuses.
 */
import type pg from 'pg';
import { appendAudit, listAudit, verifyAudit } from '../../src/db/upkeep/audit';
import { AUDIT_PHASES, readKeptSeal, writeAnchor } from '../../src/domain/audit';
import { PROPOSAL_STATUSES } from '../../src/domain/proposals';
import { OPERATOR_ROLES } from '../../src/domain/operators';
import { newId } from '../../src/db/pg/ids';
import { openPool } from '../../src/db/pg/postgres';
import { openTestCell, type TestCell } from '../support/cell';
import { asLogin } from '../support/logins';

const KEY = Buffer.alloc(32, 7);
const ADA = { id: newId(), name: 'Ada' };

let database: TestCell;
let platform: pg.Pool;

beforeEach(async () => {
  database = await openTestCell();
  platform = openPool(asLogin(database.url, 'operator'), 4, 10_000, () => undefined);
});
afterEach(async () => {
  await platform.end();
  await database.close();
});

const append = (number: number) =>
  appendAudit(platform, KEY, {
    requestId: `req_${number}`,
    operator: ADA,
    action: 'setPartnerTier',
    resource: '/ops/partners/x/tier',
    phase: 'asked',
    detail: { tier: 'scale', number },
  });

async function appendMany(rows: number): Promise<void> {
  for (let number = 1; number <= rows; number++) await append(number);
}

/** Changes the trail as the owner with the trigger switched off, which nothing in the database can prevent. */
async function tamper(statement: string): Promise<void> {
  await database.sql('ALTER TABLE platform.audit DISABLE TRIGGER audit_is_final');
  await database.sql(statement);
  await database.sql('ALTER TABLE platform.audit ENABLE TRIGGER audit_is_final');
}

describe('verification', () => {
  test('an empty trail and an unchanged one are in order', async () => {
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: true, end: { sequence: 0 } });
    await appendMany(5);
    const seal = (await append(6)).hash;
    expect(await verifyAudit(platform, [KEY])).toEqual({ ok: true, end: { sequence: 6, seal } });
    expect((await listAudit(platform, { before: null, limit: 2 })).map(({ sequence }) => sequence)).toEqual([
      6, 5,
    ]);
  });

  const COLUMNS: [string, string][] = [
    ['at', `at + interval '1 millisecond'`],
    ['request_id', `'req_other'`],
    ['operator_id', 'gen_random_uuid()'],
    ['operator_name', `'Eve'`],
    ['action', `'rejectAdjustment'`],
    ['resource', `'/ops/partners/y/tier'`],
    ['phase', `'done'`],
    ['detail', `'{}'`],
    ['hash', `sha256('x')`],
  ];
  test.each(COLUMNS)('a changed %s is found, and its row named', async (column, value) => {
    await appendMany(5);
    await tamper(`UPDATE platform.audit SET ${column} = ${value} WHERE sequence = 3`);
    expect(await verifyAudit(platform, [KEY])).toEqual({
      ok: false,
      sequence: 3,
      why: 'the row was changed or put in',
    });
  });

  test.each([
    ['the first row', 1],
    ['a row in the middle', 3],
    ['the last row', 5],
  ])('finds that %s was deleted', async (_what, sequence) => {
    await appendMany(5);
    await tamper(`DELETE FROM platform.audit WHERE sequence = ${sequence}`);
    expect(await verifyAudit(platform, [KEY])).toEqual({ ok: false, sequence, why: 'the row is missing' });
  });

  test('a row that was added at the end or put in the place of another is found', async () => {
    await appendMany(4);
    await tamper(`INSERT INTO platform.audit SELECT 5, at, request_id, operator_id, operator_name, action, resource,
      phase, detail, key_id, hash FROM platform.audit WHERE sequence = 4`);
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: false, sequence: 5 });
    await tamper(`DELETE FROM platform.audit WHERE sequence IN (2, 5)`);
    await tamper(`UPDATE platform.audit SET sequence = sequence - 1 WHERE sequence > 2`);
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: false, sequence: 2 });
  });

  const OTHER = Buffer.alloc(32, 8);
  const appendOther = () =>
    appendAudit(platform, OTHER, {
      requestId: 'req_x',
      operator: ADA,
      action: 'x',
      resource: '/',
      phase: 'done',
      detail: {},
    });
  const keyIds = async () =>
    (await database.sql('SELECT key_id FROM platform.audit ORDER BY sequence')).map((row) => row['key_id']);

  test('a row that was appended with another key is found', async () => {
    await appendMany(3);
    await appendOther();
    const why = 'the key that it names is not known here';
    expect(await verifyAudit(platform, [KEY])).toEqual({ ok: false, sequence: 4, why });
  });

  test('each row names its key: a trail of two keys is whole with both, and a row under the name of another key is not', async () => {
    await appendMany(2);
    await appendOther();
    await append(4);
    const [first, , third, fourth] = await keyIds();
    expect(new Set([first, third]).size).toBe(2);
    expect(fourth).toBe(first);
    expect(await verifyAudit(platform, [OTHER, KEY])).toMatchObject({ ok: true, end: { sequence: 4 } });
    await tamper(`UPDATE platform.audit SET key_id = '${third}' WHERE sequence = 2`);
    const why = 'the row was changed or put in';
    expect(await verifyAudit(platform, [OTHER, KEY])).toEqual({ ok: false, sequence: 2, why });
  });

  test('rows appended at the same moment make one chain without a gap', async () => {
    await Promise.all(Array.from({ length: 20 }, (_, number) => append(number)));
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: true, end: { sequence: 20 } });
  });
});

describe('a seal that was kept elsewhere', () => {
  /** The trail as somebody leaves it who owns the database: shorter, and with an end that fits. */
  async function cutBehind(sequence: number): Promise<void> {
    await tamper(`DELETE FROM platform.audit WHERE sequence > ${sequence}`);
    await database.sql(
      `UPDATE platform.audit_head h SET sequence = a.sequence, hash = a.hash
         FROM platform.audit a WHERE a.sequence = ${sequence}`,
    );
  }
  /** The same rows, one of them with another text, sealed anew with the key. */
  async function rewriteAll(): Promise<void> {
    const rows = (await listAudit(platform, { before: null, limit: 100 })).reverse();
    await tamper('DELETE FROM platform.audit');
    await database.sql(`UPDATE platform.audit_head SET sequence = 0, hash = decode(repeat('00', 32), 'hex')`);
    for (const row of rows) {
      const operator = row.sequence === 2 ? { ...row.operator, name: 'Eve' } : row.operator;
      await appendAudit(platform, KEY, { ...row, operator });
    }
  }
  const anchor = async () => {
    const verdict = await verifyAudit(platform, [KEY]);
    if (!verdict.ok) throw new Error(verdict.why);
    return verdict.end;
  };

  test('is found in a trail that has grown, by its row and by itself', async () => {
    const empty = await anchor();
    await appendMany(3);
    const kept = await anchor();
    await append(4);
    for (const seal of [empty, kept, { ...kept, sequence: null }]) {
      expect(await verifyAudit(platform, [KEY], seal)).toMatchObject({ ok: true, end: { sequence: 4 } });
    }
    expect(readKeptSeal(writeAnchor(kept))).toEqual(kept);
    expect(readKeptSeal(kept.seal)).toEqual({ sequence: null, seal: kept.seal });
  });

  test('the last rows of the trail are cut off: found, and the first one that is gone is named', async () => {
    await appendMany(5);
    const kept = await anchor();
    await cutBehind(3);
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: true, end: { sequence: 3 } });
    const why = 'the rows from here to 5 were cut off';
    expect(await verifyAudit(platform, [KEY], kept)).toEqual({ ok: false, sequence: 4, why });
    await appendMany(2);
    expect(await verifyAudit(platform, [KEY], kept)).toMatchObject({ ok: false, sequence: 5 });
    expect(await verifyAudit(platform, [KEY], { ...kept, sequence: null })).toMatchObject({ ok: false });
  });

  test('the trail is rewritten with consistent seals: found', async () => {
    await appendMany(5);
    const kept = await anchor();
    await rewriteAll();
    expect(await verifyAudit(platform, [KEY])).toMatchObject({ ok: true, end: { sequence: 5 } });
    const why = 'the seal is not the kept one: the trail was rewritten';
    expect(await verifyAudit(platform, [KEY], kept)).toEqual({ ok: false, sequence: 5, why });
  });
});

test.each(['', 'x', '12', 'a'.repeat(63), `-1:${'a'.repeat(64)}`, `1:${'A'.repeat(64)}`])(
  '"%s" is no seal',
  (text) => expect(readKeptSeal(text)).toBeNull(),
);

const STATEMENTS = [
  `UPDATE platform.audit SET detail = '{}'`,
  'DELETE FROM platform.audit',
  'TRUNCATE platform.audit',
];

test.each(STATEMENTS)(
  '%s is refused: to operators for want of the right, to the owner by the trigger',
  async (text) => {
    await append(1);
    await expect(platform.query(text)).rejects.toMatchObject({ code: '42501' });
    await expect(database.sql(text)).rejects.toMatchObject({ code: '23001' });
  },
);

test.each([
  'SELECT * FROM platform.users',
  'SELECT * FROM platform.api_keys',
  'SELECT * FROM sandbox_0.accounts',
  'SELECT * FROM live_0.wallets',
  `INSERT INTO platform.operators (id, name, role, token_hash, token_prefix, expires_at)
     VALUES (gen_random_uuid(), 'x', 'operator', sha256('x'), 'x', now())`,
  `UPDATE platform.partners SET email = 'x'`,
  `UPDATE platform.proposals SET terms = '{}'`,
  'UPDATE platform.proposals SET expires_at = now()',
  'DELETE FROM platform.proposal_approvals',
])('the operators’ role may not: %s', async (text) => {
  await expect(platform.query(text)).rejects.toMatchObject({ code: '42501' });
});

test.each<[string, string, readonly string[]]>([
  // Nobody writes that a proposal has expired.
  ['proposals', 'status', PROPOSAL_STATUSES.filter((status) => status !== 'expired')],
  ['audit', 'phase', AUDIT_PHASES],
  ['operators', 'role', OPERATOR_ROLES],
])('%s.%s takes the values of the domain and no others', async (table, column, values) => {
  const [row] = await database.sql(
    `SELECT pg_get_constraintdef(oid) AS rule FROM pg_constraint
      WHERE conrelid = $1::regclass AND conname = $2`,
    [`platform.${table}`, `${table}_${column}_check`],
  );
  expect([...row!['rule'].matchAll(/'(\w+)'/g)].map(([, value]) => value)).toEqual(values);
});

test('the environments’ roles see nothing of the operators', async () => {
  for (const table of ['operators', 'audit', 'audit_head', 'proposals', 'proposal_approvals']) {
    const looking = database.cell.pool.query(`SELECT * FROM platform.${table}`);
    await expect(looking).rejects.toMatchObject({ code: '42501' });
  }
});

test('Postgres itself refuses an approval of one’s own, a second one, one for nothing, and a proposal with too few', async () => {
  const [proposer, other, partner, proposal] = Array.from({ length: 4 }, newId);
  await database.sql(
    `INSERT INTO platform.operators (id, name, role, token_hash, token_prefix, expires_at)
     VALUES ($1, 'p', 'operator', sha256('p'), 'p', now()), ($2, 'o', 'operator', sha256('o'), 'o', now())`,
    [proposer, other],
  );
  await database.sql(
    `INSERT INTO platform.partners (id, business_name, email) VALUES ($1, 'A', 'a@a.example')`,
    [partner],
  );
  await database.sql(
    `INSERT INTO platform.proposals (id, kind, approvals_needed, environment, partner_id, terms, proposed_by)
     VALUES ($1, 'adjust_wallet', 2, 'sandbox', $2, '{}', $3)`,
    [proposal, partner, proposer],
  );
  const approve = (proposedBy: unknown, by: unknown, of = proposal) =>
    platform.query(
      'INSERT INTO platform.proposal_approvals (proposal_id, proposed_by, operator_id) VALUES ($1, $2, $3)',
      [of, proposedBy, by],
    );
  await expect(approve(proposer, proposer)).rejects.toMatchObject({ code: '23514' });
  await expect(approve(other, proposer)).rejects.toMatchObject({ code: '23503' });
  await expect(approve(proposer, other, newId())).rejects.toMatchObject({ code: '23503' });
  await approve(proposer, other);
  await expect(approve(proposer, other)).rejects.toMatchObject({ code: '23505' });
  // One approval of two: no code can carry it out, nor ask for fewer.
  for (const status of ['approved', 'applied', 'refused']) {
    const moving = platform.query('UPDATE platform.proposals SET status = $1', [status]);
    await expect(moving).rejects.toMatchObject({ code: '23001' });
  }
  const cheap = database.sql('UPDATE platform.proposals SET approvals_needed = 1');
  await expect(cheap).rejects.toMatchObject({ code: '23514' });
});
