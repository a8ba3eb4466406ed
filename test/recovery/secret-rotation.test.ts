/**
 * The rotation of every secret of the API, rehearsed with two API processes that are replaced in turn, as
 * docs/how-to/rotate-a-secret.md describes it: at no moment is something refused that was made with a valid secret,
 * and afterwards the retired secrets open nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SECRET_NAMES } from '../../src/runtime/secret-names';
import { createSealing, endpointSecretPlace } from '../../src/secrets/sealing';
import { issueAccessToken } from '../../src/wire/access-tokens';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { SANDBOX_CELL } from '../setup/cells';
import { callbackBody, sendCallback } from '../support/callbacks';
import type { Calls } from '../support/calls';
import type { Child } from '../support/children';
import { postToGateway } from '../support/phone';
import { openPlatform, type Platform } from '../support/platform';
import { TEST_SECRETS } from '../support/settings';

const OLD = TEST_SECRETS;
const NEW = Object.fromEntries(
  SECRET_NAMES.map((name, place) => [name, Buffer.alloc(32, place + 101).toString('base64')]),
) as typeof TEST_SECRETS;

/** The settings of a process in each step of a rotation. */
const settingsOf = (used: typeof OLD, accepted: typeof OLD | null): Record<string, string> =>
  Object.fromEntries(
    SECRET_NAMES.flatMap((name) => [
      [name, used[name]],
      [`${name}_ACCEPTED`, accepted?.[name] ?? ''],
    ]),
  );
const STEPS = {
  before: settingsOf(OLD, null),
  accepts: settingsOf(OLD, NEW),
  uses: settingsOf(NEW, OLD),
  retired: settingsOf(NEW, null),
};

let platform: Platform;
let partner: Calls;
const user = { email: 'ada@acme.example', password: 'correct horse battery' };
/** Everything that processes have made so far and that is still valid, with how to use it at any process. */
const held: { what: string; use: (url: string) => Promise<boolean> }[] = [];
const failures: string[] = [];
const urlOf = (child: Child): string => `http://127.0.0.1:${String(child.port)}`;

beforeAll(async () => {
  platform = await openPlatform({
    temporalRuns: false,
    // The steps follow each other within seconds, so one address logs in more often than people do.
    settings: { RATE_LIMIT_LOGIN: '1000', RATE_LIMIT_UNAUTHENTICATED: '1000' },
  });
});
afterAll(() => platform.close());

/** Has a process make one of everything that depends on a secret. */
async function make(url: string, by: string): Promise<void> {
  const hold = (what: string, use: (at: string) => Promise<boolean>): void => {
    held.push({ what: `${what} made by ${by}`, use });
  };
  const token = await logIn(url);
  hold('a token', async (at) => (await get(at, '/v1/wallets', token)) === 200);

  const { body } = await partner.at(url).get('/v1/wallets?limit=1');
  const cursor: string = body.meta.next_cursor;
  hold('a cursor', async (at) => {
    const path = `/v1/wallets?limit=1&cursor=${cursor}`;
    return (await get(at, path, partner.key)) === 200;
  });

  const asked = { user_ref: `user-${String(held.length)}`, bvn: '22222222222' };
  const first = await partner.at(url).post('/v1/kyc/bvn', asked);
  hold('a number under way', async (at) => {
    const again = await partner.at(at).post('/v1/kyc/bvn', asked);
    return again.body.data.verification_id === first.body.data.verification_id;
  });

  const walletId: string = (
    await partner.at(url).post('/v1/wallets', { user_ref: `pin-${String(held.length)}` })
  ).body.data.id;
  const pin = '0731';
  await putPin(url, walletId, { pin });
  hold('a PIN', async (at) => (await putPin(at, walletId, { pin, current_pin: pin })) === 200);
}

/** Callers from outside use the secret that was agreed with them. */
const outside = (secrets: typeof OLD, which: string) => [
  {
    what: `a provider’s callback under the ${which} secret`,
    use: async (url: string) =>
      (await sendCallback(url, callbackBody('x'), { secret: secrets.PROVIDER_CALLBACK_SECRET_SANDBOX }))
        .status === 200,
  },
  {
    what: `a gateway at the ${which} address`,
    use: async (url: string) =>
      (await postToGateway(url, {}, pathSecret(secrets.USSD_CALLBACK_SECRET_SANDBOX))).status === 200,
  },
];

