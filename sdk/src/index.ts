/** The client of the partner wallet service. */
export type { Answer, Call, FileCall, Page, Pages } from './answers.ts';
export { WalletClient } from './client.ts';
export type { CallOptions, WalletClientOptions, Warning } from './options.ts';
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
  UnreadableAnswerError,
  WalletError,
  WebhookVerificationError,
} from './errors.ts';
export { formatNaira, kobo, naira } from './money.ts';
export type * from './operations.ts';
export type * from './schema.ts';
export type {
  Notice,
  RequestStreamOptions,
  StreamedEvent,
  StreamedRequest,
  StreamOptions,
} from './stream.ts';
export { signWebhook, verifyWebhook, type WebhookEvent } from './webhooks.ts';
