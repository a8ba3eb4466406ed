/**
 * The Express application. Every request gets an id, a caller, and a place in the rate limit, and then its route.
 * Refusals come in the published order (D135), and every answer has the form that was asked for (D116).
 */
import { Readable } from 'node:stream';
import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { newRequestId } from './request-id';
import { findAnswer } from '../db/ledger/idempotency';
import { isRepeat } from '../db/ledger/acceptance';
import { done, refuse, refuseFields, type Outcome, type Refused } from '../domain/outcome';
import { notFound } from '../domain/refusal-reasons';
import type { FieldProblem, Refusal, RefusalCode } from '../domain/refusals';
import { formOfBody, formOfHeader, inNamesOf, type Form } from '../wire/forms';
import { namingIgnored, type IgnoredField } from '../wire/ignored-fields';
import { servedElsewhere, statusOf, writeError } from '../wire/errors';
import { noQuery } from '../wire/pages';
import { readQuery, referenceOf, type Query } from '../wire/read';
import { isPlainKey } from '../wire/text';
import type { Caller } from './authenticate';
import { announcedBytes, readJsonBody, readRawBody } from './body';
import { addSite } from './site/serve';
import { faultOf, meetAfter, meetBefore, tooSlowFor, type Fault } from './faults';
import { gate } from './gate';
import { valuesOf } from './headers';
import { withoutPort } from './networks';
import { addMails } from './mails';
import { createNearest, withReason } from './not-found';
import { directly, securityHeaders } from './fast-express';
import { isLateForAll, refusalOfLate, TOO_LATE } from './overload';
import type { Bodies } from './kept-bodies';
import type { Allowance } from './rate-limit';
import { idIn, idMade, noteRequest, type Noted } from './request-log';
import {
  API_VERSION,
  countsAsStorage,
  hasBody,
  type Answer,
  type Call,
  type LongAnswer,
  type OpenRoute,
  type Route,
} from './route';
import { BYTES_PER_WRITE } from '../domain/storage';
import { createHealth, HEALTH_PATHS } from './routes/health';
import { OPEN_ROUTES, ROUTES } from './routes';
import type { Services } from './services';
import { networkOf } from './stranger-limit';
import { takeBody, type TakenBody } from './take-body';
import { readIgnored, strictProblem } from './unknown-fields';
import { isAway } from './outage-log';
import { endWhileRead, endWithBody } from './unread';

/** What the earlier steps found out about a request. */
interface Known extends Noted {
  requestId: string;
  /** The form that the header asks for; null without the header. */
  headerForm: Form | null | 'unknown';
  /** Its place in the caller's rate limit. */
  allowance?: Allowance;
  /** When an answer began that goes on for as long as its caller wants: only the time until then was spent on it. */
  answeredAt?: number;
  /** The fields of its body that had no effect. */
  ignored?: readonly IgnoredField[];
}

export function createApp(services: Services): Express {
  const app = express();
  app
    .disable('x-powered-by')
    .disable('etag')
    .set('query parser', 'simple')
    .set('case sensitive routing', true)
    .set('trust proxy', services.config.TRUST_PROXY);
  app.use(begin(services));
  const direct = new Map<string, (request: Request, response: Response) => Promise<void>>();
  app.use(directly(direct));

  const health = createHealth(services);
  for (const path of HEALTH_PATHS) {
    app.get(path, async (request, response) => {
      const query = readQuery(noQuery, request.query as Query);
      if (query.ok) send(response, await health());
      else refuseWith(response, query);
    });
    app.all(path, methodsOf(['GET'], path));
  }
  addSite(app, { config: services.config, send, headFirst, withoutQuery, methodsOf });
  addMails(app, services.config, send);
  for (const route of OPEN_ROUTES) {
    app[route.method === 'GET' ? 'get' : 'post'](route.path, serveOpen(services, route));
  }
  for (const { path } of OPEN_ROUTES) {
    const methods = OPEN_ROUTES.filter((route) => route.path === path).map(({ method }) => method);
    app.all(path, methodsOf(methods, path));
  }
  const admitted = admit(services);
  app.use(['/v1', '/sandbox'], async (request: Request, response: Response, next: NextFunction) => {
    if (await admitted(request, response)) next();
  });
  for (const [path, routes] of byPath(ROUTES)) {
    for (const route of routes) {
      const handle = serve(services, route);
      app[VERBS[route.method]](path, handle);
      direct.set(`${route.method} ${path}`, async (request, response) => {
        if (route.postsMoney && isLateForAll(services.environments, request)) {
          known(response).operation = route.operation;
          refuseLate(services, response);
        } else if (await admitted(request, response)) await handle(request, response);
      });
    }
    app.all(
      path,
      methodsOf(
        routes.map((route) => route.method),
        path,
      ),
    );
  }
  app.use(({ method, path }, response) => refuseWith(response, nearest.unknownPath(method, path)));
  app.use(onError(services));
  return app;
}

