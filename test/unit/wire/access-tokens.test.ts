/** Access tokens: only complete, valid tokens of the platform are accepted (D99, D101). */
import jwt from 'jsonwebtoken';
import { createTokenReader, issueAccessToken } from '../../../src/wire/access-tokens';

const key = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');
const holder = {
  partnerId: '01980000-0000-7000-8000-000000000001',
  environment: 'sandbox' as const,
  sessionId: '01980000-0000-7000-8000-000000000002',
};
const good = issueAccessToken(key, holder, 'somebody');
const { header, payload } = jwt.decode(good, { complete: true }) as {
  header: jwt.JwtHeader;
  payload: jwt.JwtPayload;
};
const read = createTokenReader([key]);
const now = Math.floor(Date.now() / 1_000);

/** The good token with some of its claims or header fields changed; `undefined` leaves one out. */
function altered(claims: object, head: object = {}, secret = key): string {
  const all = Object.entries({ ...payload, ...claims }).filter(([, value]) => value !== undefined);
  const changed = { ...header, ...head };
  return jwt.sign(Object.fromEntries(all), Buffer.from(secret, 'base64'), {
    algorithm: changed.alg as jwt.Algorithm,
    header: changed,
  });
}

const without = (claim: string) =>
  Object.fromEntries(Object.entries(payload).filter(([name]) => name !== claim));

test('a valid token gives its partner, environment and session', () => {
  expect(read(good)).toEqual(holder);
  expect(read(altered({}))).toEqual(holder);
});

test.each<[what: string, token: string]>([
  ['text that is no token', 'abc'],
  ['a token without a signature', `${good.split('.').slice(0, 2).join('.')}.`],
  ['an unsigned token', jwt.sign(payload, '', { algorithm: 'none' })],
  ['another algorithm', altered({}, { alg: 'HS512' })],
  ['a token of another key', altered({}, {}, otherKey)],
  ['an unknown kid', altered({}, { kid: 'another' })],
  ['no kid', altered({}, { kid: undefined })],
  ['a kid that is a path', altered({}, { kid: '../../dev/null' })],
  ['a kid that is a property of every object', altered({}, { kid: 'constructor' })],
  ['no type', altered({}, { typ: undefined })],
  ['another type', altered({}, { typ: 'at+jwt' })],
  ['a critical header', altered({}, { crit: ['b64'] })],
  ['another issuer', altered({ iss: 'somebody' })],
  ['another audience', altered({ aud: 'somebody' })],
  ['no end', altered({ exp: undefined })],
  ['an end that has passed', altered({ exp: now - 1 })],
  ['a start in the future', altered({ nbf: now + 3_600 })],
  ['no time of issue', jwt.sign(without('iat'), Buffer.from(key, 'base64'), { header, noTimestamp: true })],
  ['a time of issue an hour ahead', altered({ iat: now + 3_600, exp: now + 7_200 })],
  ['a time of issue two hours ago', altered({ iat: now - 7_200 })],
  ['no subject', altered({ sub: undefined })],
  ['no id', altered({ jti: undefined })],
  ['an id that is no uuid', altered({ jti: '1' })],
  ['no partner', altered({ partner_id: undefined })],
  ['an empty subject', altered({ sub: '' })],
  ['a partner that is no uuid', altered({ partner_id: '1' })],
  ['no environment', altered({ env: undefined })],
  ['an unknown environment', altered({ env: 'staging' })],
  ['text as its payload', jwt.sign('text', Buffer.from(key, 'base64'), { header })],
])('refused: %s', (_what, token) => {
  expect(read(token)).toBeNull();
});

test.each([
  ['a little ahead of our clock', { iat: now + 30 }, {}],
  ['with addresses and keys in its header, which are ignored', {}, { jku: 'https://a.example', jwk: {} }],
])('accepted: %s', (_what, claims, head) => expect(read(altered(claims, head))).toEqual(holder));

describe('with several keys', () => {
  const [fresh, old] = [key, otherKey];
  const readBoth = createTokenReader([fresh, old]);

  test.each([
    ['the present key', fresh],
    ['a former key', old],
  ])('a token of %s is read', (_what, signing) => {
    expect(readBoth(issueAccessToken(signing, holder, 'somebody'))).toEqual(holder);
  });

  test('a token is checked with the key that it names, and with no other', () => {
    // The header names the fresh key, the signature is of the old one.
    expect(readBoth(altered({}, {}, old))).toBeNull();
  });

  test('removing a key from the list ends its tokens', () => {
    expect(createTokenReader([fresh])(issueAccessToken(old, holder, 'somebody'))).toBeNull();
  });
});
