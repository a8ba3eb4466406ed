/** The environment's directory: it assigns account numbers, and finds the wallet of an account number (R1). */
import { present } from '../../domain/assert';
import { assertNotResetting } from '../upkeep/epochs';
import { serialAt } from './account-serials';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

export interface NubanOwner {
  partnerId: string;
  walletId: string;
}

/** A bank that issues account numbers from the serials of our directory. */
export interface NubanIssuer {
  /** The code by which the platform knows the bank. The number is unique only within it. */
  bankCode: string;
  /** Makes the number of a serial, or null where it must not be issued (R24). */
  numberFor(serial: number): string | null;
}

/** The account number of a wallet. It is assigned with the first call, and every later call gives the same number. */
export async function nubanOf(
  db: Queryable,
  directory: string,
  owner: NubanOwner,
  issuer: NubanIssuer,
): Promise<string> {
  const known = async (): Promise<string | undefined> => {
    const { rows } = await db.query<{ account_number: string }>(
      `SELECT account_number FROM ${directory}.nubans WHERE wallet_id = $1`,
      [owner.walletId],
    );
    return rows[0]?.account_number;
  };
  for (;;) {
    const issued = await known();
    if (issued) return issued;
    const { rows } = await db.query<{ place: number; key: string }>(
      `SELECT nextval('${directory}.nuban_serial') AS place, key FROM ${directory}.nuban_key`,
    );
    const { place, key } = present(rows[0], 'the key of the account numbers');
    const number = issuer.numberFor(serialAt(place, key));
    if (number === null) continue;
    // Two calls for one wallet may both assign a number. wallet_id is unique, so one number is kept, and the loop
    // finds it.
    await db.query(
      `INSERT INTO ${directory}.nubans (bank_code, account_number, partner_id, wallet_id) VALUES ($1, $2, $3, $4)
       ON CONFLICT DO NOTHING`,
      [issuer.bankCode, number, owner.partnerId, owner.walletId],
    );
  }
}

/**
 * The same inside a transaction that a sandbox reset waits for, so that no number is assigned to a wallet that is
 * being deleted.
 * @throws an outage while the partner's sandbox is being reset; an Error once the wallet is gone.
 */
export function drawNuban(
  cell: Cell,
  directory: string,
  owner: NubanOwner,
  issuer: NubanIssuer,
): Promise<string> {
  return inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, cell.schema, owner.partnerId);
    const wallet = await trx.query(`SELECT FROM ${cell.schema}.wallets WHERE id = $1`, [owner.walletId]);
    if (wallet.rowCount === 0) throw new Error('the wallet is gone');
    return nubanOf(trx, directory, owner, issuer);
  });
}

/**
 * Keeps the number that a company has issued for a wallet. A second time finds it there.
 * @throws where the number is another wallet's, or the wallet has another one: money would come to the wrong place.
 */
export async function keepNuban(
  trx: Queryable,
  directory: string,
  { partnerId, walletId }: NubanOwner,
  { bankCode, accountNumber }: { bankCode: string; accountNumber: string },
): Promise<void> {
  await trx.query(
    `INSERT INTO ${directory}.nubans (bank_code, account_number, partner_id, wallet_id) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [bankCode, accountNumber, partnerId, walletId],
  );
  const owner = await findNuban(trx, directory, { bankCode, accountNumber });
  if (owner?.walletId !== walletId)
    throw new Error('the account number that was issued is not this wallet’s');
}

/** The codes of the banks at which this number is the account of this wallet of the partner. */
export async function banksOfNuban(
  db: Queryable,
  directory: string,
  { partnerId, walletId }: NubanOwner,
  accountNumber: string,
): Promise<string[]> {
  const { rows } = await db.query<{ bank_code: string }>(
    `SELECT bank_code FROM ${directory}.nubans WHERE wallet_id = $1 AND partner_id = $2 AND account_number = $3`,
    [walletId, partnerId, accountNumber],
  );
  return rows.map(({ bank_code: bankCode }) => bankCode);
}

/** Whose wallet an account at a bank is, or null. Another bank may have given the same number to somebody else. */
export async function findNuban(
  db: Queryable,
  directory: string,
  account: { bankCode: string; accountNumber: string },
): Promise<NubanOwner | null> {
  const { rows } = await db.query<{ partner_id: string; wallet_id: string }>(
    `SELECT partner_id, wallet_id FROM ${directory}.nubans WHERE bank_code = $1 AND account_number = $2`,
    [account.bankCode, account.accountNumber],
  );
  return rows[0] ? { partnerId: rows[0].partner_id, walletId: rows[0].wallet_id } : null;
}
