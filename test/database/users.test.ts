/** Users, and what the role that knows them may do (D100, D104, D128); the counters of strangers (D122). */
import { refuse } from '../../src/domain/outcome';
import { valueOf } from '../support/outcomes';
import type pg from 'pg';
import { newId } from '../../src/db/pg/ids';
import { openPool } from '../../src/db/pg/postgres';
import { addToStrangerWindows, forgetStrangerWindows } from '../../src/db/partners/rate';
import { offerTotp, useStep } from '../../src/db/partners/one-time-codes';
import { findUser, registerPartner } from '../../src/db/partners/users';
import { openTestCell, type TestCell } from '../support/cell';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';
import { asLogin } from '../support/logins';

let cell: TestCell;
let access: pg.Pool;
beforeAll(async () => {
  cell = await openTestCell();
  access = openPool(asLogin(cell.url, 'access'), 4, 10_000, () => undefined);
});
afterAll(async () => {
  await access.end();
  await cell.close();
});

const HASH = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA';
const registration = (email: string) => ({
  partnerId: newId(),
  userId: newId(),
  businessName: 'Acme Fintech',
  email,
  phone: '+2348012345678',
  passwordHash: HASH,
  cells: { sandbox: SANDBOX_CELL, live: LIVE_CELL },
});
/** A partner with its first user. */
async function registered() {
  const asked = registration(newEmail());
  valueOf(await registerPartner(access, asked));
  return asked;
}
const newEmail = (): string => `Owner-${newId()}@Acme.example`;

describe('registering', () => {
  test('writes partner, places and user together', async () => {
    const asked = registration(newEmail());
    const partner = valueOf(await registerPartner(access, asked));
    expect(partner).toEqual({
      id: asked.partnerId,
      businessName: 'Acme Fintech',
      email: asked.email,
      phone: '+2348012345678',
      status: 'registered',
      tier: 'starter',
      createdAt: expect.any(Date),
    });
    const places = await cell.sql(
      'SELECT environment, cell FROM platform.partner_cells WHERE partner_id = $1 ORDER BY 1',
      [asked.partnerId],
    );
    expect(places).toEqual([
      { environment: 'live', cell: LIVE_CELL },
      { environment: 'sandbox', cell: SANDBOX_CELL },
    ]);
    for (const email of [asked.email, asked.email.toLowerCase(), asked.email.toUpperCase()]) {
      expect(await findUser(access, email)).toEqual({
        id: asked.userId,
        email: asked.email.toLowerCase(),
        emailConfirmedAt: null,
        isOwned: false,
        passwordHash: HASH,
        partner,
      });
    }
  });

  test('an email that is taken, in any case, leaves nothing behind', async () => {
    const email = newEmail();
    await registerPartner(access, registration(email));
    const again = registration(email.toUpperCase());
    expect(await registerPartner(access, again)).toEqual(refuse('EMAIL_ALREADY_REGISTERED'));
    expect(await cell.sql('SELECT FROM platform.partners WHERE id = $1', [again.partnerId])).toEqual([]);
  });

  test('two at once with one email: one of them', async () => {
    const email = newEmail();
    const done = await Promise.all([0, 1, 2, 3].map(() => registerPartner(access, registration(email))));
    expect(done.filter((one) => one.ok)).toHaveLength(1);
  });

  test('a failure that is not a taken email is not reported as one', async () => {
    const asked = { ...registration(newEmail()), passwordHash: 'in clear' };
    await expect(registerPartner(access, asked)).rejects.toMatchObject({ code: '23514' });
  });

  test('no user is found for an unknown email', async () =>
    expect(await findUser(access, newEmail())).toBeNull());
});

test('a code that was checked under a secret which was replaced meanwhile is not taken', async () => {
  const { userId } = await registered();
  expect(await offerTotp(access, userId, 'the first secret')).toBe(true);
  expect(await offerTotp(access, userId, 'the second secret')).toBe(true);
  expect(await useStep(access, userId, { step: 7, secretSealed: 'the first secret' })).toBe(false);
  expect(await useStep(access, userId, { step: 7, secretSealed: 'the second secret' })).toBe(true);
});

const stateOf = (statement: string): Promise<string> =>
  access.query(statement).then(
    () => 'done',
    (error: unknown) => (error as { code: string }).code,
  );

