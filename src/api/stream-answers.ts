/** How routes answer with a stream (D201, D210). */
import { map, type Outcome } from '../domain/outcome';
import { readStreamPlace } from '../wire/streams';
import type { Call, LongAnswer } from './route';
import type { Item, Streams } from './streams';

export const EVENT_STREAM = 'text/event-stream';

/** Answers a call with a stream that begins where its query and its headers say. */
export function answerWithStream<One extends Item>(
  { cell, environment, partner, query, headers }: Call<{ since?: string | undefined }>,
  streams: Streams<One>,
  wants: (item: One) => boolean,
): Outcome<LongAnswer> {
  const place = readStreamPlace(query.since, headers['last-event-id']?.toString(), Date.now());
  if (!place.ok) return place;
  const listener = { cell, environment: environment.name, partnerId: partner.id };
  return map(streams.open(listener, { ...place.value, wants }), (opened) => ({
    ...opened,
    status: 200,
    // `X-Accel-Buffering` keeps nginx from holding back what was sent.
    headers: { 'Content-Type': EVENT_STREAM, 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' },
  }));
}
