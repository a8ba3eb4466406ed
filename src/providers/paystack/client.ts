/**
 * The HTTP of Paystack: one request with the secret key, and its answer. Nothing is repeated here, because an order
 * may be sent again only after Paystack was asked about it (D57).
 */
import { z } from 'zod';
import { askedToWaitMs } from '../asked-to-wait';
import { openCompany, type Reply } from '../http';

export type PaystackReply =
  | {
      kind: 'answered';
      status: number;
      /** The body, where it is JSON in Paystack's form; null for a page of HTML or anything else. */
      body: PaystackBody | null;
      /** When Paystack takes requests again, where it has said so. */
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

/** @param url where Paystack is, without a slash at its end. */
export function createPaystackClient(url: string, secretKey: string): PaystackClient {
  const call = openCompany({ company: 'Paystack', url, headers: { authorization: `Bearer ${secretKey}` } });

  function read(reply: Reply): PaystackReply {
    if (reply.kind === 'not connected') return reply;
    const { kind, status, json } = reply;
    return {
      kind,
      status,
      body: bodySchema.safeParse(json).data ?? null,
      resetsAfterMs: askedToWaitMs(reply),
    };
  }

  return {
    get: async (path, withinMs) => read(await call({ method: 'GET', path, withinMs })),
    post: async (path, body, withinMs) => read(await call({ method: 'POST', path, body, withinMs })),
  };
}
