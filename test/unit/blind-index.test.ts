/** The blind index: equal for the same number of one kind, environment and key, and for nothing else (D104). */
import { createHash, createHmac } from 'node:crypto';
import { createBlindIndex } from '../../src/secrets/blind-index';

const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const index = createBlindIndex('sandbox', keyOf(1));
const BVN = '22222222222';

test('the same number has the same index, in every process with the same key', () => {
  expect(index.of('bvn', BVN)).toBe(index.of('bvn', BVN));
  expect(createBlindIndex('sandbox', keyOf(1)).of('bvn', BVN)).toBe(index.of('bvn', BVN));
});

test.each([
  ['another number', index.of('bvn', '22222222223')],
  ['the same digits of another kind', index.of('nin', BVN)],
  ['the other environment', createBlindIndex('live', keyOf(1)).of('bvn', BVN)],
  ['another key', createBlindIndex('sandbox', keyOf(2)).of('bvn', BVN)],
])('%s has another', (_what, other) => expect(other).not.toBe(index.of('bvn', BVN)));

test('thousands of numbers have different indexes', () => {
  const numbers = Array.from({ length: 10_000 }, (_, n) => String(10_000_000_000 + n));
  expect(new Set(numbers.map((number) => index.of('nin', number))).size).toBe(10_000);
});

test('the index is not a plain hash, so nobody can try out numbers without the key', () => {
  const guesses = [BVN, `bvn|${BVN}`].flatMap((text) => [
    createHash('sha256').update(text).digest('base64url'),
    createHmac('sha256', '').update(text).digest('base64url'),
  ]);
  expect(guesses).not.toContain(index.of('bvn', BVN));
  expect(index.of('bvn', BVN)).not.toContain(BVN);
});

test('a number that was indexed under an accepted key is found, and new rows get the newest key', () => {
  const next = createBlindIndex('sandbox', keyOf(2), [keyOf(1)]);
  expect(next.all('bvn', BVN)).toEqual([next.of('bvn', BVN), index.of('bvn', BVN)]);
  expect(next.of('bvn', BVN).startsWith(next.prefixes[0])).toBe(true);
  expect(index.of('bvn', BVN).startsWith(next.prefixes[1]!)).toBe(true);
});
