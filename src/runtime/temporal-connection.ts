/** Connections to Temporal: one for each namespace, opened by its first call. Every call has a deadline. */
import {
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type ConnectionOptions,
} from '@temporalio/client';
import type { TemporalTransport } from './temporal-transport';

const CONNECT_MS = 5_000;
/** The deadline of one call with its retries. A caller that wants to wait for less uses `within`. */
const CALL_MS = 10_000;

/**
 * How soon a lost connection is opened again. The default waits up to two minutes after a long outage, during which
 * every call fails although Temporal is back.
 */
const RECONNECT_FIRST_MS = 250;
const RECONNECT_MAX_MS = 1_000;

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];
type CallOptions = Parameters<Interceptor>[0];

const endByItself = (options: CallOptions, call: (options: CallOptions) => unknown): unknown =>
  call({ ...options, deadline: options.deadline ?? Date.now() + CALL_MS });

/** @param transport where Temporal is, and how it is reached (temporal-transport.ts). */
export function temporalConnection(transport: TemporalTransport, namespace: string): Connection {
  const connection = Connection.lazy({
    ...transport,
    connectTimeout: CONNECT_MS,
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': RECONNECT_FIRST_MS,
      'grpc.max_reconnect_backoff_ms': RECONNECT_MAX_MS,
    },
    metadata: { 'temporal-namespace': namespace },
    // The default of ten attempts would hold a caller for twenty seconds while Temporal is away.
    interceptors: [
      endByItself as Interceptor,
      makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: 4 })),
    ],
  });
  // The client hands deadlines and metadata down in an AsyncLocalStorage. Before Node 24 one use of it slows down
  // every promise of the process from then on (decision 0039). So both are given to the connection instead.
  connection.callContextStorage.run = <Result, Args extends unknown[]>(
    _context: unknown,
    work: (...args: Args) => Result,
    ...args: Args
  ): Result => work(...args);
  return connection;
}

/** Temporal did not answer a call in the time that the caller has. */
export class NoAnswerError extends Error {}

/**
 * Waits for `work` for a limited time. What `work` asked Temporal for may still happen later.
 * @throws NoAnswerError when the time is up.
 */
export async function within<Result>(waitMs: number, work: () => Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new NoAnswerError(`no answer in ${waitMs} ms`)), waitMs);
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
