/** The lines that `npm start` shows: `✓ name   detail   seconds`, in colour on a terminal only. */
import { relative } from 'node:path';
import { styleText } from 'node:util';
import { projectFolder } from '../../src/administration/project';

const NAME_WIDTH = 17;
const DETAIL_WIDTH = 56;

export interface Printer {
  line(text: string): void;
  /** Something worked; `startedAt` in milliseconds gives the time that it took. */
  done(name: string, detail: string, startedAt?: number): void;
  /** Something takes long, or is not as it was asked for. */
  note(text: string): void;
}

/** Prints to `stream`. */
export function printer(stream: NodeJS.WriteStream): Printer {
  const coloured = stream.isTTY && stream.getColorDepth() > 1;
  const line = (text: string) => void stream.write(`${text}\n`);
  const tick = coloured ? styleText('green', '✓') : '✓';
  return {
    line,
    done: (name, detail, startedAt) => {
      const took = startedAt === undefined ? '' : seconds(Date.now() - startedAt);
      line(`  ${tick} ${name.padEnd(NAME_WIDTH)}${detail.padEnd(DETAIL_WIDTH)}  ${took}`.trimEnd());
    },
    note: (text) => {
      line(`    ${text}`);
    },
  };
}

/** As in `0.6 s`. */
export function seconds(durationMs: number): string {
  return `${(durationMs / 1000).toFixed(1)} s`;
}

/** A path as a person in the project folder would type it. */
export function shown(path: string): string {
  const inside = relative(projectFolder(), path);
  return inside.startsWith('..') ? path : inside;
}
