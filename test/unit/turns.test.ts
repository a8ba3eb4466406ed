/**
 * Turns: how many pieces of work run at once, in total or on each key, and that the others follow in their order.
 */
import { createTurns, createTurnsByName } from '../../src/runtime/turns';

/** Work that the test ends by hand, and a list of the work that has begun. */
function openWork() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    of: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: (name: string) => ends.get(name)?.(),
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('two run at once, the others follow in the order in which they came', async () => {
  const [turns, work] = [createTurns(2), openWork()];
  const all = ['a', 'b', 'c', 'd'].map((name) => turns(work.of(name)));
  await settled();
  expect(work.begun).toEqual(['a', 'b']);
  work.end('b');
  await settled();
  expect(work.begun).toEqual(['a', 'b', 'c']);
  for (const name of ['a', 'c']) work.end(name);
  await settled();
  work.end('d');
  expect(await Promise.all(all)).toEqual(['a', 'b', 'c', 'd']);
});

test('work waits only for work on the same key, and failed work also ends its turn', async () => {
  const [inTurn, work] = [createTurnsByName(1), openWork()];
  const failing = inTurn('one', () => Promise.reject(new Error('broken')));
  const waiting = inTurn('one', work.of('after it'));
  const other = inTurn('other', work.of('beside it'));
  await expect(failing).rejects.toThrow('broken');
  await settled();
  expect(work.begun.toSorted()).toEqual(['after it', 'beside it']);
  for (const name of work.begun) work.end(name);
  expect(await Promise.all([waiting, other])).toEqual(['after it', 'beside it']);
});
