/** `npm run db:migrate`: runs the migrations that the database, or that of the local sandbox, still lacks. */
import { migrateDatabase } from '../db/upkeep/migrate';
import { migrateUrls } from '../runtime/database-urls';
import { administer } from './admin';

void administer(['platform_migrate', 'sandbox_migrate', 'live_migrate'], async (settings, urls) => {
  const { applied } = await migrateDatabase(migrateUrls(urls), settings.CELLS_PER_ENVIRONMENT);
  process.stdout.write(applied === 0 ? 'up to date\n' : `${String(applied)} migrations applied\n`);
});
