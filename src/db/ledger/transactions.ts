/** Transactions as the rest of the code reads them. The ledger writes them. */
import type { PostedLeg } from '../../domain/ledger';
import type { Transaction } from '../../domain/transactions';
import { UnavailableError } from '../../runtime/unavailable';
import { LAST_UUID } from '../pg/ids';
import type { Cell } from '../pg/postgres';
import { assertNotResetting } from '../upkeep/epochs';
import { asRead } from './split-legs';
import { toTransaction, type TransactionRow } from './transaction-row';

/**
 * A transaction of this partner, or null. The answer for a transaction of another partner is the same as for one
 * that does not exist.
 */
export async function findTransaction(
  cell: Cell,
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

/** A bank transfer of this partner with the account name of the wallet that pays it, or null. */
export async function findBankTransfer(
  cell: Cell,
  partnerId: string,
  transactionId: string,
): Promise<{ transfer: Transaction; senderName: string | null } | null> {
  const { rows } = await cell.pool.query<TransactionRow & { sender_name: string | null }>(
    `SELECT t.*, w.account_name AS sender_name
       FROM ${cell.schema}.transactions t LEFT JOIN ${cell.schema}.wallets w ON w.id = t.source_wallet
      WHERE t.id = $1 AND t.partner_id = $2`,
    [transactionId, partnerId],
  );
  return rows[0] ? { transfer: toTransaction(rows[0]), senderName: rows[0].sender_name } : null;
}

/**
 * The transactions that one movement began: all legs of a split in their order, else the transaction alone.
 * The legs of a split share its source and the instant of their commit, which is how an index finds them.
 */
async function findLegs(cell: Cell, first: Transaction): Promise<Transaction[]> {
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
  cell: Cell,
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

/** A place in a list that is read newest first: the last row that was given out. */
export interface Place {
  createdAt: Date;
  id: string;
}

/**
 * One page of a wallet's transactions, newest first (D43, D51). Both sides of a wallet are read by their own
 * index from the same place on, so page N costs what page 1 costs.
 */
export async function listTransactions(
  cell: Cell,
  walletId: string,
  page: { after: Place | null; limit: number },
): Promise<Transaction[]> {
  const side = (column: string) => `(
    SELECT * FROM ${cell.schema}.transactions
     WHERE ${column} = $1 AND (created_at, id) < ($2, $3)
     ORDER BY created_at DESC, id DESC LIMIT $4)`;
  const { rows } = await cell.pool.query<TransactionRow>(
    `${side('source_wallet')} UNION ALL ${side('dest_wallet')} ORDER BY created_at DESC, id DESC LIMIT $4`,
    [walletId, page.after?.createdAt ?? 'infinity', page.after?.id ?? LAST_UUID, page.limit],
  );
  return asRead(cell, rows);
}

/**
 * The wallet's transactions of one reference: a partner's own is looked up in the registry; `fund_<id>` and
 * `rev_<id>` name their transaction themselves and never enter it (R6).
 */
export async function findByReference(
  cell: Cell,
  partnerId: string,
  walletId: string,
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
        AND t.reference = $3 AND t.partner_id = $1 AND $2 IN (t.source_wallet, t.dest_wallet)
      ORDER BY t.created_at DESC, t.id DESC`,
    [partnerId, walletId, reference, DERIVED_REFERENCE.exec(reference)?.[1] ?? null],
  );
  return asRead(cell, rows);
}

const DERIVED_REFERENCE = /^(?:fund|rev)_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;
