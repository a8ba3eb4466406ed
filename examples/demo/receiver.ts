/**
 * A partner's webhook receiver: a plain HTTP server on 127.0.0.1 that checks every delivery's signature (Standard
 * Webhooks, D108) before it trusts what the delivery says.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { z } from 'zod';
import { deliveryBody } from './answers';

const TOLERANCE_SECONDS = 300;
const SECRET_PREFIX = 'sk_wh_';

/** What one delivery said, and whether its signature, age and envelope were right. */
export interface Delivery {
  readonly good: boolean;
  readonly webhookId: string;
  readonly content: z.infer<typeof deliveryBody> | undefined;
}

export interface Receiver {
  readonly url: string;
  /** Everything that came in, repeats included: delivery is at least once (D110). */
  readonly deliveries: readonly Delivery[];
  /** Gives the receiver the endpoint's secret, which only the answer to its registration holds. */
  trust(secret: string): void;
  close(): Promise<void>;
}

/** Opens a receiver on a free port; `onDelivery` is called for each delivery with the status answered. */
export async function openReceiver(
  onDelivery: (delivery: Delivery, status: number) => void,
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const { promise: secretKnown, resolve: trust } = withResolvers<string>();

  const server = createServer((request, response) => {
    readBody(request)
      .then(async (body) => {
        const delivery = readDelivery(await secretKnown, request.headers, body);
        deliveries.push(delivery);
        const status = delivery.good ? 200 : 400;
        response.writeHead(status).end();
        onDelivery(delivery, status);
      })
      // A request that broke off was no delivery: its sender repeats it.
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });

  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/webhooks`,
    deliveries,
    trust,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * True when one of the space-separated signatures is ours for exactly this id, time and body, and the
 * time is not more than five minutes off.
 */
function isSigned(
  secret: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
  nowSeconds: number,
): boolean {
  const id = String(headers['webhook-id']);
  const timestamp = String(headers['webhook-timestamp']);
  // The condition is negated, so that a timestamp which is no number is refused too.
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= TOLERANCE_SECONDS)) return false;
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice('v1,'.length), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

function readDelivery(secret: string, headers: IncomingMessage['headers'], body: Buffer): Delivery {
  const webhookId = String(headers['webhook-id']);
  if (!isSigned(secret, headers, body, Date.now() / 1_000))
    return { good: false, webhookId, content: undefined };
  const content = deliveryBody.safeParse(parseJson(body)).data;
  return { good: content?.webhook_id === webhookId, webhookId, content };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function withResolvers<Value>() {
  let resolve!: (value: Value) => void;
  const promise = new Promise<Value>((given) => (resolve = given));
  return { promise, resolve };
}
