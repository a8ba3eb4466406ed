/**
 * Scheduled transfers (D205): accepted, cancelled, and paid when they are due. Each due time is decided by the ledger exactly
 * as the same transfer alone.
 */
import { hash } from 'node:crypto';
import { unknownBank } from '../../domain/banks';
import { present } from '../../domain/assert';
import { holdRefusal } from '../../domain/holds';
import { ask, type Opening } from '../../domain/ledger';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import {
  ACTIVE_SCHEDULES_MAX,
  type GoneOver,
  nextDue,
  resultOfRefusal,
  type RunResult,
  type ScheduledPayment,
  type ScheduledRun,
  type ScheduledTransfer,
} from '../../domain/scheduled-transfers';
import { payoutIntentions, scheduleIntention } from '../../contract/intentions';
import { newId } from '../../db/pg/ids';
import { findAsOf } from '../../db/payments/as-of';
import { cancelSchedule, findSchedule, insertSchedule } from '../../db/payments/scheduled-transfers';
import { unknownWallets } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import { UnavailableError } from '../../runtime/unavailable';
import type { ScheduleRequest } from '../../wire/scheduled-transfers';
import { scheduledEnded } from '../../wire/webhooks';
import { notConfigured } from '../not-configured';
import { repeated, replied, type Replied, type Reply } from '../reply';
import { notActive, type Tenant } from '../tenant';
import { announce, p2pOpening } from './pay';
import { bankOpening, isOwnAccount } from './send-to-bank';

/**
 * Writes a scheduled transfer with its reference, the answer of its key and the intention of its Schedule, in one commit. No
 * money moves before it is due.
 * @returns the answer, or refused: AMOUNT_TOO_LOW, SAME_WALLET_TRANSFER, WALLET_NOT_FOUND, INVALID_BANK_CODE,
 *   SERVICE_UNAVAILABLE without a payment provider, VALIDATION_ERROR where no due time is left, LIMIT_EXCEEDED,
 *   DUPLICATE_REFERENCE, IDEMPOTENCY_KEY_REUSED.
 */
export async function acceptSchedule(
  { config }: { config: Config },
  tenant: Tenant,
  { reference, payment, times, onInsufficientFunds }: ScheduleRequest,
  { key, write }: Reply<ScheduledTransfer>,
): Promise<Outcome<Replied>> {
  const wrong = await wrongPayment(tenant, payment);
  if (wrong) return wrong;
  const firstDueAt = nextDue(times, 1, new Date());
  const digest = hash('sha256', JSON.stringify({ payment, times, onInsufficientFunds }), 'base64url');
  const { environment, cell, partner, requestId } = tenant;
  const accepted = await insertSchedule(
    cell,
    {
      id: newId(),
      partnerId: partner.id,
      reference,
      payment,
      times,
      onInsufficientFunds,
      firstDueAt,
      digest,
      key,
      answer: write,
      intend: (schedule) => ({ ...scheduleIntention(schedule), requestId }),
      activeMax: ACTIVE_SCHEDULES_MAX[environment.name],
      canForward: environment.allowsSimulation,
    },
    config.IDEMPOTENCY_WINDOW_MS,
  );
  if (!accepted.ok) return accepted;
  switch (accepted.value.kind) {
    case 'accepted': {
      const { answer, intention } = accepted.value.value;
      environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
      return replied(answer);
    }
    case 'same_key':
      return repeated(accepted.value.answer);
    case 'same_reference': {
      const schedule = await findSchedule(cell, partner.id, accepted.value.resourceId);
      return repeated(write(present(schedule, 'the scheduled transfer of a used reference')));
    }
  }
}

/** What no later moment can make right: a wallet that the partner does not have, a bank that does not exist. */
async function wrongPayment(
  tenant: Tenant,
  { amountKobo, sourceWalletId, to }: ScheduledPayment,
): Promise<Refused | null> {
  const { environment, cell, partner } = tenant;
  const isToBank = 'bankCode' in to;
  if (isToBank && environment.providers.payouts.length === 0) return notConfigured('payment');
  const bank = isToBank && (await environment.banks.find(to.bankCode));
  if (isToBank && !bank) return unknownBank(await environment.banks.list(), to.bankCode);
  if (amountKobo < 1) return refuse('AMOUNT_TOO_LOW');
  const isSame = isToBank
    ? bank && (await isOwnAccount(tenant, sourceWalletId, bank, to.accountNumber))
    : to.destWalletId === sourceWalletId;
  if (isSame) return refuse('SAME_WALLET_TRANSFER');
  const named = isToBank ? [sourceWalletId] : [sourceWalletId, to.destWalletId];
  const unknown = await unknownWallets(cell, partner.id, named);
  return unknown.size > 0 ? refuse('WALLET_NOT_FOUND') : null;
}

