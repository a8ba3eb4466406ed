/** The sandbox operations: flat objects without an envelope (interface: Sandbox-only operations; D93, D96). */
import { z } from 'zod';
import { nairaText } from '../domain/money';
import type { Outcome } from '../domain/outcome';
import { scenarioRows, scenarioText } from '../domain/sandbox-scenarios';
import { WEBHOOK_FAULT_NAMES, WEBHOOK_FAULT_SECONDS_MAX, WEBHOOK_FAULTS } from '../domain/webhook-faults';
import { kobo, naira, timestamp, uuid } from './answers';
import * as field from './fields';
import { publishedBody, readBody } from './read';

const fundSchema = z
  .object({ amount_kobo: field.amountKobo, note: field.optional(field.freeText(500).meta(field.PERSONAL)) })
  .transform((body) => ({ amountKobo: body.amount_kobo, note: body.note ?? null }));

export const fundingBody = publishedBody('Funding', fundSchema);

export const readFunding = (body: unknown): Outcome<z.infer<typeof fundSchema>> => readBody(fundSchema, body);

const DEFAULT_FAILURE = 'Simulated failure';

const outcomeFields = { transaction_id: field.transactionId, reason: field.optional(field.freeText(500)) };
const outcomeSchema = z
  .object(outcomeFields)
  .transform((body) => ({ transactionId: body.transaction_id, reason: body.reason ?? DEFAULT_FAILURE }));

export const failureBody = publishedBody('TransferFailure', outcomeSchema);
export const completionBody = publishedBody(
  'TransferCompletion',
  z.object(outcomeFields).omit({ reason: true }),
);

export const readOutcome = (body: unknown): Outcome<z.infer<typeof outcomeSchema>> =>
  readBody(outcomeSchema, body);

export const fundingSchema = z
  .object({
    wallet_id: uuid,
    transaction_id: uuid,
    amount_kobo: kobo,
    balance_kobo: kobo,
    balance_naira: naira,
    status: z.literal('completed'),
    result: z.literal('wallet funded'),
    note: z.string().nullable().meta(field.PERSONAL),
  })
  .meta({ id: 'FundingResult' });

export function writeFunding(funding: {
  walletId: string;
  transactionId: string;
  amountKobo: number;
  balanceKobo: number;
  note: string | null;
}): z.infer<typeof fundingSchema> {
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

export const outcomeResult = z
  .object({ transaction_id: uuid, status: z.enum(['completed', 'failed']), result: z.string() })
  .meta({ id: 'TransferOutcome' });

export const writeOutcome = (
  transactionId: string,
  status: 'completed' | 'failed',
): z.infer<typeof outcomeResult> => ({
  transaction_id: transactionId,
  status,
  result: status === 'completed' ? 'transfer completed' : 'transfer failed and reversed',
});

export const resetResult = z
  .object({ result: z.literal('ok'), reset_at: timestamp })
  .meta({ id: 'ResetResult' });

export const writeReset = (resetAt: Date): z.infer<typeof resetResult> => ({
  result: 'ok',
  reset_at: resetAt.toISOString(),
});

const bytes = z.int().min(0);
export const storageResult = z
  .object({ used_bytes: bytes, allowed_bytes: bytes })
  .meta({ id: 'SandboxStorage' });

export const writeStorage = (storage: {
  usedBytes: number;
  allowedBytes: number;
}): z.infer<typeof storageResult> => ({
  used_bytes: storage.usedBytes,
  allowed_bytes: storage.allowedBytes,
});

const scenarioSchema = z
  .object({
    scenario: z.string().meta({ examples: ['success_after:<seconds>'] }),
    account_ending: z
      .string()
      .nullable()
      .meta({
        description: 'An account number at another bank with this ending asks for it too',
        examples: ['0909'],
      }),
    account_ending_means: z
      .string()
      .nullable()
      .meta({ examples: ['unknown_then_success:5'] }),
    description: z.string(),
  })
  .meta({ id: 'SandboxScenario' });
export const scenariosResult = z
  .object({ scenarios: z.array(scenarioSchema) })
  .meta({ id: 'SandboxScenarios' });

export const writeScenarios = (): z.infer<typeof scenariosResult> => ({
  scenarios: scenarioRows().map(({ name, argument, ending, meets }) => ({
    scenario: scenarioText(name, argument && `<${argument}>`),
    account_ending: ending?.digits ?? null,
    account_ending_means: ending && scenarioText(name, ending.argument),
    description: meets,
  })),
});

const faultFields = {
  mode: z.enum(['none', ...WEBHOOK_FAULT_NAMES], `must be of: none, ${WEBHOOK_FAULT_NAMES.join(', ')}`).meta({
    description: WEBHOOK_FAULT_NAMES.map((name) => `\`${name}\`: ${WEBHOOK_FAULTS[name]}`).join(' '),
  }),
  seconds: field
    .optional(z.int().min(1).max(WEBHOOK_FAULT_SECONDS_MAX))
    .meta({ description: 'How long; a minute by default' }),
};
const faultSchema = z.object(faultFields).transform(({ mode, seconds }) => ({
  mode: mode === 'none' ? null : mode,
  seconds: seconds ?? 60,
}));

export const faultBody = publishedBody('WebhookFault', faultSchema);

export const readFault = (body: unknown): Outcome<z.infer<typeof faultSchema>> => readBody(faultSchema, body);

export const faultResult = z
  .object({ webhook_id: uuid, mode: faultFields.mode, until: timestamp })
  .meta({ id: 'WebhookFaultResult' });

export const writeFault = (
  endpointId: string,
  { mode }: z.infer<typeof faultSchema>,
  until: Date,
): z.infer<typeof faultResult> => ({
  webhook_id: endpointId,
  mode: mode ?? 'none',
  until: until.toISOString(),
});

const FORWARD_SECONDS_MAX = 2_592_000;
const forwardSchema = z.object({
  seconds: z
    .int()
    .min(1)
    .max(FORWARD_SECONDS_MAX)
    .meta({ description: 'By how much, at most 30 days', examples: [180] }),
});

export const forwardBody = publishedBody('ClockForward', forwardSchema);

export const readForward = (body: unknown): Outcome<z.infer<typeof forwardSchema>> =>
  readBody(forwardSchema, body);

const count = z.int().min(0);
export const forwardResult = z
  .object({
    result: z.literal('ok'),
    seconds: count,
    moved: z.object({
      ussd_sessions: count,
      qr_requests: count,
      holds: count,
      transfers: count,
      scheduled_transfers: count.meta({ description: 'Which are active; what is due by then is paid now' }),
      verifications: count,
      deliveries: count,
      freezes: count,
      idempotency_keys: count.meta({ description: 'Of which the 24 hours are over now' }),
    }),
  })
  .meta({ id: 'ClockForwarded' });

export const writeForward = (
  seconds: number,
  moved: z.infer<typeof forwardResult>['moved'],
): z.infer<typeof forwardResult> => ({ result: 'ok', seconds, moved });
