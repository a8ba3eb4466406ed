/** What operators send and see of the routes of payouts, and of the attempts that are open. */
import { z } from 'zod';
import type { Outcome } from '../domain/outcome';
import type { PayoutRoute } from '../domain/payout-routes';
import { payoutReference, type OpenAttempt, type UntakenTransfer } from '../domain/payouts';
import * as field from './fields';
import { readBody } from './read';

const kobo = field.amountKobo.max(Number.MAX_SAFE_INTEGER);

const routeSchema = z
  .object({
    bank_code: field.optional(field.plainText(16)),
    from_kobo: field.optional(kobo),
    to_kobo: field.optional(kobo),
    provider: field.plainText(14),
    priority: z.int('must be a whole number').min(1, 'must be at least 1').max(1_000, 'must be at most 1000'),
    reason: field.freeText(500).refine((text) => text.trim() !== '', 'must say why'),
  })
  .refine((body) => body.to_kobo === undefined || body.to_kobo >= (body.from_kobo ?? 0), {
    path: ['to_kobo'],
    message: 'must not be less than from_kobo',
  })
  .transform((body) => ({
    bankCode: body.bank_code ?? null,
    fromKobo: body.from_kobo ?? 0,
    toKobo: body.to_kobo ?? null,
    provider: body.provider,
    priority: body.priority,
    reason: body.reason,
  }));

/** A route that an operator orders; without a bank it is for every one, and without an end for every amount above. */
export const readPayoutRoute = (body: unknown): Outcome<z.infer<typeof routeSchema>> =>
  readBody(routeSchema, body);

export const writePayoutRoute = (route: PayoutRoute) => ({
  id: route.id,
  bank_code: route.bankCode,
  from_kobo: route.fromKobo,
  to_kobo: route.toKobo,
  provider: route.provider,
  priority: route.priority,
});

/** An attempt that is open, with the transfer and the partner that it belongs to. It names no person. */
export const writeOpenAttempt = (attempt: OpenAttempt) => ({
  partner_id: attempt.partnerId,
  transaction_id: attempt.transactionId,
  n: attempt.n,
  provider: attempt.provider,
  reference: payoutReference(attempt.transactionId, attempt.n),
  state: attempt.state,
  open_posts: attempt.openPosts,
  cause: attempt.cause,
  needs_authorization: attempt.needsAuthorization,
  amount_kobo: attempt.amountKobo,
  begun_at: attempt.begunAt.toISOString(),
});

/** A bank transfer that no company has, with why the last one refused it. It names no person. */
export const writeUntakenTransfer = (transfer: UntakenTransfer) => ({
  partner_id: transfer.partnerId,
  transaction_id: transfer.transactionId,
  amount_kobo: transfer.amountKobo,
  created_at: transfer.createdAt.toISOString(),
  last_provider: transfer.provider,
  last_cause: transfer.cause,
});
