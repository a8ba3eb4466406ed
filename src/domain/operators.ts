/** The people behind the operator port: a viewer reads, an operator acts (D91). */
import type { RefusalCode } from './refusals';

export const OPERATOR_ROLES = ['operator', 'viewer'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** How long a token works unless its maker says when it ends: a working day (D91). */
export const TOKEN_LIFE_MS = 12 * 3_600_000;
/** No token works longer than this, so that a forgotten one ends by itself. */
export const TOKEN_LIFE_MAX_MS = 30 * 24 * 3_600_000;

/** The refusals of the operators' port that partners never get. */
export const OPERATOR_REFUSALS = {
  INVALID_STATE: { status: 422, message: 'The state does not allow this' },
  NOT_SERVED_HERE: { status: 421, message: 'This process does not serve that environment' },
  PROVIDER_DISAGREES: { status: 422, message: 'The provider says that the transfer is not lost' },
} as const satisfies Record<string, { status: number; message: string }>;
/** The codes of this port: the published ones, and its own. */
export type OperatorCode = RefusalCode | keyof typeof OPERATOR_REFUSALS;

/** One person. A new token after a revoked one is still the same person: approvals are counted by people. */
export interface Operator {
  id: string;
  name: string;
  role: OperatorRole;
}

/** An operator with what is known of the token. */
export interface OperatorRecord extends Operator {
  tokenPrefix: string;
  createdAt: Date;
  expiresAt: Date;
  revokedAt: Date | null;
  /** null while the token waits for another operator. */
  admittedAt: Date | null;
  /** The name of the operator who admitted this one; null where nobody had to, or nobody has yet. */
  admittedBy: string | null;
}
