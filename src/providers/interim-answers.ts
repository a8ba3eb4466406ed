/**
 * Interim answers of those whom we call: companies, and receivers of webhooks. HTTP allows any number of them (1xx) before the
 * answer (RFC 9110, 15.2), and some servers send `100 Continue` although nobody has asked for it. undici passes over the
 * others, and closes the connection on a 100, after the request was taken.
 */
import type { Socket } from 'node:net';

const STATUS = 'HTTP/1.1 100';
/** `102 Processing`: the one that means nothing else. */
const PASSED_OVER = '2'.charCodeAt(0);

const fits = (text: string, byte: number, place: number): boolean => text.charCodeAt(place) === byte;

/** After it a head has ended, so that another answer may begin. */
const HEAD_END = '\r\n\r\n';

/**
 * Has undici read each `100` of this connection as a `102`, where an answer can begin: at the beginning of what arrives, and
 * after a head. What a body quotes stays.
 * @returns the same socket.
 */
export function withInterimAnswers<Line extends Pick<Socket, 'read'>>(socket: Line): Line {
  const read = socket.read.bind(socket) as (size?: number) => unknown;
  /** How much of such a status, and of the end of a head, was read so far; it may come in several pieces. */
  let [matched, ended] = [0, 0];

  function passOver(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      const mayBegin = at === 0 || ended === HEAD_END.length;
      if (fits(STATUS, byte, matched) && (matched > 0 || mayBegin)) matched++;
      else matched = 0;
      if (matched === STATUS.length) {
        chunk[at] = PASSED_OVER;
        matched = 0;
      }
      if (fits(HEAD_END, byte, ended)) ended++;
      else ended = fits(HEAD_END, byte, 0) ? 1 : 0;
    }
  }

  socket.read = (size?: number): unknown => {
    const chunk = read(size);
    if (Buffer.isBuffer(chunk)) passOver(chunk);
    return chunk;
  };
  return socket;
}
