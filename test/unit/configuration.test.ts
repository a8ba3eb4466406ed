/**
 * .env.example and docs/configuration.md list what src/runtime/config.ts reads: the same names, the true defaults.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES, readConfig, readStartConfig, readWorkerConfig } from '../../src/runtime/config';
import { CONFIG_REFUSALS } from '../../src/runtime/config-refusals';
import { LIMIT_NAMES, SANE_LIMITS } from '../../src/runtime/sane-limits';
import { programUrls } from '../../src/runtime/database-urls';
import { LIVE_ROLES, readLiveProviders, type LiveRole } from '../../src/runtime/live-companies';
import { acceptedOf, API_SECRETS, SECRET_NAMES, SECRETS_OF } from '../../src/runtime/secret-names';
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

const PEM_FILE = join(root, 'test', 'certificates', 'temporal-client.pem');
const PEM = readFileSync(PEM_FILE, 'utf8');
const CLIENT = { TEMPORAL_TLS_CLIENT_CERT_DATA: PEM, TEMPORAL_TLS_CLIENT_KEY_DATA: PEM };

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
    ENVIRONMENTS: 'live',
    ...programUrls(required, 'api', ['live']),
    PUBLIC_URL: 'https://api.wallet.example',
    SMTP_URL: 'smtps://mail.wallet.example',
    MAIL_FROM: 'no-reply@wallet.example',
    ...Object.fromEntries(SECRET_NAMES.map((name) => [name, secret(name)])),
  };
  const all: string[] = SECRET_NAMES.flatMap((name) => [name, acceptedOf(name)]);
  const notOfWorker: string[] = API_SECRETS.flatMap((name) => [name, acceptedOf(name)]);
  const soundOfWorker = {
    ...Object.fromEntries(
      Object.entries(sound).filter(
        ([name]) => !notOfWorker.includes(name) && !name.startsWith('DATABASE_URL'),
      ),
    ),
    ...programUrls(required, 'worker', ['live']),
  };

  const OF_SANDBOX = {
    ENVIRONMENTS: 'sandbox',
    ...Object.fromEntries(Object.keys(programUrls(required, 'api', ['live'])).map((name) => [name, ''])),
    ...programUrls(required, 'api', ['sandbox']),
  };

  const asApi = (settings: Record<string, string>) => readConfig({ ...sound, ...settings });
  const asWorker = (settings: Record<string, string>) => readWorkerConfig({ ...soundOfWorker, ...settings });

  /** One row for each row of the table, in its order: what is set, and the variable that is named. */
  const rows: [variable: string, what: string, settings: Record<string, string>, read?: typeof asWorker][] = [
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
    [
      'TEMPORAL_NAMESPACE_LIVE',
      'one namespace for both environments',
      { NODE_ENV: '', TEMPORAL_NAMESPACE_LIVE: 'wallet-sandbox' },
    ],
    ['PAYSTACK_SECRET_KEY', 'Paystack without its key', { NODE_ENV: '', LIVE_PAYOUTS: 'paystack' }],
    [
      'MONNIFY_API_KEY',
      'Monnify without its key',
      {
        NODE_ENV: '',
        LIVE_PAYOUTS: 'monnify',
        MONNIFY_SECRET_KEY: 'SECRET-1',
        MONNIFY_SOURCE_ACCOUNT: '0123456789',
      },
    ],
    [
      'MONNIFY_SECRET_KEY',
      'Monnify without its secret',
      {
        NODE_ENV: '',
        LIVE_PAYOUTS: 'monnify',
        MONNIFY_API_KEY: 'MK_TEST_1',
        MONNIFY_SOURCE_ACCOUNT: '0123456789',
      },
    ],
    [
      'MONNIFY_SOURCE_ACCOUNT',
      'Monnify without its account',
      { NODE_ENV: '', LIVE_PAYOUTS: 'monnify', MONNIFY_API_KEY: 'MK_TEST_1', MONNIFY_SECRET_KEY: 'SECRET-1' },
    ],
    [
      'SMILE_PARTNER_ID',
      'Smile ID without its account',
      { NODE_ENV: '', LIVE_IDENTITY: 'smile', SMILE_API_KEY: '0123-4567' },
    ],
    [
      'SMILE_API_KEY',
      'Smile ID without its key',
      { NODE_ENV: '', LIVE_IDENTITY: 'smile', SMILE_PARTNER_ID: '2420' },
    ],
    ['PREMBLY_API_KEY', 'Prembly without its key', { NODE_ENV: '', LIVE_IDENTITY: 'prembly' }],
    [
      'MONNIFY_CONTRACT_CODE',
      'account numbers of Monnify without a contract',
      {
        NODE_ENV: '',
        LIVE_ACCOUNTS: 'monnify',
        MONNIFY_API_KEY: 'MK_TEST_1',
        MONNIFY_SECRET_KEY: 'SECRET-1',
        MONNIFY_SOURCE_ACCOUNT: '0123456789',
      },
    ],
    ...['SERVER_CA_CERT', 'CLIENT_CERT', 'CLIENT_KEY'].map((name): (typeof rows)[number] => [
      `TEMPORAL_TLS_${name}_DATA`,
      'a file and a value',
      { ...CLIENT, [`TEMPORAL_TLS_${name}_PATH`]: PEM_FILE, [`TEMPORAL_TLS_${name}_DATA`]: PEM },
    ]),
    [
      'TEMPORAL_TLS_CLIENT_CERT_DATA',
      'a certificate without its key',
      { TEMPORAL_TLS_CLIENT_CERT_DATA: PEM },
    ],
    [
      'ENVIRONMENTS',
      'both environments in one process',
      { ENVIRONMENTS: 'both', ...programUrls(required, 'api') },
    ],
    ...['PAYSTACK_SECRET_KEY', 'PAYSTACK_SECRET_KEY_OLD'].map((name): (typeof rows)[number] => [
      name,
      'a key of live in the sandbox',
      { ...OF_SANDBOX, [name]: 'sk_live_0a1b2c3d' },
    ]),
    ...['MONNIFY_API_KEY', 'MONNIFY_SECRET_KEY', 'SMILE_API_KEY', 'PREMBLY_API_KEY'].map(
      (name): (typeof rows)[number] => [
        name,
        'a key of live in the sandbox',
        { ...OF_SANDBOX, [name]: 'KEY-OF-LIVE-1' },
      ],
    ),
    ['TEMPORAL_ADDRESS', 'a plain address elsewhere', { TEMPORAL_ADDRESS: '127.0.0.1.example:7233' }],
    ...([...LIVE_ROLES, 'LIVE_USSD'] as const).map((variable): (typeof rows)[number] => [
      variable,
      'the simulator in live',
      { [variable]: 'simulator' },
    ]),
    ['PAYSTACK_SECRET_KEY', 'a key without real money', { PAYSTACK_SECRET_KEY: 'sk_test_0a1b' }],
    ['PAYSTACK_SECRET_KEY_OLD', 'an old key without real money', { PAYSTACK_SECRET_KEY_OLD: 'sk_test_0a1b' }],
    ['MONNIFY_API_KEY', 'a key of Monnify without real money', { MONNIFY_API_KEY: 'MK_TEST_0a1b' }],
    ['PAYSTACK_BASE_URL', 'another company as Paystack', { PAYSTACK_BASE_URL: 'https://paystack.example' }],
    ['MONNIFY_BASE_URL', 'another company as Monnify', { MONNIFY_BASE_URL: 'https://sandbox.monnify.com' }],
    ['SMILE_BASE_URL', 'the sandbox of Smile ID', { SMILE_BASE_URL: 'https://testapi.smileidentity.com' }],
    ['PREMBLY_BASE_URL', 'another company as Prembly', { PREMBLY_BASE_URL: 'https://prembly.example' }],
    ['USSD_GATEWAY_ADDRESSES', 'USSD from everywhere', { LIVE_USSD: 'hollatags' }],
    ['ALLOW_PRIVATE_WEBHOOKS', 'private webhook targets', { ALLOW_PRIVATE_WEBHOOKS: 'true' }],
    ['DOCS_KEY_FILE', 'a key in the docs', { DOCS_KEY_FILE: '/var/sandbox.json' }],
    ['MAIL_FOLDER', 'mails in files', { MAIL_FOLDER: '/var/mails' }],
    ['PUBLIC_URL', 'tokens without TLS', { PUBLIC_URL: 'http://api.wallet.example' }, asWorker],
    ['SMTP_URL', 'no server for mails', { SMTP_URL: '' }, asWorker],
    ['MAIL_FROM', 'no sender of mails', { MAIL_FROM: '' }, asWorker],
    ...LIMIT_NAMES.map((name): (typeof rows)[number] => [
      name,
      'a limit with zeros too many',
      { [name]: '9000000000000000' },
      asWorker,
    ]),
    ...all.flatMap((name, place): (typeof rows)[number][] => [
      [name, 'a trivial secret', { [name]: Buffer.alloc(32, place + 1).toString('base64') }],
      [
        name,
        'the value of another secret',
        { [name]: secret(name === 'CURSOR_KEY' ? 'AUDIT_KEY' : 'CURSOR_KEY') },
      ],
    ]),
    ...notOfWorker.map((name): (typeof rows)[number] => [
      name,
      'a secret that the process has no use for',
      { [name]: secret('of the API') },
      asWorker,
    ]),
  ];

  const refusalOf = (
    settings: Record<string, string>,
    read: (more: typeof settings) => object = asApi,
  ): string => {
    try {
      read(settings);
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  test('a sound one of production is not', () => expect(refusalOf({})).toBe(''));

  test('nor is that of a worker, which has only its own secrets', () => {
    expect(refusalOf({}, asWorker)).toBe('');
    expect(SECRETS_OF.worker.filter((name) => refusalOf({ [name]: '' }, asWorker) === '')).toEqual([]);
  });

  test('nor is that of a process of the sandbox, which can know who serves live', () => {
    expect(refusalOf({ ...OF_SANDBOX, LIVE_ACCOUNTS: 'monnify', LIVE_IDENTITY: 'smile' })).toBe('');
  });

  test.each(['sandbox', 'live'] as const)(
    'a process of %s has no address of the other environment',
    (name) => {
      const both = { ...programUrls(required, 'api'), ENVIRONMENTS: name };
      const others = Object.keys(both).filter(
        (variable) =>
          variable.startsWith('DATABASE_URL') && !(variable in programUrls(required, 'api', [name])),
      );
      expect(others).toHaveLength(2);
      for (const variable of others) {
        expect(refusalOf(both)).toContain(`${variable}: this process must not have it`);
      }
    },
  );

  test.each(LIMIT_NAMES)('%s is refused just beyond what is sane, and its default is sane', (name) => {
    const { least, most } = SANE_LIMITS[name];
    expect(refusalOf({ [name]: String(most) }, asWorker)).toBe('');
    expect(refusalOf({ [name]: String(least) }, asWorker)).toBe('');
    expect(refusalOf({ [name]: String(most + 1) }, asWorker)).toContain(`${name}: must be `);
    if (least > 0) expect(refusalOf({ [name]: String(least - 1) }, asWorker)).toContain(`${name}: must be `);
  });

  test('every number of the configuration has a sane limit, but for ports and hops', () => {
    const config = readWorkerConfig(soundOfWorker);
    const numbers = Object.entries(config)
      .filter(
        ([, value]) => typeof value === 'number' || (Array.isArray(value) && typeof value[0] === 'number'),
      )
      .map(([name]) => name);
    const bounded = ['PORT', 'OPERATOR_PORT', 'WORKER_OPERATOR_PORT', 'TRUST_PROXY'];
    expect([...numbers, 'HTTP_CONNECTIONS_PER_ADDRESS'].sort()).toEqual([...LIMIT_NAMES, ...bounded].sort());
  });

  test('a list with more waits than anybody needs', () => {
    const many = Array(101).fill('1000').join(',');
    expect(refusalOf({ WEBHOOK_RETRY_MS: many })).toContain('WEBHOOK_RETRY_MS: must be ');
  });

  test('outside production a limit may be anything', () => {
    expect(readConfig({ ...required, RATE_LIMIT_STARTER: '1000000000' }).RATE_LIMIT_STARTER).toBe(1e9);
  });

  test.each([
    ['DATA_KEY_SANDBOX', 'DATA_KEY_LIVE'],
    ['DATA_KEY_SANDBOX_ACCEPTED', 'DATA_KEY_LIVE'],
    ['DATA_KEY_LIVE_ACCEPTED', 'DATA_KEY_SANDBOX'],
  ])('one key for both environments: %s is %s', (name, like) => {
    expect(refusalOf({ [name]: secret(like) }, asWorker)).toContain(`${name}: must differ`);
  });

  test.each(['PROVIDER_CALLBACK_SECRET', 'USSD_CALLBACK_SECRET'])(
    'an accepted %s of both environments',
    (stem) => {
      const settings = { NODE_ENV: '', [`${stem}_LIVE_ACCEPTED`]: secret(`${stem}_SANDBOX`) };
      expect(refusalOf(settings)).toContain(`${stem}_LIVE: must differ`);
    },
  );

  test('the table has exactly these refusals', () => {
    expect(rows.map(([variable]) => variable)).toEqual(CONFIG_REFUSALS.map(({ variable }) => variable));
  });

  test.each(rows.map(([variable, what, ...how]) => ({ variable, what, how })))(
    '$variable: $what',
    ({ variable, how }) => {
      const [settings] = how;
      const refusal = refusalOf(...how);
      expect(refusal).toContain(`  ${variable}: must `);
      for (const value of Object.values(settings)) if (value.length > 9) expect(refusal).not.toContain(value);
    },
  );

  test.each(['prod', 'Production', 'staging'])('the unknown NODE_ENV %s', (name) => {
    expect(refusalOf({ NODE_ENV: name })).toContain('  NODE_ENV: ');
    expect(() => readStartConfig({ NODE_ENV: name })).toThrow('  NODE_ENV: ');
  });

  const ELSEWHERE = 'postgres://wallet@db.example:5432/wallet';
  test.each<[sign: string, settings: Record<string, string>]>([
    ['a database on another machine', { DATABASE_URL: ELSEWHERE }],
    ['a live database on another machine', { DATABASE_URL_LIVE: ELSEWHERE }],
    ['a Temporal on another machine', { TEMPORAL_ADDRESS: 'temporal.example:7233' }],
    ['a Temporal behind TLS', { TEMPORAL_TLS: 'true' }],
    ['a Temporal behind TLS with a key', { TEMPORAL_API_KEY: 'key' }],
  ])(
    'no NODE_ENV with %s: it is named, and neither a process nor a command is development unseen',
    (_sign, settings) => {
      const line = '  NODE_ENV: must be set to production, or to development where no money is real';
      for (const read of [readConfig, readWorkerConfig]) {
        expect(() => read({ ...required, ...settings, NODE_ENV: '' })).toThrow(line);
        expect(read({ ...required, ...settings, NODE_ENV: 'development' }).NODE_ENV).toBe('development');
      }
      if (Object.values(settings).includes(ELSEWHERE)) expect(() => readStartConfig(settings)).toThrow(line);
    },
  );

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

  test('one key in two spellings is one key', () => {
    const first = secret('DATA_KEY_LIVE');
    const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
    const spelled = first.replace(/(.)=$/, (_all, last: string) => `${letters[letters.indexOf(last) + 1]!}=`);
    expect(spelled).not.toBe(first);
    expect(Buffer.from(spelled, 'base64')).toEqual(Buffer.from(first, 'base64'));
    expect(refusalOf({ DATA_KEY_SANDBOX: spelled })).toContain('DATA_KEY_LIVE: must differ');
  });

  test.each([
    ['on this machine', { TEMPORAL_ADDRESS: 'localhost:7233' }],
    ['on this machine, by IPv6', { TEMPORAL_ADDRESS: '[::1]:7233' }],
    ['with TLS', { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_TLS: 'true' }],
    ['with an API key', { TEMPORAL_ADDRESS: 'temporal.example:7233', TEMPORAL_API_KEY: 'key' }],
    ['with a certificate', { TEMPORAL_ADDRESS: 'temporal.example:7233', ...CLIENT }],
    [
      'on a network that nobody else reaches',
      { TEMPORAL_ADDRESS: 'temporal:7233', TEMPORAL_ALLOW_PLAINTEXT: 'true' },
    ],
  ])('a Temporal %s is not refused in production', (_where, settings) => {
    expect(refusalOf(settings)).toBe('');
  });

  test('a file that cannot be read is refused by the name of its variable', () => {
    expect(refusalOf({ TEMPORAL_TLS_CLIENT_KEY_PATH: '/nowhere/client.key' })).toContain(
      '  TEMPORAL_TLS_CLIENT_KEY_PATH: must name a file that can be read',
    );
  });

  test('outside production weak secrets and local webhook receivers are allowed', () => {
    expect(readConfig({ ...required, ALLOW_PRIVATE_WEBHOOKS: 'true' }).NODE_ENV).toBeUndefined();
  });
});

