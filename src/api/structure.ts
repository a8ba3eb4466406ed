/**
 * Counts what makes JSON expensive before it is parsed: each value of a list and each field of an object needs one of the
 * characters `{ } [ ] , :`, and becomes many times as large in memory as it is in the body. So the number of values is
 * bounded in the bytes. Characters within a string are text and do not count: names, times and descriptions have them
 * as well.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Whether a byte is one of the characters. No byte of a longer character of UTF-8 is below 128. */
const COUNTS = Uint8Array.from({ length: 256 }, (_, byte) =>
  '{}[],:'.includes(String.fromCharCode(byte)) ? 1 : 0,
);

export interface StructureCounter {
  /** Counts the next bytes of a text. @returns how many characters there were by now, outside of strings. */
  add(bytes: Uint8Array): number;
}

/**
 * Counts over the parts of one text, however they are cut. Of a text that is not JSON, it has counted as far as a parser
 * would read.
 */
export function createStructureCounter(): StructureCounter {
  let count = 0;
  let inString = false;
  let escaped = false;
  return {
    add(bytes) {
      // Local variables, because this loop runs once for each byte of each body.
      let [sum, text, escape] = [count, inString, escaped];
      for (let at = 0; at < bytes.length; at++) {
        const byte = bytes[at] as number;
        if (!text) {
          if (byte === QUOTE) text = true;
          else sum += COUNTS[byte] as number;
        } else if (escape) escape = false;
        else if (byte === BACKSLASH) escape = true;
        else if (byte === QUOTE) text = false;
      }
      [count, inString, escaped] = [sum, text, escape];
      return count;
    },
  };
}

/** How many such characters a whole text has. */
export const structureOf = (bytes: Uint8Array): number => createStructureCounter().add(bytes);
