/**
 * Postgres refuses to run as root. For root (containers, CI) the server runs as another account; where that
 * account cannot reach our folders, binaries and data live in a folder that it can.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { StartError, projectFolder } from '../../src/administration/project';
import type { PostgresBinaries } from './postgres-binaries';

interface Account {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Account = { uid: 65_534, gid: 65_534 };

export interface Place {
  /** Absent: the server runs as we do. */
  readonly account: Account | undefined;
  /** Folder with `bin/initdb` and `bin/postgres`. */
  readonly binaries: string;
  /** Made, writable by the account, closed to others. */
  readonly home: string;
}

/**
 * Decides where Postgres runs and as whom.
 * @param home where the data should be; only the account's reach moves it elsewhere.
 * @param say is told when it had to be elsewhere.
 */
export function choosePlace(
  binaries: PostgresBinaries,
  home: string,
  say: (line: string) => void,
  passwd = '/etc/passwd',
): Place {
  const account = process.getuid?.() === 0 ? (ownerOfData(home) ?? accountFrom(passwd)) : undefined;
  if (account === undefined) {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    return { account, binaries: binaries.folder, home };
  }
  const program = join(binaries.folder, 'bin', 'postgres');
  const reachesBinaries = mayEnterOrRun(account, program);
  const place = {
    account,
    binaries: reachesBinaries ? binaries.folder : copyBinaries(account, binaries),
    home: makeHome(account, home),
  };
  if (place.home !== home || !reachesBinaries) {
    say(`Postgres runs as uid ${String(account.uid)}, which cannot reach this folder; it uses ${place.home}`);
  }
  return place;
}

/**
 * Closes a folder of ours to everybody else, also one that was open before. For root, the account that runs Postgres
 * in it must come through, so the folder becomes that account's.
 * @param home where Postgres has its data in it.
 */
export function closeFolder(folder: string, home: string, passwd = '/etc/passwd'): void {
  chmodSync(folder, 0o700);
  if (process.getuid?.() === 0) own(ownerOfData(home) ?? accountFrom(passwd), folder);
}

/** Data that another account made before, and root opens now, still belong to that account. */
function ownerOfData(home: string): Account | undefined {
  const data = join(home, 'data');
  if (!existsSync(data)) return undefined;
  const { uid, gid } = lstatSync(data);
  return uid === 0 ? undefined : { uid, gid };
}

function accountFrom(passwd: string): Account {
  const text = existsSync(passwd) ? readFileSync(passwd, 'utf8') : '';
  const match = /^postgres:[^:]*:(\d+):(\d+):/m.exec(text);
  return match === null ? NOBODY : { uid: Number(match[1]), gid: Number(match[2]) };
}

/** Asks as the account itself: permissions of every folder above count, and ACLs too. */
function mayEnterOrRun(account: Account, path: string): boolean {
  const { status } = spawnSync('/bin/sh', ['-c', 'test -x "$0"', path], { ...account, cwd: '/' });
  return status === 0;
}

function makeHome(account: Account, wanted: string): string {
  mkdirSync(dirname(wanted), { recursive: true });
  const home = mayEnterOrRun(account, dirname(wanted))
    ? wanted
    : join(sharedFolder(account), `pg-${shortHash(wanted)}`);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  own(account, home);
  return home;
}

function copyBinaries(account: Account, binaries: PostgresBinaries): string {
  const copy = join(sharedFolder(account), `postgres-${binaries.packageVersion}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${String(process.pid)}`;
  cpSync(binaries.folder, unfinished, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(unfinished, copy);
  } catch (error) {
    // Another start of this project has made the same copy meanwhile.
    if (!existsSync(copy)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return copy;
}

/** One folder per project and account, under the system's temporary folder, which everybody can reach. */
function sharedFolder(account: Account): string {
  const name = `partner-wallet-${shortHash(projectFolder())}-${String(account.uid)}`;
  for (const parent of new Set([tmpdir(), '/tmp', '/var/tmp'])) {
    if (!mayEnterOrRun(account, parent)) continue;
    const folder = join(parent, name);
    if (!existsSync(folder)) {
      mkdirSync(folder, { mode: 0o700 });
      own(account, folder);
    }
    // The name can be guessed, so another user may have made the folder first to get our data.
    const found = lstatSync(folder);
    if (!found.isDirectory() || found.uid !== account.uid || (found.mode & 0o077) !== 0) {
      throw new StartError(`${folder} belongs to somebody else. Remove it and start again`);
    }
    return folder;
  }
  throw new StartError('No temporary folder that Postgres can reach. Set DATABASE_URL=...');
}

function own(account: Account, folder: string): void {
  const { uid, gid } = lstatSync(folder);
  if (uid !== account.uid || gid !== account.gid) chownSync(folder, account.uid, account.gid);
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
