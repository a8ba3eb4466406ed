/**
 * The machine on which the pages are carried out: a folder that stands for `/`, with a Postgres, a Temporal, the programs
 * that stand for those that change a whole machine, and one terminal. Everything else is as a reader has it.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment, readStartConfig } from '../../src/runtime/config';
import { startPostgres, type RunningPostgres } from '../../tools/launcher/embedded-postgres';
import { freePort } from '../../tools/launcher/ports';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { startTemporal, type RunningTemporal } from '../../tools/launcher/temporal-server';
import { onDatabase } from '../setup/database';
import { postgresPrograms } from './postgres-programs';

/** Which variables are set in the terminal, as the page says: the content of these files of settings. */
export type Settings = readonly `${string}.env`[];
export const ADMINISTRATION: Settings = ['platform.env', 'administration.env'];
export const WORKER: Settings = ['platform.env', 'worker-live.env'];

const PERSON_PASSWORD = 'correct-horse';

/**
 * The programs that change a whole machine, which a test must not: what stands for each, and why. Whatever another program
 * of a page does is really done.
 */
const SUBSTITUTES: Record<string, { why: string; script: (root: string) => string }> = {
  useradd: {
    why: 'It makes an account of the machine. The processes run under the account of the test.',
    script: () => 'exit 0',
  },
  systemctl: {
    why: 'systemd does not run in a container. The units are read, and what they say is run.',
    script: (root) =>
      `PAGES_ROOT='${root}' PAGES_GUARD=${String(process.pid)} exec '${process.execPath}' '${join(__dirname, 'programs', 'systemctl.mjs')}' "$@"`,
  },
};

/** What a variable of whoever runs the test must not decide. */
const NOT_OURS =
  /^(NODE_ENV|NODE_OPTIONS|DATABASE_URL.*|TEMPORAL_.*|TEST_.*|JEST_.*|PORT|DATA_DIR|PG.*|npm_(?!config_(cache|registry)$).*)$/;

export interface Machine {
  /** Stands for `/`. */
  readonly root: string;
  readonly postgres: RunningPostgres;
  /** A second server, for what the pages do on another one. */
  readonly otherPostgres: RunningPostgres;
  readonly temporal: RunningTemporal;
  /** Of the sandbox. */
  readonly apiUrl: string;
  /** Of live. */
  readonly operatorUrl: string;
  /** What one step leaves for later ones, such as an id that was printed. */
  readonly noted: Record<string, string>;
  /**
   * Types it into the terminal, which keeps its folder and its functions. What the page names of another machine is
   * replaced by what is here (`places`).
   * @param settings the variables that are set meanwhile.
   * @returns all that was printed. @throws Error with all that was printed, when a command fails.
   */
  type(text: string, settings?: Settings | Record<string, string>): Promise<string>;
  /** Runs a statement as the superuser of a server. */
  sql(text: string, database?: string, server?: RunningPostgres): Promise<string>;
  /** The variables of these files of settings. */
  read(settings: Settings): Record<string, string>;
  /** Writes variables into a file of settings, as a person fills them in. */
  write(file: string, more: Record<string, string>): void;
  /** Stops Temporal and starts an empty one without namespaces in its place. */
  loseTemporal(): Promise<void>;
  close(): Promise<void>;
}

