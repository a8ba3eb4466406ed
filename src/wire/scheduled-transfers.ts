/** Scheduled transfers: the request with its times, the answers, and their runs (D205). */
import { z } from 'zod';
import { PERIODS, WEEKDAYS, type CalendarRule } from '../domain/calendar';
import { CURRENCY } from '../domain/money';
import { done, type Outcome } from '../domain/outcome';
import {
  ON_INSUFFICIENT_FUNDS,
  RUN_STATUSES,
  SCHEDULE_AHEAD_MS,
  SCHEDULE_REFERENCE_MAX,
  SCHEDULE_STATUSES,
  type ListedRun,
  type OnInsufficientFunds,
  type ScheduledPayment,
  type ScheduledRun,
  type ScheduledTransfer,
  type ScheduleTimes,
} from '../domain/scheduled-transfers';
import { kobo, timestamp, transactionStatus, uuid } from './answers';
import * as field from './fields';
import { pageQuery } from './pages';
import { publishedBody, readBody } from './read';
import { bankAccountFields, destinationOf, instructionFields, toOneDestination, words } from './transfers';

const isObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null;
const oneOf = (values: readonly string[]): string => `must be of: ${values.join(', ')}`;

const NOT_A_DAY = 'must be a day of the month, from 1 to 31';
const NOT_A_COUNT = 'must be an integer from 1 to 10000';
const date = z.iso
  .date('must be a date, such as 2026-11-30')
  .refine((text) => Date.parse(text) < Date.now() + SCHEDULE_AHEAD_MS, 'must be within the next ten years');

