/** The people behind the operator port: a viewer reads, an operator acts (D91). */
export const OPERATOR_ROLES = ['operator', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** One person. A new token after a revoked one is still the same person: approvals are counted by people. */
export interface Operator {
  id: string;
  name: string;
  role: OperatorRole;
}
