/** What a key may do, from where, and how it is replaced while programs go on: what a stolen key is good for. */
import { ROUTES } from '../../src/api/routes';
import { KEY_SCOPE_NAMES, KEY_SCOPES, scopeFor, type KeyScope } from '../../src/domain/key-scopes';
import { PERMISSIONS, type PermissionName } from '../../src/domain/roles';
import { newId } from '../../src/db/pg/ids';
import type { Answer } from '../support/api';
import { newOwner, sessionOf } from '../support/people';
import { apiForFile } from '../support/scene';

const { world, api } = apiForFile({ TRUST_PROXY: '1' });

/** A partner of its own with a person signed in. */
async function person(environment: 'sandbox' | 'live' = 'sandbox') {
  const { id } = await api.partner();
  await world.sql('DELETE FROM platform.api_keys WHERE partner_id = $1', [id]);
  const key = await api.token(id, environment);
  return {
    id,
    token: key,
    create: (body: object = {}) => api.call('POST', '/v1/api-keys', { key, body }),
    rotate: (keyId: string, body?: object) =>
      api.call('POST', `/v1/api-keys/${keyId}/rotate`, { key, ...(body && { body }) }),
    list: () => api.call('GET', '/v1/api-keys', { key }),
  };
}

const use = (key: string, headers: Record<string, string> = {}): Promise<Answer> =>
  api.call('GET', '/v1/banks', { key, headers });

describe('scopes', () => {
  test('each permission that a program may need is covered by exactly one scope', () => {
    const covered = KEY_SCOPE_NAMES.flatMap(
      (scope): readonly PermissionName[] => KEY_SCOPES[scope].permissions,
    );
    expect(new Set(covered).size).toBe(covered.length);
    const forPeople = Object.keys(PERMISSIONS).filter((name) => !covered.includes(name as PermissionName));
    expect(forPeople.sort()).toEqual(['keys', 'people', 'self']);
    // What no scope covers, a key could never do: such an operation says that it is for people.
    const unreachable = ROUTES.filter(({ needs, tokenOnly }) => scopeFor(needs) === null && !tokenOnly);
    expect(unreachable).toEqual([]);
  });

  test('every operation refuses a key of all other scopes, and says which one it needs', async () => {
    const me = await person();
    const keys = new Map<KeyScope, string>();
    for (const missing of KEY_SCOPE_NAMES) {
      const scopes = KEY_SCOPE_NAMES.filter((scope) => scope !== missing);
      keys.set(missing, (await me.create({ scopes })).body.data.key);
    }
    const refused: string[] = [];
    for (const { method, path, needs, tokenOnly, operation } of ROUTES) {
      const scope = scopeFor(needs);
      if (tokenOnly || scope === null) continue;
      const answer = await api.call(method, path.replace(/:\w+/g, newId()), {
        key: keys.get(scope) ?? '',
        ...(method !== 'GET' && method !== 'DELETE' && { body: {} }),
      });
      expect([operation, answer.status, answer.body.error]).toEqual([operation, 403, 'FORBIDDEN']);
      expect(answer.body.message).toBe(`The API key does not have the scope ${scope}`);
      refused.push(operation);
    }
    expect(refused.length).toBeGreaterThan(40);
  });

  test('a key with a scope does what the scope covers, and nothing else', async () => {
    const me = await person();
    const made = await me.create({ scopes: ['read', 'read'] });
    expect(made.body.data.scopes).toEqual(['read']);
    const { key } = made.body.data;
    expect((await use(key)).status).toBe(200);
    const wallet = { key, body: { user_ref: 'ada' } };
    expect(await api.call('POST', '/v1/wallets', wallet)).toMatchObject({ status: 403 });
    const admin = (await me.create({ scopes: ['admin'] })).body.data.key;
    expect((await api.call('POST', '/v1/wallets', { ...wallet, key: admin })).status).toBe(202);
    expect((await use(admin)).status).toBe(403);
  });

  test('a key that may do everything from everywhere is shown as the interface publishes it', async () => {
    const me = await person();
    const made = [
      await me.create(),
      await me.create({ scopes: KEY_SCOPE_NAMES.toReversed(), allowed_cidrs: [] }),
    ];
    for (const { body } of made) expect(Object.keys(body.data)).not.toContain('scopes');
    const [listed] = (await me.list()).body.data;
    expect(Object.keys(listed)).not.toContain('scopes');
    expect(Object.keys(listed)).not.toContain('allowed_cidrs');
    const bounded = (await me.create({ scopes: ['read'], allowed_cidrs: ['10.0.0.0/8'] })).body.data;
    expect(bounded).toMatchObject({ scopes: ['read'], allowed_cidrs: ['10.0.0.0/8'] });
    expect((await me.list()).body.data[0]).toMatchObject({ scopes: ['read'], allowed_cidrs: ['10.0.0.0/8'] });
  });

  test.each([
    ['no scope at all', []],
    ['an unknown scope', ['read', 'everything']],
    ['a text', 'read'],
    ['a number', [1]],
  ])('%s: 422 VALIDATION_ERROR', async (_what, scopes) => {
    const answer = await (await person()).create({ scopes });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toMatch(/^scopes/);
  });
});

