/** Our banks beside another list: what is new, what differs and what stays. */
import { compareBanks } from '../../src/domain/bank-lists';
import type { Bank } from '../../src/domain/banks';

const ours: Bank[] = [
  { code: '058', nipCode: '000013', name: 'Guaranty Trust Bank', slug: 'gtb', formerCodes: ['059'] },
  { code: '50211', nipCode: null, name: 'Kuda Bank', slug: 'kuda-bank' },
];
const [gtb, kuda] = ours;

test.each<[what: string, listed: { code: string; nipCode: string | null; name: string }, expected: object]>([
  [
    'the same bank',
    { code: '058', nipCode: '000013', name: 'GTB' },
    { added: [], untold: [kuda], differing: [] },
  ],
  [
    'one without a NIP code',
    { code: '058', nipCode: null, name: 'GTB' },
    { added: [], untold: [kuda], differing: [] },
  ],
  [
    'one by its NIP code alone',
    { code: '000013', nipCode: null, name: 'GTB' },
    { added: [], untold: [kuda] },
  ],
  ['one by a former code', { code: '059', nipCode: null, name: 'GTB' }, { added: [], untold: [kuda] }],
  [
    'one with another NIP code',
    { code: '058', nipCode: '000099', name: 'GTB' },
    { added: [], differing: ['058 Guaranty Trust Bank has the NIP code 000013, and there 000099'] },
  ],
  [
    'a new one',
    { code: '057', nipCode: '000015', name: 'Zénith Bank' },
    {
      added: [{ code: '057', nipCode: '000015', name: 'Zénith Bank', slug: 'zenith-bank' }],
      untold: ours,
      differing: [],
    },
  ],
  [
    'a new one under a name that is taken',
    { code: '777', nipCode: null, name: 'Kuda Bank' },
    { added: [{ code: '777', nipCode: null, name: 'Kuda Bank', slug: 'kuda-bank-777' }] },
  ],
  [
    'one with a code that is none',
    { code: '5', nipCode: null, name: 'Short' },
    { added: [], differing: ['Short has a code that is none: 5, none of NIP'] },
  ],
])('%s', (_what, listed, expected) => {
  const compared = compareBanks(ours, [listed]);
  expect(compared).toMatchObject(expected);
  expect(compared.banks.slice(0, 2)).toEqual([gtb, kuda]);
});

test('a list in which a bank comes twice adds it once', () => {
  const one = { code: '057', nipCode: null, name: 'Zenith' };
  expect(compareBanks(ours, [one, one]).added).toHaveLength(1);
});
