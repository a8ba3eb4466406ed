/** The files of the container set-up repeat names of the sources; these tests keep the two together. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
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
import { API_OPTION } from '../../bench/support/programs';
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
function environmentOf(service: string): string {
  const [, block = ''] = compose.split(`\n  ${service}:\n`);
  return /^ {4}environment:\s+(?:<<: )?(.*)$/m.exec(block)?.[1] ?? '';
}

test('the API starts everywhere as the bench measures it', () => {
  const started = `${API_OPTION} dist/src/api/main.js`;
  expect(compose).toContain(`command: [node, ${started.replace(' ', ', ')}]`);
  expect(read('Dockerfile')).toContain(`CMD ["node", "${started.replace(' ', '", "')}"]`);
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  expect(scripts['start:api']).toBe(`node ${started}`);
  expect(read('docs', 'install.md')).toContain(`\`node ${started}\``);
});

test('each container gets the secrets of its process and no others', () => {
  expect(shared).toEqual(SECRETS_OF.worker);
  expect([...shared, ...ofApi].sort()).toEqual([...SECRETS_OF.api].sort());
  for (const environment of ENVIRONMENTS) {
    expect(environmentOf(`worker-${environment}`)).toBe('[*app-environment, *shared-secrets]');
    expect(environmentOf(`api-${environment}`)).toBe('[*app-environment, *shared-secrets, *api-secrets]');
  }
  expect(environmentOf('migrate')).toBe('NODE_ENV: production');
});

/** Every process of one environment, by the name that it has in each way of deployment. */
const PROCESSES = (['api', 'worker'] as const).flatMap((program) =>
  ENVIRONMENTS.map((environment) => ({ name: `${program}-${environment}`, program, environment })),
);

test('in Compose sandbox and live have an API and a worker each, at ports of their own', () => {
  const { services } = parse(compose, { merge: true }) as {
    services: Record<string, { command?: string[]; environment: Record<string, string>; ports?: string[] }>;
  };
  const processes = Object.entries(services).filter(([, { command }]) =>
    /dist\/src\/(?:api|worker)\/main\.js/.test(String(command)),
  );
  expect(processes.map(([name, { environment }]) => [name, environment['ENVIRONMENTS']]).sort()).toEqual(
    PROCESSES.map(({ name, environment }) => [name, environment]).sort(),
  );
  const ports = processes.flatMap(([, service]) => service.ports ?? []);
  expect(ports).toHaveLength(4);
  expect(new Set(ports.map((port) => /:-(\d+)\}/.exec(port)?.[1])).size).toBe(4);
});

test('in Compose only the processes of live read the file with the keys of the companies', () => {
  const { services } = parse(compose, { merge: true }) as {
    services: Record<string, { env_file?: { path: string }[] }>;
  };
  const readers = Object.entries(services).filter(([, { env_file: files = [] }]) =>
    files.some(({ path }) => path === 'settings-live.env'),
  );
  expect(readers.map(([name]) => name).sort()).toEqual(['api-live', 'worker-live']);
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
  ...PROCESSES.map(({ name, program, environment }): [string, Login[]] => [
    name,
    loginsOf(program, [environment]),
  ]),
  ['movements', ['live_reconcile']],
])('docker compose gives %s the addresses of its own logins alone', (service, logins) => {
  const [, block = ''] = new RegExp(`^  ${service}:\n((?: {4}.*\n|\n)+)`, 'm').exec(compose) ?? [];
  const given = [...block.matchAll(/^ +(DATABASE_URL_(?!ADMIN)\w+): postgres:\/\/(\w+):/gm)];
  expect(given.map(([, name, user]) => [name, user]).sort()).toEqual(
    logins.map((login) => [urlVariable(login), roleOf(login)]).sort(),
  );
});

