/**
 * Partners' webhook receivers, as a process of their own: four that answer 200 at once, and one that accepts
 * and never answers. What arrives is counted once per delivery, however often it is sent.
 */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { percentile } from '../support/percentile';
import { serveCommands } from '../support/program';

/** A delivery as it arrived. */
export interface Sample {
  receiver: number;
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Seen {
  deliveries: number;
  repeats: number;
  /** Between the first and the last delivery. */
  seconds: number;
  /** From the event to its first attempt. */
  p50Ms: number;
  p99Ms: number;
  longestMs: number;
  samples: Sample[];
}

const HEALTHY = 4;
const SAMPLES = 20;

let ids = new Set<string>();
let repeats = 0;
let firstAtMs = 0;
let lastAtMs = 0;
let latenciesMs: number[] = [];
let samples: Sample[] = [];

function keep(receiver: number, headers: IncomingHttpHeaders, body: string): void {
  const id = String(headers['webhook-id']);
  if (ids.has(id)) {
    repeats++;
    return;
  }
  ids.add(id);
  lastAtMs = performance.now();
  if (ids.size === 1) firstAtMs = lastAtMs;
  const timestamp = /"timestamp":"([^"]+)","webhook_id":"[^"]+"\}$/.exec(body)?.[1] ?? '';
  latenciesMs.push(Date.now() - Date.parse(timestamp));
  if (samples.length < SAMPLES) samples.push({ receiver, headers, body });
}

function forget(): void {
  ids = new Set();
  [latenciesMs, samples, repeats] = [[], [], 0];
}

function seen(): Seen {
  const seconds = (lastAtMs - firstAtMs) / 1_000;
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
  const longestMs = latenciesMs.reduce((longest, one) => Math.max(longest, one), 0);
  return { deliveries: ids.size, repeats, seconds, p50Ms, p99Ms, longestMs, samples };
}

function healthy(receiver: number): (incoming: IncomingMessage, outgoing: ServerResponse) => void {
  return (incoming, outgoing) => {
    let body = '';
    incoming.setEncoding('utf8').on('data', (part: string) => (body += part));
    incoming.on('end', () => {
      keep(receiver, incoming.headers, body);
      outgoing.writeHead(200, { 'content-length': 0 }).end();
    });
  };
}

async function listen(server: ReturnType<typeof createServer>): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/hook`;
}

async function main(): Promise<void> {
  const urls = await Promise.all(
    Array.from({ length: HEALTHY }, (_, receiver) => listen(createServer(healthy(receiver)))),
  );
  const hangingUrl = await listen(createServer(() => undefined));
  serveCommands({ addresses: () => ({ urls, hangingUrl }), forget, count: () => ids.size, seen });
}

void main();
