/**
 * Takes the personal data of a wallet's owner out of a cell and leaves the books whole: no row of the ledger goes, and no
 * amount, id or time changes. The ledger's rows are blanked in small batches; a crash leaves the rest to the next call.
 */
import { namingTexts, type KnownPerson } from '../../domain/naming-texts';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { isOfPlatform } from '../../domain/wallets';
import { blankTexts } from '../ledger/blank-texts';
import { forgetAnswersAbout } from '../ledger/idempotency';
import { accountNamePlace } from '../../secrets/sealing';
import { inTransaction, type Cell, type SealedCell } from '../pg/postgres';
import { openedMetadata } from '../wallets/wallets';

const UNDER_LEGAL_HOLD = { message: 'What is known of this person is under a legal hold' };
const STILL_VERIFIED = { message: 'A number of this person is being verified: wait for its end' };

const STILL_TO_PAY = {
  message:
    'A bulk or a scheduled transfer is still to pay or to be paid with this wallet: have it finished or cancelled',
};

/** A wallet as it is named by its partner. */
export interface OwnedWallet {
  partnerId: string;
  walletId: string;
}

interface OwnerRow {
  status: string;
  updated_at: Date;
  user_ref: string;
  account_name_sealed: string | null;
  account_number: string | null;
  metadata_sealed: string | null;
  phones: string[];
  pending: boolean;
  to_pay: boolean;
  kept_by_law: boolean;
}

/**
 * Whether the owner of a wallet can be erased now. A closed wallet never opens again, so nothing about the person is
 * added afterwards, and the last change of its account is its closing.
 * @returns the owner and when the wallet was closed; or NOT_FOUND, INVALID_WALLET_STATE while the wallet is open or a
 *   number of the person is being verified, a bulk or scheduled transfer still names it, or a legal hold is in force.
 */
export async function findErasable(
  { pool, schema, sealing }: SealedCell,
  { partnerId, walletId }: OwnedWallet,
): Promise<Outcome<KnownPerson & { closedAt: Date }>> {
  const { rows } = await pool.query<OwnerRow>(
    `SELECT a.status, a.updated_at, w.user_ref, w.account_name_sealed, w.account_number, w.metadata_sealed,
            ARRAY(SELECT DISTINCT phone FROM ${schema}.ussd_sessions
                   WHERE payer_wallet = $1 AND phone IS NOT NULL) AS phones, EXISTS (
              SELECT FROM ${schema}.verifications v
               WHERE v.partner_id = $2 AND v.user_ref = w.user_ref AND v.status = 'pending') AS pending,
            EXISTS (
              SELECT FROM ${schema}.bulk_transfer_lines
               WHERE status IN ('waiting', 'running')
                 AND $1::text IN (asked->>'sourceWalletId', asked->'to'->>'destWalletId'))
            OR EXISTS (
              SELECT FROM ${schema}.scheduled_transfers
               WHERE partner_id = $2 AND ended_at IS NULL AND $1 IN (source_wallet, dest_wallet)) AS to_pay,
            ${schema}.is_under_legal_hold($2, w.user_ref) AS kept_by_law
       FROM ${schema}.accounts a JOIN ${schema}.wallets w USING (id) WHERE a.id = $1 AND a.partner_id = $2`,
    [walletId, partnerId],
  );
  const [found] = rows;
  if (!found) return refuse('NOT_FOUND');
  if (found.status !== 'closed' || isOfPlatform(found.user_ref)) {
    return refuse('INVALID_WALLET_STATE', { message: 'Only the owner of a closed wallet is erased' });
  }
  if (found.pending) {
    return refuse('INVALID_WALLET_STATE', STILL_VERIFIED);
  }
  if (found.to_pay) return refuse('INVALID_WALLET_STATE', STILL_TO_PAY);
  if (found.kept_by_law) return refuse('INVALID_WALLET_STATE', UNDER_LEGAL_HOLD);
  const { account_name_sealed: named, metadata_sealed } = found;
  return done({
    walletId,
    userRef: found.user_ref,
    accountName: named === null ? null : sealing.open(named, accountNamePlace(walletId)),
    accountNumber: found.account_number,
    metadata: openedMetadata(sealing, { id: walletId, metadata_sealed }),
    phones: found.phones,
    closedAt: found.updated_at,
  });
}

/**
 * Erases the person to whom a wallet belongs.
 * @returns when it was erased; a second call finds nothing left, and gives the same time. Or refused as `findErasable`
 *   says.
 */
