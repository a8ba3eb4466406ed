/**
 * The SQL of one batch. Every look-up is by a primary key, and the rows of a list are looked up one by one
 * (LATERAL with LIMIT 1). A plan is kept for a long time, and a plan that was made while the table was empty would
 * otherwise always read the whole table. Every lock is taken in id order, so two batches cannot deadlock.
 */
import type { Sealing } from '../../secrets/sealing';
import type { Statement, Step } from '../pg/round';
import { sumOfForwards } from '../upkeep/forwards';
import { endOverdueHolds, holdNow } from '../wallets/set-aside';
import { effectiveStatus } from '../wallets/wallet-status';
import { isOnePlain, onePlainStatement } from './one-plain-statement';
import { plainStatement, type NamesOfPlain, type Plain } from './plain-statement';
import { ACCOUNT_COLUMNS } from './account-row';
import { writeStatements } from './write-statement';

export type Statements = ReturnType<typeof ledgerStatements>;

/**
 * The statements for one cell.
 * @param sealing seals the names of accounts that are paid.
 * @param knowsLimits whether plain payments are written of wallets under limits, too, as in live.
 */
export function ledgerStatements(cell: string, sealing: Sealing, knowsLimits: boolean) {
  const statement = (text: string): Statement => ({ text });
  const lock = `SELECT ${ACCOUNT_COLUMNS}, ${effectiveStatus('accounts')} AS status FROM ${cell}.accounts
    WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const transactions = `SELECT * FROM ${cell}.transactions WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const qrRequests = `SELECT * FROM ${cell}.qr_requests WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const holds = `SELECT h.*, ${holdNow('h', 'clock_timestamp()')} AS status FROM ${cell}.holds h WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`;
  const plain = (names: NamesOfPlain) => {
    const place = { cell, sealing, knowsLimits };
    const [many, one] = [plainStatement(place, names), onePlainStatement(place, names)];
    return (payments: Plain): Step => (isOnePlain(payments) ? one : many)(payments);
  };
  return {
    begin: statement('BEGIN'),
    commit: statement('COMMIT'),
    clock: statement('SELECT now()::timestamptz(3) AS now'),
    lock: statement(lock),
    lockFree: statement(`${lock} SKIP LOCKED`),
    existing: statement(`SELECT id FROM ${cell}.accounts WHERE id = ANY($1::uuid[])`),
    references: statement(
      `SELECT r.partner_id, r.reference, r.transaction_id, r.terms
         FROM unnest($1::uuid[], $2::text[]) AS asked(partner_id, reference)
        CROSS JOIN LATERAL (
              SELECT * FROM ${cell}.used_references u
               WHERE u.partner_id = asked.partner_id AND u.reference = asked.reference LIMIT 1) AS r`,
    ),
    keys: statement(
      `SELECT k.partner_id, k.operation, k.key, k.fingerprint, k.transaction_id, k.form, k.request_id,
              k.created_at <= now() - $4::bigint * interval '1 millisecond' AS expired
         FROM unnest($1::uuid[], $2::text[], $3::text[]) AS asked(partner_id, operation, key)
        CROSS JOIN LATERAL (
              SELECT * FROM ${cell}.idempotency_keys u
               WHERE u.partner_id = asked.partner_id AND u.operation = asked.operation AND u.key = asked.key
               LIMIT 1) AS k`,
    ),
    forget:
      statement(`DELETE FROM ${cell}.idempotency_keys WHERE partner_id = $1 AND operation = $2 AND key = $3
          AND created_at <= now() - $4::bigint * interval '1 millisecond'`),
    transactions: statement(transactions),
    transactionsFree: statement(`${transactions} SKIP LOCKED`),
    qrRequests: statement(qrRequests),
    qrRequestsFree: statement(`${qrRequests} SKIP LOCKED`),
    holds: statement(holds),
    holdsFree: statement(`${holds} SKIP LOCKED`),
    /** Only a sandbox is forwarded, and has the table. */
    ahead: knowsLimits ? null : statement(sumOfForwards(cell)),
    endOverdueHolds: statement(endOverdueHolds(cell)),
    epochs: statement(
      `SELECT partner_id, epoch, resetting FROM ${cell}.partner_epochs WHERE partner_id = ANY($1::uuid[])`,
    ),
    credited: statement(
      `SELECT bank_transfer_id, funding_id FROM ${cell}.own_mfb_credits WHERE bank_transfer_id = ANY($1::uuid[])`,
    ),
    duties: statement(`SELECT * FROM ${cell}.transactions WHERE id = ANY($1::uuid[])`),
    handOrders: statement(`SELECT * FROM ${cell}.hand_orders WHERE id = ANY($1::uuid[])`),
    plain: { looked_up: plain('looked_up'), assumed_new: plain('assumed_new') },
    write: writeStatements(cell, sealing),
  };
}
