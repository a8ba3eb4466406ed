/**
 * Brings a backup into a database whose logins are set up: makes the tables as the backup had them, fills them, leaves
 * the marks of a restore, and then runs the newer migrations. Each area is filled in one transaction, so a restore that
 * breaks off leaves an area as it was; it may be run again.
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { endClaims } from '../events/deliveries';
import { directoryOf } from '../pg/schema';
import { ENVIRONMENTS } from '../../domain/partners';
import { ALL_LOGINS, AREAS, LOGINS, roleOf, type Area } from '../../runtime/logins';
import { connect, schemasOf, seconds, sha256Of, tablesOf, type KeptTable, type Manifest } from './backup';
import { migrateDatabase } from './migrate';
import { markRestored } from './restores';

/** The backup cannot be restored here as things are. The message is for a person, and says what to do. */
export class RestoreError extends Error {}

/** What a migration writes into its own tables: such rows are no data. */
const WRITTEN_BY_MIGRATIONS = ['nuban_key', 'audit_head'];

/**
 * @param folder of the backup, with all files of the manifest.
 * @param urls the address of each area, with the login that owns it.
 * @param overwrite the name of the database whose data may be lost; null where there must be none.
 * @throws RestoreError before anything is changed, where the backup is damaged, a process of the platform is
 *   connected, or there are data that nobody allowed to overwrite.
 */
export async function restoreBackup(
  folder: string,
  manifest: Manifest,
  urls: Readonly<Record<Area, string>>,
  overwrite: string | null,
  tell: (line: string) => void,
): Promise<void> {
  const { cellsPerEnvironment } = manifest;
  for (const area of AREAS) await refuseUnfit(urls[area], area, cellsPerEnvironment, overwrite);
  let beganAt = Date.now();
  for (const { file, sha256 } of manifest.tables) {
    const found = await sha256Of(join(folder, file)).catch(() => 'nothing');
    if (found !== sha256)
      throw new RestoreError(`The file ${file} is missing or damaged. Take another backup.`);
  }
  tell(`the files are whole: checked in ${seconds(beganAt)}`);

  beganAt = Date.now();
  const had = new Set(
    Object.entries(manifest.migrations).flatMap(([schema, names]) =>
      names.map((name) => `${schema}/${name}`),
    ),
  );
  await migrateDatabase(urls, cellsPerEnvironment, had);
  tell(`the tables are made as the backup had them in ${seconds(beganAt)}`);

  for (const area of AREAS) {
    beganAt = Date.now();
    const tables = manifest.tables.filter((one) => one.area === area);
    await fill(folder, urls[area], area, manifest, tables);
    const rows = tables.reduce((sum, one) => sum + one.rows, 0);
    tell(`${area}: ${String(rows)} rows in ${seconds(beganAt)}`);
  }
  const { applied } = await migrateDatabase(urls, cellsPerEnvironment);
  tell(`${String(applied)} newer migrations applied`);
}

/**
 * Leaves the marks where a database was restored by other means, such as a snapshot or a point in time of a managed
 * Postgres. The processes must be stopped until then.
 * @param takenAt of which moment the data are.
 */
export async function markRestoredElsewhere(
  urls: Readonly<Record<Area, string>>,
  cellsPerEnvironment: number,
  takenAt: Date,
): Promise<void> {
  for (const area of AREAS) {
    const client = await connect(urls[area]);
    try {
      await refuseProcesses(client, area);
      await inOneTransaction(client, () => leaveMarks(client, area, cellsPerEnvironment, takenAt));
    } finally {
      await client.end();
    }
  }
  await migrateDatabase(urls, cellsPerEnvironment);
}

async function refuseUnfit(
  url: string,
  area: Area,
  cellsPerEnvironment: number,
  overwrite: string | null,
): Promise<void> {
  const client = await connect(url);
  try {
    await refuseProcesses(client, area);
    const { schemas } = schemasOf(area, cellsPerEnvironment);
    for (const { schema, table } of await tablesOf(client, schemas)) {
      if (WRITTEN_BY_MIGRATIONS.includes(table)) continue;
      const { rowCount } = await client.query(`SELECT FROM ${schema}.${table} LIMIT 1`);
      if (rowCount === 0 || client.database === overwrite) continue;
      throw new RestoreError(
        `The database ${client.database ?? ''} has data (in ${schema}.${table}). To lose them and restore the backup ` +
          `in their place, say --overwrite ${client.database ?? ''}`,
      );
    }
  } finally {
    await client.end();
  }
}