export async function erasePerson(
  cell: SealedCell,
  directory: string,
  wallet: OwnedWallet,
): Promise<Outcome<{ erasedAt: Date }>> {
  const { pool, schema } = cell;
  const { partnerId, walletId } = wallet;
  const found = await findErasable(cell, wallet);
  if (!found.ok) return found;
  const { userRef } = found.value;
  await forgetAnswersAbout(cell, partnerId, walletId);
  await blankTexts(cell, walletId, namingTexts(found.value));
  return inTransaction(pool, async (trx) => {
    const of = [walletId];
    const ofBoth = [walletId, partnerId];
    await trx.query(`SELECT ${schema}.erase_person($1, $2, $3)`, [partnerId, walletId, userRef]);
    await trx.query(
      `UPDATE ${schema}.wallet_pins SET pin_hash = NULL, pepper_kid = NULL WHERE wallet_id = $1`,
      of,
    );
    await trx.query(
      `UPDATE ${schema}.qr_requests SET payee_name_sealed = NULL, description = '', metadata = '{}' WHERE wallet_id = $1`,
      of,
    );
    await trx.query(
      `DELETE FROM ${directory}.dial_codes WHERE partner_id = $2
          AND session_id IN (SELECT id FROM ${schema}.ussd_sessions WHERE payer_wallet = $1)`,
      ofBoth,
    );
    await trx.query(`UPDATE ${schema}.ussd_sessions SET phone = NULL WHERE payer_wallet = $1`, of);
    await trx.query(
      `UPDATE ${schema}.ussd_sessions SET merchant_name_sealed = NULL WHERE merchant_wallet = $1`,
      of,
    );
    await trx.query(
      `UPDATE ${schema}.provider_callbacks SET body_sealed = NULL WHERE body_sealed IS NOT NULL AND transaction_id IN (
         SELECT id FROM ${schema}.transactions WHERE source_wallet = $1 OR dest_wallet = $1)`,
      of,
    );
    // The claim leads from the wallet to the notices of its payments.
    await trx.query(`UPDATE ${schema}.inbound_credits SET sender_sealed = NULL WHERE wallet_id = $1`, of);
    await trx.query(
      `UPDATE ${directory}.provider_notices n SET body_sealed = NULL FROM ${directory}.inbound_claims c
        WHERE n.body_sealed IS NOT NULL AND (n.provider, n.reference) = (c.provider, c.reference)
          AND c.partner_id = $2 AND c.wallet_id = $1`,
      ofBoth,
    );
    const erased = await trx.query<{ erased_at: Date }>(
      `UPDATE ${schema}.wallets SET metadata_sealed = NULL, account_name_sealed = NULL,
              erased_at = coalesce(erased_at, now())
        WHERE id = $1 RETURNING erased_at`,
      of,
    );
    return done({ erasedAt: erased.rows[0]?.erased_at as Date });
  });
}

interface CheckedRow {
  user_ref: string;
  last: Date;
  pending: boolean;
  has_wallet: boolean;
  kept_by_law: boolean;
}

/**
 * Whether somebody can be erased now who was checked and never had a wallet.
 * @param verificationId any check of the person.
 * @returns who it is to the partner, and when the last check ended; or NOT_FOUND, INVALID_WALLET_STATE where there is a
 *   wallet, a number is being verified, or a legal hold is in force.
 */
export async function findErasableCheck(
  { pool, schema }: Cell,
  partnerId: string,
  verificationId: string,
): Promise<Outcome<{ userRef: string; lastCheckedAt: Date }>> {
  const { rows } = await pool.query<CheckedRow>(
    `SELECT v.user_ref, max(v.updated_at) AS last, bool_or(v.status = 'pending') AS pending,
            EXISTS (SELECT FROM ${schema}.wallets w
                     WHERE w.partner_id = $1 AND w.user_ref = v.user_ref) AS has_wallet,
            ${schema}.is_under_legal_hold($1, v.user_ref) AS kept_by_law
       FROM ${schema}.verifications v
      WHERE v.partner_id = $1 AND v.user_ref = (
        SELECT user_ref FROM ${schema}.verifications WHERE id = $2 AND partner_id = $1)
      GROUP BY v.user_ref`,
    [partnerId, verificationId],
  );
  const [found] = rows;
  if (!found) return refuse('NOT_FOUND');
  if (found.has_wallet) {
    return refuse('INVALID_WALLET_STATE', {
      message: 'This person has a wallet, and is erased as its owner',
    });
  }
  if (found.pending) return refuse('INVALID_WALLET_STATE', STILL_VERIFIED);
  if (found.kept_by_law) return refuse('INVALID_WALLET_STATE', UNDER_LEGAL_HOLD);
  return done({ userRef: found.user_ref, lastCheckedAt: found.last });
}

/**
 * Erases somebody who was checked and never had a wallet: every number and name, and the events about the checks.
 * @returns done; a second call finds nothing left. Or refused as `findErasableCheck` says.
 */
export async function eraseCheckedPerson(
  cell: Cell,
  partnerId: string,
  verificationId: string,
): Promise<Outcome<null>> {
  const found = await findErasableCheck(cell, partnerId, verificationId);
  if (!found.ok) return found;
  await cell.pool.query(`SELECT ${cell.schema}.erase_checked_person($1, $2)`, [
    partnerId,
    found.value.userRef,
  ]);
  return done(null);
}