test('server and admin tools of Temporal have the same version', () => {
  const versions = [...compose.matchAll(/image: temporalio\/(?:server|admin-tools):([^\s@]+)/g)].map(
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
const kustomization = kustomizationOf('.');
interface Kustomization {
  resources: string[];
  nameSuffix: string;
  labels: { pairs: Record<string, string>; includeSelectors: boolean }[];
  images: { name: string; newName: string; digest?: string }[];
  replicas: { name: string; count: number }[];
  configMapGenerator: Generator[];
  secretGenerator: Generator[];
}
function kustomizationOf(folder: string): Kustomization {
  return parse(read('deploy', 'kubernetes', folder, 'kustomization.yaml')) as Kustomization;
}
interface Generator {
  name: string;
  envs: string[];
}
/** The second set of workers is the first one under another name, so its objects are not listed twice. */
const SECOND_SET = 'worker-next';
const filesOf = (folder: string): string[] =>
  kustomizationOf(folder).resources.flatMap((name) =>
    name.endsWith('.yaml') ? [join(folder, name)] : name === SECOND_SET ? [] : filesOf(name),
  );
const objects = filesOf('.').flatMap((file) =>
  parseAllDocuments(read('deploy', 'kubernetes', file)).map(
    (document) => document.toJS() as KubernetesObject,
  ),
);
interface KubernetesObject {
  kind: keyof typeof MODELS;
  metadata: { name: string; labels?: Record<string, string> };
  spec: {
    template: { spec: PodSpec };
    selector: { matchLabels?: Record<string, string> };
    podSelector: { matchExpressions?: { values: string[] }[] };
  };
}
interface PodSpec {
  containers: { image: string; command: string[]; envFrom: unknown[]; env?: { name: string }[] }[];
}
/** Where the processes find certificates, in Kubernetes and in Compose alike. */
const CERTIFICATES = '/etc/partner-wallet/certificates';

test.each([...PROCESSES.map(({ name }) => `Deployment ${name}`), 'Job migrate'])(
  '%s can be given a bundle of certificates, and starts without one',
  (name) => {
    const { spec } = objects.find((object) => named(object) === name)!.spec.template;
    expect(spec).toMatchObject({
      volumes: [{ name: 'certificates', secret: { secretName: 'certificates', optional: true } }],
      containers: [{ volumeMounts: [{ name: 'certificates', mountPath: CERTIFICATES, readOnly: true }] }],
    });
  },
);

test('every container of ours in Compose can be given a bundle of certificates', () => {
  const { services } = parse(compose, { merge: true }) as {
    services: Record<string, { image?: string; volumes?: string[] }>;
  };
  const ours = Object.values(services).filter(({ image }) => image?.includes('partner-wallet-service'));
  expect(ours.length).toBeGreaterThan(4);
  for (const { volumes } of ours) {
    expect(volumes).toContain(`\${CERTIFICATES:-./deploy/certificates}:${CERTIFICATES}:ro`);
  }
});

test('the Job of the migrations can be applied again: its name has the version, and it goes away', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  expect(kustomizationOf('migrate').nameSuffix).toBe(`-${version.replaceAll('.', '-')}`);
  const job = objects.find((object) => named(object) === 'Job migrate');
  expect(job?.spec).toMatchObject({ ttlSecondsAfterFinished: 600 });
});

test('Prometheus is shown every API and every worker, by the names that the alarms know', () => {
  const monitors = parseAllDocuments(read('deploy', 'kubernetes', 'monitoring', 'pod-monitors.yaml')).map(
    (document) => document.toJS() as PodMonitor,
  );
  const shown = monitors.map(({ spec }) => {
    const { matchLabels, matchExpressions } = spec.selector;
    const apps = matchExpressions?.[0]?.values ?? [matchLabels.app];
    const [endpoint] = spec.podMetricsEndpoints;
    expect(endpoint).toMatchObject({ port: 'probes', path: '/metrics' });
    return [apps, matchLabels.environment, endpoint?.relabelings[0]?.replacement];
  });
  expect(shown).toEqual([
    ...PROCESSES.map(({ name, program, environment }) => [
      program === 'api' ? ['api'] : ['worker', SECOND_SET],
      environment,
      `partner-wallet-${name}`,
    ]),
  ]);
  const scraped = parse(read('deploy', 'prometheus', 'scrape.yml')) as {
    scrape_configs: { job_name: string }[];
  };
  const jobs = scraped.scrape_configs.map(({ job_name: name }) => name);
  expect(jobs).toEqual(shown.map(([, , job]) => job));
  const rules = read('deploy', 'prometheus', 'rules.yml');
  for (const job of jobs) expect(rules).toContain(`job="${job}"`);
  for (const environment of ENVIRONMENTS) {
    expect(objects.map(named)).toContain(`Service worker-${environment}`);
  }
});

interface PodMonitor {
  spec: {
    selector: {
      matchLabels: { app?: string; environment: string };
      matchExpressions?: { values: string[] }[];
    };
    podMetricsEndpoints: { relabelings: { replacement: string }[] }[];
  };
}

const MODELS = { Namespace, Service, Deployment, StatefulSet, Job, PodDisruptionBudget, NetworkPolicy };
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
  ...PROCESSES.map(({ name, program }): [string, string, string[]] => [
    `Deployment ${name}`,
    program === 'api' ? `${API_OPTION} dist/src/api/main.js` : 'dist/src/worker/main.js',
    ['platform', name],
  ]),
  ['Job migrate', 'dist/src/administration/migrate.js', ['platform', 'migrate']],
  ['StatefulSet movements', 'dist/src/administration/movements.js ship', ['platform', 'movements']],
])('on Kubernetes %s runs %s without rights, with its own settings alone', (name, program, settings) => {
  const { spec } = objects.find((object) => named(object) === name)!.spec.template;
  const [container] = spec.containers;
  expect(container!.command).toEqual(['node', ...program.split(' ')]);
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
  if (name.startsWith('Deployment')) {
    expect(container).toMatchObject({
      livenessProbe: { httpGet: { path: '/live', port: 'probes' } },
      readinessProbe: { httpGet: { path: '/ready', port: 'probes' } },
    });
    expect(objects.map(named)).toContain(`PodDisruptionBudget ${name.split(' ')[1]}`);
  }
});

