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
const POINT_IN_TIME =
  'test/recovery/point-in-time.test.ts carries it out with the same files wherever a pgBackRest that knows the server is installed.';
const NAMED = 'It names a command whose words stand elsewhere on the page, where they are carried out.';

export const ELSEWHERE: Readonly<Record<string, readonly [which: string, why: string][]>> = {
  'docs/install.md': [
    ['build=$(git rev-parse…', NO_DOCKER],
    ["npm run settings -- --database '...' --folder deploy/kubernetes/settings", NO_CLUSTER],
    ['npm start', DEVELOPER],
    ['npm run test:pages', 'It is what carries out these pages.'],
    ['kubectl delete job --selector app=migrate --namespace partner-wallet', NO_CLUSTER],
    ['kubectl create secret generic certificates…', NO_CLUSTER],
    ['kubectl apply -k deploy/kubernetes/monitoring', NO_CLUSTER],
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
    ['release worker-live current', NO_CLUSTER],
    ['docker …', NO_DOCKER],
    ['npm ci && npm run build…', 'docs/install.md has it, where it is carried out.'],
    ['release current', NAMED],
    ['npm run settings', NAMED],
    ['npm run release -- current <the new build>', NAMED],
  ],
  'docs/how-to/restore.md': [
    ['pgbackrest --stanza=wallet stanza-create', POINT_IN_TIME],
    [
      "pgbackrest --stanza=wallet --type=time --target='2026-11-23 01:40:00+00' --target-action=promote restore",
      POINT_IN_TIME,
    ],
    ['SELECT pg_is_in_recovery()', POINT_IN_TIME],
    ['npm start', DEVELOPER],
    ['npm start -- --database-only', DEVELOPER],
    [
      'administer backup <folder>',
      'docs/install.md has it in its table of commands, whose rows are carried out.',
    ],
    ['administer restore', 'docs/install.md has it in its table of commands, whose rows are carried out.'],
  ],
  'docs/runbook.md': [
    [
      'npm run keys -- operator renew "Ada Obi"',
      'test/e2e/operator-tokens.test.ts carries it out; it types the last token.',
    ],
    ['npm run movements:ship', 'docs/how-to/restore.md has it, where it is carried out.'],
    ['npm run backup', 'docs/how-to/restore.md has it, where it is carried out.'],
    [
      'npm run noted -- backup --by pgbackrest',
      'docs/install.md has it in its table of commands, whose rows are carried out.',
    ],
    ['docker compose ps', NO_DOCKER],
    ['kubectl get pods', NO_CLUSTER],
    ['systemctl status', 'It only looks, and systemd does not run here.'],
    ['promtool test rules…', 'test/unit/alarms.test.ts runs it where promtool is installed.'],
    [
      'npm run recon:import',
      'docs/how-to/close-the-day.md has its words; test/e2e/paystack.test.ts and test/rehearsal carry it out.',
    ],
    [
      'npm run banks -- --from monnify',
      'It asks a company, of which there is none here. The command is carried out in the table of docs/install.md, and test/unit/providers/monnify-contract.test.ts reads the list.',
    ],
    [
      'temporal schedule trigger --namespace wallet-live --schedule-id bank-lists',
      'It has the companies asked, of which there are none here. test/e2e/bank-lists.test.ts triggers the Schedule, with two of them.',
    ],
  ],
};
