/**
 * A scheduled transfer: one that is to be made later, once or by a rule of the calendar. Each due time has one run, with a
 * reference of its own, and a run ends once: paid, skipped or failed (D205).
 */
import { dueAfter, type CalendarRule } from './calendar';
import { LIMITS } from './limits';
import type { LineRequest } from './bulk-transfers';
import type { Row } from './machine';
import type { Kobo } from './money';
import { refuse, type Refused } from './outcome';
import type { Refusal, RefusalCode } from './refusals';
import type { TransactionStatus } from './transactions';

/** How many scheduled transfers of a partner may be active at once. Nobody pays for what a sandbox does. */
export const ACTIVE_SCHEDULES_MAX = { sandbox: 100, live: 10_000 } as const;
/**
 * How many due times may wait for their run because of forwards, and how many tries of those that wait for money. A forward is a
 * request of a few bytes, and what it makes due is paid for by everybody (D235).
 */
export const FORWARDED_MAX = { runs: 1_000, tries: 10_000 } as const;
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
 * money is missing or the limit of a day is used up, and is looked at again.
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
  /**
   * When its workflow has to look at it: at the next due time, at that of a run that is not over, or when a run that waits
   * looks again. What a partner has to do is done in this order. null when it has ended.
   */
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
  /** Why it was not paid, or what it waits for. */
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
  | { retry: true; reason: RefusalCode };

/** What the refusal of its transfer means for a due time. */
export function resultOfRefusal(
  { code, detail }: Refusal,
  onInsufficientFunds: OnInsufficientFunds,
): RunResult {
  if (code === 'PARTNER_NOT_ACTIVE') return { status: 'skipped', reason: code };
  const passes = code === 'INSUFFICIENT_FUNDS' || (code === 'LIMIT_EXCEEDED' && isOfDay(detail?.['limit']));
  if (passes && onInsufficientFunds === 'retry') return { retry: true, reason: code };
  return { status: code === 'INSUFFICIENT_FUNDS' ? 'skipped' : 'failed', reason: code };
}

/** A limit whose use begins anew on another day. */
const isOfDay = (limit: unknown): boolean =>
  Object.entries(LIMITS).some(([name, { of }]) => name === limit && (of === 'day' || of === 'ussd_day'));

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

const sumOf = (forwards: readonly Forward[]): number =>
  forwards.reduce((sum, { forwardedMs }) => sum + forwardedMs, 0);

/**
 * A moment of the calendar where all that a sandbox has to do stands in its order: deadlines were moved earlier by each
 * forward, so it is moved by all of them. What a forward went over keeps its order that way, and is in the past.
 */
export const movedBy = (moment: Date, forwards: readonly Forward[]): Date =>
  new Date(moment.getTime() - sumOf(forwards));

/** A try of a due time that a forward went over, which is decided as of that moment. */
export interface GoneOver {
  /** The moment, moved as all deadlines of the sandbox were. */
  movedAt: Date;
  /** The moment in the calendar of the sandbox. */
  at: Date;
}

/**
 * The moment of a try where a forward went over it; null where the time has really come.
 * @param lookAt when it was to be tried, moved.
 * @param before the forwards before the scheduled transfer was made: its due times do not count them.
 */
export function goneOver(
  lookAt: Date,
  forwards: readonly Forward[],
  before: readonly Forward[],
): GoneOver | null {
  const due = new Date(lookAt.getTime() + sumOf(forwards));
  const really = reallyAt(due, forwards);
  if (!forwards.some(({ at }) => at.getTime() === really.getTime())) return null;
  return { movedAt: lookAt, at: new Date(due.getTime() + sumOf(before)) };
}

/**
 * What the workflow of a scheduled transfer has to do now. What a forward jumps over is due at the moment of the jump, so it is
 * tried, and is not too late.
 * @param open its run that has no result yet.
 */
