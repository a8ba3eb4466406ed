/** The directions of the arrows in docs/architecture.md. A rule names a room and all that it may import. */

/** @param room folder under `src`. @param allowed what it may import, as patterns of resolved paths. */
const room = (name, allowed, more = {}) => ({
  name: `${name}-imports`,
  severity: 'error',
  comment: `src/${name} may import only: ${allowed.join(', ')}`,
  from: { path: `^src/${name}/` },
  to: { pathNot: [`^src/${name}/`, ...allowed], ...more },
});

const packages = (...names) => `^node_modules/(@types/)?(${names.join('|')})/`;
/** What is built into Node may be imported too. */
const OR_BUILT_IN = { dependencyTypesNot: ['core'] };

module.exports = {
  forbidden: [
    { name: 'no-circles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      comment: 'An import that leads nowhere.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-dev-packages',
      severity: 'error',
      comment: 'A production install has no development packages; src/cli looks for its Postgres by itself.',
      from: { path: '^src/' },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: '^node_modules/@types/',
      },
    },
    room('domain', []),
    room('workflows', [
      '^src/domain/',
      packages('@temporalio/workflow', '@temporalio/common'),
      '^src/activities/',
    ]),
    {
      name: 'workflows-know-activities-by-type',
      severity: 'error',
      from: { path: '^src/workflows/' },
      to: { path: '^src/activities/', dependencyTypesNot: ['type-only'] },
    },
    room('wire', ['^src/domain/', packages('zod', 'jsonwebtoken'), '^(node:)?(crypto|zlib)$']),
    room('db', ['^src/domain/', '^migrations/', packages('pg', 'knex', 'uuidv7')], OR_BUILT_IN),
    room(
      'providers',
      ['^src/domain/', '^src/config\\.ts$', packages('undici', 'ipaddr\\.js', 'zod')],
      OR_BUILT_IN,
    ),
    room(
      'monitoring',
      ['^src/domain/', '^src/db/', '^src/environment\\.ts$', packages('prom-client')],
      OR_BUILT_IN,
    ),
    {
      name: 'operators-apart',
      severity: 'error',
      comment: "Nothing on the partners' side may know the operator port.",
      from: { path: '^src/', pathNot: ['^src/api/operator/', '^src/api/main\\.ts$'] },
      to: { path: '^src/api/operator/' },
    },
    {
      name: 'cli-is-a-top',
      severity: 'error',
      comment: 'Nothing that runs in production may need what starts a sandbox.',
      from: { path: '^(src|migrations)/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
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
  },
};