/**
 * Cancels what is not paid yet. A second call finds it cancelled, and answers the same.
 * @returns the scheduled transfer, or refused: NOT_FOUND, or INVALID_SCHEDULE_STATE where it has ended.
 */
export async function cancelScheduled(
  { environment, cell, partner, requestId }: Tenant,
  id: string,
): Promise<Outcome<ScheduledTransfer>> {
  const cancelled = await cancelSchedule(
    cell,
    { partnerId: partner.id, id, canForward: environment.allowsSimulation },
    (schedule) => ({ ...scheduleIntention(schedule), requestId }),
    scheduledEnded,
  );
  if (!cancelled.ok) return cancelled;
  const { schedule, ...after } = cancelled.value;
  environment.relay.afterCommit(cell, after);
  return done(schedule);
}

/** The run of a due time, with what it pays. */
export interface DueRun {
  schedule: Pick<ScheduledTransfer, 'onInsufficientFunds'>;
  run: Pick<ScheduledRun, 'reference'>;
  payment: ScheduledPayment;
  /** The moment of the try, where a forward of the sandbox went over it: it is decided as of then (D214). */
  goneOver: GoneOver | null;
  /** True where its reference is used, so that the ledger can only find what was posted, whatever the partner may do now. */
  isPosted?: boolean;
}

/**
 * Posts the transfer of a due time. One that was posted before is known by its reference, so a second call finds its
 * transaction.
 * @returns what became of the due time.
 * @throws an outage, after which it is to be posted again.
 */
export async function payRun(
  tenant: Tenant,
  {
    run: { reference },
    payment: { to, ...payment },
    schedule: { onInsufficientFunds },
    goneOver,
    isPosted = false,
  }: DueRun,
): Promise<RunResult> {
  const refusedBy = ({ refusal }: Refused): RunResult => {
    // It says nothing about the transfer itself, which waits for the end of the outage.
    if (refusal.code === 'SERVICE_UNAVAILABLE')
      throw new UnavailableError('a due transfer cannot be posted now');
    return resultOfRefusal(refusal, onInsufficientFunds);
  };
  const stopped = isPosted ? null : notActive(tenant);
  if (stopped) return refusedBy(stopped);
  const isBank = 'bankCode' in to;
  const opening: Outcome<Opening> = isBank
    ? await bankOpening(tenant, { ...payment, ...to, reference })
    : done(p2pOpening(tenant, { ...payment, ...to, reference }));
  if (!opening.ok) return refusedBy(opening);
  const wasStopped =
    isPosted || !goneOver ? null : await refusedThen(tenant, opening.value, payment, goneOver);
  if (wasStopped) return refusedBy(wasStopped);
  const result = await tenant.cell.ledger.post({
    movement: { ...opening.value, ...(goneOver && { countsOn: goneOver.at }) },
    requestId: tenant.requestId,
    announce: isBank ? () => [] : announce,
    ...(isBank && { intend: ({ transaction }, epoch) => payoutIntentions(transaction, epoch) }),
  });
  if (!result.ok) return refusedBy(result);
  switch (result.value.kind) {
    case 'posted':
      return { transactionId: result.value.transaction.id };
    case 'same_reference':
      return { transactionId: result.value.transactionId };
    case 'locked':
      throw new UnavailableError('a row of a due transfer stayed locked');
    case 'same_key':
    case 'settled_before':
      throw new Error('bug: a due transfer has no key, and settles nothing');
  }
}

/** Why the payment would have been refused at a moment that a forward went over, by a hold or a freeze that has ended since. */
async function refusedThen(
  { cell, partner }: Tenant,
  opening: Opening,
  { sourceWalletId }: Pick<ScheduledPayment, 'sourceWalletId'>,
  { movedAt }: GoneOver,
): Promise<Refused | null> {
  const wallet = await findAsOf(cell, partner.id, sourceWalletId, movedAt);
  return wallet && holdRefusal(wallet, ask(opening).totalKobo);
}