describe('the access role may not', () => {
  test.each([
    ['approve a partner', `UPDATE platform.partners SET status = 'active'`],
    ['raise a tier', `UPDATE platform.partners SET tier = 'scale'`],
    [
      'register an active one',
      `INSERT INTO platform.partners (id, business_name, email, status) VALUES ('${newId()}', 'a', 'b', 'active')`,
    ],
    ['move a partner', `UPDATE platform.partner_cells SET cell = 'live_7'`],
    ['give a key to another partner', `UPDATE platform.api_keys SET partner_id = '${newId()}'`],
    ['bring a key back', `UPDATE platform.api_keys SET expires_at = NULL`],
    ['forget a key', `DELETE FROM platform.api_keys`],
    ['give a user to another partner', `UPDATE platform.users SET partner_id = '${newId()}'`],
    ['move a session', `UPDATE platform.sessions SET user_id = NULL`],
    ['see a wallet', `SELECT FROM ${SANDBOX_CELL}.wallets`],
    ['see an entry of live', `SELECT FROM ${LIVE_CELL}.entries`],
    ['see account numbers', 'SELECT FROM live_directory.nubans'],
  ])('%s', async (_what, statement) => expect(await stateOf(statement)).toBe('42501'));
});

describe.each(['sandbox', 'live'] as const)('the role of %s may not', (environment) => {
  let pool: pg.Pool;
  beforeAll(() => {
    pool = openPool(asLogin(cell.url, `${environment}_partners`), 1, 10_000, () => undefined);
  });
  afterAll(() => pool.end());

  test.each([
    ['read users and their hashes', 'SELECT FROM platform.users'],
    ['make a key', 'INSERT INTO platform.api_keys SELECT * FROM platform.api_keys'],
    ['bring a key back', 'UPDATE platform.api_keys SET revoked_at = NULL'],
    ['register a partner', 'INSERT INTO platform.partners SELECT * FROM platform.partners'],
  ])('%s', async (_what, statement) =>
    expect(pool.query(statement)).rejects.toMatchObject({ code: '42501' }),
  );
});

describe('the counters of strangers', () => {
  const who = (): string => newId().replaceAll('-', '');

  /** Does `work` within one window; repeats it if the minute ended meanwhile. */
  async function withinOneWindow<Result>(work: () => Promise<Result>): Promise<Result> {
    const minute = async () =>
      JSON.stringify(await cell.sql(`SELECT date_trunc('minute', clock_timestamp())::text AS minute`));
    for (;;) {
      const before = await minute();
      const result = await work();
      if ((await minute()) === before) return result;
    }
  }

  test('one statement counts several strangers, each in a row of its own', async () => {
    const [one, other] = [who(), who()];
    const windows = await withinOneWindow(async () => [
      await addToStrangerWindows(access, new Map([[one, 3]])),
      await addToStrangerWindows(
        access,
        new Map([
          [one, 2],
          [other, 1],
        ]),
      ),
    ]);
    expect(windows[1]?.get(one)?.usedBefore).toBeGreaterThanOrEqual(3);
    expect(windows[1]?.get(other)?.usedBefore).toBe(0);
    const seconds = windows[1]?.get(one)?.resetSeconds ?? 0;
    expect(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60).toBe(true);
  });

  test('a hundred batches at once, in all orders, lose no count and do not deadlock', async () => {
    const used = await withinOneWindow(async () => {
      const strangers = Array.from({ length: 20 }, who);
      await Promise.all(
        Array.from({ length: 100 }, (_, turn) => {
          const turned = [...strangers.slice(turn % 20), ...strangers.slice(0, turn % 20)];
          return addToStrangerWindows(access, new Map(turned.map((one) => [one, 1])));
        }),
      );
      const windows = await addToStrangerWindows(access, new Map(strangers.map((one) => [one, 1])));
      return strangers.map((one) => windows.get(one)?.usedBefore);
    });
    expect(used).toEqual(Array.from({ length: 20 }, () => 100));
  });

  test('a window that has ended is deleted, and the current one is not', async () => {
    const [old, running] = [who(), who()];
    await withinOneWindow(async () => {
      await cell.sql('TRUNCATE platform.stranger_windows');
      await addToStrangerWindows(access, new Map([[old, 1]]));
      await cell.sql(
        `UPDATE platform.stranger_windows SET window_start = window_start - interval '1 minute'`,
      );
      await addToStrangerWindows(access, new Map([[running, 1]]));
      await forgetStrangerWindows(access);
      const rows = await cell.sql(`SELECT encode(who, 'hex') AS who FROM platform.stranger_windows`);
      expect(rows).toEqual([{ who: running }]);
    });
  });
});