/** A process that goes on would write into what is being restored, and would send what must first be asked about. */
async function refuseProcesses(client: Client, area: Area): Promise<void> {
  const logins = ALL_LOGINS.filter((login) => LOGINS[login].usedBy.some((program) => program !== 'command'));
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT usename::text AS name FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND usename = ANY($1)`,
    [logins.map(roleOf)],
  );
  if (rows.length === 0) return;
  throw new RestoreError(
    `Processes of the platform are connected to the database of ${area} (${rows.map(({ name }) => name).join(', ')}). ` +
      'Stop every API and every worker first.',
  );
}

async function fill(
  folder: string,
  url: string,
  area: Area,
  manifest: Manifest,
  tables: readonly KeptTable[],
): Promise<void> {
  const client = await connect(url);
  try {
    await inOneTransaction(client, async () => {
      const { schemas } = schemasOf(area, manifest.cellsPerEnvironment);
      const all = (await tablesOf(client, schemas)).map(nameOf);
      // Triggers keep the rules for what is written. What was kept has obeyed them already.
      for (const name of all) await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER`);
      await client.query(`TRUNCATE ${[...all, ...(await unloggedOf(client, schemas))].join(', ')}`);
      for (const table of await parentsFirst(client, tables)) await copyIn(client, folder, table);
      for (const [name, value] of Object.entries(manifest.sequences)) {
        if (schemas.includes(name.split('.')[0] ?? ''))
          await client.query('SELECT setval($1, $2)', [name, value]);
      }
      for (const name of all) await client.query(`ALTER TABLE ${name} ENABLE TRIGGER USER`);
      await leaveMarks(client, area, manifest.cellsPerEnvironment, new Date(manifest.takenAt));
    });
    for (const table of tables) await client.query(`ANALYZE ${nameOf(table)}`);
  } finally {
    await client.end();
  }
}

const nameOf = ({ schema, table }: { schema: string; table: string }): string => `${schema}.${table}`;

/** Whoever was signed out, or used a token, after the backup could do it again: so nobody is signed in. */
const ENDED_BY_A_RESTORE = [
  'UPDATE platform.sessions SET ended_at = now() WHERE ended_at IS NULL',
  'UPDATE platform.mailed_tokens SET used_at = now() WHERE used_at IS NULL',
  'UPDATE platform.operators SET revoked_at = now() WHERE revoked_at IS NULL',
];

async function leaveMarks(
  client: Client,
  area: Area,
  cellsPerEnvironment: number,
  takenAt: Date,
): Promise<void> {
  if (area === 'platform') for (const statement of ENDED_BY_A_RESTORE) await client.query(statement);
  const environment = ENVIRONMENTS.find((one) => one === area);
  if (environment === undefined) return;
  const directory = directoryOf(environment);
  await markRestored(client, directory, takenAt);
  const cells = schemasOf(area, cellsPerEnvironment).schemas.filter((schema) => schema !== directory);
  for (const cell of cells) await endClaims(client, cell);
}

async function unloggedOf(client: Client, schemas: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
      WHERE nspname = ANY($1) AND relkind = 'r' AND relpersistence = 'u'`,
    [schemas],
  );
  return rows.map(({ name }) => name);
}

/** Foreign keys are checked row by row, so a table comes after those that it names. */
async function parentsFirst(client: Client, tables: readonly KeptTable[]): Promise<KeptTable[]> {
  const { rows } = await client.query<{ child: string; parent: string }>(
    `SELECT (cn.nspname || '.' || c.relname)::text AS child, (pn.nspname || '.' || p.relname)::text AS parent
       FROM pg_constraint o
       JOIN pg_class c ON c.oid = conrelid JOIN pg_namespace cn ON cn.oid = c.relnamespace
       JOIN pg_class p ON p.oid = confrelid JOIN pg_namespace pn ON pn.oid = p.relnamespace
      WHERE contype = 'f' AND conrelid <> confrelid`,
  );
  const ordered: KeptTable[] = [];
  const waiting = new Set(tables);
  while (waiting.size > 0) {
    const names = new Set([...waiting].map(nameOf));
    const free = [...waiting].filter(
      (one) => !rows.some(({ child, parent }) => child === nameOf(one) && names.has(parent)),
    );
    if (free.length === 0) throw new Error('bug: foreign keys in a circle');
    for (const one of free) waiting.delete(one);
    ordered.push(...free);
  }
  return ordered;
}

async function copyIn(client: Client, folder: string, kept: KeptTable): Promise<void> {
  const copied = client.query(copyFrom(`COPY ${nameOf(kept)} (${kept.columns.join(', ')}) FROM STDIN`));
  await pipeline(createReadStream(join(folder, kept.file)), createGunzip(), copied);
  if (copied.rowCount === kept.rows) return;
  throw new RestoreError(`${nameOf(kept)} has ${String(copied.rowCount)} rows and not ${String(kept.rows)}`);
}

async function inOneTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('BEGIN');
  try {
    await work();
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
