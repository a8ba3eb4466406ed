/** What is made under an address that nobody has proved does not outlive the first proof of its mailbox. */
import type { Answer } from '../support/api';
import {
  mailedToken,
  newEmail,
  newOwner,
  PASSWORD,
  person,
  switchCodesOn,
  type Person,
} from '../support/people';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile({ ALLOW_PRIVATE_WEBHOOKS: 'true' });
afterEach(() => world.sql('DELETE FROM platform.login_attempts'));

const OTHER_PASSWORD = 'a quite different horse';
const call = (key: string, method: string, path: string, body?: object): Promise<Answer> =>
  api.call(method, path, { key, ...(body && { body }) });
const open = (path: string, body: object): Promise<Answer> => api.call('POST', path, { body });
const tokenOf = (kind: string, recipient: string): Promise<string | null> =>
  mailedToken(world, kind, recipient);
const logIn = (email: string, password: string, environment = 'sandbox'): Promise<Answer> =>
  open('/v1/auth/login', { email, password, environment });
const ENDPOINT = { url: 'https://hooks.thief.example/in', events: ['transaction.completed'] };

/** Somebody who registers with the address of a company, and makes whatever can be made. */
interface Thief {
  owner: Person;
  second: Person;
  invited: string;
  /** Keys and tokens by what they are. */
  credentials: Record<string, string>;
}

async function openThief(): Promise<Thief> {
  const owner = await newOwner(api, world);
  const session = await owner.token();
  const liveSession = await owner.token('live');
  const key = (await call(session, 'POST', '/v1/api-keys', { label: 'thief' })).body.data.key as string;
  const liveKey = (await call(liveSession, 'POST', '/v1/api-keys', {})).body.data.key as string;
  for (const [n, one] of [session, liveSession, key].entries()) {
    const hook = { ...ENDPOINT, url: `${ENDPOINT.url}/${String(n)}` };
    expect((await call(one, 'POST', '/v1/webhooks', hook)).status).toBe(201);
  }
  const email = newEmail();
  expect((await call(session, 'POST', '/v1/invitations', { email, role: 'owner' })).status).toBe(202);
  const token = await tokenOf('invitation', email);
  expect((await open('/v1/auth/invitations/accept', { token, password: PASSWORD })).status).toBe(201);
  const second = person(api, world, email, owner.partnerId);
  const secondSession = await second.token('live');
  const secondKey = (await call(secondSession, 'POST', '/v1/api-keys', {})).body.data.key as string;
  const invited = newEmail();
  expect((await call(session, 'POST', '/v1/invitations', { email: invited, role: 'owner' })).status).toBe(
    202,
  );
  return {
    owner,
    second,
    invited,
    credentials: { session, liveSession, key, liveKey, secondSession, secondKey },
  };
}

/** Nothing of the thief's works, and nothing of it is there. */
async function expectNothingLeft({ owner, second, invited, credentials }: Thief): Promise<void> {
  for (const [what, key] of Object.entries(credentials)) {
    await until(`the end of ${what}`, async () => (await call(key, 'GET', '/v1/webhooks')).status === 401);
    expect((await call(key, 'POST', '/v1/webhooks', ENDPOINT)).status).toBe(401);
    expect((await call(key, 'POST', '/v1/api-keys', {})).status).toBe(401);
  }
  expect((await second.logIn()).status).toBe(401);
  const token = await tokenOf('invitation', invited);
  expect((await open('/v1/auth/invitations/accept', { token, password: PASSWORD })).status).toBe(422);
  const left = await world.sql(
    `SELECT (SELECT count(*)::int FROM platform.users WHERE partner_id = $1) AS users,
            (SELECT count(*)::int FROM platform.api_keys WHERE partner_id = $1 AND revoked_at IS NULL) AS keys,
            (SELECT count(*)::int FROM platform.endpoint_endings WHERE partner_id = $1) AS endings,
            (SELECT count(*)::int FROM platform.invitations WHERE partner_id = $1 AND ended_at IS NULL) AS invitations`,
    [owner.partnerId],
  );
  expect(left).toEqual([{ users: 1, keys: 0, endings: 0, invitations: 0 }]);
}

