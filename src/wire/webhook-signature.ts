/**
 * Signatures of webhooks, by the specification Standard Webhooks: the receiver recomputes an HMAC over the id, the
 * time of the attempt and the body's bytes (D108). Only the prefix of our secrets differs from that specification.
 */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'sk_wh_';
const SECRET_BYTES = 24;

/** One attempt to deliver an event: `id` and `body` are the same on every attempt, the time is not. */
export interface SignedAttempt {
  /** The event's `webhook_id`. */
  readonly id: string;
  /** Unix time of the attempt; receivers allow 5 minutes. */
  readonly timestampSeconds: number;
  /** The body exactly as it is sent. */
  readonly body: string;
}

/** A new endpoint secret: `sk_wh_` and the base64 of 24 random bytes, which are the key. */
export function newWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/**
 * One item of the `webhook-signature` header: `v1,` and the base64 HMAC-SHA256 of `id.timestamp.body`.
 * @param secret one of the endpoint's secrets, as it was shown to the partner.
 * @throws RangeError for a secret that is not one of ours: a bug. The message does not contain the secret.
 */
export function signWebhook(secret: string, { id, timestampSeconds, body }: SignedAttempt): string {
  const signed = `${id}.${timestampSeconds}.${body}`;
  return `v1,${createHmac('sha256', keyOf(secret)).update(signed, 'utf8').digest('base64')}`;
}

/**
 * The headers of one attempt (D108).
 * @param attempt.secrets those in force, the newest first: the receiver takes the attempt if one of the signatures fits.
 */
export function webhookHeaders(
  attempt: SignedAttempt & { readonly secrets: readonly string[] },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'partner-wallet-service/1.0',
    'webhook-id': attempt.id,
    'webhook-timestamp': String(attempt.timestampSeconds),
    'webhook-signature': attempt.secrets.map((secret) => signWebhook(secret, attempt)).join(' '),
  };
}

function keyOf(secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  if (!secret.startsWith(SECRET_PREFIX) || key.length < SECRET_BYTES) {
    throw new RangeError(`a webhook secret is ${SECRET_PREFIX} and at least ${SECRET_BYTES} bytes in base64`);
  }
  return key;
}
