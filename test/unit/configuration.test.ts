/**
 * .env.example and docs/configuration.md list what src/runtime/config.ts reads: the same names, the true defaults.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES, readConfig, readStartConfig } from '../../src/runtime/config';
import { CONFIG_REFUSALS, SECRET_NAMES } from '../../src/runtime/config-refusals';
import { TEST_SECRETS } from '../support/settings';

const root = join(__dirname, '..', '..');
const example = readFileSync(join(root, '.env.example'), 'utf8');
const page = readFileSync(join(root, 'docs', 'configuration.md'), 'utf8');

const exampleDefaults = new Map(
  [...example.matchAll(/^# ([A-Z][A-Z_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const pageDefaults = new Map(
  [...page.matchAll(/^\| `([A-Z][A-Z_]*)` *\|[^|]*\| (?:`([^`]*)`|none) *\|/gm)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/** The variables without a default, which every configuration must set. */
const required = { DATABASE_URL: 'postgres://wallet@127.0.0.1:5432/wallet', ...TEST_SECRETS };

describe('the list of variables', () => {
  test.each(CONFIG_NAMES)('%s is in .env.example', (name) => {
    expect([...exampleDefaults.keys()]).toContain(name);
  });

  test.each(CONFIG_NAMES)('%s is in docs/configuration.md', (name) => {
    expect([...pageDefaults.keys()]).toContain(name);
  });

  test.each([
    ['.env.example', exampleDefaults],
    ['docs/configuration.md', pageDefaults],
  ])('%s names only variables that are read, and each of them once', (_file, defaults) => {
    expect([...defaults.keys()].sort()).toEqual([...CONFIG_NAMES].sort());
  });

  test('both files give the same defaults', () => {
    expect(Object.fromEntries(pageDefaults)).toEqual(Object.fromEntries(exampleDefaults));
  });
});

describe('the defaults of .env.example', () => {
  const written = Object.fromEntries(exampleDefaults);

  test('are those of the api and the worker', () => {
    expect(readConfig({ ...written, ...required })).toEqual(readConfig(required));
  });

  test('are those of npm start, which has no address of Temporal by default', () => {
    const { TEMPORAL_ADDRESS: serviceOnly, ...local } = written;
    expect(serviceOnly).not.toBe('');
    expect(readStartConfig(local)).toEqual(readStartConfig({}));
  });

  test('set nothing while they are commented out', () => {
    expect(example.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
  });
});

describe('a configuration that would open live money to guesses is refused', () => {
  const secret = (name: string): string => createHash('sha256').update(name).digest('base64');
  const sound: Record<string, string> = {
    NODE_ENV: 'production',
    DATABASE_URL: required.DATABASE_URL,
    ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secret(name)])),
  };
  const old = ['DATA_KEYS_OLD', 'JWT_KEYS_OLD'];

  /** One row for each row of the table, in its order: what is set, and the variable that is named. */
  const rows: [variable: string, what: string, settings: Record<string, string>][] = [
    [
      'PROVIDER_CALLBACK_SECRET_LIVE',
      'one key for both environments',
      { NODE_ENV: '', PROVIDER_CALLBACK_SECRET_LIVE: secret('PROVIDER_CALLBACK_SECRET_SANDBOX') },
    ],
    [
      'USSD_CALLBACK_SECRET_LIVE',
      'one key for both environments',
      { NODE_ENV: '', USSD_CALLBACK_SECRET_LIVE: secret('USSD_CALLBACK_SECRET_SANDBOX') },
    ],
    ['LIVE_PROVIDERS', 'the simulator in live', { LIVE_PROVIDERS: 'simulator' }],
    ['ALLOW_PRIVATE_WEBHOOKS', 'private webhook targets', { ALLOW_PRIVATE_WEBHOOKS: 'true' }],
    ['DOCS_KEY_FILE', 'a key in the docs', { DOCS_KEY_FILE: '/var/sandbox.json' }],
    ...[...SECRET_NAMES, ...old].flatMap((name, place): (typeof rows)[number][] => [
      [name, 'a trivial secret', { [name]: Buffer.alloc(32, place + 1).toString('base64') }],
      [
        name,
        'the value of another secret',
        { [name]: secret(name === 'CURSOR_KEY' ? 'AUDIT_KEY' : 'CURSOR_KEY') },
      ],
    ]),
  ];

  const refusalOf = (settings: Record<string, string>): string => {
    try {
      readConfig({ ...sound, ...settings });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('a sound one of production is not', () => expect(refusalOf({})).toBe(''));

  test('the table has exactly these refusals', () => {
    expect(rows.map(([variable]) => variable)).toEqual(CONFIG_REFUSALS.map(({ variable }) => variable));
  });

  test.each(rows)('%s: %s', (variable, _what, settings) => {
    const refusal = refusalOf(settings);
    expect(refusal).toContain(`  ${variable}: must `);
    for (const value of Object.values(settings)) if (value.length > 9) expect(refusal).not.toContain(value);
  });

  test.each(['prod', 'Production', 'staging'])('the unknown NODE_ENV %s', (name) => {
    expect(refusalOf({ NODE_ENV: name })).toContain('  NODE_ENV: ');
    expect(() => readStartConfig({ NODE_ENV: name })).toThrow('  NODE_ENV: ');
  });

  test.each([
    ['repeats two bytes', Buffer.from('a5'.repeat(16))],
    [
      'repeats sixteen bytes',
      Buffer.concat(Array(2).fill(Buffer.from(secret('x'), 'base64').subarray(0, 16))),
    ],
    ['counts', Buffer.from(Array.from({ length: 32 }, (_, place) => place))],
    ['is a text', Buffer.from('correct horse battery staple yes')],
    ['is a hex digest cut to length', Buffer.from('5f4dcc3b5aa765d61d8327deb882cf99')],
  ])('a secret that %s', (_what, bytes) => {
    expect(refusalOf({ JWT_KEY: bytes.toString('base64') })).toContain(
      'JWT_KEY: must be random in production',
    );
  });

  test('outside production weak secrets and local webhook receivers are allowed', () => {
    expect(readConfig({ ...required, ALLOW_PRIVATE_WEBHOOKS: 'true' }).NODE_ENV).toBe('development');
  });
});
