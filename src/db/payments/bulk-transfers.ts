/**
 * Bulk transfers and their lines as rows. The API writes them; the step of the workflow `bulk/{id}` takes lines out and
 * notes their results.
 */
import {
  afterOrder,
  BULK_MACHINE,
  OPEN_BULKS_MAX,
  type BegunLine,
  type BulkLine,
  type BulkOrder,
  type BulkStatus,
  type BulkTransfer,
  type LineRequest,
  type LineResult,
  type LineStatus,
} from '../../domain/bulk-transfers';
import type { EventDraft } from '../../domain/events';
import type { Intention } from '../../domain/intentions';
import { next } from '../../domain/machine';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import type { Refusal } from '../../domain/refusals';
import type { TransactionStatus } from '../../domain/transactions';
import { insertEvent } from '../events/events';
import { intendAgain } from '../events/intentions';
import type { Sealing } from '../../secrets/sealing';
import { namesOf, Parameters, type Column } from '../pg/bulk';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable, type SealedCell } from '../pg/postgres';
import { newestWithStatus, type Place, type Walked } from '../pg/walks';
import { assertNotResetting } from '../upkeep/epochs';
import { openNameOf, sealNameOf, withoutName, type StoredRequest } from './asked-accounts';

interface BulkRow {
  id: string;
  partner_id: string;
  reference: string;
  status: BulkStatus;
  lines: number;
  amount_kobo: number;
  accepted_lines: number;
  refused_lines: number;
  created_at: Date;
  ended_at: Date | null;
}

const toBulk = (row: BulkRow): BulkTransfer => ({
  id: row.id,
  partnerId: row.partner_id,
  reference: row.reference,
  status: row.status,
  lines: row.lines,
  amountKobo: row.amount_kobo,
  acceptedLines: row.accepted_lines,
  refusedLines: row.refused_lines,
  createdAt: row.created_at,
  endedAt: row.ended_at,
});

interface NewLine {
  id: string;
  place: number;
  asked: LineRequest;
}

const lineColumns = (sealing: Sealing): readonly Column<NewLine>[] => [
  ['id', 'uuid', ({ id }) => id],
  ['place', 'bigint', ({ place }) => place],
  ['reference', 'text', ({ asked }) => asked.reference],
  ['amount_kobo', 'bigint', ({ asked }) => asked.amountKobo],
  ['asked', 'json', ({ asked }) => JSON.stringify(withoutName(asked))],
  ['account_name_sealed', 'text', ({ id, asked }) => sealNameOf(sealing, lineNamed(id), asked)],
];

const lineNamed = (id: string) => ({ table: 'bulk_transfer_lines', id }) as const;

/** So many lines are written with one statement: to write ten thousand at once takes a tenth of a second of the process. */
const LINES_AT_ONCE = 500;

/** Writes a bulk transfer with its lines, in the database transaction that uses up its reference. */
export async function insertBulk(
  trx: Queryable,
  { schema, sealing }: Pick<SealedCell, 'schema' | 'sealing'>,
  bulk: Pick<BulkTransfer, 'id' | 'partnerId' | 'reference' | 'amountKobo'>,
  lines: readonly LineRequest[],
): Promise<BulkTransfer> {
  const { rows } = await trx.query<BulkRow>(
    `INSERT INTO ${schema}.bulk_transfers (id, partner_id, reference, status, lines, amount_kobo)
     VALUES ($1, $2, $3, 'running', $4, $5) RETURNING *`,
    [bulk.id, bulk.partnerId, bulk.reference, lines.length, bulk.amountKobo],
  );
  const parameters = new Parameters<readonly NewLine[]>();
  const id = parameters.add('uuid', () => bulk.id);
  const columns = lineColumns(sealing);
  const all = parameters.rows('line', columns, (given) => given);
  const statement = `INSERT INTO ${schema}.bulk_transfer_lines (bulk_id, ${namesOf(columns)})
     SELECT ${id}, ${namesOf(columns)} FROM ${all}`;
  for (let first = 0; first < lines.length; first += LINES_AT_ONCE) {
    const some = lines.slice(first, first + LINES_AT_ONCE);
    const placed = some.map((asked, at) => ({ id: newId(), place: first + at, asked }));
    await trx.query(statement, parameters.values(placed));
  }
  return toBulk(rows[0] as BulkRow);
}

/**
 * Refuses one more bulk transfer of a partner that has as many unfinished as it may. Of two requests at once both may be
 * the last one: the limit is there for the machine and not for the money.
 */
export async function tooManyOpen(
  trx: Queryable,
  schema: string,
  partnerId: string,
): Promise<Refused | null> {
  const { rows } = await trx.query<{ open: number }>(
    `SELECT count(*)::int AS open FROM ${schema}.bulk_transfers WHERE partner_id = $1 AND ended_at IS NULL`,
    [partnerId],
  );
  if ((rows[0]?.open ?? 0) < OPEN_BULKS_MAX) return null;
  return refuse('LIMIT_EXCEEDED', {
    message: `At most ${String(OPEN_BULKS_MAX)} bulk transfers may be unfinished at once`,
    detail: { limit: 'open_bulk_transfers', allowed: OPEN_BULKS_MAX },
  });
}

