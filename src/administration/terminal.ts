/** Asks the person at the terminal. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/**
 * Asks for a secret, which the terminal does not show. Where standard input is no terminal, its first line is the answer.
 * @returns what was typed, without the blanks around it; empty where the input ends before a line.
 */
export async function readHidden(question: string): Promise<string> {
  const { stdin, stderr } = process;
  if (stdin.isTTY) stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: stdin.isTTY });
  try {
    for await (const line of lines) return line.trim();
    return '';
  } finally {
    lines.close();
    if (stdin.isTTY) stderr.write('\n');
    stdin.destroy();
  }
}
