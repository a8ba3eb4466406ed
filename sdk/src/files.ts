/** Files that come part by part, and end where they should. */
import { connectionErrorOf, TimeoutError, UnreadableAnswerError } from './errors.ts';

/** How the last bytes of a file look: a proxy may end an answer that broke off as if it were whole. */
const END_OF_PDF = /%%EOF\s*$/;
/** A statement ends with a line that is no entry. */
const END_OF_CSV = /\n,[^\n]*closing_balance[^\n]*\n$/;
const END_BYTES = 1_024;

/** Opens the answer: the type of its content is the last argument. */
type Open = (signal: AbortSignal, type: string) => Promise<ReadableStream<Uint8Array>>;

/**
 * The parts of a statement, once its answer has begun. Each part may take as long as another answer.
 * @param what the method and the address.
 * @throws ConnectionError when it does not begin or breaks off, UnreadableAnswerError when it ends too early or is no
 * such file, and ApiError for a refusal.
 */
export async function openFile(
  what: string,
  isPdf: boolean,
  open: Open,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const connection = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  let failure: Error | undefined;
  // Node forgets the signal of a fetch once its request is collected as garbage, so the reader is ended too.
  const end = (): void => {
    connection.abort();
    reader?.cancel().catch(() => undefined);
  };
  const stop = (why: Error): void => {
    failure ??= why;
    end();
  };
  const onAbort = (): void => stop(signal?.reason as Error);
  signal?.throwIfAborted();
  signal?.addEventListener('abort', onAbort, { once: true });
  const late = (): void => stop(new TimeoutError(`${what}: nothing came for ${String(timeoutMs)} ms`));
  let timer = setTimeout(late, timeoutMs);
  const close = (): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    end();
  };
  try {
    reader = (await open(connection.signal, isPdf ? 'application/pdf' : 'text/csv')).getReader();
  } catch (error) {
    const why = failure ?? error;
    close();
    throw why;
  }
  return parts(reader);

  async function* parts(from: ReadableStreamDefaultReader<Uint8Array>) {
    let tail = '';
    try {
      for (;;) {
        clearTimeout(timer);
        timer = setTimeout(late, timeoutMs);
        const { done, value } = await from.read().catch((cause: unknown) => {
          throw failure ?? connectionErrorOf(what, cause);
        });
        if (failure) throw failure;
        if (done) break;
        // However slow the reader of this file is, the platform is not to blame.
        clearTimeout(timer);
        tail = (tail + String.fromCharCode(...value.subarray(-END_BYTES))).slice(-END_BYTES);
        yield value;
      }
    } finally {
      close();
    }
    if (!(isPdf ? END_OF_PDF : END_OF_CSV).test(tail))
      throw new UnreadableAnswerError(what, 200, 'a file that ends too early');
  }
}
