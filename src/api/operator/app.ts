/**
 * The operators' application, on a port of its own that partners cannot reach (D91). It authenticates the caller,
 * writes the audit trail before and after each command, and serves the probes, which need no token.
 */
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import helmet from 'helmet';
import type pg from 'pg';
import { newRequestId } from '../request-id';
import type { AuditPhase } from '../../domain/audit';
import type { Operator } from '../../domain/operators';
import { done, refuse, type Outcome, type Refused } from '../../domain/outcome';
import { forbidden, notFound } from '../../domain/refusal-reasons';
import { appendAudit } from '../../db/upkeep/audit';
import { UnavailableError } from '../../runtime/unavailable';
import { countPeopleRead, findOperator, type WorkingOperator } from '../../db/partners/operators';
import { isOutage } from '../../db/pg/postgres';
import { PROBE_PATHS, type Probes } from '../../monitoring/probes';
import { hashApiKey, isKey } from '../../wire/api-keys';
import { snakeKeys } from '../../wire/error-fields';
import { unauthenticated } from '../../wire/errors';
import { OPERATOR_TOKEN_PREFIX } from '../../wire/operators';
import { readQuery, type Query } from '../../wire/read';
import { readBearer } from '../authenticate';
import { readJsonBody } from '../body';
import { createNearest, withReason } from '../not-found';
import type { Services } from '../services';
import {
  messageOf,
  servedElsewhere,
  statusOf,
  type OperatorCall,
  type OperatorRoute,
  type Served,
} from './route';
import { OPERATOR_ROUTES } from './routes';

export interface OperatorServices {
  services: Services;
  platform: pg.Pool;
  probes: Probes;
}

interface Known {
  requestId: string;
  operator?: Operator;
  code?: string;
  /** What was asked of the port, in the words of its trail; `none` if the call reached no route. */
  action?: string;
}

/** No operation has a longer path. */
const RESOURCE_MAX = 300;

const nearest = createNearest(OPERATOR_ROUTES);

const known = (response: Response): Known => response.locals as Known;

export function createOperatorApp(given: OperatorServices): Express {
  const { services, platform, probes } = given;
  const app = express();
  app.disable('x-powered-by').disable('etag').set('query parser', 'simple');
  app.use(helmet());
  app.use((request, response, next) => {
    const startedAt = performance.now();
    const requestId = newRequestId();
    Object.assign(response.locals, { requestId } satisfies Known);
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('Cache-Control', 'no-store');
    response.once('close', () => {
      // Probes come every few seconds.
      if (PROBE_PATHS.includes(request.path)) return;
      const { action: operation = 'none', operator, code } = known(response);
      const status = response.headersSent ? response.statusCode : null;
      const durationMs = performance.now() - startedAt;
      const { method } = request;
      services.accessLog({
        requestId,
        method,
        operation,
        status,
        code,
        durationMs,
        operator: operator?.name,
      });
    });
    next();
  });
  app.get(PROBE_PATHS, async (request, response) => {
    const answer = await probes.answer(request.url);
    if (answer) response.status(answer.status).type(answer.contentType).end(answer.body);
  });

  const alone = new Set<string>();
  app.use(async (request: Request, response: Response, next: NextFunction) => {
    const operator = await authenticated(platform, request);
    if (!operator.ok) {
      services.logger.warn(
        { address: request.socket.remoteAddress },
        'The operator port refused a call without a valid token',
      );
      send(response, operator);
      return;
    }
    const { id, name, role, admittedBy } = operator.value;
    if (role === 'operator' && admittedBy === null && !alone.has(id)) {
      alone.add(id);
      services.logger.warn({ operator: name }, 'Nobody has admitted this operator of the operator port');
    }
    known(response).operator = { id, name, role };
    next();
  });
  for (const route of OPERATOR_ROUTES) {
    const serving = serve(given, route);
    if (route.method === 'GET') app.get(route.path, serving);
    else app.post(route.path, serving);
  }
  app.use(({ method, path }, response) => send(response, nearest.unknownPath(method, path)));
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) {
      next(error);
      return;
    }
    const { requestId } = known(response);
    if (error instanceof URIError) {
      send(response, notFound('malformed_id'));
      return;
    }
    const unavailable = error instanceof UnavailableError || isOutage(error);
    services.logger.error({ err: error, requestId }, 'The operator port could not carry out a call');
    send(response, refuse(unavailable ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'));
  });
  return app;
}

async function authenticated(platform: pg.Pool, request: Request): Promise<Outcome<WorkingOperator>> {
  const bearer = readBearer(request);
  if (!bearer.ok) return bearer;
  if (!isKey(OPERATOR_TOKEN_PREFIX, bearer.value)) return unauthenticated('malformed');
  const operator = await findOperator(platform, hashApiKey(bearer.value));
  return operator ? done(operator) : unauthenticated('unknown');
}

