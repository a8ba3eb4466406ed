/** Compliance records on Postgres: a request is applied once, its trail is final, each move is followed once. */
import {
  applyComplianceRequest,
  findCompliance,
  followMoves,
  keepComplianceRequest,
  movesToFollow,
  wasApplied,
} from '../../src/db/partners/compliance';
import { newId } from '../../src/db/pg/ids';
import { TERMS_VERSION, type ComplianceAsk } from '../../src/domain/compliance';
import { SANDBOX_CELL } from '../setup/cells';
import { openTestCell, type TestCell } from '../support/cell';

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
  await keepComplianceRequest(db.cell, { id, partnerId, actor: 'partner', ask }, []);
  return id;
}
const nothing = () => Promise.resolve();
const apply = (id: string, alongside: Parameters<typeof applyComplianceRequest>[3] = nothing) =>
  applyComplianceRequest(db.cell, partnerId, id, alongside);
async function submitAll(): Promise<void> {
  for (const ask of [...STEPS, USE_CASE]) await apply(await keep(ask));
}
const triggers = () => movesToFollow(db.cell.pool, SANDBOX_CELL, partnerId);

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
  await expect(apply(id)).rejects.toThrow('the request about the record');
});

test('moves are followed once each, in order, and again after a failure', async () => {
  await submitAll();
  const followed: string[] = [];
  const failing = followMoves(db.cell, partnerId, (_trx, trigger) => {
    if (trigger === 'submit') throw new Error('broken');
    return Promise.resolve();
  });
  await expect(failing).rejects.toThrow('broken');
  const follow = () =>
    followMoves(db.cell, partnerId, (_trx, trigger) => {
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
