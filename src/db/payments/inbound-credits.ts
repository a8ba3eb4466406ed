/**
 * Payments that came in from outside: what companies have told of them, which cell books each, and what was booked. A
 * payment is booked in one cell alone, which the row in the environment's directory has fixed (R1, R43).
 */
import type { InboundPayment, NoticeSubject, ShownCredit, WalletPlace } from '../../domain/inbound';
import { newId } from '../pg/ids';
import { inTransaction, type Cell } from '../pg/postgres';

/** The directory of an environment, where what comes without a partner is kept (R1). */
export interface Directory {
  pool: Cell['pool'];
  directory: string;
}

/** A payment by the name that its company has for it. */
export interface PaymentName {
  provider: string;
  reference: string;
}

/** A notice of which no workflow was told yet. */
export interface UntoldNotice extends PaymentName {
  id: string;
  about: NoticeSubject;
}

/**
 * Keeps a notice of a company, once per body.
 * @returns true if it is new.
 */
export async function storeNotice(
  { pool, directory }: Directory,
  notice: UntoldNotice & { bodySha256: string; bodySealed: string },
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO ${directory}.provider_notices (id, provider, body_sha256, reference, about, body_sealed)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (provider, body_sha256) DO NOTHING`,
    [notice.id, notice.provider, notice.bodySha256, notice.reference, notice.about, notice.bodySealed],
  );
  return rowCount === 1;
}

/** The notices of which no workflow was told because of a crash or a stopped Temporal, oldest first. */
export async function untoldNotices(
  { pool, directory }: Directory,
  olderThanMs: number,
  limit: number,
): Promise<UntoldNotice[]> {
  const { rows } = await pool.query<UntoldNotice>(
    `SELECT id, provider, reference, about FROM ${directory}.provider_notices
      WHERE told_at IS NULL AND received_at < now() - $1 * interval '1 millisecond'
      ORDER BY received_at LIMIT $2`,
    [olderThanMs, limit],
  );
  return rows;
}

/** When a company last told of money that came in or went back; null where it never has. */
export async function findLastNotice({ pool, directory }: Directory, provider: string): Promise<Date | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `SELECT max(received_at) AS at FROM ${directory}.provider_notices WHERE provider = $1`,
    [provider],
  );
  return rows[0]?.at ?? null;
}

/** Marks notices as told to a workflow. Marking one twice changes nothing. */
export async function markNoticesTold({ pool, directory }: Directory, ids: readonly string[]): Promise<void> {
  await pool.query(
    `UPDATE ${directory}.provider_notices SET told_at = now() WHERE id = ANY($1) AND told_at IS NULL`,
    [ids],
  );
}

/** Where a payment is booked. */
export interface InboundClaim {
  /** Of the credit, and of its transaction. */
  creditId: string;
  cell: string;
  /** Null where it was nobody's account when the payment came. */
  to: WalletPlace | null;
}

interface ClaimRow {
  credit_id: string;
  cell: string;
  partner_id: string | null;
  wallet_id: string | null;
}

const toClaim = (row: ClaimRow): InboundClaim => ({
  creditId: row.credit_id,
  cell: row.cell,
  to: row.partner_id && row.wallet_id ? { partnerId: row.partner_id, walletId: row.wallet_id } : null,
});

/** Where a payment is booked, if that was decided. */
export async function findClaim(
  { pool, directory }: Directory,
  { provider, reference }: PaymentName,
): Promise<InboundClaim | null> {
  const { rows } = await pool.query<ClaimRow>(
    `SELECT credit_id, cell, partner_id, wallet_id FROM ${directory}.inbound_claims
      WHERE provider = $1 AND reference = $2`,
    [provider, reference],
  );
  return rows[0] ? toClaim(rows[0]) : null;
}

/**
 * Decides where a payment is booked, for the whole environment. The first decision holds: a later one, also of another
 * process, gets the row of the first.
 */
export async function claimPayment(
  { pool, directory }: Directory,
  { provider, reference }: PaymentName,
  { cell, to }: Omit<InboundClaim, 'creditId'>,
): Promise<InboundClaim> {
  await pool.query(
    `INSERT INTO ${directory}.inbound_claims (provider, reference, credit_id, cell, partner_id, wallet_id)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
    [provider, reference, newId(), cell, to?.partnerId ?? null, to?.walletId ?? null],
  );
  const claim = await findClaim({ pool, directory }, { provider, reference });
  if (!claim) throw new Error('bug: a claim that was written is not there');
  return claim;
}

