/** A partner's webhook receiver: keeps every delivery as it came, and gives the answers that the test chooses. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { Json } from './calls';
import { contract } from './contract';

export interface Delivery {
  path: string;
  headers: IncomingHttpHeaders;
  /** The bytes, as text. */
  text: string;
  body: Json;
  /** When it came, by this machine's clock. */
  cameAt: number;
  /** What it was answered with; null where no answer was given. */
  answered: number | null;
}

/** A status, with headers if any; `silence` never answers. */
export type Answer = number | { status: number; headers: Record<string, string> } | 'silence';

export interface Receiver {
  readonly url: string;
  /** All deliveries in the order in which they came, with repeats. */
  readonly deliveries: readonly Delivery[];
  /** The deliveries about one resource. */
  about(resourceId: string): Delivery[];
  close(): Promise<void>;
}

/** @param answer what to say to a delivery, given how many came before it. */
export async function openReceiver(
  answer: (delivery: Delivery, before: number) => Answer = () => 200,
): Promise<Receiver> {
  const deliveries: Delivery[] = [];
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (part: string) => (text += part));
    request.on('end', () => {
      const { url: path = '', headers: sent } = request;
      const delivery: Delivery = {
        path,
        headers: sent,
        text,
        body: JSON.parse(text),
        cameAt: Date.now(),
        answered: null,
      };
      const said = answer(delivery, deliveries.length);
      deliveries.push(delivery);
      if (said === 'silence') return;
      const { status, headers } = typeof said === 'number' ? { status: said, headers: {} } : said;
      delivery.answered = status;
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A test that fails before it closes the receiver must not keep its process alive.
  server.unref();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    deliveries,
    about: (resourceId) => deliveries.filter(({ body }) => body.data.id === resourceId),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Checks a delivery against the document, and as the Standard Webhooks library of a partner does.
 * @returns the signed envelope.
 * @throws when id, time, bytes and secret do not belong together.
 */
export function verified(delivery: Delivery, secret: string): Json {
  contract().checkDelivery(delivery.text);
  const headers = delivery.headers as Record<string, string>;
  return new Webhook(secret.replace(/^sk_wh_/, '')).verify(delivery.text, headers);
}

/** How old a delivery may be when it comes, as the Standard Webhooks library has it. */
const TOLERATED_MS = 300_000;

/**
 * The same for a delivery that came too long ago for that library.
 * @throws when id, time, bytes and secret do not belong together, or when it was too old as it came.
 */
export function verifiedLater(delivery: Delivery, secret: string): Json {
  contract().checkDelivery(delivery.text);
  const headers = delivery.headers as Record<string, string>;
  const {
    'webhook-id': id = '',
    'webhook-timestamp': seconds,
    'webhook-signature': signatures = '',
  } = headers;
  const sentAt = new Date(Number(seconds) * 1_000);
  if (!(Math.abs(delivery.cameAt - sentAt.getTime()) < TOLERATED_MS))
    throw new Error('The timestamp was too old');
  const signature = new Webhook(secret.replace(/^sk_wh_/, '')).sign(id, sentAt, delivery.text);
  if (!signatures.split(' ').includes(signature)) throw new Error('No matching signature found');
  return JSON.parse(delivery.text);
}
