/** QR payment requests as rows; the ledger writer marks them paid in the payment's own commit. */
import type { PayableQr, QrRequest, QrRequestNow, QrStatus } from '../../domain/qr-requests';
import type { Metadata } from '../../domain/wallets';
import { payeeNamePlace, type Sealing } from '../../secrets/sealing';
import type { Queryable, SealedCell } from '../pg/postgres';
import { beforePlace, endOfWalk, newestOfPartner, WALK_MAX, type Place, type Walked } from '../pg/walks';
import { openedName } from '../wallets/names';

export interface QrRequestRow {
  id: string;
  partner_id: string;
  wallet_id: string;
  amount_kobo: number;
  reference: string;
  label: string;
  payee_name_sealed: string | null;
  description: string;
  metadata: Metadata;
  created_at: Date;
  expires_at: Date;
  transaction_id: string | null;
  paid_by: string | null;
}

/** As the ledger reads it, which needs no name. */
export const toPayableQr = (row: QrRequestRow): PayableQr => ({
  id: row.id,
  partnerId: row.partner_id,
  walletId: row.wallet_id,
  amountKobo: row.amount_kobo,
  reference: row.reference,
  label: row.label,
  description: row.description,
  metadata: row.metadata,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  paid:
    row.transaction_id !== null && row.paid_by !== null
      ? { transactionId: row.transaction_id, sourceWalletId: row.paid_by }
      : null,
});

/** The name is opened when somebody looks at it, which a list does not. */
const toQrRequest = (sealing: Sealing, row: QrRequestRow): QrRequest => ({
  ...toPayableQr(row),
  get payeeName() {
    return openedName(sealing, row.payee_name_sealed, payeeNamePlace(row.id));
  },
});

/** Writes a request that can be paid for `lifetimeSeconds` from now on, by the clock of the database. */
export async function insertQrRequest(
  trx: Queryable,
  { schema, sealing }: SealedCell,
  request: Omit<QrRequest, 'createdAt' | 'expiresAt' | 'paid'>,
  lifetimeSeconds: number,
): Promise<QrRequest> {
  const { rows } = await trx.query<QrRequestRow>(
    `INSERT INTO ${schema}.qr_requests (id, partner_id, wallet_id, amount_kobo, reference, label, payee_name_sealed,
       description, metadata, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now(), now() + $10 * interval '1 second') RETURNING *`,
    [
      request.id,
      request.partnerId,
      request.walletId,
      request.amountKobo,
      request.reference,
      request.label,
      sealing.seal(request.payeeName, payeeNamePlace(request.id)),
      request.description,
      JSON.stringify(request.metadata),
      lifetimeSeconds,
    ],
  );
  return toQrRequest(sealing, rows[0] as QrRequestRow);
}

/** A request of this partner by its reference or by its code's label, or null. */
export async function findQrRequest(
  cell: SealedCell,
  partnerId: string,
  by: { reference: string } | { label: string },
): Promise<QrRequest | null> {
  const [column, value] = 'label' in by ? ['label', by.label] : ['reference', by.reference];
  const { rows } = await cell.pool.query<QrRequestRow>(
    `SELECT * FROM ${cell.schema}.qr_requests WHERE partner_id = $1 AND ${column} = $2`,
    [partnerId, value],
  );
  return rows[0] ? toQrRequest(cell.sealing, rows[0]) : null;
}

const STATUS = `CASE WHEN transaction_id IS NOT NULL THEN 'paid' WHEN expires_at <= now() THEN 'expired' ELSE 'open' END`;

const toQrRequestNow = (sealing: Sealing, row: QrRequestRow & { status: QrStatus }): QrRequestNow =>
  // A spread would look at the name.
  Object.assign(toQrRequest(sealing, row), { status: row.status });

/** A request of this partner by its reference as it is now, or null. */
export async function findQrRequestNow(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  reference: string,
): Promise<QrRequestNow | null> {
  const { rows } = await pool.query<QrRequestRow & { status: QrStatus }>(
    `SELECT *, ${STATUS} AS status FROM ${schema}.qr_requests WHERE partner_id = $1 AND reference = $2`,
    [partnerId, reference],
  );
  return rows[0] ? toQrRequestNow(sealing, rows[0]) : null;
}

/**
 * One page of a partner's requests, newest first (D198). No index has the wallet or the status in this order, so a page
 * with such a filter walks past a bounded number of requests.
 */
export async function listQrRequests(
  { pool, schema, sealing }: SealedCell,
  partnerId: string,
  { walletId, status }: { walletId: string | null; status: QrStatus | null },
  { after, limit }: { after: Place | null; limit: number },
): Promise<Walked<QrRequestNow, Place>> {
  const table = `${schema}.qr_requests`;
  const before = beforePlace(partnerId, after);
  const isFiltered = walletId !== null || status !== null;
  const { rows } = await pool.query<QrRequestRow & { status: QrStatus }>(
    `SELECT q.*, ${STATUS} AS status
       FROM (${newestOfPartner(table)} LIMIT ${isFiltered ? String(WALK_MAX) : '$4'}) AS q
      WHERE ($5::uuid IS NULL OR wallet_id = $5) AND ($6::text IS NULL OR ${STATUS} = $6)
      ORDER BY q.created_at DESC, q.id DESC LIMIT $4`,
    [...before, limit, walletId, status],
  );
  const stoppedAt = isFiltered && rows.length < limit ? await endOfWalk(pool, table, before) : null;
  return { rows: rows.map((row) => toQrRequestNow(sealing, row)), stoppedAt };
}
