/** `npm run db:migrate`: runs the migrations that the database, or that of the local sandbox, still lacks. */
import { migrateDatabase } from '../db/upkeep/migrate';
import { migrateUrls } from '../runtime/database-urls';
import { administer } from './admin';

void administer(['platform_migrate', 'sandbox_migrate', 'live_migrate'], async (settings, urls) => {
  const { applied, newer } = await migrateDatabase(migrateUrls(urls), settings.CELLS_PER_ENVIRONMENT);
  // A rolled-back version comes with its own migrate, and must be able to start.
  if (newer.length > 0)
    process.stdout.write(`The database is newer than this version; nothing was done: ${newer.join(', ')}\n`);
  else process.stdout.write(applied === 0 ? 'up to date\n' : `${String(applied)} migrations applied\n`);
});