async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/v1/auth/login`, json('POST', user));
  return ((await answer.json()) as { data: { access_token: string } }).data.access_token;
}
const json = (method: string, body: object, key?: string): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) },
  body: JSON.stringify(body),
});
const get = async (url: string, path: string, credential: string): Promise<number> =>
  (await fetch(url + path, { headers: { Authorization: `Bearer ${credential}` } })).status;
const putPin = async (url: string, walletId: string, body: object): Promise<number> =>
  (await fetch(`${url}/v1/wallets/${walletId}/pin`, json('PUT', body, partner.key))).status;

/** Uses everything at every process that serves. */
async function useAll(processes: readonly Child[], step: string): Promise<void> {
  for (const process of processes) {
    for (const { what, use } of held) {
      if (!(await use(urlOf(process)).catch(() => false))) failures.push(`${step}: ${what}`);
    }
  }
}

test('while two API processes are replaced in turn, nothing valid is ever refused', async () => {
  let serving = await Promise.all([1, 2].map(() => platform.startChild('api', STEPS.before)));
  partner = await platform.partner(urlOf(serving[0]!));
  await fetch(
    `${urlOf(serving[0]!)}/v1/auth/register`,
    json('POST', { ...user, business_name: 'Acme', phone: '08012345678' }),
  );
  for (const userRef of ['one', 'two']) await partner.post('/v1/wallets', { user_ref: userRef });
  held.push(...outside(OLD, 'old'));
  await make(urlOf(serving[0]!), 'the first process');
  let current = serving;
  // A token is used all the time, also while processes begin and end.
  const token = await logIn(urlOf(serving[0]!));
  let uses = 0;
  const running = new AbortController();
  const traffic = (async () => {
    while (!running.signal.aborted) {
      const process = current[uses++ % current.length]!;
      const status = await get(urlOf(process), '/v1/wallets', token).catch(String);
      if (status !== 200) failures.push(`the steady token: ${String(status)}`);
      await sleep(25);
    }
  })();

  try {
    for (const [step, settings] of Object.entries({ accepts: STEPS.accepts, uses: STEPS.uses })) {
      for (const place of [0, 1]) {
        const next = await platform.startChild('api', settings);
        const before = serving[place]!;
        serving = serving.with(place, next);
        current = serving;
        await make(urlOf(next), `process ${String(place + 1)} in step "${step}"`);
        await useAll(serving, `${step}, process ${String(place + 1)}`);
        before.signal('SIGTERM');
        await before.ended;
      }
      // Every process accepts the new secrets now, so callers from outside may change over.
      if (step === 'accepts') held.push(...outside(NEW, 'new'));
    }
    await useAll(serving, 'afterwards');
  } finally {
    running.abort();
    await traffic;
  }
  expect(uses).toBeGreaterThan(20);
  expect([...new Set(failures)]).toEqual([]);
});

describe('a key that leaked is rotated out: when the old secrets are no longer accepted', () => {
  let url: string;
  beforeAll(async () => {
    url = urlOf(await platform.startChild('api', STEPS.retired));
  });

  test.each<[string, number, () => Promise<number>]>([
    [
      'a token signed with the retired secret is refused',
      401,
      async () => get(url, '/v1/wallets', await tokenUnder(OLD)),
    ],
    [
      'a token signed with the new one is accepted',
      200,
      async () => get(url, '/v1/wallets', await tokenUnder(NEW)),
    ],
    [
      'a callback signed with the retired secret is refused',
      401,
      async () => {
        const secret = OLD.PROVIDER_CALLBACK_SECRET_SANDBOX;
        return (await sendCallback(url, callbackBody('x'), { secret })).status;
      },
    ],
    [
      'the retired address of the gateway is gone',
      404,
      async () => (await postToGateway(url, {}, pathSecret(OLD.USSD_CALLBACK_SECRET_SANDBOX))).status,
    ],
  ])('%s', async (_what, status, act) => {
    expect(await act()).toBe(status);
  });

  test('what is sealed now does not open under the retired data key', async () => {
    const hook = { url: 'https://partner.example/hook', events: ['transaction.completed'] };
    const { id, secret } = (await partner.at(url).post('/v1/webhooks', hook)).body.data;
    const [row] = await platform.sql(
      `SELECT secret_sealed FROM ${SANDBOX_CELL}.webhook_endpoints WHERE id = $1`,
      [id],
    );
    const place = endpointSecretPlace(partner.partnerId, id as string);
    expect(createSealing(NEW.DATA_KEY_SANDBOX).open(row!['secret_sealed'], place)).toBe(secret);
    expect(() => createSealing(OLD.DATA_KEY_SANDBOX).open(row!['secret_sealed'], place)).toThrow();
  });

  /** A token of a session in force, as somebody who has the key would sign it. */
  async function tokenUnder(secrets: typeof OLD): Promise<string> {
    const [, claims = ''] = (await logIn(url)).split('.');
    const text = Buffer.from(claims, 'base64url').toString();
    const { partner_id: partnerId, jti: sessionId } = JSON.parse(text) as { partner_id: string; jti: string };
    const holder = { partnerId, environment: 'sandbox', sessionId } as const;
    return issueAccessToken(secrets.JWT_KEY, holder, 'somebody');
  }
});
