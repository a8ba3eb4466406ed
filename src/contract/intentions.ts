/** The intentions that are committed with a resource: one builder for each workflow type. */
import type { BulkTransfer } from '../domain/bulk-transfers';
import type { Hold } from '../domain/holds';
import type { Intention } from '../domain/intentions';
import { nairaText } from '../domain/money';
import { OF_NO_PARTNER } from '../domain/partners';
import { keptCallbackOf } from '../domain/sandbox-scenarios';
import type { ScheduledTransfer, ScheduleTimes } from '../domain/scheduled-transfers';
import type { Transaction } from '../domain/transactions';
import type { UssdSession } from '../domain/ussd';
import type { VerificationType } from '../domain/verifications';
import {
  workflowIds,
  type AccountClosingInput,
  type BankTransferInput,
  type BulkTransferInput,
  type HoldInput,
  type InboundPaymentInput,
  type InboundRefundInput,
  type KybProgressionInput,
  type KycVerificationInput,
  type OfPartner,
  type SandboxResetInput,
  type ScheduledTransferInput,
  type UssdSessionInput,
  type WalletProvisioningInput,
  type WebhookDispatcherInput,
} from './messages';

/**
 * The epoch of a workflow that a message starts. With 0, every reset counts as later than the resource (R13). The
 * commit that writes an intention replaces it by the real epoch.
 */
const NO_EPOCH = 0;

export function walletIntention(asked: Omit<WalletProvisioningInput, 'epoch'>): Intention {
  const input: WalletProvisioningInput = { ...asked, epoch: NO_EPOCH };
  return {
    workflowId: workflowIds.walletProvisioning(input.walletId),
    workflowType: 'walletProvisioning',
    partnerId: input.partnerId,
    resourceId: input.walletId,
    title: 'Account number for a wallet',
    input: { ...input },
  };
}

/** The company gives the account of a closed wallet up. */
export function accountClosingIntention(asked: Omit<AccountClosingInput, 'epoch'>): Intention {
  const input: AccountClosingInput = { ...asked, epoch: NO_EPOCH };
  return {
    workflowId: workflowIds.accountClosing(input.walletId),
    workflowType: 'accountClosing',
    partnerId: input.partnerId,
    resourceId: input.walletId,
    title: 'The account number of a closed wallet',
    input: { ...input },
  };
}

/**
 * Asks whether a completed transfer came back. It has an id of its own, because the transfer's workflow has ended.
 */
export function bankReturnIntention(transfer: Transaction): Intention {
  return {
    ...bankTransferIntention(transfer),
    workflowId: workflowIds.bankReturn(transfer.id),
    workflowType: 'bankReturn',
    title: `Has NGN ${nairaText(transfer.amountKobo)} come back?`,
  };
}

/** @param epoch the partner's epoch when the transfer was made. */
export function bankTransferIntention(transfer: Transaction, epoch = NO_EPOCH): Intention {
  const input: BankTransferInput = { partnerId: transfer.partnerId, epoch, transactionId: transfer.id };
  return {
    workflowId: workflowIds.bankTransfer(transfer.id),
    workflowType: 'bankTransfer',
    partnerId: transfer.partnerId,
    resourceId: transfer.id,
    title: `NGN ${nairaText(transfer.amountKobo)} to bank ${transfer.destAccount?.bankCode ?? ''}`,
    input: { ...input },
  };
}

/**
 * The workflows that a bank transfer begins: the one that ends it and, where a sandbox has asked for it, the one with which the
 * simulated bank calls back (D206).
 */
export function payoutIntentions(transfer: Transaction, epoch: number): Intention[] {
  const intention = bankTransferIntention(transfer, epoch);
  if (keptCallbackOf(transfer.scenario) === null) return [intention];
  const callback: Intention = {
    ...intention,
    workflowId: workflowIds.simulatorCallback(transfer.id),
    workflowType: 'simulatorCallback',
    title: 'The simulated bank calls back',
  };
  return [intention, callback];
}

export function bulkIntention({ id: bulkId, partnerId, lines, amountKobo }: BulkTransfer): Intention {
  const input: BulkTransferInput = { partnerId, epoch: NO_EPOCH, bulkId };
  return {
    workflowId: workflowIds.bulkTransfer(bulkId),
    workflowType: 'bulkTransfer',
    partnerId,
    resourceId: bulkId,
    title: `${String(lines)} transfers of NGN ${nairaText(amountKobo)} in all`,
    input: { ...input },
  };
}

/** Never committed as an intention: the notice of a company is one, and the company's list finds what is lost. */
export function inboundIntention(input: InboundPaymentInput): Intention {
  return {
    workflowId: input.about
      ? workflowIds.inboundReturn(input.provider, input.reference)
      : workflowIds.inboundPayment(input.provider, input.reference),
    workflowType: 'inboundPayment',
    partnerId: OF_NO_PARTNER,
    resourceId: input.reference,
    title: `A payment that ${input.provider} ${input.about ? 'may have taken back' : 'has received'}`,
    input: { ...input },
  };
}

