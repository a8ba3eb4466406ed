/** Users with roles, and invitations: who may do what, and how somebody comes and goes. */
import { hasBody } from '../../src/api/route';
import { ROUTES } from '../../src/api/routes';
import { newId } from '../../src/db/pg/ids';
import { may, PERMISSIONS, ROLES, type Role } from '../../src/domain/roles';
import type { Answer } from '../support/api';
import { mailedToken, newEmail, newOwner, PASSWORD, person, sessionOf, type Person } from '../support/people';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();

const IN_FORCE_MS = 5_000;
const call = (key: string, method: string, path: string, body?: object): Promise<Answer> =>
  api.call(method, path, { key, ...(body && { body }) });
const invite = (key: string, email: string, role: Role = 'viewer'): Promise<Answer> =>
  call(key, 'POST', '/v1/invitations', { email, role });
const accept = (token: string | null, password = PASSWORD): Promise<Answer> =>
  api.call('POST', '/v1/auth/invitations/accept', { body: { token, password } });

interface Colleague extends Person {
  id: string;
}

/** Somebody whom the owner has invited and who has joined. */
async function colleague(owner: Person, role: Role): Promise<Colleague> {
  const email = newEmail();
  expect((await invite(await owner.token(), email, role)).status).toBe(202);
  const joined = await accept(await mailedToken(world, 'invitation', email));
  expect(joined).toMatchObject({ status: 201, body: { data: { email, role } } });
  return { ...person(api, world, email, owner.partnerId), id: joined.body.data.id };
}

async function idOf(owner: Person): Promise<string> {
  const [user] = await world.sql('SELECT id FROM platform.users WHERE email = $1', [owner.email]);
  return user!['id'];
}

async function expectDead(key: string): Promise<void> {
  const since = Date.now();
  await until('the token is refused', async () => {
    const askedAt = Date.now();
    const { status } = await call(key, 'GET', '/v1/sessions');
    expect(status === 200 && askedAt - since >= IN_FORCE_MS).toBe(false);
    return status === 401;
  });
}

const FORBIDDEN = { status: 403, body: { error: 'FORBIDDEN' } };
const LAST_OWNER = { status: 422, body: { error: 'LAST_OWNER' } };

describe('each role may do what the table says, and nothing else', () => {
  let tokens: Record<'sandbox' | 'live', Record<Role, string>>;
  beforeAll(async () => {
    const owner = await newOwner(api, world);
    await world.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [owner.partnerId]);
    const token = await mailedToken(world, 'confirm_email', owner.email);
    expect((await api.call('POST', '/v1/auth/email/confirm', { body: { token } })).status).toBe(200);
    const people = [owner, ...(await Promise.all(ROLES.slice(1).map((role) => colleague(owner, role))))];
    const ofEnvironment = async (environment: 'sandbox' | 'live') =>
      Object.fromEntries(
        await Promise.all(
          ROLES.map(async (role, at) => [role, await people[at]!.token(environment)] as const),
        ),
      ) as Record<Role, string>;
    tokens = { sandbox: await ofEnvironment('sandbox'), live: await ofEnvironment('live') };
  });

  // What is without a body ends or deletes something at once, so it names nothing that exists.
  const rows = ROUTES.filter(({ operation }) => operation !== 'endSessions').map(
    (route) => [`${route.method} ${route.path}`, route] as const,
  );
  test.each(rows)('%s', async (_title, route) => {
    for (const environment of ['sandbox', 'live'] as const) {
      if (environment === 'live' && route.sandboxOnly) continue;
      for (const role of ROLES) {
        const answer = await api.call(route.method, route.path.replaceAll(/:\w+/g, newId()), {
          key: tokens[environment][role],
          // A body that no operation accepts.
          ...(hasBody(route.method) && { body: '{' }),
        });
        const allowed = may(role, route.needs, environment === 'live');
        expect([environment, role, answer.status !== 403]).toEqual([environment, role, allowed]);
      }
    }
  });
});

