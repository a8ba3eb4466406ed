/**
 * The connections of one server by the address of their other end: one address never has all places, and whoever was
 * refused does not keep his.
 */
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { networkOf } from './stranger-limit';

/** How long a connection may go on after its last answer, so that its caller can read it. */
const AFTER_LAST_ANSWER_MS = 1_000;

/**
 * Ends a connection after its last answer, whatever its caller still sends: it need not close its own half, and each byte
 * that it sends would count as life.
 */
export function endSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), AFTER_LAST_ANSWER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}

/**
 * Refuses the connections of an address beyond so many. Those of an IPv6 network, a /64, are counted together.
 * @param refuse answers on such a connection.
 */
export function limitPerAddress(server: Server, most: number, refuse: (socket: Socket) => void): void {
  const open = new Map<string, number>();
  server.prependListener('connection', (socket: Socket) => {
    const from = networkOf(socket.remoteAddress ?? '');
    const count = (open.get(from) ?? 0) + 1;
    open.set(from, count);
    socket.once('close', () => {
      const left = (open.get(from) ?? 1) - 1;
      if (left > 0) open.set(from, left);
      else open.delete(from);
    });
    if (count > most) refuse(socket);
  });
}