export function turnOf(
  { status, nextDueAt, lookAt, endedAt }: ScheduledTransfer,
  open: Pick<ScheduledRun, 'status' | 'dueAt' | 'reason'> | null,
  { now, forwards }: Clock,
): Turn {
  if (endedAt !== null || lookAt === null) return { kind: 'over' };
  if (!open) {
    if (nextDueAt === null || status !== 'active') return { kind: 'over' };
    const until = reallyAt(nextDueAt, forwards);
    return until > now ? { kind: 'wait', until } : { kind: 'begin' };
  }
  if (status !== 'active') return { kind: 'give_up', reason: 'CANCELLED' };
  const isWaiting = open.status === 'waiting';
  if (now.getTime() >= reallyAt(open.dueAt, forwards).getTime() + LATE_MAX_MS) {
    return { kind: 'give_up', reason: open.reason ?? 'TOO_LATE' };
  }
  return isWaiting && lookAt > now ? { kind: 'wait', until: lookAt } : { kind: 'try' };
}

/**
 * When a run that waits looks again: half an hour after it was tried, and for the last time when it is too late. What a
 * forward went over is tried as if its time had passed: each half hour in its place among all that was gone over.
 * @param triedAt when it was to be tried, moved.
 * @returns null where it is too late.
 */
export function retryAt(dueAt: Date, triedAt: Date, { now, forwards }: Clock): Date | null {
  const last = movedBy(new Date(dueAt.getTime() + LATE_MAX_MS), forwards).getTime();
  const from = goneOver(triedAt, forwards, []) ? triedAt.getTime() : now.getTime();
  return from >= last ? null : new Date(Math.min(from + RETRY_EVERY_MS, last));
}

/** What a scheduled transfer has to do until a moment of its calendar. */
export interface WorkUntil {
  /** Due times, with that of a run which has no result yet. */
  runs: number;
  /** Further tries of these, if money is missing each time. */
  tries: number;
}

/**
 * What a scheduled transfer has to do until a moment of its calendar, at most.
 * @param openDueAt the due time of its run that has no result yet; null for none.
 */
export function workUntil(
  { times, nextNumber, nextDueAt, onInsufficientFunds }: ScheduledTransfer,
  openDueAt: Date | null,
  until: Date,
): WorkUntil {
  const dueTimes = openDueAt === null ? [] : [openDueAt];
  let number = nextNumber;
  for (let due = nextDueAt; due !== null && due <= until; due = nextDue(times, ++number, due))
    dueTimes.push(due);
  const triesOf = (due: Date): number =>
    Math.floor(Math.min(until.getTime() - due.getTime(), LATE_MAX_MS) / RETRY_EVERY_MS);
  const tries = dueTimes.reduce((sum, due) => sum + Math.max(0, triesOf(due)), 0);
  return { runs: dueTimes.length, tries: onInsufficientFunds === 'retry' ? tries : 0 };
}

/** @returns LIMIT_EXCEEDED where a forward would make more due than it may, with the number; or null. */
export function tooMuchDue({ runs, tries }: WorkUntil): Refused | null {
  if (runs > FORWARDED_MAX.runs)
    return refuse('LIMIT_EXCEEDED', {
      message:
        `${String(runs)} due times of scheduled transfers would wait for their run, of at most ` +
        `${String(FORWARDED_MAX.runs)}; forward by less, or wait until those that are due have run`,
      detail: { limit: 'forwarded_runs', used: runs, allowed: FORWARDED_MAX.runs },
    });
  if (tries <= FORWARDED_MAX.tries) return null;
  return refuse('LIMIT_EXCEEDED', {
    message:
      `${String(tries)} tries of due times that may want money would wait, of at most ` +
      `${String(FORWARDED_MAX.tries)}; forward by less, or cancel scheduled transfers that try again`,
    detail: { limit: 'forwarded_tries', used: tries, allowed: FORWARDED_MAX.tries },
  });
}

/** What makes two scheduled transfers with one reference the same one (D45). @param digest of all that was asked. */
export const scheduleTerms = (amountKobo: Kobo, digest: string): string =>
  JSON.stringify(['scheduled_transfer', amountKobo, digest]);

/** The terms of a reference that was used up by a due time that was not paid: nothing else has the same. */
export const unpaidTerms = (run: Pick<ScheduledRun, 'scheduledTransferId' | 'number'>): string =>
  JSON.stringify(['scheduled_transfer_unpaid', run.scheduledTransferId, run.number]);
