/** The table of the operator port: every operation, one row each. docs/operators.md describes them for people. */
import type { OperatorRoute } from '../route';
import { auditRoutes } from './audit';
import { complianceRoutes } from './compliance';
import { dayRoutes } from './days';
import { findingRoutes } from './findings';
import { legalHoldRoutes } from './legal-holds';
import { operatorRoutes } from './operators';
import { partnerRoutes } from './partners';
import { payoutRoutes } from './payout-routes';
import { peopleRoutes } from './people';
import { proposalRoutes } from './proposals';
import { providerRoutes } from './providers';
import { transferRoutes } from './transfers';
import { verificationRoutes } from './verifications';
import { waitingRoutes } from './waiting';
import { walletRoutes } from './wallets';

export const OPERATOR_ROUTES: readonly OperatorRoute[] = [
  ...partnerRoutes,
  ...peopleRoutes,
  ...complianceRoutes,
  ...walletRoutes,
  ...verificationRoutes,
  ...transferRoutes,
  ...proposalRoutes,
  ...operatorRoutes,
  ...legalHoldRoutes,
  ...providerRoutes,
  ...payoutRoutes,
  ...waitingRoutes,
  ...findingRoutes,
  ...dayRoutes,
  ...auditRoutes,
];
