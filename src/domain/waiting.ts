/**
 * What waits for a person, beside findings: each kind is in the operators' list, and is counted with its age, so that an
 * alarm tells somebody. Whatever lets a person's decision decide what happens next has a row here.
 */
import type { EnvironmentName } from './partners';

export const WAITING = {
  company: 'A company has submitted its compliance record, and nobody has decided',
  proposal: 'A proposal waits for another operator, or for the same approval once more',
  credit: 'A payment came in, and nobody has decided whose it is',
  repair: 'A repair of damaged books waits for an operator',
  operator: 'The token of an operator waits until another one admits it',
} as const;
export type WaitingKind = keyof typeof WAITING;
export const WAITING_KINDS = Object.keys(WAITING) as WaitingKind[];

/** The kinds that the schema `platform` knows. The others are in a cell. */
export const PLATFORM_WAITING = ['proposal', 'operator'] as const satisfies readonly WaitingKind[];

/** One thing that waits. */
export interface Waiting {
  kind: WaitingKind;
  environment: EnvironmentName;
  /** The name of its cell, or `platform`. */
  cell: string;
  /** The id of what waits: the partner of a record, the proposal, the credit, the operator. */
  resource: string;
  /** null for what belongs to no partner. */
  partnerId: string | null;
  since: Date;
}

/** The statuses of a compliance record in which it waits for a reviewer. */
export const REVIEWED_STATUSES = ['submitted', 'under_review'] as const;
