/** The route table: every operation of the interface, one row each. */
import type { OpenRoute, Route } from '../route';
import { authenticationRoutes, openAuthenticationRoutes } from './authentication';
import { bulkTransferRoutes } from './bulk-transfers';
import { complianceRoutes } from './compliance';
import { emailRoutes, openEmailRoutes } from './emails';
import { eventRoutes } from './events';
import { holdRoutes } from './holds';
import { scheduledTransferRoutes } from './scheduled-transfers';
import { kycRoutes } from './kyc';
import { paymentRoutes } from './payments';
import { partnerRoutes } from './partner';
import { openPeopleRoutes, peopleRoutes } from './people';
import { openProofRoutes, proofRoutes } from './proofs';
import { providerRoutes } from './providers';
import { pinRoutes } from './pins';
import { quoteRoutes } from './quotes';
import { requestRoutes } from './requests';
import { sandboxRoutes } from './sandbox';
import { sessionRoutes } from './sessions';
import { securityRoutes } from './security';
import { statementRoutes } from './statements';
import { transactionRoutes } from './transactions';
import { transferRoutes } from './transfers';
import { ussdOpenRoutes, ussdRoutes } from './ussd';
import { volumeRoutes } from './volumes';
import { walletLifeRoutes } from './wallet-life';
import { walletRoutes } from './wallets';
import { webhookRoutes } from './webhooks';

export const ROUTES: readonly Route[] = [
  ...partnerRoutes,
  ...authenticationRoutes,
  ...sessionRoutes,
  ...securityRoutes,
  ...proofRoutes,
  ...emailRoutes,
  ...peopleRoutes,
  ...walletRoutes,
  ...statementRoutes,
  ...walletLifeRoutes,
  ...transactionRoutes,
  ...volumeRoutes,
  ...pinRoutes,
  ...transferRoutes,
  ...bulkTransferRoutes,
  ...quoteRoutes,
  ...holdRoutes,
  ...scheduledTransferRoutes,
  ...kycRoutes,
  ...paymentRoutes,
  ...ussdRoutes,
  ...webhookRoutes,
  ...eventRoutes,
  ...requestRoutes,
  ...complianceRoutes,
  ...sandboxRoutes,
];

/** The operations that are called without a partner's credential. */
export const OPEN_ROUTES: readonly OpenRoute[] = [
  ...openAuthenticationRoutes,
  ...openEmailRoutes,
  ...openProofRoutes,
  ...openPeopleRoutes,
  ...providerRoutes,
  ...ussdOpenRoutes,
];
