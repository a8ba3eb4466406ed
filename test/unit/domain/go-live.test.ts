/** What must be true before real money moves: each point with what is just enough, and what is just too little. */
import { CONFIRMED_POINTS, judgeGoLive, type GoLiveFacts, type PointName } from '../../../src/domain/go-live';

const READY: GoLiveFacts = {
  isProduction: true,
  unserved: [],
  floats: [{ company: 'paystack', kobo: 20_000, neededKobo: 20_000 }],
  unasked: [],
  silent: [],
  unopened: [],
  unnoticed: [],
  unreachedBanks: [],
  stampDuty: 'absorb',
  clockOffMs: -2_000,
  openFindings: 0,
  reconciledSeconds: 900,
  operators: 2,
};
const CONFIRMED = Object.keys(CONFIRMED_POINTS);

const failed = (facts: GoLiveFacts, confirmed = CONFIRMED) =>
  judgeGoLive(facts, confirmed).filter(({ isMet }) => !isMet);

test('where all is so, every point is met', () => {
  expect(failed(READY)).toEqual([]);
});

test.each<[name: PointName, facts: Partial<GoLiveFacts>, tells: string]>([
  ['production', { isProduction: false }, 'NODE_ENV=production'],
  ['companies', { unserved: ['LIVE_PAYOUTS'] }, 'LIVE_PAYOUTS'],
  ['float', { floats: [{ company: 'paystack', kobo: 19_999, neededKobo: 20_000 }] }, 'paystack (19999 kobo)'],
  ['float', { floats: [{ company: 'monnify', kobo: null, neededKobo: 0 }] }, 'monnify (not known)'],
  ['approval', { unasked: ['paystack'] }, 'paystack'],
  ['callbacks', { silent: ['monnify'] }, 'monnify'],
  ['accounts', { unopened: ['monnify'] }, 'monnify'],
  ['incoming', { unnoticed: ['paystack'] }, 'paystack'],
  ['banks', { unreachedBanks: ['PalmPay'] }, 'PalmPay'],
  ['banks', { unreachedBanks: null }, 'did not tell'],
  ['stamp-duty', { stampDuty: 'off' }, 'Set STAMP_DUTY'],
  ['clock', { clockOffMs: 2_001 }, '2001 ms'],
  ['reconciliation', { openFindings: 1 }, '1 open'],
  ['reconciliation', { reconciledSeconds: 901 }, 'too old'],
  ['reconciliation', { reconciledSeconds: null }, 'too old'],
  ['operators', { operators: 1 }, '1 of 2'],
])('%s is not met with %j', (name, facts, tells) => {
  const [only, ...others] = failed({ ...READY, ...facts });
  expect(others).toEqual([]);
  expect(only?.name).toBe(name);
  expect(only?.says).toContain(tells);
});

test.each(CONFIRMED)('%s is not met until somebody confirms it', (name) => {
  const [only, ...others] = failed(
    READY,
    CONFIRMED.filter((one) => one !== name),
  );
  expect([only?.name, others]).toEqual([name, []]);
});