function serve({ services, platform }: OperatorServices, route: OperatorRoute) {
  /** Whatever is not found says why, in the answer and in the trail. */
  const named = (call: OperatorCall<never>, served: Served): Served =>
    served.ok ? served : withReason(route, call.params, served);
  const key = Buffer.from(services.config.AUDIT_KEY, 'base64');
  return async (request: Request, response: Response): Promise<void> => {
    const { requestId, operator } = known(response);
    if (!operator) throw new Error('bug: a route was reached without an operator');
    known(response).action = route.action;
    const query = readQuery(route.query, request.query as Query);
    const call: OperatorCall<never> = {
      services,
      platform,
      operator,
      requestId,
      params: request.params as Record<string, string>,
      query: (query.ok ? query.value : undefined) as never,
    };
    const note = async (phase: AuditPhase, detail: Record<string, unknown>): Promise<void> => {
      const { id, name } = operator;
      const entry = {
        requestId,
        operator: { id, name },
        action: route.action,
        resource: request.path.slice(0, RESOURCE_MAX),
      };
      const noted = await appendAudit(platform, key, { ...entry, phase, detail });
      // The seal is logged too, so that somebody who rewrites the chain would have to rewrite the log as well.
      services.logger.info({ requestId, operator: name, action: route.action, phase, ...noted }, 'audit');
    };
    const elsewhere = servedElsewhere(services, route, call.params);
    if (route.method === 'GET') {
      const refused = query.ok && route.countsAsReading ? await tooMany(call) : null;
      const handled = elsewhere ?? refused ?? (query.ok ? await route.handle(call, {} as never) : query);
      const served = named(call, handled);
      // People's data does not leave the platform unless the row that says who read it, and why, is written.
      if (route.showsPeople) {
        await note(served.ok ? 'done' : 'refused', { ...(query.ok && query.value), ...endOf(served) });
      }
      send(response, served);
      return;
    }
    const command = elsewhere ?? (await readCommand(route, operator, request));
    const read = command.ok && route.countsAsReading ? ((await tooMany(call)) ?? command) : command;
    if (!read.ok) {
      await note('refused', endOf(read));
      send(response, read);
      return;
    }
    // A command is not carried out if its first row cannot be written.
    await note('asked', { ...read.value });
    let outcome: Served;
    try {
      outcome = named(call, await route.handle(call, read.value as never));
    } catch (error) {
      await note('failed', { message: error instanceof Error ? error.message : String(error) });
      throw error;
    }
    await note(outcome.ok ? 'done' : 'refused', endOf(outcome));
    send(response, outcome);
  };
}

/**
 * Counts a reading of people's data, so that nobody takes all of it away with good reasons.
 * @returns RATE_LIMIT_EXCEEDED where the person has read as often as they may in this hour.
 */
async function tooMany({ services, platform, operator }: OperatorCall<never>): Promise<Refused | null> {
  const { used, secondsLeft } = await countPeopleRead(platform, operator.id);
  if (used <= services.config.OPERATOR_PEOPLE_READS_PER_HOUR) return null;
  return refuse('RATE_LIMIT_EXCEEDED', {
    message: "You have read people's data as often as one person may in an hour",
    retryAfterSeconds: secondsLeft,
  });
}

async function readCommand(route: OperatorRoute, operator: Operator, request: Request) {
  if (operator.role === 'viewer') {
    return forbidden('viewer');
  }
  const body = await readJsonBody(request, true);
  return body.ok ? route.read(body.value) : body;
}

const endOf = (outcome: Served): Record<string, unknown> => {
  if (outcome.ok) return { status: outcome.value.status, ...outcome.value.noted };
  const { refusal } = outcome;
  const { code, detail } = refusal;
  return { status: statusOf(refusal), code, message: messageOf(refusal), ...(detail && { detail }) };
};

function send(response: Response, outcome: Served): void {
  const { requestId } = known(response);
  if (outcome.ok) {
    const { status, body } = outcome.value;
    response.status(status).type('application/json').end(body);
    return;
  }
  const { refusal } = outcome;
  known(response).code = refusal.code;
  const body = {
    error: refusal.code,
    message: messageOf(refusal),
    ...(refusal.detail && { detail: snakeKeys(refusal.detail) }),
    meta: { request_id: requestId },
  };
  if (refusal.code === 'SERVICE_UNAVAILABLE') response.setHeader('Retry-After', 1);
  if (refusal.retryAfterSeconds !== undefined) response.setHeader('Retry-After', refusal.retryAfterSeconds);
  if (refusal.code === 'PAYLOAD_TOO_LARGE') response.setHeader('Connection', 'close');
  response.status(statusOf(refusal)).type('application/json').end(JSON.stringify(body));
}
