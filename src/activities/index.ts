/** Every activity of one environment. Workflows import only their types. */
import { bankListActivities } from './bank-lists';
import { bankReturnActivities } from './bank-return';
import { bankTransferActivities } from './bank-transfer';
import { bulkTransferActivities } from './bulk-transfers';
import { complianceActivities } from './compliance';
import type { Dependencies } from './dependencies';
import { holdActivities } from './holds';
import { identityActivities } from './identity';
import { inboundActivities } from './inbound';
import { inboundRefundActivities } from './inbound-refunds';
import { resetActivities } from './resets';
import { reconcileActivities } from './reconcile';
import { retentionActivities } from './retention';
import { scheduledTransferActivities } from './scheduled-transfers';
import { simulatorCallbackActivities } from './simulator-callback';
import { sweepActivities } from './sweep';
import { ussdActivities } from './ussd';
import { walletProvisioningActivities } from './wallet-provisioning';
import { webhookActivities } from './webhooks';

export function createActivities(dependencies: Dependencies) {
  return {
    ...walletProvisioningActivities(dependencies),
    ...bankTransferActivities(dependencies),
    ...bankListActivities(dependencies),
    ...bankReturnActivities(dependencies),
    ...simulatorCallbackActivities(dependencies),
    ...bulkTransferActivities(dependencies),
    ...scheduledTransferActivities(dependencies),
    ...holdActivities(dependencies),
    ...identityActivities(dependencies),
    ...inboundActivities(dependencies),
    ...inboundRefundActivities(dependencies),
    ...ussdActivities(dependencies),
    ...webhookActivities(dependencies),
    ...complianceActivities(dependencies),
    ...reconcileActivities(dependencies),
    ...retentionActivities(dependencies),
    ...sweepActivities(dependencies),
    ...resetActivities(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
