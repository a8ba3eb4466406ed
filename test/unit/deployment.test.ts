/** The files of the container set-up repeat names of the sources; these tests keep the two together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SECRET_NAMES, SECRETS_OF } from '../../src/runtime/secret-names';
import { ALL_LOGINS, loginsOf, roleOf, urlVariable, type Login } from '../../src/runtime/logins';
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

/** The names of the secrets in the part of the compose file that begins with this line. */
const secretsUnder = (line: string): string[] => {
  const [, part = ''] = compose.split(`\n${line}\n`);
  return [...(part.split('\n\n')[0] ?? '').matchAll(/^ {2}([A-Z_]+): \$\{\1:\?/gm)].map(
    ([, name = '']) => name,
  );
};
const shared = secretsUnder('x-shared-secrets: &shared-secrets');
const ofApi = secretsUnder('x-api-secrets: &api-secrets');

/** What a service of the compose file is given, as the names of its parts. */
function environmentOf(program: string): string {
  const [, service = ''] = compose.split(`command: [node, dist/src/${program}]\n`);
  return /^ {4}environment:\s+(?:<<: )?(.*)$/m.exec(service)?.[1] ?? '';
}

test('each container gets the secrets of its process and no others', () => {
  expect(shared).toEqual(SECRETS_OF.worker);
  expect([...shared, ...ofApi].sort()).toEqual([...SECRETS_OF.api].sort());
  expect(environmentOf('worker/main.js')).toBe('[*app-environment, *shared-secrets]');
  expect(environmentOf('api/main.js')).toBe('[*app-environment, *shared-secrets, *api-secrets]');
  expect(environmentOf('administration/migrate.js')).toBe('NODE_ENV: production');
});

test('no container reads the file with the secrets', () => {
  expect(compose).not.toMatch(/^\s+- path: \.env$/m);
});

test.each<[service: string, logins: readonly Login[]]>([
  ['set-up', ALL_LOGINS],
  ['migrate', ['platform_migrate', 'sandbox_migrate', 'live_migrate']],
  ['keys', ['platform_migrate']],
  ['api', loginsOf('api')],
  ['worker', loginsOf('worker')],
])('docker compose gives %s the addresses of its own logins alone', (service, logins) => {
  const [, block = ''] = new RegExp(`^  ${service}:\n((?: {4}.*\n|\n)+)`, 'm').exec(compose) ?? [];
  const given = [...block.matchAll(/^ +(DATABASE_URL_(?!ADMIN)\w+): postgres:\/\/(\w+):/gm)];
  expect(given.map(([, name, user]) => [name, user]).sort()).toEqual(
    logins.map((login) => [urlVariable(login), roleOf(login)]).sort(),
  );
});

test('server and admin tools of Temporal have the same version', () => {
  const versions = [...compose.matchAll(/image: temporalio\/(?:server|admin-tools):(\S+)/g)].map(
    ([, version]) => version,
  );
  expect(versions).toHaveLength(3);
  expect(new Set(versions).size).toBe(1);
});

test('the page of Temporal, which asks for no password, is not started unless it is asked for', () => {
  const [, page = ''] = /^ {2}temporal-ui:\n((?: {4}.*\n)+)/m.exec(compose) ?? [];
  expect(page).toContain('profiles: [ui]');
  expect(page).toContain('- 127.0.0.1:8080:8080');
  // A service that others wait for would be started with them.
  expect(compose.match(/^ {6}temporal-ui:/gm)).toBeNull();
});