test('the table gives everything to owners, and changes nothing by viewers', () => {
  for (const { inSandbox, inLive } of Object.values(PERMISSIONS)) {
    expect(inSandbox).toContain('owner');
    expect(inLive).toContain('owner');
  }
  const byViewers = ROUTES.filter(({ method, needs }) => method !== 'GET' && may('viewer', needs, true));
  const names = byViewers.filter(({ ofPerson }) => !ofPerson).map(({ operation }) => operation);
  // A quote is a question: it changes nothing.
  expect(names).toEqual(['createQuote']);
});

test('a viewer makes a key: 403, and no key is made', async () => {
  const owner = await newOwner(api, world);
  const key = await (await colleague(owner, 'viewer')).token();
  expect(await call(key, 'POST', '/v1/api-keys', {})).toMatchObject(FORBIDDEN);
  expect(await world.sql('SELECT FROM platform.api_keys WHERE partner_id = $1', [owner.partnerId])).toEqual(
    [],
  );
});

test('a developer makes no live key, which could move the money that a developer may not move', async () => {
  const developer = await colleague(await newOwner(api, world), 'developer');
  expect((await call(await developer.token(), 'POST', '/v1/api-keys', {})).status).toBe(201);
  expect(await call(await developer.token('live'), 'POST', '/v1/api-keys', {})).toMatchObject(FORBIDDEN);
});

