/** Reading the ledger: a wallet's entries, and sums over everything. */
import type { BalanceAfter, StatementEntry, WalletEntry } from '../../domain/entries';
import { feeWithin } from '../../domain/counterparties';
import type { BankAccount } from '../../domain/transactions';
import type { TransactionType } from '../../domain/transaction-types';
import type { Sealing } from '../../secrets/sealing';
import { UnavailableError } from '../../runtime/unavailable';
import type { Cell, SealedCell } from '../pg/postgres';
import { toPaidAccount, type PaidRow } from './transaction-row';

interface EntryRow {
  id: string;
  account: string;
  transaction_id: string;
  amount_kobo: number;
  balance_after_kobo: number;
  sequence: number;
  type: TransactionType;
  reference: string;
  description: string;
  created_at: Date;
}

const COLUMNS = `e.id, e.account, e.transaction_id, e.amount_kobo, e.balance_after_kobo, e.sequence, t.type,
  t.reference, t.description, e.created_at`;

const toEntry = (row: EntryRow): WalletEntry & Pick<StatementEntry, 'type' | 'reference'> => ({
  id: row.id,
  walletId: row.account,
  transactionId: row.transaction_id,
  amountKobo: row.amount_kobo,
  balanceAfterKobo: row.balance_after_kobo,
  sequence: row.sequence,
  type: row.type,
  reference: row.reference,
  description: row.description,
  createdAt: row.created_at,
});

/** One page of a wallet's entries, newest first by their running number (D147). */
export async function listEntries(
  cell: Cell,
  walletId: string,
  page: { beforeSequence: number | null; limit: number },
): Promise<WalletEntry[]> {
  const { rows } = await cell.pool.query<EntryRow>(
    `SELECT ${COLUMNS}
       FROM ${cell.schema}.entries e JOIN ${cell.schema}.transactions t ON t.id = e.transaction_id
      WHERE e.account = $1 AND e.sequence IS NOT NULL AND e.sequence < $2 ORDER BY e.sequence DESC LIMIT $3`,
    [walletId, page.beforeSequence ?? Number.MAX_SAFE_INTEGER, page.limit],
  );
  return rows.map(toEntry);
}

/** So many entries are in memory at once, and their text is made without a pause. */
const ENTRIES_AT_ONCE = 500;

/** The two sides of a payment: wallets, or the account at a bank that was paid. */
export interface NamedPayment {
  id: string;
  sourceWalletId: string | null;
  destWalletId: string | null;
  paid: BankAccount | null;
}

/** An entry of a statement, with what says who its other side is: a transaction, for a reversal the one that it reverses. */
export interface TracedEntry extends Omit<StatementEntry, 'counterparty'> {
  payment: NamedPayment;
}

interface PaymentRow extends PaidRow {
  source_wallet: string | null;
  dest_wallet: string | null;
}

const PAYMENT_COLUMNS = 'source_wallet, dest_wallet, dest_account, account_name_sealed, resolved_name_sealed';

const toPayment = (row: PaymentRow, sealing: Sealing): NamedPayment => ({
  id: row.id,
  sourceWalletId: row.source_wallet,
  destWalletId: row.dest_wallet,
  paid: toPaidAccount(row, sealing),
});

/**
 * All entries of a wallet behind one running number until another, oldest first, some at a time. Entries never change,
 * so no transaction stays open between two reads.
 * @throws an outage when they are gone, because the sandbox is being reset.
 */
export async function* listEntriesBetween(
  cell: SealedCell,
  walletId: string,
  { after, until }: { after: number; until: number },
): AsyncGenerator<TracedEntry[], void, undefined> {
  for (let from = after; from < until; from += ENTRIES_AT_ONCE) {
    const to = Math.min(from + ENTRIES_AT_ONCE, until);
    const { rows } = await cell.pool.query<EntryRow & PaymentRow & { paid_kobo: number }>(
      `SELECT ${COLUMNS}, t.paid_kobo, ${PAYMENT_COLUMNS} FROM ${cell.schema}.entries e
        CROSS JOIN LATERAL (
          SELECT type, reference, description, amount_kobo AS paid_kobo, ${PAYMENT_COLUMNS}
            FROM ${cell.schema}.transactions WHERE id = e.transaction_id LIMIT 1) AS t
        WHERE e.account = $1 AND e.sequence > $2 AND e.sequence <= $3 ORDER BY e.sequence`,
      [walletId, from, to],
    );
    if (rows.length !== to - from) throw new UnavailableError('entries of a statement are gone');
    const originals = await findReversed(
      cell,
      // A reversal has no source.
      rows.filter((row) => row.source_wallet === null).map((row) => row.transaction_id),
    );
    yield rows.map((row) => ({
      ...toEntry(row),
      feeKobo: feeWithin(row.amount_kobo, row.paid_kobo),
      payment:
        originals.get(row.transaction_id) ?? toPayment({ ...row, id: row.transaction_id }, cell.sealing),
    }));
  }
}

/** The payments that these transactions reverse. */
async function findReversed(
  { pool, schema, sealing }: SealedCell,
  reversalIds: readonly string[],
): Promise<Map<string, NamedPayment>> {
  if (reversalIds.length === 0) return new Map();
  const { rows } = await pool.query<PaymentRow & { reversal_id: string }>(
    `SELECT r.reversal_id, o.id, ${PAYMENT_COLUMNS} FROM ${schema}.reversals r
       JOIN ${schema}.transactions o ON o.id = r.original_id WHERE r.reversal_id = ANY($1)`,
    [reversalIds],
  );
  return new Map(rows.map((row) => [row.reversal_id, toPayment(row, sealing)]));
}

/**
 * How far the time of an entry may be behind that of an earlier one: each process writes its own time, which the
 * database accepts up to a second late.
 */
const CLOCKS_APART = "interval '2 seconds'";

/**
 * A wallet's balance after the last entry that was written until `at`; 0 before its first one. The entry is found
 * by halving the running numbers, which have no gaps: first the last one that may count, and from there downwards the
 * first one that does. So an old balance costs what the newest costs (D193).
 */
export async function findBalanceAt(
  { pool, schema }: Cell,
  walletId: string,
  at: Date,
): Promise<BalanceAfter> {
  const { rows } = await pool.query<{ sequence: number; balance_after_kobo: number }>(
    `WITH RECURSIVE halved (low, high) AS (
       SELECT 0::bigint, sequence + 1 FROM ${schema}.accounts WHERE id = $1
       UNION ALL
       SELECT CASE WHEN middle.counts THEN middle.sequence ELSE low END,
              CASE WHEN middle.counts THEN high ELSE middle.sequence END
         FROM halved CROSS JOIN LATERAL (
           SELECT sequence, created_at <= $2::timestamptz + ${CLOCKS_APART} AS counts
             FROM ${schema}.entries WHERE account = $1 AND sequence = (low + high) / 2) AS middle
        WHERE high - low > 1)
     SELECT sequence, balance_after_kobo FROM ${schema}.entries
      WHERE account = $1 AND sequence IS NOT NULL AND created_at <= $2
        AND sequence <= (SELECT low FROM halved WHERE high - low = 1)
      ORDER BY sequence DESC LIMIT 1`,
    [walletId, at],
  );
  const [last] = rows;
  return last
    ? { sequence: last.sequence, balanceKobo: last.balance_after_kobo }
    : { sequence: 0, balanceKobo: 0 };
}
