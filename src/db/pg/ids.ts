/** Ids of rows: time-ordered uuids, so that the newest index pages stay in memory (R5). */
import { createHash, randomFillSync } from 'node:crypto';
import { V7Generator } from 'uuidv7';

/** The package asks for random bytes for every second id, which costs more than the id itself. */
const random = new Uint32Array(1_024);
let used = random.length;

const generator = new V7Generator({
  nextUint32() {
    if (used === random.length) {
      randomFillSync(random);
      used = 0;
    }
    return random[used++] as number;
  },
});

/** The id of what a text names: always the same one, so that a second row finds the first (version 8 of RFC 9562). */
export function idNamed(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/**
 * The id of the stamp duty of a transfer: always the same one, so that it is charged once. It begins with the time of the
 * transfer, so that both are found on the newest index pages.
 */
export const dutyIdOf = (transactionId: string): string =>
  transactionId.slice(0, 13) + idNamed(`duty/${transactionId}`).slice(13);

/** The smallest id of a moment. Ids begin with their time, so the primary key finds the newest rows. */
export function firstIdSince(atMs: number): string {
  const time = Math.max(0, atMs).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-000000000000`;
}

/** Two ids below and above all others: where a list begins when it is read upwards or downwards. */
export const FIRST_UUID = '00000000-0000-0000-0000-000000000000';
export const LAST_UUID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

const DIGITS = Buffer.from('0123456789abcdef');
/** The text of the last new id: the digits of the next one are written over it. */
const text = Buffer.from(FIRST_UUID);
/** Where the two digits of each byte stand in a text. */
const PLACES = Array.from(FIRST_UUID, (digit, place) => (digit === '0' ? place : null))
  .filter((place) => place !== null)
  .filter((_, digit) => digit % 2 === 0);

/** A text that is put together digit by digit takes more than twice as long, and leaves much for Node to clear away. */
export function newId(): string {
  const { bytes } = generator.generate();
  for (let at = 0; at < PLACES.length; at++) {
    const byte = bytes[at] as number;
    const place = PLACES[at] as number;
    text[place] = DIGITS[byte >> 4] as number;
    text[place + 1] = DIGITS[byte & 0xf] as number;
  }
  return text.toString('latin1');
}
