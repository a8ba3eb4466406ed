/** The blind index: equal for the same number of one kind, environment and key, and for nothing else (D104). */
import { createHash, createHmac } from 'node:crypto';
import { createBlindIndex } from '../../src/secrets/blind-index';

const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const index = createBlindIndex(keyOf(1), 'sandbox');
const BVN = '22222222222';

test('the same number has the same index, in every process with the same key', () => {
  expect(index('bvn', BVN)).toBe(index('bvn', BVN));
  expect(createBlindIndex(keyOf(1), 'sandbox')('bvn', BVN)).toBe(index('bvn', BVN));
});

test.each([
  ['another number', index('bvn', '22222222223')],
  ['the same digits of another kind', index('nin', BVN)],
  ['the other environment', createBlindIndex(keyOf(1), 'live')('bvn', BVN)],
  ['another key', createBlindIndex(keyOf(2), 'sandbox')('bvn', BVN)],
])('%s has another', (_what, other) => expect(other).not.toBe(index('bvn', BVN)));

test('thousands of numbers have different indexes', () => {
  const numbers = Array.from({ length: 10_000 }, (_, n) => String(10_000_000_000 + n));
  expect(new Set(numbers.map((number) => index('nin', number))).size).toBe(10_000);
});

test('the index is not a plain hash, so nobody can try out numbers without the key', () => {
  const guesses = [BVN, `bvn|${BVN}`].flatMap((text) => [
    createHash('sha256').update(text).digest('base64url'),
    createHmac('sha256', '').update(text).digest('base64url'),
  ]);
  expect(guesses).not.toContain(index('bvn', BVN));
  expect(index('bvn', BVN)).not.toContain(BVN);
});
