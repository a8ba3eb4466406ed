/**
 * `npm run db:migrate`: runs the migrations that the database of DATABASE_URL, or of the local sandbox, still
 * lacks.
 */
import { migrateDatabase } from '../db/upkeep/migrate';
import { administer } from './admin';

void administer(async (settings, databaseUrl) => {
  const { applied } = await migrateDatabase(databaseUrl, settings.CELLS_PER_ENVIRONMENT);
  process.stdout.write(applied === 0 ? 'up to date\n' : `${String(applied)} migrations applied\n`);
});
