/** Every activity of one environment. Workflows see the types only. */
import { bankTransferActivities } from './bank-transfer';
import { complianceActivities } from './compliance';
import type { Dependencies } from './dependencies';
import { identityActivities } from './identity';
import { resetActivities } from './resets';
import { sweepActivities } from './sweep';
import { ussdActivities } from './ussd';
import { walletProvisioningActivities } from './wallet-provisioning';
import { webhookActivities } from './webhooks';

export function createActivities(dependencies: Dependencies) {
  return {
    ...walletProvisioningActivities(dependencies),
    ...bankTransferActivities(dependencies),
    ...identityActivities(dependencies),
    ...ussdActivities(dependencies),
    ...webhookActivities(dependencies),
    ...complianceActivities(dependencies),
    ...sweepActivities(dependencies),
    ...resetActivities(dependencies),
  };
}

export type Activities = ReturnType<typeof createActivities>;
