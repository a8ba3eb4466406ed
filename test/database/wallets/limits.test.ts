/** Which tier a wallet is in: by its verifications, and by the partner's switch (D123). */
import { newId } from '../../../src/db/pg/ids';
import { concludeVerification } from '../../../src/db/partners/verifications';
import { isLimited, switchLimits } from '../../../src/db/wallets/limits';
import type { SealedCell } from '../../../src/db/pg/postgres';
import { verificationConcluded } from '../../../src/wire/kyc';
import type { VerificationType } from '../../../src/domain/verifications';
import { openTestCell, type TestCell } from '../../support/cell';
import { valueAs } from '../../support/outcomes';
import { create } from '../../support/wallet-creation';
import { LIVE_CELL, SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let partnerId: string;
beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(() => {
  partnerId = newId();
});
afterAll(() => cell.close());

async function opened(userRef: string, of: SealedCell = cell.cell): Promise<string> {
  return valueAs(await create(of, { partnerId, userRef }), 'created').wallet.id;
}
const tierOf = async (id: string): Promise<unknown> =>
  (await cell.sql(`SELECT limit_tier FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [id]))[0]!['limit_tier'];
const switched = (isOn: boolean) => switchLimits(cell.forApi, partnerId, isOn);

/** A pending verification of a user_ref. */
async function pending(userRef: string, type: VerificationType): Promise<string> {
  const id = newId();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.verifications
       (id, partner_id, subject, user_ref, type, number_sealed, number_index, created_at, updated_at)
     VALUES ($1, $2, 'end_user', $3, $4, 'sealed', $5, now(), now())`,
    [id, partnerId, userRef, type, `index-${id}`],
  );
  return id;
}
const conclude = (id: string) =>
  concludeVerification(cell.cell, partnerId, id, { status: 'verified' }, null, verificationConcluded);
const verify = async (userRef: string, type: VerificationType) => conclude(await pending(userRef, type));

test('in the sandbox no wallet is under limits, whatever was verified', async () => {
  const id = await opened('ada');
  await verify('ada', 'bvn');
  expect([await isLimited(cell.forApi, partnerId), await tierOf(id)]).toEqual([false, null]);
});

test('the switch puts every wallet into the tier of its owner, and back under none', async () => {
  const ids = {
    nobody: await opened('nobody'),
    bvn: await opened('bvn'),
    both: await opened('both'),
    company: await opened('limits_business-1'),
  };
  await verify('bvn', 'bvn');
  for (const type of ['bvn', 'nin'] as const) await verify('both', type);
  await switched(true);
  const tiers = async () =>
    Object.fromEntries(
      await Promise.all(Object.entries(ids).map(async ([name, id]) => [name, await tierOf(id)] as const)),
    );
  expect(await tiers()).toEqual({ nobody: 'unverified', bvn: 'tier_1', both: 'tier_2', company: 'business' });
  expect(await isLimited(cell.forApi, partnerId)).toBe(true);
  await switched(false);
  expect(await tiers()).toEqual({ nobody: null, bvn: null, both: null, company: null });
  expect(await isLimited(cell.forApi, partnerId)).toBe(false);
});

test('the switch reaches more wallets than one page has, and no other partner', async () => {
  const others = partnerId;
  const foreign = await opened('ada');
  partnerId = newId();
  await cell.sql(
    `WITH account AS (INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status)
       SELECT gen_random_uuid(), $1, 'active' FROM generate_series(1, 1001) RETURNING id)
     INSERT INTO ${SANDBOX_CELL}.wallets (id, partner_id, user_ref) SELECT id, $1, id::text FROM account`,
    [partnerId],
  );
  await switched(true);
  const [row] = await cell.sql(
    `SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.accounts WHERE partner_id = $1 AND limit_tier = 'unverified'`,
    [partnerId],
  );
  expect(row).toEqual({ n: 1001 });
  expect([others === partnerId, await tierOf(foreign)]).toEqual([false, null]);
});

test('a second switch to the same side leaves the use of the day as it is', async () => {
  const id = await opened('ada');
  await switched(true);
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET day_debit_kobo = 7 WHERE id = $1`, [id]);
  await switched(true);
  await verify('ada', 'bvn');
  const [row] = await cell.sql(
    `SELECT limit_tier, day_debit_kobo FROM ${SANDBOX_CELL}.accounts WHERE id = $1`,
    [id],
  );
  expect(row).toEqual({ limit_tier: 'tier_1', day_debit_kobo: 7 });
});

test('a wallet opened while they are on begins in the tier of its owner', async () => {
  await switched(true);
  await verify('ada', 'nin');
  expect([await tierOf(await opened('ada')), await tierOf(await opened('bola'))]).toEqual([
    'tier_1',
    'unverified',
  ]);
});

test('a wallet, its two verifications and the switch at the same moment end in tier 2, each time', async () => {
  for (let round = 0; round < 15; round++) {
    partnerId = newId();
    const numbers = [await pending('ada', 'bvn'), await pending('ada', 'nin')];
    const [id] = await Promise.all([opened('ada'), ...numbers.map(conclude), switched(true)]);
    expect(await tierOf(id)).toBe('tier_2');
  }
});

test('in live every wallet is under limits from its first commit', async () => {
  const live = { ...cell.cell, schema: LIVE_CELL, pool: cell.owner };
  const id = await opened('ada', live);
  const reserved = await opened('limits_tier_2', live);
  const rows = await cell.sql(`SELECT limit_tier FROM ${LIVE_CELL}.accounts WHERE id = ANY($1)`, [
    [id, reserved],
  ]);
  expect(rows).toEqual([{ limit_tier: 'unverified' }, { limit_tier: 'unverified' }]);
});
