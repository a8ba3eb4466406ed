/** The table of the operator port: every operation, one row each. docs/operators.md describes them for people. */
import type { OperatorRoute } from '../route';
import { adjustmentRoutes } from './adjustments';
import { auditRoutes } from './audit';
import { complianceRoutes } from './compliance';
import { findingRoutes } from './findings';
import { partnerRoutes } from './partners';
import { transferRoutes } from './transfers';
import { walletRoutes } from './wallets';

export const OPERATOR_ROUTES: readonly OperatorRoute[] = [
  ...partnerRoutes,
  ...complianceRoutes,
  ...walletRoutes,
  ...transferRoutes,
  ...adjustmentRoutes,
  ...findingRoutes,
  ...auditRoutes,
];
