/**
 * The open streams of a process: of events (D201), or of requests (D210). While streams are open in a cell, one statement
 * every half second asks for the ids of what their partners got latest; without a stream nothing is asked. NOTIFY would
 * tell of it sooner, but takes a lock at every commit of a payment.
 *
 * What is written within thirty seconds of the time of its id is not lost, and an event is written within ten. Ids are made
 * before the commit, so an id may appear among ids that were read before. So each look goes back two seconds, and every
 * tenth one thirty; a stream remembers what it has sent. A continued stream begins thirty seconds before its place, because
 * what it missed may have smaller ids than what it got.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import type { SealedCell } from '../db/pg/postgres';
import type { EnvironmentName } from '../domain/partners';
import { done, map, refuse, type Outcome } from '../domain/outcome';
import { firstIdOf, madeAtMs } from '../domain/time-ordered-ids';
import { writeBye, writeGap, writePing, writeReady, type ByeReason, type StreamPlace } from '../wire/streams';

const LOOK_EVERY_MS = 500;
const BACK_MS = 2_000;
const FAR_BACK_MS = 30_000;
const FAR_BACK_EVERY = 10;
/** A stream remembers what it has sent for this time at least, which is longer than any look goes back. */
const REMEMBERED_MS = 60_000;
const PING_EVERY_MS = 15_000;
const AGE_MAX_MS = 1_800_000;

const OF_PARTNER_MAX = 5;
const OPEN_MAX = 500;
const UNSENT_MAX_BYTES = 1_048_576;
/** Of all streams together; when there is more, no stream may have more than its share. */
const ALL_UNSENT_MAX_BYTES = 67_108_864;
const SHARE_BYTES = ALL_UNSENT_MAX_BYTES / OPEN_MAX;
/** How many items are read at once. */
const BATCH = 500;

/** Who asks for a stream. */
interface Listener {
  cell: SealedCell;
  environment: EnvironmentName;
  partnerId: string;
}

/** What a stream tells of, each with a time-ordered id. */
export interface Item {
  id: string;
  partnerId: string;
}

/** Where the items of streams come from. */
export interface Source<One extends Item> {
  /** What they are, for the log. */
  name: string;
  /** For how long they are kept at least. */
  keptMs: (environment: EnvironmentName) => number;
  /** The ids of these partners' items that are greater than an id, for each partner in their order. */
  listIds: (cell: SealedCell, partnerIds: readonly string[], fromId: string) => Promise<Item[]>;
  /** The ids of a partner's items between two ids, oldest first. */
  listIdsBetween: (
    cell: SealedCell,
    partnerId: string,
    between: { afterId: string; beforeId: string; limit: number },
  ) => Promise<string[]>;
  /** The items of these ids, oldest first. One that has been deleted since is not among them. */
  listOfIds: (cell: SealedCell, ids: readonly Item[]) => Promise<One[]>;
  write: (item: One) => string;
}

/** What a stream was asked for. */
interface Asked<One> extends StreamPlace {
  wants: (item: One) => boolean;
}

export interface Streams<One extends Item> {
  /**
   * Opens a stream.
   * @returns its text, and what ends it when its credential is no longer in force; LIMIT_EXCEEDED when the partner has
   *   as many as it may; SERVICE_UNAVAILABLE when the process has, or ends.
   */
  open(listener: Listener, asked: Asked<One>): Outcome<{ body: Readable; revoke: () => void }>;
  /**
   * Opens an ear, which takes the place of a stream until it is closed.
   * @returns the refusals of a stream.
   */
  hear(listener: Listener): Outcome<Ear>;
  /** Ends all streams and opens no other, so that the process can stop: their clients go on elsewhere. */
  drain(): void;
}

