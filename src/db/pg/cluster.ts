/** Statements about a whole Postgres server: whether it is the expected one, and which databases it has. */
import { Client, escapeIdentifier } from 'pg';

export interface ServerFacts {
  /** As in `18.4`. */
  readonly version: string;
  readonly dataFolder: string;
}

/**
 * Asks a server for its version and its data folder. The user must be a superuser.
 * @throws the driver's error when the server does not answer within `timeoutMs`, or refuses the connection.
 */
export async function serverFacts(url: string, timeoutMs: number): Promise<ServerFacts> {
  return withClient(url, timeoutMs, async (client) => {
    const { rows } = await client.query<{ version: string; folder: string }>(
      `SELECT current_setting('server_version') AS version, current_setting('data_directory') AS folder`,
    );
    const [row] = rows;
    if (row === undefined) throw new Error('the server answered nothing');
    return { version: row.version.split(' ')[0] ?? row.version, dataFolder: row.folder };
  });
}

/**
 * Creates database `name` on the server of `url` unless it exists; `template` is copied when given, as files, because
 * a page by page copy through the log takes half as long again.
 */
export async function createDatabase(url: string, name: string, template?: string): Promise<void> {
  await withClient(url, 10_000, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount !== 0) return;
    const copied = template === undefined ? '' : ` TEMPLATE ${escapeIdentifier(template)} STRATEGY FILE_COPY`;
    await client.query(`CREATE DATABASE ${escapeIdentifier(name)}${copied}`);
  });
}

/** Drops database `name`, and ends its connections. A database that does not exist is not an error. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await withClient(url, 10_000, async (client) => {
    await client.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`);
  });
}

async function withClient<Result>(
  url: string,
  timeoutMs: number,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // If the server stops meanwhile, the connection breaks, and the query reports it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
