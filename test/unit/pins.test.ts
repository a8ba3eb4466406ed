/** Wallet PINs at rest: bound to wallet and pepper, and checked two at a time (D75). */
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoredPin } from '../../src/domain/pins';
import { UnavailableError } from '../../src/runtime/unavailable';
import { createPins } from '../../src/secrets/pins';

const pepper = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
const pins = createPins(pepper(1));

test('a PIN is right for its own wallet under its own pepper only', async () => {
  const stored = await pins.hash('acme', 'wallet-1', '0731');
  expect(stored.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(JSON.stringify(stored)).not.toContain('0731');
  const checked = (walletId: string, pin: string, by = pins) =>
    by.inTurn('acme', (check) => check(walletId, pin, stored));
  expect(await checked('wallet-1', '0731')).toEqual({ right: true, renewed: null });
  expect(await checked('wallet-1', '0732')).toEqual({ right: false, renewed: null });
  expect(await checked('wallet-2', '0731')).toEqual({ right: false, renewed: null });
  // It is neither right nor wrong: nobody is told "wrong PIN" because a pepper is missing.
  await expect(checked('wallet-1', '0731', createPins(pepper(2)))).rejects.toThrow(UnavailableError);
});

test('a right PIN under an accepted pepper is stored anew under the newest, and a wrong one is not', async () => {
  const stored = await pins.hash('acme', 'wallet-1', '0731');
  const next = createPins(pepper(2), [pepper(1)]);
  const check = (pin: string, kept: StoredPin, by = next) =>
    by.inTurn('acme', (one) => one('wallet-1', pin, kept));
  expect(await check('0732', stored)).toEqual({ right: false, renewed: null });
  const { right, renewed } = await check('0731', stored);
  expect(right).toBe(true);
  expect(renewed?.pepperKid).not.toBe(stored.pepperKid);
  expect(await check('0731', renewed!, createPins(pepper(2)))).toEqual({ right: true, renewed: null });
});

test('the same PIN is stored differently each time', async () => {
  const [one, other] = await Promise.all([pins.hash('acme', 'w', '0731'), pins.hash('acme', 'w', '0731')]);
  expect(one.hash).not.toBe(other.hash);
});

test('two run at once, and the others follow in their order', async () => {
  let running = 0;
  let most = 0;
  const done = await Promise.all(
    Array.from({ length: 10 }, (_, place) =>
      pins.inTurn('acme', async () => {
        most = Math.max(most, ++running);
        await sleep(2);
        running--;
        return place;
      }),
    ),
  );
  expect(done).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(most).toBe(2);
});

test('the next one runs when one has failed', async () => {
  const failing = Array.from({ length: 4 }, () =>
    pins.inTurn('acme', () => Promise.reject(new Error('broken'))),
  );
  expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array(4).fill('rejected'));
  expect(await pins.inTurn('acme', () => Promise.resolve('well'))).toBe('well');
});

test('when too many wait, the next is refused before an attempt is counted', async () => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const crowd = Array.from({ length: 62 }, () => pins.inTurn('acme', () => held));
  await expect(pins.inTurn('acme', () => held)).rejects.toThrow('too many PIN checks');
  letGo();
  await Promise.all(crowd);
});

test('one partner with many checks keeps no other partner waiting for more than one of them, or from its place', async () => {
  const crowded = createPins(pepper(1));
  const order: string[] = [];
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const of = (partner: string): Promise<string> =>
    crowded.inTurn(partner, async () => {
      await held;
      order.push(partner);
      return partner;
    });
  const flood = Promise.allSettled(Array.from({ length: 80 }, () => of('flood')));
  const others = [of('ada'), crowded.hash('bola', 'wallet-1', '0731')];
  letGo();
  expect(await Promise.all(others)).toMatchObject(['ada', { pepperKid: expect.any(String) }]);
  const ends = await flood;
  // Two run and sixty wait; two of those gave their places to the others.
  expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(60);
  expect(order.indexOf('ada')).toBeLessThanOrEqual(3);
});
