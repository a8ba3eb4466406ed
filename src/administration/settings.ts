/**
 * `npm run settings -- --database <address> --folder <folder>`: makes the secrets and the database passwords of a
 * production platform, one file for each process with what that process is given and nothing else. The files have a
 * variable on each line, which systemd, Docker and Kustomize read alike. A second run keeps every value that is there
 * and adds what is missing, so that it can be repeated after an upgrade.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Command, InvalidArgumentError } from 'commander';
import { provesItsServer } from '../runtime/database-urls';
import {
  ALL_LOGINS,
  AREAS,
  ENVIRONMENT_AREAS,
  LOGINS,
  loginsOf,
  roleOf,
  urlVariable,
  type Area,
  type Login,
} from '../runtime/logins';
import { SECRET_NAMES, SECRETS_OF } from '../runtime/secret-names';
import { writePrivateText } from './private-file';

type Variables = Record<string, string>;

/** What each file holds: the logins and the secrets of one process, in the order in which they are written. */
const FILES: Record<string, { what: string; logins: readonly Login[]; secrets: readonly string[] }> = {
  ...Object.fromEntries(
    (['api', 'worker'] as const).flatMap((process) =>
      ENVIRONMENT_AREAS.map((environment) => [
        `${process}-${environment}.env`,
        {
          what: `the ${process === 'api' ? 'API' : process} of ${environment}`,
          logins: loginsOf(process, [environment]),
          secrets: SECRETS_OF[process],
        },
      ]),
    ),
  ),
  'migrate.env': {
    what: 'the migrations',
    logins: AREAS.map((area) => `${area}_migrate` as const),
    secrets: [],
  },
  'movements.env': { what: 'the process that ships movements', logins: ['live_reconcile'], secrets: [] },
  'administration.env': {
    what: 'the commands of an administrator; no process that runs by itself is given it',
    logins: ALL_LOGINS,
    secrets: SECRET_NAMES,
  },
};

/** What a person must fill in. A value that stays empty counts as not set. */
const PERSONAL: Record<string, Variables> = {
  'platform.env': {
    NODE_ENV: 'production',
    TEMPORAL_ADDRESS: '',
    CELLS_PER_ENVIRONMENT: '1',
    WORKER_VERSIONING: 'true',
  },
  'api-sandbox.env': { ENVIRONMENTS: 'sandbox' },
  'api-live.env': { ENVIRONMENTS: 'live' },
  'worker-sandbox.env': { ENVIRONMENTS: 'sandbox', PUBLIC_URL: '', SMTP_URL: '', MAIL_FROM: '' },
  'worker-live.env': { ENVIRONMENTS: 'live', PUBLIC_URL: '', SMTP_URL: '', MAIL_FROM: '' },
  'movements.env': { MOVEMENTS_TO: 'file:///var/lib/partner-wallet-movements' },
};

/** The address of a server with a database, without a person: each login is its own. */
function serverAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^postgres(ql)?:$/.test(url.protocol) || url.hostname === '' || url.pathname.length < 2) {
    throw new InvalidArgumentError('an address as in postgres://db.internal:5432/wallet?sslmode=verify-full');
  }
  if (url.username !== '') throw new InvalidArgumentError('without a user: each login has its own');
  if (!provesItsServer(text)) {
    throw new InvalidArgumentError('with sslmode=verify-full, because the server is elsewhere');
  }
  return url;
}

interface Options {
  database: URL;
  databaseSandbox?: URL;
  databaseLive?: URL;
  folder: string;
}

const program = new Command('npm run settings --')
  .description('Makes the secrets of a production platform: one file for each process.')
  .requiredOption('--database <address>', 'where the database is', serverAddress)
  .option('--database-sandbox <address>', 'where that of the sandbox is, if elsewhere', serverAddress)
  .option('--database-live <address>', 'where that of live is, if elsewhere', serverAddress)
  .requiredOption('--folder <folder>', 'where the files are written; nobody else may read it')
  .action((options: Options) => {
    const { folder } = options;
    const servers: Record<Area, URL> = {
      platform: options.database,
      sandbox: options.databaseSandbox ?? options.database,
      live: options.databaseLive ?? options.database,
    };
    const made: Variables = {};
    for (const login of ALL_LOGINS) made[urlVariable(login)] = addressOf(login, servers[LOGINS[login].area]);
    for (const name of SECRET_NAMES) made[name] = randomBytes(32).toString('base64');
    const values = { ...made, ...readAll(folder) };

    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const [file, { what, logins, secrets }] of Object.entries(FILES)) {
      const own = [...logins.map(urlVariable), ...secrets].map((name): [string, string] => [
        name,
        values[name] ?? '',
      ]);
      write(folder, file, `For ${what}.`, { ...Object.fromEntries(own), ...PERSONAL[file] });
    }
    write(folder, 'platform.env', 'For every process. It holds no secret.', PERSONAL['platform.env'] ?? {});
    process.stdout.write(
      `The settings are in ${folder}. Fill in the empty values of platform.env and of the two of the workers, and keep a copy of the ` +
        'folder where you keep secrets: without the data keys nobody can read what is stored.\n',
    );
  });

/** A password in hexadecimal needs no escapes, whoever reads the file. */
function addressOf(login: Login, server: URL): string {
  const url = new URL(server);
  url.username = roleOf(login);
  url.password = randomBytes(24).toString('hex');
  return url.href;
}

const read = (file: string): Variables =>
  existsSync(file) ? (parseEnv(readFileSync(file, 'utf8')) as Variables) : {};

/** The values of earlier runs. */
const readAll = (folder: string): Variables =>
  Object.assign({}, ...Object.keys(FILES).map((file) => read(join(folder, file)))) as Variables;

/** Lines that a person has added or changed stay as they are. */
function write(folder: string, file: string, heading: string, variables: Variables): void {
  const path = join(folder, file);
  const kept = read(path);
  const lines = Object.entries({ ...variables, ...kept }).map(([name, value]) => `${name}=${value}`);
  writePrivateText(path, [`# ${heading}`, ...lines, ''].join('\n'));
}

program.parse();
