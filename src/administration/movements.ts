/**
 * `npm run movements:ship` ships each committed movement of live outside of its database until it is stopped, and
 * `npm run movements:compare -- <files>` compares what was shipped with the database. A restore does the latter by itself.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { openPatientPool } from '../db/pg/postgres';
import { cellNames, directoryOf } from '../db/pg/schema';
import { compareMovements } from '../db/upkeep/compare-movements';
import { openShipper } from '../operations/ship-movements';
import { openDestination } from '../providers/movements/destination';
import type { StartConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { createLogger } from '../runtime/process';
import { administer } from './admin';
import { StartError } from './project';
import { filesOf, linesIn } from './movement-files';

const CONNECT_WITHIN_MS = 5_000;
const EVERY_MS = 1_000;
/** After a failure it waits longer, up to this. */
const AGAIN_MS_MAX = 30_000;
const SAY_EVERY_MS = 60_000;

const environment = new Option('--environment <name>', 'whose movements')
  .choices(['live', 'sandbox'])
  .default('live');
type Named = { environment: 'live' | 'sandbox' };

function destinationOf(settings: StartConfig) {
  const { MOVEMENTS_TO: to, MOVEMENTS_ACCESS_KEY: id, MOVEMENTS_SECRET_KEY: key } = settings;
  if (to === undefined) throw new StartError('MOVEMENTS_TO: set it to where the movements are shipped.');
  const keys =
    id && key ? { accessKeyId: id, secretAccessKey: key, region: settings.MOVEMENTS_REGION } : null;
  try {
    return openDestination(to, keys);
  } catch (error) {
    throw new StartError((error as Error).message);
  }
}

async function ship({ environment: name }: Named): Promise<void> {
  await administer([`${name}_reconcile`], async (settings, urls) => {
    const destination = destinationOf(settings);
    const logger = createLogger({ LOG_LEVEL: 'info' }, 'movements');
    const pool = openPatientPool(databaseUrl(urls, `${name}_reconcile`), CONNECT_WITHIN_MS);
    const cells = cellNames(name, settings.CELLS_PER_ENVIRONMENT).map((schema) => ({ schema, pool }));
    const shipper = openShipper(pool, directoryOf(name), cells, destination, new Date());
    const ended = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended.abort());
    logger.info({ to: destination.name, environment: name }, 'Movements are shipped');
    let [lines, failures, saidAt] = [0, 0, Date.now()];
    while (!ended.signal.aborted) {
      try {
        lines += await shipper.ship();
        failures = 0;
      } catch (error) {
        failures++;
        logger.warn({ err: error, failures }, 'Movements could not be shipped now; they are shipped later');
      }
      if (Date.now() - saidAt >= SAY_EVERY_MS) {
        logger.info({ lines }, 'Movements were shipped in the last minute');
        [lines, saidAt] = [0, Date.now()];
      }
      const waitMs = Math.min(EVERY_MS * 2 ** failures, AGAIN_MS_MAX);
      await sleep(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
    }
    // What was committed until now goes along.
    await shipper
      .ship()
      .catch((error: unknown) => logger.warn({ err: error }, 'The last movements were not shipped'));
    await destination.close();
    await pool.end();
  });
}

async function compare(named: string[], { environment: name }: Named): Promise<void> {
  await administer([`${name}_migrate`], async (settings, urls) => {
    const files = filesOf(named);
    const pool = openPatientPool(databaseUrl(urls, `${name}_migrate`), CONNECT_WITHIN_MS);
    try {
      const cells = cellNames(name, settings.CELLS_PER_ENVIRONMENT);
      const { compared, forgotten } = await compareMovements(pool, cells, linesIn(files));
      process.stdout.write(
        `${String(compared)} transactions were shipped; the database has forgotten ${String(forgotten)} of them or of their ends.\n`,
      );
      if (forgotten > 0) process.exitCode = 1;
    } finally {
      await pool.end();
    }
  });
}

const program = new Command('npm run movements:').description('Movements outside of the database.');
program.command('ship').description('ship until it is stopped').addOption(environment).action(ship);
program
  .command('compare')
  .description('compare what was shipped with the database, and note what it has forgotten')
  .argument('<files...>', 'files and folders with shipped lines')
  .addOption(environment)
  .action(compare);
void program.parseAsync();
