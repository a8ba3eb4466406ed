/** Files that come part by part, and end where they should. */
import { connectionErrorOf, TimeoutError, UnreadableAnswerError, WalletError } from './errors.ts';

/** How the last bytes of a file look: a proxy may end an answer that broke off as if it were whole. */
const END_OF_PDF = /%%EOF\s*$/;
/** A statement ends with a line that is no entry. */
const END_OF_CSV = /\n,[^\n]*closing_balance[^\n]*\n$/;
const END_BYTES = 1_024;

/** Opens the answer: the type of its content is the last argument. */
type Open = (signal: AbortSignal, type: string) => Promise<ReadableStream<Uint8Array>>;

/**
 * The parts of a statement. Each may take as long as another answer.
 * @param what the method and the address.
 * @throws ConnectionError when it does not begin or breaks off, UnreadableAnswerError when it ends too early or is no
 * such file, and ApiError for a refusal.
 */
export async function* partsOf(
  what: string,
  isPdf: boolean,
  open: Open,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): AsyncGenerator<Uint8Array, void, undefined> {
  const connection = new AbortController();
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  // Node forgets the signal of a fetch once its request is collected as garbage, so the reader is ended too.
  const end = (why?: unknown): void => {
    connection.abort(why);
    reader?.cancel().catch(() => undefined);
  };
  const onAbort = (): void => end(signal?.reason);
  const late = (): void => end(new TimeoutError(`${what}: no answer came within ${String(timeoutMs)} ms`));
  signal?.throwIfAborted();
  signal?.addEventListener('abort', onAbort, { once: true });
  let timer = setTimeout(late, timeoutMs);
  let tail = '';
  try {
    reader = (await open(connection.signal, isPdf ? 'application/pdf' : 'text/csv')).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      connection.signal.throwIfAborted();
      if (done) break;
      tail = (tail + String.fromCharCode(...value.subarray(-END_BYTES))).slice(-END_BYTES);
      // However slow the reader of this file is, the platform is not to blame: nothing limits this.
      yield value;
      timer = setTimeout(late, timeoutMs);
    }
  } catch (error) {
    connection.signal.throwIfAborted();
    throw error instanceof WalletError ? error : connectionErrorOf(what, error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
    end();
  }
  if (!(isPdf ? END_OF_PDF : END_OF_CSV).test(tail))
    throw new UnreadableAnswerError(what, 200, 'a file that ends too early');
}
