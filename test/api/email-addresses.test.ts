/** Email addresses are confirmed again, changed and taken back, and the partner's follows its first owner's (D175). */
import type { Answer } from '../support/api';
import { mailedToken, newEmail, newOwner, PASSWORD, switchCodesOn, type Person } from '../support/people';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();
// Every test guesses from one address.
afterEach(() => world.sql('DELETE FROM platform.login_attempts'));

const OTHER_PASSWORD = 'a quite different horse';
const post = (path: string, body: object, key?: string): Promise<Answer> =>
  api.call('POST', path, { body, ...(key !== undefined && { key }) });
const ask = (key: string, new_email: string, more: object = {}): Promise<Answer> =>
  post('/v1/auth/email', { password: PASSWORD, new_email, ...more }, key);
const confirm = (token: string | null): Promise<Answer> => post('/v1/auth/email/confirm', { token });
const takeBack = (token: string | null): Promise<Answer> =>
  post('/v1/auth/email/take-back', { token, new_password: OTHER_PASSWORD });
const again = (key: string): Promise<Answer> => api.call('POST', '/v1/auth/email/confirmation', { key });
const logIn = (email: string, password = PASSWORD): Promise<Answer> =>
  post('/v1/auth/login', { email, password });
const tokenOf = (kind: string, recipient: string): Promise<string | null> =>
  mailedToken(world, kind, recipient);

const BAD_TOKEN = { status: 422, body: { error: 'VALIDATION_ERROR' } };
const TAKEN = { status: 409, body: { error: 'EMAIL_ALREADY_REGISTERED' } };

/** The owner of a new partner, whose address is confirmed. */
async function newConfirmed(): Promise<Person> {
  const owner = await newOwner(api, world);
  expect((await confirm(await tokenOf('confirm_email', owner.email))).status).toBe(200);
  return owner;
}

/** Changes the address of somebody with the mailed token. @returns the new address. */
async function change({ token }: Pick<Person, 'token'>, email = newEmail()): Promise<string> {
  expect((await ask(await token(), email)).status).toBe(204);
  expect((await confirm(await tokenOf('change_email', email))).status).toBe(200);
  return email;
}

const partnerOf = async ({ partnerId }: Person) =>
  (
    await world.sql(
      'SELECT email, email_confirmed_at IS NOT NULL AS confirmed FROM platform.partners WHERE id = $1',
      [partnerId],
    )
  )[0];

/** Somebody whom the owner has invited and who has joined. */
async function invited(owner: Person, role: string): Promise<{ id: string; email: string }> {
  const email = newEmail();
  expect((await post('/v1/invitations', { email, role }, await owner.token())).status).toBe(202);
  const token = await tokenOf('invitation', email);
  const joined = await post('/v1/auth/invitations/accept', { token, password: PASSWORD });
  return { id: joined.body.data.id, email };
}

async function idOf({ email }: Pick<Person, 'email'>): Promise<string> {
  return (await world.sql('SELECT id FROM platform.users WHERE email = $1', [email]))[0]!['id'];
}

describe('another confirmation mail', () => {
  test('brings a token, and the one before does not work any more', async () => {
    const owner = await newOwner(api, world);
    const before = await tokenOf('confirm_email', owner.email);
    expect((await again(await owner.token())).status).toBe(204);
    expect(await confirm(before)).toMatchObject(BAD_TOKEN);
    expect((await confirm(await tokenOf('confirm_email', owner.email))).status).toBe(200);
  });

  test('is not sent more than five times in an hour, and the last token stays good', async () => {
    const owner = await newOwner(api, world);
    const key = await owner.token();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) statuses.push((await again(key)).status);
    expect(statuses).toEqual([204, 204, 204, 204, 429, 429]);
    expect((await confirm(await tokenOf('confirm_email', owner.email))).status).toBe(200);
  });

  test('is not sent to an address that is confirmed', async () => {
    const owner = await newConfirmed();
    expect((await again(await owner.token())).status).toBe(204);
    const mails = `SELECT FROM platform.mail_outbox WHERE recipient = $1 AND kind = 'confirm_email'`;
    expect(await world.sql(mails, [owner.email])).toHaveLength(1);
  });

  test('is refused to a session of the administrator, which has no user', async () => {
    const { partnerId } = await newOwner(api, world);
    expect((await again(await api.token(partnerId))).status).toBe(403);
  });
});

