/** What a company is told of a transfer. */
import { present } from '../../../src/domain/assert';
import { originatorOf, payoutOrder } from '../../../src/domain/payouts';
import { sampleBankTransfer } from '../../support/samples';

const ADA = { name: 'ADA OBI', accountNumber: '9012345678', bankCode: '50999' };
const FIRST = { n: 1, providerRef: null };
const account = present(sampleBankTransfer().destAccount, 'an account');

test('it says who pays, what for, and one id for all attempts', () => {
  const transfer = sampleBankTransfer({ destAccount: { ...account, purpose: 'salary' } });
  const [first, second] = [payoutOrder(transfer, ADA, FIRST), payoutOrder(transfer, ADA, { ...FIRST, n: 2 })];
  expect(first).toMatchObject({ originator: ADA, purposeCode: 'SALA' });
  expect(first.endToEndId).toMatch(/^[0-9a-f]{32}$/);
  expect(second.endToEndId).toBe(first.endToEndId);
  expect(second.reference).not.toBe(first.reference);
});

test('without a purpose it is for something else', () => {
  expect(payoutOrder(sampleBankTransfer(), ADA, FIRST).purposeCode).toBe('OTHR');
});

test.each([
  ['told just now', 'ADA N OBI', 'OBI ADA', 'OBI ADA'],
  ['told before', 'ADA N OBI', null, 'ADA N OBI'],
  ['never told', null, null, account.accountName],
])('the name of the account is the one that the bank has %s', (_when, resolvedName, told, name) => {
  const transfer = sampleBankTransfer({ destAccount: { ...account, resolvedName } });
  expect(payoutOrder(transfer, ADA, FIRST, told).accountName).toBe(name);
});

test.each([
  ['rent of May', 'rent of May'],
  ['  rent\r\n\tof\u00a0May \u0000', 'rent of May'],
  ['rent\u2028of\u200bMay', 'rent of May'],
  ['', 'Transfer from ADA OBI'],
  ['\n \t', 'Transfer from ADA OBI'],
  ['Kuɗin makaranta – Ƙasimu’s', "Kudin makaranta - Kasimu's"],
  ['₦5,000 [rent]', 'NGN5,000 (rent)'],
  ['May 🏠 rent', 'May rent'],
  ['北京', 'Transfer from ADA OBI'],
])('the description %j is the narration %j, in one line', (description, narration) => {
  expect(payoutOrder(sampleBankTransfer({ description }), ADA, FIRST).narration).toBe(narration);
});

test('for an owner who was erased the partner stands', () => {
  expect(originatorOf({ ...ADA, name: null }, 'Acme')).toEqual({ ...ADA, name: 'Acme' });
});