/** Those of these payments for which no booking was decided, or whose decided booking is not there. */
export async function unbookedAmong(
  { pool, directory }: Directory,
  cells: Iterable<Cell>,
  provider: string,
  references: readonly string[],
): Promise<string[]> {
  const { rows } = await pool.query<{ reference: string; credit_id: string }>(
    `SELECT reference, credit_id FROM ${directory}.inbound_claims WHERE provider = $1 AND reference = ANY($2)`,
    [provider, references],
  );
  const booked = new Set<string>();
  for (const cell of cells) {
    const { rows: found } = await cell.pool.query<{ id: string }>(
      `SELECT id FROM ${cell.schema}.transactions WHERE id = ANY($1)`,
      [rows.map((row) => row.credit_id)],
    );
    for (const { id } of found) booked.add(id);
  }
  const done = new Set(rows.filter((row) => booked.has(row.credit_id)).map((row) => row.reference));
  return references.filter((reference) => !done.has(reference));
}

/** Writes what the company has confirmed, before it is booked. A second call finds the row, and changes nothing. */
export async function keepCredit(
  cell: Cell,
  name: PaymentName,
  claim: InboundClaim,
  payment: InboundPayment,
  senderSealed: string,
): Promise<void> {
  await cell.pool.query(
    `INSERT INTO ${cell.schema}.inbound_credits (id, provider, reference, provider_ref, amount_kobo, fee_kobo, bank_code,
       account_number, partner_id, wallet_id, sender_sealed)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT (id) DO NOTHING`,
    [
      claim.creditId,
      name.provider,
      name.reference,
      payment.providerRef,
      payment.amountKobo,
      payment.feeKobo,
      payment.bankCode,
      payment.accountNumber,
      claim.to?.partnerId ?? null,
      claim.to?.walletId ?? null,
      senderSealed,
    ],
  );
}

/** Whether a payment was credited to its wallet, or put into suspense; null while it is not booked. */
export async function bookedAs(cell: Cell, creditId: string): Promise<'credited' | 'unallocated' | null> {
  const { rows } = await cell.pool.query<{ has_wallet: boolean }>(
    `SELECT dest_wallet IS NOT NULL AS has_wallet FROM ${cell.schema}.transactions WHERE id = $1`,
    [creditId],
  );
  return rows[0] ? (rows[0].has_wallet ? 'credited' : 'unallocated') : null;
}

/** A credit that was put into suspense, as people look at it. */
export interface UnallocatedCredit {
  amountKobo: number;
  /** The wallet that people have decided on; null while they have not. */
  allocatedTo: string | null;
  /** The refund that is under way or has succeeded; null while there is none. */
  refundId: string | null;
}

/** A credit of this cell, if no wallet took it; else null. */
export async function findUnallocated(cell: Cell, creditId: string): Promise<UnallocatedCredit | null> {
  const { rows } = await cell.pool.query<{
    amount_kobo: number;
    allocated_to: string | null;
    refund_id: string | null;
  }>(
    `SELECT c.amount_kobo, c.allocated_to, c.refund_id
       FROM ${cell.schema}.inbound_credits c JOIN ${cell.schema}.transactions t USING (id)
      WHERE c.id = $1 AND t.dest_wallet IS NULL`,
    [creditId],
  );
  const [row] = rows;
  return row ? { amountKobo: row.amount_kobo, allocatedTo: row.allocated_to, refundId: row.refund_id } : null;
}

/** The name that its company has for a payment of this cell. */
export async function nameOfCredit(cell: Cell, creditId: string): Promise<PaymentName> {
  const { rows } = await cell.pool.query<PaymentName>(
    `SELECT provider, reference FROM ${cell.schema}.inbound_credits WHERE id = $1`,
    [creditId],
  );
  if (!rows[0]) throw new Error('bug: a credit that was found is not there');
  return rows[0];
}

/**
 * Decides for one wallet, before it is credited. The first decision holds; the same one again changes nothing.
 * @returns the transaction that is to credit the wallet; null where it was decided for another wallet, or to give it back.
 */
export async function decideAllocation(
  cell: Cell,
  creditId: string,
  to: { walletId: string; transactionId: string },
): Promise<string | null> {
  const { rows } = await cell.pool.query<{ allocated_as: string }>(
    `UPDATE ${cell.schema}.inbound_credits
        SET allocated_to = $2, allocated_as = coalesce(allocated_as, $3)
      WHERE id = $1 AND refund_id IS NULL AND (allocated_to IS NULL OR allocated_to = $2) RETURNING allocated_as`,
    [creditId, to.walletId, to.transactionId],
  );
  return rows[0]?.allocated_as ?? null;
}

/**
 * Carries a decision out, one caller at a time: the row is locked meanwhile. Where `credit` says that the wallet does not
 * take the money, the decision is taken back, so that people can decide anew.
 * @param credit credits the wallet, once, and says whether the wallet has the money.
 * @returns what it says; false where the decision is another one by now.
 */
