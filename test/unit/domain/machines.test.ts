/** The state machines: every state under every trigger, allowed or refused (interface: States; D26, D28, D32). */
import {
  COMPLIANCE_DECISIONS,
  COMPLIANCE_MACHINE,
  COMPLIANCE_STATUSES,
  COMPLIANCE_STEPS,
  COMPLIANCE_TRIGGERS,
  PARTNER_FOLLOWS,
  type ComplianceStatus,
  type ComplianceTrigger,
} from '../../../src/domain/compliance';
import { next, sources } from '../../../src/domain/machine';
import {
  BANK_TRANSFER_MACHINE,
  fundingReference,
  reversalReference,
  TRANSACTION_STATUSES,
  type BankTransferTrigger,
  type UssdPaymentTrigger,
  USSD_PAYMENT_MACHINE,
  type TransactionStatus,
} from '../../../src/domain/transactions';
import {
  PARTNER_MACHINE,
  PARTNER_STATUSES,
  PARTNER_TRIGGERS,
  type PartnerStatus,
  type PartnerTrigger,
} from '../../../src/domain/partners';
import {
  ACCOUNT_STATUS_OF,
  ACCOUNT_STATUSES,
  afterMove,
  FREEZERS,
  WALLET_MACHINE,
  WALLET_STATUSES,
  type Freezer,
  type WalletStatus,
  type WalletTrigger,
} from '../../../src/domain/wallets';

type After<State, Trigger extends string> = Record<Trigger, State | null>;

describe('wallet', () => {
  const NOWHERE = { account_issued: null, freeze: null, unfreeze: null, close: null, reopen: null };
  const table: Record<WalletStatus, After<WalletStatus, WalletTrigger>> = {
    pending: { ...NOWHERE, account_issued: 'active', close: 'closed' },
    active: { ...NOWHERE, freeze: 'frozen', close: 'closed' },
    frozen: { ...NOWHERE, unfreeze: 'active', close: 'closed' },
    closed: { ...NOWHERE, reopen: 'pending' },
  };
  const pairs = WALLET_STATUSES.flatMap((state) =>
    (Object.keys(NOWHERE) as WalletTrigger[]).map(
      (trigger) => [state, trigger, table[state][trigger]] as const,
    ),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(WALLET_MACHINE, state, trigger)).toBe(after);
  });

  test.each<[WalletTrigger, WalletStatus[]]>([
    ['account_issued', ['pending']],
    ['freeze', ['active']],
    ['unfreeze', ['frozen']],
    ['close', ['pending', 'active', 'frozen']],
    ['reopen', ['closed']],
  ])('%s starts from %j only', (trigger, states) => {
    expect(sources(WALLET_MACHINE, trigger)).toEqual(states);
  });

  describe('an operator’s freeze outranks the partner', () => {
    const frozen = (frozenBy: Freezer) => ({ status: 'frozen' as const, frozenBy });
    test.each<[by: Freezer, WalletTrigger, actor: Freezer, WalletStatus | null]>([
      ['partner', 'freeze', 'partner', null],
      ['partner', 'unfreeze', 'partner', 'active'],
      ['partner', 'close', 'partner', 'closed'],
      ['partner', 'freeze', 'operator', 'frozen'],
      ['partner', 'unfreeze', 'operator', 'active'],
      ['partner', 'close', 'operator', 'closed'],
      ['operator', 'freeze', 'partner', null],
      ['operator', 'unfreeze', 'partner', null],
      ['operator', 'close', 'partner', null],
      ['operator', 'freeze', 'operator', 'frozen'],
      ['operator', 'unfreeze', 'operator', 'active'],
      ['operator', 'close', 'operator', 'closed'],
    ])('frozen by the %s, %s by the %s: %s', (by, trigger, actor, after) => {
      expect(afterMove(frozen(by), trigger, actor)).toBe(after);
    });

    test.each(FREEZERS)('in every other state the %s moves a wallet as the machine says', (actor) => {
      for (const [status, trigger, after] of pairs.filter(([from]) => from !== 'frozen')) {
        expect(afterMove({ status, frozenBy: null }, trigger, actor)).toBe(after);
      }
    });
  });

  test.each<[WalletStatus, string]>([
    ['pending', 'provisioning'],
    ['active', 'active'],
    ['frozen', 'suspended'],
    ['closed', 'closed'],
  ])('while it is %s its bank account is %s', (status, accountStatus) => {
    expect(ACCOUNT_STATUS_OF[status]).toBe(accountStatus);
  });

  test('the published states are all there are', () => {
    expect(WALLET_STATUSES).toEqual(['pending', 'active', 'frozen', 'closed']);
    expect(ACCOUNT_STATUSES).toEqual(['provisioning', 'active', 'suspended', 'closed']);
  });
});

describe('bank transfer', () => {
  const NOWHERE = { provider_success: null, provider_failure: null, provider_return: null };
  const table: Record<TransactionStatus, After<TransactionStatus, BankTransferTrigger>> = {
    pending: NOWHERE,
    processing: { ...NOWHERE, provider_success: 'completed', provider_failure: 'failed' },
    completed: { ...NOWHERE, provider_return: 'reversed' },
    failed: NOWHERE,
    reversed: NOWHERE,
    expired: NOWHERE,
  };
  const pairs = TRANSACTION_STATUSES.flatMap((state) =>
    (Object.keys(NOWHERE) as BankTransferTrigger[]).map(
      (trigger) => [state, trigger, table[state][trigger]] as const,
    ),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(BANK_TRANSFER_MACHINE, state, trigger)).toBe(after);
  });

  test.each([
    ['provider_success', 'processing'],
    ['provider_failure', 'processing'],
    ['provider_return', 'completed'],
  ] as const)('%s starts from %s only', (trigger, state) => {
    expect(sources(BANK_TRANSFER_MACHINE, trigger)).toEqual([state]);
  });

  test('the published states are all there are', () => {
    expect(TRANSACTION_STATUSES).toEqual([
      'pending',
      'processing',
      'completed',
      'failed',
      'reversed',
      'expired',
    ]);
  });
});

