/** Reads and checks the settings of `npm start` before anything runs, and takes its data folder. */
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  childEnvironment,
  loadDotEnv,
  readConfig,
  readStartConfig,
  type StartConfig,
} from '../../src/runtime/config';
import { SECRET_NAMES } from '../../src/runtime/secret-names';
import { StartError, dataFiles } from '../../src/administration/project';
import { runsCommand } from './pids';
import { closeFolder } from './postgres-account';

/** The folder that holds everything that a start makes. */
export interface Folder {
  readonly path: string;
  readonly logs: string;
  readonly secretsFile: string;
  readonly sandboxFile: string;
  /** The folder of the mails. */
  readonly mails: string;
  /** Frees the folder for the next start. */
  release(): void;
}

/**
 * Reads `.env` and the environment.
 * @throws ConfigError naming every bad variable of this start and of the processes that it will run;
 * StartError in production.
 */
export function readSettings(): StartConfig {
  loadDotEnv();
  if (childEnvironment({})['NODE_ENV'] === 'production') {
    throw new StartError('npm start is the sandbox. Use start:api and start:worker');
  }
  const later = Object.fromEntries([
    // These are known only when Postgres runs and the secrets are read.
    ['DATABASE_URL', 'postgres://127.0.0.1'],
    ...SECRET_NAMES.map((name) => [name, randomBytes(32).toString('base64')]),
  ]) as Record<string, string>;
  const lines = [() => readStartConfig(), () => readConfig(childEnvironment(later))].flatMap(problemsOf);
  if (lines.length > 0) throw new ConfigError([...new Set(lines)].join('\n'));

  return readStartConfig();
}

function problemsOf(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
}

/** The mode of folders such as `/tmp`, in which everybody may make files. */
const SHARED_BY_ALL = 0o1000;

/** Where Postgres has its data in the data folder. */
export const postgresHome = (folder: string): string => join(folder, 'pg');

/**
 * Takes the data folder for this start, and closes it to everybody else: secrets, mails and books are in it.
 * @throws StartError when another start has it: two Temporals on one file would destroy it.
 */
export function takeFolder(dataDir: string): Folder {
  const files = dataFiles(dataDir);
  const { path } = files;
  const logs = join(path, 'logs');
  const pidFile = join(path, 'start.pid');
  try {
    mkdirSync(logs, { recursive: true, mode: 0o700 });
    // Closed, such a folder would be of use to nobody else on this machine.
    if ((statSync(path).mode & SHARED_BY_ALL) !== 0) {
      throw new StartError(
        `${path} belongs to everybody. Name a folder of its own: DATA_DIR=${join(path, 'wallet')} npm start`,
      );
    }
    closeFolder(path, postgresHome(path));
    takeOver(pidFile, path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new StartError(
      `${path} cannot be written (${code}). Name another folder: DATA_DIR=/path/to/folder npm start`,
    );
  }
  return {
    ...files,
    logs,
    release: () => {
      rmSync(pidFile, { force: true });
    },
  };
}

function takeOver(pidFile: string, path: string): void {
  try {
    writeFileSync(pidFile, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const holder = Number(readFileSync(pidFile, 'utf8'));
    // The number that a killed start left behind may belong to another process by now, even to ours.
    if (holder !== process.pid && runsCommand(holder, 'start.')) {
      throw new StartError(
        `npm start already runs here (pid ${String(holder)}, ${path}). For a second one:\n` +
          '  DATA_DIR=.data-2 PORT=0 npm start',
      );
    }
    writeFileSync(pidFile, String(process.pid));
  }
}