const mailsOf = async (recipient: string): Promise<string[]> =>
  (
    await world.sql(
      `SELECT coalesce(content ->> 'event', kind) AS kind FROM platform.mail_outbox WHERE recipient = $1 ORDER BY created_at`,
      [recipient],
    )
  ).map(({ kind }) => kind as string);

const resetBy = async (email: string): Promise<Answer> => {
  expect((await open('/v1/auth/password/forgotten', { email })).status).toBe(204);
  const token = await until('the mail for another password', () => tokenOf('reset_password', email));
  return open('/v1/auth/password/reset', { token, new_password: OTHER_PASSWORD });
};

/** The company's own access afterwards works, and shows nothing that it did not make. */
async function expectClean(email: string, password: string): Promise<void> {
  for (const environment of ['sandbox', 'live']) {
    const { body } = await logIn(email, password, environment);
    const key = body.data.access_token as string;
    for (const path of ['/v1/webhooks', '/v1/api-keys', '/v1/invitations']) {
      expect((await call(key, 'GET', path)).body.data).toEqual([]);
    }
    expect((await call(key, 'GET', '/v1/users')).body.data).toMatchObject([{ email, role: 'owner' }]);
    expect((await call(key, 'POST', '/v1/api-keys', {})).status).toBe(201);
    expect((await call(key, 'POST', '/v1/webhooks', ENDPOINT)).status).toBe(201);
  }
}

describe('somebody else has registered with the address of a company', () => {
  test('the reset by mail ends all that they made, in the same commit, and tells of it', async () => {
    const thief = await openThief();
    const { email } = thief.owner;
    await call(thief.credentials['secondSession']!, 'PUT', `/v1/users/${await idOf(email)}/role`, {
      role: 'viewer',
    });
    expect((await resetBy(email)).status).toBe(204);
    await expectNothingLeft(thief);
    expect((await logIn(email, PASSWORD)).status).toBe(401);
    expect(await mailsOf(email)).toEqual(expect.arrayContaining(['account.cleared', 'password.reset']));
    expect(await mailsOf(thief.second.email)).not.toContain('account.cleared');
    await expectClean(email, OTHER_PASSWORD);
  });

  test('one-time codes of theirs do not lock the company out', async () => {
    const thief = await newOwner(api, world);
    await switchCodesOn(api, thief);
    expect((await resetBy(thief.email)).status).toBe(204);
    expect((await logIn(thief.email, OTHER_PASSWORD)).status).toBe(200);
  });

  test('the token of the confirmation mail alone ends all that they made, too', async () => {
    const thief = await openThief();
    const { email } = thief.owner;
    const token = await tokenOf('confirm_email', email);
    expect((await open('/v1/auth/email/confirm', { token })).status).toBe(200);
    await expectNothingLeft(thief);
    expect(await mailsOf(email)).toContain('account.cleared');
    await expectClean(email, PASSWORD);
  });

  test('and where they sign in again after it, a reset in the next 72 hours ends that as well', async () => {
    const thief = await newOwner(api, world);
    const token = await tokenOf('confirm_email', thief.email);
    expect((await open('/v1/auth/email/confirm', { token })).status).toBe(200);
    const again = (await call(await thief.token(), 'POST', '/v1/api-keys', {})).body.data.key as string;
    expect((await resetBy(thief.email)).status).toBe(204);
    await until('the end of the key', async () => (await call(again, 'GET', '/v1/webhooks')).status === 401);
  });

  test('the same address confirmed as another user’s new one ends what an unproved company has made', async () => {
    const thief = await openThief();
    const [email, key] = [newEmail(), thief.credentials['session']!];
    const asked = await call(key, 'POST', '/v1/auth/email', { password: PASSWORD, new_email: email });
    expect(asked.status).toBe(204);
    const token = await tokenOf('change_email', email);
    expect((await open('/v1/auth/email/confirm', { token })).status).toBe(200);
    await expectNothingLeft(thief);
  });

  test('a second owner who has proved another mailbox proves nothing about the company', async () => {
    const thief = await openThief();
    await world.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [thief.owner.partnerId]);
    expect(await call(thief.credentials['secondKey']!, 'GET', '/v1/webhooks')).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
  });

  test('whoever proves the address by an invitation takes it from them', async () => {
    const [thief, company] = [await openThief(), await newOwner(api, world)];
    const { email } = thief.owner;
    const asked = { email, role: 'developer' };
    expect((await call(await company.token(), 'POST', '/v1/invitations', asked)).status).toBe(202);
    const accepted = { token: await tokenOf('invitation', email), password: OTHER_PASSWORD };
    expect((await open('/v1/auth/invitations/accept', accepted)).status).toBe(201);
    const { body } = await logIn(email, OTHER_PASSWORD);
    expect(body.data.partner.id).toBe(company.partnerId);
  });
});