describe('inviting', () => {
  test('shows the invitation until it is accepted, and the user afterwards', async () => {
    const owner = await newOwner(api, world);
    const [key, email] = [await owner.token(), newEmail()];
    const invited = await invite(key, email.toUpperCase(), 'finance');
    expect(invited.body.data).toEqual({
      id: expect.any(String),
      email,
      role: 'finance',
      expires_at: expect.stringMatching(/Z$/),
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await call(key, 'GET', '/v1/invitations')).body.data).toEqual([invited.body.data]);
    expect((await accept(await mailedToken(world, 'invitation', email))).status).toBe(201);
    expect((await call(key, 'GET', '/v1/invitations')).body.data).toEqual([]);
    expect((await call(key, 'GET', '/v1/users')).body.data).toMatchObject([
      { email, role: 'finance', email_confirmed_at: expect.stringMatching(/Z$/) },
      { email: owner.email, role: 'owner' },
    ]);
    expect(await owner.events()).toEqual(expect.arrayContaining(['user.invited', 'user.joined']));
  });

  test('an invitation used twice is refused the second time', async () => {
    const owner = await newOwner(api, world);
    const email = newEmail();
    await invite(await owner.token(), email);
    const token = await mailedToken(world, 'invitation', email);
    const both = await Promise.all([accept(token), accept(token, 'another long sentence')]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await accept(token)).status).toBe(422);
  });

  test('a partner has at most fifty people, with those who are invited', async () => {
    const owner = await newOwner(api, world);
    await world.sql(
      `INSERT INTO platform.invitations (id, partner_id, email, role, expires_at)
       SELECT gen_random_uuid(), $1, 'n' || n || '@acme.example', 'viewer', now() + interval '1 day'
         FROM generate_series(1, 48) AS n`,
      [owner.partnerId],
    );
    const key = await owner.token();
    expect((await invite(key, newEmail())).status).toBe(202);
    expect((await invite(key, newEmail())).body).toMatchObject({
      error: 'LIMIT_EXCEEDED',
      detail: { limit: 50 },
    });
  });

  test('an invitation is good for seven days', async () => {
    const owner = await newOwner(api, world);
    const email = newEmail();
    await invite(await owner.token(), email);
    const token = await mailedToken(world, 'invitation', email);
    await world.sql(
      `UPDATE platform.mailed_tokens SET created_at = now() - interval '8 days',
              expires_at = expires_at - interval '7 days 1 second' WHERE recipient = $1`,
      [email],
    );
    expect((await accept(token)).status).toBe(422);
  });

  test('an invitation that has run out lets nobody in, even if its mail is still good, and nobody sees it', async () => {
    const owner = await newOwner(api, world);
    const [key, email] = [await owner.token(), newEmail()];
    await invite(key, email);
    const token = await mailedToken(world, 'invitation', email);
    await world.sql(`UPDATE platform.invitations SET expires_at = now() WHERE email = $1`, [email]);
    expect((await accept(token)).status).toBe(422);
    expect((await call(key, 'GET', '/v1/invitations')).body.data).toEqual([]);
  });

  test('a withdrawn invitation, and one of a token for a reset, let nobody in', async () => {
    const owner = await newOwner(api, world);
    const [key, email] = [await owner.token(), newEmail()];
    const { id } = (await invite(key, email)).body.data;
    expect((await call(key, 'DELETE', `/v1/invitations/${id}`)).status).toBe(204);
    expect((await call(key, 'DELETE', `/v1/invitations/${id}`)).status).toBe(404);
    expect((await accept(await mailedToken(world, 'invitation', email))).status).toBe(422);
    expect((await accept(await mailedToken(world, 'confirm_email', owner.email))).status).toBe(422);
  });

  test('a user of another partner gets a mail without a token, and the answer says nothing of it', async () => {
    const [owner, other] = [await newOwner(api, world), await newOwner(api, world)];
    const confirming = { token: await mailedToken(world, 'confirm_email', other.email), password: PASSWORD };
    expect((await api.call('POST', '/v1/auth/email/confirm', { body: confirming })).status).toBe(200);
    const key = await owner.token();
    const [known, unknown] = [await invite(key, other.email), await invite(key, newEmail())];
    expect(known.status).toBe(202);
    expect(known.body.data).toEqual({
      ...unknown.body.data,
      id: expect.any(String),
      email: other.email,
      expires_at: expect.any(String),
      created_at: expect.any(String),
    });
    expect((await call(key, 'GET', '/v1/invitations')).body.data).toHaveLength(2);
    const mails = `SELECT token_sealed FROM platform.mail_outbox WHERE recipient = $1 AND kind LIKE 'invitation%'`;
    expect(await world.sql(mails, [other.email])).toEqual([{ token_sealed: null }]);
  });

  test('a colleague is not invited again', async () => {
    const owner = await newOwner(api, world);
    expect(await invite(await owner.token(), owner.email)).toMatchObject({
      status: 409,
      body: { error: 'EMAIL_ALREADY_REGISTERED' },
    });
  });

  test.each([
    ['ten in an hour before the address is confirmed', null, 10],
    ['a hundred afterwards', 'now()', 100],
  ])('a partner sends %s', async (_what, confirmedAt, limit) => {
    const owner = await newOwner(api, world);
    await world.sql(
      `UPDATE platform.partners SET email_confirmed_at = ${confirmedAt ?? 'NULL'} WHERE id = $1`,
      [owner.partnerId],
    );
    await world.sql(
      `INSERT INTO platform.mail_outbox (partner_id, kind, recipient)
       SELECT $1, CASE WHEN n % 2 = 0 THEN 'invitation' ELSE 'invitation_known' END, 'n' || n || '@bombed.example'
         FROM generate_series(1, $2::int) AS n`,
      [owner.partnerId, limit - 1],
    );
    const key = await owner.token();
    expect((await invite(key, newEmail())).status).toBe(202);
    expect(await invite(key, newEmail())).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMIT_EXCEEDED' },
    });
    const change = { password: PASSWORD, new_email: newEmail() };
    expect((await call(key, 'POST', '/v1/auth/email', change)).status).toBe(429);
  });

  test('an address gets five in an hour, however many partners invite it', async () => {
    const email = newEmail();
    const statuses: number[] = [];
    for (let n = 0; n < 6; n += 1) {
      const owner = await newOwner(api, world);
      statuses.push((await invite(await owner.token(), email)).status);
    }
    expect(statuses).toEqual([202, 202, 202, 202, 202, 429]);
  });

  test.each([
    ['a common password', 'password1', /most common/],
    ['a short password', 'short', /8 to 128/],
  ])('%s is refused and the token stays good', async (_what, password, message) => {
    const owner = await newOwner(api, world);
    const email = newEmail();
    await invite(await owner.token(), email);
    const token = await mailedToken(world, 'invitation', email);
    const refused = await accept(token, password);
    expect([refused.status, refused.body.message]).toEqual([422, expect.stringMatching(message)]);
    expect((await accept(token)).status).toBe(201);
  });
});

