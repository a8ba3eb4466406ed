/** What the yardsticks read from a request for a transfer, and the transaction that it becomes. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { newId } from '../../../src/db/pg/ids';
import { feesFor } from '../../../src/domain/kinds';
import { toTransaction, type TransactionRow } from '../../../src/db/ledger/transaction-row';
import { createSealing } from '../../../src/secrets/sealing';
import type { Transaction } from '../../../src/domain/transactions';
import { writeTransaction } from '../../../src/wire/transactions';
import { Refused } from './refused';

const requestSchema = z.object({
  source_wallet: z.uuid(),
  dest_wallet: z.uuid(),
  amount: z.int().min(1),
  reference: z.string().min(1).max(128),
  description: z.string().max(500).default(''),
  metadata: z.record(z.string(), z.unknown()).default({}),
});

export type AskedTransfer = z.infer<typeof requestSchema> & {
  partnerId: string;
  key: string;
  fingerprint: string;
  requestId: string;
};

/** The form of every answer. */
export const FORM = 'reference';

/** @throws Refused when the request is not valid. */
export function readTransfer(request: Request, partnerId: string): AskedTransfer {
  const parsed = requestSchema.safeParse(request.body);
  if (!parsed.success) throw new Refused(400, 'VALIDATION_ERROR');
  const asked = parsed.data;
  if (asked.source_wallet === asked.dest_wallet) throw new Refused(400, 'SAME_WALLET_TRANSFER');
  const fingerprint = createHash('sha256').update(JSON.stringify(asked)).digest('base64url');
  const key = request.get('Idempotency-Key') ?? newId();
  return { ...asked, partnerId, key, fingerprint, requestId: newId() };
}

/** What the same reference must ask for again. */
export const termsOf = (asked: AskedTransfer): string =>
  JSON.stringify([asked.source_wallet, asked.dest_wallet, asked.amount]);

export const bodyOf = (transaction: Transaction): string =>
  JSON.stringify({ data: writeTransaction(transaction, FORM) });

type KoboColumn = Extract<keyof TransactionRow, `${string}_kobo`>;
/** A transaction as pg reads it: a bigint is text. */
export type StoredTransaction = Omit<TransactionRow, KoboColumn> & Record<KoboColumn, string>;

/** The answer to a repeat, made again from the row of its transaction as ours is. */
export const repeatOf = (row: StoredTransaction): string =>
  bodyOf(
    toTransaction(
      {
        ...row,
        amount_kobo: Number(row.amount_kobo),
        customer_fee_kobo: Number(row.customer_fee_kobo),
        merchant_fee_kobo: Number(row.merchant_fee_kobo),
        mfb_cost_kobo: Number(row.mfb_cost_kobo),
        net_amount_kobo: Number(row.net_amount_kobo),
      },
      NOTHING_SEALED,
    ),
  );
/** A transfer between wallets has no sealed name. */
const NOTHING_SEALED = createSealing(Buffer.alloc(32).toString('base64'));

/** The completed transaction, with the fees of ours. */
export function transactionOf(asked: AskedTransfer): Transaction {
  const now = new Date();
  return {
    id: newId(),
    partnerId: asked.partnerId,
    reference: asked.reference,
    type: 'p2p_transfer',
    status: 'completed',
    amountKobo: asked.amount,
    sourceWalletId: asked.source_wallet,
    destWalletId: asked.dest_wallet,
    destAccount: null,
    splitConfig: null,
    fees: feesFor('p2p_transfer', asked.amount),
    pspReference: null,
    pspMeta: null,
    paused: false,
    scenario: null,
    idempotencyKey: asked.key,
    description: asked.description,
    metadata: asked.metadata,
    failedReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: now,
  };
}
