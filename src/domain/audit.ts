/** The operators' audit trail: what was asked for, and how it ended (G35). */

/**
 * `asked` is written before anything happens, so that a crash leaves a trace. The end writes one of the others.
 */
export const AUDIT_PHASES = ['asked', 'done', 'refused', 'failed'] as const;
export type AuditPhase = (typeof AUDIT_PHASES)[number];

/** Whoever manages credentials at the command line, and so has the passwords of the database. */
export const ADMINISTRATOR = { id: '00000000-0000-0000-0000-000000000000', name: 'administrator' } as const;

/** What the administrator does alone at the command line, and what bounds or shows it. Each leaves a sealed row (G35). */
export const ADMINISTRATOR_ACTS = {
  createOperator:
    'Whoever it is for waits until another operator admits the token; only the first one need not, and ' +
    'the log says that nobody has admitted this operator',
  renewOperator:
    'Only for the last token of the same person, which ends; the admission by another operator stays, and lasts for 30 days',
  revokeOperator: 'It only holds back',
  createKey:
    'Whoever has it acts for the partner. A new partner is `registered`, so a live key moves money only where two people ' +
    'have approved the partner; its owner sees the key in `GET /v1/api-keys`',
  revokeKey: 'It only holds back',
  createAccessToken: 'The same as for a key, for an hour',
  proposeRepair:
    'It changes nothing until an operator approves it, and what is booked follows from the damage',
} as const satisfies Record<string, string>;

export interface AuditEntry {
  /** The request on the operator port; "" for an act at the command line. */
  requestId: string;
  operator: { id: string; name: string };
  /** The operation's name in the operator port's table, or that of the command. */
  action: string;
  /** The path that was called, ids included; for a command, what it was about. */
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

/** The end of the trail, in the form that is kept elsewhere: the number of its last row, and that row's seal. */
export interface Anchor {
  sequence: number;
  /** 64 hexadecimal digits. */
  seal: string;
}

/** A seal that was kept elsewhere. The log keeps seals as well; from there the row may not be known. */
export interface KeptSeal {
  sequence: number | null;
  seal: string;
}

/** For example `128:4f1c...`. */
export const writeAnchor = ({ sequence, seal }: Anchor): string => `${String(sequence)}:${seal}`;

/** Reads an anchor, or a seal alone. @returns null for any other text. */
export function readKeptSeal(text: string): KeptSeal | null {
  const [, sequence, seal = ''] = /^(?:(\d{1,15}):)?([0-9a-f]{64})$/.exec(text.trim()) ?? [];
  return seal === '' ? null : { sequence: sequence === undefined ? null : Number(sequence), seal };
}
