/**
 * An offered load: so many requests a second, whether the earlier ones have been answered or not, as many partners
 * together make it. A program that cannot carry it has to say so.
 */
import { createConnection, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { readEveryAnswer } from './load';
import { percentile } from './percentile';
import { watchUsage, type Watched } from './usage';
import type { Usage } from '../scenario';

export interface Offer {
  port: number;
  /** How many requests can be under way. One that finds all connections busy is not sent, and counted. */
  connections: number;
  perSecond: number;
  seconds: number;
  /** The bytes of the next request. */
  next: () => string;
  /** Looks at the body of every answer that accepts. */
  onAccepted: (body: string) => void;
  watched: readonly Watched[];
}

/** How answers of one kind came. */
interface Answers {
  count: number;
  p50Ms: number;
  p99Ms: number;
}

export interface Offered {
  sentPerSecond: number;
  /** Requests that found no free connection. */
  notSent: number;
  accepted: Answers;
  /** Answered 503 with `Retry-After`. */
  refused: Answers;
  usage: Usage[];
}

const TICK_MS = 2;

/**
 * Offers the load, and waits for the last answers.
 * @throws at an answer that neither accepts nor is a 503 with `Retry-After`, and when a connection breaks.
 */
export async function offer(options: Offer): Promise<Offered> {
  const { port, connections, perSecond, seconds } = options;
  const acceptedMs: number[] = [];
  const refusedMs: number[] = [];
  let fail: (error: Error) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  let over = false;
  const idle: Socket[] = [];
  const sentAt = new Map<Socket, number>();
  const all = await Promise.all(Array.from({ length: connections }, () => connect(port)));
  for (const socket of all) {
    idle.push(socket);
    socket.on('error', fail).on('close', () => {
      if (!over) fail(new Error('a connection was closed under load'));
    });
    readEveryAnswer(socket, (status, body, head) => {
      const tookMs = performance.now() - (sentAt.get(socket) ?? NaN);
      sentAt.delete(socket);
      idle.push(socket);
      if (status < 300) {
        acceptedMs.push(tookMs);
        options.onAccepted(body);
      } else if (status === 503 && /\r\nretry-after: \d/i.test(head)) refusedMs.push(tookMs);
      else fail(new Error(`an answer under load: ${head}\r\n\r\n${body}`));
    });
  }

  const usage = watchUsage(options.watched);
  const startedAt = performance.now();
  let due = 0;
  let sent = 0;
  const sendDue = (): void => {
    const until = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond);
    for (; due < until; due++) {
      // The one that has rested longest: a server closes a connection on which nothing comes for some seconds.
      const socket = idle.shift();
      if (!socket) continue;
      sent++;
      sentAt.set(socket, performance.now());
      socket.write(options.next(), 'latin1');
    }
  };
  const timer = setInterval(sendDue, TICK_MS);
  try {
    await Promise.race([sleep(seconds * 1_000), failed]);
    clearInterval(timer);
    const taken = usage();
    while (sentAt.size > 0) await Promise.race([sleep(TICK_MS), failed]);
    return {
      sentPerSecond: sent / seconds,
      notSent: due - sent,
      accepted: answersOf(acceptedMs),
      refused: answersOf(refusedMs),
      usage: taken,
    };
  } finally {
    clearInterval(timer);
    over = true;
    for (const socket of all) socket.destroy();
  }
}

/**
 * Opens a connection and asks for something small: a server has taken the connection when it answers. A busy server takes
 * new connections one by one (docs/performance.md), so the time for that would count as the time for a payment.
 */
function connect(port: number): Promise<Socket> {
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true });
  return new Promise((resolve, reject) => {
    socket.once('error', reject).once('data', () => resolve(socket.removeListener('error', reject)));
    socket.write('GET /health HTTP/1.1\r\nHost: bench\r\n\r\n');
  });
}

const answersOf = (tookMs: readonly number[]): Answers => ({
  count: tookMs.length,
  p50Ms: percentile(tookMs, 0.5),
  p99Ms: percentile(tookMs, 0.99),
});
