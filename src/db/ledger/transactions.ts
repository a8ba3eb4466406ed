/** Transactions as the rest of the code reads them. The ledger writes them. */
import type { PostedLeg } from '../../domain/ledger';
import type { Originator } from '../../domain/payouts';
import { PUBLISHED_TYPES, type PublishedType } from '../../domain/transaction-types';
import type { Transaction, TransactionStatus } from '../../domain/transactions';
import { UnavailableError } from '../../runtime/unavailable';
import { FIRST_UUID, LAST_UUID } from '../pg/ids';
import type { Cell, SealedCell } from '../pg/postgres';
import { accountNamePlace } from '../../secrets/sealing';
import { WALK_MAX, type Place, type Walked } from '../pg/walks';
import { assertNotResetting } from '../upkeep/epochs';
import { asRead } from './split-legs';
import { toTransaction, type TransactionRow } from './transaction-row';

/**
 * A transaction of this partner, or null. The answer for a transaction of another partner is the same as for one
 * that does not exist.
 */
export async function findTransaction(
  cell: SealedCell,
  partnerId: string,
  transactionId: string,
): Promise<Transaction | null> {
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions WHERE id = $1 AND partner_id = $2`,
    [transactionId, partnerId],
  );
  const [transaction] = await asRead(cell, rows);
  return transaction ?? null;
}

/** A bank transfer of this partner with the account of the wallet that pays it, or null. The name is null once its owner was erased. */
export async function findBankTransfer(
  cell: SealedCell,
  partnerId: string,
  transactionId: string,
): Promise<{
  transfer: Transaction;
  sender: { readonly name: string | null } & Omit<Originator, 'name'>;
} | null> {
  const { rows } = await cell.pool.query<
    TransactionRow & {
      sender_name_sealed: string | null;
      sender_number: string | null;
      sender_bank: string | null;
    }
  >(
    `SELECT t.*, w.account_name_sealed AS sender_name_sealed, w.account_number AS sender_number, w.bank_code AS sender_bank
       FROM ${cell.schema}.transactions t LEFT JOIN ${cell.schema}.wallets w ON w.id = t.source_wallet
      WHERE t.id = $1 AND t.partner_id = $2`,
    [transactionId, partnerId],
  );
  const [row] = rows;
  if (!row) return null;
  const { source_wallet: walletId, sender_name_sealed: sealed } = row;
  return {
    transfer: toTransaction(row, cell.sealing),
    sender: {
      // Whoever ends a transfer by hand does not look at it, and needs no key.
      get name() {
        return walletId === null || sealed === null
          ? null
          : cell.sealing.open(sealed, accountNamePlace(walletId));
      },
      accountNumber: row.sender_number,
      bankCode: row.sender_bank,
    },
  };
}

/**
 * The transactions that one movement began: all legs of a split in their order, else the transaction alone.
 * The legs of a split share its source and the instant of their commit, which is how an index finds them.
 */
async function findLegs(cell: SealedCell, first: Transaction): Promise<Transaction[]> {
  if (!first.splitConfig) return [first];
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM ${cell.schema}.transactions
      WHERE source_wallet = $1 AND created_at = $2 AND partner_id = $3 AND reference = $4 AND type = $5
      ORDER BY (metadata->>'split_index')::integer`,
    [first.sourceWalletId, first.createdAt, first.partnerId, first.reference, first.type],
  );
  return asRead(cell, rows);
}

/** The reversal of a failed or returned transfer, or null. */
export async function findReversalId(cell: Cell, transactionId: string): Promise<string | null> {
  const { rows } = await cell.pool.query<{ reversal_id: string }>(
    `SELECT reversal_id FROM ${cell.schema}.reversals WHERE original_id = $1`,
    [transactionId],
  );
  return rows[0]?.reversal_id ?? null;
}

/** Whether a wallet of ours in this cell was credited with a bank transfer (D60, R8). */
export async function isCredited(cell: Cell, bankTransferId: string): Promise<boolean> {
  const { rowCount } = await cell.pool.query(
    `SELECT FROM ${cell.schema}.own_mfb_credits WHERE bank_transfer_id = $1`,
    [bankTransferId],
  );
  return rowCount === 1;
}

