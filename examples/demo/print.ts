/** How the demo writes its lines: durations, and one aligned row per step. */
import { styleText } from 'node:util';

const LABEL_COLUMNS = 36;
const OUTCOME_COLUMNS = 52;

/** Milliseconds below a second, seconds with one place from there. */
export function duration(tookMs: number): string {
  return tookMs < 1_000 ? `${String(Math.round(tookMs))} ms` : `${(tookMs / 1_000).toFixed(1)} s`;
}

/** One step's row: number, label with leading dots, what came out, how long it took. */
export function row(number: number, label: string, outcome: string, tookMs: number): string {
  const dotted = `${label} `.padEnd(LABEL_COLUMNS, '.');
  return `  ${String(number).padStart(2)}  ${dotted} ${outcome.padEnd(OUTCOME_COLUMNS)} ${duration(tookMs).padStart(7)}`;
}

/** A green tick or a red cross where the terminal shows colours, the bare sign elsewhere. */
export function sign(good: boolean): string {
  if (!process.stdout.isTTY) return good ? '✓' : '✗';
  return good ? styleText('green', '✓') : styleText('red', '✗');
}
