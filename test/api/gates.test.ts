/**
 * What a credential may do, for every operation that there is: the route table is read, so an operation that
 * is added is covered too (interface: Authentication; D95, D103, D128, D135, D136, G22).
 */
import { createHmac } from 'node:crypto';
import { OPEN_ROUTES, ROUTES } from '../../src/api/routes';
import { hasBody, type Route } from '../../src/api/route';
import { PARTNER_STATUSES, type EnvironmentName, type PartnerStatus } from '../../src/domain/partners';
import { newId } from '../../src/db/pg/ids';
import { issueAccessToken } from '../../src/wire/access-tokens';
import { newApiKey } from '../../src/wire/api-keys';
import type { Answer } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile } from '../support/scene';
import { TEST_SECRETS } from '../support/settings';

const { world, api } = apiForFile();

const UNKNOWN_ID = '01980000-0000-7000-8000-00000000dead';
const pathOf = ({ path }: Route): string => path.replaceAll(/:\w+/g, UNKNOWN_ID);
const titles = ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const);

/** Sends a body that no operation accepts, so that nothing ever happens. */
const tryIt = (route: Route, key: string): Promise<Answer> =>
  api.call(route.method, pathOf(route), {
    key,
    ...(hasBody(route.method) && { body: '{' }),
  });

describe('no operation answers without a good credential: 401 INVALID_TOKEN', () => {
  const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = (key: Buffer, head: object, claims: object): string => {
    const content = `${encoded(head)}.${encoded(claims)}`;
    return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
  };
  const tokenWithoutSession = (partnerId: string): string =>
    issueAccessToken(
      TEST_SECRETS.JWT_KEY,
      { partnerId, environment: 'sandbox', sessionId: newId() },
      'administrator',
    );
  const BAD: Record<string, () => string | Promise<string>> = {
    'no Authorization': () => '',
    'a Basic one': () => 'Basic YTpi',
    'an empty Bearer': () => 'Bearer ',
    'two words': () => 'Bearer a b',
    'an unknown key': () => `Bearer ${newApiKey('sandbox')}`,
    'an unknown live key': () => `Bearer ${newApiKey('live')}`,
    'a key with a bad checksum': () => `Bearer sk_test_${'a'.repeat(38)}`,
    'a revoked key': async () => {
      const { key, keyId } = await api.partner();
      await world.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [keyId]);
      return `Bearer ${key}`;
    },
    'an expired key': async () => `Bearer ${(await api.partner({ expiresAt: new Date(0) })).key}`,
    "a closed partner's key": async () => `Bearer ${(await api.partner({ status: 'closed' })).key}`,
    "a closed partner's token": async () =>
      `Bearer ${await api.token((await api.partner({ status: 'closed' })).id)}`,
    "an unknown partner's token": () => `Bearer ${tokenWithoutSession(UNKNOWN_ID)}`,
    'a token without a session': async () => `Bearer ${tokenWithoutSession((await api.partner()).id)}`,
    'a token that nobody signed': () =>
      `Bearer ${encoded({ alg: 'none', typ: 'JWT' })}.${encoded({ partner_id: UNKNOWN_ID })}.`,
    'a token of another key': () =>
      `Bearer ${signed(Buffer.alloc(32, 9), { alg: 'HS256', typ: 'JWT' }, { partner_id: UNKNOWN_ID })}`,
  };
  const bad: [what: string, authorization: string][] = [];
  beforeAll(async () => {
    for (const [what, make] of Object.entries(BAD)) bad.push([what, await make()]);
  });

  test.each(titles)('%s', async (_title, route) => {
    const seen: unknown[] = [];
    for (const [what, authorization] of bad) {
      const answer = await api.call(route.method, pathOf(route), {
        headers: authorization === '' ? {} : { Authorization: authorization },
        ...(hasBody(route.method) && { body: '{' }),
      });
      seen.push([what, answer.status, answer.body.error]);
    }
    expect(seen).toEqual(bad.map(([what]) => [what, 401, 'INVALID_TOKEN']));
  });
});

/**
 * D136: wallet create, as which it counts to open one again, all transfers, of which the decision about one is a part, all
 * payments, of which holds are a part, and both KYC submissions.
 */
const NEEDS_ACTIVE =
  /^\/v1\/(?:wallets$|wallets\/:id\/reopen$|transfers\/|transactions\/:id\/name-decision$|payments\/|holds$|holds\/:id\/capture$|kyc\/)/;

const OF_PERSON = /^\/v1\/(?:sessions|auth\/)/;
const FOR_PEOPLE = /^\/v1\/(?:api-keys|sessions|security-events|users|invitations|auth\/)/;

function expected(
  route: Route,
  environment: EnvironmentName,
  status: PartnerStatus,
  credential: 'key' | 'token',
): string | null {
  const live = environment === 'live';
  if (live && /^(?:\/v1)?\/sandbox\//.test(route.path)) return 'SANDBOX_ONLY';
  // A person logs out whatever the status of the partner is.
  const writes = route.method !== 'GET' && !OF_PERSON.test(route.path);
  if (live && writes && status === 'suspended') return 'PARTNER_NOT_ACTIVE';
  if (live && writes && status !== 'active' && NEEDS_ACTIVE.test(route.path)) return 'PARTNER_NOT_ACTIVE';
  return FOR_PEOPLE.test(route.path) && credential === 'key' ? 'FORBIDDEN' : null;
}

describe.each(['sandbox', 'live'] as const)('in %s', (environment) => {
  const statuses = PARTNER_STATUSES.filter((status) => status !== 'closed');
  describe.each(statuses)('a partner that is %s', (status) => {
    let partner: TestPartner;
    beforeAll(async () => {
      partner = await api.partner({ environment, status });
    });

    test.each(titles)('%s', async (_title, route) => {
      for (const credential of ['key', 'token'] as const) {
        const key = credential === 'key' ? partner.key : await api.token(partner.id, environment);
        const { status: code, body } = await tryIt(route, key);
        const forbidden = expected(route, environment, status, credential);
        if (forbidden) expect([credential, code, body.error]).toEqual([credential, 403, forbidden]);
        else expect([credential, code]).not.toEqual([credential, 403]);
      }
    });
  });
});

test('who calls without a credential is counted, but for providers and gateways, who prove themselves', () => {
  const uncounted = OPEN_ROUTES.filter(({ ofStrangers }) => !ofStrangers);
  expect(uncounted.map(({ operation }) => operation).sort()).toEqual([
    'providerApproval',
    'providerCallback',
    'ussdCallback',
    'ussdHollatags',
    'ussdHollatagsForm',
    'ussdNotify',
  ]);
});

test('exactly the operations of D136 need an active partner', () => {
  const needing = ROUTES.filter(({ method, path }) => method !== 'GET' && NEEDS_ACTIVE.test(path));
  expect(needing.filter((route) => !route.needsActivePartner)).toEqual([]);
  expect(ROUTES.filter((route) => route.needsActivePartner && !needing.includes(route))).toEqual([]);
});
