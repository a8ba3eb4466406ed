/** A wallet in reference and quickstart form, and its ledger entries (D6, D28, D50, D147). */
import { writeEntry, writeWallet, writeWalletWithBalance } from '../../../src/wire/wallets';
import { CREATED, SAMPLE_IDS, sampleWallet, UPDATED } from '../../support/samples';

const reference = {
  id: SAMPLE_IDS.wallet,
  partner_id: SAMPLE_IDS.partner,
  user_ref: 'user-1',
  currency: 'NGN',
  status: 'active',
  account_number: '1000000015',
  account_name: 'ADA OBI',
  bank_code: '50999',
  bank_name: 'Sandbox Microfinance Bank',
  mfb_reference: 'SBX-VA-1000000015',
  account_status: 'active',
  metadata: { vip: true },
  created_at: CREATED,
  updated_at: UPDATED,
};
const quickstart = {
  ID: SAMPLE_IDS.wallet,
  PartnerID: SAMPLE_IDS.partner,
  UserRef: 'user-1',
  Currency: 'NGN',
  Status: 'active',
  AccountNumber: '1000000015',
  AccountName: 'ADA OBI',
  BankCode: '50999',
  BankName: 'Sandbox Microfinance Bank',
  MFBReference: 'SBX-VA-1000000015',
  AccountStatus: 'active',
  Metadata: { vip: true },
  CreatedAt: CREATED,
  UpdatedAt: UPDATED,
};

test.each([
  ['reference', reference],
  ['guide', reference],
  ['quickstart', quickstart],
] as const)('%s form: exactly these fields, in this order', (form, fields) => {
  expect(writeWallet(sampleWallet(), form)).toEqual(fields);
  expect(Object.keys(writeWallet(sampleWallet(), form))).toEqual(Object.keys(fields));
});

test('the fields of an account that is not issued are empty strings', () => {
  expect(writeWallet(sampleWallet({ status: 'pending', account: null }), 'reference')).toEqual({
    ...reference,
    status: 'pending',
    account_status: 'provisioning',
    account_number: '',
    account_name: '',
    bank_code: '',
    bank_name: '',
    mfb_reference: '',
  });
});

test.each([
  ['pending', 'provisioning'],
  ['active', 'active'],
  ['frozen', 'suspended'],
  ['closed', 'closed'],
] as const)('a wallet that is %s has an account that is %s', (status, accountStatus) => {
  expect(writeWallet(sampleWallet({ status }), 'reference')).toMatchObject({
    status,
    account_status: accountStatus,
  });
});

test.each([
  ['reference', reference],
  ['quickstart', quickstart],
] as const)('with its balance, in %s form', (form, wallet) => {
  expect(writeWalletWithBalance(sampleWallet(), form)).toEqual({
    wallet,
    balance_kobo: 123_450,
    balance_naira: '1234.50',
    available_kobo: 123_450,
  });
});

describe('a ledger entry', () => {
  const entry = {
    id: 'e1',
    walletId: SAMPLE_IDS.wallet,
    transactionId: SAMPLE_IDS.transaction,
    balanceAfterKobo: 989_950,
    sequence: 7,
    description: 'rent',
    createdAt: new Date(CREATED),
  };

  test.each([
    [-10_050, 'debit', 10_050],
    [10_000, 'credit', 10_000],
    [1, 'credit', 1],
  ])('%d kobo is a %s of %d', (amountKobo, direction, amount) => {
    expect(writeEntry({ ...entry, amountKobo })).toEqual({
      id: 'e1',
      wallet_id: SAMPLE_IDS.wallet,
      transaction_id: SAMPLE_IDS.transaction,
      direction,
      amount,
      currency: 'NGN',
      balance_after: 989_950,
      sequence: 7,
      status: 'posted',
      description: 'rent',
      metadata: {},
      created_at: CREATED,
    });
  });
});
