/** The sandbox's secrets: made once, kept, and readable by their owner only. */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecrets, secretsFor } from '../../tools/launcher/secrets';
import { readStartConfig } from '../../src/runtime/config';
import { SECRET_NAMES, SECRETS_OF } from '../../src/runtime/secret-names';
import { temporaryFolder } from './folder';

const folder = temporaryFolder();
const mode = (file: string) => statSync(file).mode & 0o777;

test('the first start makes every secret, all different, in a file of mode 600', () => {
  const file = join(folder, 'first.json');
  const secrets = keepSecrets(file);
  expect(Object.keys(secrets)).toEqual([...SECRET_NAMES]);
  const lengths = Object.values(secrets).map((secret) => Buffer.from(secret, 'base64').length);
  expect(lengths).toEqual(SECRET_NAMES.map(() => 32));
  expect(new Set(Object.values(secrets)).size).toBe(SECRET_NAMES.length);
  expect(mode(file)).toBe(0o600);
});

test('the next start has the same secrets, and makes the file private again', () => {
  const file = join(folder, 'next.json');
  const secrets = keepSecrets(file);
  chmodSync(file, 0o644);
  expect(keepSecrets(file)).toEqual(secrets);
  expect(mode(file)).toBe(0o600);
});

test('a secret that is missing in the file is added; the others stay', () => {
  const file = join(folder, 'older.json');
  const { DATA_KEY_LIVE } = keepSecrets(file);
  writeFileSync(file, JSON.stringify({ DATA_KEY_LIVE }));
  const secrets = keepSecrets(file);
  expect(secrets.DATA_KEY_LIVE).toBe(DATA_KEY_LIVE);
  expect(Object.keys(secrets).sort()).toEqual([...SECRET_NAMES].sort());
});

test('a damaged file is an error and is not changed', () => {
  const file = join(folder, 'damaged.json');
  writeFileSync(file, '{"DATA_KEY_LIVE": "ab');
  expect(() => keepSecrets(file)).toThrow(/damaged\.json cannot be read/);
  expect(readFileSync(file, 'utf8')).toBe('{"DATA_KEY_LIVE": "ab');
});

test.each(['api', 'worker'] as const)(
  'the %s gets its own secrets, and cannot inherit another one',
  (process) => {
    const secrets = keepSecrets(join(folder, 'given.json'));
    const given = secretsFor(process, readStartConfig({}), secrets);
    const own = Object.entries(given).filter(([, value]) => value !== '');
    expect(own).toEqual(SECRETS_OF[process].map((name) => [name, secrets[name]]));
    expect(SECRET_NAMES.filter((name) => !(name in given))).toEqual([]);
  },
);