describe('ussd payment', () => {
  const NOWHERE = { pin_accepted: null, debited: null, refused: null, ended: null, expire: null };
  const table: Record<TransactionStatus, After<TransactionStatus, UssdPaymentTrigger>> = {
    pending: { ...NOWHERE, pin_accepted: 'processing', ended: 'failed', expire: 'expired' },
    processing: { ...NOWHERE, debited: 'completed', refused: 'failed' },
    completed: NOWHERE,
    failed: NOWHERE,
    reversed: NOWHERE,
    expired: NOWHERE,
  };
  const pairs = TRANSACTION_STATUSES.flatMap((state) =>
    (Object.keys(NOWHERE) as UssdPaymentTrigger[]).map(
      (trigger) => [state, trigger, table[state][trigger]] as const,
    ),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(USSD_PAYMENT_MACHINE, state, trigger)).toBe(after);
  });
});

describe('compliance', () => {
  const NOWHERE = {
    edit: null,
    submit: null,
    claim: null,
    approve: null,
    reject: null,
    suspend: null,
    reinstate: null,
    withdraw: 'incomplete',
  } as const;
  const table: Record<ComplianceStatus, After<ComplianceStatus, ComplianceTrigger>> = {
    incomplete: { ...NOWHERE, edit: 'incomplete', submit: 'submitted' },
    submitted: {
      ...NOWHERE,
      edit: 'submitted',
      claim: 'under_review',
      approve: 'approved',
      reject: 'rejected',
    },
    under_review: { ...NOWHERE, approve: 'approved', reject: 'rejected' },
    approved: { ...NOWHERE, suspend: 'suspended' },
    rejected: { ...NOWHERE, edit: 'incomplete', submit: 'submitted' },
    suspended: { ...NOWHERE, reinstate: 'approved' },
  };
  const pairs = COMPLIANCE_STATUSES.flatMap((state) =>
    COMPLIANCE_TRIGGERS.map((trigger) => [state, trigger, table[state][trigger]] as const),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(COMPLIANCE_MACHINE, state, trigger)).toBe(after);
  });

  test('the published states and steps are all there are', () => {
    expect(COMPLIANCE_STATUSES).toEqual([
      'incomplete',
      'submitted',
      'under_review',
      'approved',
      'rejected',
      'suspended',
    ]);
    expect(COMPLIANCE_STEPS).toEqual(['business_info', 'directors', 'agreements', 'use_case']);
    expect(COMPLIANCE_DECISIONS).toEqual(['claim', 'approve', 'reject', 'suspend', 'reinstate']);
  });

  test.each<[ComplianceTrigger, PartnerTrigger | undefined]>([
    ['edit', undefined],
    ['submit', 'compliance_submitted'],
    ['claim', undefined],
    ['approve', 'compliance_approved'],
    ['reject', 'compliance_rejected'],
    ['suspend', 'suspend'],
    ['reinstate', 'reinstate'],
    ['withdraw', 'compliance_withdrawn'],
  ])('after %s of the live record the partner follows by %s', (trigger, partnerTrigger) => {
    expect(PARTNER_FOLLOWS[trigger]).toBe(partnerTrigger);
  });
});

describe('partner', () => {
  const NOWHERE = {
    compliance_submitted: null,
    compliance_approved: null,
    compliance_rejected: null,
    compliance_withdrawn: null,
    suspend: null,
    reinstate: null,
    close: null,
  };
  const table: Record<PartnerStatus, After<PartnerStatus, PartnerTrigger>> = {
    registered: { ...NOWHERE, compliance_submitted: 'pending_review', close: 'closed' },
    pending_review: {
      ...NOWHERE,
      compliance_approved: 'active',
      compliance_rejected: 'registered',
      compliance_withdrawn: 'registered',
      close: 'closed',
    },
    active: { ...NOWHERE, compliance_withdrawn: 'registered', suspend: 'suspended', close: 'closed' },
    suspended: { ...NOWHERE, reinstate: 'active', close: 'closed' },
    closed: NOWHERE,
  };
  const pairs = PARTNER_STATUSES.flatMap((state) =>
    PARTNER_TRIGGERS.map((trigger) => [state, trigger, table[state][trigger]] as const),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(PARTNER_MACHINE, state, trigger)).toBe(after);
  });

  test('the published states are all there are', () => {
    expect(PARTNER_STATUSES).toEqual(['registered', 'pending_review', 'active', 'suspended', 'closed']);
  });
});

test.each([
  ['wallet', WALLET_MACHINE],
  ['bank transfer', BANK_TRANSFER_MACHINE],
  ['ussd payment', USSD_PAYMENT_MACHINE],
  ['compliance record', COMPLIANCE_MACHINE],
  ['partner', PARTNER_MACHINE],
])('the machine of the %s has one row for a state and a trigger', (_what, rows) => {
  expect(new Set(rows.map(([from, trigger]) => `${from} ${trigger}`)).size).toBe(rows.length);
});

test('the reference of a reversal comes from the reversed transfer, that of a funding from its own id', () => {
  expect(reversalReference('t1')).toBe('rev_t1');
  expect(fundingReference('t1')).toBe('fund_t1');
});
