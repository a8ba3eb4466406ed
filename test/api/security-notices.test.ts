/** What happens around people and credentials is a security event, and whoever must know of it is mailed. */
import type { SecurityEventKind } from '../../src/domain/security-events';
import type { Answer } from '../support/api';
import { mailedToken, newEmail, newOwner, PASSWORD, switchCodesOn, type Person } from '../support/people';
import { apiForFile } from '../support/scene';
import { until } from '../support/until';

const { world, api } = apiForFile();
afterEach(() => world.sql('DELETE FROM platform.login_attempts'));

interface Company {
  owner: Person;
  /** The colleague, a second owner. */
  colleague: Person & { id: string };
  key: string;
}

const post = (path: string, body: object, key?: string): Promise<Answer> =>
  api.call('POST', path, { body, ...(key !== undefined && { key }) });
const tokenOf = (kind: string, { email }: Pick<Person, 'email'>): Promise<string> =>
  until('the mail', () => mailedToken(world, kind, email));
const accept = async (email: string): Promise<Answer> =>
  post('/v1/auth/invitations/accept', { token: await tokenOf('invitation', { email }), password: PASSWORD });

/** A partner with two owners, both with a confirmed address. */
async function newCompany(): Promise<Company> {
  const owner = await newOwner(api, world);
  await post('/v1/auth/email/confirm', { token: await tokenOf('confirm_email', owner) });
  await world.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [owner.partnerId]);
  const key = await owner.token();
  const email = newEmail();
  await post('/v1/invitations', { email, role: 'owner' }, key);
  const { id } = (await accept(email)).body.data;
  return { owner, key, colleague: { ...owner, email, id } };
}

/** Adds a webhook endpoint. @returns it with its secret. */
async function addEndpoint(
  owner: Person,
  environment: 'sandbox' | 'live',
): Promise<{ id: string; secret: string }> {
  const endpoint = { url: 'https://hooks.example/in?token=of-the-receiver', events: ['kyc.verified'] };
  const added = await post('/v1/webhooks', endpoint, await owner.token(environment));
  expect(added.status).toBe(201);
  return added.body.data;
}

const NEW_PASSWORD = 'a quite different horse';
const ACTS: [act: string, kind: SecurityEventKind, doIt: (company: Company) => Promise<unknown>][] = [
  [
    'a changed password',
    'password.changed',
    ({ key }) => post('/v1/auth/password', { password: PASSWORD, new_password: NEW_PASSWORD }, key),
  ],
  [
    'a password that was replaced with a mailed token',
    'password.reset',
    async ({ owner }) => {
      await post('/v1/auth/password/forgotten', { email: owner.email });
      const token = await tokenOf('reset_password', owner);
      await post('/v1/auth/password/reset', { token, new_password: NEW_PASSWORD });
    },
  ],
  ['a log-out everywhere', 'session.all_ended', ({ key }) => api.call('DELETE', '/v1/sessions', { key })],
  ['one-time codes on', 'totp.enabled', ({ owner }) => switchCodesOn(api, owner)],
  [
    'one-time codes off',
    'totp.disabled',
    async ({ owner }) => {
      const { key, code } = await switchCodesOn(api, owner);
      await post('/v1/auth/totp/disable', { password: PASSWORD, code: code() }, key);
    },
  ],
  [
    'other recovery codes',
    'totp.recovery_codes_made',
    async ({ owner }) => {
      const { key, code } = await switchCodesOn(api, owner);
      await post('/v1/auth/totp/recovery-codes', { password: PASSWORD, code: code() }, key);
    },
  ],
  [
    'a recovery code that was used',
    'totp.recovery_code_used',
    async ({ owner }) => {
      const { recoveryCodes } = await switchCodesOn(api, owner);
      await owner.logIn({ code: recoveryCodes[0] });
    },
  ],
  [
    'an invitation',
    'user.invited',
    ({ key }) => post('/v1/invitations', { email: newEmail(), role: 'viewer' }, key),
  ],
  [
    'somebody who joins',
    'user.joined',
    async ({ key }) => {
      const email = newEmail();
      await post('/v1/invitations', { email, role: 'viewer' }, key);
      await accept(email);
    },
  ],
  [
    'another role',
    'user.role_changed',
    ({ key, colleague }) =>
      api.call('PUT', `/v1/users/${colleague.id}/role`, { key, body: { role: 'viewer' } }),
  ],
  [
    'a removal, which the removed person learns too',
    'user.removed',
    ({ key, colleague }) => api.call('DELETE', `/v1/users/${colleague.id}`, { key }),
  ],
  [
    'another address that was asked for',
    'email.change_asked',
    ({ key }) => post('/v1/auth/email', { password: PASSWORD, new_email: newEmail() }, key),
  ],
  [
    'a live key',
    'api_key.made_live',
    async ({ owner }) => post('/v1/api-keys', {}, await owner.token('live')),
  ],
  ['a webhook endpoint of live', 'webhook_endpoint.added_live', ({ owner }) => addEndpoint(owner, 'live')],
  [
    'another secret of a webhook endpoint of live',
    'webhook_secret.replaced_live',
    async ({ owner }) => {
      const { id } = await addEndpoint(owner, 'live');
      await post(`/v1/webhooks/${id}/rotate-secret`, {}, await owner.token('live'));
    },
  ],
  [
    'a webhook endpoint of live that was deleted',
    'webhook_endpoint.deleted_live',
    async ({ owner }) => {
      const { id } = await addEndpoint(owner, 'live');
      await api.call('DELETE', `/v1/webhooks/${id}`, { key: await owner.token('live') });
    },
  ],
];

