/**
 * A lane is one connection that writes one batch after another. Whatever queued while a batch was in
 * flight is the next one, so an idle lane adds no delay and a busy one shares each fsync among many.
 */
import pg from 'pg';

export interface Lane<Item> {
  push(item: Item): void;
  /** Waits for what is queued, then closes the connection. */
  close(): Promise<void>;
}

const BATCH_MAX = 256;

/**
 * @param run writes one batch; it answers every item itself and never throws for one of them.
 *   Throwing means that the connection is not to be used again.
 */
export function openLane<Item>(options: {
  connect: pg.ClientConfig;
  onError: (error: Error) => void;
  run: (client: pg.Client, batch: Item[]) => Promise<void>;
  fail: (batch: Item[], error: unknown) => void;
}): Lane<Item> {
  const queue: Item[] = [];
  let client: pg.Client | null = null;
  let draining = false;
  let whenIdle: (() => void)[] = [];

  async function connected(): Promise<pg.Client> {
    if (client) return client;
    const fresh = new pg.Client(options.connect);
    // A connection that breaks while idle is replaced by the next batch; without a listener it would end the process.
    fresh.on('error', (error) => {
      options.onError(error);
      if (client === fresh) client = null;
    });
    await fresh.connect();
    return (client = fresh);
  }

  async function drain(): Promise<void> {
    // Calls that arrive in the same turn of the event loop travel together.
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = queue.splice(0, BATCH_MAX);
      try {
        await options.run(await connected(), batch);
      } catch (error) {
        const broken = client;
        client = null;
        // Not awaited: saying goodbye to a connection that does not answer may hang.
        broken?.end().catch(() => undefined);
        options.fail(batch, error);
      }
    }
    draining = false;
    whenIdle.forEach((tell) => tell());
    whenIdle = [];
  }

  return {
    push(item) {
      queue.push(item);
      if (draining) return;
      draining = true;
      void drain();
    },
    async close() {
      if (draining) await new Promise<void>((resolve) => whenIdle.push(resolve));
      await client?.end();
      client = null;
    },
  };
}