const VERBS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

const known = (response: Response): Known => response.locals as Known;

/** Gives the request its id, and observes it when its answer was sent or its caller has gone. */
function begin({ metrics, accessLog, requestLog, storage }: Services) {
  return (request: Request, response: Response, next: NextFunction): void => {
    const startedAt = performance.now();
    // An id from the client is never used: with it one caller could write into the log lines of another (D151).
    const requestId = newRequestId();
    const forms = valuesOf(request, 'x-response-form');
    Object.assign(response.locals, {
      requestId,
      headerForm: formOfHeader(forms.length > 0 ? forms.join(',') : undefined),
    } satisfies Known);
    response.once('close', () => {
      const {
        operation = 'none',
        replayed = false,
        fault = null,
        code,
        isNotConfigured = false,
        caller,
        answeredAt,
      } = known(response);
      const status = response.headersSent ? response.statusCode : null;
      const durationMs = (answeredAt ?? performance.now()) - startedAt;
      const { method } = request;
      if (fault === null)
        metrics.request(
          {
            method,
            operation,
            status: response.statusCode,
            environment: caller?.environment.name ?? 'none',
            isNotConfigured,
          },
          durationMs / 1_000,
        );
      if (replayed) metrics.replayed();
      accessLog({
        requestId,
        method,
        operation,
        status,
        code,
        durationMs,
        partnerId: caller?.partner.id,
        environment: caller?.environment.name,
        keyPrefix: caller && (caller.key?.keyPrefix ?? null),
        replayed,
      });
      const ignoredFields = pathsOf(known(response).ignored).slice(0, IGNORED_LOGGED_MAX);
      const ended = { requestId, method, status, durationMs, ignoredFields };
      const bytes = noteRequest(requestLog, known(response), ended);
      if (caller && bytes > 0) storage.count(caller.cell, caller.partner, bytes, false);
    });
    next();
  };
}

/**
 * The credential is checked first, before the route and the body, and then the rate limit of the partner (D122,
 * D150, D151).
 */
function admit(services: Services) {
  return async (request: Request, response: Response): Promise<boolean> => {
    const caller = await authenticated(services, request);
    if (!caller.ok) {
      const wait = await services.strangers.ofAddress(networkOf(addressOf(request)));
      refuseWith(response, wait ? refuse('RATE_LIMIT_EXCEEDED', wait) : caller);
      return false;
    }
    known(response).caller = caller.value;
    const allowance = await services.rateLimiter(caller.value.cell, caller.value.partner);
    known(response).allowance = allowance;
    if (!allowance.allowed) {
      refuseWith(response, refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: allowance.resetSeconds }));
      return false;
    }
    return true;
  };
}

/** A valid credential is refused at a host of the other environment (D1). */
async function authenticated(services: Services, request: Request): Promise<Outcome<Caller>> {
  const caller = await services.authenticate(request, () => networkOf(addressOf(request)));
  if (!caller.ok) return caller;
  const { name } = caller.value.environment;
  const host = services.hosts[name];
  return isAt(host, request) ? caller : servedElsewhere(name, host);
}

