/** The files of the container set-up repeat names of the sources; these tests keep the two together. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Deployment } from 'kubernetes-models/apps/v1';
import { Job } from 'kubernetes-models/batch/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Namespace, Service } from 'kubernetes-models/v1';
import { parse, parseAllDocuments } from 'yaml';
import { CONFIG_NAMES } from '../../src/runtime/config';
import { SECRET_NAMES, SECRETS_OF } from '../../src/runtime/secret-names';
import {
  ALL_LOGINS,
  AREAS,
  connectionBudget,
  loginsOf,
  roleOf,
  urlVariable,
  type Login,
} from '../../src/runtime/logins';
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
  ['secrets', ['platform_migrate', 'sandbox_migrate', 'live_migrate']],
  ['keys', ['platform_migrate']],
  ['audit', ['operator']],
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

/** Variables that the compose file fixes, because the file itself depends on them. */
const FIXED = ['NODE_ENV', 'HOST', 'PORT', 'OPERATOR_HOST', 'OPERATOR_PORT', 'WORKER_OPERATOR_PORT'];

test('what the compose file sets for our processes can be replaced in .env, but for its own ports and addresses', () => {
  const [, part = ''] = compose.split('\nx-app-environment: &app-environment\n');
  const set = [...(part.split('\n\n')[0] ?? '').matchAll(/^ {2}([A-Z_]+): (.+)$/gm)];
  expect(set.length).toBeGreaterThan(FIXED.length);
  for (const [, name = '', value = ''] of set) {
    if (!FIXED.includes(name)) expect(value).toMatch(new RegExp(`^\\$\\{${name}:-[^}]+\\}$`));
  }
});

test('every container of the compose file has a bounded log, and ours a bound of memory and no rights', () => {
  const services = parse(compose, { merge: true }) as { services: Record<string, Record<string, unknown>> };
  for (const [name, service] of Object.entries(services.services)) {
    expect([name, service['logging']]).toEqual([
      name,
      { driver: 'json-file', options: { 'max-size': '50m', 'max-file': '5' } },
    ]);
    if (String(service['image']).includes('partner-wallet-service')) {
      expect([name, service]).toEqual([
        name,
        expect.objectContaining({ read_only: true, cap_drop: ['ALL'], mem_limit: '1g' }),
      ]);
    }
  }
});

/** The objects of the Kustomize base, but for those that Kustomize makes from the settings. */
const kustomization = parse(read('deploy', 'kubernetes', 'kustomization.yaml')) as {
  resources: string[];
  configMapGenerator: Generator[];
  secretGenerator: Generator[];
};
interface Generator {
  name: string;
  envs: string[];
}
const objects = kustomization.resources.flatMap((file) =>
  parseAllDocuments(read('deploy', 'kubernetes', file)).map(
    (document) => document.toJS() as KubernetesObject,
  ),
);
interface KubernetesObject {
  kind: keyof typeof MODELS;
  metadata: { name: string };
  spec: { template: { spec: PodSpec } };
}
interface PodSpec {
  containers: { command: string[]; envFrom: unknown[]; env?: { name: string }[] }[];
}
const MODELS = { Namespace, Service, Deployment, Job, PodDisruptionBudget, NetworkPolicy };
const named = (object: KubernetesObject) => `${object.kind} ${object.metadata.name}`;

test.each(objects.map((object): [string, KubernetesObject] => [named(object), object]))(
  'the schema of Kubernetes takes %s',
  (_name, object) => {
    expect(() => new MODELS[object.kind](object as never).validate()).not.toThrow();
  },
);

test('that schema finds a wrong value, so the test above can fail', () => {
  const wrong = structuredClone(objects.find(({ kind }) => kind === 'Deployment')!);
  Object.assign(wrong.spec, { replicas: 'two' });
  expect(() => new Deployment(wrong as never).validate()).toThrow(/replicas/);
});

test.each<[object: string, program: string, settings: string[]]>([
  ['Deployment api', 'dist/src/api/main.js', ['platform', 'api']],
  ['Deployment worker', 'dist/src/worker/main.js', ['platform', 'worker']],
  ['Job migrate', 'dist/src/administration/migrate.js', ['platform', 'migrate']],
])('on Kubernetes %s runs %s without rights, with its own settings alone', (name, program, settings) => {
  const { spec } = objects.find((object) => named(object) === name)!.spec.template;
  const [container] = spec.containers;
  expect(container!.command).toEqual(['node', program]);
  expect(container!.envFrom).toEqual([
    { configMapRef: { name: settings[0] } },
    { secretRef: { name: settings[1] } },
  ]);
  expect(spec).toMatchObject({
    automountServiceAccountToken: false,
    securityContext: { runAsNonRoot: true },
    containers: [
      {
        resources: { limits: { memory: expect.any(String) } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  });
  for (const { name: variable } of container!.env ?? []) expect(CONFIG_NAMES).toContain(variable);
  if (!name.startsWith('Job')) {
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: '/live', port: 'probes' } },
      readinessProbe: { httpGet: { path: '/ready', port: 'probes' } },
    });
    expect(objects.map(named)).toContain(`PodDisruptionBudget ${name.split(' ')[1]}`);
  }
});

test('an image is built with the name of its build', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toContain('ARG BUILD=""\nRUN npm run build -- "$BUILD"');
  const services = parse(compose, { merge: true }) as { services: Record<string, { build?: object }> };
  expect(services.services['worker']?.build).toEqual({ context: '.', args: { BUILD: '${BUILD:-}' } });
});

test('Kustomize reads the files that the settings command makes', () => {
  const files = [...kustomization.configMapGenerator, ...kustomization.secretGenerator];
  expect(files.map(({ name, envs }) => [name, envs])).toEqual(
    ['platform', 'api', 'worker', 'migrate'].map((name) => [name, [`settings/${name}.env`]]),
  );
});

test.each([
  ['api', 'dist/src/api/main.js'],
  ['worker', 'dist/src/worker/main.js'],
  ['migrate', 'dist/src/administration/migrate.js'],
])('the unit of systemd for %s runs %s with its own settings alone', (name, program) => {
  const unit = read('deploy', 'systemd', `partner-wallet-${name}.service`);
  const valuesOf = (key: string) =>
    [...unit.matchAll(new RegExp(`^${key}=(.+)$`, 'gm'))].map(([, value]) => value);
  expect(valuesOf('ExecStart')).toEqual([`/usr/bin/node ${program}`]);
  expect(valuesOf('EnvironmentFile')).toEqual([
    '/etc/partner-wallet/platform.env',
    `/etc/partner-wallet/${name}.env`,
  ]);
  expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
  expect(unit).toMatch(/^CapabilityBoundingSet=$/m);
});

test('the page about installing says how many connections a process keeps', () => {
  const page = read('docs', 'install.md');
  const settings = { DATABASE_POOL_MAX: 10, CELLS_PER_ENVIRONMENT: 1 };
  const row = (program: 'api' | 'worker', name: string) => {
    const numbers = [...AREAS.map((area) => [area]), AREAS].map((areas) =>
      connectionBudget(program, areas, settings),
    );
    return new RegExp(`^\\| ${[name, ...numbers].join(' +\\| ')} +\\|$`, 'm');
  };
  expect(page).toMatch(row('api', 'API'));
  expect(page).toMatch(row('worker', 'worker'));
});
