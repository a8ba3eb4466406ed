/** What leaves for a company that pays out, and what does not: its breaker, its calls of a minute, its pauses. */
import { afterCall, newBreaker, withCall, type Breaker } from '../../../src/domain/breakers';
import type { PayoutOrder, QueryOutcome, SubmitOutcome } from '../../../src/domain/payouts';
import { guarded, type GuardPorts } from '../../../src/providers/guard';
import { NOTHING_TOLD, type Facts, type Provider } from '../../../src/providers/port';
import { noPages } from '../../support/pages';

const ORDER = { bankCode: '058' } as PayoutOrder;
const NOW = new Date('2026-03-01T12:00:00Z');
const OPEN: Breaker = { ...newBreaker(NOW), openedAt: NOW, openUntil: new Date(NOW.getTime() + 7_000) };
const DUE: Breaker = { ...OPEN, openUntil: NOW };

type Answer = { outcome: SubmitOutcome | QueryOutcome } & Partial<Facts>;

/** A company that gives this answer, behind its guard. */
function openWorld(options: {
  answer?: Answer | 'silence';
  breakers?: Breaker[];
  places?: number;
  broken?: boolean;
  takesDuty?: boolean;
}) {
  const { answer = { outcome: 'accepted' }, breakers = [newBreaker(NOW), newBreaker(NOW)], broken } = options;
  const world = {
    calls: [] as string[],
    paused: [] as number[],
    places: options.places ?? 9,
    inLineMs: 0,
    breakers,
    errors: 0,
  };
  const ports: GuardPorts = {
    takePlace: () =>
      broken ? Promise.reject(new Error('away')) : Promise.resolve(world.places-- > 0 ? null : 5_000),
    waitInLine: () => (broken ? Promise.reject(new Error('away')) : Promise.resolve(world.inLineMs)),
    pause: (_provider, _works, forMs) => Promise.resolve(void world.paused.push(forMs)),
    change(_of, decide) {
      const was = world.breakers;
      world.breakers = [...(decide(was, NOW) ?? was)];
      return Promise.resolve({ was, now: NOW });
    },
    onError: () => void world.errors++,
  };
  const say = (call: string) => {
    world.calls.push(call);
    if (answer === 'silence') return Promise.reject(new Error('no answer'));
    return Promise.resolve({ ...NOTHING_TOLD, ...answer } as never);
  };
  const company: Provider = {
    name: 'tinybank',
    can: { failsForGood: true, asksFirst: false },
    payouts: {
      terms: {
        minKobo: 1,
        costMaxKobo: 0,
        takesDuty: options.takesDuty ?? false,
        callsPerMinute: 30,
        changesForDays: 3,
      },
      submit: () => say('submit'),
      query: () => say('query'),
    },
    treasury: {
      balance: () => {
        world.calls.push('balance');
        return answer === 'silence' ? Promise.reject(new Error('no answer')) : Promise.resolve(100);
      },
      lines: noPages,
      settlements: noPages,
    },
  };
  const { payouts, treasury } = guarded(company, ports) as Required<Pick<Provider, 'payouts' | 'treasury'>>;
  return { world, payouts, treasury };
}

test('an answer passes unchanged, and is counted as known or unknown', async () => {
  for (const [outcome, unknown] of [
    ['accepted', 0],
    ['unknown', 1],
  ] as const) {
    const { world, payouts } = openWorld({ answer: { outcome, reason: 'why' } });
    expect(await payouts.submit(ORDER)).toEqual({ ...NOTHING_TOLD, outcome, reason: 'why' });
    expect(world.breakers).toMatchObject([
      { calls: 1, unknown },
      { calls: 1, unknown },
    ]);
  }
});

test.each<[what: string, takesDuty: boolean, amountKobo: number, told: Answer, dutyKobo: number | null]>([
  ['takes it by contract', true, 1_000_000, { outcome: 'success' }, 5_000],
  ['takes it by contract, and the transfer is too small for it', true, 999_999, { outcome: 'success' }, 0],
  ['says itself what it took', true, 1_000_000, { outcome: 'success', dutyKobo: 4_000 }, 4_000],
  ['has not paid', true, 1_000_000, { outcome: 'pending' }, null],
  ['does not take it', false, 1_000_000, { outcome: 'success' }, null],
])('the stamp duty of a company that %s', async (_what, takesDuty, amountKobo, answer, dutyKobo) => {
  const { payouts } = openWorld({ answer, takesDuty });
  expect(await payouts.query({ ...ORDER, amountKobo })).toMatchObject({ dutyKobo });
});

