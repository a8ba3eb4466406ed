/**
 * What API, relay and workflows share: workflow types, ids, inputs, messages and the search attributes by which
 * operators find workflows. An input has only ids and periods, never a secret or a payload.
 */
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import type {
  COMPLIANCE_WITHDRAWAL,
  ComplianceDecision,
  ComplianceStatus,
  ComplianceStep,
} from '../domain/compliance';
import type { TransactionStatus } from '../domain/transactions';
import type { UssdStatus } from '../domain/ussd';

/** The input of a workflow for one resource of a partner. */
export interface OfPartner {
  partnerId: string;
  /** The partner's epoch when its resource was made (R13). */
  epoch: number;
}

export interface WalletProvisioningInput extends OfPartner {
  walletId: string;
  /** After this long without an account the workflow parks and asks for an operator (D27). */
  parkAfterMs: number;
  /** The wallet was closed before, so a run for it has ended, or is about to. */
  isAgain?: true;
}

/** The account of a closed wallet, which its company is to give up. */
export interface AccountClosingInput extends OfPartner {
  walletId: string;
  /** The number of the next question, where an earlier run has asked before. */
  asked?: number;
}

export interface BankTransferInput extends OfPartner {
  transactionId: string;
}

export interface BulkTransferInput extends OfPartner {
  bulkId: string;
}

export interface KycVerificationInput extends OfPartner {
  verificationId: string;
  /** After this long without an answer of the identity provider the verification fails (D35). */
  giveUpAfterMs: number;
  /** The next wait after an answer that could not be had, where an earlier run has waited before. */
  backOffMs?: number;
}

export interface WebhookDispatcherInput {
  partnerId: string;
  endpointId: string;
}

export interface KybProgressionInput {
  partnerId: string;
  /**
   * After this many events in its history the workflow goes on as a new run, which reads the record again (R15).
   */
  historyMax: number;
}

export interface SandboxResetInput {
  partnerId: string;
  /** The hand order that the API has written. Each step works for a reset of this order only. */
  orderId: string;
}

export interface UssdSessionInput extends OfPartner {
  sessionId: string;
  /** The end of its window, as the database has set it (ISO 8601). */
  expiresAt: string;
  /**
   * True in the sandbox, where the payment can be simulated. The step asks its environment and not this input, so
   * to start a workflow with another value gains nothing.
   */
  allowsSimulation: boolean;
}

/** A payment that came in, by the name that its company has for it. Whose it is comes out only when it is asked. */
export interface InboundPaymentInput {
  provider: string;
  reference: string;
  /** Present where it goes back, or may. */
  about?: 'return';
}

/** A refund that people have ordered of a payment that no wallet took. */
export interface InboundRefundInput extends OfPartner {
  creditId: string;
  refundId: string;
}

export interface HoldInput extends OfPartner {
  holdId: string;
  /** The end of its time, as the database has set it (ISO 8601). */
  expiresAt: string;
}

export interface ScheduledTransferInput extends OfPartner {
  scheduledTransferId: string;
}

export const workflowIds = {
  walletProvisioning: (walletId: string) => `wallet/${walletId}`,
  accountClosing: (walletId: string) => `account-closing/${walletId}`,
  bankTransfer: (transactionId: string) => `bank-transfer/${transactionId}`,
  bulkTransfer: (bulkId: string) => `bulk/${bulkId}`,
  hold: (holdId: string) => `hold/${holdId}`,
  /** Of the Schedule; Temporal adds the time to the id of each workflow that it starts. */
  scheduledTransfer: (id: string) => `scheduled-transfer/${id}`,
  inboundPayment: (provider: string, reference: string) => `inbound/${provider}/${reference}`,
  inboundReturn: (provider: string, reference: string) => `inbound-return/${provider}/${reference}`,
  inboundRefund: (refundId: string) => `refund/${refundId}`,
  kycVerification: (verificationId: string) => `kyc/${verificationId}`,
  bankReturn: (transactionId: string) => `bank-return/${transactionId}`,
  simulatorCallback: (transactionId: string) => `simulator-callback/${transactionId}`,
  ussdSession: (sessionId: string) => `ussd/${sessionId}`,
  webhookDispatcher: (endpointId: string) => `webhook/${endpointId}`,
  kybProgression: (partnerId: string) => `kyb/${partnerId}`,
  sandboxReset: (partnerId: string) => `sandbox-reset/${partnerId}`,
};