const idOf = async (email: string): Promise<string> =>
  (await world.sql('SELECT id FROM platform.users WHERE email = $1', [email]))[0]!['id'];

describe('an honest company', () => {
  test('keeps all that it has made where it confirms with its password', async () => {
    const owner = await newOwner(api, world);
    const session = await owner.token();
    const key = (await call(session, 'POST', '/v1/api-keys', {})).body.data.key as string;
    expect((await call(key, 'POST', '/v1/webhooks', ENDPOINT)).status).toBe(201);
    const token = await tokenOf('confirm_email', owner.email);
    const wrong = await open('/v1/auth/email/confirm', { token, password: 'a guess of it' });
    expect(wrong).toMatchObject({ status: 401, body: { error: 'INVALID_CREDENTIALS' } });
    expect((await open('/v1/auth/email/confirm', { token, password: PASSWORD })).status).toBe(200);
    expect((await call(key, 'GET', '/v1/webhooks')).body.data).toHaveLength(1);
    expect((await call(session, 'GET', '/v1/sessions')).status).toBe(200);
    expect(await mailsOf(owner.email)).not.toContain('account.cleared');

    // It is the company's from then on: a forgotten password ends the sessions and nothing else.
    expect((await resetBy(owner.email)).status).toBe(204);
    expect((await call(key, 'GET', '/v1/webhooks')).body.data).toHaveLength(1);
  });
});

describe('an account whose address nobody has proved', () => {
  const registerAgain = (email: string): Promise<Answer> =>
    open('/v1/auth/register', {
      business_name: 'The Company',
      email,
      phone: '+2348099999999',
      password: OTHER_PASSWORD,
    });
  const age = ({ partnerId }: Person): Promise<unknown> =>
    world.sql(
      `UPDATE platform.users SET created_at = now() - interval '24 hours 1 minute' WHERE partner_id = $1`,
      [partnerId],
    );

  test('keeps the address for a day', async () => {
    const first = await newOwner(api, world);
    expect((await registerAgain(first.email)).status).toBe(202);
    expect((await first.logIn()).status).toBe(200);
    expect((await logIn(first.email, OTHER_PASSWORD)).status).toBe(401);
    expect(await mailsOf(first.email)).toEqual(['confirm_email', 'registration_known']);
  });

  test('gives way to another registration after a day, with all that was made', async () => {
    const first = await newOwner(api, world);
    const key = (await call(await first.token(), 'POST', '/v1/api-keys', {})).body.data.key as string;
    expect((await call(key, 'POST', '/v1/webhooks', ENDPOINT)).status).toBe(201);
    await age(first);
    const { body } = await registerAgain(first.email);
    expect((await logIn(first.email, OTHER_PASSWORD)).body.data.partner.id).toBe(body.data.id);
    expect((await first.logIn()).status).toBe(401);
    await until('the end of the key', async () => (await call(key, 'GET', '/v1/webhooks')).status === 401);
    const rows = await world.sql('SELECT status FROM platform.partners WHERE id = $1', [first.partnerId]);
    expect(rows).toEqual([{ status: 'closed' }]);
  });

  test('a proved one never does', async () => {
    const first = await newOwner(api, world);
    const token = await tokenOf('confirm_email', first.email);
    await open('/v1/auth/email/confirm', { token, password: PASSWORD });
    await age(first);
    expect((await registerAgain(first.email)).status).toBe(202);
    expect((await first.logIn()).status).toBe(200);
  });
});
