/**
 * `npm run restore -- <folder> [--overwrite <database>]`: brings a backup into a database whose logins are set up, with
 * all processes stopped. `npm run restore -- --elsewhere <time>` leaves the marks of a restore where the database was
 * restored by other means. Both leave a sealed row in the operators' trail (G35).
 */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import pg from 'pg';
import { MANIFEST, seconds, type Manifest } from '../db/upkeep/backup';
import { appendAuditWith, verifyAudit } from '../db/upkeep/audit';
import { cellNames } from '../db/pg/schema';
import { compareMovements } from '../db/upkeep/compare-movements';
import { markRestoredElsewhere, restoreBackup } from '../db/upkeep/restore';
import { inTransaction } from '../db/pg/postgres';
import { ADMINISTRATOR, readKeptSeal, writeAnchor } from '../domain/audit';
import { databaseUrl, migrateUrls, type DatabaseUrls } from '../runtime/database-urls';
import type { StartConfig } from '../runtime/config';
import { accountName, administer, OWNER, trailKeys } from './admin';
import { filesOf, linesIn } from './movement-files';
import { StartError } from './project';

interface Options {
  overwrite?: string;
  elsewhere?: Date;
  movements?: string[];
}

const pastTime = (text: string): Date => {
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at > new Date())
    throw new InvalidArgumentError('not a time that has passed');
  return at;
};

const tell = (line: string): void => void process.stdout.write(`${line}\n`);

void new Command('npm run restore --')
  .description('Brings a backup back, or marks a database that was restored by other means.')
  .argument('[folder]', 'of the backup')
  .addOption(new Option('--overwrite <database>', 'the name of the database whose data may be lost'))
  .addOption(new Option('--elsewhere <time>', 'the database is as of this time already').argParser(pastTime))
  .option('--movements <files...>', 'files and folders with the movements that were shipped, to compare with')
  .action((named: string | undefined, { overwrite, elsewhere, movements }: Options) =>
    administer(['platform_migrate', 'sandbox_migrate', 'live_migrate'], async (settings, urls) => {
      if ((named === undefined) === (elsewhere === undefined)) {
        throw new StartError('Name either the folder of a backup, or --elsewhere with a time.');
      }
      const shipped = movements ? filesOf(movements) : null;
      const beganAt = Date.now();
      const owners = migrateUrls(urls);
      if (elsewhere) {
        await markRestoredElsewhere(owners, settings.CELLS_PER_ENVIRONMENT, elsewhere);
        await sealRestore(settings, urls, { takenAt: elsewhere.toISOString(), anchor: null });
      } else {
        const folder = resolve(named ?? '');
        const manifest = readManifest(folder);
        if (manifest.cellsPerEnvironment !== settings.CELLS_PER_ENVIRONMENT) {
          throw new StartError(
            `Set CELLS_PER_ENVIRONMENT=${String(manifest.cellsPerEnvironment)}, as the backup has it.`,
          );
        }
        await restoreBackup(folder, manifest, owners, overwrite ?? null, tell);
        const { takenAt, anchor } = manifest;
        await sealRestore(settings, urls, { takenAt, anchor: writeAnchor(anchor) });
      }
      if (shipped) await compareShipped(settings, urls, shipped);
      tell(`restored in ${seconds(beganAt)}. Next: start the workers, and then the API.`);
    }),
  )
  .parseAsync();

function readManifest(folder: string): Manifest {
  const file = join(folder, MANIFEST);
  if (!existsSync(file))
    throw new StartError(`${folder} has no ${MANIFEST}: it is no backup, or an unfinished one.`);
  return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
}

/** Tells what was answered since the backup, and notes each of it as a finding of live. */
async function compareShipped(
  settings: StartConfig,
  urls: DatabaseUrls,
  files: readonly string[],
): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl(urls, 'live_migrate'), max: 1 });
  try {
    const cells = cellNames('live', settings.CELLS_PER_ENVIRONMENT);
    const { compared, forgotten } = await compareMovements(pool, cells, linesIn(files));
    tell(
      `${String(compared)} movements were shipped; ${String(forgotten)} of them are forgotten, each with a finding`,
    );
  } finally {
    await pool.end();
  }
}

/**
 * Checks the restored trail, which must have the seal of the backup, and seals a row that says what was restored: rows
 * that are missing in it from then on are explained by it.
 */
async function sealRestore(
  settings: StartConfig,
  urls: DatabaseUrls,
  detail: { takenAt: string; anchor: string | null },
): Promise<void> {
  const keys = trailKeys(settings);
  const [key] = keys;
  if (!key) throw new Error('bug: there is no key of the trail');
  const pool = new pg.Pool({ connectionString: databaseUrl(urls, OWNER), max: 1 });
  try {
    const kept = detail.anchor === null ? null : readKeptSeal(detail.anchor);
    const verdict = await verifyAudit(pool, keys, kept);
    if (!verdict.ok)
      throw new StartError(`The trail is BROKEN at row ${String(verdict.sequence)}: ${verdict.why}`);
    const entry = { action: 'restoreDatabase', resource: 'database', requestId: '', phase: 'done' } as const;
    const sealed = await inTransaction(pool, (trx) =>
      appendAuditWith(trx, key, {
        ...entry,
        operator: ADMINISTRATOR,
        detail: { ...detail, account: accountName() },
      }),
    );
    tell(`the trail is whole; new anchor: ${writeAnchor({ sequence: sealed.sequence, seal: sealed.hash })}`);
  } finally {
    await pool.end();
  }
}
