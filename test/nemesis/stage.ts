/**
 * The platform that is hurt: two APIs and two workers as processes, each with a network of its own to Postgres, and a
 * Temporal with a file, which all of them reach over one network.
 */
import { execFile } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { projectFolder } from '../../src/administration/project';
import { openDatabase } from '../../src/db/upkeep/set-up';
import { childEnvironment, readStartConfig } from '../../src/runtime/config';
import { AREAS } from '../../src/runtime/logins';
import { freePort } from '../../tools/launcher/ports';
import { findTemporal } from '../../tools/launcher/temporal-binary';
import { startTemporal, type RunningTemporal } from '../../tools/launcher/temporal-server';
import { NAMESPACES } from '../setup/cells';
import { copyDatabase } from '../setup/database';
import { keepDatabase } from '../setup/kept';
import { closeRun, preparePostgres, prepareTemporal } from '../setup/run';
import { startChild, type Child } from '../support/children';
import { openAccess, type PlatformAccess } from '../support/platform-access';
import { openPostgresProxy, openProxy, type Proxy } from '../support/proxy';
import { PLATFORM_SETTINGS } from '../support/settings';

export const PROGRAMS = ['api-1', 'api-2', 'worker-1', 'worker-2'] as const;
export type ProgramName = (typeof PROGRAMS)[number];
export const APIS = PROGRAMS.slice(0, 2);
export const WORKERS = PROGRAMS.slice(2);

interface Program {
  readonly name: ProgramName;
  /** The network between it and Postgres. */
  readonly postgres: Proxy;
  /** Ends it without asking, as a machine does that loses its power. */
  kill(): Promise<void>;
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops its clock, as a machine does that is moved or out of memory; `wake` lets it go on. */
  freeze(): void;
  wake(): void;
}

export interface Stage {
  readonly programs: Readonly<Record<ProgramName, Program>>;
  readonly temporal: {
    /** The network between all programs and Temporal. */
    readonly network: Proxy;
    kill(): Promise<void>;
    start(): Promise<void>;
    freeze(): void;
    wake(): void;
  };
  /** Ends one server process of Postgres without asking: Postgres ends them all and recovers from its log. */
  crashPostgres(): Promise<void>;
  /** `npm run backup`, while the programs run. */
  backUp(): Promise<void>;
  /** `npm run restore` of the latest backup over the database, while no program runs. */
  restore(): Promise<void>;
  readonly access: PlatformAccess;
  /** Of the two APIs, in their order. */
  readonly urls: readonly string[];
  /** What every program has written. */
  readonly logs: string;
  /** @param keepLogs leaves the logs for a person to read. */
  close(keepLogs: boolean): Promise<void>;
}

/**
 * Periods are short where only waiting would be lost. A claim, a lease and a time limit are as in production, because
 * faults must be longer than they are.
 */
const SETTINGS: Record<string, string> = {
  ...PLATFORM_SETTINGS,
  DATABASE_CONNECT_MS: '1000',
  SANDBOX_TRANSFER_MS: '0,1500',
  SANDBOX_KYC_MS: '0,500',
  SWEEP_EVERY_MS: '2000',
  RECONCILE_EVERY_MS: '5000',
  DRAIN_NOTICE_MS: '1000',
  // Longer than the stops, so that a session can end by its payment, and short enough to be waited for.
  USSD_SESSION_MS: '45000',
  // As many attempts as published: the receiver refuses one of seven, and nothing is to be given up.
  WEBHOOK_RETRY_MS: ['0', ...Array.from({ length: 9 }, () => '200')].join(),
};

