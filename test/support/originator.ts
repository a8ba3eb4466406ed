/** Who pays the orders of tests, and what else goes with them. */
import type { PayoutOrder } from '../../src/domain/payouts';

export const FROM_BOLA: Pick<PayoutOrder, 'originator' | 'purposeCode' | 'endToEndId'> = {
  originator: { name: 'BOLA ADE', accountNumber: '9012345678', bankCode: '50515' },
  purposeCode: 'OTHR',
  endToEndId: '0198000000007000800000000000dead',
};
