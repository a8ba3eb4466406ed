/** What a client and a call can be told, and the refusal of what cannot be meant so. */
import { WalletError } from './errors.ts';

export interface WalletClientOptions {
  /** A secret key, `sk_test_...` or `sk_live_...`, or an access token. By default `WALLET_API_KEY`. */
  apiKey?: string;
  /** With its scheme, as `https://api.example.com`. By default `WALLET_BASE_URL`. */
  baseUrl?: string;
  /** How long one try may take; 30,000 by default. */
  timeoutMs?: number;
  /** How many further tries there may be; 2 by default. */
  maxRetries?: number;
  /** Another fetch, for proxies and tests. */
  fetch?: typeof fetch;
  /** Is told what the platform took and did not use, once for each field of an operation. By default `console.warn`. */
  onWarning?: (warning: Warning) => void;
}

export interface CallOptions {
  /**
   * The same key makes the same call, for 24 hours. By default each call has a key of its own, kept over its tries; a
   * process that restarts must bring its own.
   */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  timeoutMs?: number;
  maxRetries?: number;
  signal?: AbortSignal;
}

/** A field of a body that the platform does not know, and has ignored: most often a misspelling. */
export interface Warning {
  message: string;
  /** As `POST /v1/transfers/p2p`. */
  operation: string;
  /** The path of the field, as the platform names it. */
  field: string;
  requestId: string | null;
}

const OF_CALL = ['idempotencyKey', 'headers', 'timeoutMs', 'maxRetries', 'signal'];
const OF_CLIENT = ['apiKey', 'baseUrl', 'timeoutMs', 'maxRetries', 'fetch', 'onWarning'];
/** The longest wait that a timer takes. */
const TIMER_MOST_MS = 2 ** 31 - 1;

/** @throws WalletError for a name that is none, a number that is none, and a key that no header can carry. */
export const checkCall = (options: CallOptions): void => checkOptions(options, OF_CALL);

/**
 * The address and the key of a client.
 * @throws WalletError where one is missing or cannot be used, and for options that there are not.
 */
export function readOptions(options: WalletClientOptions): { apiKey: string; baseUrl: string } {
  checkOptions(options, OF_CLIENT);
  const apiKey = options.apiKey ?? environment('WALLET_API_KEY');
  const baseUrl = options.baseUrl ?? environment('WALLET_BASE_URL');
  if (!apiKey) throw new WalletError('apiKey or WALLET_API_KEY is needed');
  if (!baseUrl) throw new WalletError('baseUrl or WALLET_BASE_URL is needed');
  const isBrowser = 'window' in globalThis && 'document' in globalThis;
  if (isBrowser && apiKey.startsWith('sk_')) {
    throw new WalletError('a secret key must not be used in a browser, where everybody can read it');
  }
  if (!/^[!-~]+$/.test(apiKey)) {
    throw new WalletError(
      'the apiKey has a blank, a line break or a letter that no header can carry: copy it again',
    );
  }
  if (!/^https?:\/\/[^/?#@]+(?:\/[^?#@]*)?$/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new WalletError(
      'baseUrl must be an address with its scheme and no query, as https://api.example.com',
    );
  }
  return { apiKey, baseUrl: baseUrl.replace(/\/+$/, '') };
}

/** @throws WalletError for a header that cannot be sent. */
export function headersOf(given: Record<string, string>): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(given)) {
    try {
      // A later one of the same name takes the place of the earlier one.
      headers.set(name, value);
    } catch {
      throw new WalletError(`the header ${name} has a line break or a letter that no header can carry`);
    }
  }
  return headers;
}

/** The path of an operation with its values. @throws WalletError for a value that would make it another path. */
export function pathOf(template: string, values: readonly string[] = []): string {
  const rest = [...values];
  return template.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = rest.shift();
    if (typeof value !== 'string' || /^(?:\s*|\.\.?)$/.test(value)) {
      throw new WalletError(`${template} needs a ${name}, and ${JSON.stringify(value)} is none`);
    }
    return encodeURIComponent(value);
  });
}

function checkOptions(options: object, known: readonly string[]): void {
  if (Object(options) !== options) throw new WalletError(`options are an object of ${known.join(', ')}`);
  for (const [name, value] of Object.entries(options)) {
    if (!known.includes(name))
      throw new WalletError(`there is no option ${name}; there are ${known.join(', ')}`);
    const isMs = name === 'timeoutMs';
    if (value === undefined || !(isMs || name === 'maxRetries')) continue;
    if (!Number.isSafeInteger(value) || value < Number(isMs) || value > TIMER_MOST_MS)
      throw new WalletError(`${name} must be a whole number`);
  }
  if ((options as CallOptions).idempotencyKey === '')
    throw new WalletError('idempotencyKey must not be empty: leave it out');
}

const environment = (name: string): string | undefined =>
  (globalThis as { process?: { env?: Record<string, string | undefined> } }).process?.env?.[name];