export async function openStage(random: () => number): Promise<Stage> {
  await preparePostgres();
  await prepareTemporal();
  const database = await copyDatabase();
  const logs = mkdtempSync(join(tmpdir(), 'wallet-nemesis-'));
  const temporal = await openTemporal(logs, random);
  const access = openAccess(database.url, temporal.address, () => '');
  const settings = { ...SETTINGS, TEMPORAL_ADDRESS: `127.0.0.1:${String(temporal.network.port)}` };
  const ports: number[] = [];
  const programs = {} as Record<ProgramName, Program>;
  for (const name of PROGRAMS) {
    const { url, proxy: postgres } = await openPostgresProxy(database.url, random);
    const port = await freePort();
    if (APIS.includes(name)) ports.push(port);
    programs[name] = openProgram(
      name,
      postgres,
      { ...settings, DATABASE_URL: url, PORT: String(port) },
      join(logs, `${name}.log`),
    );
  }
  // The tests' Postgres forgets its last commits when it crashes, because most tests need speed more.
  await access.sql(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET synchronous_commit = on`);
  await openDatabase(database.url, AREAS);
  await Promise.all(Object.values(programs).map((program) => program.start()));
  const administer = async (command: 'backup' | 'restore', ...words: string[]): Promise<void> => {
    const program = join(projectFolder(), 'dist', 'src', 'administration', `${command}.js`);
    const env = childEnvironment({ ...SETTINGS, DATABASE_URL: database.url });
    const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { cwd: logs, env });
    appendFileSync(join(logs, 'administration.log'), stdout);
  };
  let backups = 0;
  const latest = (): string => join(logs, `backup-${String(backups)}`);
  return {
    programs,
    temporal,
    access,
    urls: ports.map((port) => `http://127.0.0.1:${String(port)}`),
    async crashPostgres() {
      const [backend] = await access.sql(
        `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid() LIMIT 1`,
      );
      if (backend) process.kill(backend.pid as number, 'SIGKILL');
    },
    async backUp() {
      backups += 1;
      await administer('backup', latest());
    },
    restore: () => administer('restore', latest(), '--overwrite', new URL(database.url).pathname.slice(1)),
    logs,
    async close(keepLogs) {
      for (const program of Object.values(programs)) {
        await program.kill();
        program.postgres.close();
      }
      await access.close();
      await temporal.close();
      if (keepLogs) keepDatabase({ url: database.url, file: 'npm run nemesis' });
      else await database.drop();
      await closeRun();
      if (!keepLogs) rmSync(logs, { recursive: true, force: true });
    },
  };
}

function openProgram(
  name: ProgramName,
  postgres: Proxy,
  settings: Record<string, string>,
  logFile: string,
): Program {
  const hear = (line: string): void => appendFileSync(logFile, `${line}\n`);
  let child: Child | undefined;
  const tell = (signal: NodeJS.Signals): void => {
    if (child) process.kill(child.pid, signal);
  };
  return {
    name,
    postgres,
    async kill() {
      await child?.kill();
      child = undefined;
    },
    async stop() {
      child?.signal('SIGTERM');
      await child?.ended;
      child = undefined;
    },
    async start() {
      // Postgres recovers after its crash, and a program that cannot reach it may end: a supervisor starts it again.
      for (let tries = 1; !child; tries++) {
        try {
          child = await startChild(name.startsWith('api') ? 'api' : 'worker', settings, hear);
        } catch (error) {
          if (tries === 3) throw error;
          await sleep(1_000);
        }
      }
    },
    freeze: () => tell('SIGSTOP'),
    wake: () => tell('SIGCONT'),
  };
}

async function openTemporal(folder: string, random: () => number) {
  const { path: binary } = await findTemporal(readStartConfig(), console.log);
  const port = await freePort();
  const network = await openProxy(port, random);
  let server: RunningTemporal | undefined;
  const start = async (): Promise<void> => {
    server = await startTemporal({
      binary,
      port,
      uiPort: null,
      dbFile: join(folder, 'temporal.db'),
      namespaces: NAMESPACES,
      logFile: join(folder, 'temporal.log'),
    });
  };
  const tell = (signal: NodeJS.Signals): void => {
    if (server) process.kill(server.pid, signal);
  };
  await start();
  return {
    address: `127.0.0.1:${String(port)}`,
    network,
    start,
    async kill() {
      tell('SIGKILL');
      await server?.ended;
      server = undefined;
    },
    freeze: () => tell('SIGSTOP'),
    wake: () => tell('SIGCONT'),
    async close() {
      await server?.stop();
      network.close();
    },
  };
}
