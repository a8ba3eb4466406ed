/**
 * The HTTP of Paystack: one request with the secret key, and its answer. Nothing is repeated here, because an order
 * may be sent again only after Paystack was asked about it (D57).
 */
import { Agent, request } from 'undici';
import { z } from 'zod';

export type PaystackReply =
  | {
      kind: 'answered';
      status: number;
      /** The body, where it is JSON in Paystack's form; null for a page of HTML or anything else. */
      body: PaystackBody | null;
      /** When Paystack takes requests again, where it gets too many and has said so. */
      resetsAfterMs: number | null;
    }
  /** No connection was made, so Paystack has certainly not got the request. */
  | { kind: 'not connected'; cause: string };

export interface PaystackClient {
  /** @throws Error when there is no whole answer. Paystack may have got the request nevertheless. */
  get(path: string, withinMs: number): Promise<PaystackReply>;
  /** @throws Error as `get`. */
  post(path: string, body: object, withinMs: number): Promise<PaystackReply>;
}

const bodySchema = z.object({
  status: z.boolean(),
  message: z.string().default(''),
  code: z.string().nullish(),
  data: z.unknown().optional(),
});
type PaystackBody = z.infer<typeof bodySchema>;

const CONNECT_WITHIN_MS = 3_000;
const ANSWER_MAX_BYTES = 262_144;
const TOO_MANY_REQUESTS = 429;
/** A longer wait is not believed: Paystack counts requests in windows of 60 seconds. */
const RESET_MAX_MS = 600_000;
/** From here on a number of seconds is a time since 1970, and no duration. */
const SECONDS_OF_A_DATE = 1_000_000_000;

/** The errors of a connection that was never made. */
const NOT_CONNECTED: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/**
 * Opens a client. Idle connections close by themselves and keep no process alive.
 * @param url where Paystack is, without a slash at its end.
 */
export function createPaystackClient(url: string, secretKey: string): PaystackClient {
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_WITHIN_MS },
    maxResponseSize: ANSWER_MAX_BYTES,
  });

  async function call(
    method: 'GET' | 'POST',
    path: string,
    withinMs: number,
    body?: object,
  ): Promise<PaystackReply> {
    const sent = await send(method, path, withinMs, body).catch(causeOf);
    if (typeof sent !== 'string') return sent;
    if (NOT_CONNECTED.includes(sent)) return { kind: 'not connected', cause: sent };
    // Only the kind of the failure is told, because the path may hold an account number.
    throw new Error(`Paystack has not answered: ${sent}`);
  }

  async function send(
    method: 'GET' | 'POST',
    path: string,
    withinMs: number,
    body?: object,
  ): Promise<PaystackReply> {
    const answer = await request(url + path, {
      dispatcher,
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      signal: AbortSignal.timeout(withinMs),
    });
    const isTooMany = answer.statusCode === TOO_MANY_REQUESTS;
    return {
      kind: 'answered',
      status: answer.statusCode,
      body: readPaystackBody(await answer.body.text()),
      resetsAfterMs: isTooMany ? readReset(answer.headers['x-ratelimit-reset'], Date.now()) : null,
    };
  }

  return {
    get: (path, withinMs) => call('GET', path, withinMs),
    post: (path, body, withinMs) => call('POST', path, withinMs, body),
  };
}

/** What broke a request, in one word. The code of a time-out is a number, which says less than its name. */
function causeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name: string };
  return typeof code === 'string' ? code : name;
}

function readPaystackBody(text: string): PaystackBody | null {
  try {
    return bodySchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/**
 * How long until the limit of requests is over. The documents say "a time in seconds when the window ends", which is
 * a duration or a date, so both are read.
 */
function readReset(header: string | string[] | undefined, nowMs: number): number | null {
  const seconds = typeof header === 'string' && /^[0-9]{1,12}$/.test(header) ? Number(header) : null;
  if (seconds === null) return null;
  const waitMs = seconds >= SECONDS_OF_A_DATE ? seconds * 1_000 - nowMs : seconds * 1_000;
  return waitMs >= 0 && waitMs <= RESET_MAX_MS ? waitMs : null;
}
