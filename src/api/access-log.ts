/**
 * One line in the log for each request, at its end: who asked for what, and what came of it. Where traces are switched
 * on, the span of the request says the same. Both name an operation and never a path or a query, because these may hold
 * a person's name.
 */
import type { Logger } from 'pino';
import { frequentLines } from '../runtime/process';
import type { Traces } from '../runtime/traces';

interface Access {
  requestId: string;
  method: string;
  /** The name of the route, or `none` if the request reached no route. */
  operation: string;
  /** null when the caller went away before it was answered. */
  status: number | null;
  durationMs: number;
  /** Of a refusal. */
  code?: string | undefined;
  /** Who asked, as far as it is known. */
  partnerId?: string | undefined;
  environment?: string | undefined;
  /** The first twelve characters of the API key. */
  keyPrefix?: string | null | undefined;
  /** The name of the operator, on the operator port. */
  operator?: string | undefined;
  /** Whether the answer repeats an earlier one. */
  replayed?: boolean | undefined;
}

export type AccessLog = (access: Access) => void;

const HUNDREDTHS = 100;
const SERVER_ERROR = 500;

/** @param traces of the process; null unless they are switched on. */
export function createAccessLog(logger: Logger, traces: Traces | null): AccessLog {
  const lines = frequentLines(logger);
  return ({ durationMs, ...access }) => {
    const rounded = Math.round(durationMs * HUNDREDTHS) / HUNDREDTHS;
    lines.info({ ...access, durationMs: rounded }, 'The API answered a request');
    traces?.add({
      requestId: access.requestId,
      name: access.operation,
      kind: 'server',
      durationMs,
      attributes: {
        'http.request.method': access.method,
        'http.response.status_code': access.status,
        code: access.code,
        partner_id: access.partnerId,
        environment: access.environment,
        replayed: access.replayed,
      },
      hasFailed: access.status === null || access.status >= SERVER_ERROR,
    });
  };
}
