/** The log file of a started program, and what a program says in it about its end. */
import { existsSync, openSync, readFileSync, renameSync } from 'node:fs';

/**
 * Opens an empty log for a new run, readable by its owner only. The log of the last run stays beside it as
 * `.before`, because it says why the program was started again.
 */
export function openLog(logFile: string): number {
  if (existsSync(logFile)) renameSync(logFile, `${logFile}.before`);
  return openSync(logFile, 'w', 0o600);
}

/** Why the program that wrote this log has ended: one of the last twelve lines. */
export const lastWords = (logFile: string): string => tellingLine(readFileSync(logFile, 'utf8'));

/** Why `execFile` failed: one line of the program's standard error, or why the program did not run at all. */
export function reasonOf(error: unknown): string {
  const { stderr, message } = error as Error & { stderr?: string };
  return tellingLine(stderr?.trim() || message);
}

/**
 * The message of the last failure in our own JSON lines, else the line about a taken port, else the last line
 * about an error, else the last line.
 */
function tellingLine(text: string): string {
  const lines = text.trimEnd().split('\n').slice(-12).reverse();
  const failure = lines.map(failureIn).find((words) => words !== null);
  const taken = lines.find((line) => /could not bind|address already in use/i.test(line));
  return failure ?? taken ?? lines.find((line) => /error|fatal|panic/i.test(line)) ?? lines[0] ?? '';
}

/** A log line of level error or fatal as a sentence; null for any other line. */
function failureIn(line: string): string | null {
  try {
    const { level, msg, err } = JSON.parse(line) as { level: number; msg: string; err?: { message: string } };
    if (level < 50) return null;
    return err === undefined ? msg : `${msg}: ${err.message}`;
  } catch {
    return null;
  }
}
