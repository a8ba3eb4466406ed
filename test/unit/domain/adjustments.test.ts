/** The movement of an adjustment (D14, D91). */
import { adjustmentOpening } from '../../../src/domain/adjustments';

test.each([
  ['credit', { type: 'wallet_credit', destWalletId: 'w1' }],
  ['debit', { type: 'wallet_debit', sourceWalletId: 'w1' }],
] as const)('a %s is one movement under its own id, without the note', (direction, movement) => {
  const terms = { walletId: 'w1', direction, amountKobo: 5, reason: 'note' };
  const opening = adjustmentOpening('a1', 'p1', terms);
  expect(opening).toMatchObject({ ...movement, transactionId: 'a1', reference: 'adj_a1', amountKobo: 5 });
  expect(JSON.stringify(opening)).not.toContain('note');
});
