/**
 * .env.example and docs/configuration.md list what src/runtime/config.ts reads: the same names, the true defaults.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONFIG_NAMES, readConfig, readStartConfig } from '../../src/runtime/config';
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
