/** Compliance records on Postgres: a request is applied once, its trail is final, each move is followed once. */
import {
  applyComplianceRequest,
  findCompliance,
  followMoves,
  keepComplianceRequest,
  movesToFollow,
  wasApplied,
} from '../../src/db/partners/compliance';
import { findPartner, insertPartner } from '../../src/db/partners/credentials';
import { followMove } from '../../src/db/partners/partner-status';
import { newId } from '../../src/db/pg/ids';
import { openPool } from '../../src/db/pg/postgres';
import { TERMS_VERSION, type ComplianceAsk } from '../../src/domain/compliance';
import { NOT_ORDERED } from '../../src/domain/hand-orders';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import { openTestCell, type TestCell } from '../support/cell';
import { asLogin } from '../support/logins';

let db: TestCell;
beforeAll(async () => {
  db = await openTestCell();
});
afterAll(() => db.close());

let partnerId: string;
beforeEach(() => {
  partnerId = newId();
});

const STEPS: ComplianceAsk[] = [
  { kind: 'business_info', cacNumber: 'RC123456', businessType: 'llc' },
  { kind: 'directors' },
  { kind: 'agreements', termsVersion: TERMS_VERSION },
];
const USE_CASE: ComplianceAsk = { kind: 'use_case', description: 'Wallets for the market women of Aba.' };

async function keep(ask: ComplianceAsk): Promise<string> {
  const id = newId();
  await keepComplianceRequest(db.forApi, { id, partnerId, actor: 'partner', ask }, []);
  return id;
}
const nothing = () => Promise.resolve();
const apply = (id: string, alongside: Parameters<typeof applyComplianceRequest>[3] = nothing) =>
  applyComplianceRequest(db.cell, partnerId, id, alongside);
async function submitAll(): Promise<void> {
  for (const ask of [...STEPS, USE_CASE]) await apply(await keep(ask));
}
const triggers = async () =>
  (await movesToFollow(db.cell.pool, SANDBOX_CELL, partnerId)).map(({ trigger }) => trigger);

test('a request applied again, or ten times at once, makes one move and does the work beside it once', async () => {
  const id = await keep(USE_CASE);
  expect(await wasApplied(db.cell, id)).toBe(false);
  const alongside = jest.fn(nothing);
  const applied = await Promise.all(Array.from({ length: 10 }, () => apply(id, alongside)));
  expect(await apply(id, alongside)).toMatchObject({ ok: true, value: { moves: 1 } });
  expect(applied.every(({ ok }) => ok)).toBe(true);
  expect(alongside).toHaveBeenCalledTimes(1);
  expect(await triggers()).toEqual(['edit']);
  expect(await wasApplied(db.cell, id)).toBe(true);
});

test('twenty use cases at once as the last step submit once', async () => {
  for (const ask of STEPS) await apply(await keep(ask));
  const ids = await Promise.all(Array.from({ length: 20 }, () => keep(USE_CASE)));
  await Promise.all(ids.map((id) => apply(id)));
  expect(await findCompliance(db.cell, partnerId)).toMatchObject({ status: 'submitted', moves: 23 });
  expect((await triggers()).filter((trigger) => trigger === 'submit')).toHaveLength(1);
});

test('a refused request leaves the record and the trail as they were', async () => {
  await submitAll();
  await apply(await keep({ kind: 'claim', reason: null }));
  const before = await findCompliance(db.cell, partnerId);
  const id = await keep(USE_CASE);
  expect(await apply(id)).toMatchObject({ ok: false, refusal: { code: 'COMPLIANCE_LOCKED' } });
  expect(await findCompliance(db.cell, partnerId)).toEqual(before);
  expect(await wasApplied(db.cell, id)).toBe(false);
});

test('a failure of the work beside a move undoes the move', async () => {
  const id = await keep(USE_CASE);
  await expect(apply(id, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await wasApplied(db.cell, id)).toBe(false);
  expect(await findCompliance(db.cell, partnerId)).toMatchObject({ useCaseDescription: '', moves: 0 });
});

test('a request of another partner is not applied', async () => {
  const id = await keep(USE_CASE);
  partnerId = newId();
  expect(await apply(id)).toEqual(NOT_ORDERED);
});

test('moves are followed once each, in order, and again after a failure', async () => {
  await submitAll();
  const followed: string[] = [];
  const failing = followMoves(db.cell, partnerId, ({ trigger }) => {
    if (trigger === 'submit') throw new Error('broken');
    return Promise.resolve();
  });
  await expect(failing).rejects.toThrow('broken');
  const follow = () =>
    followMoves(db.cell, partnerId, ({ trigger }) => {
      followed.push(trigger);
      return Promise.resolve();
    });
  await Promise.all([follow(), follow(), follow()]);
  expect(followed).toEqual(['edit', 'edit', 'edit', 'submit']);
  await apply(await keep({ kind: 'approve', reason: null }));
  await follow();
  expect(followed.slice(4)).toEqual(['approve']);
  expect(await triggers()).toEqual([]);
});

test('a status that followed before a crash follows no second time, so an operator’s suspension stays', async () => {
  const place = { sandbox: SANDBOX_CELL, live: LIVE_CELL };
  await insertPartner(
    db.owner,
    { id: partnerId, businessName: 'Acme', email: '', status: 'suspended' },
    place,
  );
  const platform = openPool(asLogin(db.url, 'live_status'), 1, 10_000, () => undefined);
  const status = async () => (await findPartner(db.owner, 'live', partnerId))?.status;
  const reinstate = () => followMove(platform, partnerId, 'reinstate', 7);
  await reinstate();
  expect(await status()).toBe('active');
  await db.sql(`UPDATE platform.partners SET status = 'suspended' WHERE id = $1`, [partnerId]);
  await reinstate();
  expect(await status()).toBe('suspended');
  await platform.end();
});

describe.each(['compliance_requests', 'compliance_moves'])('%s', (table) => {
  test.each([
    ['UPDATE', `UPDATE ${SANDBOX_CELL}.${table} SET partner_id = partner_id`],
    ['DELETE', `DELETE FROM ${SANDBOX_CELL}.${table}`],
  ])('%s is refused to the application and to the owner', async (_what, statement) => {
    await apply(await keep(USE_CASE));
    await expect(db.cell.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
    await expect(db.sql(statement)).rejects.toMatchObject({ code: '23001' });
  });
});
