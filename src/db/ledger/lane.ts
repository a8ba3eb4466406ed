/**
 * A lane is one connection that writes one batch after another. What was queued while a batch was written is the next
 * batch. So an idle lane adds no delay, and a busy lane shares each fsync among many movements. A lane that sends ahead keeps
 * Postgres busy while Node answers one half of the callers and reads what the other half asks. Where other processes keep it
 * busy, a lane writes all its callers together.
 */
import pg from 'pg';

export interface Lane<Item> {
  push(item: Item): void;
  /** Whether an item that came now would be written too late, so that its caller should repeat it later (G28). */
  isFull(): boolean;
  /** Whether as much waits as may wait, however long the batch under way takes. */
  isCrowded(): boolean;
  /** Waits for what is queued, then closes the connection. */
  close(): Promise<void>;
}

const BATCH_MAX = 256;
/**
 * A batch is at most half of the callers, because callers call again when they are answered: one half is written while the
 * callers of the other are answered. If a batch took everything, the next one would find the one caller who came late, the
 * one after it all others, and Postgres and Node would wait for each other in turns (docs/decisions/0044). Smaller halves
 * would cost Postgres more than they save, and larger batches are worth their cost whatever comes after them.
 */
const HALF = { least: 8, most: 64 };
/**
 * Where other processes write, too, a batch waits for this share of the callers, who were answered just now, but not for
 * longer than this (docs/decisions/0047).
 */
const GATHER = { share: 0.9, withinMs: 4 };
/** Four batches, which take far less than a second. */
const QUEUE_MAX = 4 * BATCH_MAX;
/**
 * Half of the two seconds in which an accepted payment is answered (G28): the other half is for what comes before the
 * lane and after it. A batch that takes longer waits for something, and nobody knows for how long.
 */
const LATE_AFTER_MS = 1_000;

/** One batch on its way. */
interface Run<Item> {
  batch: Item[];
  client: pg.Client | null;
  /** Whether it works by several round trips now, so that nothing may be sent between them. */
  isAlone: boolean;
  /** When its first statement has been answered. */
  firstAnswered: Promise<void>;
  /** What answers its items; it never fails. */
  ended: Promise<() => void>;
}

/**
 * @param run writes one batch, and never throws for one of its items; throwing means that the connection is not to
 *   be used again. It gives a function that answers the items. That function is called when the next batch is on
 *   its way, so that Postgres reads for the next batch while the callers of this one are answered. With `sendsAhead` it
 *   is called for the next batch while one is on its way, and may send one round at once; before it sends anything else it
 *   waits for `alone`.
 * @param sendsAhead whether half of the callers are sent to Postgres behind a batch that is not answered yet, so that
 *   Postgres begins with them as soon as it has ended that batch (docs/decisions/0045).
 * @param isShared whether other processes keep Postgres busy now: then nothing is sent ahead.
 */
