/** The built programs of the administrator, run as a person runs them. */
import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';
import { childEnvironment } from '../../src/runtime/config';

export interface Told {
  code: number;
  /** What it wrote to standard output. */
  said: string;
  /** What it wrote to standard error. */
  complaint: string;
}

/** Runs `<program>.js` with these variables, where no `.env` of a developer is read, and waits for its end. */
export const runCommand = (
  settings: Record<string, string>,
  program: string,
  ...words: string[]
): Promise<Told> => runTyped('', settings, program, ...words);

/** The same, where the person types something on standard input. */
export function runTyped(
  typed: string,
  settings: Record<string, string>,
  program: string,
  ...words: string[]
): Promise<Told> {
  const file = join(projectFolder(), 'dist', 'src', 'administration', `${program}.js`);
  const env = childEnvironment(settings);
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...words],
      { cwd: tmpdir(), env },
      (error, said, complaint) => resolve({ code: Number(error?.code ?? 0), said, complaint }),
    );
    // A program that does not read ends before we have written.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(typed);
  });
}
