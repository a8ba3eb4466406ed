/** What calls give: the data of an answer, the pages of a list, and files. */
import type { CallOptions } from './options.ts';

export interface Answer<Data> {
  data: Data;
  status: number;
  /** By this id support finds the request. */
  requestId: string | null;
  /** Whether this is the answer to an earlier call with the same key or reference. */
  replayed: boolean;
  rateLimit: { limit: number; remaining: number; resetSeconds: number } | null;
}

/** A call that is on its way. Waiting for it gives the data of its answer. */
export class Call<Data> implements PromiseLike<Data> {
  readonly #answer: Promise<Answer<Data>>;
  constructor(answer: Promise<Answer<Data>>) {
    this.#answer = answer;
  }
  /** The data together with what the headers of the answer say. */
  withResponse(): Promise<Answer<Data>> {
    return this.#answer;
  }
  then<Done = Data, Failed = never>(
    done?: ((data: Data) => Done | PromiseLike<Done>) | null,
    failed?: ((reason: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Done | Failed> {
    return this.#answer.then(({ data }) => data).then(done, failed);
  }
  catch<Failed>(failed: (reason: unknown) => Failed | PromiseLike<Failed>): Promise<Data | Failed> {
    return this.then(null, failed);
  }
}

export interface Page<Item> {
  items: Item[];
  /** The `cursor` of the next page; null on the last. */
  nextCursor: string | null;
  /** Of events behind `after`: the `after` of the next call. */
  nextAfter?: string;
}

/** A list: `for await` goes through all pages, `page()` asks for one. */
export class Pages<Item> implements AsyncIterable<Item> {
  readonly #ask: (cursor: string | undefined) => Promise<Page<Item>>;
  constructor(ask: (cursor: string | undefined) => Promise<Page<Item>>) {
    this.#ask = ask;
  }
  page(): Promise<Page<Item>> {
    return this.#ask(undefined);
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    let cursor: string | undefined;
    do {
      const page: Page<Item> = await this.#ask(cursor);
      yield* page.items;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }
}

/** Runs something again as far as calls are repeated. */
type Repeat = <Done>(once: () => Promise<Done>) => Promise<Done>;

/**
 * A file: `for await` gives its parts as they come, `bytes()` gives it whole. What ends early is an error in both, and
 * never a shorter file; `bytes()` then asks once more.
 */
export class FileCall implements AsyncIterable<Uint8Array> {
  readonly #open: () => AsyncGenerator<Uint8Array, void, undefined>;
  readonly #repeat: Repeat;
  constructor(open: () => AsyncGenerator<Uint8Array, void, undefined>, repeat: Repeat) {
    this.#open = open;
    this.#repeat = repeat;
  }
  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, undefined> {
    // Only what has not begun can begin again.
    const { parts, first } = await this.#repeat(async () => {
      const opened = this.#open();
      return { parts: opened, first: await opened.next() };
    });
    try {
      if (!first.done) yield first.value;
      yield* parts;
    } finally {
      await parts.return();
    }
  }
  bytes(): Promise<Uint8Array> {
    return this.#repeat(async () => {
      const parts: Uint8Array[] = [];
      for await (const part of this.#open()) parts.push(part);
      const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      return whole;
    });
  }
}

/** What an operation is asked with. */
export interface Request {
  /** The values of the path, in their order. */
  parts?: readonly string[];
  body?: unknown;
  query?: object | undefined;
  options?: CallOptions | undefined;
}
