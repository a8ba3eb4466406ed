/**
 * `npm run recon:import -- --provider <name> --day <day> [--file <file>] [--new-company]`: imports a day of a provider's statement in live
 * and compares it with our books. It has the settings of a worker, or those of the local sandbox, and uses the login that reads the books and writes
 * findings, and the worker's own for what is booked. It ends with 1 while the day has an open finding (docs/how-to/close-the-day.md).
 *
 * `npm run recon:convert -- --from <kind> [--map <file>] <file>`: makes such a file of a statement that was downloaded.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { Command, InvalidArgumentError, Option } from 'commander';
import pino from 'pino';
import { isDay } from '../domain/days';
import { nairaText } from '../domain/money';
import { OUR_BANK } from '../domain/treasury';
import { openPatientPool } from '../db/pg/postgres';
import { ownBooks } from '../operations/days/own-books';
import { askAboutDifferences } from '../operations/days/ask-about-differences';
import { checkDay } from '../operations/days/check-day';
import { importDay, type ImportedDay } from '../operations/days/import-day';
import type { Providers } from '../providers/port';
import { ConfigError, readWorkerConfig } from '../runtime/config';
import { databaseUrl } from '../runtime/database-urls';
import { openLive } from '../runtime/environment';
import { readStatementFile, writeStatementFile } from '../wire/statement-file';
import { convert, FILE_KINDS, type FileKind } from './bank-files/convert';
import { isDateFormat, isZone } from './bank-files/dates';
import { readMap } from './bank-files/map-file';
import { processSettings } from './process-settings';
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

function zone(text: string): string {
  if (!isZone(text)) throw new InvalidArgumentError('the name of a zone, such as Africa/Lagos');
  return text;
}

function dateFormat(text: string): string {
  if (!isDateFormat(text)) throw new InvalidArgumentError('a format such as dd/mm/yyyy or dd-Mon-yyyy');
  return text;
}

interface Options {
  provider: string;
  day: string;
  file?: string;
  newCompany: boolean;
}

async function run({ provider, day: asked, file, newCompany }: Options): Promise<void> {
  // The file first: nothing is opened for one that cannot be read.
  const lines = file === undefined ? null : linesOf(file);
  const config = readWorkerConfig(processSettings('worker'));
  const logger = pino({ level: 'warn' }, pino.destination(2));
  const live = openLive(config, logger, 'worker');
  const pool = openPatientPool(databaseUrl(config, 'live_reconcile'), config.DATABASE_CONNECT_MS);
  try {
    const cells = [...live.cells.values()].map(({ schema }) => ({ schema, pool }));
    const treasury = live.providers.treasury.find(({ name }) => name === provider)?.treasury ?? null;
    const statements = { pool, directory: live.directory, provider };
    const mayBeNew = newCompany || provider === OUR_BANK || hasOurMoney(live.providers).includes(provider);
    const imported = await importDay(
      statements,
      ownBooks(live).cell,
      cells,
      { treasury, lines, mayBeNew },
      asked,
    );
    if (!imported.ok) throw new StartError(imported.refusal.message ?? imported.refusal.code);
    let compared: ImportedDay = imported.value;
    // What the statement says of a payout is asked about, and only the answer is booked.
    if ((await askAboutDifferences(live, logger, compared.open)) > 0) {
      compared = { ...compared, ...(await checkDay(statements, cells, compared.day)) };
    }
    process.stdout.write(told(provider, compared));
    if (compared.open.length > 0) process.exitCode = 1;
  } finally {
    await Promise.all([pool.end(), live.close()]);
  }
}

interface ConvertOptions {
  from: FileKind;
  map?: string;
  zone?: string;
  date?: string;
  day?: string;
  out?: string;
}

/** Reads a download and writes the lines; what is no line of it is told beside them. */
function convertFile(file: string, options: ConvertOptions): void {
  const map = options.map === undefined ? null : readMap(readFileSync(options.map, 'utf8'));
  const reading = { zone: options.zone ?? null, date: options.date ?? null };
  const { lines, notes } = convert(readFileSync(file), options.from, map, reading, options.day ?? null);
  const text = writeStatementFile(lines);
  if (options.out === undefined) process.stdout.write(text);
  else writeFileSync(options.out, text, { flag: 'wx' });
  for (const note of notes) process.stderr.write(`${note}\n`);
  process.stderr.write(`${String(lines.length)} lines\n`);
}

/** The companies of live through which our money goes. */
const hasOurMoney = ({ payouts, accounts, inbound, refunds, treasury }: Providers): string[] =>
  [payouts, accounts, inbound, refunds, treasury].flat().map(({ name }) => name);

/** What a person reads at the end. */
function told(provider: string, day: ImportedDay): string {
  const { day: counted, imported, figures, open, explained, told: statement } = day;
  const naira = (kobo: number): string => `NGN ${nairaText(kobo)}`;
  const ends = statement.closingKobo === null ? '' : `, the last balance ${naira(statement.closingKobo)}`;
  return [
    `the statement has ${String(statement.lines)} lines${ends}`,
    `${provider} on ${counted}: ${String(imported)} new lines, ${String(figures.lines)} in all`,
    `  opening ${naira(figures.openingKobo)}, closing ${naira(figures.closingKobo)}`,
    `  by our books ${naira(figures.booksKobo)}, under way ${naira(figures.underWayKobo)}`,
    `  to be settled ${naira(figures.receivableKobo)}`,
    ...open.map((one) => `  ${one.class} ${one.resource} ${JSON.stringify(one.detail)}`),
    verdict(open.length, explained),
    '',
  ].join('\n');
}

/** That both agree is said only where nothing differs. */
function verdict(open: number, explained: number): string {
  if (open > 0) return `${String(open)} findings are open.`;
  return explained > 0
    ? `No finding is open. People have explained ${String(explained)} with a note.`
    : 'The statement and our books agree.';
}

const program = new Command('recon').description('Compares what providers say of our money with our books.');
program
  .command('import')
  .description('import a day of a provider in live, and compare it')
  .requiredOption('--provider <name>', 'the company, such as paystack')
  .requiredOption('--day <day>', 'the day in Lagos, such as 2026-11-25', day)
  .option('--file <file>', 'the lines of the whole day as CSV, where the company does not tell them itself')
  .option('--new-company', 'take a company that is not configured and of which no line is kept', false)
  .action((options: Options) => run(options).catch(tellOf('Nothing was compared')));
program
  .command('convert')
  .description('make a file for `import` of a statement that was downloaded')
  .addOption(new Option('--from <kind>', 'what the file is').choices(FILE_KINDS).makeOptionMandatory())
  .option('--map <file>', 'JSON that names the columns of a table')
  .option('--zone <name>', 'the zone of times that say none, such as Africa/Lagos', zone)
  .option('--date <format>', 'how dates are written, such as dd/mm/yyyy', dateFormat)
  .option('--day <day>', 'only the lines of this day in Lagos', day)
  .option('--out <file>', 'where to write; to standard output, unless given')
  .argument('<file>', 'the statement as it was downloaded')
  .action((file: string, options: ConvertOptions) => {
    try {
      convertFile(file, options);
    } catch (error) {
      tellOf('Nothing was converted')(error);
    }
  });

function tellOf(nothing: string): (error: unknown) => void {
  return (error) => {
    const isTold = error instanceof StartError || error instanceof ConfigError;
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(isTold ? `${reason}\n` : `${nothing}: ${reason}\n`);
    process.exitCode = 1;
  };
}

void program.parseAsync();
