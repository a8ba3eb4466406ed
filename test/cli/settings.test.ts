/** `npm run settings` makes settings with which a production process starts, and never loses a value. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectFolder } from '../../src/administration/project';
import { ENVIRONMENTS } from '../../src/domain/partners';
import { readConfig, readStartConfig, readWorkerConfig } from '../../src/runtime/config';
import { urlProblems } from '../../src/runtime/database-urls';
import { ALL_LOGINS } from '../../src/runtime/logins';

const PROGRAM = join(projectFolder(), 'dist/src/administration/settings.js');
const above = mkdtempSync(join(tmpdir(), 'wallet-settings-'));
const folder = join(above, 'settings');
const FILES = [
  'platform.env',
  ...ENVIRONMENTS.flatMap((name) => [`api-${name}.env`, `worker-${name}.env`]),
  'migrate.env',
  'movements.env',
  'administration.env',
];

const make = (database: string): string =>
  execFileSync(process.execPath, [PROGRAM, '--database', database, '--folder', folder], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
const text = (file: string): string => readFileSync(join(folder, file), 'utf8');
const variables = (...files: string[]): NodeJS.ProcessEnv =>
  Object.assign({}, ...files.map((file) => parseEnv(text(file)))) as NodeJS.ProcessEnv;

const ELSEWHERE = 'postgres://db.internal:5432/wallet?sslmode=verify-full';

beforeAll(() => make(ELSEWHERE));
afterAll(() => rmSync(above, { recursive: true }));

test.each(ENVIRONMENTS)('production starts an API of %s with its two files as they are', (name) => {
  const config = readConfig(variables('platform.env', `api-${name}.env`));
  expect([config.NODE_ENV, config.ENVIRONMENTS]).toEqual(['production', name]);
});

test.each(ENVIRONMENTS)(
  'production starts a worker of %s once a person has filled in where mails go',
  (name) => {
    const made = variables('platform.env', `worker-${name}.env`);
    expect(() => readWorkerConfig(made)).toThrow(/SMTP_URL: must be set in production/);
    const filled = {
      ...made,
      PUBLIC_URL: 'https://api.example',
      SMTP_URL: 'smtps://mail.example',
      MAIL_FROM: 'a@a.example',
    };
    expect(readWorkerConfig(filled)).toMatchObject({ ENVIRONMENTS: name, MAIL_FROM: 'a@a.example' });
  },
);

test('the administrator has an address for every login, which production takes', () => {
  const settings = readStartConfig(variables('platform.env', 'administration.env'));
  expect(urlProblems(settings, ALL_LOGINS, true)).toEqual([]);
});

test('nobody else reads the files', () => {
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(FILES.map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual(FILES.map(() => 0o600));
});

test('a second run keeps every value, also what a person has written, and makes what is missing', () => {
  const before = Object.fromEntries(FILES.map((file) => [file, text(file)]));
  writeFileSync(join(folder, 'worker-live.env'), `${text('worker-live.env')}LOG_LEVEL=warn\n`);
  rmSync(join(folder, 'administration.env'));
  make(ELSEWHERE);
  expect(variables('api-live.env')).toEqual(parseEnv(before['api-live.env'] ?? ''));
  expect(variables('worker-live.env')).toEqual({
    ...parseEnv(before['worker-live.env'] ?? ''),
    LOG_LEVEL: 'warn',
  });
  expect(variables('administration.env')).toEqual(parseEnv(before['administration.env'] ?? ''));
});

test.each([
  ['postgres://db.internal:5432/wallet', 'with sslmode=verify-full, because the server is elsewhere'],
  ['postgres://ada:secret@127.0.0.1/wallet', 'without a user: each login has its own'],
  ['db.internal/wallet', 'an address as in postgres://db.internal:5432/wallet?sslmode=verify-full'],
])('%s is refused with a sentence', (database, why) => {
  expect(() => make(database)).toThrow(why);
});
