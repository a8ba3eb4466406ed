/** What happens where the bank has another name for an account. */
import {
  judgeName,
  NAME_DECISIONS,
  ON_NAME_MISMATCH,
  unusual,
} from '../../../src/domain/payout-instructions';

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
