/**
 * USSD sessions: every state under every trigger, and every move as it is decided (interface: States; D31, D33,
 * D34, R18).
 */
import { next, sources } from '../../../src/domain/machine';
import { USSD_PAYMENT_MACHINE } from '../../../src/domain/transactions';
import {
  attemptsLeft,
  decideUssd,
  isFinal,
  isOpen,
  notOpen,
  obstacleOf,
  TRANSACTION_TRIGGER,
  USSD_MACHINE,
  USSD_STATUSES,
  ussdTerms,
  type CountedAttempt,
  type Payer,
  type UssdFacts,
  type UssdMove,
  type UssdStatus,
  type UssdTrigger,
} from '../../../src/domain/ussd';

const TRIGGERS: UssdTrigger[] = [
  'dial',
  'confirm',
  'pin_rejected',
  'pin_accepted',
  'pin_exhausted',
  'pin_locked',
  'cancel',
  'obstruct',
  'expire',
  'debited',
  'refused',
];

describe('the machine', () => {
  const table: Record<UssdStatus, Partial<Record<UssdTrigger, UssdStatus>>> = {
    initiated: { dial: 'menu_main', cancel: 'failed', obstruct: 'failed', expire: 'expired' },
    menu_main: { confirm: 'pin_entry', cancel: 'failed', expire: 'expired' },
    pin_entry: {
      pin_rejected: 'pin_entry',
      pin_accepted: 'processing',
      pin_exhausted: 'failed',
      pin_locked: 'failed',
      cancel: 'failed',
      expire: 'expired',
    },
    processing: { debited: 'completed', refused: 'failed' },
    completed: {},
    failed: {},
    expired: {},
  };
  const pairs = USSD_STATUSES.flatMap((state) =>
    TRIGGERS.map((trigger) => [state, trigger, table[state][trigger] ?? null] as const),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(USSD_MACHINE, state, trigger)).toBe(after);
  });

  test('has one row for a state and a trigger, and no other trigger', () => {
    const rows = USSD_MACHINE.map(([from, trigger]) => `${from} ${trigger}`);
    expect(new Set(rows).size).toBe(rows.length);
    expect(new Set(USSD_MACHINE.map(([, trigger]) => trigger))).toEqual(new Set(TRIGGERS));
  });

  test('the published states are all there are', () => {
    expect(USSD_STATUSES).toEqual([
      'initiated',
      'menu_main',
      'pin_entry',
      'processing',
      'completed',
      'failed',
      'expired',
    ]);
  });

  test.each<[UssdStatus, boolean, boolean, string]>([
    ['initiated', true, false, 'USSD_SESSION_NOT_ACTIVE'],
    ['menu_main', true, false, 'USSD_SESSION_NOT_ACTIVE'],
    ['pin_entry', true, false, 'USSD_SESSION_NOT_ACTIVE'],
    ['processing', false, false, 'USSD_SESSION_NOT_ACTIVE'],
    ['completed', false, true, 'USSD_SESSION_NOT_ACTIVE'],
    ['failed', false, true, 'USSD_SESSION_NOT_ACTIVE'],
    ['expired', false, true, 'USSD_SESSION_EXPIRED'],
  ])('%s: open %s, final %s, refuses with %s', (status, open, final, code) => {
    expect(isOpen(status)).toBe(open);
    expect(isFinal(status)).toBe(final);
    expect(notOpen(status).refusal.code).toBe(code);
  });

  test('every trigger that ends or debits a session moves its transaction in the same way', () => {
    const transactionOf: Partial<Record<UssdStatus, string>> = {
      processing: 'processing',
      failed: 'failed',
      expired: 'expired',
    };
    for (const [from, trigger, to] of USSD_MACHINE.filter(([state]) => isOpen(state))) {
      const moved = TRANSACTION_TRIGGER[trigger];
      expect([from, trigger, moved ? next(USSD_PAYMENT_MACHINE, 'pending', moved) : null]).toEqual([
        from,
        trigger,
        transactionOf[to] ?? null,
      ]);
      if (moved) expect(sources(USSD_PAYMENT_MACHINE, moved)).toEqual(['pending']);
    }
  });
});

