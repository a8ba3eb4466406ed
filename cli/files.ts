/** Keeps a file that an operation answers with: whole, or not at all. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { ConnectionError } from '../sdk/src';
import { UsageError } from './usage';

const TRIES = 3;

/**
 * Writes the parts of a file beside its place, and moves it there once it is whole.
 * @param parts is opened again where a file breaks off.
 * @returns how many bytes it has.
 * @throws UsageError for a place that cannot be written, and what the last try has thrown.
 */
export async function keepFile(parts: AsyncIterable<Uint8Array>, path: string): Promise<number> {
  const beside = `${path}.${String(process.pid)}.part`;
  try {
    for (let tries = 1; ; tries++) {
      try {
        await pipeline(parts, createWriteStream(beside));
        break;
      } catch (error) {
        if (isOfDisk(error)) throw new UsageError(`${path} cannot be written: ${error.message}`);
        if (tries === TRIES || !(error instanceof ConnectionError)) throw error;
      }
    }
    const { size } = await stat(beside);
    await rename(beside, path);
    return size;
  } finally {
    await rm(beside, { force: true });
  }
}

const isOfDisk = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && (error as NodeJS.ErrnoException).syscall !== undefined;
