/** What the yardsticks read from a request for a transfer, and the transaction that it becomes. */
import { createHash } from 'node:crypto';
import type { Request } from 'express';
import { z } from 'zod';
import { newId } from '../../../src/db/pg/ids';
import { feesFor } from '../../../src/domain/kinds';
import type { Transaction } from '../../../src/domain/transactions';
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
};

/** @throws Refused when the request is not valid. */
export function readTransfer(request: Request, partnerId: string): AskedTransfer {
  const parsed = requestSchema.safeParse(request.body);
  if (!parsed.success) throw new Refused(400, 'VALIDATION_ERROR');
  const asked = parsed.data;
  if (asked.source_wallet === asked.dest_wallet) throw new Refused(400, 'SAME_WALLET_TRANSFER');
  const fingerprint = createHash('sha256').update(JSON.stringify(asked)).digest('hex');
  return { ...asked, partnerId, key: request.get('Idempotency-Key') ?? newId(), fingerprint };
}

/** What the same reference must ask for again. */
export const termsOf = (asked: AskedTransfer): string =>
  JSON.stringify([asked.source_wallet, asked.dest_wallet, asked.amount]);

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
    idempotencyKey: asked.key,
    description: asked.description,
    metadata: asked.metadata,
    failedReason: null,
    createdAt: now,
    updatedAt: now,
    completedAt: now,
  };
}
