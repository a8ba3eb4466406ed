/** JSON files that only their owner may read. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes the whole file or nothing. The file has mode 600 from the first moment. */
export function writePrivate(file: string, value: unknown): void {
  const unfinished = `${file}.${String(process.pid)}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/**
 * Gives what the file holds, or undefined if there is no file. It also removes the rights of other users on the
 * file.
 */
export function readPrivate(file: string): unknown {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}
