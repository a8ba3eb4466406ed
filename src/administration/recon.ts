/**
 * `npm run recon:import -- --provider <name> --day <day> [--file <file>]`: imports a day of a provider's statement in live
 * and compares it with our books. It is given the settings of a worker, and uses the login that reads the books and writes
 * findings, and the worker's own for what is booked. It ends with 1 while the day has an open finding (docs/how-to/close-the-day.md).
 */
import { readFileSync } from 'node:fs';
import { Command, InvalidArgumentError } from 'commander';
import pino from 'pino';
import { isDay } from '../domain/days';
import { nairaText } from '../domain/money';
import { openPatientPool } from '../db/pg/postgres';
import { ownBooks } from '../operations/days/own-books';
import { askAboutDifferences } from '../operations/days/ask-about-differences';
import { checkDay } from '../operations/days/check-day';
import { importDay, type ImportedDay } from '../operations/days/import-day';
import { ConfigError, loadDotEnv, readWorkerConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { openEnvironments } from '../runtime/environment';
import { readStatementFile } from '../wire/statement-file';
import { StartError } from './project';

function day(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('a day as in 2026-11-25');
  return text;
}

function linesOf(file: string) {
  const read = readStatementFile(readFileSync(file, 'utf8'));
  if (!read.ok) throw new StartError(`${file}, ${read.refusal.message ?? 'cannot be read'}`);
  return read.value;
}

interface Options {
  provider: string;
  day: string;
  file?: string;
}

async function run({ provider, day: asked, file }: Options): Promise<void> {
  loadDotEnv();
  const config = readWorkerConfig();
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const { sandbox, live } = openEnvironments(config, logger, 'worker');
  const pool = openPatientPool(databaseUrl(config, 'live_reconcile'), config.DATABASE_CONNECT_MS);
  try {
    const cells = [...live.cells.values()].map(({ schema }) => ({ schema, pool }));
    const treasury = live.providers.treasury.find(({ name }) => name === provider)?.treasury ?? null;
    const statements = { pool, directory: live.directory, provider };
    const lines = file === undefined ? null : linesOf(file);
    const imported = await importDay(statements, ownBooks(live).cell, cells, treasury, asked, lines);
    if (!imported.ok) throw new StartError(imported.refusal.message ?? imported.refusal.code);
    let compared: ImportedDay = imported.value;
    // What the statement says of a payout is asked about, and only the answer is booked.
    if ((await askAboutDifferences(live, logger, compared.open)) > 0) {
      compared = { ...compared, ...(await checkDay(statements, cells, compared.day)) };
    }
    process.stdout.write(told(provider, compared));
    if (compared.open.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([pool.end(), sandbox.close(), live.close()]);
  }
}

/** What a person reads at the end. */
function told(provider: string, { day: counted, imported, figures, open }: ImportedDay): string {
  const naira = (kobo: number): string => `NGN ${nairaText(kobo)}`;
  return [
    `${provider} on ${counted}: ${String(imported)} new lines, ${String(figures.lines)} in all`,
    `  opening ${naira(figures.openingKobo)}, closing ${naira(figures.closingKobo)}`,
    `  by our books ${naira(figures.booksKobo)}, under way ${naira(figures.underWayKobo)}`,
    `  to be settled ${naira(figures.receivableKobo)}`,
    ...open.map((one) => `  ${one.class} ${one.resource} ${JSON.stringify(one.detail)}`),
    open.length === 0 ? 'The statement and our books agree.' : `${String(open.length)} findings are open.`,
    '',
  ].join('\n');
}

const program = new Command('recon').description('Compares what providers say of our money with our books.');
program
  .command('import')
  .description('import a day of a provider in live, and compare it')
  .requiredOption('--provider <name>', 'the company, such as paystack')
  .requiredOption('--day <day>', 'the day in Lagos, such as 2026-11-25', day)
  .option('--file <file>', 'the lines as CSV, where the company does not tell them itself')
  .action((options: Options) =>
    run(options).catch((error: unknown) => {
      const isTold = error instanceof StartError || error instanceof ConfigError;
      const reason = error instanceof Error ? error.message : String(error);
      process.stderr.write(isTold ? `${reason}\n` : `Nothing was compared: ${reason}\n`);
      process.exitCode = 1;
    }),
  );

void program.parseAsync();
