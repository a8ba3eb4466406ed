/** One-time codes: switched on with a proof, used once, and never guessed (D101, D168; RFC 6238). */
import type { Answer } from '../support/api';
import {
  createAuthenticator,
  newOwner,
  PASSWORD,
  switchCodesOn,
  type Careful,
  type Person,
} from '../support/people';
import { apiForFile } from '../support/scene';

const { world, api } = apiForFile();
// Every test guesses from one address.
afterEach(() => world.sql('DELETE FROM platform.login_attempts'));

const post = (key: string, path: string, body: object): Promise<Answer> =>
  api.call('POST', `/v1/auth/${path}`, { key, body });

/** An owner with one-time codes switched on. */
async function newCareful(): Promise<Careful & { owner: Person }> {
  const owner = await newOwner(api, world);
  return { owner, ...(await switchCodesOn(api, owner)) };
}

const CODE_REQUIRED = { status: 401, body: { error: 'ONE_TIME_CODE_REQUIRED' } };
const WRONG = { status: 401, body: { error: 'INVALID_CREDENTIALS' } };

test('from the offer of a secret to a login with a code', async () => {
  const owner = await newOwner(api, world);
  const key = await owner.token();
  const offered = await post(key, 'totp', { password: PASSWORD });
  expect(offered.status).toBe(201);
  const { secret, uri } = offered.body.data;
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  expect(uri).toContain(`secret=${secret}`);
  expect(uri).toMatch(/^otpauth:\/\/totp\//);
  // Nothing has changed yet.
  expect((await owner.logIn()).status).toBe(200);

  const { code } = await createAuthenticator(secret);
  const enabled = await post(key, 'totp/enable', { code: code() });
  expect(enabled.status).toBe(200);
  expect(new Set(enabled.body.data.recovery_codes).size).toBe(10);
  expect(await owner.logIn()).toMatchObject(CODE_REQUIRED);
  expect((await owner.logIn({ code: code() })).status).toBe(200);
  expect(await owner.events()).toContain('totp.enabled');
});

test('neither the secret nor a recovery code is kept as it stands', async () => {
  const { secret, recoveryCodes } = await newCareful();
  const kept = await world.sql('SELECT t::text FROM platform.totp t');
  const codes = await world.sql(`SELECT encode(code_hash, 'escape') AS text FROM platform.recovery_codes`);
  expect(JSON.stringify(kept)).not.toContain(secret);
  for (const code of recoveryCodes) expect(JSON.stringify(codes)).not.toContain(code);
});

test('a stolen one-time code used twice is refused the second time', async () => {
  const { owner, code } = await newCareful();
  const stolen = code();
  const both = await Promise.all([owner.logIn({ code: stolen }), owner.logIn({ code: stolen })]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  expect(await owner.logIn({ code: stolen })).toMatchObject(WRONG);
});

test('a code that is older than the last one is refused', async () => {
  const { owner, code } = await newCareful();
  const [older, newer] = [code(), code()];
  expect((await owner.logIn({ code: newer })).status).toBe(200);
  expect(await owner.logIn({ code: older })).toMatchObject(WRONG);
});

test('a recovery code works once, however it is written', async () => {
  const { owner, recoveryCodes } = await newCareful();
  const [one = '', other = ''] = recoveryCodes;
  expect((await owner.logIn({ code: one })).status).toBe(200);
  expect(await owner.logIn({ code: one })).toMatchObject(WRONG);
  expect((await owner.logIn({ code: other.toLowerCase().replaceAll('-', ' ') })).status).toBe(200);
  expect((await owner.events()).filter((kind) => kind === 'totp.recovery_code_used')).toHaveLength(2);
});

test('a recovery code of somebody else is wrong', async () => {
  const [{ owner }, { recoveryCodes }] = [await newCareful(), await newCareful()];
  expect(await owner.logIn({ code: recoveryCodes[0] })).toMatchObject(WRONG);
});

test('guesses of a code are counted like those of a password', async () => {
  const { owner, code } = await newCareful();
  const answers: number[] = [];
  for (let n = 0; n < 12; n += 1) {
    answers.push((await owner.logIn({ code: String(n).padStart(6, '0') })).status);
  }
  expect(answers).toEqual([...Array<number>(10).fill(401), 429, 429]);
  expect((await owner.logIn({ code: code() })).status).toBe(429);
});

test('a right password without a code is no guess', async () => {
  const { owner, code } = await newCareful();
  for (let n = 0; n < 12; n += 1) expect(await owner.logIn()).toMatchObject(CODE_REQUIRED);
  expect((await owner.logIn({ code: code() })).status).toBe(200);
});

test('whoever has stolen a token can neither switch codes on nor off', async () => {
  const owner = await newOwner(api, world);
  const key = await owner.token();
  expect(await post(key, 'totp', { password: 'a guess' })).toMatchObject(WRONG);
  expect(await post(key, 'totp/enable', { code: '000000' })).toMatchObject({ status: 422 });
  const careful = await newCareful();
  expect(await post(careful.key, 'totp/disable', { password: PASSWORD })).toMatchObject(CODE_REQUIRED);
  expect(await post(careful.key, 'totp/disable', { password: PASSWORD, code: '000000' })).toMatchObject(
    WRONG,
  );
  expect(await post(careful.key, 'totp/recovery-codes', { password: PASSWORD })).toMatchObject(CODE_REQUIRED);
  expect(await post(careful.key, 'totp', { password: PASSWORD, code: careful.code() })).toMatchObject({
    status: 422,
  });
});

test('a wrong first code does not switch them on', async () => {
  const owner = await newOwner(api, world);
  const key = await owner.token();
  await post(key, 'totp', { password: PASSWORD });
  expect(await post(key, 'totp/enable', { code: 'abcdef' })).toMatchObject(WRONG);
  expect((await owner.logIn()).status).toBe(200);
});

test('guesses of a first code are counted like those of a password', async () => {
  const owner = await newOwner(api, world);
  const key = await owner.token();
  await post(key, 'totp', { password: PASSWORD });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1) statuses.push((await post(key, 'totp/enable', { code: 'abcdef' })).status);
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429]);
});

test('with the password and a code they are switched off', async () => {
  const { owner, key, code } = await newCareful();
  expect((await post(key, 'totp/disable', { password: PASSWORD, code: code() })).status).toBe(204);
  expect((await owner.logIn()).status).toBe(200);
  expect(await owner.events()).toContain('totp.disabled');
  const left = `SELECT FROM platform.recovery_codes JOIN platform.users u ON u.id = user_id WHERE email = $1`;
  expect(await world.sql(left, [owner.email])).toEqual([]);
  expect(await post(key, 'totp/disable', { password: PASSWORD })).toMatchObject({ status: 422 });
});

test('new recovery codes make the old ones useless', async () => {
  const { owner, key, code, recoveryCodes } = await newCareful();
  const made = await post(key, 'totp/recovery-codes', { password: PASSWORD, code: code() });
  expect(made.status).toBe(200);
  expect(await owner.logIn({ code: recoveryCodes[0] })).toMatchObject(WRONG);
  expect((await owner.logIn({ code: made.body.data.recovery_codes[0] })).status).toBe(200);
});
