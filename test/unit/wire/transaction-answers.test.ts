/** A transaction in its three forms, field by field and in the published order (D3, D7, D8, D15, D134, D165). */
import { writeTransaction } from '../../../src/wire/transactions';
import {
  COMPLETED,
  CREATED,
  SAMPLE_IDS,
  sampleBankTransfer,
  sampleTransfer,
  UPDATED,
} from '../../support/samples';

/** The answer as it goes over the wire, where JSON leaves undefined fields out. */
const overTheWire = (...given: Parameters<typeof writeTransaction>): Record<string, unknown> =>
  JSON.parse(JSON.stringify(writeTransaction(...given))) as Record<string, unknown>;

const REFERENCE_FEES = { customerFee: 617, merchantFee: 3, platformFee: 620, mfbCost: 7, netAmount: 123_447 };
const GUIDE_FEES = {
  customer_fee_kobo: 617,
  customer_fee_naira: '6.17',
  merchant_fee_kobo: 3,
  platform_fee_kobo: 620,
  mfb_cost_kobo: 7,
  net_amount_kobo: 123_447,
};

const reference = {
  id: SAMPLE_IDS.transaction,
  partner_id: SAMPLE_IDS.partner,
  reference: 'order-1',
  type: 'p2p_transfer',
  status: 'completed',
  amount: 123_450,
  currency: 'NGN',
  source_wallet: SAMPLE_IDS.source,
  dest_wallet: SAMPLE_IDS.dest,
  source_account: null,
  dest_account: null,
  split_config: null,
  fee_breakdown: REFERENCE_FEES,
  mfb_reference: null,
  psp_reference: null,
  psp_meta: null,
  idempotency_key: null,
  description: 'rent',
  metadata: { order: 7 },
  failed_reason: null,
  completed_at: COMPLETED,
  created_at: CREATED,
  updated_at: UPDATED,
};
const { amount, ...withoutAmount } = reference;
const guide = {
  ...withoutAmount,
  amount_kobo: amount,
  amount_naira: '1234.50',
  fee_breakdown: GUIDE_FEES,
};

describe('P2P transfer', () => {
  test('reference form: exactly the published fields', () => {
    expect(overTheWire(sampleTransfer(), 'reference')).toEqual(reference);
  });

  test('reference form has its fields in the published order', () => {
    expect(Object.keys(overTheWire(sampleTransfer(), 'reference'))).toEqual(Object.keys(reference));
  });

  test('balances change nothing in reference form', () => {
    const balances = { sourceKobo: 5, destKobo: 123_455 };
    expect(overTheWire(sampleTransfer(), 'reference', balances)).toEqual(reference);
  });

  test('guide form with balances: the wallets are objects', () => {
    const balances = { sourceKobo: 5, destKobo: 123_455 };
    expect(overTheWire(sampleTransfer(), 'guide', balances)).toEqual({
      ...guide,
      source_wallet: { id: SAMPLE_IDS.source, balance_after_kobo: 5, balance_after_naira: '0.05' },
      dest_wallet: { id: SAMPLE_IDS.dest, balance_after_kobo: 123_455, balance_after_naira: '1234.55' },
    });
  });

  test('guide form without balances: the wallets are ids', () => {
    expect(overTheWire(sampleTransfer(), 'guide')).toEqual(guide);
  });

  test('quickstart form: the reference form with an empty failed_reason', () => {
    expect(overTheWire(sampleTransfer(), 'quickstart')).toEqual({ ...reference, failed_reason: '' });
  });

  test('a balance of 0 is shown as 0 and not left out', () => {
    const balances = { sourceKobo: 0, destKobo: 123_450 };
    expect(overTheWire(sampleTransfer(), 'guide', balances).source_wallet).toEqual({
      id: SAMPLE_IDS.source,
      balance_after_kobo: 0,
      balance_after_naira: '0.00',
    });
  });
});

describe('bank transfer', () => {
  const account = {
    bank_code: '058',
    bank_name: 'GTBank',
    account_number: '0108024071',
    account_name: 'Ada Obi',
    resolved_name: 'ADA N OBI',
    name_matches: null,
    on_name_mismatch: 'continue',
    name_decision: null,
    purpose: 'other',
  };
  const more = {
    type: 'bank_transfer',
    dest_wallet: null,
    dest_account: account,
    mfb_reference: '9999990101',
    psp_reference: 'SBX_1',
    psp_meta: { provider: 'simulator', session_id: '9999990101', response_code: '00' },
    idempotency_key: 'key-1',
  };

  test('reference form', () => {
    expect(overTheWire(sampleBankTransfer(), 'reference')).toEqual({ ...reference, ...more });
  });

  test('guide form: an absent wallet stays null', () => {
    const balances = { sourceKobo: 5_000, destKobo: null };
    expect(overTheWire(sampleBankTransfer(), 'guide', balances)).toEqual({
      ...guide,
      ...more,
      source_wallet: { id: SAMPLE_IDS.source, balance_after_kobo: 5_000, balance_after_naira: '50.00' },
    });
  });

  test('the facts of the provider are null before it has accepted the transfer', () => {
    const fresh = sampleBankTransfer({
      status: 'processing',
      pspReference: null,
      pspMeta: null,
      completedAt: null,
    });
    expect(overTheWire(fresh, 'reference')).toMatchObject({
      status: 'processing',
      mfb_reference: null,
      psp_reference: null,
      psp_meta: null,
      completed_at: null,
    });
  });

  test('facts that the provider did not give are null', () => {
    const pspMeta = {
      provider: 'simulator',
      sessionId: null,
      responseCode: null,
      feeKobo: null,
      dutyKobo: null,
    };
    expect(overTheWire(sampleBankTransfer({ pspMeta }), 'reference')).toMatchObject({
      mfb_reference: null,
      psp_meta: { provider: 'simulator', session_id: null, response_code: null },
    });
  });

  test.each(['reference', 'guide', 'quickstart'] as const)(
    'in %s form a failure shows its reason',
    (form) => {
      const failed = sampleBankTransfer({
        status: 'failed',
        failedReason: 'Do not honor',
        completedAt: null,
      });
      expect(overTheWire(failed, form)).toMatchObject({
        status: 'failed',
        failed_reason: 'Do not honor',
        completed_at: null,
      });
    },
  );
});
