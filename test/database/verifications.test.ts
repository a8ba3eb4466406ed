/**
 * Verifications in Postgres: one while it is pending, ended once with one event, and its sealed number is never
 * opened or moved (D82, D112).
 */
import { createBlindIndex } from '../../src/secrets/blind-index';
import { newId } from '../../src/db/pg/ids';
import { inTransaction } from '../../src/db/pg/postgres';
import {
  concludeVerification,
  findVerification,
  findVerifiedName,
  insertVerification,
  listVerifications,
  recordFoundName,
  submitVerification,
} from '../../src/db/partners/verifications';
import { FAILURE_REASONS, type Verdict } from '../../src/domain/verifications';
import { newVerification, type AskedVerification } from '../../src/operations/identity/new-verification';
import { createSealing } from '../../src/secrets/sealing';
import { verificationConcluded } from '../../src/wire/kyc';
import { openEndpoint } from '../support/endpoints';
import { openTestCell, type TestCell } from '../support/cell';
import { SANDBOX_CELL } from '../setup/cells';

const key = Buffer.alloc(32, 1).toString('base64');
const sealing = createSealing(key);
const blindIndex = createBlindIndex('sandbox', key);
const partnerId = newId();
const NUMBER = '22222222222';
let cell: TestCell;

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(() => cell.close());

const drafted = (more: Partial<AskedVerification> = {}) =>
  newVerification(
    { sealing, blindIndex },
    {
      subject: 'end_user',
      partnerId,
      userRef: `user-${newId()}`,
      directorId: null,
      type: 'bvn',
      number: NUMBER,
      expectedName: null,
      ...more,
    } as AskedVerification,
    1_000,
  );
const ofUser = (userRef: string) => drafted({ userRef });
const director = (directorId: string) => drafted({ subject: 'director', userRef: null, directorId });

/** A submission without a consent. */
const UNTOLD = { consent: null, requestId: 'req_test' };
async function submitted(userRef = `user-${newId()}`): Promise<string> {
  return (await submitVerification(cell.cell, ofUser(userRef), UNTOLD)).verificationId;
}
const conclude = (id: string, verdict: Verdict, of = partnerId) =>
  concludeVerification(cell.cell, of, id, verdict, BY, verificationConcluded);
