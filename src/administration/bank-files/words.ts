/** What the readers of downloaded statements share: a line as it is read, and how a mistake is told. */
import { attemptOfPayout } from '../../domain/payouts';
import type { LineSubject, StatementLine } from '../../domain/statement-lines';

/** A file that cannot be read as it is. The message is for the person who has it, and names the line. */
export class FileProblem extends Error {}

export const wrongAt = (line: number, what: string): FileProblem =>
  new FileProblem(`line ${String(line)}: ${what}`);

/** A line before it has an id for good. */
export interface ReadLine extends Omit<StatementLine, 'id'> {
  /** The id of the line where the file has one; null where lines are numbered. */
  id: string | null;
  /** Where it stands in the file. */
  place: number;
}

/** What was read, and what a person should know of it. */
export interface ReadFile {
  lines: readonly ReadLine[];
  notes: readonly string[];
}

/** How times without a zone are read. */
export interface Reading {
  zone: string | null;
  date: string | null;
}

const OURS = /tx-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}-[1-9]\d{0,8}(?!\d)/i;

/**
 * Our reference of a payout where these texts have it, the surest first. A bank may have put words around it.
 * @returns the reference as we wrote it; null where none has it.
 */
export function ourReferenceIn(texts: readonly (string | null | undefined)[]): string | null {
  for (const text of texts) {
    const found = OURS.exec(text?.replace(/\s+/g, '') ?? '')?.[0].toLowerCase() ?? null;
    if (found !== null && attemptOfPayout(found)) return found;
  }
  return null;
}

/** A line with our reference is about a payout, whatever the bank calls it. */
export const subjectOf = (reference: string | null, told: LineSubject): LineSubject =>
  reference !== null && attemptOfPayout(reference) ? 'payout' : told;
