/**
 * The simulator keeps the contract of the port, and what the sandbox publishes in addition (D30, D60, D96, R21,
 * R24).
 */
import { randomUUID } from 'node:crypto';
import { SANDBOX_MFB } from '../../../src/domain/banks';
import { payoutReference, transferOfPayout, type PayoutOrder } from '../../../src/domain/payouts';
import { readScenario } from '../../../src/domain/sandbox-scenarios';
import { sandboxAccountName } from '../../../src/providers/resolved-names';
import { createSimulator, type SimulatorPorts } from '../../../src/providers/simulator/simulator';
import { standStill } from '../../support/dates';
import { keepsTheContract } from '../../support/provider-contract';
import { FROM_BOLA } from '../../support/originator';

type Transfer = NonNullable<Awaited<ReturnType<SimulatorPorts['findTransfer']>>>;

/** The platform's books as the simulator sees them: one wallet of ours, and the transfers of a case. */
function openBooks() {
  const owner = { partnerId: randomUUID(), walletId: randomUUID(), accountName: 'ADA OBI' };
  const numbers = new Map<string, string>();
  const books = {
    owner,
    ownNumber: '1000000015',
    transfers: new Map<string, Transfer>(),
    credited: [] as string[],
    takesMoney: true,
    isAway: false,
  };
  const unlessAway = <Value>(value: () => Value): Promise<Value> =>
    books.isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve(value());
  const ports: SimulatorPorts = {
    drawNuban: ({ walletId }) =>
      unlessAway(() => {
        const number = numbers.get(walletId) ?? String(2_000_000_000 + numbers.size);
        numbers.set(walletId, number);
        return number;
      }),
    findNuban: (number) => unlessAway(() => (number === books.ownNumber ? owner : null)),
    findTransfer: (id) => unlessAway(() => books.transfers.get(id) ?? null),
    credit: (_owner, id) =>
      unlessAway(() => {
        if (books.takesMoney && !books.credited.includes(id)) books.credited.push(id);
        return books.takesMoney;
      }),
    isCredited: (_owner, id) => unlessAway(() => books.credited.includes(id)),
  };
  const simulator = createSimulator({
    provisioningMs: [20, 40],
    transferMs: [20, 40],
    kycMs: [20, 40],
    kycUnavailableMs: 50,
    ports,
  });

  function order(accountNumber: string, more: Partial<Transfer> & { bankCode?: string } = {}): PayoutOrder {
    const id = randomUUID();
    const { bankCode = '058', ...transfer } = more;
    books.transfers.set(id, {
      acceptedAt: new Date(),
      forwardedMs: 0,
      status: 'processing',
      paused: false,
      scenario: null,
      bankCode,
      amountKobo: 10_000,
      ...transfer,
    });
    return {
      reference: payoutReference(id, 1),
      providerRef: null,
      amountKobo: 10_000,
      bankCode,
      accountNumber,
      accountName: 'Ada Obi',
      narration: 'rent',
      ...FROM_BOLA,
    };
  }
  return { ...simulator, payouts: simulator.provider.payouts, books, order };
}

describe('the simulator as a company', () => {
  keepsTheContract(['accounts', 'names', 'payouts', 'identity', 'banks'], () => {
    const { provider, books, order } = openBooks();
    const known = { bankCode: '058', accountNumber: '0123456789' };
    return Promise.resolve({
      provider,
      payouts: {
        // Only credits of our own wallets can be counted, because no money moves to another bank in the sandbox.
        order: (ends) =>
          Promise.resolve(
            order(ends === 'success' ? books.ownNumber : '1000000000', { bankCode: SANDBOX_MFB.code }),
          ),
        paid: (reference) => books.credited.filter((id) => payoutReference(id, 1) === reference).length,
      },
      names: {
        known: { ...known, name: sandboxAccountName(known.bankCode, known.accountNumber) },
        unknown: { bankCode: '058', accountNumber: '0123450404' },
      },
      identity: { type: 'bvn', number: '22222222222', expectedName: null },
      troubles: {
        'our database is away': () => {
          books.isAway = true;
          return () => {
            books.isAway = false;
          };
        },
      },
    });
  });
});

