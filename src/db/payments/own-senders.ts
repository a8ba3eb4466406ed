/** Wallets as the other side of a payment: of a transfer between wallets, and of one to an account number of our own MFB. */
import { maskedAccount } from '../../domain/counterparties';
import type { Counterparty } from '../../domain/entries';
import { accountNamePlace, type Sealing } from '../../secrets/sealing';
import { openedName } from '../wallets/names';
import type { Cell, SealedCell } from '../pg/postgres';

interface NamedWallet {
  wallet_id: string;
  account_name_sealed: string | null;
  account_number: string | null;
  bank_name: string | null;
}

const WALLET = 'w.id AS wallet_id, w.account_name_sealed, w.account_number, w.bank_name';

const toCounterparty = (sealing: Sealing, row: NamedWallet): Counterparty => ({
  // Empty after an erasure.
  name: openedName(sealing, row.account_name_sealed, accountNamePlace(row.wallet_id)) || null,
  bankName: row.bank_name,
  accountNumber: maskedAccount(row.account_number),
});

/** The accounts of these wallets, for whoever has paid them or was paid by them. */
export async function findCounterparties(
  { pool, schema, sealing }: SealedCell,
  walletIds: readonly string[],
): Promise<Map<string, Counterparty>> {
  const { rows } = await pool.query<NamedWallet>(
    `SELECT ${WALLET} FROM ${schema}.wallets w WHERE w.id = ANY($1)`,
    [walletIds],
  );
  return new Map(rows.map((row) => [row.wallet_id, toCounterparty(sealing, row)]));
}

/** Who has sent a credit from our own MFB, and what for. */
export type OwnSender = Counterparty & { narration: string };

/**
 * The wallets whose transfers to our own account numbers have credited these transactions. The transfer may be in another cell.
 * @param cells all cells of the environment.
 * @returns them by the id of the credit.
 */
export async function findOwnSenders(
  { pool, schema }: Cell,
  cells: Iterable<SealedCell>,
  fundingIds: readonly string[],
): Promise<Map<string, OwnSender>> {
  const { rows: credits } = await pool.query<{ funding_id: string; bank_transfer_id: string }>(
    `SELECT funding_id, bank_transfer_id FROM ${schema}.own_mfb_credits WHERE funding_id = ANY($1)`,
    [fundingIds],
  );
  const senders = new Map<string, OwnSender>();
  const fundings = new Map(credits.map((row) => [row.bank_transfer_id, row.funding_id]));
  for (const cell of cells) {
    if (fundings.size === 0) break;
    const { rows } = await cell.pool.query<NamedWallet & { id: string; description: string }>(
      `SELECT t.id, t.description, ${WALLET} FROM ${cell.schema}.transactions t
         JOIN ${cell.schema}.wallets w ON w.id = t.source_wallet WHERE t.id = ANY($1)`,
      [[...fundings.keys()]],
    );
    for (const row of rows) {
      const fundingId = fundings.get(row.id);
      if (fundingId === undefined) continue;
      senders.set(fundingId, { ...toCounterparty(cell.sealing, row), narration: row.description });
      fundings.delete(row.id);
    }
  }
  return senders;
}
