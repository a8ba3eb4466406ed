/**
 * Interim answers of receivers. HTTP allows any number of them (1xx) before the answer (RFC 9110, 15.2), and some servers send
 * `100 Continue` although nobody has asked for it. undici passes over the others, and closes the connection on a 100, after
 * the receiver has taken the event.
 */
import type { Socket } from 'node:net';

const STATUS = 'HTTP/1.1 100';
/** `102 Processing`: the one that means nothing else. */
const PASSED_OVER = '2'.charCodeAt(0);

const fits = (byte: number, place: number): boolean => STATUS.charCodeAt(place) === byte;

/**
 * Has undici read each `100` of this connection as a `102`. A body that quotes one is changed too; nothing is kept of bodies.
 * @returns the same socket.
 */
export function withInterimAnswers(socket: Socket): Socket {
  const read = socket.read.bind(socket);
  /** How much of such a status was read so far; it may come in several pieces. */
  let matched = 0;
  socket.read = (size?: number): unknown => {
    const chunk: unknown = read(size);
    if (!Buffer.isBuffer(chunk)) return chunk;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number;
      if (fits(byte, matched)) matched++;
      else matched = fits(byte, 0) ? 1 : 0;
      if (matched === STATUS.length) {
        chunk[at] = PASSED_OVER;
        matched = 0;
      }
    }
    return chunk;
  };
  return socket;
}
