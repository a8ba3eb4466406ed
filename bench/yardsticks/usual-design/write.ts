/** What a transfer leaves: the transaction, its entries, two balances, the event and its deliveries. */
import type { Knex } from 'knex';
import { newId } from '../../../src/db/pg/ids';
import { present } from '../../../src/domain/assert';
import type { Posting } from '../../../src/domain/postings';
import type { Transaction } from '../../../src/domain/transactions';
import { completedAtOnce } from '../../../src/wire/webhooks';
import { CELL } from '../../support/cell';

/** As knex reads it: a bigint is text. */
export interface LockedAccount {
  id: string;
  status: string;
  balance_kobo: string;
  sequence: string;
}

export async function writeBooks(
  trx: Knex,
  transaction: Transaction,
  postings: readonly Posting[],
  accounts: readonly LockedAccount[],
): Promise<void> {
  await trx(`${CELL}.transactions`).insert({
    id: transaction.id,
    partner_id: transaction.partnerId,
    reference: transaction.reference,
    type: transaction.type,
    status: transaction.status,
    amount_kobo: transaction.amountKobo,
    source_wallet: transaction.sourceWalletId,
    dest_wallet: transaction.destWalletId,
    customer_fee_kobo: transaction.fees.customerFeeKobo,
    merchant_fee_kobo: transaction.fees.merchantFeeKobo,
    mfb_cost_kobo: transaction.fees.mfbCostKobo,
    net_amount_kobo: transaction.fees.netAmountKobo,
    idempotency_key: transaction.idempotencyKey,
    description: transaction.description,
    metadata: JSON.stringify(transaction.metadata),
    created_at: transaction.createdAt,
    updated_at: transaction.updatedAt,
    completed_at: transaction.completedAt,
  });
  const moved = accounts.map((account) => {
    const posting = present(
      postings.find((one) => one.account === account.id),
      'a posting on each wallet',
    );
    const balanceKobo = Number(account.balance_kobo) + posting.amountKobo;
    return { id: account.id, balanceKobo, sequence: Number(account.sequence) + 1 };
  });
  await trx(`${CELL}.entries`).insert(
    postings.map((posting) => {
      const wallet = moved.find((account) => account.id === posting.account);
      return {
        transaction_id: transaction.id,
        step: 'accept',
        account: posting.account,
        id: newId(),
        amount_kobo: posting.amountKobo,
        sequence: wallet?.sequence ?? null,
        balance_after_kobo: wallet?.balanceKobo ?? null,
        created_at: transaction.createdAt,
      };
    }),
  );
  for (const { id, balanceKobo, sequence } of moved) {
    await trx(`${CELL}.accounts`)
      .where({ id })
      .update({ balance_kobo: balanceKobo, sequence, updated_at: transaction.createdAt });
  }
  await announce(trx, transaction);
}

async function announce(trx: Knex, transaction: Transaction): Promise<void> {
  const event = completedAtOnce(transaction);
  const eventId = newId();
  await trx(`${CELL}.events`).insert({
    id: eventId,
    partner_id: transaction.partnerId,
    kind: event.kind,
    resource_id: event.resourceId,
    data: event.data,
    created_at: transaction.createdAt,
  });
  await trx.raw(
    `INSERT INTO ${CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
     SELECT id, ?, ?, CASE WHEN is_active THEN now() END FROM ${CELL}.webhook_endpoints
      WHERE partner_id = ? AND deleted_at IS NULL AND ? = ANY(events)`,
    [eventId, event.kind, transaction.partnerId, event.kind],
  );
}
