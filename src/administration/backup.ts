/**
 * `npm run backup -- <folder>`: writes all data of the platform into a new folder, while the platform serves, and says
 * how long it took. The secrets are not in it: without them nobody can open what is sealed, not even you.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Command } from 'commander';
import { MANIFEST, seconds, takeBackup, type Manifest } from '../db/upkeep/backup';
import { noteChore } from '../db/upkeep/chores';
import { verifyAudit } from '../db/upkeep/audit';
import { writeAnchor } from '../domain/audit';
import { databaseUrl, migrateUrls } from '../runtime/database-urls';
import { administer, OWNER, trailKeys, withDatabase } from './admin';
import { writePrivate } from './private-file';
import { StartError } from './project';

void new Command('npm run backup --')
  .description('Writes all data into a new folder.')
  .argument('<folder>', 'where; it must not exist yet')
  .action((named: string) =>
    administer(['platform_migrate', 'sandbox_migrate', 'live_migrate'], async (settings, urls) => {
      const beganAt = Date.now();
      const folder = resolve(named);
      const unfinished = `${folder}.unfinished`;
      // Before anything is read: a backup that is refused at its end may have taken an hour.
      if (existsSync(folder)) {
        throw new StartError(
          `${folder} is there already, and is left as it is. Name a folder that is not there yet.`,
        );
      }
      try {
        mkdirSync(unfinished, { mode: 0o700 });
      } catch (error) {
        throw new StartError(whyNot(unfinished, error as NodeJS.ErrnoException));
      }
      const tell = (line: string): void => void process.stdout.write(`${line}\n`);
      const keys = trailKeys(settings);
      let manifest: Manifest;
      try {
        manifest = await takeBackup(
          unfinished,
          migrateUrls(urls),
          settings.CELLS_PER_ENVIRONMENT,
          async (platform) => {
            const verdict = await verifyAudit(platform, keys);
            // A broken trail is a reason to look at once; a backup that vouches for it would hide that.
            if (!verdict.ok)
              throw new StartError(`The trail is BROKEN at row ${String(verdict.sequence)}: ${verdict.why}`);
            return verdict.end;
          },
          tell,
        );
        writePrivate(join(unfinished, MANIFEST), manifest);
      } catch (error) {
        // What has broken off is of no use, and would be in the way of the next one.
        rmSync(unfinished, { recursive: true, force: true });
        throw error;
      }
      renameSync(unfinished, folder);
      await withDatabase(databaseUrl(urls, OWNER), (db) =>
        noteChore(db, 'backup', new Date(manifest.takenAt), 'npm run backup'),
      );
      tell(`backup of ${manifest.takenAt} in ${folder}, taken in ${seconds(beganAt)}`);
      tell(`anchor of the trail, to be kept elsewhere: ${writeAnchor(manifest.anchor)}`);
    }),
  )
  .parseAsync();

/** Why the folder of an unfinished backup could not be made. */
function whyNot(unfinished: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'EEXIST') {
    return (
      `${unfinished} is there already: a backup to this folder is running, or has broken off. Name another folder, or ` +
      'remove that one.'
    );
  }
  if (code === 'ENOENT') return `There is no folder ${dirname(unfinished)}. Make it first.`;
  return `${unfinished} could not be made: ${message}`;
}
