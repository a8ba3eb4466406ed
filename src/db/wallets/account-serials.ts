/**
 * The order in which serials of account numbers are issued (D171). Places are taken one after the other, and each
 * place has a serial of its own that nobody can tell from its neighbours without the key: whoever knows one account
 * number does not know the next. Two places never have one serial, because the places are permuted: a Feistel
 * network over 30 bits, repeated until its result is a serial (cycle walking).
 */
import { createHmac } from 'node:crypto';

/** The first place, which is also the least serial. */
export const FIRST_SERIAL = 100_000_001;
const SERIALS = 999_999_999 - FIRST_SERIAL + 1;
const HALF_BITS = 15;
const HALF_MASK = (1 << HALF_BITS) - 1;
/** With four rounds a Feistel network is a strong permutation; the others are a margin. */
const ROUNDS = 8;

/**
 * The serial at a place: always the same for one key, and another one for each place.
 * @param place FIRST_SERIAL to 999999999.
 * @param key of the environment's directory.
 */
export function serialAt(place: number, key: string): number {
  let number = place - FIRST_SERIAL;
  do number = permuted(number, key);
  while (number >= SERIALS);
  return FIRST_SERIAL + number;
}

function permuted(number: number, key: string): number {
  let [left, right] = [number >> HALF_BITS, number & HALF_MASK];
  for (let round = 0; round < ROUNDS; round++) {
    const mixed = createHmac('sha256', key)
      .update(`${String(round)}/${String(right)}`)
      .digest()
      .readUInt16BE();
    [left, right] = [right, left ^ (mixed & HALF_MASK)];
  }
  return (left << HALF_BITS) | right;
}
