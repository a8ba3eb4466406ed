/** JSON files that only their owner may read. */
import { chmodSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

/** Writes all of it or nothing, with mode 600 from the first moment. */
export function writePrivate(file: string, value: unknown): void {
  const unfinished = `${file}.${String(process.pid)}`;
  writeFileSync(unfinished, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
  renameSync(unfinished, file);
}

/** What the file holds; undefined when there is none. Takes away what others may do with it. */
export function readPrivate(file: string): unknown {
  if (!existsSync(file)) return undefined;
  chmodSync(file, 0o600);
  return JSON.parse(readFileSync(file, 'utf8'));
}
