/**
 * A scheduled transfer: one that is to be made later, once or by a rule of the calendar. Each due time has one run, with a
 * reference of its own, and a run ends once: paid, skipped or failed (D205).
 */
import { dueAfter, type CalendarRule } from './calendar';
import type { LineRequest } from './bulk-transfers';
import type { Row } from './machine';
import type { Kobo } from './money';
import type { Refusal, RefusalCode } from './refusals';
import type { TransactionStatus } from './transactions';

/** How many scheduled transfers of a partner may be active at once. */
export const ACTIVE_SCHEDULES_MAX = 10_000;
/** The number of a run is added to the reference, which may have 128 characters in all. */
export const SCHEDULE_REFERENCE_MAX = 120;
/** No due time is further away, and Temporal's calendar knows no year after 2100. */
export const SCHEDULE_AHEAD_MS = 10 * 366 * 86_400_000;

/** A due time that was not paid after this time is skipped: for want of money, or because the platform was away. */
export const LATE_MAX_MS = 86_400_000;
/** How often a run looks for money that was missing. */
export const RETRY_EVERY_MS = 1_800_000;

export const SCHEDULE_STATUSES = ['active', 'completed', 'cancelled', 'failed'] as const;
export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number];
export type ScheduleTrigger = 'finish' | 'cancel' | 'fail';

/** `finish` is the result of the last due time; `fail` one after which no later due time can be paid either. */
export const SCHEDULED_TRANSFER_MACHINE: readonly Row<ScheduleStatus, ScheduleTrigger>[] = [
  ['active', 'finish', 'completed'],
  ['active', 'cancel', 'cancelled'],
  ['active', 'fail', 'failed'],
];

/**
 * `running` from before its transfer is posted until the result is noted, so that no crash can forget it; `waiting` while
 * money is missing and is looked for again.
 */
