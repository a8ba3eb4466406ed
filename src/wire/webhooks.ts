/** Webhook endpoints, event payloads and the envelope they travel in (interface: Webhook endpoints, Events). */
import { publishedType } from '../domain/transaction-types';
import { z } from 'zod';
import { assert } from '../domain/assert';
import type { BulkTransfer } from '../domain/bulk-transfers';
import type { Endpoint } from '../domain/endpoints';
import {
  eventAlias,
  SUBSCRIBABLE_KINDS,
  type ActivatedWallet,
  type EventDraft,
  type EventKind,
  type MovedMoney,
  type ToldRow,
} from '../domain/events';
import { kindOf } from '../domain/kinds';
import type { ScheduledRun, ScheduledTransfer } from '../domain/scheduled-transfers';
import type { Transaction } from '../domain/transactions';
import type { UssdSession } from '../domain/ussd';
import { ACCOUNT_STATUS_OF, type ParkingReason, type Wallet } from '../domain/wallets';
import { done, type Outcome } from '../domain/outcome';
import { timestamp, uuid } from './answers';
import { writeBulk } from './bulk-transfers';
import { writeRunEvent, writeSchedule } from './scheduled-transfers';
import type {
  BankTransferCompleted,
  BankTransferFailed,
  BankTransferReturned,
  MoneyMoved,
  NameMismatch,
  UssdCompleted,
  UssdExpired,
  UssdFailed,
  WalletActivated,
  WalletParked,
} from './event-payloads';
import { atMost, optional, plainText, SECRET } from './fields';
import { publishedBody, readBody } from './read';
import { writeSessionId } from './ussd';
import { writeAccount } from './wallet-fields';

const EVENTS_MAX = 50;

const EXAMPLE_URL = 'https://partner.example/webhooks';
const endpointUrl = plainText(2_048).meta({ examples: [EXAMPLE_URL] });
const endpointEvents = atMost(
  EVENTS_MAX,
  `must name at most ${String(EVENTS_MAX)} events`,
  z
    .array(z.string(), { error: (issue) => (issue.input === undefined ? undefined : 'must be an array') })
    .min(1, 'must name at least one event')
    .refine((kinds) => kinds.every((kind) => SUBSCRIBABLE_KINDS.includes(kind)), {
      error: `must be of: ${SUBSCRIBABLE_KINDS.join(', ')}`,
    })
    .meta({ items: { type: 'string', enum: SUBSCRIBABLE_KINDS }, examples: [['transaction.completed']] }),
);

const endpointSchema = z.object({ url: endpointUrl, events: endpointEvents });

export const endpointBody = publishedBody('WebhookRegistration', endpointSchema);

/**
 * @param judge gives why an address may not be called, or null. It runs together with the other checks, so that
 *   one
 *   answer names every problem.
 */
export function readEndpoint(
  body: unknown,
  judge: (url: string) => string | null,
): Outcome<z.infer<typeof endpointSchema>> {
  const read = readBody(endpointSchema.extend({ url: judged(judge) }), body);
  if (!read.ok) return read;
  return done({ ...read.value, events: [...new Set(read.value.events)] });
}

