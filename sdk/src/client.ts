/** The client: all operations of the document, what waits for the outcome of one, and the streams. */
import { pause } from './core.ts';
import { TimeoutError } from './errors.ts';
import { Events, Operations, Requests, Transactions } from './operations.ts';
import type { CallOptions } from './options.ts';
import type { Transaction } from './schema.ts';
import {
  pollEvents,
  streamEvents,
  streamRequests,
  type RequestStreamOptions,
  type StreamedEvent,
  type StreamedRequest,
  type StreamOptions,
} from './stream.ts';

const WAITS_MS = [500, 1_000, 2_000, 4_000, 5_000];

class TransactionsWithOutcome extends Transactions {
  /**
   * Asks until a transaction is neither `pending` nor `processing`, after 0.5, 1, 2, 4, 5, 5, ... seconds.
   * @throws TimeoutError when `timeoutMs` (60,000 by default) are over; the transaction goes on.
   */
  async untilFinal(id: string, options: CallOptions = {}): Promise<Transaction> {
    const { timeoutMs = 60_000, ...rest } = options;
    const deadline = Date.now() + timeoutMs;
    for (let asked = 0; ; asked++) {
      const transaction = await this.get(id, rest);
      if (transaction.status !== 'pending' && transaction.status !== 'processing') return transaction;
      const waitMs = WAITS_MS[asked] ?? 5_000;
      if (Date.now() + waitMs > deadline) throw new TimeoutError('the transaction has no outcome yet');
      await pause(waitMs, rest.signal);
    }
  }
}

class EventsWithStream extends Events {
  /**
   * Gives the events as they are committed, each once. It goes on after breaks, until `signal` ends it.
   * @throws ApiError when the stream is refused.
   */
  stream(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return streamEvents(this.core, options);
  }
  /**
   * Gives the same events by calls that wait for them, for programs behind proxies that hold streams back.
   * @throws ApiError when a call is refused.
   */
  poll(options: StreamOptions = {}): AsyncGenerator<StreamedEvent, void, undefined> {
    return pollEvents(this.core, options);
  }
}

class RequestsWithStream extends Requests {
  /**
   * Gives the requests a moment after they were answered, each once. It goes on after breaks, until `signal` ends it.
   * @throws ApiError when the stream is refused.
   */
  stream(options: RequestStreamOptions = {}): AsyncGenerator<StreamedRequest, void, undefined> {
    return streamRequests(this.core, options);
  }
}

/** `new WalletClient({ apiKey, baseUrl })`: one partner in the environment of its key. */
export class WalletClient extends Operations {
  override readonly events = new EventsWithStream(this);
  override readonly requests = new RequestsWithStream(this);
  override readonly transactions = new TransactionsWithOutcome(this);
}
