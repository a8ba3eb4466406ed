/** A syslog server over TCP: messages of RFC 5424, each with its length before it (RFC 6587), with TLS as RFC 5425 asks. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import type { Destination } from './port';

const PORTS: Readonly<Record<string, number>> = { 'syslog:': 601, 'syslogs:': 6514 };
const CONNECT_WITHIN_MS = 5_000;
/** The facility "log audit" and the severity "informational". */
const PRIORITY = 13 * 8 + 6;

export function openSyslog(url: URL): Destination {
  const host = url.hostname;
  const port = url.port === '' ? PORTS[url.protocol] : Number(url.port);
  let open: Socket | null = null;

  async function line(): Promise<Socket> {
    if (open && !open.destroyed) return open;
    const isTls = url.protocol === 'syslogs:';
    const socket = isTls ? connectTls({ host, port, servername: host }) : connect({ host, port: port ?? 0 });
    socket.setTimeout(CONNECT_WITHIN_MS, () =>
      socket.destroy(new Error('the syslog server does not answer')),
    );
    // A connection that breaks is opened again by the next lines.
    socket.on('error', () => undefined);
    await once(socket, isTls ? 'secureConnect' : 'connect');
    socket.setTimeout(0);
    open = socket;
    return socket;
  }

  return {
    name: url.href,
    async append(lines, at) {
      const socket = await line();
      const text = lines.map((one) => framed(one, at)).join('');
      await new Promise<void>((resolve, reject) => {
        socket.write(text, (error) => (error ? reject(error) : resolve()));
      });
    },
    close() {
      open?.end();
      return Promise.resolve();
    },
  };
}

function framed(line: string, at: Date): string {
  const header = `<${String(PRIORITY)}>1 ${at.toISOString()} ${hostname()} partner-wallet ${String(process.pid)} movement -`;
  const message = `${header} ${line}`;
  return `${String(Buffer.byteLength(message))} ${message}`;
}
