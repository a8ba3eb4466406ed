/** Reads headers that a request may carry once, or more than once by mistake. */
import type { IncomingMessage } from 'node:http';

/**
 * Every value of a header, in the order in which they came. `headersDistinct` of Node would make a list of each header of the
 * request first, with every request.
 * @param name in small letters.
 */
export function valuesOf({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}
