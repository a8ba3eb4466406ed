/**
 * The usual design without its query builder: the same steps in one transaction, each a named statement that
 * Postgres parses and plans once on each connection. What a good team has after its first look at a profile.
 */
import type pg from 'pg';
import { newId } from '../../../src/db/pg/ids';
import { present } from '../../../src/domain/assert';
import { p2pPostings, type Posting } from '../../../src/domain/postings';
import type { Transaction } from '../../../src/domain/transactions';
import { completedAtOnce } from '../../../src/wire/webhooks';
import { CELL } from '../../support/cell';
import { serveTransfers } from '../shared/app';
import {
  bodyOf,
  FORM,
  repeatOf,
  termsOf,
  transactionOf,
  type AskedTransfer,
  type StoredTransaction,
} from '../shared/asked';
import { Refused } from '../shared/refused';

/** As pg reads it: a bigint is text. */
interface LockedAccount {
  id: string;
  status: string;
  balance_kobo: string;
  sequence: string;
}

const STATEMENTS = {
  kept: `SELECT fingerprint, transaction_id FROM ${CELL}.idempotency_keys
          WHERE partner_id = $1 AND operation = 'p2pTransfer' AND key = $2`,
  repeated: `SELECT * FROM ${CELL}.transactions WHERE id = $1`,
  refer: `INSERT INTO ${CELL}.used_references (partner_id, reference, resource_id, transaction_id, terms)
          VALUES ($1, $2, $3, $3, $4) ON CONFLICT (partner_id, reference) DO NOTHING`,
  lock: `SELECT id, status, balance_kobo, sequence FROM ${CELL}.accounts
          WHERE id IN ($1, $2) AND partner_id = $3 ORDER BY id FOR UPDATE`,
  open: `INSERT INTO ${CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
           dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, idempotency_key,
           description, metadata, created_at, updated_at, completed_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $16)`,
  enter: `INSERT INTO ${CELL}.entries (transaction_id, step, account, id, amount_kobo, sequence,
            balance_after_kobo, created_at)
          SELECT $1, 'accept', account, id, amount_kobo, sequence, balance_after_kobo, $2
            FROM unnest($3::uuid[], $4::uuid[], $5::bigint[], $6::bigint[], $7::bigint[])
              AS v(account, id, amount_kobo, sequence, balance_after_kobo)`,
  balance: `UPDATE ${CELL}.accounts SET balance_kobo = $2, sequence = $3, updated_at = $4 WHERE id = $1`,
  happen: `INSERT INTO ${CELL}.events (id, partner_id, kind, resource_id, data, created_at)
           VALUES ($1, $2, $3, $4, $5, $6)`,
  deliver: `INSERT INTO ${CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
            SELECT id, $1, $2, CASE WHEN is_active THEN now() END FROM ${CELL}.webhook_endpoints
             WHERE partner_id = $3 AND deleted_at IS NULL AND $2 = ANY(events)`,
  keep: `INSERT INTO ${CELL}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form,
           request_id, created_at)
         VALUES ($1, 'p2pTransfer', $2, $3, $4, $5, $6, $7)`,
} as const;

type Send = <Row extends pg.QueryResultRow>(
  name: keyof typeof STATEMENTS,
  values: unknown[],
) => Promise<pg.QueryResult<Row>>;

async function transfer(pool: pg.Pool, asked: AskedTransfer): Promise<string> {
  const client = await pool.connect();
  const send: Send = (name, values) => client.query({ name, text: STATEMENTS[name], values });
  try {
    await client.query('BEGIN');
    const body = await answer(send, asked);
    await client.query('COMMIT');
    return body;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

async function answer(send: Send, asked: AskedTransfer): Promise<string> {
  const { partnerId, key, fingerprint } = asked;
  const [kept] = (await send<{ fingerprint: string; transaction_id: string }>('kept', [partnerId, key])).rows;
  if (kept && kept.fingerprint !== fingerprint) throw new Refused(409, 'IDEMPOTENCY_KEY_REUSED');
  if (kept) {
    const { rows } = await send<StoredTransaction>('repeated', [kept.transaction_id]);
    return repeatOf(present(rows[0], 'the transaction of a used key'));
  }
  const transaction = transactionOf(asked);
  const { id, fees, createdAt } = transaction;
  const referred = await send('refer', [partnerId, asked.reference, id, termsOf(asked)]);
  if (referred.rowCount === 0) throw new Refused(409, 'DUPLICATE_REFERENCE');
  const wallets = [asked.source_wallet, asked.dest_wallet];
  const { rows: accounts } = await send<LockedAccount>('lock', [...wallets, partnerId]);
  const source = accounts.find((account) => account.id === asked.source_wallet);
  if (!source || accounts.length < 2) throw new Refused(404, 'WALLET_NOT_FOUND');
  if (accounts.some(({ status }) => status !== 'active')) throw new Refused(422, 'WALLET_NOT_ACTIVE');
  if (Number(source.balance_kobo) < asked.amount + fees.customerFeeKobo) {
    throw new Refused(422, 'INSUFFICIENT_FUNDS');
  }
  const postings = p2pPostings({ source: source.id, dest: asked.dest_wallet }, asked.amount, fees);
  await writeBooks(send, transaction, postings, accounts);
  await send('keep', [partnerId, key, fingerprint, id, FORM, asked.requestId, createdAt]);
  return bodyOf(transaction);
}

async function writeBooks(
  send: Send,
  transaction: Transaction,
  postings: readonly Posting[],
  accounts: readonly LockedAccount[],
): Promise<void> {
  const { id, partnerId, fees, createdAt } = transaction;
  await send('open', [
    id,
    partnerId,
    transaction.reference,
    transaction.type,
    transaction.status,
    transaction.amountKobo,
    transaction.sourceWalletId,
    transaction.destWalletId,
    fees.customerFeeKobo,
    fees.merchantFeeKobo,
    fees.mfbCostKobo,
    fees.netAmountKobo,
    transaction.idempotencyKey,
    transaction.description,
    JSON.stringify(transaction.metadata),
    createdAt,
  ]);
  const moved = accounts.map((account) => {
    const posting = present(
      postings.find((one) => one.account === account.id),
      'a posting on each wallet',
    );
    const balanceKobo = Number(account.balance_kobo) + posting.amountKobo;
    return { id: account.id, balanceKobo, sequence: Number(account.sequence) + 1 };
  });
  const after = postings.map((posting) => moved.find((account) => account.id === posting.account));
  await send('enter', [
    id,
    createdAt,
    postings.map((posting) => posting.account),
    postings.map(() => newId()),
    postings.map((posting) => posting.amountKobo),
    after.map((account) => account?.sequence ?? null),
    after.map((account) => account?.balanceKobo ?? null),
  ]);
  for (const account of moved) {
    await send('balance', [account.id, account.balanceKobo, account.sequence, createdAt]);
  }
  const event = completedAtOnce(transaction);
  const eventId = newId();
  await send('happen', [eventId, partnerId, event.kind, event.resourceId, event.data, createdAt]);
  await send('deliver', [eventId, event.kind, partnerId]);
}

void serveTransfers(transfer);
