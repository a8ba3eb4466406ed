/** Turns that are shared out fairly: whoever sends much makes nobody else wait, or be refused. */
import { createFairTurns } from '../../src/runtime/turns';

/** Work that ends when it is told to, in the order in which it began. */
function openTurns(atOnce: number, waitingMax: number) {
  const inTurn = createFairTurns(atOnce, { waitingMax, message: 'too many' });
  const begun: string[] = [];
  const refused: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (name: string, isKnown = false): void => {
    inTurn({ name, isKnown }, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
    }).catch(() => refused.push(name));
  };
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    refused,
    async ask(...names: [name: string, isKnown?: boolean][]) {
      for (const [name, isKnown] of names) ask(name, isKnown);
      await settled();
    },
    /** Ends the work that began first, until nothing is left. */
    async endAll() {
      while (ends.length > 0) {
        ends.shift()?.();
        await settled();
      }
    },
  };
}
const times = (count: number, name: string): [string][] => Array.from({ length: count }, () => [name]);

test('each name has a turn after the other, however much one of them has sent before', async () => {
  const turns = openTurns(1, 50);
  await turns.ask(...times(5, 'thief'), ['ada'], ['bola'], ['ada']);
  await turns.endAll();
  expect(turns.begun).toEqual(['thief', 'thief', 'ada', 'bola', 'thief', 'ada', 'thief', 'thief']);
});

test('a known name comes before all that are not known', async () => {
  const turns = openTurns(1, 50);
  await turns.ask(...times(3, 'thief'), ['stranger'], ['ada', true]);
  await turns.endAll();
  expect(turns.begun).toEqual(['thief', 'ada', 'thief', 'stranger', 'thief']);
});

test('where all places are full, another name takes the last place of the one with most', async () => {
  const turns = openTurns(1, 4);
  await turns.ask(...times(6, 'thief'));
  expect(turns.refused).toEqual(['thief']);
  await turns.ask(['ada']);
  expect(turns.refused).toEqual(['thief', 'thief']);
  await turns.endAll();
  expect(turns.begun).toContain('ada');
  // Every place is free again.
  await turns.ask(...times(5, 'bola'));
  await turns.endAll();
  expect(turns.begun.filter((name) => name === 'bola')).toHaveLength(5);
});

test('among as many names as there are places, a further one is refused, unless it is known', async () => {
  const turns = openTurns(1, 3);
  await turns.ask(['first'], ['a'], ['b'], ['c'], ['d']);
  expect(turns.refused).toEqual(['d']);
  await turns.ask(['ada', true]);
  expect(turns.refused).toEqual(['d', 'a']);
  await turns.endAll();
  expect(turns.begun).toEqual(['first', 'ada', 'b', 'c']);
});

test('a known name that sends much takes no place from another known one', async () => {
  const turns = openTurns(1, 3);
  await turns.ask(['first'], ['ada', true], ['ada', true], ['ada', true], ['bola', true], ['ada', true]);
  expect(turns.refused).toEqual(['ada', 'ada']);
  await turns.endAll();
  expect(turns.begun).toEqual(['first', 'ada', 'bola', 'ada']);
});

test('no name that is not known takes a place from one that is', async () => {
  const turns = openTurns(1, 2);
  await turns.ask(['first'], ['ada', true], ['bola', true], ['stranger']);
  expect(turns.refused).toEqual(['stranger']);
});

test('work that fails gives its place on', async () => {
  const inTurn = createFairTurns(1, { waitingMax: 5, message: 'too many' });
  const caller = { name: 'a', isKnown: false };
  const failing = inTurn(caller, () => Promise.reject(new Error('broken')));
  const next = inTurn(caller, () => Promise.resolve('served'));
  await expect(failing).rejects.toThrow('broken');
  expect(await next).toBe('served');
});
