/** The addresses of the database: which are refused, and which login a process has (D104). */
import { readConfig } from '../../src/runtime/config';
import { databaseUrl, programUrls } from '../../src/runtime/database-urls';
import { loginsOf, roleOf, urlVariable, type Login } from '../../src/runtime/logins';
import { TEST_SECRETS } from '../support/settings';

const elsewhere = (login: Login, after = '?sslmode=verify-full'): string =>
  `postgres://${roleOf(login)}:secret@db.internal:5432/wallet${after}`;
const here = (login: Login, host = '127.0.0.1'): string =>
  `postgres://${roleOf(login)}:secret@${host}/wallet`;
const addresses = (of: (login: Login) => string): Record<string, string> =>
  Object.fromEntries(loginsOf('api').map((login) => [urlVariable(login), of(login)]));

/** What is wrong with the database of an API with these variables, a line for each. */
function problems(env: Record<string, string | undefined>): string[] {
  try {
    readConfig({ ...TEST_SECRETS, ...env });
    return [];
  } catch (error) {
    const lines = (error as Error).message.split('\n').map((line) => line.trim());
    return lines.filter((line) => line.startsWith('DATABASE_URL'));
  }
}

describe('in production', () => {
  const production = (of: (login: Login) => string, more: Record<string, string | undefined> = {}) =>
    problems({ NODE_ENV: 'production', ...addresses(of), ...more });

  test.each<[what: string, of: (login: Login) => string]>([
    ['a server elsewhere that proves who it is', elsewhere],
    [
      'one with a certificate of our own authority',
      (login) => elsewhere(login, '?sslmode=verify-full&sslrootcert=/ca'),
    ],
    ['this machine', here],
    ['this machine by name', (login) => here(login, 'localhost')],
    ['this machine by its newer address', (login) => here(login, '[::1]')],
    ['a socket', (login) => here(login, '%2Fvar%2Frun%2Fpostgresql')],
  ])('%s is taken', (_what, of) => expect(production(of)).toEqual([]));

  test.each([
    ['without TLS', ''],
    ['with TLS that is switched off', '?sslmode=disable'],
    ['with TLS that anybody can answer', '?sslmode=require'],
    ['with a certificate that nobody checks', '?sslmode=no-verify'],
    ['with a certificate of any name', '?sslmode=verify-ca'],
  ])('whoever sits between us and a server elsewhere finds no address %s', (_what, after) => {
    const name = urlVariable('live_api');
    expect(production(elsewhere, { [name]: elsewhere('live_api', after) })).toEqual([
      `${name}: needs sslmode=verify-full, because the server is elsewhere`,
    ]);
  });

  test.each([['localhost.evil.example'], ['127.0.0.1.evil.example'], ['10.0.0.5'], ['[fd00::5]']])(
    'the host %s is not taken for this machine',
    (host) => {
      const name = urlVariable('live_api');
      expect(production(elsewhere, { [name]: here('live_api', host) })).toHaveLength(1);
    },
  );

  test.each<[what: string, more: Record<string, string | undefined>, line: string]>([
    ['a login without an address', { DATABASE_URL_ACCESS: undefined }, 'DATABASE_URL_ACCESS: is required'],
    [
      'one address for all logins',
      { DATABASE_URL: 'postgres://127.0.0.1/wallet' },
      'DATABASE_URL: is for development; in production each login has an address of its own',
    ],
    [
      'the owner of the schemas in the API',
      { DATABASE_URL_LIVE_MIGRATE: here('live_migrate') },
      'DATABASE_URL_LIVE_MIGRATE: this process must not have it',
    ],
    [
      'the login of a reset in the API',
      { DATABASE_URL_SANDBOX_RESET: here('sandbox_reset') },
      'DATABASE_URL_SANDBOX_RESET: this process must not have it',
    ],
    [
      'the login of the worker in the API',
      { DATABASE_URL_LIVE_WORKER: here('live_worker') },
      'DATABASE_URL_LIVE_WORKER: this process must not have it',
    ],
  ])('%s is refused', (_what, more, line) => expect(production(elsewhere, more)).toEqual([line]));
});

describe('everywhere', () => {
  test.each<[what: string, url: string, rule: string]>([
    ['the login of the other environment', here('sandbox_api'), 'with the user partner_wallet_live_api'],
    ['the superuser', 'postgres://postgres@127.0.0.1/wallet', 'with the user partner_wallet_live_api'],
    ['another protocol', 'mysql://127.0.0.1/wallet', 'an address as in postgres://'],
    ['no host, so that PGHOST would decide', 'postgres:///wallet', 'an address as in postgres://'],
    ['another role', `${here('live_api')}?options=-c%20role%3Dpostgres`, 'with no other parameters than'],
    [
      'another host behind the first',
      `${here('live_api')}?host=evil.example`,
      'with no other parameters than',
    ],
    ['another user behind the first', `${here('live_api')}?user=postgres`, 'with no other parameters than'],
    ['TLS that is taken back', `${elsewhere('live_api')}&sslmode=disable`, 'with no other parameters than'],
    [
      'TLS of another library',
      `${elsewhere('live_api')}&uselibpqcompat=true`,
      'with no other parameters than',
    ],
  ])('an address with %s is refused, and not shown', (_what, url, rule) => {
    const [line, ...others] = problems({ ...addresses(here), DATABASE_URL_LIVE_API: url });
    expect(others).toEqual([]);
    expect(line).toContain(`DATABASE_URL_LIVE_API: ${rule}`);
    expect(line).not.toContain('secret');
  });
});

describe('in development', () => {
  test('one address serves every login, under its own name', () => {
    const config = readConfig({ ...TEST_SECRETS, DATABASE_URL: 'postgres://me:mine@127.0.0.1:5432/wallet' });
    expect(databaseUrl(config, 'live_worker')).toBe(
      'postgres://partner_wallet_live_worker:mine@127.0.0.1:5432/wallet',
    );
  });

  test('an environment may lie on a server of its own', () => {
    const urls = { DATABASE_URL: 'postgres://127.0.0.1:1/a', DATABASE_URL_LIVE: 'postgres://127.0.0.1:2/b' };
    expect(programUrls(urls, 'worker')).toMatchObject({
      DATABASE_URL_SANDBOX_WORKER: 'postgres://partner_wallet_sandbox_worker@127.0.0.1:1/a',
      DATABASE_URL_LIVE_WORKER: 'postgres://partner_wallet_live_worker@127.0.0.1:2/b',
      DATABASE_URL_LIVE_PARTNERS: 'postgres://partner_wallet_live_partners@127.0.0.1:1/a',
    });
  });

  test('without any address it says which one is missing', () => {
    expect(problems({})).toEqual(['DATABASE_URL: is required']);
  });
});
