/** The client of the partner wallet service. */
import type { components } from './schema.ts';

export { Wallet } from './client.ts';
export type { Answer, Call, CallOptions, Page, Pages, WalletOptions } from './core.ts';
export {
  ApiError,
  AuthenticationError,
  ConflictError,
  ConnectionError,
  isRefusal,
  NotFoundError,
  PermissionError,
  RateLimitError,
  RefusedError,
  ServerError,
  TimeoutError,
  WalletError,
  WebhookVerificationError,
} from './errors.ts';
export { formatNaira, kobo, naira } from './money.ts';
export type {
  Notice,
  RequestStreamOptions,
  StreamedEvent,
  StreamedRequest,
  StreamOptions,
} from './stream.ts';
export { signWebhook, verifyWebhook, type WebhookEvent } from './webhooks.ts';
export type * from './schema.ts';
/** A wallet as answers show it; `Wallet` is the client. */
export type WalletShown = components['schemas']['Wallet'];
