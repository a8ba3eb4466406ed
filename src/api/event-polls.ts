/** Polls of events, for programs behind proxies that hold streams back: an answer waits until there is an event (D212). */
import { Readable } from 'node:stream';
import { listEventsBehind } from '../db/events/event-polls';
import type { PollPlace } from '../domain/deliveries';
import { done, type Outcome } from '../domain/outcome';
import { writeEvent, type Poll } from '../wire/events';
import { isAway } from './outage-log';
import { dataAnswer, type Answer, type Call, type LongAnswer } from './route';

const placeOf = ({ id }: Call['partner']): string => `events/after/${id}`;

/** A place is sealed, because a snapshot of Postgres says how much all partners together write. */
const writePlace = (
  { environment, partner }: Pick<Call, 'environment' | 'partner'>,
  place: PollPlace,
): string => environment.sealing.seal(JSON.stringify(place), placeOf(partner));

/** @returns null for a text that is no place of this partner. */
export function readPlace(
  { environment, partner }: Pick<Call, 'environment' | 'partner'>,
  text: string,
): PollPlace | null {
  try {
    return JSON.parse(environment.sealing.open(text, placeOf(partner))) as PollPlace;
  } catch {
    return null;
  }
}

/**
 * Answers with the events behind a place, oldest first. Where there is none, the answer begins at once and ends with the
 * first event, or when its time is over. Where Postgres is away by then it ends without events and with the same place.
 */
export async function answerPoll(
  call: Call<{ limit: number; after?: string | undefined }>,
  { place, waitMs }: Poll,
): Promise<Outcome<Answer | LongAnswer>> {
  const { services, environment, cell, partner } = call;
  const { after } = call.query;
  const find = () => listEventsBehind(cell, partner.id, place, call.query.limit);
  const write = (
    { events, hasMore, place: next }: Awaited<ReturnType<typeof find>>,
    nextAfter = writePlace(call, next),
  ): Answer =>
    dataAnswer(call, 200, events.map(writeEvent), {
      next_cursor: null,
      has_more: hasMore,
      next_after: nextAfter,
    });
  const first = await find();
  if (first.events.length > 0 || waitMs === 0) return done(write(first));

  const heard = services.eventStreams.hear({ cell, environment: environment.name, partnerId: partner.id });
  if (!heard.ok) return heard;
  const ear = heard.value;
  const timer = setTimeout(ear.close, waitMs);
  const body = new Readable({
    read: () => undefined,
    destroy(error, callback) {
      ear.close();
      callback(error);
    },
  });
  async function wait(): Promise<void> {
    let [isOver, found] = [false, first];
    while (!isOver && found.events.length === 0) {
      isOver = !(await ear.rings());
      // A credential that is no longer in force is told nothing.
      found = isRevoked ? first : await find();
    }
    end(write(found));
  }
  function end(answer: Answer): void {
    body.push(answer.body);
    body.push(null);
  }
  let isRevoked = false;
  wait()
    .catch((error: unknown) => {
      if (isAway(error)) end(write(first, after === 'now' ? undefined : after));
      else body.destroy(error instanceof Error ? error : new Error(String(error)));
    })
    .finally(() => {
      clearTimeout(timer);
      ear.close();
    });
  return done({
    status: 200,
    body,
    headers: { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' },
    revoke() {
      isRevoked = true;
      ear.close();
    },
  });
}
