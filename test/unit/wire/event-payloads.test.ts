/**
 * What partners receive: the payload of each event and its envelope (interface: Events; D106-D113,
 * D143).
 */
import { present } from '../../../src/domain/assert';
import type { ActivatedWallet, EventDraft } from '../../../src/domain/events';
import {
  bankTransferFailed,
  completedAtOnce,
  nameMismatched,
  transactionCompleted,
  walletActivated,
  writeDelivery,
  writeEndpoint,
  writeMoneyMoved,
  writePayload,
} from '../../../src/wire/webhooks';
import { samplePayload } from '../../../src/wire/webhook-samples';
import {
  COMPLETED,
  CREATED,
  SAMPLE_IDS,
  sampleBankTransfer,
  sampleTransfer,
  sampleWallet,
} from '../../support/samples';

const textOf = (event: EventDraft): string => present(event.data, 'a payload');
const dataOf = (event: EventDraft): unknown => JSON.parse(textOf(event));
const common = {
  id: SAMPLE_IDS.transaction,
  status: 'completed',
  reference: 'order-1',
  amount_kobo: 123_450,
};

test('transaction.completed of a P2P transfer', () => {
  const event = transactionCompleted(sampleTransfer());
  expect(event).toMatchObject({
    kind: 'transaction.completed',
    alias: 'transfer.completed',
    resourceId: SAMPLE_IDS.transaction,
  });
  expect(dataOf(event)).toEqual({
    ...common,
    type: 'p2p_transfer',
    source_wallet_id: SAMPLE_IDS.source,
    dest_wallet_id: SAMPLE_IDS.dest,
    created_at: CREATED,
  });
});

test('transaction.completed of a funding: the P2P shape without a source, and without an alias', () => {
  const event = transactionCompleted(sampleTransfer({ type: 'wallet_funding', sourceWalletId: null }));
  expect(event.alias).toBeNull();
  expect(dataOf(event)).toEqual({
    ...common,
    type: 'wallet_funding',
    source_wallet_id: null,
    dest_wallet_id: SAMPLE_IDS.dest,
    created_at: CREATED,
  });
});

test('transaction.completed of a transaction that was complete at once has the same payload, made from the row', () => {
  const transfer = sampleTransfer({ reference: 'a"b\\c – Ọjà' });
  const event = transactionCompleted(transfer);
  expect(completedAtOnce(transfer)).toEqual({ ...event, data: null });
  expect(writeMoneyMoved(transfer)).toBe(event.data);
});

test('the payload of a bank transfer is never made from its row, which changes', () => {
  expect(() => completedAtOnce(sampleBankTransfer())).toThrow('nothing of this payload changes later');
});

test('transaction.completed of a bank transfer', () => {
  const event = transactionCompleted(sampleBankTransfer());
  expect(event).toMatchObject({ kind: 'transaction.completed', alias: 'transfer.completed' });
  expect(dataOf(event)).toEqual({
    ...common,
    type: 'bank_transfer',
    psp_reference: 'SBX_1',
    completed_at: COMPLETED,
    name_matches: null,
  });
});

test.each([true, false])(
  'a bank transfer tells whether the bank has the name that was sent: %s',
  (nameMatches) => {
    const account = present(sampleBankTransfer().destAccount, 'an account');
    const transfer = sampleBankTransfer({ destAccount: { ...account, nameMatches } });
    const reversal = sampleTransfer({ id: 'rev', type: 'reversal' });
    expect(dataOf(transactionCompleted(transfer))).toMatchObject({ name_matches: nameMatches });
    expect(dataOf(bankTransferFailed(transfer, reversal))).toMatchObject({ name_matches: nameMatches });
  },
);

test('transaction.name_mismatch says until when its partner may decide, and names nobody', () => {
  const held = sampleBankTransfer({ status: 'processing', completedAt: null });
  const event = nameMismatched(held, new Date(COMPLETED));
  expect(event).toMatchObject({ kind: 'transaction.name_mismatch', alias: null, resourceId: held.id });
  expect(dataOf(event)).toEqual({
    ...common,
    type: 'bank_transfer',
    status: 'processing',
    decide_before: COMPLETED,
  });
});

test('transaction.failed of a bank transfer: the reason, and the reversal', () => {
  const failed = sampleBankTransfer({ status: 'failed', failedReason: 'Do not honor', completedAt: null });
  const reversal = sampleTransfer({ id: 'rev', type: 'reversal', amountKobo: 128_450 });
  const event = bankTransferFailed(failed, reversal);
  expect(event).toMatchObject({
    kind: 'transaction.failed',
    alias: 'transfer.failed',
    resourceId: SAMPLE_IDS.transaction,
  });
  expect(dataOf(event)).toEqual({
    ...common,
    status: 'failed',
    type: 'bank_transfer',
    failure_reason: 'Do not honor',
    reversal: { reversed: true, reversal_tx_id: 'rev', amount_kobo: 128_450 },
    reversal_status: 'completed',
    name_matches: null,
  });
});

