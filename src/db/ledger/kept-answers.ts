/**
 * The answers that Idempotency-Keys repeat, byte for byte (D44). The answer of a split says the same for each leg, so a
 * large answer is kept compressed: it takes a hundredth of the room.
 */
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Postgres itself stores smaller texts well, and to compress them would only cost time. */
const LARGE_CHARACTERS = 32_768;
/** No answer begins like this, because every answer is a JSON object. */
export const COMPRESSED = 'br:';

/** The window is as long as any answer, and the speed is the highest: what repeats lies tens of kilobytes apart. */
const PARAMETERS = {
  [constants.BROTLI_PARAM_QUALITY]: 2,
  [constants.BROTLI_PARAM_LGWIN]: 22,
};

/** The text that is stored for an answer. */
export const packAnswer = (body: string): string =>
  body.length < LARGE_CHARACTERS
    ? body
    : COMPRESSED + brotliCompressSync(body, { params: PARAMETERS }).toString('base64');

/** The answer as it was given. */
export const unpackAnswer = (stored: string): string =>
  stored.startsWith(COMPRESSED)
    ? brotliDecompressSync(Buffer.from(stored.slice(COMPRESSED.length), 'base64')).toString()
    : stored;
