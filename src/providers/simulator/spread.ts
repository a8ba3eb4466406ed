/** Picks a number from a range, always the same one for one id. So simulated delays need no state. */
import { createHash } from 'node:crypto';

export function spread(id: string, [least, most]: readonly [number, number]): number {
  const share = createHash('sha256').update(id).digest().readUInt32BE(0) / 2 ** 32;
  return least + Math.floor(share * (most - least + 1));
}