describe('a payout in the sandbox', () => {
  // Its outcomes are due within milliseconds of the order, which a busy machine takes between two questions.
  beforeEach(() => standStill());
  afterEach(() => jest.useRealTimers());

  const LONG_AGO = new Date(Date.now() - 60_000);
  const due = { acceptedAt: LONG_AGO };

  test.each([
    ['another number', '0123456789', 'success', '00'],
    ['a number that ends in 0000', '0123450000', 'failed', '05'],
    ['a number that ends in 0404', '0123450404', 'failed', '07'],
  ])('to %s: %s', async (_what, accountNumber, outcome, code) => {
    const { payouts, order } = openBooks();
    expect(await payouts.query(order(accountNumber, due))).toMatchObject({ outcome, code });
  });

  test('that is paused is accepted, stays pending, and its name enquiry is answered as unknown', async () => {
    const { payouts, provider, order } = openBooks();
    const paused = order('0123450404', { ...due, paused: true });
    expect(await payouts.submit(paused)).toMatchObject({ outcome: 'accepted', pollAfterMs: null });
    expect(await payouts.query(paused)).toMatchObject({ outcome: 'pending', pollAfterMs: null });
    expect(await provider.names.enquire('058', '0123450404', paused.reference)).toBe('unknown');
    expect(await provider.names.enquire('058', '0123450404')).toBe('not_found');
  });

  const scenario = (text: string, sinceMs: number): Partial<Transfer> => ({
    acceptedAt: new Date(Date.now() - sinceMs),
    scenario: readScenario(text),
  });
  const CODES = { success: '00', failed: '05', pending: '09', unknown: null };
  test.each([
    ['success_after:30', 29_000, '0123450000', 'pending'],
    ['success_after:30', 30_000, '0123450000', 'success'],
    ['unknown_then_success:5', 4_000, '0123456789', 'unknown'],
    ['unknown_then_success:5', 5_000, '0123456789', 'success'],
    ['unknown_then_fail:5', 4_000, '0123456789', 'unknown'],
    ['unknown_then_fail:5', 5_000, '0123456789', 'failed'],
    ['bank_down:5', 60_000, '0123450000', 'failed'],
  ] as const)('asked for %s is after %d ms, to %s: %s', async (text, sinceMs, accountNumber, outcome) => {
    const { payouts, order } = openBooks();
    const asked = order(accountNumber, scenario(text, sinceMs));
    expect(await payouts.query(asked)).toMatchObject({ outcome, code: CODES[outcome] });
  });

  test.each([
    ['processing', 60_000, '058', 'success'],
    ['completed', 4_000, '058', 'success'],
    ['completed', 5_000, '058', 'reversed'],
    ['reversed', 5_000, '058', 'reversed'],
    ['completed', 5_000, SANDBOX_MFB.code, 'success'],
  ] as const)(
    'asked to come back is, while it is %s, after %d ms, at bank %s: %s',
    async (status, sinceMs, bankCode, outcome) => {
      const { payouts, order } = openBooks();
      const asked = order('0123450505', { ...scenario('returned:5', sinceMs), status, bankCode });
      expect(await payouts.query(asked)).toMatchObject({ outcome });
    },
  );

  const over = { kind: 'over' };
  const says = (outcome: string, times: number) => ({ kind: 'due', notice: { outcome }, times });
  const within = (leastMs: number, mostMs: number) => ({ leastMs, mostMs });
  test.each([
    ['returned:5', 4_000, { status: 'completed' }, within(900, 1_000)],
    ['returned:5', 4_000, { status: 'completed', forwardedMs: 1_000 }, says('reversed', 1)],
    ['returned:5', 5_000, { status: 'completed' }, says('reversed', 1)],
    ['returned:5', 5_000, { status: 'processing' }, within(1_000, 2_000)],
    ['returned:5', 5_000, { status: 'failed' }, over],
    ['returned:5', 5_000, { status: 'reversed' }, over],
    ['returned:5', 5_000, { status: 'completed', bankCode: SANDBOX_MFB.code }, over],
    ['callback_twice', 0, {}, within(1, 40)],
    ['callback_twice', 60_000, {}, says('success', 2)],
    ['callback_twice', 60_000, { status: 'completed' }, says('success', 2)],
    ['callback_twice', 60_000, { paused: true }, within(15_000, 16_000)],
    ['callback_twice', 60_000, { bankCode: SANDBOX_MFB.code }, within(15_000, 16_000)],
    ['callback_twice', 60_000, { status: 'failed' }, over],
    ['callback_contradicts', 60_000, {}, says('failed', 1)],
    ['success_after:1', 60_000, { status: 'completed' }, over],
  ] as const)('asked for %s, %d ms ago, and %j, it says by itself: %j', async (text, sinceMs, more, told) => {
    const { callback, order } = openBooks();
    const { reference } = order('0123456789', { ...scenario(text, sinceMs), ...more });
    const due = await callback(transferOfPayout(reference)!);
    if ('kind' in told) {
      expect(due).toMatchObject(told);
      return;
    }
    const waits = due?.kind === 'wait' ? due.ms : NaN;
    expect(waits).toBeGreaterThanOrEqual(told.leastMs);
    expect(waits).toBeLessThanOrEqual(told.mostMs);
  });

  test('that calls back gives no time at which to ask, and answers as it will when it is asked', async () => {
    const { payouts, order } = openBooks();
    const asked = order('0123456789', scenario('callback_contradicts', 0));
    expect(await payouts.submit(asked)).toMatchObject({ outcome: 'accepted', pollAfterMs: null });
    expect(await payouts.query(asked)).toMatchObject({ outcome: 'pending', pollAfterMs: null });
    const later = order('0123456789', scenario('callback_contradicts', 60_000));
    expect(await payouts.query(later)).toMatchObject({ outcome: 'success' });
  });

  test('asked to fail with a code fails with it', async () => {
    const { payouts, order } = openBooks();
    const asked = order('0123456789', scenario('fail:57', 60_000));
    expect(await payouts.query(asked)).toMatchObject({ outcome: 'failed', code: '57' });
  });

  test.each([
    ['bank_down:5', 4_000, 'not_sent', 'unknown'],
    ['bank_down:5', 5_000, 'accepted', { found: sandboxAccountName('058', '0123456789') }],
    ['unknown_then_success:5', 0, 'unknown', { found: sandboxAccountName('058', '0123456789') }],
  ] as const)('asked for %s, the order of %d ms later is %s', async (text, sinceMs, outcome, name) => {
    const { payouts, provider, order } = openBooks();
    const asked = order('0123456789', scenario(text, sinceMs));
    expect(await payouts.submit(asked)).toMatchObject({ outcome });
    expect(await provider.names.enquire('058', '0123456789', asked.reference)).toEqual(name);
  });

  test('gives at its acceptance the time until its outcome is due, and 0 when it is due', async () => {
    const { payouts, order } = openBooks();
    const { pollAfterMs } = await payouts.submit(order('0123456789'));
    expect(pollAfterMs).toBeGreaterThan(0);
    expect(pollAfterMs).toBeLessThanOrEqual(40);
    expect((await payouts.submit(order('0123456789', due))).pollAfterMs).toBe(0);
  });

  test('to a wallet of ours that does not take it fails with 07', async () => {
    const { payouts, books, order } = openBooks();
    books.takesMoney = false;
    const sent = order(books.ownNumber, { ...due, bankCode: SANDBOX_MFB.nipCode });
    expect(await payouts.query(sent)).toMatchObject({ outcome: 'failed', code: '07' });
  });

  test('that was failed by hand credits no wallet of ours any more', async () => {
    const { payouts, books, order } = openBooks();
    const sent = order(books.ownNumber, { ...due, bankCode: SANDBOX_MFB.code, status: 'failed' });
    expect(await payouts.query(sent)).toMatchObject({ outcome: 'failed' });
    expect(books.credited).toEqual([]);
  });

  test.each([
    {
      to: 'completed',
      what: 'to another bank',
      own: false,
      credited: false,
      takes: true,
      really: 'completed',
    },
    { to: 'failed', what: 'to another bank', own: false, credited: false, takes: true, really: 'failed' },
    { to: 'completed', what: 'to our wallet', own: true, credited: false, takes: true, really: 'completed' },
    {
      to: 'completed',
      what: 'to our closed wallet',
      own: true,
      credited: false,
      takes: false,
      really: 'failed',
    },
    { to: 'failed', what: 'to our wallet', own: true, credited: false, takes: true, really: 'failed' },
    { to: 'failed', what: 'to our paid wallet', own: true, credited: true, takes: true, really: 'completed' },
  ] as const)('$what, $to by hand, is really $really', async ({ to, own, credited, takes, really }) => {
    const { endByHand, payouts, books, order } = openBooks();
    const sent = order(own ? books.ownNumber : '0123456789', {
      ...due,
      bankCode: own ? SANDBOX_MFB.code : '058',
    });
    if (credited) await payouts.query(sent);
    books.takesMoney = takes;
    expect(await endByHand(sent, to)).toBe(really);
    expect(books.credited).toHaveLength(own && really === 'completed' ? 1 : 0);
  });
});
