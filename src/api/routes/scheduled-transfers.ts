/** Scheduled transfers: to be made later, once or by a rule of the calendar (D205). */
import { findSchedule, listRuns, listSchedules } from '../../db/payments/scheduled-transfers';
import { done, map, refuse } from '../../domain/outcome';
import type { ScheduledRun } from '../../domain/scheduled-transfers';
import { acceptSchedule, cancelScheduled } from '../../operations/money/scheduled-transfers';
import { dataOf, pageOf } from '../../wire/answers';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../wire/fields';
import { canonicalId } from '../../wire/ids';
import {
  listedRun,
  readSchedule,
  runsQuery,
  scheduleBody,
  scheduleOfAnswer,
  scheduleQuery,
  writeListedRun,
  writeSchedule,
} from '../../wire/scheduled-transfers';
import { usedKey } from '../fingerprint';
import { BY_TIME, pageAnswer } from '../page';
import { dataAnswer, reading, replyOf, type Call, type Route } from '../route';

const idOf = (call: Pick<Call, 'params'>): string | null => canonicalId(call.params['id'] ?? '', 'other');
const SCHEDULE = dataOf(scheduleOfAnswer);

const create: Route = {
  method: 'POST',
  path: '/v1/transfers/scheduled',
  operation: 'createScheduledTransfer',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Transfers',
    sdk: 'scheduledTransfers.create',
    summary: 'Make a transfer later, once or again and again',
    description:
      'With `due_at` once, or by a `rule` of the calendar in Lagos: every day, week or month at a time, until its last ' +
      'day or for a number of due times. Nothing is set aside. Each due time is the ordinary transfer, with its fee, its ' +
      'events and a reference of its own, and it is paid once at most. One that could not be paid within 24 hours is ' +
      'skipped. Every due time tells its result: `scheduled_transfer.paid`, `.skipped` or `.failed`; the last one is ' +
      'followed by `.ended`. At most 100 may be active in a sandbox, and 10,000 in live.',
    body: scheduleBody,
    bodyExample: {
      source_wallet: ID_EXAMPLE,
      dest_wallet: OTHER_ID_EXAMPLE,
      amount: 150_000,
      reference: 'rent-2026',
      rule: { every: 'month', at: '09:00', day_of_month: 31 },
      on_insufficient_funds: 'retry',
    },
    answer: { status: 201, description: 'Active, with its first due time', body: SCHEDULE },
    refusals: [
      'AMOUNT_TOO_LOW',
      'SAME_WALLET_TRANSFER',
      'WALLET_NOT_FOUND',
      'INVALID_BANK_CODE',
      'DUPLICATE_REFERENCE',
      'LIMIT_EXCEEDED',
    ],
  },
  async handle(call) {
    const read = readSchedule(call.body);
    if (!read.ok) return read;
    const accepted = await acceptSchedule(call.services, call, read.value, {
      key: usedKey(call, 'createScheduledTransfer', read.value),
      write: (schedule) => dataAnswer(call, 201, writeSchedule(schedule)),
    });
    return replyOf(accepted);
  },
};

const list = reading({
  method: 'GET',
  path: '/v1/transfers/scheduled',
  operation: 'listScheduledTransfers',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'scheduledTransfers.list',
    summary: 'List the scheduled transfers',
    description: 'Newest first. With `status` a page may be short, or empty, and still have a next one.',
    query: scheduleQuery,
    answer: { status: 200, description: 'A page of scheduled transfers', body: pageOf(scheduleOfAnswer) },
    refusals: [],
  },
  handle(call) {
    const { status = null } = call.query;
    const partnerId = call.partner.id;
    return pageAnswer(call, {
      name: `scheduled/${call.environment.name}/${partnerId}/${status ?? ''}`,
      order: BY_TIME,
      find: (page) => listSchedules(call.cell, { partnerId, status }, page),
      write: writeSchedule,
    });
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/transfers/scheduled/:id',
  operation: 'getScheduledTransfer',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'scheduledTransfers.get',
    summary: 'Get a scheduled transfer',
    description: 'As it is now, with its next due time.',
    answer: { status: 200, description: 'The scheduled transfer', body: SCHEDULE },
    refusals: [],
  },
  async handle(call) {
    const id = idOf(call);
    const schedule = id && (await findSchedule(call.cell, call.partner.id, id));
    return schedule ? done(dataAnswer(call, 200, writeSchedule(schedule))) : refuse('NOT_FOUND');
  },
};

/** The newest first. */
const BY_NUMBER = { read: Number, write: ({ number }: ScheduledRun) => String(number) };

const runs = reading({
  method: 'GET',
  path: '/v1/transfers/scheduled/:id/runs',
  operation: 'listScheduledTransferRuns',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'scheduledTransfers.runs',
    summary: 'List the due times of a scheduled transfer',
    description: 'Those that have come, the newest first, each with its result.',
    query: runsQuery,
    answer: { status: 200, description: 'A page of due times', body: pageOf(listedRun) },
    refusals: [],
  },
  async handle(call) {
    const id = idOf(call);
    const schedule = id && (await findSchedule(call.cell, call.partner.id, id));
    if (!schedule) return refuse('NOT_FOUND');
    const { status = null } = call.query;
    return pageAnswer(call, {
      name: `scheduled/${schedule.id}/runs/${status ?? ''}`,
      order: BY_NUMBER,
      find: (page) => listRuns(call.cell, { id: schedule.id, status }, page),
      write: writeListedRun,
    });
  },
});

const cancel: Route = {
  method: 'POST',
  path: '/v1/transfers/scheduled/:id/cancel',
  operation: 'cancelScheduledTransfer',
  needs: 'pay',
  needsActivePartner: true,
  harmlessTwice: true,
  bodyOptional: true,
  doc: {
    section: 'Transfers',
    sdk: 'scheduledTransfers.cancel',
    summary: 'Cancel a scheduled transfer',
    description:
      'No due time is paid any more, also one that still waits for money. What was paid is not taken back; a transfer that ' +
      'is being posted at this very moment still counts. To cancel a second time answers the same.',
    answer: { status: 200, description: 'The cancelled scheduled transfer', body: SCHEDULE },
    refusals: ['INVALID_SCHEDULE_STATE'],
  },
  async handle(call) {
    const id = idOf(call);
    if (!id) return refuse('NOT_FOUND');
    return map(await cancelScheduled(call, id), (schedule) => dataAnswer(call, 200, writeSchedule(schedule)));
  },
};

export const scheduledTransferRoutes: readonly Route[] = [create, list, get, runs, cancel];
