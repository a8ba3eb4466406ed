/** Every workflow type by its name. A worker knows only the types that are exported here. */
export { bankReturn } from './bank-return';
export { bankTransfer } from './bank-transfer';
export { bulkTransfer } from './bulk-transfer';
export { hold } from './hold';
export { inboundPayment } from './inbound-payment';
export { inboundRefund } from './inbound-refund';
export { kybProgression } from './kyb-progression';
export { kycVerification } from './kyc-verification';
export { sandboxReset } from './sandbox-reset';
export { reconcile } from './reconcile';
export { retention } from './retention';
export { scheduledTransfer } from './scheduled-transfer';
export { sweep } from './sweep';
export { untoldPayments } from './untold-payments';
export { ussdSession } from './ussd-session';
export { walletProvisioning } from './wallet-provisioning';
export { webhookDispatcher } from './webhook-dispatcher';