describe('networks', () => {
  test.each<[networks: string[], shown: string[], inside: string, outside: string]>([
    [['203.0.113.7'], ['203.0.113.7/32'], '203.0.113.7', '203.0.113.8'],
    [['203.0.113.0/24'], ['203.0.113.0/24'], '203.0.113.255', '203.0.114.0'],
    [['203.0.113.9/24'], ['203.0.113.9/24'], '203.0.113.1', '203.0.112.255'],
    [['10.0.0.1', '192.0.2.0/25'], ['10.0.0.1/32', '192.0.2.0/25'], '192.0.2.127', '192.0.2.128'],
    [['2001:db8::/32'], ['2001:db8::/32'], '2001:db8:ffff::1', '2001:db9::1'],
    [['2001:DB8:0::1'], ['2001:db8::1/128'], '2001:db8::1', '2001:db8::2'],
    [['203.0.113.7'], ['203.0.113.7/32'], '::ffff:203.0.113.7', '::ffff:203.0.113.8'],
    [['0.0.0.0/0'], ['0.0.0.0/0'], '198.51.100.1', '2001:db8::1'],
  ])('a stolen key of %j works from %s %s and not from %s', async (networks, shown, inside, outside) => {
    const made = await (await person()).create({ allowed_cidrs: networks });
    expect(made.body.data.allowed_cidrs).toEqual(shown);
    const { key } = made.body.data;
    expect((await use(key, { 'X-Forwarded-For': inside })).status).toBe(200);
    expect(await use(key, { 'X-Forwarded-For': outside })).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN', message: 'The API key may not be used from this address' },
    });
  });

  test('what a stranger writes before the address of the trusted proxy counts for nothing', async () => {
    const { key } = (await (await person()).create({ allowed_cidrs: ['203.0.113.7'] })).body.data;
    expect((await use(key, { 'X-Forwarded-For': '203.0.113.7, 198.51.100.1' })).status).toBe(403);
  });

  test.each([
    ['a name', 'partner.example'],
    ['a part of an address', '203.0.113'],
    ['a number', '3405803783'],
    ['a prefix beyond the address', '203.0.113.0/33'],
    ['a prefix beyond an IPv6 address', '2001:db8::/129'],
    ['two prefixes', '203.0.113.0/24/24'],
    ['a negative prefix', '203.0.113.0/-1'],
    ['nothing', ''],
  ])('%s is no network: 422 VALIDATION_ERROR', async (_what, network) => {
    const answer = await (await person()).create({ allowed_cidrs: ['10.0.0.1', network] });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toMatch(/^allowed_cidrs[.[]1/);
  });

  test('all that is wrong is told at once', async () => {
    const answer = await (await person()).create({ scopes: ['write'], allowed_cidrs: ['here'], label: 1 });
    expect(answer.body.detail.fields.map(({ field }: { field: string }) => field)).toEqual([
      'label',
      'scopes[0]',
      'allowed_cidrs[0]',
    ]);
  });

  test('twenty networks are taken, and one more is not', async () => {
    const me = await person();
    const networks = Array.from({ length: 21 }, (_, n) => `10.0.${String(n)}.0/24`);
    expect((await me.create({ allowed_cidrs: networks })).status).toBe(422);
    expect((await me.create({ allowed_cidrs: networks.slice(1) })).status).toBe(201);
  });
});