test('the second set of workers is the first one under another name, and there are none of it', () => {
  expect(kustomization.resources).toContain(SECOND_SET);
  const { resources, nameSuffix, labels } = kustomizationOf(SECOND_SET);
  expect([resources, nameSuffix]).toEqual([['../worker'], '-next']);
  // With the label of the first set, each Deployment would take the processes of the other for its own.
  expect(labels).toEqual([{ pairs: { app: SECOND_SET }, includeSelectors: true }]);
  expect(kustomization.replicas).toEqual(
    ENVIRONMENTS.map((environment) => ({ name: `worker-${environment}-next`, count: 0 })),
  );
});

test('each part of the platform names its image by a digest of its own, so that one is replaced after the other', () => {
  // Both environments run one build of each part.
  const parts = [
    ...new Set(
      objects
        .filter(({ kind }) => kind in { Deployment, Job, StatefulSet })
        .flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image)),
    ),
  ];
  const renamed = kustomizationOf(SECOND_SET).images.map(({ name, newName }) => {
    expect(parts).toContain(name);
    return newName;
  });
  expect(new Set([...parts, ...renamed]).size).toBe(5);
  expect(kustomization.images.map(({ name }) => name).sort()).toEqual([...parts, ...renamed].sort());
  for (const { digest } of kustomization.images) expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
});

test('operators reach the probes of every process', () => {
  const rule = objects.find((object) => named(object) === 'NetworkPolicy operators-reach-the-probes');
  const processes = objects
    .filter(({ kind }) => kind === 'Deployment')
    .map(({ metadata }) => metadata.labels?.['app']);
  expect(rule?.spec.podSelector.matchExpressions?.[0]?.values.sort()).toEqual(
    [...new Set([...processes, SECOND_SET])].sort(),
  );
});

