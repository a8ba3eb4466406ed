/** The files of the container set-up repeat names of the sources; these tests keep the two together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_NAMES } from '../../src/runtime/config';
import { ENVIRONMENTS } from '../../src/domain/partners';
import { SEARCH_ATTRIBUTES } from '../../src/domain/search-attributes';

const root = join(__dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');

const namespaceScript = read('deploy', 'temporal', 'create-namespaces.sh');
const compose = read('docker-compose.yml');

/** The words of a quoted shell list `NAME='a=b c=d'`, split at the equals sign. */
function pairs(name: string): string[][] {
  const list = new RegExp(`^${name}='([^']+)'`, 'm').exec(namespaceScript)?.[1] ?? '';
  return list.split(/\s+/).map((pair) => pair.split('='));
}

test('the namespaces get exactly the search attributes that workflows carry', () => {
  expect(pairs('SEARCH_ATTRIBUTES')).toEqual(SEARCH_ATTRIBUTES.map(({ name, type }) => [name, type]));
});

test('there is one namespace per environment', () => {
  expect(pairs('NAMESPACES').map(([name]) => name)).toEqual(ENVIRONMENTS.map((name) => `wallet-${name}`));
});

test.each(SECRET_NAMES)('docker compose refuses to start without %s and says how to make one', (name) => {
  expect(compose).toContain(`${name}: \${${name}:?make one with "openssl rand -base64 32"`);
});

test('server and admin tools of Temporal have the same version', () => {
  const versions = [...compose.matchAll(/image: temporalio\/(?:server|admin-tools):(\S+)/g)].map(
    ([, version]) => version,
  );
  expect(versions).toHaveLength(3);
  expect(new Set(versions).size).toBe(1);
});
