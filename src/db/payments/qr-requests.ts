/** QR payment requests as rows; the ledger writer marks them paid in the payment's own commit. */
import type { QrRequest } from '../../domain/qr-requests';
import type { Metadata } from '../../domain/wallets';
import type { Cell, Queryable } from '../pg/postgres';

export interface QrRequestRow {
  id: string;
  partner_id: string;
  wallet_id: string;
  amount_kobo: number;
  reference: string;
  label: string;
  payee_name: string;
  description: string;
  metadata: Metadata;
  created_at: Date;
  expires_at: Date;
  transaction_id: string | null;
  paid_by: string | null;
}

export const toQrRequest = (row: QrRequestRow): QrRequest => ({
  id: row.id,
  partnerId: row.partner_id,
  walletId: row.wallet_id,
  amountKobo: row.amount_kobo,
  reference: row.reference,
  label: row.label,
  payeeName: row.payee_name,
  description: row.description,
  metadata: row.metadata,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  paid:
    row.transaction_id !== null && row.paid_by !== null
      ? { transactionId: row.transaction_id, sourceWalletId: row.paid_by }
      : null,
});

/** Writes a request that can be paid for `lifetimeSeconds` from now on, by the clock of the database. */
export async function insertQrRequest(
  trx: Queryable,
  schema: string,
  request: Omit<QrRequest, 'createdAt' | 'expiresAt' | 'paid'>,
  lifetimeSeconds: number,
): Promise<QrRequest> {
  const { rows } = await trx.query<QrRequestRow>(
    `INSERT INTO ${schema}.qr_requests (id, partner_id, wallet_id, amount_kobo, reference, label, payee_name,
       description, metadata, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now() + $10 * interval '1 second') RETURNING *`,
    [
      request.id,
      request.partnerId,
      request.walletId,
      request.amountKobo,
      request.reference,
      request.label,
      request.payeeName,
      request.description,
      JSON.stringify(request.metadata),
      lifetimeSeconds,
    ],
  );
  return toQrRequest(rows[0] as QrRequestRow);
}

/** A request of this partner by its reference or by its code's label, or null. */
export async function findQrRequest(
  cell: Cell,
  partnerId: string,
  by: { reference: string } | { label: string },
): Promise<QrRequest | null> {
  const [column, value] = 'label' in by ? ['label', by.label] : ['reference', by.reference];
  const { rows } = await cell.pool.query<QrRequestRow>(
    `SELECT * FROM ${cell.schema}.qr_requests WHERE partner_id = $1 AND ${column} = $2`,
    [partnerId, value],
  );
  return rows[0] ? toQrRequest(rows[0]) : null;
}
