/** Files that only their owner may read. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes the whole file or nothing. The file has mode 600 from the first moment. */
export function writePrivateText(file: string, text: string): void {
  const unfinished = `${file}.${String(process.pid)}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** The same with a value, as JSON. */
export const writePrivate = (file: string, value: unknown): void =>
  writePrivateText(file, `${JSON.stringify(value, null, 2)}\n`);

/**
 * Gives what the JSON file holds, or undefined if there is no file. It also removes the rights of other users on the
 * file.
 */
export function readPrivate(file: string): unknown {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}