const judged = (judge: (url: string) => string | null) =>
  endpointUrl.superRefine((text, context) => {
    const problem = judge(text);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const changeSchema = z.object({
  url: optional(endpointUrl),
  events: optional(endpointEvents),
  is_active: optional(z.boolean('must be true or false')).meta({
    description: '`true` switches an endpoint on again; what it did not get is sent by `recover`',
  }),
});

export const endpointChangeBody = publishedBody('WebhookChange', changeSchema);

/** Reads what of an endpoint is to be another; what is left out stays. `judge` as for `readEndpoint`. */
export function readEndpointChange(
  body: unknown,
  judge: (url: string) => string | null,
): Outcome<{ url: string | null; events: string[] | null; isActive: boolean | null }> {
  const read = readBody(changeSchema.extend({ url: optional(judged(judge)) }), body);
  if (!read.ok) return read;
  const { url = null, events, is_active: isActive = null } = read.value;
  return done({ url, events: events ? [...new Set(events)] : null, isActive });
}

export const endpointInfo = z
  .object({
    id: uuid,
    partner_id: uuid,
    url: z.string().meta({ examples: [EXAMPLE_URL] }),
    events: z.array(z.enum(SUBSCRIBABLE_KINDS)),
    is_active: z
      .boolean()
      .meta({ description: 'false after a 410 or five days of failures only, and when it was switched off' }),
    created_at: timestamp,
    failure_count: z.int().min(0).meta({ description: 'Failed attempts in a row' }),
    last_success_at: timestamp.nullable(),
  })
  .meta({ id: 'WebhookEndpoint' });

export const registeredEndpoint = z
  .object({
    ...endpointInfo.shape,
    secret: z.string().meta({
      ...SECRET,
      description: 'Verifies the signatures of deliveries; shown here and never again',
      examples: ['sk_wh_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    }),
  })
  .meta({ id: 'RegisteredWebhookEndpoint' });

const DAY_SECONDS = 86_400;
const KEEP_SECONDS_MAX = 7 * DAY_SECONDS;
const NOT_A_PERIOD = `must be an integer from 0 to ${String(KEEP_SECONDS_MAX)}`;

const rotationSchema = z
  .object({
    previous_secret_valid_seconds: optional(
      z.int(NOT_A_PERIOD).min(0, NOT_A_PERIOD).max(KEEP_SECONDS_MAX, NOT_A_PERIOD),
    ).meta({ description: 'How long deliveries are also signed with the secret before; a day when absent' }),
  })
  .transform((body) => ({ keepMs: (body.previous_secret_valid_seconds ?? DAY_SECONDS) * 1_000 }));

export const rotationBody = publishedBody('WebhookSecretRotation', rotationSchema);

export const rotatedEndpoint = z
  .object({ ...registeredEndpoint.shape, previous_secret_valid_until: timestamp })
  .meta({ id: 'RotatedWebhookEndpoint' });

/** Reads how long the secret before stays in force: a day, unless the body says otherwise. */
export const readRotation = (body: unknown): Outcome<{ keepMs: number }> => readBody(rotationSchema, body);

export function writeEndpoint(endpoint: Endpoint): z.infer<typeof endpointInfo> {
  return {
    id: endpoint.id,
    partner_id: endpoint.partnerId,
    url: endpoint.url,
    events: endpoint.events,
    is_active: endpoint.isActive,
    created_at: endpoint.createdAt.toISOString(),
    failure_count: endpoint.failureCount,
    last_success_at: endpoint.lastSuccessAt?.toISOString() ?? null,
  };
}

/** The body of a delivery. Its parts never change, so it has the same bytes on every attempt (D143). */
export function writeDelivery(delivery: {
  eventName: string;
  data: string;
  createdAt: Date;
  webhookId: string;
}): string {
  const { eventName, data, createdAt, webhookId } = delivery;
  const text = (value: string): string => JSON.stringify(value);
  return `{"event":${text(eventName)},"data":${data},"timestamp":${text(createdAt.toISOString())},"webhook_id":${text(webhookId)}}`;
}

/** `transaction.completed`. The row of the kind says which fields it has in addition to the common ones (D107). */
export function transactionCompleted(transaction: Transaction): EventDraft {
  const names = kindOf(transaction.type).events.completedNames;
  assert(names !== 'ussd_session', 'the end of a USSD payment is told with its session');
  return draft('transaction.completed', transaction, COMPLETED_DATA[names](transaction));
}

/**
 * `transaction.completed` of a transaction that was complete at once and that the ledger writes in the same commit: its
 * payload is not stored a second time, `writeMoneyMoved` makes it from the transaction's row.
 */
export function completedAtOnce(transaction: Transaction): EventDraft {
  const { events, life } = kindOf(transaction.type);
  assert(
    events.completedNames === 'both_wallets' && life.machine.length === 0,
    'nothing of this payload changes later',
  );
  return { ...named('transaction.completed', transaction), data: null };
}

/** The payload of `completedAtOnce`, with the same bytes on every attempt. */
export const writeMoneyMoved = (moved: MovedMoney): string =>
  JSON.stringify(COMPLETED_DATA.both_wallets(moved));

const COMPLETED_DATA = {
  both_wallets: (transaction: MovedMoney): MoneyMoved => ({
    ...commonFields(transaction),
    source_wallet_id: transaction.sourceWalletId,
    dest_wallet_id: transaction.destWalletId,
    created_at: transaction.createdAt.toISOString(),
  }),
  provider_reference: (transaction: Transaction): BankTransferCompleted => ({
    ...commonFields(transaction),
    psp_reference: transaction.pspReference,
    completed_at: transaction.completedAt?.toISOString() ?? null,
    name_matches: transaction.destAccount?.nameMatches ?? null,
  }),
};

/** `transaction.failed` of a bank transfer, with what was given back (D113). */
export function bankTransferFailed(transaction: Transaction, reversal: Transaction): EventDraft {
  return draft('transaction.failed', transaction, {
    ...commonFields(transaction),
    failure_reason: transaction.failedReason ?? '',
    reversal: { reversed: true, reversal_tx_id: reversal.id, amount_kobo: reversal.amountKobo },
    reversal_status: 'completed',
    name_matches: transaction.destAccount?.nameMatches ?? null,
  } satisfies BankTransferFailed);
}

/** `transaction.name_mismatch`: the transfer waits for its partner. @param decideBefore when its money comes back. */
export const nameMismatched = (transaction: Transaction, decideBefore: Date): EventDraft =>
  draft('transaction.name_mismatch', transaction, {
    ...commonFields(transaction),
    decide_before: decideBefore.toISOString(),
  } satisfies NameMismatch);

/** `transaction.completed` of a USSD payment names its session (interface: Payloads). */
export const ussdCompleted = (transaction: Transaction, session: UssdSession): EventDraft =>
  draft('transaction.completed', transaction, {
    ...commonFields(transaction),
    session_id: writeSessionId(session.id),
    completed_at: transaction.completedAt?.toISOString() ?? null,
  } satisfies UssdCompleted);

/**
 * The end of a USSD payment that debited nothing: `transaction.failed` (D113), or `transaction.expired` for
 * endpoints that subscribed to it (D33).
 */
export function ussdEnded(transaction: Transaction, session: UssdSession): EventDraft {
  const common = { ...commonFields(transaction), session_id: writeSessionId(session.id) };
  if (transaction.status === 'expired') {
    const data = { ...common, expires_at: session.expiresAt.toISOString() } satisfies UssdExpired;
    return draft('transaction.expired', transaction, data);
  }
  return draft('transaction.failed', transaction, {
    ...common,
    failure_reason: transaction.failedReason ?? '',
    reversal: { reversed: false, reversal_tx_id: null, amount_kobo: 0 },
  } satisfies UssdFailed);
}

/**
 * `transaction.reversed`: a completed bank transfer that came back. Without a reversal the money waits in suspense
 * (D30, D114).
 */
export function bankTransferReturned(transaction: Transaction, reversal: Transaction | null): EventDraft {
  return draft('transaction.reversed', transaction, {
    ...commonFields(transaction),
    failure_reason: transaction.failedReason ?? '',
    reversal: {
      reversed: reversal !== null,
      reversal_tx_id: reversal?.id ?? null,
      amount_kobo: reversal?.amountKobo ?? 0,
    },
    reversal_status: reversal ? 'completed' : 'pending',
  } satisfies BankTransferReturned);
}

/** `scheduled_transfer.paid`, `.skipped` or `.failed`: a due time has its result. */
export function scheduledRunEnded(schedule: ScheduledTransfer, run: ScheduledRun): EventDraft {
  assert(run.status !== 'running' && run.status !== 'waiting', 'a run that is told has its result');
  return {
    kind: `scheduled_transfer.${run.status}`,
    alias: null,
    resourceId: schedule.id,
    data: JSON.stringify(writeRunEvent(schedule, run)),
  };
}

/** `scheduled_transfer.ended`: no due time is left, or none can be paid any more. */
export const scheduledEnded = (schedule: ScheduledTransfer): EventDraft => ({
  kind: 'scheduled_transfer.ended',
  alias: null,
  resourceId: schedule.id,
  data: JSON.stringify(writeSchedule(schedule)),
});

/** `bulk_transfer.completed`: every line has its result. */
export const bulkEnded = (bulk: BulkTransfer): EventDraft => ({
  kind: 'bulk_transfer.completed',
  alias: null,
  resourceId: bulk.id,
  data: JSON.stringify(writeBulk(bulk)),
});

/** `wallet.activated` (D111). Its payload has the name of the account, which is stored in the wallet's row alone. */
export const walletActivated = (wallet: Wallet): EventDraft => ({
  kind: 'wallet.activated',
  alias: null,
  resourceId: wallet.id,
  data: null,
});

/** `wallet.parked`: why no account can be opened now. @param missing names of fields. */
export const walletParked = (
  wallet: Wallet,
  { reason, missing, since }: { reason: ParkingReason; missing: string[]; since: Date },
): EventDraft => ({
  kind: 'wallet.parked',
  alias: null,
  resourceId: wallet.id,
  data: JSON.stringify({
    id: wallet.id,
    user_ref: wallet.userRef,
    status: wallet.status,
    account_status: ACCOUNT_STATUS_OF[wallet.status],
    reason,
    missing,
    parked_at: since.toISOString(),
    created_at: wallet.createdAt.toISOString(),
  } satisfies WalletParked),
});

const writeActivatedWallet = ({ account, ...wallet }: ActivatedWallet): string =>
  JSON.stringify({
    id: wallet.id,
    user_ref: wallet.userRef,
    status: 'active',
    ...writeAccount({ account }),
    account_status: ACCOUNT_STATUS_OF.active,
    created_at: wallet.createdAt.toISOString(),
    activated_at: wallet.activatedAt.toISOString(),
  } satisfies WalletActivated);

/** The payload of an event as JSON text, with the same bytes on every attempt. */
export function writePayload(payload: string | ToldRow): string {
  if (typeof payload === 'string') return payload;
  return 'account' in payload ? writeActivatedWallet(payload) : writeMoneyMoved(payload);
}

const commonFields = (transaction: MovedMoney) => ({
  id: transaction.id,
  type: publishedType(transaction.type),
  status: transaction.status,
  reference: transaction.reference,
  amount_kobo: transaction.amountKobo,
});

const draft = (kind: EventKind, transaction: Transaction, data: object) => ({
  ...named(kind, transaction),
  data: JSON.stringify(data),
});

const named = (kind: EventKind, { id, type }: Transaction) => ({
  kind,
  alias: eventAlias(kind, type),
  resourceId: id,
});
