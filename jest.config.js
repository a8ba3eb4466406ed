/**
 * Eight projects (R30): `unit` needs nothing, `database` and `api` a real Postgres, `e2e` and `specification`
 * Postgres and Temporal. `cli` runs the programs of this checkout, the command line among them, and `recovery` stops,
 * kills, upgrades and restores whole platforms: both mostly wait for programs to start and to end, so `npm test` leaves
 * them to `npm run test:programs`. `pages` installs a clone and carries out what the pages say (`npm run test:pages`). A run without database tests starts no Postgres.
 */
const shared = {
  rootDir: __dirname,
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/setup/environment.ts',
  runtime: '<rootDir>/test/setup/runtime.js',
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
    ],
  },
};

const project = (name, more = {}) => ({
  ...shared,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  ...more,
});

module.exports = {
  // Three processes more than the smallest machine has processors, because the slowest files mostly wait for timers.
  maxWorkers: 5,
  testSequencer: '<rootDir>/test/setup/sequencer.js',
  // It ends a test that hangs, and judges none: a test may wait long for a busy machine. What must be fast is asserted.
  testTimeout: 300_000,
  // When the machine is busy, a worker with hundreds of megabytes to free takes longer to end than Jest's half
  // second, with nothing left open. What a test really leaves open lasts longer than this too, and is reported.
  workerGracefulExitTimeout: 5_000,
  projects: [
    project('unit'),
    project('database', {
      globalSetup: '<rootDir>/test/setup/global-setup.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
    project('api', {
      globalSetup: '<rootDir>/test/setup/global-setup.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
    project('e2e', {
      globalSetup: '<rootDir>/test/setup/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
    project('specification', {
      globalSetup: '<rootDir>/test/setup/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
    project('recovery', {
      globalSetup: '<rootDir>/test/setup/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
    project('pages'),
    project('cli', {
      globalSetup: '<rootDir>/test/setup/global-setup-e2e.ts',
      globalTeardown: '<rootDir>/test/setup/global-teardown.ts',
    }),
  ],
};
