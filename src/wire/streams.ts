/** Streams as Server-Sent Events: where one begins, and how each message reads (D201, D210). */
import { z } from 'zod';
import type { StreamedEvent } from '../domain/deliveries';
import { EVENT_KINDS } from '../domain/events';
import type { LoggedRequest } from '../domain/request-log';
import { done, refuseFields, type Outcome } from '../domain/outcome';
import { firstIdOf, madeAtMs } from '../domain/time-ordered-ids';
import { TEST_EVENT } from './event-payloads';
import { instant } from './fields';
import { canonicalId } from './ids';
import { requestFilter, writeRequest } from './requests';
import { writeDelivery, writePayload } from './webhooks';

const KINDS: readonly string[] = [...EVENT_KINDS, TEST_EVENT];
const NOT_KINDS = `must be of: ${KINDS.join(', ')}; with commas between them`;
const SINCE_MAX_MS = 86_400_000;
/** By so much the clock that made an id may be ahead of ours. */
const AHEAD_MAX_MS = 60_000;

const since = z.string().optional().meta({
  description: 'An id as `Last-Event-ID`; or a time, at most a day ago: what came from then on comes first',
});

export const eventStreamQuery = z.object({
  events: z
    .string()
    .refine((text) => text.split(',').every((kind) => KINDS.includes(kind)), NOT_KINDS)
    .optional()
    .meta({
      description: 'The kinds, with commas between them; all when absent',
      examples: ['kyc.verified'],
    }),
  since,
});

/** The kinds that a stream of events was asked for; null is all. */
export const kindsAsked = ({ events }: z.infer<typeof eventStreamQuery>): readonly string[] | null =>
  events?.split(',') ?? null;

export const requestStreamQuery = z.object({ ...requestFilter, since });

export const streamHeaders = z.object({
  'Last-Event-ID': z.string().optional().meta({
    description: 'The last id of an earlier stream: this one goes on behind it. It goes before `since`',
  }),
});

/** Where a stream begins. */
export interface StreamPlace {
  /** The id behind which the stream goes on; null begins with what is committed from now on. */
  afterId: string | null;
  /** The id was given by an earlier stream, so what came shortly before it may be missing. */
  isContinued: boolean;
}

/** @returns VALIDATION_ERROR for what is neither an id of a stream nor a time of the last day. */
export function readStreamPlace(
  since: string | undefined,
  lastEventId: string | undefined,
  nowMs: number,
): Outcome<StreamPlace> {
  const [field, text] = lastEventId === undefined ? ['since', since] : ['Last-Event-ID', lastEventId];
  if (text === undefined) return done({ afterId: null, isContinued: false });
  const id = canonicalId(text, 'other');
  const madeAt = id === null ? null : madeAtMs(id);
  if (id !== null && madeAt !== null && madeAt <= nowMs + AHEAD_MAX_MS) {
    return done({ afterId: id, isContinued: true });
  }
  if (field === 'Last-Event-ID') return refuseFields({ field, message: 'must be an id of a stream' });
  const time = instant.safeParse(text);
  const timeMs = time.success ? new Date(time.data).getTime() : NaN;
  if (timeMs <= nowMs && timeMs >= nowMs - SINCE_MAX_MS) {
    return done({ afterId: firstIdOf(timeMs), isContinued: false });
  }
  return refuseFields({ field, message: 'must be an id of a stream, or a time of the last 24 hours' });
}

const message = (event: string, data: object): string => `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The first message. @param placeId the place behind which the stream begins, from which it can be continued. */
export const writeReady = (environment: string, streams: number, placeId: string): string =>
  `retry: 1000\nid: ${placeId}\n${message('ready', { environment, streams })}`;

/** Says that what came before this time is not kept any more, and may have been missed. */
export const writeGap = (keptSinceMs: number): string =>
  message('gap', { kept_since: new Date(keptSinceMs).toISOString() });

export function writeStreamedEvent({ id, kind, payload, createdAt, webhookId }: StreamedEvent): string {
  const body = writeDelivery({ eventName: kind, data: writePayload(payload), createdAt, webhookId });
  return `id: ${id}\nevent: ${kind}\ndata: ${body}\n\n`;
}

export const writeStreamedRequest = (request: LoggedRequest): string =>
  `id: ${request.id}\n${message('request', writeRequest(request))}`;

/** Keeps the connection open. @param placeId up to where everything was sent; null while that is not known. */
export const writePing = (placeId: string | null): string =>
  placeId === null ? ': ping\n\n' : `: ping\nid: ${placeId}\n\n`;

export type ByeReason = 'draining' | 'too_slow' | 'credential' | 'age' | 'unavailable';

/** The last message. */
export const writeBye = (reason: ByeReason): string => message('bye', { reason });
