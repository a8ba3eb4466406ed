/**
 * USSD sessions as rows: opened with their transaction in one commit, and read (interface: USSD session; D138).
 */
import type { Intention } from '../../domain/intentions';
import type { StoredAnswer, UsedKey } from '../../domain/ledger';
import type { Kobo } from '../../domain/money';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { ussdTerms, type UssdSession, type UssdStatus } from '../../domain/ussd';
import { DESTINATION_CLOSED, PAYER_REFUSALS, type WalletStatus } from '../../domain/wallets';
import { accept, type Accepted } from '../ledger/acceptance';
import { newId } from '../pg/ids';
import { insertIntention } from '../events/intentions';
import type { Queryable, SealedCell } from '../pg/postgres';
import { merchantNamePlace, type Sealing } from '../../secrets/sealing';
import { beforePlace, endOfWalk, newestOfPartner, WALK_MAX, type Place, type Walked } from '../pg/walks';
import { openedName } from '../wallets/names';
import { effectiveStatus } from '../wallets/wallet-status';
import { insertWallet } from '../wallets/wallets';

export interface UssdSessionRow {
  id: string;
  partner_id: string;
  transaction_id: string;
  payer_wallet: string;
  merchant_wallet: string;
  merchant_name_sealed: string | null;
  phone: string | null;
  dial_code: string;
  status: UssdStatus;
  pin_attempts: number;
  failure_reason: string | null;
  amount_kobo: number;
  reference: string;
  created_at: Date;
  expires_at: Date;
  overdue: boolean;
  completed_at: Date | null;
}

/** The merchant's name is opened when somebody looks at it, so a session ends also while the key of that name is missing. */
export const toUssdSession = (sealing: Sealing, row: UssdSessionRow): UssdSession => ({
  id: row.id,
  partnerId: row.partner_id,
  transactionId: row.transaction_id,
  payerWalletId: row.payer_wallet,
  merchantWalletId: row.merchant_wallet,
  get merchantName() {
    return openedName(sealing, row.merchant_name_sealed, merchantNamePlace(row.id));
  },
  phone: row.phone,
  dialCode: row.dial_code,
  status: row.status,
  pinAttempts: row.pin_attempts,
  failureReason: row.failure_reason,
  amountKobo: row.amount_kobo,
  reference: row.reference,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  overdue: row.overdue,
  completedAt: row.completed_at,
});

/** A session with its transaction's amount and reference; `overdue` by the database's clock. */
const selectSession = (schema: string): string =>
  `SELECT s.*, t.amount_kobo, t.reference, s.expires_at <= now() AS overdue
     FROM ${schema}.ussd_sessions s JOIN ${schema}.transactions t ON t.id = s.transaction_id`;

/**
 * A session of this partner, or null. The answer for a session of another partner is the same as for one that does
 * not exist (D72).
 */
export async function findUssdSession(
  cell: SealedCell,
  partnerId: string,
  sessionId: string,
): Promise<UssdSession | null> {
  const { rows } = await cell.pool.query<UssdSessionRow>(
    `${selectSession(cell.schema)} WHERE s.id = $1 AND s.partner_id = $2`,
    [sessionId, partnerId],
  );
  return rows[0] ? toUssdSession(cell.sealing, rows[0]) : null;
}

/**
 * What a session `s` is told to be: over when its time is, unless a PIN that was counted in time may still complete it,
 * also while its workflow has not written that yet (R18).
 */
export const toldStatus = (schema: string): string => `
  CASE WHEN s.expires_at <= now() AND s.status IN ('initiated', 'menu_main', 'pin_entry') AND NOT EXISTS (
              SELECT FROM ${schema}.ussd_pin_attempts a
               WHERE a.session_id = s.id AND (a.outcome IS NULL OR a.outcome = 'pin_accepted'))
       THEN 'expired' ELSE s.status END`;

