/**
 * The simulated identity bureau: reserved numbers, delays, and the same answer to the same question (D36, D83,
 * R21).
 */
import type { IdentityAnswer, IdentityOrder } from '../../src/providers/port';
import { createIdentitySimulator } from '../../src/providers/simulator/identity';

const bureau = createIdentitySimulator({ kycMs: [1_000, 2_000], kycUnavailableMs: 30_000 });
const order = (more: Partial<IdentityOrder>, agoMs = 60_000): IdentityOrder => ({
  verificationId: 'v1',
  type: 'bvn',
  number: '22222222222',
  expectedName: 'Ada Obi',
  submittedAt: new Date(Date.now() - agoMs),
  ...more,
});

const FOUND = { outcome: 'found', record: { name: null, nameFits: null, watchListed: false } } as const;

test.each<[string, string, IdentityAnswer]>([
  ['bvn', '00000000000', { outcome: 'not_found' }],
  ['bvn', '00000000001', { outcome: 'not_found' }],
  ['bvn', '00000000002', { outcome: 'found', record: { name: null, nameFits: false, watchListed: false } }],
  ['bvn', '00000000003', { outcome: 'unavailable' }],
  ['bvn', '00000000004', FOUND],
  ['bvn', '22222222222', FOUND],
  ['bvn', '99999999999', FOUND],
  ['nin', '00000000000', FOUND],
  ['nin', '00000000001', FOUND],
  ['nin', '00000000002', FOUND],
  ['nin', '00000000003', FOUND],
  ['nin', '22222222222', FOUND],
])('%s %s', async (type, number, answer) => {
  expect(await bureau.lookUp(order({ type: type as 'bvn' | 'nin', number }))).toEqual(answer);
});

test('every number takes one to two seconds', async () => {
  for (let n = 0; n < 100; n++) {
    const verificationId = `v${String(n)}`;
    const [early, late] = await Promise.all(
      [990, 2_001].map((agoMs) => bureau.lookUp(order({ verificationId }, agoMs))),
    );
    expect(early).toMatchObject({ outcome: 'pending' });
    expect((early as { pollAfterMs: number }).pollAfterMs).toBeGreaterThan(0);
    expect((early as { pollAfterMs: number }).pollAfterMs).toBeLessThanOrEqual(1_010);
    expect(late).toEqual(FOUND);
  }
});

test('the number that is unavailable is pending for thirty seconds', async () => {
  const at = (agoMs: number) => bureau.lookUp(order({ number: '00000000003' }, agoMs));
  expect(await at(5_000)).toMatchObject({ outcome: 'pending' });
  expect(await at(29_000)).toMatchObject({ outcome: 'pending' });
  expect(await at(30_001)).toEqual({ outcome: 'unavailable' });
});