const eventsOf = (id: string) =>
  cell.sql(`SELECT kind, data FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [id]);
const intentionsOf = (id: string) =>
  cell.sql(`SELECT workflow_id FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`, [id]);
const count = async (table: string) =>
  (await cell.sql(`SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.${table}`))[0]!['n'] as number;

const BY = { company: 'smile', watchListed: null };
const VERIFIED: Verdict = { status: 'verified' };
const FAILED: Verdict = { status: 'failed', reason: 'NAME_MISMATCH' };

describe('submitting', () => {
  test('by two processes at once, both before either has committed, makes one', async () => {
    const other = cell.openPool();
    const drafts = Array.from({ length: 10 }, () => ofUser('raced'));
    const done = await cell.slowly('INSERT', 'verifications', () =>
      Promise.all(
        drafts.map((draft, n) =>
          submitVerification({ ...cell.cell, ...(n % 2 === 1 && { pool: other }) }, draft, UNTOLD),
        ),
      ),
    );
    expect(new Set(done.map(({ verificationId }) => verificationId)).size).toBe(1);
    expect(done.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await intentionsOf(done[0]!.verificationId)).toHaveLength(1);
  });

  test('while the pending one ends gives either that one or a new one, and always one', async () => {
    for (let n = 0; n < 20; n++) {
      const userRef = `ending-${String(n)}`;
      const first = await submitted(userRef);
      const [second] = await Promise.all([submitted(userRef), conclude(first, VERIFIED)]);
      const rows = (await listVerifications(cell.cell, partnerId, userRef)) ?? [];
      expect(rows.map(({ id }) => id).sort()).toEqual([...new Set([first, second])].sort());
    }
  });

  test('in a transaction that is rolled back leaves nothing, no intention either', async () => {
    const before = [await count('verifications'), await count('workflow_intentions')];
    const draft = director(newId());
    const failing = inTransaction(cell.cell.pool, async (trx) => {
      await insertVerification(trx, SANDBOX_CELL, draft);
      throw new Error('the caller failed');
    });
    await expect(failing).rejects.toThrow('the caller failed');
    expect([await count('verifications'), await count('workflow_intentions')]).toEqual(before);
  });
});

test('somebody of the watch list is never verified, whatever the code believes', async () => {
  const id = await submitted();
  const listed = { company: 'prembly', watchListed: true };
  const wrong = concludeVerification(cell.cell, partnerId, id, VERIFIED, listed, verificationConcluded);
  await expect(wrong).rejects.toThrow('verifications_never_of_the_watch_list');
  const failed: Verdict = { status: 'failed', reason: 'WATCH_LISTED' };
  const told = await concludeVerification(cell.cell, partnerId, id, failed, listed, verificationConcluded);
  expect(told.verification).toMatchObject({ status: 'failed', ...listed });
});

describe('a director', () => {
  test('is verified once: a second submission gives the first verification, whatever its result', async () => {
    const directorId = newId();
    const first = await submitVerification(cell.cell, director(directorId), UNTOLD);
    const again = await submitVerification(cell.cell, director(directorId), UNTOLD);
    await conclude(first.verificationId, FAILED);
    const after = await submitVerification(cell.cell, director(directorId), UNTOLD);
    expect(first.isNew).toBe(true);
    expect([again, after]).toEqual([
      { verificationId: first.verificationId, isNew: false, intention: null },
      { verificationId: first.verificationId, isNew: false, intention: null },
    ]);
    expect(await intentionsOf(first.verificationId)).toHaveLength(1);
  });

  test('does not share a verification with another director or a user of the same number', async () => {
    const ids = [director(newId()), director(newId()), ofUser('a-director')];
    const done = await Promise.all(ids.map((draft) => submitVerification(cell.cell, draft, UNTOLD)));
    expect(new Set(done.map(({ verificationId }) => verificationId)).size).toBe(3);
  });

  test('appears in no user’s list', async () => {
    await submitVerification(cell.cell, director(newId()), UNTOLD);
    expect(await listVerifications(cell.cell, partnerId, 'null')).toBeNull();
  });
});

describe('concluding', () => {
  test.each<[Verdict, object]>([
    [VERIFIED, { status: 'verified', failureReason: null, verifiedAt: expect.any(Date), ...BY }],
    ...FAILURE_REASONS.map((reason): [Verdict, object] => [
      { status: 'failed', reason },
      { status: 'failed', failureReason: reason, verifiedAt: null },
    ]),
  ])('as %j moves it, with one event in the same commit', async (verdict, fields) => {
    const id = await submitted();
    const { verification } = await conclude(id, verdict);
    expect(verification).toMatchObject(fields);
    const [event, ...more] = await eventsOf(id);
    expect(more).toEqual([]);
    expect(event!['kind']).toBe(`kyc.${verdict.status}`);
    expect(JSON.parse(event!['data'] as string)).toMatchObject({
      verification_id: id,
      status: verdict.status,
    });
  });

  test('ten times at once with different verdicts: the first decides, with one event', async () => {
    const id = await submitted();
    const done = await Promise.all(
      Array.from({ length: 10 }, (_, n) => conclude(id, n % 2 === 0 ? VERIFIED : FAILED)),
    );
    expect(new Set(done.map(({ verification }) => verification?.status)).size).toBe(1);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test.each([
    ['verified', VERIFIED, FAILED],
    ['failed', FAILED, VERIFIED],
  ])('a verification that is %s stays so, without another event', async (status, first, second) => {
    const id = await submitted();
    await conclude(id, first);
    const { verification, endpointIds } = await conclude(id, second);
    expect(verification?.status).toBe(status);
    expect(endpointIds).toEqual([]);
    expect(await eventsOf(id)).toHaveLength(1);
  });

  test('wakes the endpoints that are subscribed, and no others', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['kyc.verified']);
    await openEndpoint(cell.cell, partnerId, ['kyc.failed']);
    const { endpointIds } = await conclude(await submitted(), VERIFIED);
    expect(endpointIds).toEqual([endpointId]);
  });

  test('another partner’s is refused: nothing moves', async () => {
    const id = await submitted();
    const foreign = await conclude(id, VERIFIED, newId());
    expect(foreign).toEqual({ verification: null, endpointIds: [], news: [] });
    expect(await findVerification(cell.cell, partnerId, id)).toMatchObject({ status: 'pending' });
    expect(await findVerification(cell.cell, newId(), id)).toBeNull();
  });
});

describe('the name that the bureau has', () => {
  const nameOf = (userRef: string) => findVerifiedName(cell.cell, partnerId, userRef);

  test('is used once the verification is verified, and the newest one is used', async () => {
    const userRef = 'named';
    const first = await submitted(userRef);
    await recordFoundName(cell.cell, first, 'sealed-1');
    expect(await nameOf(userRef)).toBeNull();
    await conclude(first, VERIFIED);
    expect(await nameOf(userRef)).toEqual({ verificationId: first, foundNameSealed: 'sealed-1' });

    const second = await submitted(userRef);
    await recordFoundName(cell.cell, second, 'sealed-2');
    await conclude(second, VERIFIED);
    expect(await nameOf(userRef)).toEqual({ verificationId: second, foundNameSealed: 'sealed-2' });
  });

  test('is not used when the verification failed', async () => {
    const id = await submitted('misnamed');
    await recordFoundName(cell.cell, id, 'sealed');
    await conclude(id, FAILED);
    expect(await nameOf('misnamed')).toBeNull();
  });

  test('is not changed once the verification has ended', async () => {
    const id = await submitted('late');
    await conclude(id, VERIFIED);
    await recordFoundName(cell.cell, id, 'sealed');
    expect(await nameOf('late')).toBeNull();
  });
});

describe('the environment’s role may not', () => {
  test.each([
    ['change a number', `UPDATE ${SANDBOX_CELL}.verifications SET number_sealed = 'x'`],
    ['change whose it is', `UPDATE ${SANDBOX_CELL}.verifications SET user_ref = 'x'`],
    ['delete a verification', `DELETE FROM ${SANDBOX_CELL}.verifications`],
  ])('%s', async (_what, statement) => {
    await expect(cell.cell.pool.query(statement)).rejects.toMatchObject({ code: '42501' });
  });
});

describe('Postgres refuses a row', () => {
  const columns = {
    id: () => newId(),
    partner_id: () => partnerId,
    subject: () => 'end_user',
    user_ref: (): string | null => 'row',
    director_id: (): string | null => null,
    type: () => 'bvn',
    status: () => 'pending',
    number_sealed: (): string | null => 'sealed',
    number_index: () => newId(),
    failure_reason: (): string | null => null,
    verified_at: (): string | null => null,
    created_at: () => '2026-11-21',
    updated_at: () => '2026-11-21',
  };
  const insert = (more: Record<string, string | null>) => {
    const row = {
      ...Object.fromEntries(Object.entries(columns).map(([name, value]) => [name, value()])),
      ...more,
    };
    const names = Object.keys(row);
    return cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.verifications (${names.join(', ')})
       VALUES (${names.map((_, place) => `$${String(place + 1)}`).join(', ')})`,
      Object.values(row),
    );
  };

  test('but not a correct one', async () => expect(await insert({})).toEqual([]));

  test.each<[string, Record<string, string | null>, string]>([
    ['of an end user without a user_ref', { user_ref: null }, '23514'],
    ['of an end user who is a director', { director_id: newId() }, '23514'],
    ['of a director without an id', { subject: 'director', user_ref: null }, '23514'],
    ['of a director with a user_ref', { subject: 'director', director_id: newId() }, '23514'],
    ['verified at no time', { status: 'verified' }, '23514'],
    ['pending, but verified at a time', { verified_at: '2026-11-21' }, '23514'],
    ['failed without a reason', { status: 'failed' }, '23514'],
    [
      'verified, with a reason to fail',
      { status: 'verified', verified_at: '2026-11-21', failure_reason: 'NAME_MISMATCH' },
      '23514',
    ],
    ['without its number', { number_sealed: null }, '23514'],
  ])('%s', async (_what, more, code) => {
    await expect(insert(more)).rejects.toMatchObject({ code });
  });
});
