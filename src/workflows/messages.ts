/**
 * The words that API, relay and workflows share: workflow types, ids, inputs, messages and the search
 * attributes by which operators find them. An input is ids and periods, never a secret or a payload.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type { TransactionStatus } from '../domain/transactions';

export interface WalletProvisioningInput {
  partnerId: string;
  walletId: string;
  /** After this long without an account the workflow parks and asks for an operator (D27). */
  parkAfterMs: number;
}

export interface BankTransferInput {
  partnerId: string;
  transactionId: string;
}

export interface KycVerificationInput {
  partnerId: string;
  verificationId: string;
  /** After this long without an answer of the identity provider the verification fails (D35). */
  giveUpAfterMs: number;
}

export interface WebhookDispatcherInput {
  partnerId: string;
  endpointId: string;
}

export const workflowIds = {
  walletProvisioning: (walletId: string) => `wallet/${walletId}`,
  bankTransfer: (transactionId: string) => `bank-transfer/${transactionId}`,
  kycVerification: (verificationId: string) => `kyc/${verificationId}`,
  bankReturn: (transactionId: string) => `bank-return/${transactionId}`,
  webhookDispatcher: (endpointId: string) => `webhook/${endpointId}`,
};

/** How somebody ends a transfer by hand: the sandbox operations today, an operator with evidence. */
export interface SettleRequest {
  to: 'completed' | 'failed';
  reason: string | null;
}

/** @returns the status that really holds: whoever got the transfer's row lock first has decided (D96). */
export const settle = defineUpdate<TransactionStatus, [SettleRequest]>('settle');
/** What an operator asks to see. */
export const state = defineQuery<string>('state');
/** Operators: leave the parking position and try again. */
export const retryNow = defineUpdate<undefined>('retryNow');
/** The identity provider may have its result by now: ask it without waiting. */
export const lookAgain = defineSignal('lookAgain');
/** A provider has spoken of a transfer: a reason to ask it now, and never its answer (D115). */
export const providerOutcome = defineSignal('providerOutcome');
/** There are deliveries due. */
export const wake = defineSignal('wake');

export const searchAttributes = {
  partnerId: defineSearchAttributeKey('PartnerId', SearchAttributeType.KEYWORD),
  resourceId: defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD),
  businessState: defineSearchAttributeKey('BusinessState', SearchAttributeType.KEYWORD),
  needsAttention: defineSearchAttributeKey('NeedsAttention', SearchAttributeType.BOOL),
};
