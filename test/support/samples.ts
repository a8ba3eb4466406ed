/**
 * One transaction and one wallet with every field filled differently, so that a test fails when two fields are
 * mixed up.
 */
import type { Transaction } from '../../src/domain/transactions';
import type { Wallet } from '../../src/domain/wallets';

export const CREATED = '2026-11-21T10:00:00.001Z';
export const UPDATED = '2026-11-21T10:00:01.002Z';
export const COMPLETED = '2026-11-21T10:00:01.003Z';

export const SAMPLE_IDS = {
  transaction: '018f0000-0000-7000-8000-0000000000a1',
  partner: '018f0000-0000-7000-8000-0000000000b1',
  source: '018f0000-0000-7000-8000-0000000000c1',
  dest: '018f0000-0000-7000-8000-0000000000c2',
  wallet: '018f0000-0000-7000-8000-0000000000d1',
};

/** A completed P2P transfer of 123,450 kobo. */
export const sampleTransfer = (more: Partial<Transaction> = {}): Transaction => ({
  id: SAMPLE_IDS.transaction,
  partnerId: SAMPLE_IDS.partner,
  reference: 'order-1',
  type: 'p2p_transfer',
  status: 'completed',
  amountKobo: 123_450,
  sourceWalletId: SAMPLE_IDS.source,
  destWalletId: SAMPLE_IDS.dest,
  destAccount: null,
  splitConfig: null,
  paused: false,
  scenario: null,
  fees: {
    customerFeeKobo: 617,
    merchantFeeKobo: 3,
    platformFeeKobo: 620,
    mfbCostKobo: 7,
    netAmountKobo: 123_447,
  },
  pspReference: null,
  pspMeta: null,
  idempotencyKey: null,
  description: 'rent',
  metadata: { order: 7 },
  failedReason: null,
  createdAt: new Date(CREATED),
  updatedAt: new Date(UPDATED),
  completedAt: new Date(COMPLETED),
  ...more,
});

/** A bank transfer that the provider has completed. */
export const sampleBankTransfer = (more: Partial<Transaction> = {}): Transaction =>
  sampleTransfer({
    type: 'bank_transfer',
    destWalletId: null,
    destAccount: {
      bankCode: '058',
      bankName: 'GTBank',
      accountNumber: '0108024071',
      accountName: 'Ada Obi',
      resolvedName: 'ADA N OBI',
    },
    pspReference: 'SBX_1',
    pspMeta: {
      provider: 'simulator',
      sessionId: '9999990101',
      responseCode: '00',
      feeKobo: null,
      dutyKobo: null,
    },
    idempotencyKey: 'key-1',
    ...more,
  });

/** An active wallet with its account. */
export const sampleWallet = (more: Partial<Wallet> = {}): Wallet => ({
  id: SAMPLE_IDS.wallet,
  partnerId: SAMPLE_IDS.partner,
  userRef: 'user-1',
  status: 'active',
  account: {
    accountNumber: '1000000015',
    accountName: 'ADA OBI',
    bankCode: '50999',
    bankName: 'Sandbox Microfinance Bank',
    mfbReference: 'SBX-VA-1000000015',
  },
  metadata: { vip: true },
  balanceKobo: 123_450,
  heldKobo: 0,
  createdAt: new Date(CREATED),
  updatedAt: new Date(UPDATED),
  ...more,
});
