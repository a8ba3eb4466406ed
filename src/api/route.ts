/**
 * What a route is: one row of the table with its method, path, who may call it and its handler. A handler returns
 * an answer or a refusal. What it throws is an outage or a bug.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { z } from 'zod';
import { present } from '../domain/assert';
import type { CallersKey, Partner } from '../domain/partners';
import type { PermissionName } from '../domain/roles';
import type { SignedIn } from '../domain/sessions';
import type { StoredAnswer } from '../domain/ledger';
import { map, type Outcome } from '../domain/outcome';
import type { RefusalCode } from '../domain/refusals';
import type { Environment, OpenCell } from '../runtime/environment';
import type { Replied } from '../operations/reply';
import type { Form } from '../wire/forms';
import { namingIgnored } from '../wire/ignored-fields';
import type { Allowance } from './rate-limit';
import type { Services } from './services';
import type { Prepared } from './prepared';

/** The interface's own version, in every answer's X-API-Version (D125). */
export const API_VERSION = '1.0.0';

/** @typeParam Query the query of a GET as it was read. Other methods ignore a query (D152). */
export interface Call<Query = unknown> {
  services: Services;
  environment: Environment;
  partner: Partner;
  cell: OpenCell;
  /** The session of the person who calls; null for an API key. */
  session: SignedIn | null;
  /** What may be shown of the API key; null for a person. */
  key: CallersKey | null;
  /** The first place that the request takes in the rate limit. */
  allowance: Allowance;
  /** The caller's address, behind the proxies that TRUST_PROXY names. */
  remoteAddress: string;
  requestId: string;
  /** The fields of the body that have no effect, by their paths, where the answer names them. */
  ignored: readonly string[];
  /** The form of the answer: the one that the header asks for, or else the one of the keys in the body (D133). */
  form: Form;
  params: Record<string, string>;
  query: Query;
  headers: IncomingHttpHeaders;
  body: unknown;
  /** What was read of a body that may be large; null for other operations. */
  prepared: Prepared | null;
  /** Aborted when the caller has gone, or has its answer. */
  gone: () => AbortSignal;
  /** The Idempotency-Key, for operations that take one (D131). */
  idempotencyKey: string | null;
}

export interface Answer {
  status: number;
  /** JSON text, or null for an answer without a body. */
  body: string | null;
  /** A `Content-Type` among them replaces JSON's. */
  headers?: Record<string, string>;
}

/** An answer that may be too long for the memory: it is made while its caller reads it. */
export interface LongAnswer {
  status: number;
  body: Readable;
  headers: Record<string, string>;
  /**
   * Ends an answer that goes on for as long as its caller wants; called once its credential is no longer in force.
   * Without it the caller has ten minutes to read the answer.
   */
  revoke?: () => void;
}

/** What the OpenAPI document says about an operation. */
export interface RouteDoc {
  /** The heading it stands under, a section of the interface. */
  section: Section;
  /**
   * What programs of partners call it, as `transfers.p2p`: the method of the SDK. null for what other machines
   * call: health checks, gateways and providers.
   */
  sdk: `${string}.${string}` | null;
  summary: string;
  /** The rules a caller must know, in a sentence or two. */
  description?: string;
  /**
   * The body in every published form, from the schema that reads it (`publishedBody` of wire/read); schemas of
   * answers live beside their writers in `wire`, in the envelopes of wire/answers.
   */
  body?: z.ZodType;
  /** An example of the body, where the fields that are required make none. */
  bodyExample?: object;
  /** What the body is where it is not JSON. */
  bodyType?: string;
  /** Other types in which the caller may send it, with an example of each. */
  otherBodies?: Readonly<Record<string, { description: string; example: string }>>;
  /** The parameters of a GET; any other is refused (D170). */
  query?: z.ZodObject;
  /** Request headers of its own. */
  headers?: z.ZodObject;
  /**
   * `type` is what the answer is where it is not JSON; `body` is null for an answer without one. `others` are the
   * types that the caller may ask for instead.
   */
  answer: {
    status: number;
    description: string;
    body: z.ZodType | null;
    type?: string;
    others?: readonly string[];
  };
  /** The codes of this operation only. Those that follow from the flags of the route are added. */
  refusals: readonly RefusalCode[];
}

export const SECTIONS = [
  'Health',
  'Authentication',
  'Wallets',
  'Transfers',
  'Payments',
  'KYC',
  'Webhook endpoints',
  'Requests',
  'Partner compliance',
  'Sandbox',
] as const;
type Section = (typeof SECTIONS)[number];

