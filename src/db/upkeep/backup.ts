/**
 * Writes every table of the platform into a folder, one file each, as of one moment. A backup has the data and the
 * names of the migrations that made their tables, and neither roles nor rights: those are made anew where it is
 * restored. So it fits every server that the set-up fits, whoever made its roles (docs/decisions/0029).
 */
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Anchor } from '../../domain/audit';
import { AREAS, type Area } from '../../runtime/logins';
import { allSchemas } from '../pg/schema';

/** The file in a backup's folder that says what is in it. It is written last: without it a backup is unfinished. */
export const MANIFEST = 'backup.json';

export interface KeptTable {
  area: Area;
  schema: string;
  table: string;
  columns: string[];
  rows: number;
  file: string;
  /** Of the file, in hexadecimal digits. */
  sha256: string;
}

export interface Manifest {
  /** Of which moment the data are. */
  takenAt: string;
  cellsPerEnvironment: number;
  /** The migrations that had run, by schema. */
  migrations: Record<string, string[]>;
  /** The last value of each sequence, by its full name. */
  sequences: Record<string, string>;
  /** The end of the operators' trail: the restored trail must have it. */
  anchor: Anchor;
  tables: KeptTable[];
}

/** The schemas of an area, and the one that remembers its migrations. */
export function schemasOf(area: Area, cellsPerEnvironment: number): { kept: string; schemas: string[] } {
  const found = allSchemas(cellsPerEnvironment).find(({ environment }) => environment === area);
  if (!found) return { kept: 'platform', schemas: ['platform'] };
  return { kept: found.directory, schemas: [found.directory, ...found.cells] };
}

/**
 * In this order the moments of the areas are fixed, where they lie on several servers: partners come last, so that the
 * backup has the partner of every wallet.
 */
const ORDER = AREAS.toReversed();

/**
 * Writes the tables of all areas into an existing folder.
 * @param urls the address of each area, with the login that owns it.
 * @param readAnchor reads the trail's end in the moment of the backup, and checks the trail.
 * @param tell is told what was done, a sentence each time.
 */
export async function takeBackup(
  folder: string,
  urls: Readonly<Record<Area, string>>,
  cellsPerEnvironment: number,
  readAnchor: (platform: Client) => Promise<Anchor>,
  tell: (line: string) => void,
): Promise<Manifest> {
  const opened: { area: Area; client: Client }[] = [];
  try {
    // All moments are fixed before the first table is read.
    const snapshots = new Map<string, string>();
    let takenAt: Date | undefined;
    for (const area of ORDER) {
      const client = await connect(urls[area]);
      opened.push({ area, client });
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const place = placeOf(urls[area]);
      const shared = snapshots.get(place);
      if (shared !== undefined) await client.query(`SET TRANSACTION SNAPSHOT '${shared}'`);
      const { rows } = await client.query<{ now: Date; snapshot: string }>(
        'SELECT now()::timestamptz(3) AS now, pg_export_snapshot() AS snapshot',
      );
      takenAt ??= rows[0]?.now;
      snapshots.set(place, shared ?? rows[0]?.snapshot ?? '');
    }
    const manifest: Manifest = {
      takenAt: (takenAt ?? new Date()).toISOString(),
      cellsPerEnvironment,
      migrations: {},
      sequences: {},
      anchor: { sequence: 0, seal: '' },
      tables: [],
    };
    for (const { area, client } of opened) {
      const beganAt = Date.now();
      const { kept, schemas } = schemasOf(area, cellsPerEnvironment);
      if (area === 'platform') manifest.anchor = await readAnchor(client);
      for (const schema of schemas) manifest.migrations[schema] = await migrationsOf(client, kept, schema);
      Object.assign(manifest.sequences, await sequencesOf(client, schemas));
      let rows = 0;
      for (const one of await tablesOf(client, schemas)) {
        const table = await copyOut(client, folder, { area, ...one });
        manifest.tables.push(table);
        rows += table.rows;
      }
      tell(`${area}: ${String(rows)} rows in ${seconds(beganAt)}`);
    }
    return manifest;
  } finally {
    for (const { client } of opened) await client.end();
  }
}

export const seconds = (since: number): string => `${((Date.now() - since) / 1_000).toFixed(1)} s`;

/** @param url of the owner of an area. */
export async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  // If the server stops meanwhile, the connection breaks, and the statement reports it.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Two logins of one database see one snapshot. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return host + pathname;
}

async function migrationsOf(client: Client, kept: string, schema: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT name FROM ${kept}.migrations_of_${schema} ORDER BY id`,
  );
  return rows.map(({ name }) => name);
}

async function sequencesOf(client: Client, schemas: readonly string[]): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT schemaname || '.' || sequencename AS name, last_value::text AS value FROM pg_sequences
      WHERE schemaname = ANY($1) AND sequencename !~ '${NOT_OURS}'`,
    [schemas],
  );
  return Object.fromEntries(rows.flatMap(({ name, value }) => (value === null ? [] : [[name, value]])));
}

/** knex's own tables, which the migrations fill. */
const NOT_OURS = '^migrations_of_';

/**
 * The tables of these schemas with the columns that are written. An unlogged table holds what a crash may forget, so
 * it is not kept.
 */
export async function tablesOf(
  client: Client,
  schemas: readonly string[],
): Promise<{ schema: string; table: string; columns: string[] }[]> {
  const { rows } = await client.query<{ schema: string; table: string; columns: string[] }>(
    `SELECT nspname::text AS schema, relname::text AS table, array_agg(attname::text ORDER BY attnum) AS columns
       FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
       JOIN pg_attribute ON attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
      WHERE nspname = ANY($1) AND relkind = 'r' AND relpersistence = 'p' AND relname !~ '${NOT_OURS}'
      GROUP BY 1, 2 ORDER BY 1, 2`,
    [schemas],
  );
  return rows;
}

async function copyOut(
  client: Client,
  folder: string,
  { area, schema, table, columns }: Pick<KeptTable, 'area' | 'schema' | 'table' | 'columns'>,
): Promise<KeptTable> {
  const file = `${schema}.${table}.copy.gz`;
  const hash = createHash('sha256');
  const copied = client.query(copyTo(`COPY ${schema}.${table} (${columns.join(', ')}) TO STDOUT`));
  const hashed = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  // The files hold sealed numbers and hashes of keys: nobody else reads them.
  await pipeline(
    copied,
    createGzip({ level: 1 }),
    hashed,
    createWriteStream(join(folder, file), { mode: 0o600 }),
  );
  const sha256 = hash.digest('hex');
  return { area, schema, table, columns, rows: copied.rowCount, file, sha256 };
}

/** The SHA-256 of a file, in hexadecimal digits. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
