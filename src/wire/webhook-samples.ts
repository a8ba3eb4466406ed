/**
 * What an endpoint is sent when it is tested (D143): under `webhook.test`, or in the shape of a real event of
 * any kind. Nothing in it has happened, and no resource has its ids.
 */
import { z } from 'zod';
import { EVENT_KINDS, SUBSCRIBABLE_KINDS, type EventKind } from '../domain/events';
import type { Outcome } from '../domain/outcome';
import { TEST_EVENT, type WebhookTest } from './event-payloads';
import { optional } from './fields';
import { publishedBody, readBody } from './read';

const TESTABLE = [TEST_EVENT, ...SUBSCRIBABLE_KINDS];

const testSchema = z
  .object({ event: optional(z.enum(TESTABLE, { error: `must be of: ${TESTABLE.join(', ')}` })) })
  .transform((body) => ({ event: body.event ?? TEST_EVENT }));

export const webhookTestBody = publishedBody('WebhookTest', testSchema);
export const webhookTestResult = z.object({ webhook_id: z.string().regex(/^wh_[0-9a-f]{32}$/) });

/** Reads the event with which an endpoint is to be tested; `webhook.test` if the body names none. */
export const readWebhookTest = (body: unknown): Outcome<{ event: string }> => readBody(testSchema, body);

/** The payload of a test delivery, as JSON text. The quickstart's names stand for the same events (D106). */
export function samplePayload(event: string, endpointId: string): string {
  const kind = EVENT_KINDS.find((one) => one === event.replace(/^transfer\./, 'transaction.'));
  const test: WebhookTest = { endpoint_id: endpointId, message: 'It arrived.' };
  return JSON.stringify(kind ? SAMPLES[kind] : test);
}

const AT = '2026-01-01T00:00:00.000Z';
const idOf = (last: string): string => `00000000-0000-0000-0000-${last.padStart(12, '0')}`;

const transfer = {
  id: idOf('1'),
  type: 'p2p_transfer',
  status: 'completed',
  reference: 'webhook-test',
  amount_kobo: 10_000,
};
const wallets = { source_wallet_id: idOf('2'), dest_wallet_id: idOf('3') };

const ranAs = (status: string, transactionId: string | null, reason: string | null) => ({
  id: idOf('7'),
  reference: 'webhook-test',
  next_due_at: null,
  run: {
    number: 1,
    due_at: AT,
    reference: 'webhook-test-1',
    status,
    transaction_id: transactionId,
    reason,
    ended_at: AT,
  },
});

const SAMPLES: Record<EventKind, object> = {
  'transaction.completed': { ...transfer, ...wallets, created_at: AT },
  'transaction.failed': {
    ...transfer,
    type: 'bank_transfer',
    status: 'failed',
    failure_reason: 'A test of this endpoint',
    reversal: { reversed: true, reversal_tx_id: idOf('4'), amount_kobo: 15_000 },
    reversal_status: 'completed',
    name_matches: null,
  },
  'transaction.name_mismatch': {
    ...transfer,
    type: 'bank_transfer',
    status: 'processing',
    decide_before: AT,
  },
  'wallet.activated': {
    id: idOf('2'),
    user_ref: 'webhook-test',
    status: 'active',
    account_number: '0000000000',
    account_name: 'WEBHOOK TEST',
    bank_code: '000',
    bank_name: 'No bank',
    account_status: 'active',
    created_at: AT,
    activated_at: AT,
  },
  'wallet.parked': {
    id: idOf('2'),
    user_ref: 'webhook-test',
    status: 'pending',
    account_status: 'provisioning',
    reason: 'details_missing',
    missing: ['metadata.email'],
    parked_at: AT,
    created_at: AT,
  },
  'kyc.verified': {
    verification_id: idOf('5'),
    user_ref: 'webhook-test',
    type: 'bvn',
    status: 'verified',
    subject: 'end_user',
    verified_at: AT,
  },
  'kyc.failed': {
    verification_id: idOf('5'),
    user_ref: 'webhook-test',
    type: 'bvn',
    status: 'failed',
    subject: 'end_user',
    failure_reason: 'BVN_NOT_FOUND',
  },
  'transaction.reversed': {
    ...transfer,
    type: 'bank_transfer',
    status: 'reversed',
    failure_reason: 'A test of this endpoint',
    reversal: { reversed: true, reversal_tx_id: idOf('4'), amount_kobo: 15_000 },
    reversal_status: 'completed',
  },
  'transaction.expired': {
    ...transfer,
    type: 'ussd_payment',
    status: 'expired',
    session_id: 'webhook-test',
    expires_at: AT,
  },
  'scheduled_transfer.paid': ranAs('paid', idOf('3'), null),
  'scheduled_transfer.skipped': ranAs('skipped', null, 'INSUFFICIENT_FUNDS'),
  'scheduled_transfer.failed': ranAs('failed', null, 'WALLET_FROZEN'),
  'scheduled_transfer.ended': {
    id: idOf('7'),
    reference: 'webhook-test',
    status: 'completed',
    source_wallet: idOf('1'),
    dest_wallet: idOf('2'),
    dest_account: null,
    amount: 10_000,
    currency: 'NGN',
    due_at: AT,
    rule: null,
    on_insufficient_funds: 'skip',
    next_due_at: null,
    runs: { paid: 1, skipped: 0, failed: 0 },
    created_at: AT,
    ended_at: AT,
  },
  'bulk_transfer.completed': {
    id: idOf('6'),
    reference: 'webhook-test',
    status: 'completed',
    amount: 10_000,
    currency: 'NGN',
    lines: { total: 1, accepted: 1, refused: 0 },
    created_at: AT,
    ended_at: AT,
  },
};