test('an order without an answer counts as unknown, and stays without one', async () => {
  const { world, payouts } = openWorld({ answer: 'silence' });
  await expect(payouts.submit(ORDER)).rejects.toThrow('no answer');
  expect(world.breakers).toMatchObject([{ unknown: 1 }, { unknown: 1 }]);
});

test.each<[what: string, breakers: Breaker[]]>([
  ['of the company', [OPEN, newBreaker(NOW)]],
  ['of the company with the bank', [newBreaker(NOW), OPEN]],
])('while the breaker %s is open no order leaves, and every question does', async (_what, breakers) => {
  const { world, payouts } = openWorld({ breakers });
  expect(await payouts.submit(ORDER)).toMatchObject({ outcome: 'not_sent', pollAfterMs: 7_000 });
  await payouts.query(ORDER);
  expect(world.calls).toEqual(['query']);
  expect(world.breakers).toEqual(breakers);
});

test('one order is the probe of a breaker that was open for long enough, and its answer closes it', async () => {
  const { world, payouts } = openWorld({ breakers: [DUE, newBreaker(NOW)] });
  const [first, second] = await Promise.all([payouts.submit(ORDER), payouts.submit(ORDER)]);
  expect([first.outcome, second.outcome]).toEqual(['accepted', 'not_sent']);
  expect(world.breakers[0]).toEqual(afterCall(withCall(DUE, NOW), false, NOW));
});

test('without a place nothing leaves: an order is not sent, a question is unknown, the balance is not known', async () => {
  const { world, payouts, treasury } = openWorld({ places: 0 });
  expect(await payouts.submit(ORDER)).toMatchObject({ outcome: 'not_sent', pollAfterMs: 5_000 });
  expect(await payouts.query(ORDER)).toMatchObject({
    outcome: 'unknown' satisfies QueryOutcome,
    pollAfterMs: 5_000,
  });
  await expect(treasury.balance()).rejects.toThrow('tinybank may not be asked now');
  expect(world.calls).toEqual([]);
});

test('those who wait come one after the other, in the order of the line', async () => {
  const closed = openWorld({ breakers: [OPEN, newBreaker(NOW)] });
  closed.world.inLineMs = 150;
  expect(await closed.payouts.submit(ORDER)).toMatchObject({ outcome: 'not_sent', pollAfterMs: 7_150 });
  const full = openWorld({ places: 0 });
  full.world.inLineMs = 300;
  expect(await full.payouts.submit(ORDER)).toMatchObject({ pollAfterMs: 5_300 });
  expect(await full.payouts.query(ORDER)).toMatchObject({ pollAfterMs: 5_300 });
  expect(await full.payouts.turnMs?.()).toBe(300);
});

test('a pause that the company asks for is noted, after an order and after a question', async () => {
  const { world, payouts } = openWorld({ answer: { outcome: 'not_sent', closedForMs: 30_000 } });
  await payouts.submit(ORDER);
  await payouts.query(ORDER);
  expect(world.paused).toEqual([30_000, 30_000]);
});

test('where nothing can be counted no order leaves, because nothing is known then', async () => {
  const { world, payouts } = openWorld({ broken: true });
  expect((await payouts.submit(ORDER)).outcome).toBe('not_sent');
  expect(await payouts.turnMs?.()).toBe(0);
  expect(world).toMatchObject({ calls: [], errors: 2 });
});

test('the balance is asked for once in a while', async () => {
  const { world, treasury } = openWorld({});
  expect([await treasury.balance(), await treasury.balance()]).toEqual([100, 100]);
  expect(world.calls).toEqual(['balance']);
});

test('a balance that cannot be had takes one call as well, however many want to know it', async () => {
  const { world, treasury } = openWorld({ answer: 'silence' });
  for (let times = 0; times < 3; times++) await expect(treasury.balance()).rejects.toThrow('no answer');
  expect(world.calls).toEqual(['balance']);
  expect(world.places).toBe(8);
});
