/** A list of banks as a table with comma-separated values, as a spreadsheet writes it. */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { LISTING_COMPANIES, type Bank } from '../domain/banks';
import { slugOf } from '../domain/bank-lists';
import { banksIn } from '../providers/bank-directory';

/** What a row cannot be without. */
const NEEDED = ['code', 'name'];
const LISTS = ['aliases', 'former_codes'];
const companyColumn = (company: string): string => `${company}_code`;
const KNOWN = [...NEEDED, 'nip_code', 'slug', ...LISTS, ...LISTING_COMPANIES.map(companyColumn)];

/**
 * Reads the table. Its first line names the columns, of which `code` and `name` are needed; an empty cell is left out, several
 * aliases or former codes are separated by `|`, and a slug that is missing is made from the name.
 * @throws Error that names the file, and which column, line or row is wrong.
 */
export function readBankTable(file: string): Bank[] {
  return banksIn(rowsOf(file), file);
}

function rowsOf(file: string): unknown[] {
  try {
    return rowsIn(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new Error(`${file} cannot be read as CSV: ${(error as Error).message}`, { cause: error });
  }
}

/** Rows as of a JSON file, which are not checked yet. */
function rowsIn(text: string): unknown[] {
  const rows = parse(text, { bom: true, skip_empty_lines: true, trim: true, columns: headerOf });
  return (rows as Record<string, string>[]).map((row) => {
    const filled = Object.entries(row).filter(([, cell]) => cell !== '');
    const cells: Record<string, string | undefined> = Object.fromEntries(filled);
    const listOf = (column: string): string[] => cells[column]?.split('|').map((one) => one.trim()) ?? [];
    const companies = LISTING_COMPANIES.flatMap((company): [string, string][] => {
      const own = cells[companyColumn(company)];
      return own === undefined ? [] : [[company, own]];
    });
    return {
      ...cells,
      slug: cells['slug'] ?? slugOf(cells['name'] ?? ''),
      ...Object.fromEntries(LISTS.map((column) => [column, listOf(column)])),
      ...(companies.length > 0 && { company_codes: Object.fromEntries(companies) }),
    };
  });
}

function headerOf(cells: string[]): string[] {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  const missing = NEEDED.filter((name) => !names.includes(name));
  if (missing.length > 0) throw new Error(`the first line names no column ${missing.join(', ')}`);
  const wrong = names.filter((name, at) => !KNOWN.includes(name) || names.indexOf(name) !== at);
  if (wrong.length > 0) throw new Error(`the column ${wrong.join(', ')} is not known, or is there twice`);
  return names;
}