describe('a move', () => {
  const facts = (more: Partial<UssdFacts> = {}): UssdFacts => ({
    status: 'pin_entry',
    overdue: false,
    attempts: [],
    obstacle: null,
    isOrdered: false,
    ...more,
  });
  const attempt = (more: Partial<CountedAttempt> = {}): CountedAttempt => ({
    id: 'a',
    outcome: null,
    abandoned: false,
    ...more,
  });
  const PIN: UssdMove = { kind: 'pin', attemptId: 'a' };
  const SIMULATE: UssdMove = { kind: 'simulate', orderId: 'o' };
  const EXPIRE: UssdMove = { kind: 'expire' };

  test.each<[string, UssdMove, Partial<UssdFacts>, UssdTrigger[], string | null]>([
    ['dial', { kind: 'dial' }, { status: 'initiated' }, ['dial'], null],
    ['dial again', { kind: 'dial' }, { status: 'menu_main' }, [], null],
    [
      'dial without funds',
      { kind: 'dial' },
      { status: 'initiated', obstacle: 'INSUFFICIENT_FUNDS' },
      ['obstruct'],
      'INSUFFICIENT_FUNDS',
    ],
    [
      'dial again without funds',
      { kind: 'dial' },
      { status: 'pin_entry', obstacle: 'INSUFFICIENT_FUNDS' },
      [],
      null,
    ],
    ['confirm', { kind: 'confirm' }, { status: 'menu_main' }, ['confirm'], null],
    ['confirm before the menu', { kind: 'confirm' }, { status: 'initiated' }, [], null],
    ['confirm again', { kind: 'confirm' }, { status: 'pin_entry' }, [], null],
    ['cancel before dialling', { kind: 'cancel' }, { status: 'initiated' }, ['cancel'], 'CANCELLED'],
    ['cancel at the menu', { kind: 'cancel' }, { status: 'menu_main' }, ['cancel'], 'CANCELLED'],
    ['cancel at the PIN', { kind: 'cancel' }, {}, ['cancel'], 'CANCELLED'],
    ['cancel during the debit', { kind: 'cancel' }, { status: 'processing' }, [], null],
    [
      'a simulated payment before dialling',
      SIMULATE,
      { status: 'initiated', isOrdered: true },
      ['dial', 'confirm', 'pin_accepted'],
      null,
    ],
    [
      'a simulated payment at the menu',
      SIMULATE,
      { status: 'menu_main', isOrdered: true },
      ['confirm', 'pin_accepted'],
      null,
    ],
    ['a simulated payment at the PIN', SIMULATE, { isOrdered: true }, ['pin_accepted'], null],
    ['a simulated payment again', SIMULATE, { status: 'completed', isOrdered: true }, [], null],
    ['a simulated payment that nobody has ordered', SIMULATE, {}, [], null],
    ['a PIN without an outcome', PIN, { attempts: [attempt()] }, [], null],
    ['a PIN that nobody counted', PIN, {}, [], null],
    ['a right PIN', PIN, { attempts: [attempt({ outcome: 'pin_accepted' })] }, ['pin_accepted'], null],
    ['a wrong PIN', PIN, { attempts: [attempt({ outcome: 'pin_rejected' })] }, ['pin_rejected'], null],
    [
      'the third wrong PIN',
      PIN,
      { attempts: [attempt({ outcome: 'pin_exhausted' })] },
      ['pin_exhausted'],
      'WRONG_PIN',
    ],
    [
      'the ninth wrong PIN',
      PIN,
      { attempts: [attempt({ outcome: 'pin_locked' })] },
      ['pin_locked'],
      'PIN_LOCKED',
    ],
    [
      'a right PIN after the end',
      PIN,
      { status: 'failed', attempts: [attempt({ outcome: 'pin_accepted' })] },
      [],
      null,
    ],
    [
      'a right PIN that was counted in time and reported late',
      PIN,
      { overdue: true, attempts: [attempt({ outcome: 'pin_accepted' })] },
      ['pin_accepted'],
      null,
    ],
    ...(
      [{ kind: 'cancel' }, { kind: 'confirm' }, EXPIRE, { kind: 'pin', attemptId: 'another' }] as const
    ).map((asked): [string, UssdMove, Partial<UssdFacts>, UssdTrigger[], string | null] => [
      `${asked.kind} after a right PIN whose message was lost`,
      asked,
      {
        attempts: [
          attempt({ outcome: 'pin_accepted' }),
          attempt({ id: 'another', outcome: 'pin_exhausted' }),
        ],
      },
      ['pin_accepted'],
      null,
    ]),
    ['expiry before its time', EXPIRE, {}, [], null],
    ['expiry', EXPIRE, { overdue: true }, ['expire'], null],
    ['expiry of a session nobody dialled', EXPIRE, { status: 'initiated', overdue: true }, ['expire'], null],
    ['expiry during the debit', EXPIRE, { status: 'processing', overdue: true }, [], null],
    [
      'expiry after a wrong PIN',
      EXPIRE,
      { overdue: true, attempts: [attempt({ outcome: 'pin_rejected' })] },
      ['expire'],
      null,
    ],
    ['expiry while a PIN is verified', EXPIRE, { overdue: true, attempts: [attempt()] }, [], null],
    [
      'expiry when the check of a PIN has taken too long',
      EXPIRE,
      { overdue: true, attempts: [attempt({ abandoned: true })] },
      ['expire'],
      null,
    ],
    [
      'expiry after a right PIN',
      EXPIRE,
      { overdue: true, attempts: [attempt({ outcome: 'pin_accepted' })] },
      ['pin_accepted'],
      null,
    ],
    [
      'expiry after the third wrong PIN',
      EXPIRE,
      { overdue: true, attempts: [attempt({ outcome: 'pin_exhausted' })] },
      ['pin_exhausted'],
      'WRONG_PIN',
    ],
    ['dial too late', { kind: 'dial' }, { status: 'initiated', overdue: true }, ['expire'], null],
    ['confirm too late', { kind: 'confirm' }, { status: 'menu_main', overdue: true }, ['expire'], null],
    ['cancel too late', { kind: 'cancel' }, { overdue: true }, ['expire'], null],
    ['a simulated payment too late', SIMULATE, { overdue: true, isOrdered: true }, ['expire'], null],
  ])('%s', (_name, asked, more, triggers, failureReason) => {
    expect(decideUssd(facts(more), asked)).toEqual({ triggers, failureReason });
  });
});