/** @param logger hears of looks that failed; the next one makes up for them. */
export function createStreams<One extends Item>(logger: Logger, source: Source<One>): Streams<One> {
  const open = new Set<OpenStream<One>>();
  const looks = new Map<SealedCell, { at: number; count: number }>();
  let timer: NodeJS.Timeout | null = null;
  let isDraining = false;

  /** Looks as long as there are streams. */
  function keepLooking(): void {
    timer ??= setTimeout(() => {
      void look().finally(() => {
        timer = null;
        if (open.size > 0) keepLooking();
        else looks.clear();
      });
    }, LOOK_EVERY_MS).unref();
  }

  async function look(): Promise<void> {
    let unsent = 0;
    for (const stream of open) unsent += stream.unsent();
    const unsentMax = unsent > ALL_UNSENT_MAX_BYTES ? SHARE_BYTES : UNSENT_MAX_BYTES;
    const cells = new Set([...open].filter((stream) => stream.isLive).map(({ listener }) => listener.cell));
    for (const cell of looks.keys()) if (!cells.has(cell)) looks.delete(cell);
    await Promise.all([...cells].map((cell) => lookInto(cell)));
    for (const stream of open) stream.tick(looks.get(stream.listener.cell)?.at ?? null, unsentMax);
  }

  async function lookInto(cell: SealedCell): Promise<void> {
    const startedAt = Date.now();
    const last = looks.get(cell) ?? { at: startedAt, count: 0 };
    const streams = [...open].filter((stream) => stream.isLive && stream.listener.cell === cell);
    const partners = [...new Set(streams.map(({ listener }) => listener.partnerId))];
    // After a look that failed, too, the next one goes back from the last that did not.
    const isFar = last.count % FAR_BACK_EVERY === 0 || startedAt - last.at > BACK_MS;
    try {
      const fromId = firstIdOf(last.at - (isFar ? FAR_BACK_MS : BACK_MS));
      const found = await source.listIds(cell, partners, fromId);
      const missing = found.filter(({ partnerId, id }) =>
        streams.some((stream) => stream.listener.partnerId === partnerId && stream.lacks(id)),
      );
      for (let at = 0; at < missing.length; at += BATCH) {
        for (const item of await source.listOfIds(cell, missing.slice(at, at + BATCH))) {
          for (const stream of streams) if (stream.listener.partnerId === item.partnerId) stream.tell(item);
        }
        await turn();
      }
      looks.set(cell, { at: startedAt, count: last.count + 1 });
    } catch (error) {
      looks.set(cell, last);
      logger.warn(
        { err: error },
        `A look for the ${source.name} of open streams failed; the next one makes up for it`,
      );
    }
  }

  /** @returns how many streams the partner has with one more; or why it may not have it. */
  function placeFor({ partnerId, environment }: Listener): Outcome<number> {
    if (isDraining || open.size >= OPEN_MAX) return refuse('SERVICE_UNAVAILABLE');
    const own = [...open].filter(
      (one) => one.listener.partnerId === partnerId && one.listener.environment === environment,
    ).length;
    if (own >= OF_PARTNER_MAX) {
      return refuse('LIMIT_EXCEEDED', {
        message: `At most ${String(OF_PARTNER_MAX)} streams may be open at once`,
      });
    }
    return done(own + 1);
  }

  return {
    open(listener, asked) {
      const place = placeFor(listener);
      if (!place.ok) return place;
      const stream: Stream<One> = openStream(source, listener, asked, place.value, {
        onEnd: () => void open.delete(stream),
        onFailure: (error) =>
          logger.warn({ err: error }, `A stream of ${source.name} ended because they could not be read`),
      });
      open.add(stream);
      keepLooking();
      return done({ body: stream.body, revoke: () => stream.bye('credential') });
    },
    hear(listener) {
      return map(placeFor(listener), () => {
        const ear = openEar<One>(listener, () => void open.delete(ear.stream));
        open.add(ear.stream);
        keepLooking();
        return ear;
      });
    },
    drain() {
      isDraining = true;
      for (const stream of open) stream.bye('draining');
    },
  };
}

interface Hooks {
  onEnd: () => void;
  onFailure: (error: unknown) => void;
}

interface OpenStream<One> {
  readonly listener: Listener;
  /** Whether it has come up with the present, so that looks serve it. */
  readonly isLive: boolean;
  /** Whether an item was not sent yet. */
  lacks(id: string): boolean;
  /** Sends an item, unless it was sent or is another one than was asked for. */
  tell(item: One): void;
  /** Pings, and ends a stream that is too old or too far behind. @param lookedAt the start of the last good look. */
  tick(lookedAt: number | null, unsentMax: number): void;
  /** How many bytes wait for the reader. */
  unsent(): number;
  bye(reason: ByeReason): void;
}

interface Stream<One> extends OpenStream<One> {
  readonly body: Readable;
}

/** Hears that there is something new, and does not say what. */
interface Ear {
  /** Waits for something that was written since the ear was opened, or shortly before. @returns false once it is closed. */
  rings(): Promise<boolean>;
  close(): void;
}

function openEar<One extends Item>(listener: Listener, onEnd: () => void): Ear & { stream: OpenStream<One> } {
  const memory = createMemory();
  let [isRung, isClosed] = [false, false];
  let wake: (() => void) | null = null;
  function close(): void {
    isClosed = true;
    wake?.();
    onEnd();
  }
  return {
    stream: {
      listener,
      isLive: true,
      lacks: memory.lacks,
      tell({ id }) {
        if (!memory.lacks(id)) return;
        memory.note(id);
        isRung = true;
        wake?.();
      },
      tick: () => undefined,
      unsent: () => 0,
      bye: close,
    },
    async rings() {
      if (!isRung && !isClosed) await new Promise<void>((resolve) => (wake = resolve));
      isRung = false;
      return !isClosed;
    },
    close,
  };
}

