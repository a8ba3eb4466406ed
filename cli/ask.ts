/** Asks for what a login needs: on the terminal, where what is secret is not shown, or from standard input. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { UsageError } from './usage';

interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean };
  output: NodeJS.WritableStream;
}

const ofProcess = (): Terminal => ({ input: process.stdin, output: process.stderr });

/** Asks for a line. @throws UsageError where nobody can answer, and when the asking is broken off. */
export async function ask(
  question: string,
  {
    isSecret = false,
    instead,
  }: { isSecret?: boolean; /** What to say where there is no terminal. */ instead: string },
  { input, output }: Terminal = ofProcess(),
): Promise<string> {
  if (input.isTTY !== true) throw new UsageError(`There is no terminal to ask on. Say ${instead}`);
  const silent = new Writable({ write: (_part, _encoding, done) => done() });
  const lines = createInterface({ input, output: isSecret ? silent : output, terminal: true });
  // The silent one would swallow the question too.
  if (isSecret) output.write(question);
  try {
    return await new Promise((resolve, reject) => {
      lines.once('close', () => reject(new UsageError('Nothing was typed')));
      lines.question(isSecret ? '' : question, resolve);
    });
  } finally {
    lines.close();
    if (isSecret) output.write('\n');
  }
}

/** The first line of standard input. @throws UsageError when it is empty. */
export async function firstLine(input: NodeJS.ReadableStream = process.stdin): Promise<string> {
  let text = '';
  for await (const part of input) text += String(part);
  const [line = ''] = text.split(/\r?\n/);
  if (line === '') throw new UsageError('Standard input has no password');
  return line;
}