describe('rotation', () => {
  test('the new key is like the old one, and both work for a day', async () => {
    const me = await person();
    const asked = { label: 'backend', scopes: ['read'], allowed_cidrs: ['0.0.0.0/0'] };
    const old = (await me.create(asked)).body.data;
    const before = Date.now();
    const made = await me.rotate(old.id);
    expect(made.status).toBe(201);
    const fresh = made.body.data;
    expect(fresh).toMatchObject({ ...asked, environment: 'sandbox', expires_at: null, partner_id: me.id });
    expect(fresh.key).not.toBe(old.key);
    const listed = (await me.list()).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([fresh.id, old.id]);
    const left = Date.parse(listed[1].expires_at) - before;
    expect(left).toBeGreaterThan(86_400_000 - 1_000);
    expect(left).toBeLessThan(86_400_000 + 30_000);
    for (const { key } of [old, fresh]) {
      expect((await use(key, { 'X-Forwarded-For': '192.0.2.1' })).status).toBe(200);
    }
  });

  test('without an overlap the old key ends at once', async () => {
    const me = await person();
    const old = (await me.create()).body.data;
    const fresh = (await me.rotate(old.id, { overlap_seconds: 0 })).body.data;
    expect((await use(old.key)).status).toBe(401);
    expect((await use(fresh.key)).status).toBe(200);
    expect((await me.rotate(old.id)).status).toBe(404);
  });

  test('a key with an end keeps its life: the new one is as long, and the old one never lives longer', async () => {
    const me = await person();
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const old = (await me.create({ expires_at: inAnHour })).body.data;
    const fresh = (await me.rotate(old.id, { overlap_seconds: 604_800 })).body.data;
    const life = Date.parse(fresh.expires_at) - Date.parse(fresh.created_at);
    expect(Math.abs(life - 3_600_000)).toBeLessThan(30_000);
    expect((await me.list()).body.data[1].expires_at).toBe(inAnHour);
  });

  test('a partner with as many keys as it may have can change one, and then no more', async () => {
    const me = await person();
    const made: { id: string }[] = [];
    for (let n = 0; n < 20; n += 1) made.push((await me.create()).body.data);
    expect((await me.create()).status).toBe(422);
    expect((await me.rotate(made[0]!.id)).status).toBe(201);
    expect(await me.rotate(made[1]!.id)).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
    // The refused rotation has not touched its key.
    const kept = (await me.list()).body.data.find(({ id }: { id: string }) => id === made[1]!.id);
    expect(kept.expires_at).toBeNull();
  });

  test.each([
    ['an unknown id', () => newId()],
    ['an id that is none', () => 'first'],
    ["another partner's key", async () => (await (await person()).create()).body.data.id as string],
  ])('%s: 404 NOT_FOUND, and the key goes on', async (_what, id) => {
    const me = await person();
    const given = await id();
    expect(await me.rotate(given)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect((await me.list()).body.data).toEqual([]);
    const rows = await world.sql(
      'SELECT FROM platform.api_keys WHERE id::text = $1 AND expires_at IS NOT NULL',
      [given],
    );
    expect(rows).toEqual([]);
  });

  test.each([-1, 604_801, 1.5, '60'])('an overlap of %j: 422 VALIDATION_ERROR', async (overlap_seconds) => {
    const me = await person();
    const { id } = (await me.create()).body.data;
    expect((await me.rotate(id, { overlap_seconds })).status).toBe(422);
    expect((await me.list()).body.data).toHaveLength(1);
  });

  test('a stolen live token replaces no key ten minutes after the password was given, and a rotation is reported', async () => {
    const me = await newOwner(api, world);
    const key = await me.token('live');
    const { id } = (await api.call('POST', '/v1/api-keys', { key, body: {} })).body.data;
    const rotate = () => api.call('POST', `/v1/api-keys/${id}/rotate`, { key });
    expect((await rotate()).status).toBe(201);
    expect(await me.events()).toContain('api_key.rotated_live');
    await world.sql(`UPDATE platform.sessions SET proved_at = now() - interval '601 seconds' WHERE id = $1`, [
      sessionOf(key),
    ]);
    expect(await rotate()).toMatchObject({ status: 403, body: { error: 'PROOF_REQUIRED' } });
  });
});
