/** The sandbox-only operations: flat objects, without an envelope (interface: Sandbox-only operations; D93, D96). */
import { z } from 'zod';
import { nairaText } from '../domain/money';
import * as field from './fields';
import { readBody, type Read } from './read';

const fundSchema = z
  .object({ amount_kobo: field.amountKobo, note: field.optional(field.freeText(500)) })
  .transform((body) => ({ amountKobo: body.amount_kobo, note: body.note ?? null }));

export const readFunding = (body: unknown): Read<z.infer<typeof fundSchema>> => readBody(fundSchema, body);

const DEFAULT_FAILURE = 'Simulated failure';

const outcomeSchema = z
  .object({ transaction_id: field.id, reason: field.optional(field.freeText(500)) })
  .transform((body) => ({ transactionId: body.transaction_id, reason: body.reason ?? DEFAULT_FAILURE }));

export const readOutcome = (body: unknown): Read<z.infer<typeof outcomeSchema>> =>
  readBody(outcomeSchema, body);

export function writeFunding(funding: {
  walletId: string;
  transactionId: string;
  amountKobo: number;
  balanceKobo: number;
  note: string | null;
}) {
  return {
    wallet_id: funding.walletId,
    transaction_id: funding.transactionId,
    amount_kobo: funding.amountKobo,
    balance_kobo: funding.balanceKobo,
    balance_naira: nairaText(funding.balanceKobo),
    status: 'completed',
    result: 'wallet funded',
    note: funding.note,
  };
}

export const writeOutcome = (transactionId: string, status: 'completed' | 'failed') => ({
  transaction_id: transactionId,
  status,
  result: status === 'completed' ? 'transfer completed' : 'transfer failed and reversed',
});
