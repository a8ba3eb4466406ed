/** Signatures of deliveries, by Standard Webhooks: to verify what came, and to sign what a test sends. */
import { WebhookVerificationError } from './errors.ts';
import type { webhooks } from './schema.ts';

type Body<Kind extends keyof webhooks> = webhooks[Kind] extends {
  post: { requestBody: { content: { 'application/json': infer Delivery } } };
}
  ? Delivery
  : never;

/** A delivery. `event` tells which `data` it has. */
export type WebhookEvent = {
  [Kind in keyof webhooks]: Omit<Body<Kind>, 'event'> & { event: Kind };
}[keyof webhooks];

const TOLERANCE_SECONDS = 300;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

type HeadersOfRequest = Headers | Record<string, string | string[] | undefined>;

/**
 * Checks a delivery before it is trusted: its signature, that it is not older than five minutes, and that the body is
 * the one that was signed.
 * @param rawBody the body as it came, before any parser.
 * @param secrets the secret of the endpoint; while a secret is replaced, both.
 * @throws WebhookVerificationError when it is not genuine, and when it cannot be checked with what was given.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: HeadersOfRequest,
  secrets: string | readonly string[],
): Promise<WebhookEvent> {
  if (typeof rawBody !== 'string' && !ArrayBuffer.isView(rawBody))
    throw new WebhookVerificationError(
      'the body was parsed already: give its text or its bytes as they came, before any parser',
    );
  const known = [secrets].flat();
  if (known.length === 0) throw noSecret();
  const keys = await Promise.all(known.map((secret) => keyOf(secret, 'verify')));
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  // The condition is negated, so that a timestamp which is no number is refused too.
  if (!(Math.abs(Date.now() / 1_000 - Number(timestamp)) <= TOLERANCE_SECONDS)) {
    throw new WebhookVerificationError('webhook-timestamp is missing or more than five minutes off');
  }
  const body = typeof rawBody === 'string' ? rawBody : new TextDecoder().decode(rawBody);
  const given = signatures
    .split(' ')
    .flatMap((one) => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []));
  for (const key of keys) {
    for (const signature of given) {
      // It compares in constant time.
      if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed(id, timestamp, body)))) {
        return eventOf(body, id);
      }
    }
  }
  throw new WebhookVerificationError('webhook-signature does not fit the body');
}

/** @throws WebhookVerificationError when the body is another one's than the signed headers say. */
function eventOf(body: string, id: string): WebhookEvent {
  try {
    const event = JSON.parse(body) as WebhookEvent;
    if (event.webhook_id === id) return event;
  } catch {
    // What is not JSON is not what the platform sends either.
  }
  throw new WebhookVerificationError('the body is not that of this delivery');
}

/** The three headers of a delivery that a test sends to a receiver. @param body exactly as it is sent. */
export async function signWebhook(
  body: string,
  secret: string,
  { id, timestampSeconds }: { id: string; timestampSeconds: number },
): Promise<Record<`webhook-${'id' | 'timestamp' | 'signature'}`, string>> {
  const timestamp = String(timestampSeconds);
  const key = await keyOf(secret, 'sign');
  const signature = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed(id, timestamp, body)));
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...signature))}`,
  };
}

const signed = (id: string, timestamp: string, body: string) =>
  new TextEncoder().encode(`${id}.${timestamp}.${body}`);

const noSecret = (): WebhookVerificationError =>
  new WebhookVerificationError(
    'the secret is not one of an endpoint: give what POST /v1/webhooks answers, which begins with sk_wh_',
  );

/** @throws WebhookVerificationError for what is no secret, as a variable of the environment that is not set. */
async function keyOf(secret: string, use: 'sign' | 'verify') {
  const bytes = typeof secret === 'string' ? bytesOf(secret.replace(/^sk_wh_/, '')) : null;
  if (!bytes?.length) throw noSecret();
  return crypto.subtle.importKey('raw', bytes, ALGORITHM, false, [use]);
}

/** Base64 as bytes; null for a text that is none. */
function bytesOf(base64: string) {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

function headerOf(headers: HeadersOfRequest | undefined, name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? '';
  const found = Object.entries(headers ?? {}).find(([written]) => written.toLowerCase() === name)?.[1];
  return [found].flat().join(' ');
}
