/** Our banks beside another list: what is new, what differs and what stays. */
import { compareBanks, withRemembered, type ListedBank } from '../../src/domain/bank-lists';
import { bankAt, codeAt, findBank, type Bank } from '../../src/domain/banks';

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

describe('the list of a company', () => {
  const own: Bank[] = [
    { code: '058', nipCode: '000013', name: 'Guaranty Trust Bank', slug: 'gtb', aliases: ['GTBank'] },
    { code: '999992', nipCode: '100004', name: 'OPay', slug: 'opay', companyCodes: { monnify: '305' } },
    { code: '305', nipCode: null, name: 'Paycom', slug: 'paycom', companyCodes: { monnify: null } },
  ];
  test.each<[what: string, listed: ListedBank, expected: object]>([
    ['by its name', { code: '058', nipCode: null, name: 'GTBANK PLC' }, { differing: [], named: [] }],
    [
      'by another name',
      { code: '058', nipCode: null, name: 'Zenith Bank' },
      { added: [], differing: [], named: ['058 Guaranty Trust Bank is called Zenith Bank there'] },
    ],
    ['by the company’s own code', { code: '305', nipCode: null, name: 'OPay' }, { added: [], named: [] }],
    [
      'by another code than the company’s own',
      { code: '306', nipCode: '100004', name: 'OPay' },
      { added: [], differing: ['999992 OPay has the code 305 there by our list, and 306 by theirs'] },
    ],
    [
      'by another code than ours',
      { code: '777', nipCode: null, name: 'Guaranty Trust' },
      { added: [], differing: ['Guaranty Trust has the code 058 with us, and there 777'] },
    ],
    [
      'whose code is another bank’s with us',
      { code: '999992', nipCode: null, name: 'Other' },
      { added: [], differing: ['999992 is OPay with us, and Other there'] },
    ],
    [
      'without a name',
      { code: '777', nipCode: null, name: ' ' },
      { added: [], differing: ['777 has no name that can be kept'] },
    ],
    [
      'with a name that is too long',
      { code: '777', nipCode: null, name: 'x'.repeat(201) },
      { added: [], differing: ['777 has no name that can be kept'] },
    ],
  ])('has a bank %s', (_what, listed, expected) => {
    const compared = compareBanks(own, [listed], 'monnify');
    expect(compared).toMatchObject(expected);
    expect(compared.banks.slice(0, 3)).toEqual(own);
  });

  test('adds a bank that can be paid to through that company alone, until another one lists it too', () => {
    const alpha = { code: 'A01', nipCode: null, name: 'Alpha Bank' };
    const { banks } = compareBanks(own, [alpha], 'paystack');
    const added = findBank(banks, 'A01');
    expect(added).toEqual({ ...alpha, slug: 'alpha-bank', companyCodes: { paystack: 'A01', monnify: null } });
    expect(added && [codeAt(added, 'paystack'), codeAt(added, 'monnify')]).toEqual(['A01', null]);
    const both = compareBanks(banks, [{ ...alpha, name: 'ALPHA BANK PLC' }], 'monnify');
    expect(both).toMatchObject({ added: [], differing: [], named: [] });
    expect(findBank(both.banks, 'A01')?.companyCodes).toEqual({ paystack: 'A01', monnify: 'A01' });
  });

  test('does not take the code of a bank that another company has added', () => {
    const remembered = [
      { company: 'paystack', code: 'A01', nipCode: null, name: 'Alpha Bank' },
      { company: 'monnify', code: 'A01', nipCode: null, name: 'Gamma Bank' },
      { company: 'monnify', code: 'G02', nipCode: '090888', name: 'Gamma Bank' },
      { company: 'paystack', code: 'G03', nipCode: null, name: 'Gamma Bank' },
    ];
    const banks = withRemembered(own, remembered);
    expect(banks.slice(own.length).map(({ code, name, companyCodes }) => [code, name, companyCodes])).toEqual(
      [
        ['A01', 'Alpha Bank', { paystack: 'A01', monnify: null }],
        ['G02', 'Gamma Bank', { paystack: null, monnify: 'G02' }],
      ],
    );
    // What is listed later changes nothing of what was there.
    for (const end of [1, 2, 3]) {
      const before = withRemembered(own, remembered.slice(0, end));
      expect(banks.slice(0, before.length)).toEqual(before);
    }
  });

  test('is never stronger than our own list', () => {
    const remembered = [{ company: 'paystack', code: '100004', nipCode: null, name: 'Impostor' }];
    expect(withRemembered(own, remembered)).toEqual(own);
  });

  test.each([
    ['its own code', '305', '999992'],
    ['a code that it has for another bank', '999992', undefined],
    ['a code of NIP', '100004', '999992'],
    ['a usual code', '058', '058'],
  ])('means by %s the right bank', (_what, code, expected) => {
    expect(bankAt(own, 'monnify', code)?.code).toBe(expected);
  });
});
