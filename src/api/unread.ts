/**
 * Bounds what callers have asked for and do not read. The system keeps a small answer in its own buffers; the rest of a
 * large one stays in this process until the caller takes it, and several hundred callers that read nothing would
 * fill its memory.
 */
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Smaller answers are bounded by the number of connections. */
const LARGE_BYTES = 65_536;
/** All large answers of a process that are not read yet. */
const UNREAD_MAX_BYTES = 67_108_864;
/** An answer is taken within the time within which a request must arrive. */
const READ_WITHIN_MS = 10_000;

/** In the order in which they were written. */
const unread = new Map<ServerResponse, number>();
let unreadBytes = 0;

/**
 * Ends an answer with its body. It ends the connection of a caller that takes too long to read it. When too much is
 * unread, the callers that have taken the longest go first.
 * @param bytes the length of the body in UTF-8.
 */
export function endWithBody(response: ServerResponse, body: string, bytes: number): void {
  if (bytes < LARGE_BYTES) {
    response.end(body);
    return;
  }
  // Of a text, Node would keep the text and a copy of the rest until all of it is read.
  response.end(Buffer.from(body));
  if (response.writableFinished) return;
  const late = setTimeout(() => response.destroy(), READ_WITHIN_MS);
  unread.set(response, bytes);
  unreadBytes += bytes;
  response.once('close', () => {
    clearTimeout(late);
    forget(response, bytes);
  });
  for (const [oldest, itsBytes] of unread) {
    if (unreadBytes <= UNREAD_MAX_BYTES) break;
    forget(oldest, itsBytes);
    oldest.destroy();
  }
}

/** An answer that is made while it is read is taken within this time. */
const MADE_WITHIN_MS = 600_000;

/**
 * Ends an answer with a body that is made as fast as the caller reads it, so that little of it is in memory. A caller who
 * reads nothing for a while is cut off by the server, and one who is not done in ten minutes by this function, unless
 * the answer `goesOn` until one side ends it.
 * @throws what the body throws: the answer is then cut off, which the caller notices. Where only the end of the connection
 *   says that an answer is whole, the connection is reset.
 */
export async function endWhileRead(response: ServerResponse, body: Readable, goesOn = false): Promise<void> {
  body.once('error', () => {
    if (!response.chunkedEncoding) response.socket?.resetAndDestroy();
  });
  const signal = goesOn ? new AbortController().signal : AbortSignal.timeout(MADE_WITHIN_MS);
  try {
    await pipeline(body, response, { signal });
  } catch (error) {
    const hasGone = (error as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!hasGone && !signal.aborted) throw error;
  }
}

/** It may be called twice: for the answer that made room, and when its connection has closed. */
function forget(response: ServerResponse, bytes: number): void {
  if (unread.delete(response)) unreadBytes -= bytes;
}