const activated = (more: Partial<ActivatedWallet> = {}): string => {
  const { id, userRef, account, createdAt } = sampleWallet();
  const row = { id, userRef, account: present(account, 'an account'), createdAt };
  return writePayload({ ...row, activatedAt: new Date(COMPLETED), ...more });
};

test('wallet.activated is made from the row of the wallet, which alone has the name', () => {
  expect(walletActivated(sampleWallet())).toEqual({
    kind: 'wallet.activated',
    alias: null,
    resourceId: SAMPLE_IDS.wallet,
    data: null,
  });
  expect(JSON.parse(activated())).toEqual({
    id: SAMPLE_IDS.wallet,
    user_ref: 'user-1',
    status: 'active',
    account_number: '1000000015',
    account_name: 'ADA OBI',
    bank_code: '50999',
    bank_name: 'Sandbox Microfinance Bank',
    account_status: 'active',
    created_at: CREATED,
    activated_at: COMPLETED,
  });
});

describe('the envelope', () => {
  const delivery = {
    eventName: 'transaction.completed',
    data: '{"id":"7b0e2c7a-6f0e-4b2e-9b6d-0d1c2f3a4b5c"}',
    createdAt: new Date('2026-11-21T00:00:00.000Z'),
    webhookId: 'wh_01',
  };

  test('has these bytes', () => {
    expect(writeDelivery(delivery)).toBe(
      '{"event":"transaction.completed","data":{"id":"7b0e2c7a-6f0e-4b2e-9b6d-0d1c2f3a4b5c"},' +
        '"timestamp":"2026-11-21T00:00:00.000Z","webhook_id":"wh_01"}',
    );
  });

  test('contains the stored payload unchanged, whatever its spacing and order', () => {
    const data = '{ "b": 1,"a":"₦ 🏦 \\u0041" }';
    expect(writeDelivery({ ...delivery, data })).toContain(`"data":${data},`);
  });

  test('under an alias only `event` differs', () => {
    const alias = writeDelivery({ ...delivery, eventName: 'transfer.completed' });
    expect(alias).toBe(writeDelivery(delivery).replace('transaction.completed', 'transfer.completed'));
  });

  test.each([
    ['a P2P transfer', textOf(transactionCompleted(sampleTransfer({ reference: 'a"b\\c – Ọjà' })))],
    ['a wallet', activated({ userRef: '"},"x":{"' })],
  ])('of %s is JSON with four fields, whatever the partner wrote', (_what, data) => {
    const body = JSON.parse(writeDelivery({ ...delivery, data })) as Record<string, unknown>;
    expect(Object.keys(body)).toEqual(['event', 'data', 'timestamp', 'webhook_id']);
    expect(body.data).toEqual(JSON.parse(data));
  });
});

test.each([
  [null, null],
  [new Date(COMPLETED), COMPLETED],
])('an endpoint shows these fields and never its secret (%#)', (lastSuccessAt, shown) => {
  const endpoint = {
    id: 'e1',
    partnerId: 'p1',
    url: 'https://acme.example/hooks',
    events: ['kyc.failed'],
    isActive: true,
    failureCount: 2,
    lastSuccessAt,
    createdAt: new Date(CREATED),
    secretSealed: 'sealed',
  };
  expect(writeEndpoint(endpoint)).toEqual({
    id: 'e1',
    partner_id: 'p1',
    url: 'https://acme.example/hooks',
    events: ['kyc.failed'],
    is_active: true,
    created_at: CREATED,
    failure_count: 2,
    last_success_at: shown,
  });
});

describe('the sample of an event has exactly the fields of the real one', () => {
  const failed = sampleBankTransfer({ status: 'failed', failedReason: 'No such account' });
  test.each([
    ['transaction.completed', textOf(transactionCompleted(sampleTransfer()))],
    ['transfer.completed', textOf(transactionCompleted(sampleTransfer()))],
    ['transaction.failed', textOf(bankTransferFailed(failed, sampleTransfer({ type: 'reversal' })))],
    ['wallet.activated', activated()],
  ])('%s', (name, data) => {
    const sample = JSON.parse(samplePayload(name, SAMPLE_IDS.wallet)) as object;
    expect(Object.keys(sample)).toEqual(Object.keys(JSON.parse(data) as object));
  });
});