const ruleSchema = z
  .object(
    {
      every: z.enum(PERIODS, oneOf(PERIODS)),
      at: z
        .string()
        .regex(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of the day in Lagos, such as 09:00')
        .meta({ description: 'The time of the day in Lagos', examples: ['09:00'] }),
      weekday: field.optional(z.enum(WEEKDAYS, oneOf(WEEKDAYS))).meta({ description: 'Of every week' }),
      day_of_month: field
        .optional(z.int(NOT_A_DAY).min(1, NOT_A_DAY).max(31, NOT_A_DAY))
        .meta({ description: 'Of every month; in a month without this day its last one' }),
      starts_on: field.optional(date).meta({ description: 'The first day that counts' }),
      ends_on: field.optional(date).meta({ description: 'The last day that counts' }),
      count: field
        .optional(z.int(NOT_A_COUNT).min(1, NOT_A_COUNT).max(10_000, NOT_A_COUNT))
        .meta({ description: 'How many due times there are' }),
    },
    'must be an object',
  )
  .refine(({ every, weekday }) => (every === 'week') === (weekday !== undefined), {
    path: ['weekday'],
    message: 'is required where every is week, and absent otherwise',
    when: isObject,
  })
  .refine(({ every, day_of_month }) => (every === 'month') === (day_of_month !== undefined), {
    path: ['day_of_month'],
    message: 'is required where every is month, and absent otherwise',
    when: isObject,
  })
  .meta({ id: 'CalendarRule' });

const { reference, ...otherWords } = words('rent-2026');

const scheduleSchema = toOneDestination(
  z.object({
    source_wallet: field.walletId,
    dest_wallet: field.optional(field.destWalletId).meta({ description: 'Of transfers between wallets' }),
    dest_account: field
      .optional(z.object(bankAccountFields, 'must be an object'))
      .meta({ description: 'Of transfers to a bank account' }),
    amount: field.amountKobo,
    ...instructionFields,
    reference: reference
      .refine(
        (text) => text.length <= SCHEDULE_REFERENCE_MAX,
        `must have at most ${String(SCHEDULE_REFERENCE_MAX)} characters`,
      )
      .meta({
        ...reference.meta(),
        maxLength: SCHEDULE_REFERENCE_MAX,
        description:
          "The partner's own name for it. Its transfers have this reference with `-1`, `-2` and so on, by their due times",
      }),
    ...otherWords,
    due_at: field
      .optional(
        field.instant.refine(
          (text) => Date.parse(text) < Date.now() + SCHEDULE_AHEAD_MS,
          'must be within the next ten years',
        ),
      )
      .meta({ description: 'Of a transfer that is made once', examples: ['2030-01-31T09:00:00+01:00'] }),
    rule: field.optional(ruleSchema).meta({ description: 'Of transfers that are made again and again' }),
    on_insufficient_funds: field.optional(z.enum(ON_INSUFFICIENT_FUNDS, oneOf(ON_INSUFFICIENT_FUNDS))).meta({
      description:
        '`skip` gives a due time up where the balance is too low; `retry` tries every half hour, until 24 hours after it, also ' +
        'where a daily limit is used up',
    }),
  }),
).refine(({ due_at, rule }) => (due_at === undefined) !== (rule === undefined), {
  path: ['due_at'],
  message: 'or rule is required, and not both',
  when: isObject,
});

export const scheduleBody = publishedBody('ScheduledTransferRequest', scheduleSchema);

export interface ScheduleRequest {
  reference: string;
  payment: ScheduledPayment;
  times: ScheduleTimes;
  onInsufficientFunds: OnInsufficientFunds;
}

export function readSchedule(body: unknown): Outcome<ScheduleRequest> {
  const read = readBody(scheduleSchema, body);
  if (!read.ok) return read;
  const { source_wallet, dest_wallet, dest_account, amount, due_at, rule, ...asked } = read.value;
  const to = destinationOf(dest_wallet, dest_account, asked);
  const { description = '', metadata = {} } = asked;
  return done({
    reference: asked.reference,
    payment: { sourceWalletId: source_wallet, to, amountKobo: amount, description, metadata },
    times: rule
      ? { dueAt: null, rule: toRule(rule), count: rule.count ?? null }
      : { dueAt: new Date(due_at ?? ''), rule: null, count: null },
    onInsufficientFunds: asked.on_insufficient_funds ?? 'skip',
  });
}

function toRule(rule: z.infer<typeof ruleSchema>): CalendarRule {
  const common = { at: rule.at, startsOn: rule.starts_on ?? null, endsOn: rule.ends_on ?? null };
  const { every, weekday, day_of_month: dayOfMonth } = rule;
  if (every === 'week' && weekday) return { ...common, every, weekday };
  if (every === 'month' && dayOfMonth) return { ...common, every, dayOfMonth };
  return { ...common, every: 'day' };
}

export const scheduleQuery = pageQuery.extend({
  status: z.enum(SCHEDULE_STATUSES, oneOf(SCHEDULE_STATUSES)).optional(),
});

/** The page of runs with the filter by their status. */
export const runsQuery = pageQuery.extend({ status: z.enum(RUN_STATUSES, oneOf(RUN_STATUSES)).optional() });

const scheduleStatus = z.enum(SCHEDULE_STATUSES).meta({ id: 'ScheduledTransferStatus' });
const runStatus = z.enum(RUN_STATUSES).meta({ id: 'ScheduledTransferRunStatus' });

export const scheduleOfAnswer = z
  .object({
    id: uuid,
    reference: z.string(),
    status: scheduleStatus,
    source_wallet: uuid,
    dest_wallet: uuid.nullable(),
    dest_account: z
      .object({ bank_code: z.string(), account_number: z.string().meta(field.PERSONAL) })
      .nullable()
      .meta({ description: 'null where a wallet is paid' }),
    amount: kobo,
    currency: field.currency,
    due_at: timestamp.nullable().meta({ description: 'null where a rule says when' }),
    rule: z
      .object({
        every: z.enum(PERIODS),
        at: z.string().meta({ examples: ['09:00'] }),
        weekday: z.enum(WEEKDAYS).nullable(),
        day_of_month: z.int().nullable(),
        starts_on: z.string().nullable(),
        ends_on: z.string().nullable(),
        count: z.int().nullable(),
      })
      .meta({ id: 'CalendarRuleOfAnswer' })
      .nullable(),
    on_insufficient_funds: z.enum(ON_INSUFFICIENT_FUNDS),
    next_due_at: timestamp.nullable().meta({ description: 'null when no due time is left' }),
    runs: z
      .object({ paid: z.int(), skipped: z.int(), failed: z.int() })
      .meta({ description: 'How many due times have which result' }),
    created_at: timestamp,
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'ScheduledTransfer' });

export const writeSchedule = (schedule: ScheduledTransfer): z.infer<typeof scheduleOfAnswer> => {
  const { id, reference, status, to, times } = schedule;
  return {
    id,
    reference,
    status,
    source_wallet: schedule.sourceWalletId,
    dest_wallet: 'destWalletId' in to ? to.destWalletId : null,
    dest_account: 'bankCode' in to ? { bank_code: to.bankCode, account_number: to.accountNumber } : null,
    amount: schedule.amountKobo,
    currency: CURRENCY,
    due_at: times.dueAt?.toISOString() ?? null,
    rule: times.rule && writeRule(times.rule, times.count),
    on_insufficient_funds: schedule.onInsufficientFunds,
    next_due_at: schedule.nextDueAt?.toISOString() ?? null,
    runs: { paid: schedule.paid, skipped: schedule.skipped, failed: schedule.failed },
    created_at: schedule.createdAt.toISOString(),
    ended_at: schedule.endedAt?.toISOString() ?? null,
  };
};

const writeRule = (rule: CalendarRule, count: number | null) => ({
  every: rule.every,
  at: rule.at,
  weekday: rule.every === 'week' ? rule.weekday : null,
  day_of_month: rule.every === 'month' ? rule.dayOfMonth : null,
  starts_on: rule.startsOn,
  ends_on: rule.endsOn,
  count,
});

const scheduledRun = z
  .object({
    number: z.int().meta({ description: 'From 1, in the order of the due times' }),
    due_at: timestamp,
    reference: z.string().meta({ description: 'Of its transfer', examples: ['rent-2026-1'] }),
    status: runStatus,
    transaction_id: uuid.nullable().meta({ description: 'The transfer; null unless it was paid' }),
    reason: z
      .string()
      .nullable()
      .meta({
        description:
          'Why it was not paid, or what it waits for: the code with which the transfer was refused, `TOO_LATE` or `CANCELLED`',
        examples: ['INSUFFICIENT_FUNDS'],
      }),
    ended_at: timestamp.nullable(),
  })
  .meta({ id: 'ScheduledTransferRunResult' });

const writeRun = (run: ScheduledRun): z.infer<typeof scheduledRun> => ({
  number: run.number,
  due_at: run.dueAt.toISOString(),
  reference: run.reference,
  status: run.status,
  transaction_id: run.transactionId,
  reason: run.reason,
  ended_at: run.endedAt?.toISOString() ?? null,
});

/** In the list, as in that of the lines of a bulk transfer, it is shown what became of its transfer. */
export const listedRun = scheduledRun
  .extend({
    transaction_status: transactionStatus.nullable().meta({ description: 'As the transaction is now' }),
  })
  .meta({ id: 'ScheduledTransferRun' });

export const writeListedRun = (run: ListedRun): z.infer<typeof listedRun> => ({
  ...writeRun(run),
  transaction_status: run.transactionStatus,
});

/** The payload of the events about one due time. */
export const scheduledRunEvent = z
  .object({
    id: uuid.meta({ description: 'Of the scheduled transfer' }),
    reference: z.string().meta({ description: 'Of the scheduled transfer' }),
    next_due_at: timestamp.nullable(),
    run: scheduledRun,
  })
  .meta({ id: 'ScheduledTransferRunEnded' });

export const writeRunEvent = (
  { id, reference, nextDueAt }: ScheduledTransfer,
  run: ScheduledRun,
): z.infer<typeof scheduledRunEvent> => ({
  id,
  reference,
  next_due_at: nextDueAt?.toISOString() ?? null,
  run: writeRun(run),
});