/** The caller's address as the trusted proxies tell it; without them, the other end of the connection. */
const addressOf = (request: Request): string => withoutPort(request.ip ?? '');

/** An environment that has its own host is not served at other hosts (D1). */
const isAt = (host: string | undefined, request: Request): boolean =>
  host === undefined || host.toLowerCase() === request.hostname.toLowerCase();

function serve(services: Services, route: Route) {
  const answer = answering(services, route);
  return async (request: Request, response: Response): Promise<void> => {
    const releases: (() => void)[] = [];
    try {
      await answer(request, response, releases);
    } finally {
      for (const release of releases) release();
    }
  };
}

/** @returns what answers a request; it puts into `releases` what is called at the end of the request. */
function answering(services: Services, route: Route) {
  return async (request: Request, response: Response, releases: (() => void)[]): Promise<void> => {
    known(response).operation = route.operation;
    const { requestId, headerForm, caller, allowance } = known(response);
    if (!caller || !allowance) throw new Error('bug: a route was reached without a caller');
    const before = gate(route, caller, addressOf(request)) ?? headerProblem(route, request, headerForm);
    if (before) {
      refuseWith(response, before);
      return;
    }
    if (route.postsMoney && caller.cell.isLate()) {
      refuseLate(services, response);
      return;
    }
    const bodies: Bodies = { route, asked: undefined, answered: null };
    known(response).bodies = bodies;
    const fault = caller.environment.allowsSimulation ? faultOf(request.headers) : NO_FAULT;
    known(response).fault = fault.ok ? (fault.value?.name ?? null) : null;
    // Nothing of a body is kept while a fault is waited for.
    const refused = fault.ok ? fault.value && (await meet(fault.value, request, response)) : fault;
    if (refused) {
      refuseWith(response, refused);
      return;
    }
    const body = hasBody(route.method)
      ? await takeBody(route, request, {
          partnerId: caller.partner.id,
          params: request.params as Record<string, string>,
          largeBodies: services.largeBodies,
          threads: services.bodyThreads,
          pay: (places) => takePlaces(services, caller, places, response),
          atEnd: (release) => void releases.push(release),
          gone: () => goneOf(response),
        })
      : NO_BODY;
    const taken = body.ok ? body.value : NOTHING_TAKEN;
    if (taken.prepared) bodies.keptAsked = taken.prepared.kept;
    else bodies.asked = taken.value;
    const ignored = readIgnored(route, valuesOf(request, STRICT_HEADER), taken);
    known(response).ignored = ignored.ok ? ignored.value : [];
    const query =
      route.method === 'GET' ? readQuery(route.doc.query ?? noQuery, request.query as Query) : NOT_LOOKED_AT;
    const form = formFor(route, headerForm, taken.value);
    const call: Call<never> = {
      services,
      ...caller,
      allowance,
      remoteAddress: addressOf(request),
      requestId,
      ignored: pathsOf(known(response).ignored),
      form,
      params: request.params as Record<string, string>,
      query: (query.ok ? query.value : undefined) as never,
      headers: request.headers,
      body: taken.value,
      prepared: taken.prepared,
      gone: () => goneOf(response),
      idempotencyKey: route.keyed ? (valuesOf(request, KEY_HEADER)[0] ?? null) : null,
    };
    known(response).idempotencyKey = call.idempotencyKey;
    known(response).resourceId = idIn(Object.values(call.params).join('/'));
    const counts = caller.environment.allowsSimulation && countsAsStorage(route);
    const full = counts && body.ok ? await outOfStorage(services, route, call) : null;
    const outcome =
      full ??
      taken.inexact ??
      (!body.ok ? body : !query.ok ? query : !ignored.ok ? ignored : await route.handle(call));
    if (outcome.ok) {
      const answer = outcome.value;
      const told = fault.ok && fault.value ? meetAfter(fault.value, answer) : 'answer';
      // The answer to a repeat arrives, so it has not met what comes after.
      if (told === 'answer' && fault.ok && fault.value?.after !== 'answer') known(response).fault = null;
      if (route.method === 'POST' && !isLong(answer)) known(response).resourceId ??= idMade(answer);
      if (told !== 'answer') {
        if (told === 'nothing') response.destroy();
        else refuseWith(response, told);
      } else if (isLong(answer)) {
        const stopChecking = answer.revoke && checkAgain(services, route, request, caller, answer.revoke);
        await sendWhileRead(request, response, answer).finally(stopChecking);
      } else send(response, answer);
      if (counts && !isLong(answer))
        countStored(services, route, call, taken.bytes ?? bytesOf(request, call), answer);
      return;
    }
    const named = withReason(route, call.params, inNamesOf(call.body, outcome));
    const { refusal } = await keyFirst(services, route, call, named);
    if (refusal.code === 'SERVICE_UNAVAILABLE') {
      // The caller repeats the request. The log line tells the operators what is missing (R22).
      const { operation } = route;
      const { name: environment } = call.environment;
      services.logger.warn(
        { operation, environment, reason: refusal.message, requestId },
        'The API refused a request with 503',
      );
    }
    sendRefusal(response, refusal, form, statusOf(refusal, form, route.guideStatuses ?? false));
  };
}

