/** Loopback receivers for the sender's tests, which count connections and bytes. */
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

export interface Receiver {
  readonly port: number;
  readonly url: string;
  /** Connections so far, those still open, and every byte that arrived. */
  connections: number;
  readonly open: Set<Socket>;
  received: string;
  sentBytes(): number;
  close(): Promise<void>;
}

/** A server that calls `answer` with the socket when a whole request head has arrived. */
export async function startReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    receiver.connections += 1;
    receiver.open.add(socket);
    sockets.push(socket);
    let head = '';
    socket.on('error', () => {});
    socket.on('close', () => receiver.open.delete(socket));
    socket.on('data', (chunk) => {
      receiver.received += chunk.toString('latin1');
      head += chunk.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      head = '';
      answer(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    connections: 0,
    open: new Set(),
    received: '',
    sentBytes: () => sockets.reduce((bytes, socket) => bytes + socket.bytesWritten, 0),
    close: async () => {
      for (const socket of receiver.open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return receiver;
}

/** Writes `text` at once and then `more` every few milliseconds, until the other side has gone. */
export function drip(socket: Socket, text: string, more: string, everyMs = 20): void {
  socket.write(text);
  const timer = setInterval(() => socket.write(more), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes `text` and then `chunk` for ever, as fast as the other side takes it. */
export function flood(socket: Socket, text: string, chunk: Buffer): void {
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.write(text);
  socket.on('drain', pour);
  pour();
}
