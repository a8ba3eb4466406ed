/**
 * A moment is brought back as docs/how-to/restore.md says, by pgBackRest with the files of deploy/postgres: what was committed
 * before it is there, what came later is not, and the movements that were shipped outside say what that was. It needs a pgBackRest
 * that knows the Postgres of npm (2.58 or newer), in the PATH; without one it is skipped, and says so.
 */
import { execFile, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  appendFileSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { filesOf, linesIn } from '../../src/administration/movement-files';
import { newId } from '../../src/db/pg/ids';
import { findDatabaseTime, openPatientPool } from '../../src/db/pg/postgres';
import { directoryOf } from '../../src/db/pg/schema';
import { compareMovements } from '../../src/db/upkeep/compare-movements';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { markRestoredElsewhere } from '../../src/db/upkeep/restore';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import { openShipper } from '../../src/operations/ship-movements';
import { openDestination } from '../../src/providers/movements/destination';
import { AREAS } from '../../src/runtime/logins';
import { projectFolder } from '../../src/administration/project';
import { startPostgres, type RunningPostgres } from '../../tools/launcher/embedded-postgres';
import { openTestCell } from '../support/cell';
import { asLogin, asOwners } from '../support/logins';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

/** The first version that knows Postgres 18. */
const LEAST = [2, 58] as const;
const CELLS = 1;

/** @returns why the test cannot run; null where it can. */
function missing(): string | null {
  const { stdout } = spawnSync('pgbackrest', ['version'], { encoding: 'utf8' });
  const [, major, minor] = /^pgBackRest (\d+)\.(\d+)/.exec(stdout) ?? [];
  if (major === undefined) return 'there is no pgBackRest in the PATH';
  const isNew = Number(major) > LEAST[0] || (Number(major) === LEAST[0] && Number(minor) >= LEAST[1]);
  return isNew ? null : `this pgBackRest is ${major}.${minor ?? ''}, and ${LEAST.join('.')} is needed`;
}

const why = missing();
if (why !== null) process.stderr.write(`A moment is not brought back in this run, because ${why}.\n`);
const run = why === null ? test : test.skip;

run('a moment is brought back, and what was shipped says what came after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wallet-test-moment-'));
  chmodSync(folder, 0o755);
  let postgres: RunningPostgres | undefined;
  try {
    postgres = await startPostgres({ dataDir: join(folder, 'server'), port: 0, durable: true });
    const home = postgres.folder;
    await postgres.stop();
    const data = join(home, 'data');
    const { uid, gid } = statSync(data);
    const repository = join(folder, 'repository');
    mkdirSync(repository, { mode: 0o750 });
    chownSync(repository, uid, gid);
    const config = join(folder, 'pgbackrest.conf');
    const deployed = (name: string) =>
      readFileSync(join(projectFolder(), 'deploy', 'postgres', name), 'utf8');
    writeFileSync(
      config,
      deployed('pgbackrest.conf')
        .replace('/var/lib/pgbackrest', repository)
        .replace('[wallet]', 'repo1-cipher-pass=of-the-test\n\n[wallet]')
        .replace('/var/lib/postgresql/18/main', data)
        .replace('pg1-user=postgres', `pg1-user=wallet\npg1-database=postgres\nlock-path=${repository}/lock`),
    );
    appendFileSync(
      join(data, 'postgresql.conf'),
      deployed('archive.conf').replace('pgbackrest --stanza', `pgbackrest --config=${config} --stanza`),
    );
    postgres = await startPostgres({ dataDir: join(folder, 'server'), port: 0, durable: true });
    const { url } = postgres;
    const { port, password } = new URL(url);
    appendFileSync(config, `pg1-port=${port}\n`);
    const pgbackrest = async (...args: string[]): Promise<void> => {
      const all = [`--config=${config}`, '--stanza=wallet', ...args];
      const env = {
        PATH: String(Reflect.get(process.env, 'PATH')),
        PGHOST: '127.0.0.1',
        PGPASSWORD: decodeURIComponent(password),
      };
      try {
        await promisify(execFile)('pgbackrest', all, { uid, gid, cwd: '/', env });
      } catch (error) {
        const { stdout, stderr } = error as { stdout: string; stderr: string };
        throw new Error(`pgBackRest: ${stdout}${stderr}`, { cause: error });
      }
    };
    await setUpDatabase(url, AREAS, () => decodeURIComponent(password));
    await migrateDatabase(asOwners(url), CELLS);
    await pgbackrest('stanza-create');
    await pgbackrest('--type=full', 'backup');
    const before = await openTestCell(SANDBOX_CELL, url);
    // pgBackRest keeps the end of a backup in whole seconds, and brings back only a moment after that second.
    const ended = await findDatabaseTime(before.owner);
    await until(
      'the second after the backup',
      async () => (await findDatabaseTime(before.owner)).getTime() >= ended.getTime() + 1_000,
    );

    const partnerId = newId();
    const kept = await before.wallet({ partnerId, fundKobo: 70_000 });
    const moment = await findDatabaseTime(before.owner);
    await until(
      'a later moment',
      async () => (await findDatabaseTime(before.owner)).getTime() > moment.getTime() + 50,
    );
    const lost = await before.wallet({ partnerId, fundKobo: 30_000 });
    const [funding] = await before.sql(`SELECT id FROM ${SANDBOX_CELL}.transactions WHERE dest_wallet = $1`, [
      lost,
    ]);
    const outside = join(folder, 'outside');
    const reader = openPatientPool(asLogin(url, 'sandbox_reconcile'), 10_000);
    const shipper = openShipper(
      reader,
      directoryOf('sandbox'),
      [{ schema: SANDBOX_CELL, pool: reader }],
      openDestination(pathToFileURL(outside).href, null),
      new Date(0),
    );
    expect(await shipper.ship()).toBe(2);
    await reader.end();
    const [{ wal }] = (await before.sql('SELECT pg_walfile_name(pg_switch_wal()) AS wal')) as [
      { wal: string },
    ];
    await until('the last part of the log in the archive', async () => {
      const [row] = await before.sql('SELECT last_archived_wal AS last FROM pg_stat_archiver');
      return typeof row?.['last'] === 'string' && row['last'] >= wal;
    });
    await before.close();

    await postgres.stop();
    rmSync(data, { recursive: true });
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, uid, gid);
    await pgbackrest(
      '--type=time',
      `--target=${moment.toISOString().replace('T', ' ').replace('Z', '+00')}`,
      '--target-action=promote',
      'restore',
    );
    expect(existsSync(join(data, 'recovery.signal'))).toBe(true);
    postgres = await startPostgres({ dataDir: join(folder, 'server'), port: Number(port), durable: true });

    const after = await openTestCell(SANDBOX_CELL, postgres.url);
    await until('the end of the recovery', async () => {
      const [row] = await after.sql('SELECT pg_is_in_recovery() AS is');
      return row?.['is'] === false;
    });
    expect(await after.balanceKobo(kept)).toBe(70_000);
    expect(await after.sql(`SELECT id FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [lost])).toEqual([]);
    await markRestoredElsewhere(asOwners(postgres.url), CELLS, moment);
    const owner = openPatientPool(asLogin(postgres.url, 'sandbox_migrate'), 10_000);
    expect(await compareMovements(owner, [SANDBOX_CELL], linesIn(filesOf([outside])))).toEqual({
      compared: 2,
      forgotten: 1,
    });
    await owner.end();
    const findings = await after.sql(`SELECT class, resource, detail FROM ${SANDBOX_CELL}.recon_findings`);
    expect(findings).toMatchObject([
      {
        class: 'lost_in_restore',
        resource: funding?.['id'],
        detail: { kobo: 30_000, is: 'forgotten' },
      },
    ]);
    await after.close();
  } finally {
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
    if (postgres) rmSync(postgres.folder, { recursive: true, force: true });
  }
});