/**
 * Takes further places of the caller's rate limit for a request that does the work of several.
 * @returns the refusal when there are too few.
 */
async function takePlaces(
  services: Services,
  { cell, partner }: Caller,
  places: number,
  response: Response,
): Promise<Refused | null> {
  const taking = Array.from({ length: places }, async () => services.rateLimiter(cell, partner));
  const last = (await Promise.all(taking)).at(-1);
  if (!last) return null;
  known(response).allowance = last;
  return last.allowed ? null : refuse('RATE_LIMIT_EXCEEDED', { retryAfterSeconds: last.resetSeconds });
}

/**
 * The refusal of a write for which a sandbox has no room (D175), or null. A repeat is answered as ever: otherwise its
 * caller would take what was done for refused.
 */
async function outOfStorage(services: Services, route: Route, call: Call): Promise<Refused | null> {
  const { cell, partner, idempotencyKey: key } = call;
  const full = services.storage.refusalOf(cell, partner, laterBytes(route, call));
  if (!full) return null;
  const asked = { operation: route.operation, key, reference: referenceOf(call.body) };
  return (await isRepeat(cell, partner.id, asked, services.config.IDEMPOTENCY_WINDOW_MS)) ? null : full;
}

/** What the workers write later because of a request is paid for with it, before they have begun. */
const laterBytes = ({ writesLater }: Route, { body, prepared }: Pick<Call, 'body' | 'prepared'>): number =>
  (prepared?.later ?? writesLater?.(body) ?? 0) * BYTES_PER_WRITE;

/** Counts the body and the answer, of which much is kept more than once. A repeat stores nothing. */
function countStored(services: Services, route: Route, call: Call, asked: number, answer: Answer): void {
  if (answer.headers?.['Idempotent-Replayed'] !== undefined) return;
  const answered = answer.body === null ? 0 : Buffer.byteLength(answer.body);
  const bytes = BYTES_PER_WRITE + asked + answered + laterBytes(route, call);
  services.storage.count(call.cell, call.partner, bytes, route.outlivesReset ?? false);
}

/** The length of a body; of one that came in chunks, about that. */
const bytesOf = ({ headers }: Request, { body }: Call): number =>
  headers['content-length'] === undefined ? Buffer.byteLength(JSON.stringify(body)) : announcedBytes(headers);

const meet = (fault: Fault, request: Request, response: Response): Promise<Refused | null> | Refused =>
  tooSlowFor(fault, request.headers) ?? meetBefore(fault, goneOf(response));

