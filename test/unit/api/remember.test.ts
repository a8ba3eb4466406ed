/** Answers remembered for a short while: shared, renewed in time, and never a failure (R19). */
import { remember } from '../../../src/runtime/remember';

const FOR_MS = 5_000;

/** A look-up whose answers the test gives at a time of its own. */
function openLook() {
  const asked: { key: string; answer: (value: string) => void; fail: (error: Error) => void }[] = [];
  const find = remember(
    FOR_MS,
    (key) => new Promise<string>((answer, fail) => asked.push({ key, answer, fail })),
  );
  return { asked, find };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('callers who ask at once share one look-up', async () => {
  const { asked, find } = openLook();
  const both = Promise.all([find('a'), find('a')]);
  asked[0]?.answer('A');
  expect(await both).toEqual(['A', 'A']);
  expect(asked).toHaveLength(1);
});

test.each([
  [0, 1],
  [FOR_MS - 1, 1],
  [FOR_MS, 2],
  [FOR_MS * 10, 2],
])('%d ms later there have been %d look-ups', async (laterMs, looks) => {
  const { asked, find } = openLook();
  const first = find('a');
  asked[0]?.answer('A');
  await first;
  jest.advanceTimersByTime(laterMs);
  void find('a');
  expect(asked).toHaveLength(looks);
});

test('the period counts from the start of the look-up, so a late answer is not used for longer', async () => {
  const { asked, find } = openLook();
  const first = find('a');
  jest.advanceTimersByTime(FOR_MS);
  asked[0]?.answer('old');
  await first;
  void find('a');
  expect(asked).toHaveLength(2);
});

test('no answer is kept longer when the wall clock is put back', async () => {
  const { asked, find } = openLook();
  const first = find('a');
  asked[0]?.answer('A');
  await first;
  jest.advanceTimersByTime(FOR_MS);
  jest.setSystemTime(Date.now() - 3_600_000);
  void find('a');
  expect(asked).toHaveLength(2);
});

test('null is an answer that is remembered too', async () => {
  let looks = 0;
  const find = remember(FOR_MS, () => Promise.resolve((looks += 1) > 1 ? 'later' : null));
  expect([await find('a'), await find('a')]).toEqual([null, null]);
});

test('each key has its own answer', async () => {
  const { asked, find } = openLook();
  const both = Promise.all([find('a'), find('b')]);
  for (const one of asked) one.answer(one.key.toUpperCase());
  expect(await both).toEqual(['A', 'B']);
});

test('a failure reaches all who wait for it and is forgotten at once', async () => {
  const { asked, find } = openLook();
  const both = Promise.allSettled([find('a'), find('a')]);
  asked[0]?.fail(new Error('away'));
  expect((await both).map((one) => one.status)).toEqual(['rejected', 'rejected']);
  const again = find('a');
  asked[1]?.answer('A');
  expect(await again).toBe('A');
});

test('an old look-up that fails late does not remove the newer answer', async () => {
  const { asked, find } = openLook();
  const first = find('a');
  jest.advanceTimersByTime(FOR_MS);
  const second = find('a');
  asked[1]?.answer('A');
  asked[0]?.fail(new Error('too late'));
  await expect(first).rejects.toThrow('too late');
  expect([await second, await find('a')]).toEqual(['A', 'A']);
  expect(asked).toHaveLength(2);
});

test('no more than ten thousand answers are kept', async () => {
  let looks = 0;
  const find = remember(FOR_MS, () => Promise.resolve((looks += 1)));
  for (let key = 0; key < 10_000; key++) await find(String(key));
  expect([await find('0'), looks]).toEqual([1, 10_000]);
  await find('one more');
  await find('0');
  expect(looks).toBe(10_002);
});