test.each(
  objects
    .filter(({ kind }) => kind in { Deployment, Job, StatefulSet })
    .map((object) => [named(object), object]),
)('the pages can bring %s alone, by its label', (_name, { metadata }: KubernetesObject) => {
  const { app, environment } = metadata.labels ?? {};
  expect(environment === undefined ? app : `${app}-${environment}`).toBe(metadata.name);
});

test('no Deployment, budget or Service of one environment takes the processes of the other', () => {
  for (const { name, program, environment } of PROCESSES) {
    const of = { app: program, environment };
    const deployment = objects.find((object) => named(object) === `Deployment ${name}`);
    expect(deployment?.spec).toMatchObject({
      selector: { matchLabels: of },
      template: { metadata: { labels: of } },
    });
    const budget = objects.find((object) => named(object) === `PodDisruptionBudget ${name}`);
    expect(budget?.spec.selector.matchLabels).toEqual(of);
    expect(objects.find((object) => named(object) === `Service ${name}`)?.spec.selector).toEqual(of);
  }
});

const kubectl = (...words: string[]) => spawnSync('kubectl', words, { encoding: 'utf8' });
/** Without kubectl this test counts as skipped. */
const withKubectl = kubectl('version', '--client').error === undefined ? test : test.skip;

withKubectl(
  'Kustomize builds what the schemas take, with two sets of workers that differ in name and label alone',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'wallet-kustomize-'));
    cpSync(join(root, 'deploy', 'kubernetes'), folder, { recursive: true });
    mkdirSync(join(folder, 'settings'), { recursive: true });
    for (const name of ['platform', ...PROCESSES.map(({ name: one }) => one), 'migrate', 'movements'])
      writeFileSync(join(folder, 'settings', `${name}.env`), 'NAME=value\n');
    const { status, stdout, stderr } = kubectl('kustomize', folder);
    rmSync(folder, { recursive: true });
    expect([status, stderr]).toEqual([0, '']);
    const built = parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject);
    for (const object of built) {
      if (object.kind in MODELS)
        expect(() => new MODELS[object.kind](object as never).validate()).not.toThrow();
    }
    const text = (name: string) => JSON.stringify(built.find((object) => named(object) === name));
    for (const environment of ENVIRONMENTS) {
      const name = `worker-${environment}`;
      const [first, second] = [text(`Deployment ${name}`), text(`Deployment ${name}-next`)];
      expect(second).toContain('"replicas":0');
      const renamed = second.replaceAll(`${name}-next`, name).replaceAll('worker-next', 'worker');
      expect(renamed.replace('"replicas":0', '"replicas":2')).toBe(first);
    }
  },
);

test('images that are not ours are named by a tag for the reader and a digest for the machine', () => {
  const images = [
    ...[...compose.matchAll(/image: (\S+)/g)].map(([, image]) => image ?? ''),
    ...[...read('Dockerfile').matchAll(/^FROM (\S+:\S+)/gm)].map(([, image]) => image ?? ''),
  ].filter((image) => !image.includes('partner-wallet-service'));
  expect(images).toHaveLength(7);
  for (const image of images) expect(image).toMatch(/^[a-z/-]+:[\d.]+[a-z-]*@sha256:[0-9a-f]{64}$/);
  // The two uses of one image never differ.
  const named = new Map(images.map((image) => image.split('@') as [string, string]));
  expect(new Set(images).size).toBe(named.size);
});

test('an image is built with the name of its build', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toContain('ARG BUILD=""\nRUN npm run build -- "$BUILD"');
  const services = parse(compose, { merge: true }) as { services: Record<string, { build?: object }> };
  expect(services.services['worker-live']?.build).toEqual({ context: '.', args: { BUILD: '${BUILD:-}' } });
});

