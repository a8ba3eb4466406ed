/** What happens where the bank has another name for an account, and when two names are one holder's. */
import {
  isSameHolder,
  judgeName,
  NAME_DECISIONS,
  ON_NAME_MISMATCH,
  unusual,
} from '../../../src/domain/payout-instructions';

test.each([
  ['ADA OBI', 'Ada Obi', true],
  ['Obi Ada', 'ADA NGOZI OBI', true],
  ['ADA-NGOZI OBI', 'Obi Ada Ngozi', true],
  ["Sa'adatu O'Neill", 'SAADATU ONEILL', true],
  ['Adé Ọbí', 'ADE OBI', true],
  ['JUMIA', 'Jumia', true],
  ['Ada', 'Ada Obi', false],
  ['Ada Obi', 'Ada Eze', false],
  ['Ada Obi', 'Adaobi', false],
  ['', 'Ada Obi', false],
  ['', '', false],
])('%s and %s: %s', (one, other, isSame) => {
  expect([isSameHolder(one, other), isSameHolder(other, one)]).toEqual([isSame, isSame]);
});

describe('a transfer to Ada Obi', () => {
  test.each(ON_NAME_MISMATCH)(
    'with %s goes on where the bank has told no name, or the same',
    (onNameMismatch) => {
      const account = { accountName: 'Ada Obi', onNameMismatch };
      expect([judgeName(account, null), judgeName(account, 'OBI ADA')]).toEqual(['continue', 'continue']);
    },
  );

  test.each(ON_NAME_MISMATCH)('with %s follows it where the bank has another name', (onNameMismatch) => {
    expect(judgeName({ accountName: 'Ada Obi', onNameMismatch }, 'EZE UCHE')).toBe(onNameMismatch);
  });

  test.each(NAME_DECISIONS)('that is held follows what its partner has decided: %s', (nameDecision) => {
    const account = { accountName: 'Ada Obi', onNameMismatch: 'hold', nameDecision } as const;
    expect(judgeName(account, 'EZE UCHE')).toBe(nameDecision);
  });

  test('without a word of its partner goes on', () => {
    expect(judgeName({ accountName: 'Ada Obi' }, 'EZE UCHE')).toBe('continue');
  });
});

test('what is usual is not kept', () => {
  expect(unusual({ purpose: 'other', onNameMismatch: 'continue' })).toEqual({});
  expect(unusual({})).toEqual({});
  expect(unusual({ purpose: 'salary', onNameMismatch: 'hold' })).toEqual({
    purpose: 'salary',
    onNameMismatch: 'hold',
  });
});
