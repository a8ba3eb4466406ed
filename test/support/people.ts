/** People of a partner, who sign in with email and password as published, and their authenticators. */
import { decode } from 'jsonwebtoken';
import { Secret, TOTP } from 'otpauth';
import { newId } from '../../src/db/pg/ids';
import type { EnvironmentName } from '../../src/domain/partners';
import { createSealing, mailTokenPlace } from '../../src/secrets/sealing';
import type { Answer, TestApi, World } from './api';
import { TEST_SECRETS } from './settings';
import { until } from './until';

export const PASSWORD = 'correct horse battery';

export interface Person {
  readonly email: string;
  readonly partnerId: string;
  /** Tries to sign in. */
  logIn(more?: object): Promise<Answer>;
  /** Signs in. @returns the token. */
  token(environment?: EnvironmentName, more?: object): Promise<string>;
  /** The kinds of the security events of the partner, newest first. */
  events(): Promise<string[]>;
}

export const newEmail = (): string => `owner-${newId()}@acme.example`;

/** The session of a token. */
export const sessionOf = (token: string): string => (decode(token) as { jti: string }).jti;

/** Somebody of a partner that exists, or of a new one. */
export function person(api: TestApi, world: World, email: string, partnerId: string): Person {
  const logIn = (more: object = {}): Promise<Answer> =>
    api.call('POST', '/v1/auth/login', { body: { email, password: PASSWORD, ...more } });
  return {
    email,
    partnerId,
    logIn,
    async token(environment = 'sandbox', more = {}) {
      const answer = await logIn({ environment, ...more });
      if (answer.status !== 200) throw new Error(`not signed in: ${answer.text}`);
      return answer.body.data.access_token;
    },
    async events() {
      const rows = await world.sql(
        'SELECT kind FROM platform.security_events WHERE partner_id = $1 ORDER BY id DESC',
        [partnerId],
      );
      return rows.map((row) => row['kind'] as string);
    },
  };
}

/** The owner of a new partner. */
export async function newOwner(api: TestApi, world: World): Promise<Person> {
  const email = newEmail();
  const company = { business_name: 'Acme Fintech', email, phone: '+2348012345678', password: PASSWORD };
  const { body } = await api.call('POST', '/v1/auth/register', { body: company });
  return person(api, world, email, body.data.id);
}

/** The one-use token of the newest mail of this kind to an address, or null. A world has no sender of mails. */
export async function mailedToken(world: World, kind: string, recipient: string): Promise<string | null> {
  const [mail] = await world.sql(
    `SELECT id, token_sealed FROM platform.mail_outbox WHERE kind = $1 AND recipient = $2
      ORDER BY id DESC LIMIT 1`,
    [kind, recipient.toLowerCase()],
  );
  if (!mail) return null;
  return createSealing(TEST_SECRETS.DATA_KEY_LIVE, []).open(mail['token_sealed'], mailTokenPlace(mail['id']));
}

/** Somebody with one-time codes switched on. */
export interface Careful {
  /** A token from before the codes were on. */
  key: string;
  secret: string;
  code: () => string;
  recoveryCodes: string[];
}

/** Switches one-time codes on for somebody. */
export async function switchCodesOn(api: TestApi, owner: Person): Promise<Careful> {
  const key = await owner.token();
  const offered = await api.call('POST', '/v1/auth/totp', { key, body: { password: PASSWORD } });
  const { secret } = offered.body.data;
  const { code } = await createAuthenticator(secret);
  const enabled = await api.call('POST', '/v1/auth/totp/enable', { key, body: { code: code() } });
  if (enabled.status !== 200) throw new Error(`not switched on: ${enabled.text}`);
  return { key, secret, code, recoveryCodes: enabled.body.data.recovery_codes };
}

const STEP_MS = 30_000;
/** Long enough for a test to use three codes. */
const MARGIN_MS = 5_000;

/**
 * Makes the codes of a secret as a telephone does, each once: three of them at most in half a minute. It waits for the
 * next step of time where the present one is about to end, because then the third code would not be accepted yet.
 */
export async function createAuthenticator(secret: string): Promise<{ code: () => string }> {
  await until('the next step of time', () => Date.now() % STEP_MS < STEP_MS - MARGIN_MS);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  let last = 0;
  return {
    code() {
      // The earliest code that is still accepted, even if the next step of time begins before it is checked.
      last = Math.max(last + 1, Math.floor((Date.now() + MARGIN_MS) / STEP_MS) - 1);
      return totp.generate({ timestamp: last * STEP_MS });
    },
  };
}
