/** Wallet PINs as rows: the hash, the guesses that were wrong in a row, and who changed what (D74, D75, D163). */
import { PIN_WRONG_IN_A_ROW_MAX, type StoredPin } from '../../domain/pins';
import { assertNotResetting } from '../upkeep/epochs';
import { newId } from '../pg/ids';
import { inTransaction, type Cell, type Queryable } from '../pg/postgres';

export interface PinRow {
  pin_hash: string | null;
  pepper_kid: string | null;
  wrong_in_a_row: number;
}

/** The hash with which a guess is compared; null if no PIN was set yet. */
export interface CountedGuess {
  stored: StoredPin | null;
  /** How many wrong guesses there were in a row, with this one. A right guess sets the count to zero. */
  wrongInARow: number;
}

/**
 * Counts a guess before it is checked, so that guesses that are sent at the same time are all counted (G24).
 * @param db a transaction in which the partner's sandbox is known not to be reset.
 * @returns null when the PIN is locked: then the guess is not checked.
 */
export async function countGuess(
  db: Queryable,
  schema: string,
  wallet: { partnerId: string; walletId: string },
): Promise<CountedGuess | null> {
  const { rows } = await db.query<PinRow>(guess(schema, '$1', '$2'), [wallet.walletId, wallet.partnerId]);
  return guessIn(rows[0]);
}

/** Counts a guess. It answers with a row for `guessIn`; without one the PIN is locked, and nothing is counted. */
export const guess = (schema: string, walletId: string, partnerId: string): string =>
  `INSERT INTO ${schema}.wallet_pins AS p (wallet_id, partner_id, wrong_in_a_row)
   VALUES (${walletId}, ${partnerId}, 1)
   ON CONFLICT (wallet_id) DO UPDATE SET wrong_in_a_row = p.wrong_in_a_row + 1, updated_at = now()
    WHERE p.wrong_in_a_row < ${PIN_WRONG_IN_A_ROW_MAX}
   RETURNING pin_hash, pepper_kid, wrong_in_a_row`;

export const guessIn = (row: PinRow | undefined): CountedGuess | null =>
  row ? { stored: storedIn(row), wrongInARow: row.wrong_in_a_row } : null;

const storedIn = ({ pin_hash: hash, pepper_kid: pepperKid }: PinRow): StoredPin | null =>
  hash !== null && pepperKid !== null ? { hash, pepperKid } : null;

/** Counts a guess that belongs to no USSD session, in a commit of its own. */
export const countGuessAlone = (
  cell: Cell,
  wallet: { partnerId: string; walletId: string },
): Promise<CountedGuess | null> =>
  inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, cell.schema, wallet.partnerId);
    return countGuess(trx, cell.schema, wallet);
  });

/**
 * Sets a wallet's PIN, which unlocks it, and writes down that it was changed. Setting the same PIN again only adds
 * another row to that trail.
 */
export async function setPin(
  cell: Cell,
  change: {
    partnerId: string;
    walletId: string;
    stored: StoredPin;
    knewCurrentPin: boolean;
    requestId: string;
  },
): Promise<void> {
  const { partnerId, walletId, stored } = change;
  await inTransaction(cell.pool, async (trx) => {
    await assertNotResetting(trx, cell.schema, partnerId);
    await trx.query(
      `INSERT INTO ${cell.schema}.wallet_pins (wallet_id, partner_id, pin_hash, pepper_kid)
       VALUES ($1, $2, $3, $4)
       ON CONFLICT (wallet_id) DO UPDATE SET pin_hash = excluded.pin_hash, pepper_kid = excluded.pepper_kid,
         wrong_in_a_row = 0, updated_at = now()`,
      [walletId, partnerId, stored.hash, stored.pepperKid],
    );
    await trx.query(
      `INSERT INTO ${cell.schema}.wallet_pin_changes (id, partner_id, wallet_id, knew_current_pin, request_id)
       VALUES ($1, $2, $3, $4, $5)`,
      [newId(), partnerId, walletId, change.knewCurrentPin, change.requestId],
    );
  });
}

/**
 * Stores a right PIN under the newest pepper. Harmless the second time, and beside a change of the PIN: only the hash
 * that was checked is replaced.
 */
export async function renewPin(
  cell: Cell,
  walletId: string,
  checked: StoredPin,
  renewed: StoredPin,
): Promise<void> {
  await cell.pool.query(
    `UPDATE ${cell.schema}.wallet_pins SET pin_hash = $3, pepper_kid = $4 WHERE wallet_id = $1 AND pin_hash = $2`,
    [walletId, checked.hash, renewed.hash, renewed.pepperKid],
  );
}