/** A bulk transfer of this partner, or null. */
export async function findBulk(
  { pool, schema }: Cell,
  partnerId: string,
  id: string,
): Promise<BulkTransfer | null> {
  const { rows } = await pool.query<BulkRow>(
    `SELECT * FROM ${schema}.bulk_transfers WHERE id = $1 AND partner_id = $2`,
    [id, partnerId],
  );
  return rows[0] ? toBulk(rows[0]) : null;
}

/** One page of a partner's bulk transfers, newest first. */
export async function listBulks(
  { pool, schema }: Cell,
  filter: { partnerId: string; status: BulkStatus | null },
  page: { after: Place | null; limit: number },
): Promise<Walked<BulkTransfer, Place>> {
  const table = `${schema}.bulk_transfers`;
  const { rows, stoppedAt } = await newestWithStatus<BulkRow>(pool, table, filter, page);
  return { rows: rows.map(toBulk), stoppedAt };
}

interface LineRow {
  place: number;
  reference: string;
  amount_kobo: number;
  status: LineStatus;
  transaction_id: string | null;
  transaction_status: TransactionStatus | null;
  refusal: Refusal | null;
}

/**
 * One page of the lines of a bulk transfer, in their order. With a status the page reads past the other lines, of which
 * there are at most ten thousand.
 */
export async function listLines(
  { pool, schema }: Cell,
  bulkId: string,
  status: LineStatus | null,
  { after, limit }: { after: number | null; limit: number },
): Promise<BulkLine[]> {
  const { rows } = await pool.query<LineRow>(
    `SELECT l.place, l.reference, l.amount_kobo, l.status, l.transaction_id, l.refusal, t.status AS transaction_status
       FROM ${schema}.bulk_transfer_lines l LEFT JOIN ${schema}.transactions t ON t.id = l.transaction_id
      WHERE l.bulk_id = $1 AND l.place > $2 AND ($3::text IS NULL OR l.status = $3) ORDER BY l.place LIMIT $4`,
    [bulkId, after ?? -1, status, limit],
  );
  return rows.map((row) => ({
    place: row.place,
    reference: row.reference,
    amountKobo: row.amount_kobo,
    status: row.status,
    transactionId: row.transaction_id,
    transactionStatus: row.transaction_status,
    refusal: row.refusal,
  }));
}

/**
 * Pauses, resumes or cancels, in one commit with the intention of the workflow that does what is left. The same order
 * once more changes no status; the workflow then runs in vain.
 * @param intend the workflow of this bulk transfer.
 * @returns the bulk transfer as it is now with the intention, or refused: NOT_FOUND, INVALID_BULK_STATE.
 */
export const orderBulk = (
  { pool, schema }: Cell,
  { partnerId, id, order }: { partnerId: string; id: string; order: BulkOrder },
  intend: (bulk: BulkTransfer) => Intention,
): Promise<Outcome<{ bulk: BulkTransfer; intentions: Intention[] }>> =>
  inTransaction(pool, async (trx): Promise<Outcome<{ bulk: BulkTransfer; intentions: Intention[] }>> => {
    const bulk = await lockBulk(trx, schema, partnerId, id);
    if (!bulk) return refuse('NOT_FOUND');
    const status = afterOrder(bulk.status, order);
    if (!status.ok) return status;
    await trx.query(`UPDATE ${schema}.bulk_transfers SET status = $2 WHERE id = $1`, [id, status.value]);
    const changed = { ...bulk, status: status.value };
    // A pause needs no workflow, and a bulk transfer that has ended has none.
    const needsWork = order !== 'pause' && bulk.endedAt === null;
    const intentions = needsWork ? [await intendAgain(trx, schema, intend(changed))] : [];
    return done({ bulk: changed, intentions });
  });

/** The row, with all changes of it and of its lines waiting for the end of the database transaction. */
async function lockBulk(
  trx: Queryable,
  schema: string,
  partnerId: string,
  id: string,
): Promise<BulkTransfer | null> {
  const { rows } = await trx.query<BulkRow>(
    `SELECT * FROM ${schema}.bulk_transfers WHERE id = $1 AND partner_id = $2 FOR UPDATE`,
    [id, partnerId],
  );
  return rows[0] ? toBulk(rows[0]) : null;
}

/** Where a bulk transfer stands, with the lines that are to be posted now. */
export interface BulkTurn {
  bulk: BulkTransfer;
  begun: BegunLine[];
  /** Endpoints that have the event of its end due. */
  endpointIds: string[];
}

/**
 * Notes results and takes out the next lines, in one commit. Lines that were taken out before and have no result come
 * first, whatever the status is: a crash may have posted them. When nothing is left, the bulk transfer ends, with
 * its event. A second note of the same result changes nothing, because its line is not running any more.
 * @returns null where a reset has deleted it.
 */