test.each<[string, Partial<Payer>, string | null]>([
  ['can pay', {}, null],
  ['has exactly the amount', { availableKobo: 100 }, null],
  ['has a kobo less', { availableKobo: 99 }, 'INSUFFICIENT_FUNDS'],
  ['is frozen', { status: 'frozen' }, 'WALLET_FROZEN'],
  ['is closed', { status: 'closed' }, 'WALLET_CLOSED'],
  ['is pending', { status: 'pending' }, 'WALLET_NOT_ACTIVE'],
  ['has no PIN', { pin: 'not_set' }, 'PIN_NOT_SET'],
  ['has a locked PIN', { pin: 'locked', availableKobo: 0 }, 'PIN_LOCKED'],
])('a payer who %s', (_name, more, obstacle) => {
  expect(obstacleOf({ status: 'active', availableKobo: 1_000, pin: 'set', ...more }, 100)).toBe(obstacle);
});

test('three attempts less those that were counted', () => {
  expect([0, 1, 2, 3].map((pinAttempts) => attemptsLeft({ pinAttempts }))).toEqual([3, 2, 1, 0]);
});

test('payer, merchant and amount make a payment the same', () => {
  const payment = { payerWalletId: 'p', merchantWalletId: 'm', amountKobo: 1 };
  const others = [{ payerWalletId: 'q' }, { merchantWalletId: 'n' }, { amountKobo: 2 }];
  expect(ussdTerms({ ...payment })).toBe(ussdTerms(payment));
  for (const other of others) expect(ussdTerms({ ...payment, ...other })).not.toBe(ussdTerms(payment));
});
