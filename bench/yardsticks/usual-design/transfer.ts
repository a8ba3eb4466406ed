/** A transfer between two wallets: checks and writes, a statement per step, in one transaction. */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Knex } from 'knex';
import { z } from 'zod';
import { newId } from '../../../src/db/pg/ids';
import { feesFor } from '../../../src/domain/kinds';
import { p2pPostings } from '../../../src/domain/postings';
import type { Transaction } from '../../../src/domain/transactions';
import { writeTransaction } from '../../../src/wire/transactions';
import { CELL } from '../../support/cell';
import { Refused } from './refused';
import { writeBooks, type LockedAccount } from './write';

const requestSchema = z.object({
  source_wallet: z.uuid(),
  dest_wallet: z.uuid(),
  amount: z.int().min(1),
  reference: z.string().min(1).max(128),
  description: z.string().max(500).default(''),
  metadata: z.record(z.string(), z.unknown()).default({}),
});

export type TransferRequest = z.infer<typeof requestSchema>;

export function transferP2p(knex: Knex) {
  return async (request: Request, response: Response): Promise<void> => {
    const parsed = requestSchema.safeParse(request.body);
    if (!parsed.success) throw new Refused(400, 'VALIDATION_ERROR');
    const asked = parsed.data;
    if (asked.source_wallet === asked.dest_wallet) throw new Refused(400, 'SAME_WALLET_TRANSFER');
    const partnerId = response.locals.partnerId as string;
    const key = request.get('Idempotency-Key') ?? newId();
    const fingerprint = createHash('sha256').update(JSON.stringify(asked)).digest('hex');

    const body = await knex.transaction(async (trx) => {
      const used = { partner_id: partnerId, operation: 'p2pTransfer', key };
      const kept = await trx(`${CELL}.idempotency_keys`)
        .where(used)
        .first<{ fingerprint: string; body: string } | undefined>('fingerprint', 'body');
      if (kept && kept.fingerprint !== fingerprint) throw new Refused(409, 'IDEMPOTENCY_KEY_REUSED');
      if (kept) return kept.body;
      const transaction = await transfer(trx, partnerId, key, asked);
      const answer = JSON.stringify({ data: writeTransaction(transaction, 'reference') });
      await trx(`${CELL}.idempotency_keys`).insert({
        ...used,
        fingerprint,
        status: 200,
        body: answer,
        created_at: transaction.createdAt,
      });
      return answer;
    });
    response.type('json').send(body);
  };
}

async function transfer(trx: Knex, partnerId: string, key: string, asked: TransferRequest) {
  const id = newId();
  const referred = await trx(`${CELL}.used_references`)
    .insert({
      partner_id: partnerId,
      reference: asked.reference,
      resource_id: id,
      transaction_id: id,
      terms: JSON.stringify([asked.source_wallet, asked.dest_wallet, asked.amount]),
    })
    .onConflict(['partner_id', 'reference'])
    .ignore();
  if ((referred as unknown as { rowCount: number }).rowCount === 0) {
    throw new Refused(409, 'DUPLICATE_REFERENCE');
  }
  const accounts = await trx(`${CELL}.accounts`)
    .whereIn('id', [asked.source_wallet, asked.dest_wallet])
    .where('partner_id', partnerId)
    .orderBy('id')
    .forUpdate()
    .select<LockedAccount[]>('id', 'status', 'balance_kobo', 'sequence');
  const source = accounts.find((account) => account.id === asked.source_wallet);
  const dest = accounts.find((account) => account.id === asked.dest_wallet);
  if (!source || !dest) throw new Refused(404, 'WALLET_NOT_FOUND');
  if (source.status !== 'active' || dest.status !== 'active') throw new Refused(422, 'WALLET_NOT_ACTIVE');
  const fees = feesFor('p2p_transfer', asked.amount);
  if (Number(source.balance_kobo) < asked.amount + fees.customerFeeKobo) {
    throw new Refused(422, 'INSUFFICIENT_FUNDS');
  }
  const now = new Date();
  const transaction: Transaction = {
    id,
    partnerId,
    reference: asked.reference,
    type: 'p2p_transfer',
    status: 'completed',
    amountKobo: asked.amount,
    sourceWalletId: source.id,
    destWalletId: dest.id,
    destAccount: null,
    splitConfig: null,
    fees,
    pspReference: null,
    pspMeta: null,
    paused: false,
    idempotencyKey: key,
    description: asked.description,
    metadata: asked.metadata,
    failedReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: now,
  };
  const postings = p2pPostings({ source: source.id, dest: dest.id }, asked.amount, fees);
  await writeBooks(trx, transaction, postings, [source, dest]);
  return transaction;
}
