/** Which companies may pay a transfer, and which are passed over. */
import {
  floatHours,
  passedOver,
  routed,
  type PayoutCompany,
  type PayoutRoute,
} from '../../../src/domain/payout-routes';

const route = (provider: string, more: Partial<PayoutRoute> = {}): PayoutRoute => ({
  id: provider,
  bankCode: null,
  fromKobo: 0,
  toKobo: null,
  provider,
  priority: 10,
  ...more,
});
const COMPANIES = [{ name: 'first' }, { name: 'second' }];
const GTB = { bankCode: '058', amountKobo: 500_000 };

describe('the companies of a transfer', () => {
  const second = (more: Partial<PayoutRoute>) => [route('second', more)];
  test.each<[what: string, routes: PayoutRoute[], names: string[]]>([
    ['without a route are those of the configuration', [], ['first', 'second']],
    ['are those of a route to every bank', second({}), ['second']],
    ['are those of a route to its bank', second({ bankCode: '058' }), ['second']],
    ['are not those of a route to another bank', second({ bankCode: '044' }), ['first', 'second']],
    ['are those of a band that begins with its amount', second({ fromKobo: 500_000 }), ['second']],
    ['are not those of a band that begins above it', second({ fromKobo: 500_001 }), ['first', 'second']],
    ['are those of a band that ends with its amount', second({ toKobo: 500_000 }), ['second']],
    ['are not those of a band that ends below it', second({ toKobo: 499_999 }), ['first', 'second']],
    [
      'come in the order of priority',
      [route('first', { priority: 2 }), route('second', { priority: 1 })],
      ['second', 'first'],
    ],
    [
      'come with one priority first by bank',
      [route('first'), route('second', { bankCode: '058' })],
      ['second', 'first'],
    ],
    ['come once each', [route('second'), route('second', { bankCode: '058' })], ['second']],
    ['have no company that is not configured', [route('third'), route('second')], ['second']],
    [
      'are those of the configuration where every route leads elsewhere',
      [route('third')],
      ['first', 'second'],
    ],
  ])('%s', (_what, routes, names) => {
    expect(routed(GTB, routes, COMPANIES).map(({ name }) => name)).toEqual(names);
  });
});

describe('a company', () => {
  const stands: PayoutCompany = {
    name: 'first',
    terms: { minKobo: 500_000, costMaxKobo: 10_000 },
    isBroken: false,
    floatKobo: 610_000,
    reachesBank: true,
  };
  test.each<[what: string, more: Partial<PayoutCompany>, why: string | null]>([
    ['that can pay is used', {}, null],
    ['whose float is one kobo short is passed over', { floatKobo: 609_999 }, 'float'],
    ['whose float nobody knows is used', { floatKobo: null }, null],
    [
      'whose smallest amount is one kobo more is passed over',
      { terms: { minKobo: 500_001, costMaxKobo: 0 } },
      'minimum',
    ],
    ['whose breaker is open is passed over', { isBroken: true }, 'breaker'],
    ['that does not pay to the bank is passed over', { reachesBank: false }, 'bank'],
    ['without terms needs the amount and the reserve', { terms: null, floatKobo: 600_000 }, null],
    ['without terms and one kobo less is passed over', { terms: null, floatKobo: 599_999 }, 'float'],
  ])('%s', (_what, more, why) => {
    expect(passedOver(GTB, { ...stands, ...more }, 100_000)).toBe(why);
  });
});

test.each<[what: string, floatKobo: number | null, orderedKobo: number, hours: number | null]>([
  ['half of what four hours take lasts two hours', 500, 1_000, 2],
  ['nothing', 0, 1_000, 0],
  ['nobody knows the float', null, 1_000, null],
  ['nothing was ordered', 500, 0, null],
])('how long a float lasts: %s', (_what, floatKobo, orderedKobo, hours) => {
  expect(floatHours(floatKobo, orderedKobo)).toBe(hours);
});