/**
 * Ends a transfer by hand. It carries the id of the hand order, which the API has written for the sandbox or for an
 * operator; verdict and reason are read from that row alone.
 * @returns the status that the transfer really has: the first caller to lock its row has decided it (D96).
 */
export const settle = defineUpdate<TransactionStatus, [orderId: string]>('settle');
type SubmitStep = ReturnType<typeof defineUpdate<ComplianceStatus, [requestId: string]>>;
/**
 * A step of a compliance record was submitted. There is one update per step; it carries only the kept request's
 * id.
 */
export const submitStep: Readonly<Record<ComplianceStep, SubmitStep>> = {
  business_info: defineUpdate('business_info'),
  directors: defineUpdate('directors'),
  agreements: defineUpdate('agreements'),
  use_case: defineUpdate('use_case'),
};
/** A reviewer has decided, or what was submitted is taken back. Reason and reviewer are in the kept request. */
export const review = defineUpdate<
  ComplianceStatus,
  [requestId: string, decision: ComplianceDecision | typeof COMPLIANCE_WITHDRAWAL]
>('review');
/** Where a USSD session stands after a message. */
export interface UssdState {
  status: UssdStatus;
  failureReason: string | null;
}

/** What the payer asks of a session. */
export const ussdMessages = {
  dial: defineUpdate<UssdState>('dial'),
  confirm: defineUpdate<UssdState>('confirm'),
  cancel: defineUpdate<UssdState>('cancel'),
};
/**
 * The sandbox pays in the payer's place. It carries the id of the hand order. A workflow in live has no handler for
 * it.
 */
export const simulatePayment = defineUpdate<UssdState, [orderId: string]>('simulatePayment');
/** Carries the id of a counted attempt, and neither its digits nor its outcome (D75). */
export const pinAttempt = defineUpdate<UssdState, [string]>('pinAttempt');

/** What an operator asks to see. */
export const state = defineQuery<string>('state');
/** For operators: a parked workflow tries again. */
export const retryNow = defineUpdate<undefined>('retryNow');
/** Looks at once: the identity provider may have its result by now, a wallet’s owner was verified, or time was forwarded. */
export const lookAgain = defineSignal('lookAgain');
/** A provider has called back about a transfer or a payment. That is a reason to ask it now, never its answer (D115). */
export const providerOutcome = defineSignal('providerOutcome');
/** A sandbox has moved its deadlines earlier by so many milliseconds; the rows say what is over. */
export const timeForwarded = defineSignal<[forwardedMs: number]>('timeForwarded');
/** There is something to do: deliveries are due, or a bulk transfer goes on. */
export const wake = defineSignal('wake');

export const searchAttributes = {
  partnerId: defineSearchAttributeKey('PartnerId', SearchAttributeType.KEYWORD),
  resourceId: defineSearchAttributeKey('ResourceId', SearchAttributeType.KEYWORD),
  requestId: defineSearchAttributeKey('RequestId', SearchAttributeType.KEYWORD),
  businessState: defineSearchAttributeKey('BusinessState', SearchAttributeType.KEYWORD),
  expiresAt: defineSearchAttributeKey('ExpiresAt', SearchAttributeType.DATETIME),
  needsAttention: defineSearchAttributeKey('NeedsAttention', SearchAttributeType.BOOL),
};

/**
 * The states in which workflows begin, by workflow type. The start itself carries them, so that the first task of the
 * workflow writes nothing for the list of workflows. A type without one shows its state when it knows it.
 */
export const FIRST_STATE = {
  accountClosing: 'closing',
  bankReturn: 'asking',
  bankTransfer: 'processing',
  bulkTransfer: 'running',
  hold: 'open',
  inboundPayment: 'asking',
  inboundRefund: 'sending',
  kycVerification: 'pending',
  scheduledTransfer: 'active',
  simulatorCallback: 'waiting',
  ussdSession: 'initiated',
  walletProvisioning: 'pending',
  webhookDispatcher: 'delivering',
} as const;
