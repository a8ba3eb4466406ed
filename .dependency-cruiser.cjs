/**
 * Which folder may import which, as the arrows in docs/architecture.md show. A rule names a room and all that it
 * may import.
 */

/** The modules that are built into Node. */
const BUILT_IN = 'built-in';
const packages = (...names) => `^node_modules/(@types/)?(${names.join('|')})/`;
/** One key has one name, whatever carries it. */
const NAME_OF_A_KEY = '^src/secrets/key-id\\.ts$';
/** Rows that hold a name seal it where they are written. */
const SEALING = '^src/secrets/sealing\\.ts$';
const under = (...folders) => folders.map((folder) => `^src/${folder}/`);

/** @param room folder. @param allowed what it may import, as patterns of resolved paths, or BUILT_IN. */
const room = (folder, allowed, exceptions = []) => ({
  name: `${folder.replaceAll('/', '-')}-imports`,
  severity: 'error',
  comment: `${folder} may import only: ${allowed.join(', ')}`,
  from: { path: `^${folder}/`, pathNot: exceptions },
  to: {
    pathNot: [`^${folder}/`, ...allowed.filter((each) => each !== BUILT_IN)],
    ...(allowed.includes(BUILT_IN) && { dependencyTypesNot: ['core'] }),
  },
});

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment:
        'This import leads to no module. The programs of other languages have the package of the SDK installed.',
      from: { pathNot: '^examples/clients/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-packages',
      severity: 'error',
      comment:
        'A production install has no development packages; tools/launcher looks for its Postgres by itself.',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
    {
      name: 'no-loose-files',
      severity: 'error',
      comment: 'Every source file lives in a room.',
      from: { path: '^src/[^/]+$' },
      to: {},
    },
    room('sdk/src', []),
    room('src/domain', []),
    room('src/contract', [...under('domain'), packages('@temporalio/workflow', '@temporalio/common')]),
    room('src/workflows', [
      ...under('domain', 'contract', 'activities'),
      packages('@temporalio/workflow', '@temporalio/common'),
    ]),
    {
      name: 'workflows-know-activities-by-type',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    room('src/wire', [
      ...under('domain'),
      NAME_OF_A_KEY,
      packages('zod', 'jsonwebtoken', '@zxcvbn-ts/language-common'),
      '^(node:)?(crypto|zlib)$',
    ]),
    {
      name: 'dialects-apart',
      severity: 'error',
      comment: 'A dialect never imports another one. What dialects share is beside them in src/wire.',
      from: { path: '^src/wire/([^/]+)/' },
      to: { path: '^src/wire/[^/]+/', pathNot: '^src/wire/$1/' },
    },
    {
      name: 'dialects-by-their-table',
      severity: 'error',
      comment: 'Only the table in src/wire/forms.ts knows which dialects there are.',
      from: { path: '^(src|tools)/', pathNot: ['^src/wire/[^/]+/', '^src/wire/forms\\.ts$'] },
      to: { path: '^src/wire/[^/]+/' },
    },
    room(
      'src/runtime',
      [packages('zod', 'pino', '@temporalio/client', '@opentelemetry/[a-z-]+'), BUILT_IN],
      ['/(environment|guard-ports|live-demands|simulator-ports)\\.ts$'],
    ),
    {
      name: 'opentelemetry-where-it-is-asked-for',
      severity: 'error',
      comment:
        'Without traces no module of OpenTelemetry is loaded: runtime/traces.ts loads otlp.ts on demand.',
      from: { path: '^src/', pathNot: '^src/runtime/otlp\\.ts$' },
      to: { path: '^node_modules/@opentelemetry/' },
    },
    {
      name: 'otlp-on-demand',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^src/runtime/otlp\\.ts$', dependencyTypesNot: ['type-only', 'require'] },
    },
    {
      name: 'environment-opens-everything',
      severity: 'error',
      comment:
        'runtime/environment.ts opens what an environment works with; it imports none of the rooms that use it.',
      from: { path: '^src/runtime/(environment|guard-ports|live-demands|simulator-ports)\\.ts$' },
      to: { path: under('api', 'operations', 'worker', 'workflows', 'activities', 'monitoring') },
    },
    room('src/secrets', [...under('domain', 'runtime'), packages('@node-rs/argon2', 'otpauth'), BUILT_IN]),
    room('src/db', [
      ...under('domain', 'runtime'),
      NAME_OF_A_KEY,
      SEALING,
      '^migrations/',
      packages('pg', 'pg-copy-streams', 'knex', 'uuidv7'),
      BUILT_IN,
    ]),
    {
      name: 'rounds-where-a-bench-demands-them',
      severity: 'error',
      comment:
        'SQL goes through plain pg. Rounds are for the ledger and where a bench row demands them (docs/architecture.md).',
      from: {
        path: '^src/db/',
        pathNot: [
          '^src/db/pg/',
          '^src/db/ledger/',
          '^src/db/events/(deliveries|dispatchers|events)\\.ts$',
          '^src/db/payments/ussd-(attempts|moves)\\.ts$',
        ],
      },
      to: { path: '^src/db/pg/(round|in-rounds|messages)\\.ts$' },
    },
    room('src/relay', [
      ...under('domain', 'contract', 'db', 'runtime'),
      packages('@temporalio/client', '@temporalio/common'),
      BUILT_IN,
    ]),
    room('src/providers', [
      ...under('domain', 'runtime'),
      packages('undici', 'aws4fetch', 'ipaddr\\.js', 'zod', 'nodemailer'),
      BUILT_IN,
    ]),
    room('src/operations', [
      ...under('domain', 'contract', 'db', 'relay', 'secrets', 'runtime', 'wire'),
      packages('pg'),
      BUILT_IN,
    ]),
    {
      name: 'api-tells-nobody',
      severity: 'error',
      comment: 'An operation commits and tells the relay by itself, so that no route has to remember it.',
      from: { path: '^src/api/' },
      to: {
        path: [...under('relay'), '^src/contract/(messages|intentions)\\.ts$', '^src/db/ledger/writer\\.ts$'],
      },
    },
    room('src/monitoring', [...under('domain', 'db', 'runtime'), packages('prom-client'), BUILT_IN]),
    room('src/activities', [
      ...under('domain', 'contract', 'db', 'relay', 'secrets', 'runtime', 'wire', 'providers', 'operations'),
      packages('@temporalio/activity', '@temporalio/client', '@temporalio/common', 'pino'),
      BUILT_IN,
    ]),
    {
      name: 'workflows-and-activities-run-in-the-worker',
      severity: 'error',
      from: {
        path: '^(src|migrations|tools|examples)/',
        pathNot: under('worker', 'workflows', 'activities'),
      },
      to: { path: under('workflows', 'activities') },
    },
    {
      name: 'operators-apart',
      severity: 'error',
      comment: "Nothing on the partners' side may know the operator port.",
      from: { path: '^src/', pathNot: ['^src/api/operator/', '^src/api/main\\.ts$'] },
      to: { path: '^src/api/operator/' },
    },
    {
      name: 'doors-are-tops',
      severity: 'error',
      comment: 'Nobody imports a process: not the API, the worker or the administration.',
      from: { path: '^src/', pathNot: under('api', 'worker', 'administration') },
      to: { path: under('api', 'worker', 'administration') },
    },
    {
      name: 'the-image-stands-alone',
      severity: 'error',
      comment: 'Nothing that runs in production may need the local launcher or the examples.',
      from: { path: '^(src|migrations)/' },
      to: { path: '^(tools|examples|sdk|cli)/' },
    },
    {
      name: 'examples-are-partners',
      severity: 'error',
      comment: 'An example knows the platform as its partners do: over HTTP.',
      from: { path: '^tools/' },
      to: { path: '^examples/' },
    },
    {
      name: 'the-command-line-is-a-partner',
      severity: 'error',
      comment: 'The command line knows the platform by the SDK and the reference document.',
      from: { path: '^cli/' },
      to: { path: '^(src|tools|examples|migrations)/' },
    },
    {
      name: 'migrations-from-db',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/db/' },
      to: { path: '^migrations/' },
    },
    {
      name: 'migrations-imports',
      severity: 'error',
      from: { path: '^migrations/' },
      to: { pathNot: ['^migrations/', '^src/domain/', packages('knex')] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    combinedDependencies: false,
    // Packages that are modules only name their files there.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['require', 'import', 'default'] },
  },
};
