/**
 * A lane is one connection that writes one batch after another. What was queued while a batch was written is the next
 * batch. So an idle lane adds no delay, and a busy lane shares each fsync among many movements.
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
 * A batch is at most half of what the last one had and of what is queued now, because callers call again when they are
 * answered: one half is written while the callers of the other are answered. If a batch took everything, the next one
 * would find the one caller who came late, the one after it all others, and Postgres and Node would wait for each other in
 * turns (docs/decisions/0044). Smaller halves would cost Postgres more than they save, and larger batches are worth their
 * cost whatever comes after them.
 */
const HALF = { least: 8, most: 64 };
/** Four batches, which take far less than a second. */
const QUEUE_MAX = 4 * BATCH_MAX;
/**
 * Half of the two seconds in which an accepted payment is answered (G28): the other half is for what comes before the
 * lane and after it. A batch that takes longer waits for something, and nobody knows for how long.
 */
const LATE_AFTER_MS = 1_000;

/**
 * @param run writes one batch, and never throws for one of its items; throwing means that the connection is not to
 *   be used again. It gives a function that answers the items. That function is called when the next batch is on
 *   its way, so that Postgres reads for the next batch while the callers of this one are answered.
 */
export function openLane<Item>(options: {
  connect: pg.ClientConfig;
  onError: (error: Error) => void;
  run: (client: pg.Client, batch: Item[]) => Promise<() => void>;
  fail: (batch: Item[], error: unknown) => void;
}): Lane<Item> {
  const queue: Item[] = [];
  let client: pg.Client | null = null;
  let draining = false;
  let batchSince = 0;
  /** How long the last batch took. */
  let batchMs = 0;
  let whenIdle: (() => void)[] = [];

  const isCrowded = (): boolean => queue.length >= QUEUE_MAX;

  /** How long an item that came now would wait for its commit, if the next batches take as long as the last one. */
  function expectedMs(): number {
    if (!draining) return 0;
    const underWayMs = performance.now() - batchSince;
    const batchesFirst = Math.floor(queue.length / BATCH_MAX);
    return Math.max(batchMs, underWayMs) + batchesFirst * batchMs;
  }

  /** How many of those that are queued are written next. */
  function nextSize(lastSize: number): number {
    const half = Math.ceil((lastSize + queue.length) / 2);
    return half > HALF.most ? BATCH_MAX : Math.max(half, HALF.least);
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

  async function drain(): Promise<void> {
    // Calls that arrive in the same turn of the event loop go into one batch.
    await Promise.resolve();
    let answer = (): void => undefined;
    let lastSize = 0;
    while (queue.length > 0) {
      const batch = queue.splice(0, nextSize(lastSize));
      lastSize = batch.length;
      batchSince = performance.now();
      try {
        const running = options.run(await connected(), batch);
        answer();
        answer = () => undefined;
        answer = await running;
        batchMs = performance.now() - batchSince;
      } catch (error) {
        const broken = client;
        client = null;
        // It is not awaited, because to close a connection that does not answer may hang.
        broken?.end().catch(() => undefined);
        options.fail(batch, error);
      }
    }
    answer();
    draining = false;
    whenIdle.forEach((tell) => tell());
    whenIdle = [];
  }

  return {
    push(item) {
      queue.push(item);
      if (draining) return;
      draining = true;
      batchSince = performance.now();
      void drain();
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
