/**
 * The HTTP of Paystack: one request with the secret key, and its answer. Nothing is repeated here, because an order
 * may be sent again only after Paystack was asked about it (D57).
 */
import { z } from 'zod';
import { openCompany, type Reply } from '../http';

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
  /** Of a list: how many pages it has. */
  meta: z.object({ pageCount: z.int().nullish() }).nullish().catch(null),
});
type PaystackBody = z.infer<typeof bodySchema>;

const KEY_REFUSED = 401;
const TOO_MANY_REQUESTS = 429;
/** A longer wait is not believed: Paystack counts requests in windows of 60 seconds. */
const RESET_MAX_MS = 600_000;
/** From here on a number of seconds is a time since 1970, and no duration. */
const SECONDS_OF_A_DATE = 1_000_000_000;

/**
 * @param url where Paystack is, without a slash at its end.
 * @param onKeyRefused is told of each answer that Paystack does not take the key.
 */
export function createPaystackClient(
  url: string,
  secretKey: string,
  onKeyRefused: () => void,
): PaystackClient {
  const call = openCompany({ company: 'Paystack', url, headers: { authorization: `Bearer ${secretKey}` } });

  function read(reply: Reply): PaystackReply {
    if (reply.kind === 'not connected') return reply;
    const { kind, status, headers, json } = reply;
    if (status === KEY_REFUSED) onKeyRefused();
    const resetsAfterMs =
      status === TOO_MANY_REQUESTS ? readReset(headers['x-ratelimit-reset'], Date.now()) : null;
    return { kind, status, body: bodySchema.safeParse(json).data ?? null, resetsAfterMs };
  }

  return {
    get: async (path, withinMs) => read(await call({ method: 'GET', path, withinMs })),
    post: async (path, body, withinMs) => read(await call({ method: 'POST', path, body, withinMs })),
  };
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