export function carryOutAllocation(
  cell: Cell,
  creditId: string,
  transactionId: string,
  credit: () => Promise<boolean>,
): Promise<boolean> {
  return inTransaction(cell.pool, async (trx) => {
    const { rowCount } = await trx.query(
      `SELECT FROM ${cell.schema}.inbound_credits WHERE id = $1 AND allocated_as = $2 FOR UPDATE`,
      [creditId, transactionId],
    );
    if (rowCount === 0) return false;
    const isCredited = await credit();
    if (!isCredited) {
      await trx.query(
        `UPDATE ${cell.schema}.inbound_credits SET allocated_to = NULL, allocated_as = NULL WHERE id = $1`,
        [creditId],
      );
    }
    return isCredited;
  });
}

/** The cell of a credit; null where there is no such credit. */
export async function cellOfCredit({ pool, directory }: Directory, creditId: string): Promise<string | null> {
  const { rows } = await pool.query<{ cell: string }>(
    `SELECT cell FROM ${directory}.inbound_claims WHERE credit_id = $1`,
    [creditId],
  );
  return rows[0]?.cell ?? null;
}

/** Who has paid, sealed, by the transaction that credits the payment to its wallet. */
export async function findSenders(
  { pool, schema }: Cell,
  transactionIds: readonly string[],
): Promise<Map<string, { creditId: string; sealed: string }>> {
  const { rows } = await pool.query<{ paid_by: string; id: string; sender_sealed: string }>(
    `SELECT coalesce(allocated_as, id) AS paid_by, id, sender_sealed FROM ${schema}.inbound_credits
      WHERE (id = ANY($1) OR allocated_as = ANY($1)) AND sender_sealed IS NOT NULL`,
    [transactionIds],
  );
  return new Map(rows.map((row) => [row.paid_by, { creditId: row.id, sealed: row.sender_sealed }]));
}

/** A payment that is booked, with what it takes to follow what goes back of it. */
export interface BookedPayment {
  id: string;
  /** The company's own id of it. */
  paymentRef: string;
  amountKobo: number;
  receivedAt: Date;
  /** The transaction that has credited a wallet, which may be in another cell; null where no wallet has got it. */
  creditedAs: string | null;
  refundId: string | null;
}

/** A payment of this cell, or null while it is not booked. */
export async function findBookedPayment(cell: Cell, creditId: string): Promise<BookedPayment | null> {
  const { rows } = await cell.pool.query<{
    provider_ref: string;
    amount_kobo: number;
    created_at: Date;
    credited_as: string | null;
    refund_id: string | null;
  }>(
    `SELECT c.provider_ref, c.amount_kobo, c.created_at, c.refund_id,
            CASE WHEN t.dest_wallet IS NOT NULL THEN t.id ELSE c.allocated_as END AS credited_as
       FROM ${cell.schema}.inbound_credits c JOIN ${cell.schema}.transactions t USING (id) WHERE c.id = $1`,
    [creditId],
  );
  const [row] = rows;
  if (!row) return null;
  return {
    id: creditId,
    paymentRef: row.provider_ref,
    amountKobo: row.amount_kobo,
    receivedAt: row.created_at,
    creditedAs: row.credited_as,
    refundId: row.refund_id,
  };
}

/** Does work while nobody else works on a credit; the work has commits of its own. */
export function whileCreditIsLocked(cell: Cell, creditId: string, work: () => Promise<void>): Promise<void> {
  return inTransaction(cell.pool, async (trx) => {
    await trx.query(`SELECT FROM ${cell.schema}.inbound_credits WHERE id = $1 FOR UPDATE`, [creditId]);
    await work();
  });
}

/** The references of those of these payments that this cell has, by the company's own ids of them. */
export async function creditsOfPayments(
  cell: Cell,
  provider: string,
  paymentRefs: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await cell.pool.query<{ provider_ref: string; reference: string }>(
    `SELECT provider_ref, reference FROM ${cell.schema}.inbound_credits
      WHERE provider = $1 AND provider_ref = ANY($2)`,
    [provider, paymentRefs],
  );
  return new Map(rows.map((row) => [row.provider_ref, row.reference]));
}

type SealedCredit = Omit<ShownCredit, 'sender'> & { senderSealed: string | null };

/** A payment of this cell with its sealed sender, booked or not; null where there is none. */
export async function findShownCredit(cell: Cell, creditId: string): Promise<SealedCredit | null> {
  const { rows } = await cell.pool.query<SealedCredit>(
    `SELECT id, provider, reference, amount_kobo AS "amountKobo", bank_code AS "bankCode",
            account_number AS "accountNumber", partner_id AS "partnerId", wallet_id AS "walletId",
            allocated_to AS "allocatedTo", created_at AS "receivedAt", sender_sealed AS "senderSealed"
       FROM ${cell.schema}.inbound_credits WHERE id = $1`,
    [creditId],
  );
  return rows[0] ?? null;
}
