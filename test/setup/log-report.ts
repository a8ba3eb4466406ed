/** The warnings and errors of a log, made readable: each different one once, with how often it came. */
import { relative } from 'node:path';

const WARN = 40;
const LEVELS: Record<number, string> = { 40: 'WARN', 50: 'ERROR', 60: 'FATAL' };
/** More than this of one test is noise. */
const ENTRIES_MAX = 20;
const TEXT_MAX = 600;
const FRAMES_MAX = 3;

interface LoggedError {
  type?: string;
  message?: string;
  code?: string;
  stack?: string;
}
interface LoggedLine {
  level: number;
  name?: string;
  msg?: string;
  err?: LoggedError;
  [field: string]: unknown;
}

/**
 * Reads lines of pino; what is no such line was written by something that broke, and is shown as it is.
 * @returns nothing for a log without warnings.
 */
export function reportOfLog(lines: readonly string[]): string[] {
  const entries = new Map<string, { first: string; count: number }>();
  for (const line of lines) {
    const read = entryOf(line);
    if (read === null) continue;
    const entry = entries.get(read.key) ?? { first: read.text, count: 0 };
    entries.set(read.key, { ...entry, count: entry.count + 1 });
  }
  const more = entries.size - ENTRIES_MAX;
  return [
    ...[...entries.values()]
      .slice(0, ENTRIES_MAX)
      .map(({ first, count }) => (count === 1 ? first : `${String(count)} times: ${first}`)),
    ...(more > 0 ? [`and ${String(more)} more different lines`] : []),
  ];
}

/** @returns null for what is no warning. Lines with one key say the same of different attempts or rows. */
function entryOf(line: string): { key: string; text: string } | null {
  const read = parse(line);
  // A frame of a stack whose first line is shown.
  if (read === null) return /^\s*(?:at .*)?$/.test(line) ? null : { key: line, text: cut(line.trim()) };
  if (read.level < WARN) return null;
  const { level, name = '', msg = '', err, time: _time, pid: _pid, hostname: _hostname, ...more } = read;
  const fields = Object.keys(more).length > 0 ? ` ${JSON.stringify(more)}` : '';
  const head = `${LEVELS[level] ?? 'WARN'} ${name}: ${msg}`;
  const text = [cut(head + fields), ...(err ? causeOf(err) : [])].join('\n');
  return { key: `${head}\n${err?.message ?? fields}`, text };
}

function parse(line: string): LoggedLine | null {
  try {
    const read: unknown = JSON.parse(line);
    return typeof (read as LoggedLine | null)?.level === 'number' ? (read as LoggedLine) : null;
  } catch {
    return null;
  }
}

/** Frames of this project, in another form than Jest's own: it would show the source of each. */
function causeOf({ type = 'Error', message = '', code, stack = '' }: LoggedError): string[] {
  const frames = [...stack.matchAll(/^\s+at .*?(\/[^():]*\.ts):(\d+):\d+/gm)]
    .map(([, file = '', line = '']) => `${relative(process.cwd(), file)}:${line}`)
    .filter((frame) => !frame.includes('node_modules'));
  return [
    cut(`  ${type}${code === undefined ? '' : ` ${code}`}: ${message}`),
    ...(frames.length > 0 ? [`  by ${frames.slice(0, FRAMES_MAX).join(', ')}`] : []),
  ];
}

const cut = (text: string): string => (text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)} …` : text);