export const RUN_STATUSES = ['running', 'waiting', 'paid', 'skipped', 'failed'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const ON_INSUFFICIENT_FUNDS = ['skip', 'retry'] as const;
export type OnInsufficientFunds = (typeof ON_INSUFFICIENT_FUNDS)[number];

/** Why a due time was not paid: the code with which the transfer was refused, or one of these two. */
export type NotPaidReason = RefusalCode | 'TOO_LATE' | 'CANCELLED';

/** Once, at a moment; or by a rule, for a number of due times or without an end. */
export type ScheduleTimes =
  | { dueAt: Date; rule: null; count: null }
  | { dueAt: null; rule: CalendarRule; count: number | null };

/** The transfer that each due time makes; its reference is that of the run. */
export type ScheduledPayment = Omit<LineRequest, 'reference'>;

export interface ScheduledTransfer {
  id: string;
  partnerId: string;
  reference: string;
  status: ScheduleStatus;
  sourceWalletId: string;
  to: { destWalletId: string } | { bankCode: string; accountNumber: string };
  amountKobo: Kobo;
  times: ScheduleTimes;
  onInsufficientFunds: OnInsufficientFunds;
  /** The number of the next due time, from 1. */
  nextNumber: number;
  /** null when no due time is left. */
  nextDueAt: Date | null;
  /** When its workflow has to look at it: at the next due time, or for a run that is not over. null when it has ended. */
  lookAt: Date | null;
  paid: number;
  skipped: number;
  failed: number;
  createdAt: Date;
  endedAt: Date | null;
}

export interface ScheduledRun {
  scheduledTransferId: string;
  /** From 1, in the order of the due times. */
  number: number;
  dueAt: Date;
  /** Of its transfer. */
  reference: string;
  status: RunStatus;
  transactionId: string | null;
  reason: NotPaidReason | null;
  endedAt: Date | null;
}

/** A run as its partner may see it. */
export interface ListedRun extends ScheduledRun {
  /** As the transaction is now. */
  transactionStatus: TransactionStatus | null;
}

/** The reference of the transfer that a run makes. It is derived, so a run that is done twice pays once. */
export const referenceOfRun = (reference: string, number: number): string => `${reference}-${String(number)}`;

/** The due time after a run, or the first one after `moment`; null where there is none. @param number of the due time. */
export function nextDue(times: ScheduleTimes, number: number, moment: Date): Date | null {
  if (times.rule === null) return number === 1 && times.dueAt > moment ? times.dueAt : null;
  return times.count !== null && number > times.count ? null : dueAfter(times.rule, moment);
}

/** What became of a due time. */
export type RunResult =
  | { transactionId: string }
  | { status: 'skipped' | 'failed'; reason: NotPaidReason }
  | { retry: true };

/** What the refusal of its transfer means for a due time. */
export function resultOfRefusal({ code }: Refusal, onInsufficientFunds: OnInsufficientFunds): RunResult {
  if (code === 'PARTNER_NOT_ACTIVE') return { status: 'skipped', reason: code };
  if (code !== 'INSUFFICIENT_FUNDS') return { status: 'failed', reason: code };
  return onInsufficientFunds === 'retry' ? { retry: true } : { status: 'skipped', reason: code };
}

/** Reasons that no later due time can escape: the wallet is closed for good. */
const FINAL: readonly NotPaidReason[] = ['WALLET_CLOSED', 'WALLET_NOT_FOUND'];

/** The move that the result of a run makes, or null while due times are left. */
export function endBy(reason: NotPaidReason | null, nextDueAt: Date | null): ScheduleTrigger | null {
  if (reason !== null && FINAL.includes(reason)) return 'fail';
  return nextDueAt === null ? 'finish' : null;
}

/** What is to be done now. */
export type Turn =
  | { kind: 'wait'; until: Date }
  | { kind: 'begin' }
  | { kind: 'try' }
  | { kind: 'give_up'; reason: NotPaidReason }
  | { kind: 'over' };

/** What time it is for a scheduled transfer. Only a sandbox forwards it. */
export interface Clock {
  now: Date;
  /** The forwards since it was made, oldest first. */
  forwards: readonly Forward[];
}

/** At this moment the time of a sandbox jumped ahead by so many milliseconds. */
export interface Forward {
  at: Date;
  forwardedMs: number;
}

/** When it really is, or was, a moment of the calendar of a sandbox (D214): the moment itself where nothing was forwarded. */
export function reallyAt(moment: Date, forwards: readonly Forward[]): Date {
  let aheadMs = 0;
  for (const { at, forwardedMs } of forwards) {
    if (moment.getTime() - aheadMs <= at.getTime()) break;
    aheadMs += forwardedMs;
    // The jump went over it.
    if (moment.getTime() - aheadMs <= at.getTime()) return at;
  }
  return new Date(moment.getTime() - aheadMs);
}

/** From this moment on money that is missing is not looked for any more. */
const noMoneyAfter = (dueAt: Date, forwards: readonly Forward[]): Date =>
  reallyAt(new Date(dueAt.getTime() + LATE_MAX_MS), forwards);

/**
 * What the workflow of a scheduled transfer has to do now. What a forward jumps over is due at the moment of the jump, so it is
 * tried, and is not too late.
 * @param open its run that has no result yet.
 */
export function turnOf(
  { status, nextDueAt, lookAt, endedAt }: ScheduledTransfer,
  open: Pick<ScheduledRun, 'status' | 'dueAt'> | null,
  { now, forwards }: Clock,
): Turn {
  if (endedAt !== null || lookAt === null) return { kind: 'over' };
  if (!open) {
    if (nextDueAt === null || status !== 'active') return { kind: 'over' };
    const until = reallyAt(nextDueAt, forwards);
    return until > now ? { kind: 'wait', until } : { kind: 'begin' };
  }
  if (status !== 'active') return { kind: 'give_up', reason: 'CANCELLED' };
  const wantsMoney = open.status === 'waiting';
  if (now.getTime() >= reallyAt(open.dueAt, forwards).getTime() + LATE_MAX_MS) {
    return { kind: 'give_up', reason: wantsMoney ? 'INSUFFICIENT_FUNDS' : 'TOO_LATE' };
  }
  return wantsMoney && lookAt > now ? { kind: 'wait', until: lookAt } : { kind: 'try' };
}

/**
 * When a run that wants money looks again: after half an hour, and for the last time when it is too late.
 * @returns null where a forward has made it too late.
 */
export function retryAt(dueAt: Date, { now, forwards }: Clock): Date | null {
  const last = noMoneyAfter(dueAt, forwards);
  if (forwards.length > 0 && last <= now) return null;
  return new Date(Math.min(now.getTime() + RETRY_EVERY_MS, last.getTime()));
}

/** What makes two scheduled transfers with one reference the same one (D45). @param digest of all that was asked. */
export const scheduleTerms = (amountKobo: Kobo, digest: string): string =>
  JSON.stringify(['scheduled_transfer', amountKobo, digest]);

/** The terms of a reference that was used up by a due time that was not paid: nothing else has the same. */
export const unpaidTerms = (run: Pick<ScheduledRun, 'scheduledTransferId' | 'number'>): string =>
  JSON.stringify(['scheduled_transfer_unpaid', run.scheduledTransferId, run.number]);
