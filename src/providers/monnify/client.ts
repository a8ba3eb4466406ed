/**
 * The HTTP of Monnify: a login that gives a token for about an hour, and requests with it. Nothing is repeated here, because
 * an order may be sent again only after Monnify was asked about it (D57).
 */
import { z } from 'zod';
import { askedToWaitMs } from '../asked-to-wait';
import { openCompany, type Reply } from '../http';

export type MonnifyReply =
  | {
      kind: 'answered';
      status: number;
      /** The body, where it is JSON in Monnify's form; null for a page of HTML or anything else. */
      body: MonnifyBody | null;
      /** When Monnify takes requests again, where it has said so. */
      resetsAfterMs: number | null;
    }
  /** There was no connection or no token, so Monnify has certainly not got the request. */
  | { kind: 'not sent'; cause: string; resetsAfterMs: number | null };

const bodySchema = z.object({
  requestSuccessful: z.boolean(),
  // Its pages show the code of a refusal as a text and as a number.
  responseCode: z.union([z.string(), z.number().transform(String)]).default(''),
  responseMessage: z.string().default('').catch(''),
  responseBody: z.unknown().optional(),
});
type MonnifyBody = z.infer<typeof bodySchema>;

/** Monnify has given no token, and may have said when to ask for one again. */
class NoTokenError extends Error {
  constructor(
    cause: string,
    readonly resetsAfterMs: number | null,
  ) {
    super(cause);
  }
}

const loginSchema = z.object({ accessToken: z.string().min(1), expiresIn: z.number().min(1) });

/** A token is replaced so long before its end that no request under way meets it. */
const RENEWED_BEFORE_MS = 60_000;
const NOT_LOGGED_IN = 401;
const KEY_REFUSED: readonly number[] = [400, 401, 403];

export interface MonnifyClient {
  /** @throws Error when there is no whole answer. Monnify may have got the request nevertheless. */
  call(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    /** A quick request has a quarter of the time, and another one half of it. */
    more?: { body?: object; isQuick?: boolean },
  ): Promise<MonnifyReply>;
}

/**
 * @param options.url where Monnify is, without a slash at its end.
 * @param options.answersWithinMs how long a login, the list of banks and an order may take together.
 */
export function createMonnifyClient(options: {
  url: string;
  apiKey: string;
  secretKey: string;
  answersWithinMs: number;
  onKeyRefused?: (company: string) => void;
}): MonnifyClient {
  const call = openCompany({ company: 'Monnify', url: options.url, headers: {} });
  const basic = Buffer.from(`${options.apiKey}:${options.secretKey}`).toString('base64');
  const loginWithinMs = Math.floor(options.answersWithinMs / 4);
  let known: { token: string; untilMs: number } | null = null;
  let login: Promise<string> | null = null;

  const read = (
    reply: Extract<Reply, { kind: 'answered' }>,
  ): Extract<MonnifyReply, { kind: 'answered' }> => ({
    kind: 'answered',
    status: reply.status,
    body: bodySchema.safeParse(reply.json).data ?? null,
    resetsAfterMs: askedToWaitMs(reply),
  });

  /** @throws NoTokenError, in words without secrets, where Monnify gives no token. */
  async function logIn(): Promise<string> {
    const reply = await call({
      method: 'POST',
      path: '/api/v1/auth/login',
      headers: { authorization: `Basic ${basic}` },
      withinMs: loginWithinMs,
    });
    if (reply.kind !== 'answered') throw new NoTokenError(reply.cause, null);
    const { status, body, resetsAfterMs } = read(reply);
    // A token may end early; that the login is refused means the keys.
    if (KEY_REFUSED.includes(status)) options.onKeyRefused?.('monnify');
    const given = body?.requestSuccessful ? loginSchema.safeParse(body.responseBody).data : undefined;
    if (!given) throw new NoTokenError(`HTTP ${String(status)} to our login`, resetsAfterMs);
    known = {
      token: given.accessToken,
      untilMs: performance.now() + given.expiresIn * 1_000 - RENEWED_BEFORE_MS,
    };
    return given.accessToken;
  }

  /** Requests that come at the same time share one login. */
  async function token(): Promise<string> {
    if (known && known.untilMs > performance.now()) return known.token;
    login ??= logIn().finally(() => (login = null));
    return login;
  }

  return {
    async call(method, path, options = {}) {
      const isKnown = known !== null;
      const reply = await callOnce(method, path, options);
      // A token may end early. What only reads is asked again with another one; an order is asked about by its workflow.
      const hasEnded = isKnown && reply.kind === 'answered' && reply.status === NOT_LOGGED_IN;
      return method === 'GET' && hasEnded ? callOnce(method, path, options) : reply;
    },
  };

  async function callOnce(
    ...[method, path, { body, isQuick = false } = {}]: Parameters<MonnifyClient['call']>
  ): Promise<MonnifyReply> {
    const withinMs = isQuick ? loginWithinMs : 2 * loginWithinMs;
    let bearer: string;
    try {
      bearer = await token();
    } catch (error) {
      const resetsAfterMs = error instanceof NoTokenError ? error.resetsAfterMs : null;
      return { kind: 'not sent', cause: (error as Error).message, resetsAfterMs };
    }
    const headers = { authorization: `Bearer ${bearer}` };
    const reply = await call({ method, path, body, headers, withinMs });
    if (reply.kind !== 'answered') return { kind: 'not sent', cause: reply.cause, resetsAfterMs: null };
    if (reply.status === NOT_LOGGED_IN && known?.token === bearer) known = null;
    return read(reply);
  }
}
