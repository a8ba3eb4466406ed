/** How the demo writes its lines: naira, durations, and one aligned row per step. */
import { styleText } from 'node:util';

const LABEL_COLUMNS = 36;
const OUTCOME_COLUMNS = 52;

/** Kobo as naira with separators and two places: 4849250 gives "₦48,492.50". */
export function naira(amountKobo: number): string {
  const sign = amountKobo < 0 ? '-' : '';
  const kobo = String(Math.abs(amountKobo)).padStart(3, '0');
  return `${sign}₦${Number(kobo.slice(0, -2)).toLocaleString('en-US')}.${kobo.slice(-2)}`;
}

/** Kobo as the interface's decimal strings have it (D50): 4849250 gives "48492.50". */
export function nairaPlain(amountKobo: number): string {
  return naira(amountKobo).replaceAll(/[₦,]/g, '');
}

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
