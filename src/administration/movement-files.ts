/** Reads files with shipped movements, line by line, because they may be large. */
import { createReadStream, existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { MovementLine } from '../domain/movements';
import { readMovementLine } from '../wire/movement-lines';
import { StartError } from './project';

/** The files that are named, and those in folders that are named. @throws StartError where there are none. */
export function filesOf(named: readonly string[]): string[] {
  const files = named.flatMap((path) => {
    if (!existsSync(path)) throw new StartError(`${path} is not there.`);
    if (!statSync(path).isDirectory()) return [path];
    return readdirSync(path, { recursive: true, encoding: 'utf8' })
      .map((name) => join(path, name))
      .filter((file) => statSync(file).isFile())
      .sort();
  });
  if (files.length === 0) throw new StartError('There is no file with movements.');
  return files;
}

/** @throws StartError naming a line that is no movement. The last line of a file may be cut off, where its writer was killed. */
export async function* linesIn(files: readonly string[]): AsyncGenerator<MovementLine> {
  for (const file of files) {
    let number = 0;
    let unread: string | null = null;
    for await (const text of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      if (unread !== null) throw new StartError(`${file}, line ${String(number)}: is no movement.`);
      number++;
      if (text.trim() === '') continue;
      const line = readMovementLine(text);
      if (line) yield line;
      else unread = text;
    }
  }
}
