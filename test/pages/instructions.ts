/** What a page tells its reader to type: its blocks of code, and the commands within its sentences. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../src/administration/project';

export interface Instruction {
  readonly page: string;
  readonly line: number;
  readonly kind: 'block' | 'inline';
  /** As the page has it, without its indentation. */
  readonly text: string;
}

/** Such a block shows what is printed or what a file holds; every other one is an instruction, whatever its language. */
const SHOWN = 'text';

/** How a command within a sentence begins. Other code there is a name. */
const COMMAND =
  /^(?:npm (?:ci|start|run \S)|(?:node|administer|psql|pg_dump|pg_restore|temporal|docker|kubectl|promtool|systemctl|journalctl|openssl|echo|curl|release|pgbackrest|wal-g|SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|DROP) |deploy\/\S+\.sh)/;

/** The instructions of a page of this checkout, in its order. */
export function instructionsOf(page: string): Instruction[] {
  const text = readFileSync(join(projectFolder(), page), 'utf8');
  const lineAt = (place: number): number => text.slice(0, place).split('\n').length;
  const found: Instruction[] = [];
  // A block is taken out before the sentences are read, and its lines stay, so that the numbers of the lines are right.
  const sentences = text.replaceAll(
    /^( *)```(\w*)\n([^]*?)\n *```$/gm,
    (block: string, indent: string, language: string, body: string, place: number) => {
      const lines = body
        .split('\n')
        .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
      if (language !== SHOWN)
        found.push({ page, line: lineAt(place), kind: 'block', text: lines.join('\n') });
      return block.replaceAll(/[^\n]/g, ' ');
    },
  );
  for (const { 1: code = '', index } of sentences.matchAll(/`([^`]+)`/g)) {
    const command = code.replaceAll(/\s+/g, ' ');
    if (COMMAND.test(command)) found.push({ page, line: lineAt(index), kind: 'inline', text: command });
  }
  return found.sort((one, other) => one.line - other.line);
}

/** A name for people: where it is, and how it begins. */
export const nameOf = ({ page, line, text }: Instruction): string =>
  `${page}, line ${String(line)}: ${text.split('\n')[0] ?? ''}`;