describe('the secrets', () => {
  test.each(SECRET_NAMES)('docs/configuration.md says which processes read %s', (name) => {
    const [, readBy] = new RegExp(`^\\| \`${name}\` *\\| ([a-z, ]+?) *\\|`, 'm').exec(page) ?? [];
    const processes = (['api', 'worker'] as const).filter((process) => SECRETS_OF[process].includes(name));
    expect(readBy).toBe(processes.join(', '));
  });
});

test.each(['here', '1.2.3', '1.2.3.4/33', '1.2.3.4,', '1.2.3.4/x'])(
  '%j is no list of addresses',
  (addresses) => {
    expect(() => readConfig({ ...TEST_SECRETS, USSD_GATEWAY_ADDRESSES: addresses })).toThrow(
      'USSD_GATEWAY_ADDRESSES: must be addresses or networks separated by commas',
    );
  },
);

describe('who serves live', () => {
  test.each<[LiveRole, string, string[]]>([
    ['LIVE_PAYOUTS', 'none', []],
    ['LIVE_ACCOUNTS', 'simulator', ['simulator']],
    ['LIVE_PAYOUTS', 'paystack', ['paystack']],
    ['LIVE_IDENTITY', 'prembly,smile', ['prembly', 'smile']],
  ])('%s=%s', (role, text, providers) => {
    expect(readLiveProviders(role, text)).toEqual(providers);
  });

  test('a company is not listed for what it does not serve', () => {
    expect(readLiveProviders('LIVE_IDENTITY', 'paystack')).toBeNull();
    expect(readLiveProviders('LIVE_PAYOUTS', 'paystack,smile')).toBeNull();
    // Its account numbers belong to email addresses and not to wallets (docs/decisions/0043).
    expect(readLiveProviders('LIVE_ACCOUNTS', 'paystack')).toBeNull();
  });

  test.each([
    '',
    'smile,',
    'smile, prembly',
    'smile,smile',
    'simulator,smile',
    'none,smile',
    'Smile',
    'constructor',
  ])('%j is no list of companies', (text) => {
    expect(readLiveProviders('LIVE_IDENTITY', text)).toBeNull();
  });
});