test('.dockerignore lets everything in that the image is built from, and nothing else', () => {
  const copied = [...read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );
  const letIn = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name = '']) => name);
  expect(letIn.sort()).toEqual([...new Set(copied)].sort());
});

test('Kustomize reads the files that the settings command makes', () => {
  const files = [...kustomization.configMapGenerator, ...kustomization.secretGenerator];
  expect(files.map(({ name, envs }) => [name, envs])).toEqual(
    ['platform', ...PROCESSES.map(({ name }) => name), 'migrate', 'movements'].map((name) => [
      name,
      [`settings/${name}.env`],
    ]),
  );
});

test.each([
  ...ENVIRONMENTS.flatMap((environment): [string, string, string[]][] => [
    [`api-${environment}`, `${API_OPTION} dist/src/api/main.js`, []],
    // A second version on the same machine may be given a port of its own.
    [
      `worker-${environment}`,
      'dist/src/worker/main.js',
      [`-/etc/partner-wallet/worker-${environment}-%i.env`],
    ],
  ]),
  ['migrate', 'dist/src/administration/migrate.js', []],
  ['movements', 'dist/src/administration/movements.js ship', []],
])(
  'the unit of systemd for %s runs %s of its version, with its own settings alone',
  (name, program, more) => {
    const unit = read('deploy', 'systemd', `partner-wallet-${name}@.service`);
    const valuesOf = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=(.+)$`, 'gm'))].map(([, value]) => value);
    expect(valuesOf('ExecStart')).toEqual([`/usr/bin/node ${program}`]);
    expect(valuesOf('WorkingDirectory')).toEqual(['/opt/partner-wallet/%i']);
    expect(valuesOf('EnvironmentFile')).toEqual([
      '/etc/partner-wallet/platform.env',
      `/etc/partner-wallet/${name}.env`,
      ...more,
    ]);
    expect(unit).toMatch(/^NoNewPrivileges=yes$/m);
    expect(unit).toMatch(/^CapabilityBoundingSet=$/m);
  },
);

const systemd = (...words: string[]) => spawnSync('systemd-analyze', words, { encoding: 'utf8' });
/** Without systemd this test counts as skipped. */
const withSystemd = systemd('--version').error === undefined ? test : test.skip;

withSystemd('systemd understands the units', () => {
  const units = readdirSync(join(root, 'deploy', 'systemd')).map((name) =>
    join(root, 'deploy', 'systemd', name),
  );
  const { status, stdout, stderr } = systemd('verify', ...units);
  // Where it is not installed in /usr/bin, Node is reported as missing.
  const said = (stdout + stderr).split('\n').filter((line) => units.some((unit) => line.includes(unit)));
  expect([said.filter((line) => !line.includes('/usr/bin/node')), status === 0 || said.length > 0]).toEqual([
    [],
    true,
  ]);
});

test.each([
  'install.md',
  'how-to/upgrade.md',
  'how-to/restore.md',
  'how-to/set-up-the-database.md',
  'operations.md',
])('%s lets no shell read the files of settings, because it would end at the & of an address', (page) => {
  expect(read('docs', page)).not.toMatch(/(?:^|[\s;(])(?:\.|source) \S+\.env\b/m);
});

test('the page about installing says how many connections a process keeps', () => {
  const page = read('docs', 'install.md');
  const settings = { DATABASE_POOL_MAX: 10, CELLS_PER_ENVIRONMENT: 1 };
  for (const { program, environment } of PROCESSES) {
    const numbers = [...AREAS.map((area) => [area]), AREAS].map((areas) =>
      connectionBudget(program, areas, settings, [environment]),
    );
    const name = `${program === 'api' ? 'API' : program} of ${environment}`;
    expect(page).toMatch(new RegExp(`^\\| ${[name, ...numbers].join(' +\\| ')} +\\|$`, 'm'));
  }
});
