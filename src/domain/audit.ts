/** The operators' audit trail: what was asked for, and how it ended (G35). */

/**
 * `asked` is written before anything happens, so that a crash leaves a trace. The end writes one of the others.
 */
export const AUDIT_PHASES = ['asked', 'done', 'refused', 'failed'] as const;
export type AuditPhase = (typeof AUDIT_PHASES)[number];

export interface AuditEntry {
  requestId: string;
  operator: { id: string; name: string };
  /** The operation's name in the operator port's table. */
  action: string;
  /** The path that was called, ids included. */
  resource: string;
  phase: AuditPhase;
  /** The request as it was read, or how it ended. No field is secret. */
  detail: Record<string, unknown>;
}

export interface AuditRow extends AuditEntry {
  /** 1, 2, 3, ... without a gap. */
  sequence: number;
  at: Date;
}