test('a stolen token changes no people ten minutes after the password was given', async () => {
  const owner = await newOwner(api, world);
  const viewer = await colleague(owner, 'viewer');
  const key = await owner.token();
  await world.sql(`UPDATE platform.sessions SET proved_at = now() - interval '601 seconds' WHERE id = $1`, [
    sessionOf(key),
  ]);
  const answers = [
    await invite(key, newEmail(), 'owner'),
    await call(key, 'PUT', `/v1/users/${viewer.id}/role`, { role: 'owner' }),
    await call(key, 'DELETE', `/v1/users/${viewer.id}`),
  ];
  for (const answer of answers)
    expect(answer).toMatchObject({ status: 403, body: { error: 'PROOF_REQUIRED' } });
});

describe('removing and changing roles', () => {
  test('a removed user’s token is refused within five seconds, and the API keys go on', async () => {
    const owner = await newOwner(api, world);
    const developer = await colleague(owner, 'developer');
    const key = await developer.token();
    const made = await call(key, 'POST', '/v1/api-keys', {});
    expect((await call(await owner.token(), 'DELETE', `/v1/users/${developer.id}`)).status).toBe(204);
    await expectDead(key);
    expect((await developer.logIn()).status).toBe(401);
    expect((await call(made.body.data.key, 'GET', '/v1/webhooks')).status).toBe(200);
    expect(await owner.events()).toContain('user.removed');
  });

  test('a changed role is in force within five seconds', async () => {
    const owner = await newOwner(api, world);
    const developer = await colleague(owner, 'developer');
    const key = await developer.token();
    expect((await call(key, 'GET', '/v1/api-keys')).status).toBe(200);
    const changed = await call(await owner.token(), 'PUT', `/v1/users/${developer.id}/role`, {
      role: 'viewer',
    });
    expect(changed).toMatchObject({ status: 200, body: { data: { role: 'viewer' } } });
    await until('the role is in force', async () => (await call(key, 'GET', '/v1/api-keys')).status === 403);
  });

  test('a colleague sees no session of mine, and ends none', async () => {
    const owner = await newOwner(api, world);
    const other = await colleague(owner, 'owner');
    const [mine, theirs] = [await owner.token(), await other.token()];
    const listed = (await call(theirs, 'GET', '/v1/sessions')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(sessionOf(mine));
    expect((await call(theirs, 'DELETE', `/v1/sessions/${sessionOf(mine)}`)).status).toBe(404);
    expect((await call(theirs, 'DELETE', '/v1/sessions')).status).toBe(204);
    const [session] = await world.sql('SELECT ended_at FROM platform.sessions WHERE id = $1', [
      sessionOf(mine),
    ]);
    expect(session).toEqual({ ended_at: null });
  });

  test('the last owner cannot be removed, nor be given another role', async () => {
    const owner = await newOwner(api, world);
    await colleague(owner, 'developer');
    const [key, id] = [await owner.token(), await idOf(owner)];
    expect(await call(key, 'DELETE', `/v1/users/${id}`)).toMatchObject(LAST_OWNER);
    for (const role of ROLES.filter((one) => one !== 'owner')) {
      expect(await call(key, 'PUT', `/v1/users/${id}/role`, { role })).toMatchObject(LAST_OWNER);
    }
    expect((await call(key, 'PUT', `/v1/users/${id}/role`, { role: 'owner' })).status).toBe(200);
  });

  test('of two owners who remove each other at once, one stays', async () => {
    const owner = await newOwner(api, world);
    const other = await colleague(owner, 'owner');
    const [key, otherKey, id] = [await owner.token(), await other.token(), await idOf(owner)];
    const answers = await Promise.all([
      call(key, 'DELETE', `/v1/users/${other.id}`),
      call(otherKey, 'DELETE', `/v1/users/${id}`),
    ]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(
      await world.sql(`SELECT FROM platform.users WHERE partner_id = $1 AND role = 'owner'`, [
        owner.partnerId,
      ]),
    ).toHaveLength(1);
  });
});
