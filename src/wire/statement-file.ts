/**
 * A day of a provider's statement as a file: CSV in UTF-8 with these columns in its first line. No value has a comma or a
 * quotation mark, and an empty one is not known. A name that begins as a formula has an apostrophe before it. People make it of what they can download from the provider.
 */
import { z } from 'zod';
import { refuseFields, done, type Outcome } from '../domain/outcome';
import { isRounded, LINE_SUBJECTS, type StatementLine } from '../domain/statement-lines';
import { CSV_MARK, csvLine, guarded, unguarded } from './csv';

const COLUMNS = [
  'id',
  'at',
  'about',
  'change_kobo',
  'balance_kobo',
  'reference',
  'provider_ref',
  'session_id',
] as const;

const id = z
  .string()
  .overwrite(unguarded)
  .min(1)
  .max(100)
  .refine(
    (text) => !isRounded(text),
    'is a number as a spreadsheet writes a long one; take it from the download and keep it as text',
  );
const kobo = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be whole kobo')
  .transform(Number);
const known = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .literal('')
    .transform(() => null)
    .or(schema);

const lineSchema = z.object({
  id,
  at: z.iso
    .datetime({ offset: true, error: 'must be a time with its zone' })
    .transform((text) => new Date(text)),
  about: z.enum(LINE_SUBJECTS, `must be one of ${LINE_SUBJECTS.join(', ')}`),
  change_kobo: kobo,
  balance_kobo: known(kobo),
  reference: known(id),
  provider_ref: known(id),
  session_id: known(id),
});

/**
 * Writes lines as such a file.
 * @throws Error for a value with a comma, a quotation mark or a line break, which the file cannot hold.
 */
export function writeStatementFile(lines: readonly StatementLine[]): string {
  const rows = lines.map((line) => {
    const { id: name, at, about, changeKobo, balanceKobo, reference, providerRef, sessionId } = line;
    const text = (value: string | null): string => guarded(value ?? '');
    const count = (kobo: number | null): string => (kobo === null ? '' : String(kobo));
    const cells = [
      text(name),
      at.toISOString(),
      about,
      count(changeKobo),
      count(balanceKobo),
      text(reference),
      text(providerRef),
      text(sessionId),
    ];
    const strange = cells.find((value) => /[,"\r\n]/.test(value));
    if (strange !== undefined)
      throw new Error(`the line ${name} has a value with a comma or a quotation mark: ${strange}`);
    return csvLine(cells);
  });
  return CSV_MARK + csvLine(COLUMNS) + rows.join('');
}

/** @returns the lines; or VALIDATION_ERROR with the first line of the file that is wrong, and why. */
export function readStatementFile(text: string): Outcome<StatementLine[]> {
  const [header, ...rows] = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (header !== COLUMNS.join(',')) {
    return refuseFields({ field: 'line 1', message: `must be ${COLUMNS.join(',')}` });
  }
  const lines: StatementLine[] = [];
  const places = new Map<string, number>();
  for (const [place, row] of rows.entries()) {
    if (row === '') continue;
    const values = row.split(',');
    const where = `line ${String(place + 2)}`;
    if (values.length !== COLUMNS.length || row.includes('"')) {
      return refuseFields({ field: where, message: `must have ${String(COLUMNS.length)} plain values` });
    }
    const read = lineSchema.safeParse(Object.fromEntries(COLUMNS.map((name, of) => [name, values[of]])));
    if (!read.success) {
      const [problem] = read.error.issues;
      return refuseFields({
        field: `${where}, ${String(problem?.path[0])}`,
        message: problem?.message ?? '',
      });
    }
    const first = places.get(read.data.id);
    if (first !== undefined) {
      const message = `the id ${read.data.id} stands in line ${String(first)} already`;
      return refuseFields({ field: `${where}, id`, message });
    }
    places.set(read.data.id, place + 2);
    const { at, about, change_kobo: changeKobo, balance_kobo: balanceKobo, ...names } = read.data;
    const { reference, provider_ref: providerRef, session_id: sessionId } = names;
    lines.push({ id: names.id, at, about, changeKobo, balanceKobo, reference, providerRef, sessionId });
  }
  return done(lines);
}
