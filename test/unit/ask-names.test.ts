/** The name enquiry over several companies: what one cannot know is asked of the next one, and what none can know is no outage. */
import { askForName } from '../../src/operations/money/ask-names';
import type { NameAnswer } from '../../src/domain/payouts';
import { forEveryWork, whoServes, type Provider } from '../../src/providers/port';

type Says = NameAnswer | 'no answer';

const company = (name: string, says: Says, reaches?: boolean | 'no answer'): Provider => ({
  name,
  can: { failsForGood: false, asksFirst: false },
  names: { enquire: () => (says === 'no answer' ? Promise.reject(new Error()) : Promise.resolve(says)) },
  payouts: {
    submit: () => Promise.reject(new Error()),
    query: () => Promise.reject(new Error()),
    ...(reaches !== undefined && {
      reaches: () => (reaches === 'no answer' ? Promise.reject(new Error()) : Promise.resolve(reaches)),
    }),
  },
});

test.each<[what: string, companies: Provider[], answer: NameAnswer, failed: string[]]>([
  ['nobody serves names', [], 'unknown', []],
  ['one knows', [company('a', { found: 'ADA' })], { found: 'ADA' }, []],
  ['the only one does not pay to the bank', [company('a', 'unknown', false)], 'not_found', []],
  [
    'one does not pay to the bank, and the next one knows',
    [company('a', 'unknown', false), company('b', { found: 'ADA' })],
    { found: 'ADA' },
    [],
  ],
  [
    'one does not pay to the bank, and the next one does not know',
    [company('a', 'unknown', false), company('b', 'unknown', true)],
    'unknown',
    [],
  ],
  [
    'one does not pay to the bank, and the next one fails',
    [company('a', 'unknown', false), company('b', 'no answer')],
    'unknown',
    ['b'],
  ],
  ['nobody knows which banks there are', [company('a', 'unknown', 'no answer')], 'unknown', []],
  [
    'none of two pays to the bank',
    [company('a', 'unknown', false), company('b', 'unknown', false)],
    'not_found',
    [],
  ],
  ['one says that there is none', [company('a', 'unknown'), company('b', 'not_found')], 'not_found', []],
])('%s', async (_what, companies, answer, failed) => {
  const heard: string[] = [];
  const { names } = whoServes(forEveryWork(companies));
  const asked = { bankCode: '058', accountNumber: '0123456789' };
  expect(await askForName(names, asked, (_error, name) => heard.push(name))).toEqual(answer);
  expect(heard).toEqual(failed);
});
