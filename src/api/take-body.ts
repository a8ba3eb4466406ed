/**
 * Takes the body of a request: what it costs is paid for before it is read. A large body takes one place of the rate limit for
 * each 256 KB that it announces, or one after the other as it comes in chunks; there is one of a partner and there are four in a
 * process at a time (R55). It is counted while it comes, and read in a thread.
 */
import type { IncomingMessage } from 'node:http';
import { done, type Outcome, type Refused } from '../domain/outcome';
import {
  announcedBytes,
  BODY_MAX_BYTES,
  headerProblem,
  LARGE_STRUCTURE_MAX,
  readBytes,
  readJson,
  type Reading,
} from './body';
import type { Places } from './places';
import type { Prepared } from './prepared';
import type { Route } from './route';
import { structureOf } from './structure';
import { readBulkBody } from './threads/read-bulk';
import type { Threads } from './threads/threads';

export interface TakenBody {
  /** The parsed body, or the head of one that was prepared. */
  value: unknown;
  /** What is wrong with its numbers. A prepared body has it in `prepared`. */
  inexact: Refused | null;
  prepared: Prepared | null;
  /** The length of one that was prepared. */
  bytes: number | null;
}

/** Who sends a body, and what stands for it. */
export interface BodyTaking {
  partnerId: string;
  params: Record<string, string>;
  largeBodies: Places;
  threads: Threads;
  /** Takes so many further places of the rate limit, or refuses. */
  pay: (places: number) => Promise<Refused | null>;
  /** Is called when the request is over, whatever its end is. */
  atEnd: (release: () => void) => void;
  /** Aborted when the caller has gone. */
  gone: () => AbortSignal;
}

/** For as much of a body a request takes one place: as much as most bodies have at most. */
const BYTES_PER_PLACE = BODY_MAX_BYTES;
/** A body that is smaller in both is read at once: it takes a few milliseconds. */
const THREAD_FROM = { bytes: 32_768, structure: 1_000 };
const JSON_OR_LINES = /^application\/(?:json|(?<lines>x-ndjson))\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const placesFor = (bytes: number): number => Math.max(1, Math.ceil(bytes / BYTES_PER_PLACE));

/**
 * @returns the body, or refused: PAYLOAD_TOO_LARGE, VALIDATION_ERROR, RATE_LIMIT_EXCEEDED, SERVICE_UNAVAILABLE. What the
 *   operation refuses in a prepared body is in `prepared`.
 * @throws when the caller goes before its body is read; UnavailableError when the threads are busy.
 */
export async function takeBody(
  route: Route,
  request: IncomingMessage,
  taking: BodyTaking,
): Promise<Outcome<TakenBody>> {
  if (route.largeBody) return takeLarge(route.largeBody.maxBytes, route, request, taking);
  const body = await readJson(request, route.bodyOptional);
  if (!body.ok) return body;
  const { value, inexact } = body.value;
  const tooMany = route.places && (await payFor(taking).upToPlaces(route.places(value)));
  return tooMany ?? done({ value, inexact, prepared: null, bytes: null });
}

async function takeLarge(
  maxBytes: number,
  { operation }: Route,
  request: IncomingMessage,
  taking: BodyTaking,
): Promise<Outcome<TakenBody>> {
  const wrong = headerProblem(
    request,
    maxBytes,
    JSON_OR_LINES,
    'must be application/json or application/x-ndjson',
  );
  if (wrong) return wrong;
  const paying = payFor(taking);
  const announced = announcedBytes(request.headers);
  const refused = await paying.upTo(announced);
  if (refused) return refused;
  const isAnnounced = request.headers['content-length'] !== undefined;
  const onMore: Reading['onMore'] = {
    fromBytes: BYTES_PER_PLACE,
    async ask(bytes) {
      const refused = await paying.upTo(bytes);
      return refused ?? done({ untilBytes: placesFor(bytes) * BYTES_PER_PLACE });
    },
  };
  const read = await readBytes(request, {
    maxBytes,
    structureMax: LARGE_STRUCTURE_MAX,
    ...(!isAnnounced && { onMore }),
  });
  if (!read.ok) return read;
  const bytes = read.value.length;
  const isLines = JSON_OR_LINES.exec(request.headers['content-type'] ?? '')?.groups?.['lines'] !== undefined;
  const { partnerId, params, threads, gone } = taking;
  const given = { bytes: new Uint8Array(read.value), isLines, operation, params };
  const prepared =
    bytes < THREAD_FROM.bytes && structureOf(given.bytes) < THREAD_FROM.structure
      ? readBulkBody(given)
      : await threads.run(partnerId, 'readBulk', given, { signal: gone(), handOver: [given.bytes.buffer] });
  const tooMany = await paying.upToPlaces(prepared.places);
  return tooMany ?? done({ value: prepared.head, inexact: null, prepared, bytes });
}

/** Pays for one body: the place of a large one, and the places of the rate limit, of which the request has one already. */
function payFor({ partnerId, largeBodies, pay, atEnd }: BodyTaking) {
  let paid = 1;
  let isLarge = false;
  async function upToPlaces(places: number): Promise<Refused | null> {
    const further = places - paid;
    if (further <= 0) return null;
    paid = places;
    return pay(further);
  }
  return {
    upToPlaces,
    async upTo(bytes: number): Promise<Refused | null> {
      if (bytes > BODY_MAX_BYTES && !isLarge) {
        const place = largeBodies.take(partnerId);
        if (!place.ok) return place;
        isLarge = true;
        atEnd(place.value);
      }
      return upToPlaces(placesFor(bytes));
    },
  };
}
