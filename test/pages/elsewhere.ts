/**
 * The instructions that the walks do not carry out, by page: which (as a step of a walk names them), and why. A row needs a reason that holds on
 * every machine that runs the check; "it is slow" is none.
 */

const NO_CLUSTER =
  'There is no cluster here. test/unit/deployment.test.ts checks the objects with the schemas of Kubernetes, and kubectl builds them where it is installed.';
const NO_DOCKER =
  'It needs the Docker daemon and the registry of the images. test/unit/deployment.test.ts reads the file, and the commands in it are those of the other ways.';
const DEVELOPER =
  'It is for the machine of a developer, where test/recovery/start.test.ts and test/cli carry it out.';
const NAMED = 'It names a command whose words stand elsewhere on the page, where they are carried out.';

export const ELSEWHERE: Readonly<Record<string, readonly [which: string, why: string][]>> = {
  'docs/install.md': [
    ['build=$(git rev-parse…', NO_DOCKER],
    ["npm run settings -- --database '...' --folder deploy/kubernetes/settings", NO_CLUSTER],
    ['npm start', DEVELOPER],
    ['npm run test:pages', 'It is what carries out these pages.'],
  ],
  'docs/how-to/set-up-the-database.md': [
    ['npm run backup', NAMED],
    ['npm run settings', NAMED],
    [
      'deploy/postgres/first-start.sh',
      'The Postgres of Docker Compose runs it. test/unit/deployment.test.ts reads it.',
    ],
  ],
  'docs/how-to/upgrade.md': [
    ['apply() { kubectl…', NO_CLUSTER],
    ['release worker current', NO_CLUSTER],
    ['docker …', NO_DOCKER],
    ['npm ci && npm run build…', 'docs/install.md has it, where it is carried out.'],
    ['release current', NAMED],
    ['npm run settings', NAMED],
    ['npm run release -- current <the new build>', NAMED],
  ],
  'docs/how-to/restore.md': [
    ['npm start', DEVELOPER],
    ['npm start -- --database-only', DEVELOPER],
    [
      'administer backup <folder>',
      'docs/install.md has it in its table of commands, whose rows are carried out.',
    ],
    ['administer restore', 'docs/install.md has it in its table of commands, whose rows are carried out.'],
  ],
  'docs/runbook.md': [
    ['promtool test rules…', 'test/unit/alarms.test.ts runs it where promtool is installed.'],
    [
      'npm run recon:import',
      'docs/how-to/close-the-day.md has its words; test/e2e/paystack.test.ts and test/rehearsal carry it out.',
    ],
  ],
};