describe('changing the address', () => {
  test('from the request over the mail to a login with the new one', async () => {
    const owner = await newConfirmed();
    const email = newEmail();
    expect((await ask(await owner.token(), email.toUpperCase())).status).toBe(204);
    expect((await logIn(email)).status).toBe(401);
    expect((await logIn(owner.email)).status).toBe(200);

    expect(await confirm(await tokenOf('change_email', email))).toMatchObject({
      status: 200,
      body: { data: { email } },
    });
    expect((await logIn(email)).status).toBe(200);
    expect((await logIn(owner.email)).status).toBe(401);
    expect(await owner.events()).toEqual(
      expect.arrayContaining(['email.changed', 'email.change_asked', 'email.confirmed']),
    );
    expect(await partnerOf(owner)).toEqual({ email, confirmed: true });
  });

  test('needs the password, and a code where codes are on', async () => {
    const owner = await newConfirmed();
    const { key, code } = await switchCodesOn(api, owner);
    const email = newEmail();
    expect(await ask(key, email, { password: 'a guess' })).toMatchObject({
      status: 401,
      body: { error: 'INVALID_CREDENTIALS' },
    });
    expect(await ask(key, email)).toMatchObject({ status: 401, body: { error: 'ONE_TIME_CODE_REQUIRED' } });
    expect((await ask(key, email, { code: code() })).status).toBe(204);
  });

  test('is refused to the address of today, and to one that became another user’s', async () => {
    const owner = await newConfirmed();
    const key = await owner.token();
    expect(await ask(key, owner.email.toUpperCase())).toMatchObject(BAD_TOKEN);
    const email = newEmail();
    await ask(key, email);
    const company = { business_name: 'Other', email, phone: '+2348012345678', password: PASSWORD };
    expect((await post('/v1/auth/register', company)).status).toBe(202);
    expect((await confirm(await tokenOf('confirm_email', email))).status).toBe(200);
    expect(await confirm(await tokenOf('change_email', email))).toMatchObject(TAKEN);
    expect((await logIn(owner.email)).status).toBe(200);
  });

  test('to an address of another user is answered like any other, and its owner gets a mail without a token', async () => {
    const [owner, other] = [await newConfirmed(), await newConfirmed()];
    expect((await ask(await owner.token(), other.email)).status).toBe(204);
    const mails =
      'SELECT kind, token_sealed FROM platform.mail_outbox WHERE recipient = $1 ORDER BY created_at, id';
    expect((await world.sql(mails, [other.email])).slice(1)).toEqual([
      { kind: 'change_known', token_sealed: null },
    ]);
  });

  test('to an address that somebody registered and never confirmed takes it from them', async () => {
    const [owner, stranger] = [await newConfirmed(), await newOwner(api, world)];
    expect(await change(owner, stranger.email)).toBe(stranger.email);
    expect((await logIn(stranger.email)).body.data.partner.id).toBe(owner.partnerId);
    const closed = 'SELECT status FROM platform.partners WHERE id = $1';
    expect(await world.sql(closed, [stranger.partnerId])).toEqual([{ status: 'closed' }]);
  });

  test('that was asked for twice works with the later token only', async () => {
    const owner = await newConfirmed();
    const [first, second] = [newEmail(), newEmail()];
    const key = await owner.token();
    await ask(key, first);
    await ask(key, second);
    expect(await confirm(await tokenOf('change_email', first))).toMatchObject(BAD_TOKEN);
    expect((await confirm(await tokenOf('change_email', second))).status).toBe(200);
  });

  test('ends when the password is changed first', async () => {
    const owner = await newConfirmed();
    const [key, email] = [await owner.token(), newEmail()];
    await ask(key, email);
    const body = { password: PASSWORD, new_password: OTHER_PASSWORD };
    expect((await post('/v1/auth/password', body, key)).status).toBe(204);
    expect(await confirm(await tokenOf('change_email', email))).toMatchObject(BAD_TOKEN);
  });

  test('ends when a forgotten password is replaced first', async () => {
    const owner = await newConfirmed();
    const email = newEmail();
    await ask(await owner.token(), email);
    await post('/v1/auth/password/forgotten', { email: owner.email });
    const token = await until('the mail', () => tokenOf('reset_password', owner.email));
    const reset = { token, new_password: OTHER_PASSWORD };
    expect((await post('/v1/auth/password/reset', reset)).status).toBe(204);
    expect(await confirm(await tokenOf('change_email', email))).toMatchObject(BAD_TOKEN);
  });

  test('a token that confirms the old address does not confirm the new one', async () => {
    const owner = await newOwner(api, world);
    const stale = await tokenOf('confirm_email', owner.email);
    await world.sql(`UPDATE platform.users SET email = 'x' || email WHERE email = $1`, [owner.email]);
    expect(await confirm(stale)).toMatchObject(BAD_TOKEN);
    expect(await partnerOf(owner)).toMatchObject({ confirmed: false });
  });

  test('tokens for a new password that went to the old address do not work any more', async () => {
    const owner = await newConfirmed();
    await post('/v1/auth/password/forgotten', { email: owner.email });
    const token = await until('the mail', () => tokenOf('reset_password', owner.email));
    await change(owner);
    const reset = { token, new_password: OTHER_PASSWORD };
    expect(await post('/v1/auth/password/reset', reset)).toMatchObject(BAD_TOKEN);
  });
});