/**
 * The transactions that one movement began, in their order, with the balances right after it: what its answer shows.
 * @throws an outage while a reset deletes them.
 */
export async function findPostedLegs(
  cell: SealedCell,
  partnerId: string,
  transactionId: string,
): Promise<PostedLeg[]> {
  const first = await findTransaction(cell, partnerId, transactionId);
  const legs = first ? await balancesAfter(cell, await findLegs(cell, first)) : [];
  // A reset raises its fence before it deletes anything, so without the fence all that was read is whole.
  await assertNotResetting(cell.pool, cell.schema, partnerId);
  if (legs.length === 0) throw new UnavailableError('the transaction of a repeat is gone');
  return legs;
}

/** The wallets' balances right after each transaction was accepted, as its entries keep them (D160). */
async function balancesAfter(cell: Cell, transactions: readonly Transaction[]): Promise<PostedLeg[]> {
  const { rows } = await cell.pool.query<{
    transaction_id: string;
    account: string;
    balance_after_kobo: number;
  }>(
    `SELECT transaction_id, account, balance_after_kobo FROM ${cell.schema}.entries
      WHERE transaction_id = ANY($1) AND step = 'accept' AND sequence IS NOT NULL`,
    [transactions.map((transaction) => transaction.id)],
  );
  const of = (transactionId: string, walletId: string | null) =>
    rows.find((row) => row.transaction_id === transactionId && row.account === walletId)
      ?.balance_after_kobo ?? null;
  return transactions.map((transaction) => ({
    transaction,
    balances: {
      sourceKobo: of(transaction.id, transaction.sourceWalletId),
      destKobo: of(transaction.id, transaction.destWalletId),
    },
  }));
}

/** A page behind a place; null is before the first row. */
interface Page {
  after: Place | null;
  limit: number;
}

/**
 * The newest transactions before a place with one wallet on either side. Both sides are read by their own index from
 * the same place on, so page N costs what page 1 costs.
 * @param wallet, before and limit as SQL.
 */
const ofWallet = (schema: string, wallet: string, before: string, limit: string, and = ''): string => {
  const side = (column: string) => `(
    SELECT * FROM ${schema}.transactions WHERE ${column} = ${wallet} AND (created_at, id) < (${before}) ${and}
     ORDER BY created_at DESC, id DESC LIMIT ${limit})`;
  return `${side('source_wallet')} UNION ALL ${side('dest_wallet')} ORDER BY created_at DESC, id DESC LIMIT ${limit}`;
};

/** One page of a wallet's transactions, newest first (D43, D51). */
export async function listTransactions(
  cell: SealedCell,
  walletId: string,
  page: Page,
): Promise<Transaction[]> {
  const { rows } = await cell.pool.query<TransactionRow>(ofWallet(cell.schema, '$1', '$2, $3', '$4'), [
    walletId,
    page.after?.createdAt ?? 'infinity',
    page.after?.id ?? LAST_UUID,
    page.limit,
  ]);
  return asRead(cell, rows);
}

/** What is left out of the filter is null. */
interface TransactionFilter {
  type: PublishedType | null;
  status: TransactionStatus | null;
  walletId: string | null;
  /** From here on. */
  from: Date | null;
  /** Until just before. */
  to: Date | null;
}

/**
 * One page of a partner's transactions, newest first (D43, D195). A time finds its place in the index; type and status
 * have none, so a page with one of them walks past a bounded number of transactions. A wallet of another partner has
 * no transactions here.
 */
