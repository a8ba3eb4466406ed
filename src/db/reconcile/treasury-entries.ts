/** Which line of a provider's statement each treasury entry explains. Its money is in the ledger, under the same id. */
import { companyAccountId, systemAccountId } from '../../domain/accounts';
import { dayAfter, type Day } from '../../domain/days';
import type { Posting } from '../../domain/postings';
import type { SuspenseClass, SuspenseFinding } from '../../domain/suspense';
import { OUR_BANK, type TreasuryEntry, type TreasuryEntryKind } from '../../domain/treasury';
import { idNamed } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import { balanceAccount } from './provider-books';
import { isOfClosedDay, type KeptLine, type Statements } from './provider-lines';

/**
 * What treasury entries have booked to explain each of these lines, on the account that the line changes, by the rows of the
 * lines.
 */
export async function explainedOf(
  { pool, directory, provider }: Statements,
  firstCell: Cell,
  lines: readonly { line: string }[],
): Promise<Map<string, { kobo: number; payments: number }>> {
  if (lines.length === 0) return new Map();
  const { rows } = await pool.query<{ line: string; kobo: number; payments: number }>(
    `SELECT e.line, sum(CASE WHEN l.about = 'settlement' THEN b.amount_kobo ELSE -b.amount_kobo END)::bigint AS kobo,
            sum(CASE e.entry WHEN 'paid_twice' THEN 1 WHEN 'recovered' THEN -1 ELSE 0 END)::int AS payments
       FROM ${directory}.treasury_entries e
       JOIN ${directory}.provider_lines l ON l.id = e.line
       JOIN ${firstCell.schema}.entries b ON b.transaction_id = e.transaction_id
        AND b.account = CASE WHEN l.about = 'settlement' THEN $2::uuid ELSE $3::uuid END
      WHERE e.line = ANY($1) AND e.undoes IS NULL GROUP BY e.line`,
    [
      lines.map(({ line }) => line),
      provider === OUR_BANK ? systemAccountId('1100') : companyAccountId('1300', provider),
      balanceAccount(provider),
    ],
  );
  return new Map(rows.map(({ line, kobo, payments }) => [line, { kobo, payments }]));
}

/** An entry between our bank and a company may stand so many days before or after its line at the bank. */
const TRANSIT_DAYS = 7;

/**
 * The entries of companies that move as much at our bank as a line of its statement: what people may compare it with. Nothing
 * follows from that alone.
 */
export async function entriesAtBank(
  { pool, directory }: Statements,
  firstCell: Cell,
  line: Pick<KeptLine, 'changeKobo' | 'day'>,
): Promise<{ provider: string; day: Day; entry: TreasuryEntryKind }[]> {
  const { rows } = await pool.query<{ provider: string; day: string; entry: TreasuryEntryKind }>(
    `SELECT e.provider, e.day::text, e.entry FROM ${directory}.treasury_entries e
       JOIN ${firstCell.schema}.entries b ON b.transaction_id = e.transaction_id
      WHERE e.day >= $1 AND e.day <= $2 AND e.provider <> $3 AND b.account = $4 AND b.amount_kobo = -$5::bigint
        AND NOT EXISTS (SELECT FROM ${directory}.treasury_entries u WHERE u.undoes = e.transaction_id)
      ORDER BY e.day, e.provider LIMIT 5`,
    [
      dayAfter(line.day, -TRANSIT_DAYS),
      dayAfter(line.day, TRANSIT_DAYS),
      OUR_BANK,
      systemAccountId('1100'),
      line.changeKobo,
    ],
  );
  return rows;
}

/** Whether an entry was noted under this id. */
export async function isEntryNoted(
  { pool, directory }: Pick<Statements, 'pool' | 'directory'>,
  id: string,
): Promise<boolean> {
  const { rows } = await pool.query(`SELECT FROM ${directory}.treasury_entries WHERE transaction_id = $1`, [
    id,
  ]);
  return rows.length === 1;
}

/**
 * Notes which line a treasury entry explains, before its money is booked. A second note of the same entry changes nothing.
 * @param undoes the entry that it takes back, if it does.
 * @returns false where another entry of its kind explains the line, or the day of the line is closed.
 */
export async function noteEntry(
  { pool, directory, provider }: Statements,
  id: string,
  { entry, line, day }: Pick<TreasuryEntry, 'entry' | 'line' | 'day'>,
  undoes: string | null = null,
): Promise<boolean> {
  try {
    await pool.query(
      `INSERT INTO ${directory}.treasury_entries (transaction_id, entry, provider, line, day, undoes)
       SELECT $1, $2, $3, $4, $5::date, $6 WHERE NOT EXISTS (
         SELECT FROM ${directory}.treasury_entries WHERE transaction_id = $1) ON CONFLICT DO NOTHING`,
      [id, entry, provider, line, day, undoes],
    );
  } catch (error) {
    if (isOfClosedDay(error)) return false;
    throw error;
  }
  // The id of an entry may follow from a payment, and another line of that payment is another matter.
  const { rows } = await pool.query(
    `SELECT FROM ${directory}.treasury_entries WHERE transaction_id = $1 AND entry = $2 AND line = $3`,
    [id, entry, line],
  );
  return rows.length === 1;
}

/** An entry that takes back another one. */
export interface UndoingEntry {
  /** Its own id, which follows from that of the other one. */
  id: string;
  undoes: string;
  entry: TreasuryEntryKind;
  amountKobo: number;
  postings: readonly Posting[];
  /** The finding of what it moves in suspense; null where it moves nothing there. */
  finding: SuspenseFinding | null;
}

/** What takes back all that was booked to explain a line: the same entries, the other way round. */
export async function undoingEntriesOf(
  { pool, directory }: Statements,
  firstCell: Cell,
  { line }: Pick<KeptLine, 'line'>,
): Promise<UndoingEntry[]> {
  const { rows } = await pool.query<{
    transaction_id: string;
    entry: TreasuryEntryKind;
    account: string;
    amount_kobo: number;
    whole_kobo: number;
    class: SuspenseClass | null;
    resource: string | null;
  }>(
    `SELECT e.transaction_id, e.entry, b.account, b.amount_kobo, t.amount_kobo AS whole_kobo, s.class, s.resource
       FROM ${directory}.treasury_entries e
       JOIN ${firstCell.schema}.transactions t ON t.id = e.transaction_id
       JOIN ${firstCell.schema}.entries b ON b.transaction_id = e.transaction_id
       LEFT JOIN ${firstCell.schema}.suspense_postings s ON s.transaction_id = e.transaction_id
      WHERE e.line = $1 AND e.undoes IS NULL ORDER BY e.transaction_id, b.account`,
    [line],
  );
  const undoing = new Map<string, UndoingEntry & { postings: Posting[] }>();
  for (const row of rows) {
    const { transaction_id: undoes, entry, whole_kobo: amountKobo } = row;
    const finding =
      row.class === null || row.resource === null
        ? null
        : { class: row.class, resource: row.resource, detail: null };
    const id = idNamed(`undone/${undoes}`);
    const one = undoing.get(undoes) ?? { id, undoes, entry, amountKobo, postings: [], finding };
    one.postings.push({ account: row.account, amountKobo: -row.amount_kobo });
    undoing.set(undoes, one);
  }
  return [...undoing.values()];
}