describe('a thief who knows the password changes the address:', () => {
  test('the owner takes it back with another password, and all sessions end', async () => {
    const owner = await newConfirmed();
    const stolen = await change(owner);
    const thief = (await logIn(stolen)).body.data.access_token as string;
    expect((await takeBack(await tokenOf('take_back_email', owner.email))).status).toBe(204);
    expect((await logIn(stolen)).status).toBe(401);
    expect((await logIn(owner.email)).status).toBe(401);
    expect((await logIn(owner.email, OTHER_PASSWORD)).status).toBe(200);
    await until(
      'the session of the thief is refused',
      async () => (await api.call('GET', '/v1/sessions', { key: thief })).status === 401,
    );
    expect(await partnerOf(owner)).toEqual({ email: owner.email, confirmed: true });
    expect((await owner.events())[0]).toBe('session.started');
    expect(await owner.events()).toContain('email.taken_back');
  });

  test('neither a second change nor the token of the second address stops the owner', async () => {
    const owner = await newConfirmed();
    const first = await change(owner);
    const asThief = { token: async () => (await logIn(first)).body.data.access_token as string };
    const second = await change(asThief);
    expect((await takeBack(await tokenOf('take_back_email', first))).status).toBe(204);
    expect((await logIn(first, OTHER_PASSWORD)).status).toBe(200);
    expect((await takeBack(await tokenOf('take_back_email', owner.email))).status).toBe(204);
    expect((await logIn(owner.email, OTHER_PASSWORD)).status).toBe(200);
    expect((await logIn(second, OTHER_PASSWORD)).status).toBe(401);
  });

  test('and the token of a later address does not work after the owner took the first one back', async () => {
    const owner = await newConfirmed();
    const first = await change(owner);
    await change({ token: async () => (await logIn(first)).body.data.access_token as string });
    expect((await takeBack(await tokenOf('take_back_email', owner.email))).status).toBe(204);
    expect(await takeBack(await tokenOf('take_back_email', first))).toMatchObject(BAD_TOKEN);
  });

  test('and one-time codes of the thief, switched on after the change, do not lock the owner out', async () => {
    const owner = await newConfirmed();
    const stolen = await change(owner);
    const thief = { ...owner, token: async () => (await logIn(stolen)).body.data.access_token as string };
    await switchCodesOn(api, thief);
    expect(await logIn(stolen)).toMatchObject({ status: 401, body: { error: 'ONE_TIME_CODE_REQUIRED' } });
    expect((await takeBack(await tokenOf('take_back_email', owner.email))).status).toBe(204);
    expect((await logIn(owner.email, OTHER_PASSWORD)).status).toBe(200);
    const told = await world.sql(
      `SELECT content ->> 'event' AS event, recipient FROM platform.mail_outbox
        WHERE partner_id = $1 AND kind = 'security_event' AND content ->> 'event' = 'totp.disabled'`,
      [owner.partnerId],
    );
    expect(told).toEqual([{ event: 'totp.disabled', recipient: owner.email }]);
    expect(
      await world.sql(
        `SELECT FROM platform.recovery_codes r JOIN platform.users u ON u.id = r.user_id WHERE u.partner_id = $1`,
        [owner.partnerId],
      ),
    ).toEqual([]);
  });

  test('nobody else gets the old address within the 72 hours', async () => {
    const [owner, other] = [await newConfirmed(), await newConfirmed()];
    await change(owner);
    const company = {
      business_name: 'Thief',
      email: owner.email,
      phone: '+2348012345678',
      password: PASSWORD,
    };
    expect((await post('/v1/auth/register', company)).status).toBe(202);
    expect((await ask(await other.token(), owner.email)).status).toBe(204);
    const invitation = { email: owner.email, role: 'viewer' };
    expect((await post('/v1/invitations', invitation, await other.token())).status).toBe(202);
    const mails =
      'SELECT kind, token_sealed IS NULL AS is_empty FROM platform.mail_outbox WHERE recipient = $1 AND kind = ANY ($2) ORDER BY kind';
    const known = ['change_known', 'invitation_known', 'registration_known'];
    const tokens = ['change_email', 'invitation'];
    expect(await world.sql(mails, [owner.email, [...known, ...tokens]])).toEqual(
      known.map((kind) => ({ kind, is_empty: true })),
    );
    expect((await logIn(owner.email)).status).toBe(401);
  });
});

