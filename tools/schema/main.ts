/** `npm run schema`: writes `migrations/schema/*.sql` out of a database that is migrated on a throw-away Postgres. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { projectFolder } from '../../src/administration/project';
import { migrateDatabase } from '../../src/db/upkeep/migrate';
import { setUpDatabase } from '../../src/db/upkeep/set-up';
import { migrateUrls, passwordIn } from '../../src/runtime/database-urls';
import { AREAS } from '../../src/runtime/logins';
import { startPostgres } from '../launcher/embedded-postgres';
import { describeAreas } from './areas';

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'wallet-schema-pg-'));
  const { url, folder, stop } = await startPostgres({ dataDir, port: 0, durable: false });
  const client = new pg.Client({ connectionString: url });
  try {
    await setUpDatabase(url, AREAS, () => passwordIn(url));
    await migrateDatabase(migrateUrls({ DATABASE_URL: url }), 1);
    await client.connect();
    for (const [file, text] of Object.entries(await describeAreas(client))) {
      writeFileSync(join(projectFolder(), file), text);
    }
  } finally {
    await client.end();
    await stop();
    for (const used of [dataDir, folder]) rmSync(used, { recursive: true, force: true });
  }
}

void main();