test.each(ACTS)('%s is the event %s, mailed to every owner', async (_act, kind, doIt) => {
  const company = await newCompany();
  const { owner, colleague } = company;
  await world.sql(`DELETE FROM platform.mail_outbox WHERE kind = 'security_event' AND partner_id = $1`, [
    owner.partnerId,
  ]);
  await doIt(company);
  await until('the event', async () => (await owner.events()).includes(kind));
  const mails = await world.sql(
    `SELECT recipient FROM platform.mail_outbox WHERE partner_id = $1 AND content ->> 'event' = $2`,
    [owner.partnerId, kind],
  );
  expect(mails.map(({ recipient }) => recipient as string)).toEqual(
    expect.arrayContaining([owner.email, colleague.email]),
  );
});

test('a changed address is told to the old one with a token, and to the colleagues', async () => {
  const { owner, colleague, key } = await newCompany();
  const email = newEmail();
  await post('/v1/auth/email', { password: PASSWORD, new_email: email }, key);
  await post('/v1/auth/email/confirm', { token: await tokenOf('change_email', { email }) });
  const told = `SELECT recipient, content ->> 'event' AS event FROM platform.mail_outbox
                 WHERE partner_id = $1 AND (kind = 'take_back_email' OR content ->> 'event' = 'email.changed')`;
  const mails = await world.sql(told, [owner.partnerId]);
  expect(mails.map(({ recipient, event }) => `${event} ${recipient}`).sort()).toEqual(
    [`email.changed ${email}`, `email.changed ${colleague.email}`, `null ${owner.email}`].sort(),
  );
});

test('changes of endpoints in the sandbox are in the list and not mailed, and name neither secret nor path', async () => {
  const { owner, key } = await newCompany();
  const { id, secret } = await addEndpoint(owner, 'sandbox');
  const replaced = await post(`/v1/webhooks/${id}/rotate-secret`, {}, key);
  await api.call('DELETE', `/v1/webhooks/${id}`, { key });
  const kinds = ['webhook_endpoint.deleted', 'webhook_secret.replaced', 'webhook_endpoint.added'];
  await until('the events', async () => (await owner.events()).includes(kinds[0]!));
  const list = await api.call('GET', '/v1/security-events', { key });
  const events = list.body.data.filter((event: { kind: string }) => event.kind.startsWith('webhook'));
  expect(events).toMatchObject(
    kinds.map((kind) => ({
      kind,
      user_id: expect.any(String),
      address: expect.any(String),
      detail: { endpoint_id: id, host: 'hooks.example' },
    })),
  );
  for (const hidden of [secret, replaced.body.data.secret, 'of-the-receiver']) {
    expect(list.text).not.toContain(hidden);
  }
  const mails = `SELECT FROM platform.mail_outbox WHERE partner_id = $1 AND content ->> 'event' LIKE 'webhook%'`;
  expect(await world.sql(mails, [owner.partnerId])).toEqual([]);
});

test('a change that is refused is no event', async () => {
  const { owner, key } = await newCompany();
  const unknown = '/v1/webhooks/01890000-0000-7000-8000-000000000000';
  expect((await post(`${unknown}/rotate-secret`, {}, key)).status).toBe(404);
  expect((await api.call('DELETE', unknown, { key })).status).toBe(404);
  // An event that comes for certain, behind which the others would be in the list.
  await addEndpoint(owner, 'sandbox');
  await until('the event', async () => (await owner.events()).includes('webhook_endpoint.added'));
  expect((await owner.events()).filter((kind) => kind.startsWith('webhook'))).toEqual([
    'webhook_endpoint.added',
  ]);
});
