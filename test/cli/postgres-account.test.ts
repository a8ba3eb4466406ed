/** Who runs Postgres, and where: root has to choose, other accounts have nothing to choose. */
import { chmodSync, chownSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { choosePlace, closeFolder } from '../../tools/launcher/postgres-account';
import { takeFolder } from '../../tools/launcher/start-settings';
import { StartError } from '../../src/administration/project';
import { postgresBinaries } from '../../tools/launcher/postgres-binaries';
import { temporaryFolder } from './folder';

const isRoot = process.getuid?.() === 0;
const folder = temporaryFolder();
const passwd = join(folder, 'passwd');
const binaries = postgresBinaries();

function place(home: string, users: string, from = binaries) {
  writeFileSync(passwd, users);
  const said: string[] = [];
  return { ...choosePlace(from, home, (line) => said.push(line), passwd), said };
}

/** Only root may give files away; whoever else runs this has the one case of its own. */
describe(isRoot ? 'root' : 'another account', isRoot ? casesOfRoot : casesOfOthers);

describe('the data folder', () => {
  const modeOf = (path: string) => lstatSync(path).mode & 0o7777;

  test.each([
    ['is made closed to everybody else', null],
    ['is closed where it was open to all', 0o755],
    ['is closed where all could write to it', 0o777],
    ['is opened to us where nobody could use it', 0o600],
  ])('%s', (name, before) => {
    const path = join(folder, name);
    if (before !== null) {
      mkdirSync(path);
      chmodSync(path, before);
    }
    takeFolder(path).release();
    expect(modeOf(path)).toBe(0o700);
    expect(modeOf(join(path, 'logs'))).toBe(0o700);
  });

  test('is never one in which everybody keeps things, such as /tmp', () => {
    const path = join(folder, 'shared');
    mkdirSync(path);
    chmodSync(path, 0o1777);
    expect(() => takeFolder(path)).toThrow(StartError);
    expect(modeOf(path)).toBe(0o1777);
  });
});

function casesOfOthers(): void {
  test('runs it by itself, in the folder that was asked for', () => {
    const home = join(folder, 'own', 'pg');
    const chosen = place(home, 'postgres:x:4711:4712::/:\n');
    expect(chosen).toEqual({ account: undefined, binaries: binaries.folder, home, said: [] });
    expect(lstatSync(home)).toMatchObject({ uid: process.getuid?.() });
    expect(lstatSync(home).mode & 0o777).toBe(0o700);
  });
}

function casesOfRoot(): void {
  test.each([
    ['user postgres', 'root:x:0:0::/:\npostgres:x:4711:4712::/:\n', { uid: 4711, gid: 4712 }],
    ['nobody, where there is no such user', 'root:x:0:0::/:\n', { uid: 65_534, gid: 65_534 }],
  ])('root runs it as %s, in the folder that was asked for', (name, users, account) => {
    const home = join(folder, `as ${name}`, 'pg');
    const chosen = place(home, users);
    expect(chosen).toMatchObject({ account, home, said: [] });
    expect(lstatSync(home)).toMatchObject({ uid: account.uid, gid: account.gid });
    expect(lstatSync(home).mode & 0o777).toBe(0o700);
  });

  test('the account comes through a folder that was closed, and nobody else does', () => {
    const data = join(folder, 'closed to others');
    const home = join(data, 'pg');
    mkdirSync(data);
    writeFileSync(passwd, 'postgres:x:4711:4712::/:\n');
    closeFolder(data, home, passwd);
    expect(place(home, 'postgres:x:4711:4712::/:\n')).toMatchObject({ home, said: [] });
    expect(lstatSync(data)).toMatchObject({ uid: 4_711, gid: 4_712 });
    expect(lstatSync(data).mode & 0o777).toBe(0o700);
  });

  test('data that another account made before stay with it', () => {
    const home = join(folder, 'mine');
    mkdirSync(join(home, 'data'), { recursive: true });
    const { uid, gid } = { uid: 1_234, gid: 1_235 };
    for (const path of [home, join(home, 'data')]) chownSync(path, uid, gid);
    expect(place(home, '').account).toEqual({ uid, gid });
  });

  test('a folder that the account cannot reach is replaced by one that it can, and told', () => {
    const closed = join(folder, 'closed');
    mkdirSync(closed);
    chmodSync(closed, 0o700);
    const chosen = place(join(closed, 'pg'), '');
    expect(chosen.home).not.toContain(closed);
    expect(chosen.said).toEqual([expect.stringContaining(chosen.home)]);
    expect(lstatSync(dirname(chosen.home))).toMatchObject({ uid: 65_534 });
    expect(lstatSync(dirname(chosen.home)).mode & 0o777).toBe(0o700);
    rmSync(chosen.home, { recursive: true });
  });

  test('binaries that the account cannot reach are copied once', () => {
    const closed = join(folder, 'closed-binaries');
    mkdirSync(join(closed, 'bin'), { recursive: true });
    writeFileSync(join(closed, 'bin', 'postgres'), '', { mode: 0o755 });
    chmodSync(closed, 0o700);
    const from = { folder: closed, packageVersion: `test-${String(process.pid)}` };
    const first = place(join(folder, 'open-1'), '', from);
    expect(first.binaries).not.toBe(closed);
    expect(lstatSync(join(first.binaries, 'bin', 'postgres')).isFile()).toBe(true);
    writeFileSync(join(first.binaries, 'mark'), '');
    expect(place(join(folder, 'open-2'), '', from).binaries).toBe(first.binaries);
    expect(lstatSync(join(first.binaries, 'mark')).isFile()).toBe(true);
    rmSync(first.binaries, { recursive: true });
  });
}