/** The workflow that gives a payment back to its payer. The payment was nobody's, so it belongs to no partner. */
export function refundIntention(asked: Omit<InboundRefundInput, keyof OfPartner>): Intention {
  const input: InboundRefundInput = { ...asked, partnerId: OF_NO_PARTNER, epoch: NO_EPOCH };
  return {
    workflowId: workflowIds.inboundRefund(input.refundId),
    workflowType: 'inboundRefund',
    partnerId: OF_NO_PARTNER,
    resourceId: input.refundId,
    title: 'A payment that goes back to its payer',
    input: { ...input },
  };
}

/** The workflow that ends a hold when its time is over. */
export function holdIntention(hold: Hold): Intention {
  const { partnerId, id: holdId } = hold;
  const input: HoldInput = { partnerId, epoch: NO_EPOCH, holdId, expiresAt: hold.expiresAt.toISOString() };
  return {
    workflowId: workflowIds.hold(holdId),
    workflowType: 'hold',
    partnerId,
    resourceId: holdId,
    title: `NGN ${nairaText(hold.amountKobo)} set aside`,
    input: { ...input },
  };
}

/** When the Schedule of a scheduled transfer starts its workflow, as it stands in an intention. */
export interface ScheduleClock {
  dueAt: string | null;
  rule: ScheduleTimes['rule'];
  /** From when on it is due (ISO 8601). */
  firstDueAt: string;
}

/** The Schedule of a scheduled transfer, and the workflow that it starts. */
export function scheduleIntention(schedule: ScheduledTransfer): Intention {
  const { partnerId, id: scheduledTransferId, amountKobo, times, nextDueAt, createdAt } = schedule;
  const input: ScheduledTransferInput & { clock: ScheduleClock } = {
    partnerId,
    epoch: NO_EPOCH,
    scheduledTransferId,
    clock: {
      dueAt: times.dueAt?.toISOString() ?? null,
      rule: times.rule,
      firstDueAt: (nextDueAt ?? createdAt).toISOString(),
    },
  };
  return {
    workflowId: workflowIds.scheduledTransfer(scheduledTransferId),
    workflowType: 'scheduledTransfer',
    partnerId,
    resourceId: scheduledTransferId,
    title: `NGN ${nairaText(amountKobo)} by a schedule`,
    input: { ...input },
  };
}

/** Never committed as an intention: the request waits for the workflow itself. */
export function resetIntention(input: SandboxResetInput): Intention {
  return {
    workflowId: workflowIds.sandboxReset(input.partnerId),
    workflowType: 'sandboxReset',
    partnerId: input.partnerId,
    resourceId: input.partnerId,
    title: 'Reset of a sandbox',
    input: { ...input },
  };
}

/** The title names the kind of number, never the number or its owner. */
export function verificationIntention(
  asked: Omit<KycVerificationInput, 'epoch'>,
  type: VerificationType,
): Intention {
  const input: KycVerificationInput = { ...asked, epoch: NO_EPOCH };
  return {
    workflowId: workflowIds.kycVerification(input.verificationId),
    workflowType: 'kycVerification',
    partnerId: input.partnerId,
    resourceId: input.verificationId,
    title: `Verification of a ${type.toUpperCase()}`,
    input: { ...input },
  };
}

/** As few as the other workflows that live long (workflows/long-lived.ts). */
const KYB_HISTORY_MAX = 200;

export function kybIntention(partnerId: string): Intention {
  const input: KybProgressionInput = { partnerId, historyMax: KYB_HISTORY_MAX };
  return {
    workflowId: workflowIds.kybProgression(partnerId),
    workflowType: 'kybProgression',
    partnerId,
    resourceId: partnerId,
    title: 'Compliance of a partner',
    input: { ...input },
  };
}

/** Never committed as an intention: a dispatcher is woken whenever something is due. */
export function dispatcherIntention(input: WebhookDispatcherInput): Intention {
  return {
    workflowId: workflowIds.webhookDispatcher(input.endpointId),
    workflowType: 'webhookDispatcher',
    partnerId: input.partnerId,
    resourceId: input.endpointId,
    title: 'Webhooks of one endpoint',
    input: { ...input },
  };
}

export function ussdIntention(
  session: UssdSession,
  { allowsSimulation }: Pick<UssdSessionInput, 'allowsSimulation'>,
): Intention {
  const input: UssdSessionInput = {
    partnerId: session.partnerId,
    epoch: NO_EPOCH,
    sessionId: session.id,
    expiresAt: session.expiresAt.toISOString(),
    allowsSimulation,
  };
  return {
    workflowId: workflowIds.ussdSession(session.id),
    workflowType: 'ussdSession',
    partnerId: session.partnerId,
    resourceId: session.id,
    title: `NGN ${nairaText(session.amountKobo)} by USSD`,
    input: { ...input },
  };
}
