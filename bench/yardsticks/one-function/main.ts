/**
 * The usual design with its transaction moved into Postgres: one call of a PL/pgSQL function for each transfer, which
 * makes the same checks and writes the same rows. It is the fastest design that takes one transfer at a time.
 */
import pg from 'pg';
import { newId } from '../../../src/db/pg/ids';
import { present } from '../../../src/domain/assert';
import { p2pPostings } from '../../../src/domain/postings';
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

/** The SQLSTATE of the function's own refusals, whose message is the code. */
const REFUSED = 'P0001';

const FUNCTION = `
  CREATE OR REPLACE FUNCTION public.bench_transfer(
    id uuid, partner uuid, asked_reference text, asked_terms text, asked_key text, asked_fingerprint text,
    source uuid, dest uuid, amount bigint, customer_fee bigint, merchant_fee bigint, mfb_cost bigint, net bigint,
    asked_description text, asked_metadata json, at timestamptz, posted_accounts uuid[], entry_ids uuid[],
    posted_kobo bigint[], event_id uuid, event_kind text, event_data text,
    answer_form text, asked_by uuid
  ) RETURNS uuid LANGUAGE plpgsql AS $$
  DECLARE
    kept record;
    payer record;
    payee record;
  BEGIN
    SELECT k.fingerprint, k.transaction_id INTO kept FROM ${CELL}.idempotency_keys k
     WHERE k.partner_id = partner AND k.operation = 'p2pTransfer' AND k.key = asked_key;
    IF FOUND THEN
      IF kept.fingerprint <> asked_fingerprint THEN RAISE EXCEPTION 'IDEMPOTENCY_KEY_REUSED'; END IF;
      RETURN kept.transaction_id;
    END IF;
    INSERT INTO ${CELL}.used_references (partner_id, reference, resource_id, transaction_id, terms)
    VALUES (partner, asked_reference, id, id, asked_terms) ON CONFLICT (partner_id, reference) DO NOTHING;
    IF NOT FOUND THEN RAISE EXCEPTION 'DUPLICATE_REFERENCE'; END IF;
    PERFORM FROM ${CELL}.accounts a WHERE a.id IN (source, dest) AND a.partner_id = partner
      ORDER BY a.id FOR UPDATE;
    SELECT a.* INTO payer FROM ${CELL}.accounts a WHERE a.id = source AND a.partner_id = partner;
    IF NOT FOUND THEN RAISE EXCEPTION 'WALLET_NOT_FOUND'; END IF;
    SELECT a.* INTO payee FROM ${CELL}.accounts a WHERE a.id = dest AND a.partner_id = partner;
    IF NOT FOUND THEN RAISE EXCEPTION 'WALLET_NOT_FOUND'; END IF;
    IF payer.status <> 'active' OR payee.status <> 'active' THEN RAISE EXCEPTION 'WALLET_NOT_ACTIVE'; END IF;
    IF payer.balance_kobo < amount + customer_fee THEN RAISE EXCEPTION 'INSUFFICIENT_FUNDS'; END IF;
    INSERT INTO ${CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, source_wallet,
      dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, idempotency_key,
      description, metadata, created_at, updated_at, completed_at)
    VALUES (id, partner, asked_reference, 'p2p_transfer', 'completed', amount, source, dest, customer_fee,
      merchant_fee, mfb_cost, net, asked_key, asked_description, asked_metadata, at, at, at);
    INSERT INTO ${CELL}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo,
      created_at)
    SELECT bench_transfer.id, 'accept', v.account, v.entry_id, v.kobo,
           CASE v.account WHEN source THEN payer.sequence + 1 WHEN dest THEN payee.sequence + 1 END,
           CASE v.account WHEN source THEN payer.balance_kobo + v.kobo WHEN dest THEN payee.balance_kobo + v.kobo END,
           at
      FROM unnest(posted_accounts, entry_ids, posted_kobo) AS v(account, entry_id, kobo);
    UPDATE ${CELL}.accounts a SET balance_kobo = a.balance_kobo + v.kobo, sequence = a.sequence + 1, updated_at = at
      FROM unnest(posted_accounts, posted_kobo) AS v(account, kobo) WHERE a.id = v.account;
    INSERT INTO ${CELL}.events (id, partner_id, kind, resource_id, data, created_at)
    VALUES (event_id, partner, event_kind, id, event_data, at);
    INSERT INTO ${CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
    SELECT e.id, bench_transfer.event_id, event_kind, CASE WHEN e.is_active THEN now() END
      FROM ${CELL}.webhook_endpoints e
     WHERE e.partner_id = partner AND e.deleted_at IS NULL AND event_kind = ANY(e.events);
    INSERT INTO ${CELL}.idempotency_keys (partner_id, operation, key, fingerprint, transaction_id, form, request_id,
      created_at)
    VALUES (partner, 'p2pTransfer', asked_key, asked_fingerprint, id, answer_form, asked_by, at);
    RETURN id;
  END $$`;

async function transfer(pool: pg.Pool, asked: AskedTransfer): Promise<string> {
  const transaction = transactionOf(asked);
  const { id, partnerId, fees, createdAt } = transaction;
  const event = completedAtOnce(transaction);
  const wallets = { source: asked.source_wallet, dest: asked.dest_wallet };
  const postings = p2pPostings(wallets, asked.amount, fees);
  const values = [
    id,
    partnerId,
    asked.reference,
    termsOf(asked),
    asked.key,
    asked.fingerprint,
    wallets.source,
    wallets.dest,
    asked.amount,
    fees.customerFeeKobo,
    fees.merchantFeeKobo,
    fees.mfbCostKobo,
    fees.netAmountKobo,
    asked.description,
    JSON.stringify(asked.metadata),
    createdAt,
    postings.map((posting) => posting.account),
    postings.map(() => newId()),
    postings.map((posting) => posting.amountKobo),
    newId(),
    event.kind,
    event.data,
    FORM,
    asked.requestId,
  ];
  try {
    const places = values.map((_, place) => `$${String(place + 1)}`).join(', ');
    const { rows } = await pool.query<{ done: string }>({
      name: 'transfer',
      text: `SELECT public.bench_transfer(${places}) AS done`,
      values,
    });
    const done = present(rows[0], 'the transaction of a transfer').done;
    return done === id ? bodyOf(transaction) : await repeat(pool, done);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === REFUSED) throw new Refused(422, error.message);
    throw error;
  }
}

async function repeat(pool: pg.Pool, id: string): Promise<string> {
  const { rows } = await pool.query<StoredTransaction>({
    name: 'repeat',
    text: `SELECT * FROM ${CELL}.transactions WHERE id = $1`,
    values: [id],
  });
  return repeatOf(present(rows[0], 'the transaction of a used key'));
}

void serveTransfers(transfer, async (pool) => {
  await pool.query(FUNCTION);
});