const NOTHING_TAKEN: TakenBody = { value: undefined, inexact: null, prepared: null, bytes: null };
/** Stands for the body of a GET and of a DELETE (D152). */
const NO_BODY = done(NOTHING_TAKEN);

/** Aborted when the caller has gone, or has its answer. */
function goneOf(response: Response): AbortSignal {
  const gone = new AbortController();
  response.once('close', () => gone.abort(new Error('the caller has gone')));
  if (response.destroyed) gone.abort(new Error('the caller has gone'));
  return gone.signal;
}

/** Stands for what is not read: the query of a POST and of a DELETE (D152). */
const NOT_LOOKED_AT = done(undefined);

const pathsOf = (ignored: readonly IgnoredField[] = []): string[] => ignored.map(({ shown }) => shown);

/** Live knows no faults that are asked for. */
const NO_FAULT = done(null);

/** A call without a partner's credential: the route itself decides who may call it. */
function serveOpen(services: Services, route: OpenRoute) {
  return async (request: Request, response: Response): Promise<void> => {
    known(response).operation = route.operation;
    const { requestId, headerForm } = known(response);
    const wait = route.ofStrangers && (await services.strangers.ofAddress(networkOf(addressOf(request))));
    if (wait) {
      refuseWith(response, refuse('RATE_LIMIT_EXCEEDED', wait));
      return;
    }
    if (headerForm === 'unknown') {
      refuseWith(response, refuseFields(UNKNOWN_FORM));
      return;
    }
    const body = await readOpen(route, request);
    const outcome = body.ok
      ? await route.handle({
          services,
          requestId,
          params: request.params as Record<string, string>,
          headers: request.headers,
          remoteAddress: addressOf(request),
          body: body.value,
        })
      : body;
    if (outcome.ok) send(response, outcome.value);
    else refuseWith(response, outcome);
  };
}

async function readOpen({ reads }: OpenRoute, request: Request): Promise<Outcome<unknown>> {
  if (reads === 'json') return readJsonBody(request);
  if (reads === 'raw') return readRawBody(request);
  return done(Buffer.from(request.url.split('?', 2)[1] ?? ''));
}

const UNKNOWN_FORM: FieldProblem = {
  field: 'X-Response-Form',
  message: 'must be reference, guide or quickstart',
};
/** The log of requests names so many fields. */
const IGNORED_LOGGED_MAX = 20;
const KEY_HEADER = 'idempotency-key';
const STRICT_HEADER = 'x-strict';
const BAD_KEY: FieldProblem = {
  field: 'Idempotency-Key',
  message: 'must be one value of 1 to 255 printable ASCII characters',
};

/** Headers are read before the body, because they decide the form of the answer (D131, D133). */
function headerProblem(route: Route, request: Request, headerForm: Known['headerForm']): Refused | null {
  const [key, ...others] = route.keyed ? valuesOf(request, KEY_HEADER) : [];
  const isGoodKey = key === undefined || (others.length === 0 && isPlainKey(key));
  const [first, ...more] = [
    headerForm === 'unknown' ? UNKNOWN_FORM : null,
    isGoodKey ? null : BAD_KEY,
    strictProblem(valuesOf(request, STRICT_HEADER)),
  ].filter((problem) => problem !== null);
  return first ? refuseFields(first, ...more) : null;
}

function formFor(route: Route, headerForm: Known['headerForm'], body: unknown): Form {
  return askedFor(headerForm) ?? (route.formByHeaderOnly ? 'reference' : formOfBody(body));
}

const askedFor = (headerForm: Known['headerForm']): Form | null =>
  headerForm === 'unknown' ? null : headerForm;

/**
 * A used key is refused before anything that is wrong with the body (D135), because a body that cannot be read is
 * not the body with which the key was used.
 */
