/** A TCP proxy that can hurt what passes: the network between a process of ours and Postgres or Temporal. */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What happens to the bytes. `hold`: none passes, as behind a network that swallows every packet; they pass when the
 * hold ends. `delay`: each waits for a while. `loseAnswers`: some answers never come, and their connection is reset.
 * `refuse`: nobody listens any more.
 */
type Mood = 'pass' | 'hold' | 'delay' | 'loseAnswers' | 'refuse';

export interface Proxy {
  readonly port: number;
  setMood(mood: Mood): void;
  /** Resets every connection that is open now. */
  reset(): void;
  close(): void;
}

const DELAY_MS = 150;
/** The part of the answers that is lost. */
const LOST = 0.03;

/**
 * @param to the port on this machine behind the proxy.
 * @param random gives numbers from 0 to 1; it decides which answers are lost.
 */
export async function openProxy(to: number, random: () => number = Math.random): Promise<Proxy> {
  const pairs = new Set<readonly [near: Socket, far: Socket]>();
  let mood: Mood = 'pass';

  const pass = (from: Socket, into: Socket): void => {
    from.on('data', (bytes) => {
      if (mood === 'delay') setTimeout(() => into.write(bytes), DELAY_MS);
      else into.write(bytes);
    });
    from.on('error', () => into.resetAndDestroy());
    from.on('close', () => into.destroy());
  };
  const server: Server = createServer((near) => {
    if (mood === 'refuse') {
      near.resetAndDestroy();
      return;
    }
    const far = connect(to, '127.0.0.1');
    const pair = [near, far] as const;
    pairs.add(pair);
    near.on('close', () => pairs.delete(pair));
    far.on('data', () => {
      if (mood === 'loseAnswers' && random() < LOST) breakOff(pair);
    });
    pass(near, far);
    pass(far, near);
    if (mood === 'hold') for (const socket of pair) socket.pause();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.unref();
  const reset = (): void => pairs.forEach(breakOff);
  return {
    port: (server.address() as AddressInfo).port,
    setMood(next) {
      mood = next;
      for (const socket of [...pairs].flat()) {
        if (mood === 'hold') socket.pause();
        else socket.resume();
      }
      if (mood === 'refuse') reset();
    },
    reset,
    close() {
      reset();
      server.close();
    },
  };
}

function breakOff([near, far]: readonly [Socket, Socket]): void {
  near.resetAndDestroy();
  far.resetAndDestroy();
}

/** A proxy in front of Postgres. @returns it with the address of the database behind it. */
export async function openPostgresProxy(
  databaseUrl: string,
  random?: () => number,
): Promise<{ url: string; proxy: Proxy }> {
  const url = new URL(databaseUrl);
  const proxy = await openProxy(Number(url.port), random);
  url.host = `127.0.0.1:${String(proxy.port)}`;
  return { url: url.href, proxy };
}
