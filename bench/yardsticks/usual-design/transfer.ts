/** A transfer between two wallets: checks and writes, a statement per step, in one transaction. */
import type { Request, Response } from 'express';
import type { Knex } from 'knex';
import { p2pPostings } from '../../../src/domain/postings';
import { CELL } from '../../support/cell';
import {
  bodyOf,
  FORM,
  readTransfer,
  repeatOf,
  termsOf,
  transactionOf,
  type AskedTransfer,
  type StoredTransaction,
} from '../shared/asked';
import { Refused } from '../shared/refused';
import { writeBooks, type LockedAccount } from './write';

export function transferP2p(knex: Knex) {
  return async (request: Request, response: Response): Promise<void> => {
    const asked = readTransfer(request, response.locals.partnerId as string);
    const { partnerId, key, fingerprint } = asked;

    const body = await knex.transaction(async (trx) => {
      const used = { partner_id: partnerId, operation: 'p2pTransfer', key };
      const kept = await trx(`${CELL}.idempotency_keys`)
        .where(used)
        .first<{ fingerprint: string; transaction_id: string } | undefined>('fingerprint', 'transaction_id');
      if (kept && kept.fingerprint !== fingerprint) throw new Refused(409, 'IDEMPOTENCY_KEY_REUSED');
      if (kept) {
        const row = trx(`${CELL}.transactions`).where({ id: kept.transaction_id });
        return repeatOf(await row.first<StoredTransaction>());
      }
      const transaction = await transfer(trx, asked);
      await trx(`${CELL}.idempotency_keys`).insert({
        ...used,
        fingerprint,
        transaction_id: transaction.id,
        form: FORM,
        request_id: asked.requestId,
        created_at: transaction.createdAt,
      });
      return bodyOf(transaction);
    });
    response.type('json').send(body);
  };
}

async function transfer(trx: Knex, asked: AskedTransfer) {
  const transaction = transactionOf(asked);
  const { id, partnerId, fees } = transaction;
  const referred = await trx(`${CELL}.used_references`)
    .insert({
      partner_id: partnerId,
      reference: asked.reference,
      resource_id: id,
      transaction_id: id,
      terms: termsOf(asked),
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
  if (Number(source.balance_kobo) < asked.amount + fees.customerFeeKobo) {
    throw new Refused(422, 'INSUFFICIENT_FUNDS');
  }
  const postings = p2pPostings({ source: source.id, dest: dest.id }, asked.amount, fees);
  await writeBooks(trx, transaction, postings, [source, dest]);
  return transaction;
}