async function keyFirst(services: Services, route: Route, call: Call, refused: Refused): Promise<Refused> {
  if (!BEFORE_THE_KEY.includes(refused.refusal.code) || call.idempotencyKey === null) return refused;
  const used = { operation: route.operation, key: call.idempotencyKey, fingerprint: '' };
  const { IDEMPOTENCY_WINDOW_MS: windowMs } = services.config;
  const kept = await findAnswer(call.cell.pool, call.cell, call.partner.id, used, windowMs);
  return kept ? refuse('IDEMPOTENCY_KEY_REUSED') : refused;
}

/** What a route may refuse before it looks at the key. */
const BEFORE_THE_KEY: readonly RefusalCode[] = [
  'VALIDATION_ERROR',
  'INVALID_BANK_CODE',
  'AMOUNT_TOO_LOW',
  'SAME_WALLET_TRANSFER',
];

const nearest = createNearest([...ROUTES, ...OPEN_ROUTES]);

/** OPTIONS and wrong methods of a known path (D151). */
function methodsOf(methods: readonly string[], path: string) {
  const all = methods.includes('GET') ? [...methods, 'HEAD'] : [...methods];
  return (request: Request, response: Response): void => {
    response.setHeader('Allow', [...all, 'OPTIONS'].join(', '));
    if (request.method === 'OPTIONS') send(response, { status: 204, body: null });
    else refuseWith(response, nearest.wrongMethod(methods, path));
  };
}

function byPath(routes: readonly Route[]): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const route of routes) paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  return paths;
}

/** Refuses before the body is read, in the reference form unless the header asks for another (D158). */
function refuseWith(response: Response, { refusal }: Refused): void {
  const form = askedFor(known(response).headerForm) ?? 'reference';
  sendRefusal(response, refusal, form, statusOf(refusal, form, false));
}

/** Refuses a payment for which the ledger is late. Of the answer, only the id of the request is made anew (G28). */
function refuseLate({ noteOutage }: Services, response: Response): void {
  const { requestId, headerForm } = known(response);
  known(response).code = 'SERVICE_UNAVAILABLE';
  noteOutage({ err: TOO_LATE, requestId });
  const answer = refusalOfLate(askedFor(headerForm) ?? 'reference', requestId);
  send(response, { ...answer, headers: RETRY_IN_A_SECOND });
}

const RETRY_IN_A_SECOND = { 'Retry-After': '1' };

const RETRY_SOON = ['REQUEST_IN_PROGRESS', 'SERVICE_UNAVAILABLE'];

function sendRefusal(response: Response, refusal: Refusal, form: Form, status: number): void {
  const retryAfterSeconds = refusal.retryAfterSeconds ?? (RETRY_SOON.includes(refusal.code) ? 1 : undefined);
  known(response).code = refusal.code;
  known(response).isNotConfigured = refusal.isNotConfigured === true;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  // The rest of a body that is too large is not read: the connection is closed with this answer.
  if (refusal.code === 'PAYLOAD_TOO_LARGE') response.setHeader('Connection', 'close');
  const { requestId, ignored = [] } = known(response);
  send(response, {
    status,
    body: namingIgnored(writeError(refusal, form, status, requestId), pathsOf(ignored)),
  });
}

/** The headers of every answer, in a list in which names and values alternate. */
function headOf(response: Response): string[] {
  const { requestId, allowance } = known(response);
  const head = [...FIXED_HEAD, 'X-Request-Id', requestId];
  if (allowance) {
    const { limit, remaining, resetSeconds } = allowance;
    head.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
    head.push('X-RateLimit-Reset', String(resetSeconds));
  }
  return head;
}

const FIXED_HEAD: readonly string[] = [...securityHeaders(), 'X-API-Version', API_VERSION];

/** Answers are about people and money, so no proxy and no browser keeps one that does not say otherwise. */
const NOT_KEPT = ['Cache-Control', 'no-store'] as const;

/** A page without parameters refuses every one of them (D170). */
function withoutQuery(request: Request, response: Response, next: NextFunction): void {
  const query = readQuery(noQuery, request.query as Query);
  if (query.ok) next();
  else refuseWith(response, query);
}

