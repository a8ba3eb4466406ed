/** Account numbers at Monnify, over the fake Monnify: what is lost, what is missing, and the end of an account. */
import { randomUUID } from 'node:crypto';
import { lackingOf } from '../../../src/domain/owner-details';
import type { AccountOrder, Accounts } from '../../../src/providers/port';
import type { Fault } from '../../standins/kit';
import { type MonnifyState } from '../../standins/monnify/state';
import { openFakeCompany, type FakeCompany } from '../../support/fake-company';
import { openMonnify } from '../../support/fake-monnify';

const RESERVE = 'POST /api/v2/bank-transfer/reserved-accounts';
let monnify: FakeCompany<MonnifyState>;
let accounts: Accounts;
beforeAll(async () => {
  monnify = await openFakeCompany<MonnifyState>('monnify');
  accounts = openMonnify(monnify.url).accounts as Accounts;
});
afterEach(() => monnify.set({ faults: [] }));
afterAll(() => monnify.close());

const order = (more: Partial<AccountOrder> = {}): AccountOrder => ({
  partnerId: randomUUID(),
  walletId: randomUUID(),
  accountName: 'ADA OBI',
  owner: { firstName: null, lastName: null, email: 'ada@acme.example', phone: null },
  identity: { type: 'bvn', number: '22222222222' },
  createdAt: new Date(),
  ...more,
});
const reservedFor = async ({ walletId }: AccountOrder): Promise<number> =>
  (await monnify.state()).reserved.filter((one) => one.accountReference === walletId).length;

test('an account is opened at the bank that is configured, under the wallet’s id', async () => {
  const asked = order();
  const answer = await accounts.issue(asked);
  expect(answer).toEqual({
    outcome: 'issued',
    account: {
      accountNumber: expect.stringMatching(/^6[0-9]{9}$/),
      accountName: 'ADA OBI',
      bankCode: '50515',
      bankName: expect.any(String),
      mfbReference: expect.stringMatching(/^RES-/),
    },
  });
  expect(await accounts.issue(asked)).toEqual(answer);
  expect(await reservedFor(asked)).toBe(1);
});

test.each<[what: string, does: Fault['does']]>([
  ['breaks off', 'drop after'],
  ['does not come', 'hang after'],
])('an order whose answer %s is found by the next one, and opens one account', async (_what, does) => {
  const asked = order();
  await monnify.set({ faults: [{ on: RESERVE, does, times: 1 }] });
  await expect(accounts.issue(asked)).rejects.toThrow(/^Monnify has not answered/);
  expect(await accounts.issue(asked)).toMatchObject({ outcome: 'issued' });
  expect(await reservedFor(asked)).toBe(1);
});

const nobody = { firstName: null, lastName: null, email: null, phone: null };
test.each<[what: string, more: Partial<AccountOrder>, details: string[]]>([
  ['no email address', { owner: nobody }, ['email']],
  ['no verified number', { identity: null }, ['identity']],
  ['neither', { owner: nobody, identity: null }, ['email', 'identity']],
])('with %s nothing is asked of Monnify', async (_what, more, details) => {
  const asked = order(more);
  expect(lackingOf(accounts.demands ?? [], asked.owner, asked.identity !== null)).toEqual(details);
  expect(await accounts.issue(asked)).toEqual({ outcome: 'needs', details });
  expect(await reservedFor(asked)).toBe(0);
});

test('a NIN does as well as a BVN, and no number is in the answer or in an error', async () => {
  const asked = order({ identity: { type: 'nin', number: '33333333333' } });
  expect(JSON.stringify(await accounts.issue(asked))).not.toContain('33333333333');
  await monnify.set({
    faults: [{ on: RESERVE, does: 'answer', status: 422, body: { error: '33333333333' } }],
  });
  await expect(accounts.issue(order())).rejects.toThrow(
    'Monnify has opened no account (Monnify answered HTTP 422 without its JSON)',
  );
});

test.each<[what: string, body: object]>([
  ['of another wallet', { accountReference: 'another' }],
  ['at another bank', { accounts: [{ bankCode: '044', accountNumber: '0123456789' }] }],
  ['whose number is none', { accounts: [{ bankCode: '50515', accountNumber: '12' }] }],
  ['that is not active', { status: 'INACTIVE' }],
])('an answer with an account %s is no account', async (_what, more) => {
  const asked = order();
  const whole = {
    accountReference: asked.walletId,
    currencyCode: 'NGN',
    status: 'ACTIVE',
    accounts: [{ bankCode: '50515', accountNumber: '0123456789' }],
    ...more,
  };
  const body = { requestSuccessful: true, responseCode: '0', responseBody: whole };
  await monnify.set({ faults: [{ on: RESERVE, does: 'answer', status: 200, body }] });
  await expect(accounts.issue(asked)).rejects.toThrow(/Monnify/);
});

test('a bank that is not in our list opens no account', async () => {
  const elsewhere = openMonnify(monnify.url, { accountsBank: '999999' }).accounts as Accounts;
  await expect(elsewhere.issue(order())).rejects.toThrow('at the bank that is configured');
});

test('an account is given up once, also when the answer is lost; Monnify says of which it has none', async () => {
  const asked = order();
  await accounts.issue(asked);
  const closing = `DELETE /api/v1/bank-transfer/reserved-accounts/reference/${asked.walletId}`;
  await monnify.set({ faults: [{ on: closing, does: 'drop after', times: 1 }] });
  await expect(accounts.close?.(asked.walletId)).rejects.toThrow(/^Monnify has not answered/);
  expect(await accounts.close?.(asked.walletId)).toBe('closed');
  const [state] = (await monnify.state()).reserved.filter((one) => one.accountReference === asked.walletId);
  expect(state?.status).toBe('DEALLOCATED');
  expect(await accounts.close?.(randomUUID())).toBe('none');
});

test.each<[what: string, status: number, body: unknown]>([
  ['a page that is not Monnify’s', 404, '<html>Not found</html>'],
  ['another refusal', 403, { requestSuccessful: false, responseCode: '99' }],
  ['a failure', 500, { requestSuccessful: false, responseCode: '99' }],
])('%s says nothing about an account that is to be given up', async (_what, status, body) => {
  const walletId = randomUUID();
  const on = [
    `DELETE /api/v1/bank-transfer/reserved-accounts/reference/${walletId}`,
    `GET /api/v2/bank-transfer/reserved-accounts/${walletId}`,
  ];
  await monnify.set({ faults: on.map((request) => ({ on: request, does: 'answer', status, body })) });
  expect(await accounts.close?.(walletId)).toBe('unknown');
});