export async function listTransactionsOf(
  cell: SealedCell,
  partnerId: string,
  { type, status, walletId, from, to }: TransactionFilter,
  page: Page,
): Promise<Walked<Transaction, Place>> {
  const before = page.after ?? (to && { createdAt: to, id: FIRST_UUID });
  const isFiltered = type !== null || status !== null;
  const values = [
    partnerId,
    before?.createdAt ?? 'infinity',
    before?.id ?? LAST_UUID,
    from ?? '-infinity',
    isFiltered ? WALK_MAX : page.limit,
    ...(walletId === null ? [] : [walletId]),
  ];
  const own = `(SELECT id FROM ${cell.schema}.accounts WHERE id = $6 AND partner_id = $1)`;
  const along =
    walletId === null
      ? `SELECT * FROM ${cell.schema}.transactions
          WHERE partner_id = $1 AND (created_at, id) < ($2, $3) AND created_at >= $4 AND ${OF_PARTNERS}
          ORDER BY created_at DESC, id DESC LIMIT $5`
      : ofWallet(cell.schema, own, '$2, $3', '$5', 'AND created_at >= $4');
  const after = (place: number): string => `$${String(values.length + place)}`;
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT * FROM (${along}) AS walked
      WHERE (${after(1)}::text IS NULL OR type = ${after(1)}) AND (${after(2)}::text IS NULL OR status = ${after(2)})
      ORDER BY created_at DESC, id DESC LIMIT ${after(3)}`,
    [...values, type, status, page.limit],
  );
  const found = await asRead(cell, rows);
  if (!isFiltered || rows.length >= page.limit) return { rows: found, stoppedAt: null };
  const { rows: ends } = await cell.pool.query<{ created_at: Date; id: string }>(
    `SELECT created_at, id FROM (${along}) AS walked
      ORDER BY created_at DESC, id DESC OFFSET ${String(WALK_MAX - 1)} LIMIT 1`,
    values,
  );
  const [end] = ends;
  return { rows: found, stoppedAt: end ? { createdAt: end.created_at, id: end.id } : null };
}

/** Partners are not shown what is only in our own books. */
const OF_PARTNERS = `type = ANY ('{${PUBLISHED_TYPES.join(',')}}')`;

/**
 * The transactions of one reference: a partner's own is looked up in the registry; `fund_<id>` and `rev_<id>` name
 * their transaction themselves and never enter it (R6).
 * @param walletId only those of this wallet; null for all.
 */
export async function findByReference(
  cell: SealedCell,
  partnerId: string,
  walletId: string | null,
  reference: string,
): Promise<Transaction[]> {
  const { rows } = await cell.pool.query<TransactionRow>(
    `SELECT t.* FROM ${cell.schema}.transactions t
      WHERE t.id IN (
              SELECT transaction_id FROM ${cell.schema}.used_references
               WHERE partner_id = $1 AND reference = $3
              UNION ALL
              SELECT leg.id FROM ${cell.schema}.used_references used
                JOIN ${cell.schema}.transactions first
                  ON first.id = used.transaction_id AND first.split_config IS NOT NULL
                JOIN ${cell.schema}.transactions leg
                  ON leg.source_wallet = first.source_wallet AND leg.created_at = first.created_at
               WHERE used.partner_id = $1 AND used.reference = $3
              UNION ALL SELECT $4::uuid
              UNION ALL SELECT reversal_id FROM ${cell.schema}.reversals WHERE original_id = $4::uuid)
        AND t.reference = $3 AND t.partner_id = $1 AND ($2::uuid IS NULL OR $2 IN (t.source_wallet, t.dest_wallet))
        AND ${OF_PARTNERS}
      ORDER BY t.created_at DESC, t.id DESC`,
    [partnerId, walletId, reference, DERIVED_REFERENCE.exec(reference)?.[1] ?? null],
  );
  return asRead(cell, rows);
}

/** The same for a list that is filtered by more than the reference. A reference has a hundred transactions at most. */
export async function findByReferenceOf(
  cell: SealedCell,
  partnerId: string,
  reference: string,
  { type, status, walletId, from, to }: TransactionFilter,
): Promise<Transaction[]> {
  const found = await findByReference(cell, partnerId, walletId, reference);
  return found.filter(
    (one) =>
      (type === null || one.type === type) &&
      (status === null || one.status === status) &&
      (from === null || one.createdAt >= from) &&
      (to === null || one.createdAt < to),
  );
}

const DERIVED_REFERENCE = /^(?:fund|rev)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