export interface Route {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  doc: RouteDoc;
  /** Needs an access token of a person: an API key is refused with FORBIDDEN (D128). */
  tokenOnly?: true;
  /** Changes something of the person who calls and nothing of the partner, so a suspended partner may do it. */
  ofPerson?: true;
  /** What the role of the person who calls must allow. API keys have no role. */
  needs: PermissionName;
  /** The operation's name: the scope of an Idempotency-Key, the same for all its paths (D44, D167). */
  operation: string;
  /** The ledger writes its movement before it is answered, so it is refused while the ledger is late (G28). */
  postsMoney?: true;
  /** Exists for sandbox credentials only (D95). */
  sandboxOnly?: true;
  /** In live it needs an active partner (D103, D136). */
  needsActivePartner?: true;
  /** An Idempotency-Key counts here (D131). */
  keyed?: true;
  /**
   * A second call with the same body does nothing more than the first, so a client may repeat it after a lost answer.
   * It may be refused then, because the first call has done it. A GET, a PATCH, a DELETE and a keyed operation need no mark.
   */
  harmlessTwice?: true;
  /** How many places of the rate limit it takes, by its body; one without this. */
  places?: (body: unknown) => number;
  /** Its body may be larger than that of other operations: it is taken by `take-body.ts`, which prepares it. */
  largeBody?: { maxBytes: number };
  /** Every field of its body is optional, so there may be no body at all. */
  bodyOptional?: true;
  /** How many writes like that of a transfer the workers make later because of it, by its body; none without this (D175). */
  writesLater?: (body: unknown) => number;
  /** Stores nothing, so it also works in a sandbox that has stored as much as it may (D175). */
  storesNothing?: true;
  /** What it stores stays when the sandbox is reset. */
  outlivesReset?: true;
  /** The guide has a status table of its own for this operation (D53). */
  guideStatuses?: true;
  /** Its body may be that of another operation, with fields that it does not read. */
  takesOtherFields?: true;
  /** Answers in the reference form, whatever keys the body has. Only the header changes that (D133). */
  formByHeaderOnly?: true;
  handle: (call: Call<never>) => Promise<Outcome<Answer | LongAnswer>>;
}

/**
 * Whether what an operation stores counts towards the storage of a sandbox (D175). People look after their own
 * sessions and passwords however full it is.
 */
export const countsAsStorage = ({ method, ofPerson, storesNothing }: Route): boolean =>
  hasBody(method) && !ofPerson && !storesNothing;

/** Whether requests of this method have a body. */
export const hasBody = (method: Route['method']): boolean =>
  method === 'POST' || method === 'PUT' || method === 'PATCH';

/** The session of the person who calls an operation that is for people only. */
export const signedIn = (call: Pick<Call, 'session'>): SignedIn => present(call.session, 'the session');

/** A row that reads by a query: its parameters are read by the schema that documents them. */
export const reading = <Query extends z.ZodObject>(
  row: Omit<Route, 'method' | 'doc' | 'handle'> & {
    method: 'GET';
    doc: RouteDoc & { query: Query };
    handle: (call: Call<z.infer<Query>>) => Promise<Outcome<Answer | LongAnswer>>;
  },
): Route => row;

/** A request without a partner's credential: registration, login, callbacks of gateways and providers. */
export interface OpenCall {
  services: Services;
  requestId: string;
  params: Record<string, string>;
  headers: IncomingHttpHeaders;
  /** The caller's address, behind the proxies that TRUST_PROXY names. */
  remoteAddress: string;
  /** Parsed JSON, or the bytes of the body or query as they came. */
  body: unknown;
}

export interface OpenRoute {
  method: 'GET' | 'POST';
  path: string;
  operation: string;
  doc: RouteDoc;
  /** Each call counts towards what an address without a credential may ask in a minute (D122, D150). */
  ofStrangers?: true;
  /**
   * `json` is read and checked like every body; `raw` hands over a Buffer, within the same limit; `query` hands over the
   * bytes of the query.
   */
  reads: 'json' | 'raw' | 'query';
  handle: (call: OpenCall) => Promise<Outcome<Answer>>;
}

/** `{ data, meta }`, the envelope of success (interface: Conventions; D5). */
export function dataAnswer(
  { requestId, ignored = [] }: Pick<Call, 'requestId'> & Partial<Pick<Call, 'ignored'>>,
  status: number,
  data: unknown,
  meta: Record<string, unknown> = {},
): StoredAnswer {
  const body = JSON.stringify({ data, meta: { request_id: requestId, ...meta } });
  return { status, body: namingIgnored(body, ignored) };
}

/** The sandbox operations' flat objects (interface: Conventions; D5). */
export const flatAnswer = (status: number, value: object): StoredAnswer => ({
  status,
  body: JSON.stringify(value),
});

/** The answer of an operation that takes an Idempotency-Key; a repeat of an earlier one is marked (D44, D45). */
export const replyOf = (outcome: Outcome<Replied>): Outcome<Answer> =>
  map(outcome, ({ answer, isRepeat }) =>
    isRepeat ? { ...answer, headers: { 'Idempotent-Replayed': 'true' } } : answer,
  );