export const takeTurn = (
  { pool, schema, sealing }: SealedCell,
  { partnerId, id }: { partnerId: string; id: string },
  results: readonly LineResult[],
  limit: number,
  announce: (bulk: BulkTransfer) => EventDraft,
): Promise<BulkTurn | null> =>
  inTransaction(pool, async (trx): Promise<BulkTurn | null> => {
    await assertNotResetting(trx, schema, partnerId);
    const locked = await lockBulk(trx, schema, partnerId, id);
    if (!locked) return null;
    const bulk = await noteResults(trx, schema, locked, results);
    const begun = await begunLines(trx, { schema, sealing }, bulk, limit);
    if (begun.length > 0 || bulk.endedAt !== null) return { bulk, begun, endpointIds: [] };
    if (bulk.status === 'cancelled') await cancelWaiting(trx, schema, id);
    else if (bulk.acceptedLines + bulk.refusedLines < bulk.lines) return { bulk, begun, endpointIds: [] };
    const ended = await end(trx, schema, bulk);
    return { bulk: ended, begun, endpointIds: await insertEvent(trx, schema, partnerId, announce(ended)) };
  });

const RESULT_COLUMNS: readonly Column<LineResult>[] = [
  ['place', 'bigint', ({ place }) => place],
  ['transaction_id', 'uuid', (result) => ('transactionId' in result ? result.transactionId : null)],
  ['refusal', 'json', (result) => ('refusal' in result ? JSON.stringify(result.refusal) : null)],
];

async function noteResults(
  trx: Queryable,
  schema: string,
  bulk: BulkTransfer,
  results: readonly LineResult[],
): Promise<BulkTransfer> {
  if (results.length === 0) return bulk;
  const parameters = new Parameters<readonly LineResult[]>();
  const id = parameters.add('uuid', () => bulk.id);
  const given = parameters.rows('r', RESULT_COLUMNS, (all) => all);
  const { rows } = await trx.query<BulkRow>(
    `WITH noted AS (
       UPDATE ${schema}.bulk_transfer_lines l
          SET asked = NULL, account_name_sealed = NULL, transaction_id = r.transaction_id, refusal = r.refusal,
              status = CASE WHEN r.refusal IS NULL THEN 'accepted' ELSE 'refused' END
         FROM ${given} WHERE l.bulk_id = ${id} AND l.place = r.place AND l.status = 'running'
        RETURNING l.status)
     UPDATE ${schema}.bulk_transfers SET
            accepted_lines = accepted_lines + (SELECT count(*) FROM noted WHERE status = 'accepted'),
            refused_lines = refused_lines + (SELECT count(*) FROM noted WHERE status = 'refused')
      WHERE id = ${id} RETURNING *`,
    parameters.values(results),
  );
  return toBulk(rows[0] as BulkRow);
}

interface BegunRow {
  id: string;
  place: number;
  asked: StoredRequest<LineRequest>;
  account_name_sealed: string | null;
}

async function begunLines(
  trx: Queryable,
  { schema, sealing }: Pick<SealedCell, 'schema' | 'sealing'>,
  { id, status }: BulkTransfer,
  limit: number,
): Promise<BegunLine[]> {
  const toLine = ({ id: lineId, place, asked, account_name_sealed: nameSealed }: BegunRow): BegunLine => ({
    place,
    asked: { ...asked, to: openNameOf(sealing, lineNamed(lineId), asked, nameSealed) },
  });
  const { rows } = await trx.query<BegunRow>(
    `SELECT id, place, asked, account_name_sealed FROM ${schema}.bulk_transfer_lines
      WHERE bulk_id = $1 AND status = 'running' ORDER BY place LIMIT $2`,
    [id, limit],
  );
  if (rows.length > 0 || status !== 'running') return rows.map(toLine);
  const { rows: taken } = await trx.query<BegunRow>(
    `UPDATE ${schema}.bulk_transfer_lines SET status = 'running'
      WHERE bulk_id = $1 AND place IN (
        SELECT place FROM ${schema}.bulk_transfer_lines
         WHERE bulk_id = $1 AND status = 'waiting' ORDER BY place LIMIT $2) RETURNING id, place, asked, account_name_sealed`,
    [id, limit],
  );
  return taken.sort((one, other) => one.place - other.place).map(toLine);
}

const cancelWaiting = (trx: Queryable, schema: string, id: string) =>
  trx.query(
    `UPDATE ${schema}.bulk_transfer_lines SET status = 'cancelled', asked = NULL, account_name_sealed = NULL
      WHERE bulk_id = $1 AND status = 'waiting'`,
    [id],
  );

async function end(trx: Queryable, schema: string, bulk: BulkTransfer): Promise<BulkTransfer> {
  const status = next(BULK_MACHINE, bulk.status, 'finish') ?? bulk.status;
  const { rows } = await trx.query<BulkRow>(
    `UPDATE ${schema}.bulk_transfers SET status = $2, ended_at = now() WHERE id = $1 RETURNING *`,
    [bulk.id, status],
  );
  return toBulk(rows[0] as BulkRow);
}