/**
 * One page of a partner's sessions, newest first (D198). No index has the wallets or the status in this order, so a page
 * with such a filter walks past a bounded number of sessions.
 * @param filter `walletId` is either side.
 */
export async function listUssdSessions(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  { walletId, status }: { walletId: string | null; status: UssdStatus | null },
  { after, limit }: { after: Place | null; limit: number },
): Promise<Walked<UssdSession, Place>> {
  const table = `${schema}.ussd_sessions`;
  const before = beforePlace(partnerId, after);
  const isFiltered = walletId !== null || status !== null;
  const { rows } = await pool.query<UssdSessionRow>(
    `SELECT s.*, t.amount_kobo, t.reference, s.expires_at <= now() AS overdue, told.status
       FROM (${newestOfPartner(table)} LIMIT ${isFiltered ? String(WALK_MAX) : '$4'}) AS s
      CROSS JOIN LATERAL (
        SELECT amount_kobo, reference FROM ${schema}.transactions WHERE id = s.transaction_id LIMIT 1) AS t
      CROSS JOIN LATERAL (SELECT ${toldStatus(schema)} AS status) AS told
      WHERE ($5::uuid IS NULL OR $5 IN (s.payer_wallet, s.merchant_wallet))
        AND ($6::text IS NULL OR told.status = $6)
      ORDER BY s.created_at DESC, s.id DESC LIMIT $4`,
    [...before, limit, walletId, status],
  );
  const stoppedAt = isFiltered && rows.length < limit ? await endOfWalk(pool, table, before) : null;
  return { rows: rows.map((row) => toUssdSession(sealing, row)), stoppedAt };
}

/**
 * The user_ref of the partner's own wallet, which gets the payments that name no merchant. Partners cannot use
 * this name (D69, D137).
 */
const SETTLEMENT_USER_REF = '__settlement__';

export interface NewUssdSession {
  sessionId: string;
  transactionId: string;
  partnerId: string;
  payerWalletId: string;
  /** null for the partner's settlement wallet (D69). */
  merchantWalletId: string | null;
  merchantName: string;
  phone: string | null;
  dialCode: string;
  amountKobo: Kobo;
  reference: string;
  windowMs: number;
  key: UsedKey | null;
  /** The answer that is repeated for the idempotency key. */
  answer: (session: UssdSession) => StoredAnswer;
  intend: (session: UssdSession) => Intention;
}

export type OpenedUssdSession = Outcome<Accepted<{ session: UssdSession; intention: Intention }>>;

/**
 * Opens a session with its pending transaction, its reference and the intention of its workflow, in one
 * commit; a refusal leaves nothing behind (D138). A repeat by key or by reference finds the first one.
 */
export async function openUssdSession(
  cell: SealedCell,
  asked: NewUssdSession,
  idempotencyWindowMs: number,
): Promise<OpenedUssdSession> {
  const { partnerId, payerWalletId, amountKobo, key, reference } = asked;
  const settlementId = await settlementWalletOf(cell.pool, cell.schema, partnerId);
  // The settlement wallet is the same merchant whether it is named or not, even in the request that creates it.
  const isSettlement = asked.merchantWalletId === null || asked.merchantWalletId === settlementId;
  const merchantWalletId = isSettlement ? SETTLEMENT_USER_REF : (asked.merchantWalletId ?? '');
  const terms = ussdTerms({ payerWalletId, merchantWalletId, amountKobo });
  return accept(
    cell,
    { partnerId, key, reference, terms, resourceId: asked.sessionId, transactionId: asked.transactionId },
    idempotencyWindowMs,
    async (trx) => {
      const merchant = await merchantOf(trx, cell.schema, asked);
      const wallets = await statusesOf(trx, cell.schema, partnerId, [payerWalletId, merchant.id]);
      const merchantStatus = merchant.isNew ? 'active' : wallets.get(merchant.id);
      const refused = checkWallets(wallets.get(payerWalletId), merchantStatus);
      if (refused) return refused;
      if (merchant.isNew) await insertWallet(trx, cell, settlementWallet(partnerId, merchant.id));
      const session = await insertSession(trx, cell, asked, merchant.id);
      const intention = await insertIntention(trx, cell.schema, asked.intend(session));
      return done({ value: { session, intention }, answer: asked.answer(session) });
    },
  );
}

