/**
 * A partner's webhook receiver: a plain HTTP server on 127.0.0.1 that has the SDK check every delivery's signature
 * (Standard Webhooks, D108) before it trusts what the delivery says.
 */
import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifyWebhook, WebhookVerificationError, type WebhookEvent } from '../../sdk/src';

/** What one delivery said, and whether its signature, age and envelope were right. */
export interface Delivery {
  readonly good: boolean;
  readonly webhookId: string;
  readonly content: WebhookEvent | undefined;
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
        const delivery = await readDelivery(await secretKnown, request.headers, body);
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

async function readDelivery(
  secret: string,
  headers: IncomingMessage['headers'],
  body: Buffer,
): Promise<Delivery> {
  const webhookId = String(headers['webhook-id']);
  try {
    return { good: true, webhookId, content: await verifyWebhook(body, headers, secret) };
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return { good: false, webhookId, content: undefined };
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