export function openLane<Item>(options: {
  connect: pg.ClientConfig;
  onError: (error: Error) => void;
  run: (client: pg.Client, batch: Item[], alone: () => Promise<void>) => Promise<() => void>;
  fail: (batch: Item[], error: unknown) => void;
  sendsAhead: boolean;
  isShared: () => boolean;
}): Lane<Item> {
  const queue: Item[] = [];
  let client: pg.Client | null = null;
  let draining = false;
  /** The batch that Postgres works on or has just ended, and the one that was sent behind it. */
  let current: Run<Item> | null = null;
  let ahead: Run<Item> | null = null;
  /** How many callers there are, as far as they were seen at one time. */
  let callers = 0;
  let batchSince = 0;
  /** How long the last batch took. */
  let batchMs = 0;
  let whenIdle: (() => void)[] = [];
  /** How many callers a batch waits for, and what begins with it; null while none waits. */
  let gathering: { size: number; begin: () => void } | null = null;

  const isCrowded = (): boolean => queue.length >= QUEUE_MAX;

  /** How long an item that came now would wait for its commit, if the next batches take as long as the last one. */
  function expectedMs(): number {
    if (!draining) return 0;
    const underWayMs = performance.now() - batchSince;
    const batchesFirst = Math.floor(queue.length / BATCH_MAX);
    return Math.max(batchMs, underWayMs) + batchesFirst * batchMs;
  }

  function countCallers(): void {
    const underWay = (current?.batch.length ?? 0) + (ahead?.batch.length ?? 0);
    callers = Math.max(callers, underWay + queue.length);
  }

  /** How many of those that are queued are written next, at most. Who was answered just now calls again. */
  function half(): number {
    countCallers();
    if (options.isShared()) return BATCH_MAX;
    const size = Math.ceil(callers / 2);
    return size > HALF.most ? BATCH_MAX : Math.max(size, HALF.least);
  }

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    const fresh = new pg.Client(options.connect);
    // A connection that breaks while idle is replaced by the next batch; without a listener it would end the
    // process.
    fresh.on('error', (error) => {
      options.onError(error);
      if (client === fresh) client = null;
    });
    await fresh.connect();
    return (client = fresh);
  }

  /** Begins with the next batch. @param before the batch that it was sent behind, if there is one. */
  function begin(before: Run<Item> | null): Run<Item> {
    const size = half();
    // In case callers have gone, one is forgotten with each batch.
    callers -= 1;
    let answerFirst = (): void => undefined;
    const run: Run<Item> = {
      batch: queue.splice(0, size),
      client: null,
      isAlone: false,
      firstAnswered: new Promise((resolve) => (answerFirst = resolve)),
      ended: Promise.resolve(answered),
    };
    const alone = async (): Promise<void> => {
      run.isAlone = true;
      answerFirst();
      await before?.ended;
      await ahead?.firstAnswered;
    };
    const write = async (): Promise<() => void> => {
      try {
        run.client = client ?? (await connected());
        return await options.run(run.client, run.batch, alone);
      } catch (error) {
        if (client === run.client) client = null;
        // It is not awaited, because to close a connection that does not answer may hang.
        run.client?.end().catch(() => undefined);
        options.fail(run.batch, error);
        return answered;
      } finally {
        answerFirst();
      }
    };
    run.ended = write();
    return run;
  }

  /** Sends half of the callers behind the batch under way as soon as they are there. */
  function sendAhead(): void {
    if (!current || ahead || current.isAlone || !client || current.client !== client) return;
    if (options.isShared()) return;
    if (queue.length >= half()) ahead = begin(current);
  }

  /** Waits until almost all callers are there. Too few callers would save less than the wait costs. */
  async function gather(): Promise<void> {
    const size = Math.ceil(GATHER.share * callers);
    if (callers < HALF.least || queue.length >= size) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER.withinMs);
      gathering = {
        size,
        begin() {
          clearTimeout(timer);
          resolve();
        },
      };
    });
    gathering = null;
  }

  async function drain(): Promise<void> {
    // Calls that arrive in the same turn of the event loop go into one batch.
    await Promise.resolve();
    let answer = answered;
    while (ahead || queue.length > 0) {
      if (!ahead && options.isShared()) {
        countCallers();
        answer();
        answer = answered;
        current = null;
        await gather();
      }
      batchSince = performance.now();
      current = ahead ?? begin(null);
      ahead = null;
      answer();
      if (options.sendsAhead) sendAhead();
      answer = await current.ended;
      batchMs = performance.now() - batchSince;
    }
    answer();
    draining = false;
    current = null;
    whenIdle.forEach((tell) => tell());
    whenIdle = [];
  }

  return {
    push(item) {
      queue.push(item);
      if (!draining) {
        draining = true;
        batchSince = performance.now();
        void drain();
      } else if (gathering) {
        if (queue.length >= gathering.size) gathering.begin();
      } else if (options.sendsAhead) sendAhead();
    },
    isFull: () => isCrowded() || expectedMs() > LATE_AFTER_MS,
    isCrowded,
    async close() {
      if (draining) await new Promise<void>((resolve) => whenIdle.push(resolve));
      await client?.end();
      client = null;
    },
  };
}

/** Does nothing, because every item has its answer. */
const answered = (): void => undefined;