function openStream<One extends Item>(
  source: Source<One>,
  listener: Listener,
  asked: Asked<One>,
  streams: number,
  hooks: Hooks,
): Stream<One> {
  const { cell, partnerId, environment } = listener;
  const keptMs = source.keptMs(environment);
  const openedAt = Date.now();
  const placeId = asked.afterId ?? firstIdOf(openedAt);
  const placeMs = madeAtMs(placeId) ?? openedAt;
  const floorId = asked.afterId === null ? firstIdOf(openedAt - REMEMBERED_MS) : begin();
  const memory = createMemory();
  let isLive = false;
  let isOver = false;
  let isFull = false;
  let pingAt = openedAt + PING_EVERY_MS;
  let goOn: (() => void) | null = null;

  const body = new Readable({
    read: () => goOn?.(),
    destroy(error, callback) {
      end();
      callback(error);
    },
  });

  /** What an earlier stream missed may have smaller ids than the last that it got. */
  function begin(): string {
    return asked.isContinued ? firstIdOf(placeMs - FAR_BACK_MS) : placeId;
  }

  function end(): void {
    isOver = true;
    isLive = false;
    goOn?.();
    hooks.onEnd();
  }

  function bye(reason: ByeReason): void {
    if (isOver) return;
    end();
    body.push(writeBye(reason));
    body.push(null);
  }

  function write(text: string): void {
    if (isOver) return;
    pingAt = Date.now() + PING_EVERY_MS;
    body.push(text);
  }

  const lacks = (id: string): boolean => id > floorId && memory.lacks(id);

  function tell(item: One): void {
    if (!lacks(item.id)) return;
    memory.note(item.id);
    if (asked.wants(item)) write(source.write(item));
  }

  /** Waits until the reader has taken most of what it was sent. */
  async function room(): Promise<void> {
    const mustWait = (): boolean => body.readableLength >= body.readableHighWaterMark && !isOver;
    while (mustWait()) await new Promise<void>((resolve) => (goOn = resolve));
  }

  /** Sends the items of these ids. @param waits no faster than the reader takes them. */
  async function tellOf(ids: readonly string[], waits: boolean): Promise<void> {
    const missing = ids.filter(lacks).map((id) => ({ partnerId, id }));
    for (let at = 0; at < missing.length && !isOver; at += BATCH) {
      for (const item of await source.listOfIds(cell, missing.slice(at, at + BATCH))) tell(item);
      if (waits) await room();
    }
  }

  const idsFrom = async (timeMs: number): Promise<string[]> =>
    (await source.listIds(cell, [partnerId], firstIdOf(timeMs))).map(({ id }) => id);

  /** What is in the books now was before the stream. */
  async function beginNow(): Promise<void> {
    for (const id of await idsFrom(openedAt - REMEMBERED_MS)) memory.note(id);
    write(writeReady(environment, streams, placeId));
    isLive = !isOver;
  }

  /**
   * Begins in the past. What is older than any write that is under way is read page by page. Among the rest others may
   * still appear, so it is read again until that takes no time, and from then on by the common looks.
   */
  async function catchUp(): Promise<void> {
    write(writeReady(environment, streams, placeId));
    if (placeMs < openedAt - keptMs) write(writeGap(openedAt - keptMs));
    let afterId = floorId;
    for (;;) {
      const startedAt = Date.now();
      const settledId = firstIdOf(startedAt - FAR_BACK_MS);
      for (let ids = [afterId]; ids.length > 0 && !isOver; afterId = ids.at(-1) ?? settledId) {
        ids = await source.listIdsBetween(cell, partnerId, { afterId, beforeId: settledId, limit: BATCH });
        await tellOf(ids, true);
      }
      await tellOf(await idsFrom(startedAt - FAR_BACK_MS), true);
      if (isOver) return;
      if (Date.now() - startedAt < BACK_MS) break;
    }
    isLive = true;
    // The reader is near the present: what was committed in these seconds is sent without waiting, before later ones.
    await tellOf(await idsFrom(Date.now() - FAR_BACK_MS), false);
  }

  /** Whether the reader has left too much from one tick to the next. Many items at once make nobody slow. */
  function isBehind(unsentMax: number): boolean {
    const wasFull = isFull;
    isFull = isLive && body.readableLength > unsentMax;
    return wasFull && isFull;
  }

  (asked.afterId === null ? beginNow() : catchUp()).catch((error: unknown) => {
    hooks.onFailure(error);
    bye('unavailable');
  });

  return {
    listener,
    body,
    get isLive() {
      return isLive;
    },
    lacks,
    tell,
    tick(lookedAt, unsentMax) {
      const now = Date.now();
      if (now - openedAt > AGE_MAX_MS) bye('age');
      else if (isBehind(unsentMax)) bye('too_slow');
      else if (now >= pingAt && body.readableLength === 0) {
        write(writePing(isLive && lookedAt !== null && lookedAt > openedAt ? firstIdOf(lookedAt) : null));
      }
    },
    unsent: () => body.readableLength,
    bye,
  };
}

/** Remembers ids for `REMEMBERED_MS` to twice as long. */
function createMemory() {
  let [recent, older] = [new Set<string>(), new Set<string>()];
  let changedAt = Date.now();
  return {
    note(id: string): void {
      if (Date.now() - changedAt > REMEMBERED_MS) {
        [older, recent, changedAt] = [recent, new Set(), Date.now()];
      }
      recent.add(id);
    },
    lacks: (id: string): boolean => !recent.has(id) && !older.has(id),
  };
}