export async function openMachine(): Promise<Machine> {
  const root = mkdtempSync(join(tmpdir(), 'wallet-pages-'));
  chmodSync(root, 0o755);
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
  const programs = postgresPrograms();
  const [postgres, otherPostgres, ...ports] = await Promise.all([
    startPostgres({ dataDir: join(root, 'var', 'postgres'), port: 0, durable: false }),
    startPostgres({ dataDir: join(root, 'var', 'other-postgres'), port: 0, durable: false }),
    ...Array.from({ length: 10 }, freePort),
  ]);
  const [apiPort, operatorPort, workerPort, nextWorkerPort, temporalPort, sparePort, ...ofLive] = ports as [
    number,
    number,
    number,
    number,
    number,
    number,
    ...number[],
  ];
  const [liveApiPort, liveOperatorPort, liveWorkerPort, liveNextWorkerPort] = ofLive.map(String) as [
    string,
    string,
    string,
    string,
  ];
  const startOneTemporal = (name: string, namespaces: readonly string[]): Promise<RunningTemporal> =>
    startTemporal({
      binary,
      port: temporalPort,
      uiPort: null,
      dbFile: join(root, 'var', name),
      namespaces,
      logFile: join(root, 'var', 'temporal.log'),
    });
  let temporal = await startOneTemporal('temporal.db', ['wallet-sandbox', 'wallet-live']);

  for (const folder of ['bin', 'usr/bin', 'opt/partner-wallet', 'etc/systemd/system', 'backups'])
    mkdirSync(join(root, folder), { recursive: true });
  symlinkSync(process.execPath, join(root, 'usr', 'bin', 'node'));
  symlinkSync(binary, join(root, 'bin', 'temporal'));
  for (const [name, { script }] of Object.entries(SUBSTITUTES))
    writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${script(root)}\n`, { mode: 0o755 });

  const hostOf = ({ url }: RunningPostgres): string => new URL(url).host;
  /** What the pages name of machines that are not here, and what is here in its place. The longer text comes first. */
  const PLACES: readonly (readonly [text: string, here: string])[] = [
    ['/opt/partner-wallet', join(root, 'opt', 'partner-wallet')],
    ['/etc/partner-wallet', join(root, 'etc', 'partner-wallet')],
    ['/etc/systemd/system', join(root, 'etc', 'systemd', 'system')],
    ['/backups', join(root, 'backups')],
    ['/var/lib/partner-wallet-movements', join(root, 'var', 'lib', 'partner-wallet-movements')],
    // Postgres is on this machine, where no certificate is asked for. test/recovery/temporal-tls.test.ts and others try TLS.
    ['?sslmode=verify-full&sslrootcert=/etc/ssl/db-ca.pem', ''],
    ['live-db.internal:5432', hostOf(otherPostgres)],
    ['sandbox-db.internal:5432', hostOf(otherPostgres)],
    ['db.internal:5432', hostOf(postgres)],
    ['ada:...', `ada:${PERSON_PASSWORD}`],
    ["PASSWORD '...'", `PASSWORD '${PERSON_PASSWORD}'`],
    // Other tests and other people may use the published ports of this machine.
    ['127.0.0.1:3100', `127.0.0.1:${String(operatorPort)}`],
    ['127.0.0.1:3101', `127.0.0.1:${String(workerPort)}`],
    ['127.0.0.1:3110', `127.0.0.1:${liveOperatorPort}`],
    ['127.0.0.1:3111', `127.0.0.1:${liveWorkerPort}`],
    ['WORKER_OPERATOR_PORT=3112', `WORKER_OPERATOR_PORT=${liveNextWorkerPort}`],
    ['WORKER_OPERATOR_PORT=3102', `WORKER_OPERATOR_PORT=${String(nextWorkerPort)}`],
  ];
  const here = (text: string): string => PLACES.reduce((all, [from, to]) => all.replaceAll(from, to), text);

  const settingsFolder = join(root, 'etc', 'partner-wallet');
  const read = (settings: Settings): Record<string, string> =>
    Object.assign(
      {},
      ...settings.map((file) => parseEnv(readFileSync(join(settingsFolder, file), 'utf8'))),
    ) as Record<string, string>;
  const terminal = join(root, 'terminal');
  writeFileSync(terminal, `cd '${root}'\n`);
  const path = [join(root, 'bin'), ...programs, dirname(process.execPath)].join(':');
  const environment = (more: Record<string, string>): NodeJS.ProcessEnv => {
    const ours = Object.entries(childEnvironment({})).filter(([name]) => !NOT_OURS.test(name));
    return {
      ...Object.fromEntries(ours),
      PATH: `${path}:${childEnvironment({})['PATH'] ?? ''}`,
      // The packages were fetched when this checkout was installed.
      npm_config_prefer_offline: 'true',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_update_notifier: 'false',
      ...more,
    };
  };
  async function bash(text: string, more: Record<string, string>): Promise<string> {
    // The folder and the functions stay for what is typed next. bash goes on where the first part of \`a && b\` fails, and a
    // person does not.
    const commands = text.replaceAll(' && ', '\n');
    const script = `set -e -o pipefail\n. '${terminal}'\n${commands}\n{ declare -f; printf 'cd %q\\n' "$PWD"; } > '${terminal}'\n`;
    const child = spawn('bash', ['-c', script], {
      env: environment(more),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (part: string) => (said += part));
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0)
      throw new Error(
        `It ended with ${String(code)}:\n${text}\n\nIt has printed:\n${said}\n${journals(root)}`,
      );
    return said;
  }

  return {
    root,
    postgres,
    otherPostgres,
    get temporal() {
      return temporal;
    },
    apiUrl: `http://127.0.0.1:${String(apiPort)}`,
    operatorUrl: `http://127.0.0.1:${liveOperatorPort}`,
    noted: {
      apiPort: String(apiPort),
      operatorPort: String(operatorPort),
      workerPort: String(workerPort),
      liveApiPort,
      liveOperatorPort,
      liveWorkerPort,
      'next worker port': String(nextWorkerPort),
      'next live worker port': liveNextWorkerPort,
      'spare port': String(sparePort),
    },
    type: (text, settings = []) =>
      bash(
        here(text),
        Array.isArray(settings) ? read(settings as Settings) : (settings as Record<string, string>),
      ),
    sql: (text, database = 'postgres', server = postgres) =>
      bash(
        `psql -X -v ON_ERROR_STOP=1 '${onDatabase(server.url, database)}' <<'SQL'\n${here(text)}\nSQL`,
        {},
      ),
    read,
    write(file, more) {
      const lines = Object.entries({ ...read([file as `${string}.env`]), ...more }).map(
        ([name, value]) => `${name}=${value}`,
      );
      writeFileSync(join(settingsFolder, file), `${lines.join('\n')}\n`);
    },
    async loseTemporal() {
      await temporal.stop();
      temporal = await startOneTemporal('temporal-2.db', []);
    },
    async close() {
      await bash(
        readUnits(root)
          .map((unit) => `systemctl stop ${unit}`)
          .join('\n'),
        {},
      ).catch(() => undefined);
      await Promise.all([postgres.stop(), otherPostgres.stop(), temporal.stop()]);
      for (const folder of [root, postgres.folder, otherPostgres.folder])
        rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The last words of what systemd would run. */
const journals = (root: string): string =>
  readUnits(root)
    .map((unit) => {
      const words = readFileSync(join(root, 'journal', unit), 'utf8')
        .trimEnd()
        .split('\n')
        .slice(-15);
      return `\nThe journal of ${unit} ends:\n${words.join('\n')}`;
    })
    .join('\n');

/** The units that were started and not stopped. */
const readUnits = (root: string): string[] =>
  existsSync(join(root, 'run'))
    ? readdirSync(join(root, 'run')).map((name) => name.replace(/\.pid$/, ''))
    : [];

/** Copies what git would clone of this checkout, with what is changed in it, into an empty folder. */
export function cloneInto(folder: string): void {
  const project = projectFolder();
  const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: project,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const file of files.split('\0').filter((name) => name !== '' && existsSync(join(project, name))))
    cpSync(join(project, file), join(folder, file), { recursive: true });
}