/** Sets the headers of answers that Express writes by itself, such as files. */
function headFirst(_request: Request, response: Response, next: NextFunction): void {
  const head = headOf(response);
  for (let at = 0; at < head.length; at += 2) response.setHeader(head[at] ?? '', head[at + 1] ?? '');
  next();
}

const isLong = (answer: Answer | LongAnswer): answer is LongAnswer => answer.body instanceof Readable;

/** Sends an answer that is made while its caller reads it. HEAD gets its headers alone. */
async function sendWhileRead(
  request: Request,
  response: Response,
  { status, headers, body, revoke }: LongAnswer,
): Promise<void> {
  const head = headOf(response);
  for (const [name, value] of Object.entries(headers)) head.push(name, value);
  if (!headers['Cache-Control']) head.push(...NOT_KEPT);
  response.writeHead(status, head);
  if (request.method === 'HEAD') {
    body.destroy();
    response.end();
  } else {
    if (revoke) known(response).answeredAt = performance.now();
    await endWhileRead(response, body, revoke !== undefined);
  }
}

/**
 * Looks up the credential of an answer that goes on, again and again, and calls `revoke` when it may no longer ask for it.
 * A look-up may be remembered for three seconds, so it ends within five (D102).
 * @returns what stops the looking.
 */
function checkAgain(
  services: Services,
  route: Route,
  request: Request,
  { partner }: Caller,
  revoke: () => void,
): () => void {
  const timer = setInterval(() => {
    authenticated(services, request).then(
      (now) => {
        const mayStay =
          now.ok &&
          now.value.partner.id === partner.id &&
          gate(route, now.value, addressOf(request)) === null;
        if (!mayStay) revoke();
      },
      // An outage says nothing about the credential.
      () => undefined,
    );
  }, CHECK_AGAIN_MS).unref();
  return () => clearInterval(timer);
}

const CHECK_AGAIN_MS = 2_000;

function send(response: Response, { status, body, headers }: Answer): void {
  const head = headOf(response);
  const bytes = body === null ? 0 : Buffer.byteLength(body);
  if (body !== null) {
    if (!headers?.['Content-Type']) head.push('Content-Type', 'application/json; charset=utf-8');
    head.push('Content-Length', String(bytes));
  }
  for (const name in headers) head.push(name, headers[name] ?? '');
  if (!headers?.['Cache-Control'] && !response.hasHeader('Cache-Control')) head.push(...NOT_KEPT);
  const { bodies } = known(response);
  if (bodies) bodies.answered = body;
  known(response).replayed = headers?.['Idempotent-Replayed'] !== undefined;
  response.writeHead(status, head);
  if (body === null) response.end();
  else endWithBody(response, body, bytes);
}

/**
 * An outage is answered 503, and the request may be repeated. A path that cannot be decoded is answered 404. Every
 * other error is a bug: it is logged with its stack, and the answer does not show it (D118, D126).
 */
function onError({ logger, noteOutage }: Services) {
  // Express recognises a handler of errors by its four parameters.
  return (error: unknown, request: Request, response: Response, _next: NextFunction): void => {
    const { requestId } = known(response);
    const away = isAway(error);
    if (response.headersSent) {
      logger[away ? 'warn' : 'error'](
        { err: error, requestId },
        'The API cut off an answer that it had begun',
      );
      request.socket.destroy();
      return;
    }
    // The caller has gone. (`request.destroyed` says only that the body was read to its end.)
    if (request.socket.destroyed) return;
    if (error instanceof URIError) {
      refuseWith(response, notFound('malformed_id'));
      return;
    }
    if (away) noteOutage({ err: error, requestId });
    else logger.error({ err: error, requestId }, 'The API answered 500, because of a bug');
    refuseWith(response, refuse(away ? 'SERVICE_UNAVAILABLE' : 'INTERNAL_ERROR'));
  };
}