/** The partner's settlement wallet, or null before the first payment needed it. */
export async function settlementWalletOf(
  db: Queryable,
  schema: string,
  partnerId: string,
): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `SELECT id FROM ${schema}.wallets WHERE partner_id = $1 AND user_ref = $2`,
    [partnerId, SETTLEMENT_USER_REF],
  );
  return rows[0]?.id ?? null;
}

async function merchantOf(
  trx: Queryable,
  schema: string,
  asked: NewUssdSession,
): Promise<{ id: string; isNew: boolean }> {
  if (asked.merchantWalletId !== null) return { id: asked.merchantWalletId, isNew: false };
  const known = await settlementWalletOf(trx, schema, asked.partnerId);
  return { id: known ?? newId(), isNew: known === null };
}

/** It is active from the start and has no account number, because nobody outside pays into it (R9). */
const settlementWallet = (partnerId: string, id: string) =>
  ({ id, partnerId, userRef: SETTLEMENT_USER_REF, status: 'active', metadata: {} }) as const;

async function statusesOf(
  trx: Queryable,
  schema: string,
  partnerId: string,
  walletIds: string[],
): Promise<Map<string, WalletStatus>> {
  const { rows } = await trx.query<{ id: string; status: WalletStatus }>(
    `SELECT a.id, ${effectiveStatus('a')} AS status FROM ${schema}.accounts a
      WHERE a.id = ANY($1) AND a.partner_id = $2`,
    [walletIds, partnerId],
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

/**
 * The refusals about wallets are those of P2P (D138). The payer's balance is looked at when the code is dialled
 * (D73).
 */
function checkWallets(payer: WalletStatus | undefined, merchant: WalletStatus | undefined): Refused | null {
  if (!payer || !merchant) return refuse('WALLET_NOT_FOUND');
  const code = PAYER_REFUSALS[payer];
  if (code) return refuse(code);
  return merchant === 'closed' ? DESTINATION_CLOSED : null;
}

async function insertSession(
  trx: Queryable,
  { schema, sealing }: SealedCell,
  asked: NewUssdSession,
  merchantWalletId: string,
): Promise<UssdSession> {
  await trx.query(
    `INSERT INTO ${schema}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
       dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, idempotency_key,
       created_at, updated_at)
     VALUES ($1, $2, $3, 'ussd_payment', 'pending', $4::bigint, $5, $6, 0, 0, 0, $4, $7, now(), now())`,
    [
      asked.transactionId,
      asked.partnerId,
      asked.reference,
      asked.amountKobo,
      asked.payerWalletId,
      merchantWalletId,
      asked.key?.key ?? null,
    ],
  );
  await trx.query(
    `INSERT INTO ${schema}.ussd_sessions (id, partner_id, transaction_id, payer_wallet, merchant_wallet,
       merchant_name_sealed, phone, dial_code, status, created_at, updated_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 'initiated', now(), now(), now() + $9 * interval '1 millisecond')`,
    [
      asked.sessionId,
      asked.partnerId,
      asked.transactionId,
      asked.payerWalletId,
      merchantWalletId,
      sealing.seal(asked.merchantName, merchantNamePlace(asked.sessionId)),
      asked.phone,
      asked.dialCode,
      asked.windowMs,
    ],
  );
  const { rows } = await trx.query<UssdSessionRow>(`${selectSession(schema)} WHERE s.id = $1`, [
    asked.sessionId,
  ]);
  return toUssdSession(sealing, rows[0] as UssdSessionRow);
}