describe('a token that takes an address back', () => {
  test('works once, and for 72 hours', async () => {
    const owner = await newConfirmed();
    await change(owner);
    const token = await tokenOf('take_back_email', owner.email);
    const age = (by: string) =>
      world.sql(
        `UPDATE platform.mailed_tokens SET created_at = created_at - $2::interval, expires_at = expires_at - $2::interval
          WHERE partner_id = $1 AND kind = 'take_back_email'`,
        [owner.partnerId, by],
      );
    await age('71 hours 59 minutes');
    expect((await takeBack(token)).status).toBe(204);
    expect(await takeBack(token)).toMatchObject(BAD_TOKEN);

    const late = await newConfirmed();
    await change(late);
    await world.sql(
      `UPDATE platform.mailed_tokens SET created_at = created_at - interval '72 hours',
              expires_at = expires_at - interval '72 hours' WHERE partner_id = $1`,
      [late.partnerId],
    );
    expect(await takeBack(await tokenOf('take_back_email', late.email))).toMatchObject(BAD_TOKEN);
  });

  test('never goes to an address that nobody has confirmed: a stranger’s, mistyped at the registration', async () => {
    const owner = await newOwner(api, world);
    await change(owner);
    expect(await tokenOf('take_back_email', owner.email)).toBeNull();
  });

  test('leaves one-time codes on, so that a stolen mailbox alone does not open the account', async () => {
    const owner = await newConfirmed();
    const { key, code } = await switchCodesOn(api, owner);
    const email = newEmail();
    await ask(key, email, { code: code() });
    await confirm(await tokenOf('change_email', email));
    await takeBack(await tokenOf('take_back_email', owner.email));
    expect(await logIn(owner.email, OTHER_PASSWORD)).toMatchObject({
      status: 401,
      body: { error: 'ONE_TIME_CODE_REQUIRED' },
    });
  });
});

describe('the address of the partner', () => {
  test('becomes that of the next owner when the first one is removed or gets another role', async () => {
    const owner = await newConfirmed();
    const [second, third] = [await invited(owner, 'owner'), await invited(owner, 'owner')];
    expect(await partnerOf(owner)).toEqual({ email: owner.email, confirmed: true });
    const key = (await logIn(third.email)).body.data.access_token as string;
    const demoted = { key, body: { role: 'viewer' } };
    expect((await api.call('PUT', `/v1/users/${await idOf(owner)}/role`, demoted)).status).toBe(200);
    expect(await partnerOf(owner)).toEqual({ email: second.email, confirmed: true });
    expect((await api.call('DELETE', `/v1/users/${second.id}`, { key })).status).toBe(204);
    expect(await partnerOf(owner)).toEqual({ email: third.email, confirmed: true });
  });

  test('is not confirmed by an owner who was invited, until the one who registered confirms or is removed', async () => {
    const owner = await newOwner(api, world);
    await invited(owner, 'viewer');
    expect(await partnerOf(owner)).toEqual({ email: owner.email, confirmed: false });
    const { email } = await invited(owner, 'owner');
    expect(await partnerOf(owner)).toEqual({ email, confirmed: false });
    const key = (await logIn(email)).body.data.access_token as string;
    expect((await api.call('DELETE', `/v1/users/${await idOf(owner)}`, { key })).status).toBe(204);
    expect(await partnerOf(owner)).toEqual({ email, confirmed: true });
  });

  test('is not touched by the change of a colleague', async () => {
    const owner = await newConfirmed();
    const colleague = await invited(owner, 'owner');
    await change({ token: async () => (await logIn(colleague.email)).body.data.access_token as string });
    expect(await partnerOf(owner)).toEqual({ email: owner.email, confirmed: true });
  });
});

describe('a thief has changed the address, and the owner takes it back', () => {
  const ENDPOINT = { url: 'https://hooks.thief.example/in', events: ['transaction.completed'] };
  const call = (key: string, method: string, path: string, body?: object): Promise<Answer> =>
    api.call(method, path, { key, ...(body && { body }) });
  const keyOf = async (key: string): Promise<string> =>
    (await call(key, 'POST', '/v1/api-keys', {})).body.data.key;
  const statusOf = async (key: string): Promise<number> => (await call(key, 'GET', '/v1/webhooks')).status;

  test('what was made in between ends, and what was made before stays', async () => {
    const owner = await newConfirmed();
    const ours = await keyOf(await owner.token());
    expect((await call(ours, 'POST', '/v1/webhooks', ENDPOINT)).status).toBe(201);
    const colleague = await invited(owner, 'developer');

    const email = await change(owner);
    const tokenIn = async (environment: string): Promise<string> =>
      (await post('/v1/auth/login', { email, password: PASSWORD, environment })).body.data.access_token;
    const [session, live] = [await tokenIn('sandbox'), await tokenIn('live')];
    const theirs = [await keyOf(session), await keyOf(live)];
    const hook = { ...ENDPOINT, url: 'https://hooks.thief.example/out' };
    for (const key of [session, live])
      expect((await call(key, 'POST', '/v1/webhooks', hook)).status).toBe(201);
    const second = await invited({ ...owner, token: () => tokenIn('sandbox') }, 'owner');
    const third = newEmail();
    expect((await post('/v1/invitations', { email: third, role: 'owner' }, session)).status).toBe(202);
    const secondSession = (await logIn(second.email)).body.data.access_token as string;
    // The owner is an owner no more.
    const demoted = await api.call('PUT', `/v1/users/${await idOf({ email })}/role`, {
      key: secondSession,
      body: { role: 'viewer' },
    });
    expect(demoted.status).toBe(200);

    expect((await takeBack(await tokenOf('take_back_email', owner.email))).status).toBe(204);
    for (const key of [session, live, ...theirs, secondSession]) {
      await until('the end of what is theirs', async () => (await statusOf(key)) === 401);
    }
    expect((await logIn(second.email)).status).toBe(401);
    const invitation = await tokenOf('invitation', third);
    expect(
      (await post('/v1/auth/invitations/accept', { token: invitation, password: PASSWORD })).status,
    ).toBe(422);

    expect((await call(ours, 'GET', '/v1/webhooks')).body.data).toMatchObject([{ url: ENDPOINT.url }]);
    expect((await logIn(colleague.email)).status).toBe(200);
    const { body } = await logIn(owner.email, OTHER_PASSWORD);
    const users = (await call(body.data.access_token, 'GET', '/v1/users')).body.data;
    expect(users.map((user: { email: string; role: string }) => [user.email, user.role]).sort()).toEqual(
      [
        [owner.email, 'owner'],
        [colleague.email, 'developer'],
      ].sort(),
    );
    const inLive = await post('/v1/auth/login', {
      email: owner.email,
      password: OTHER_PASSWORD,
      environment: 'live',
    });
    expect((await call(inLive.body.data.access_token, 'GET', '/v1/webhooks')).body.data).toEqual([]);
  });

  test('where the user was able to make nothing, nothing of the others ends', async () => {
    const owner = await newConfirmed();
    const viewer = await invited(owner, 'viewer');
    const email = await change({
      token: async () => (await logIn(viewer.email)).body.data.access_token,
    });
    const ours = await keyOf(await owner.token());
    const colleague = await invited(owner, 'developer');
    expect((await takeBack(await tokenOf('take_back_email', viewer.email))).status).toBe(204);
    expect((await logIn(email)).status).toBe(401);
    expect(await statusOf(ours)).toBe(200);
    expect((await logIn(colleague.email)).status).toBe(200);
  });
});
