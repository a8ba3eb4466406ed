/**
 * Monnify's adapter over the fake Monnify, which is a process that speaks HTTP: the contract of the port, and one case for
 * each answer that Monnify may give, those just past the edge included.
 */
import { randomUUID } from 'node:crypto';
import { present } from '../../../src/domain/assert';
import { findBank, SEED_BANKS } from '../../../src/domain/banks';
import { nairaOfKobo } from '../../../src/domain/money';
import { payoutReference, type PayoutOrder } from '../../../src/domain/payouts';
import { balancesToldBy } from '../../../src/domain/statement-lines';
import type { Provider } from '../../../src/providers/port';
import type { Fault } from '../../standins/kit';
import { NEW_MONNIFY, type MonnifyState } from '../../standins/monnify/state';
import { openFakeCompany, type FakeCompany } from '../../support/fake-company';
import { openMonnify } from '../../support/fake-monnify';
import { keepsTheContract, linesOf } from '../../support/provider-contract';
import { until } from '../../support/until';
import { pagesIn } from '../../support/pages';
import { FROM_BOLA } from '../../support/originator';

const FAILING_ACCOUNT = '2000000000';
const UNKNOWN_ACCOUNT = '0123450404';
const SINGLE = 'POST /api/v2/disbursements/single';
const SUMMARY = 'GET /api/v2/disbursements/single/summary';
const VALIDATE = 'GET /api/v1/disbursements/account/validate';
const BALANCE = 'GET /api/v2/disbursements/wallet-balance';
const STATEMENT = 'GET /api/v1/disbursements/wallet';
const TRANSACTION = 'GET /api/v2/transactions';
const SEARCH = 'GET /api/v1/transactions/search';
const LOGIN = 'POST /api/v1/auth/login';
const { apiKey } = NEW_MONNIFY.settings;

type Monnify = Required<
  Pick<Provider, 'accounts' | 'inbound' | 'refunds' | 'name' | 'can' | 'names' | 'payouts' | 'treasury'>
>;

const openAdapter = (url: string, key = apiKey, answersWithinMs = 1_600): Monnify =>
  openMonnify(url, { apiKey: key, answersWithinMs }) as Monnify;

/** A number that no other case uses, so that no order is the twin of another one. */
let accounts = 3_000_000_000;
const freshOrder = (more: Partial<PayoutOrder> = {}): PayoutOrder => ({
  reference: payoutReference(randomUUID(), 1),
  providerRef: null,
  amountKobo: 500_010,
  bankCode: '058',
  accountNumber: String(accounts++),
  accountName: 'Ada Obi',
  narration: 'rent',
  ...FROM_BOLA,
  ...more,
});

let monnify: FakeCompany<MonnifyState>;
let adapter: Monnify;
beforeAll(async () => {
  monnify = await openFakeCompany<MonnifyState>('monnify');
  await monnify.set({
    endings: { [FAILING_ACCOUNT]: 'FAILED' },
    unknownAccounts: [UNKNOWN_ACCOUNT],
    pendingMs: 50,
  });
  adapter = openAdapter(monnify.url);
});
afterEach(() => monnify.set({ faults: [], twinMs: 0, balance: 10_000_000 }));
afterAll(() => monnify.close());

const everywhere = (fault: Omit<Fault, 'on'>) => () =>
  monnify.faulty([SINGLE, SUMMARY, VALIDATE, BALANCE, STATEMENT, TRANSACTION, SEARCH], fault);
const paid = async (reference: string): Promise<number> =>
  (await monnify.state()).payments.filter((one) => one === reference).length;

describe('Monnify as a company', () => {
  keepsTheContract(['accounts', 'inbound', 'names', 'payouts', 'refunds', 'treasury'], () =>
    Promise.resolve({
      // Ten orders at once need more time than a case in which nobody answers.
      provider: { ...adapter, accounts: openAdapter(monnify.url, apiKey, 8_000).accounts },
      payouts: {
        order: (ends) =>
          Promise.resolve(ends === 'success' ? freshOrder() : freshOrder({ accountNumber: FAILING_ACCOUNT })),
        paid,
        async got(reference) {
          const { transfers } = await monnify.state();
          const { accountName, narration, sender } = present(
            transfers.find((one) => one.reference === reference),
            'the transfer',
          );
          if (sender === null) return { accountName, narration };
          const { sourceAccountName: name, sourceAccountNumber: number, senderBankCode: bank } = sender;
          const originator = { name: String(name), accountNumber: String(number), bankCode: String(bank) };
          return { accountName, narration, originator };
        },
      },
      treasury: { setBalance: (kobo) => monnify.set({ balance: nairaOfKobo(kobo) }) },
      names: {
        known: { bankCode: '058', accountNumber: '0123456789', name: 'HOLDER OF 0123456789' },
        unknown: { bankCode: '058', accountNumber: UNKNOWN_ACCOUNT },
      },
      troubles: {
        'a connection that breaks': everywhere({ does: 'drop before' }),
        'no answer': everywhere({ does: 'hang before' }),
        'an unknown word': everywhere({ does: 'answer', body: { requestSuccessful: 'perhaps' } }),
        'a page of HTML': everywhere({ does: 'answer', status: 200, body: '<html>Hello</html>' }),
        'an error of the server': everywhere({ does: 'answer', status: 500, body: refusal('D05') }),
      },
    }),
  );
});

const refusal = (responseCode: string, responseMessage = 'no') => ({
  requestSuccessful: false,
  responseMessage,
  responseCode,
});
const saying = (responseBody: object) => ({ requestSuccessful: true, responseCode: '0', responseBody });

describe('the answer to an order', () => {
  const answer = (status: number, body: unknown): Omit<Fault, 'on'> => ({ does: 'answer', status, body });
  test.each<[what: string, fault: Omit<Fault, 'on'>, expected: object]>([
    ['D01', answer(422, refusal('D01')), { outcome: 'refused', cause: 'access', code: 'D01' }],
    ['D02', answer(422, refusal('D02')), { outcome: 'unknown', code: null }],
    ['D03', answer(400, refusal('D03')), { outcome: 'refused', cause: 'access' }],
    ['D04', answer(422, refusal('D04')), { outcome: 'refused', cause: 'float' }],
    ['D05', answer(422, refusal('D05')), { outcome: 'exists' }],
    ['D06', answer(422, refusal('D06')), { outcome: 'not_sent', pollAfterMs: null }],
    ['D07', answer(422, refusal('D07')), { outcome: 'not_sent', pollAfterMs: 130_000 }],
    ['99', answer(422, refusal('99')), { outcome: 'unknown' }],
    ['a code in an error of the server', answer(500, refusal('D04')), { outcome: 'unknown' }],
    ['a code in a success', answer(200, refusal('D04')), { outcome: 'unknown' }],
    ['401', answer(401, { error: 'invalid_token' }), { outcome: 'not_sent' }],
    ['403', answer(403, '<html>no</html>'), { outcome: 'not_sent' }],
    ['429', answer(429, ''), { outcome: 'not_sent', pollAfterMs: null }],
    [
      '429 with Retry-After',
      { ...answer(429, ''), headers: { 'retry-after': '45' } },
      { outcome: 'not_sent', pollAfterMs: 45_000, closedForMs: 45_000 },
    ],
    [
      '503 with Retry-After',
      { ...answer(503, ''), headers: { 'retry-after': '7' } },
      { outcome: 'unknown', closedForMs: 7_000 },
    ],
    [
      'another reference',
      answer(200, saying({ status: 'SUCCESS', reference: 'other', amount: 5000.1 })),
      { outcome: 'unknown' },
    ],
  ])('%s', async (_what, fault, expected) => {
    await monnify.faulty([SINGLE], fault);
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject(expected);
  });

  test('about another amount is unknown', async () => {
    const order = freshOrder();
    const body = saying({ status: 'SUCCESS', reference: order.reference, amount: 5000.11 });
    await monnify.faulty([SINGLE], { does: 'answer', body });
    expect(await adapter.payouts.submit(order)).toMatchObject({
      outcome: 'unknown',
      isAboutAnother: true,
      reason: 'Monnify answered about another amount',
    });
  });

  test.each([
    'destinationAccountName is required',
    'destinationAccountName: must not be blank',
    'Account name does not match',
    'The beneficiary name provided does not match the account',
  ])('400 "%s": the name of the destination is refused', async (message) => {
    await monnify.faulty([SINGLE], answer(400, refusal('99', message)));
    expect(await adapter.payouts.submit(freshOrder())).toMatchObject({
      outcome: 'refused',
      cause: 'beneficiary',
      reason: 'The name of the destination account is missing or is another one',
      saidCode: '99',
    });
  });

  test('where Monnify compares names, another one is refused, and the right one is paid', async () => {
    await monnify.set({ comparesNames: true });
    const order = freshOrder();
    expect(await adapter.payouts.submit(order)).toMatchObject({ outcome: 'refused', cause: 'beneficiary' });
    expect((await adapter.payouts.query(order)).outcome).toBe('not_found');
    const right = freshOrder();
    const named = { ...right, accountName: `HOLDER OF ${right.accountNumber}` };
    expect((await adapter.payouts.submit(named)).outcome).toBe('accepted');
    await monnify.set({ comparesNames: false });
  });

  test.each<[what: string, fault: Omit<Fault, 'on'>, says: boolean]>([
    ['400 in other words', answer(400, refusal('99')), true],
    ['422 with another code', answer(422, refusal('D99')), true],
    ['500 about the name', answer(500, refusal('99', 'Account name does not match')), false],
    ['200 about the name', answer(200, refusal('99', 'Account name does not match')), false],
    ['400 as a page', answer(400, '<html>no</html>'), false],
  ])('%s: Monnify itself says no: %s', async (_what, fault, says) => {
    await monnify.faulty([SINGLE], fault);
    const heard = await adapter.payouts.submit(freshOrder());
    expect(heard.outcome).toBe('unknown');
    expect('saysNo' in heard).toBe(says);
  });

  test.each<[what: string, fault: Omit<Fault, 'on'>, name: string]>([
    ['404 D02', answer(404, refusal('D02')), 'not_found'],
    ['400 in words', answer(400, refusal('99', 'Could not find account with the number')), 'not_found'],
    ['422 in words', answer(422, refusal('99', 'Invalid account number')), 'not_found'],
    ['400 in other words', answer(400, refusal('99')), 'unknown'],
    ['500 in words', answer(500, refusal('99', 'Invalid account number')), 'unknown'],
  ])('to a name enquiry: %s is %s', async (_what, fault, name) => {
    await monnify.faulty([VALIDATE], fault);
    expect(await adapter.names.enquire('058', '0123456789')).toBe(name);
  });

  test.each(['drop after', 'hang after'] as const)(
    'that never comes (%s) leaves the order to a question',
    async (does) => {
      await monnify.faulty([SINGLE], { does });
      const order = freshOrder();
      await expect(adapter.payouts.submit(order)).rejects.toThrow('Monnify has not answered');
      expect(
        (
          await until('its end', async () => {
            const heard = await adapter.payouts.query(order);
            return heard.outcome !== 'pending' && heard;
          })
        ).outcome,
      ).toBe('success');
    },
  );

  test('without enough float, and to a second order like the first one', async () => {
    await monnify.set({ balance: 5_020 });
    const order = freshOrder();
    expect(await adapter.payouts.submit(order)).toMatchObject({ outcome: 'refused', cause: 'float' });
    await monnify.set({ balance: 10_000_000, twinMs: 60_000 });
    expect((await adapter.payouts.submit(order)).outcome).toBe('accepted');
    const twin = { ...order, reference: payoutReference(randomUUID(), 1) };
    expect(await adapter.payouts.submit(twin)).toMatchObject({ outcome: 'not_sent', pollAfterMs: 130_000 });
    expect((await adapter.payouts.submit({ ...twin, amountKobo: 500_011 })).outcome).toBe('accepted');
  });
});

describe('the login', () => {
  test('is made once for many requests, and again when Monnify does not take the token any more', async () => {
    const other = openAdapter(monnify.url);
    const before = (await monnify.state()).logins;
    await Promise.all([
      other.treasury.balance(),
      other.treasury.balance(),
      other.names.enquire('058', '0123456789'),
    ]);
    expect((await monnify.state()).logins).toBe(before + 1);
    // Its login has made the token of the first adapter worthless, as that of another worker does.
    expect(await adapter.treasury.balance()).toBe(1_000_000_000);
    expect((await monnify.state()).logins).toBe(before + 2);
  });

  test.each<[what: string, adapterOf: () => Monnify]>([
    ['that is refused', () => openAdapter(monnify.url, 'MK_TEST_OTHER')],
    ['where nobody listens', () => openAdapter('http://127.0.0.1:9')],
  ])('%s: nothing is sent, and no error has the key', async (_what, adapterOf) => {
    const other = adapterOf();
    const sent = await other.payouts.submit(freshOrder());
    expect(sent.outcome).toBe('not_sent');
    const asked = await other.payouts.query(freshOrder());
    expect(asked.outcome).toBe('unknown');
    expect(JSON.stringify([sent, asked])).not.toMatch(/MK_TEST|FAKE-SECRET/);
    expect((await monnify.state()).logins).toBeGreaterThan(0);
  });

  test('without an answer sends nothing', async () => {
    await monnify.faulty([LOGIN], { does: 'hang before' });
    expect((await openAdapter(monnify.url).payouts.submit(freshOrder())).outcome).toBe('not_sent');
  });
});

describe('a bank', () => {
  test.each<[what: string, code: string, reaches: boolean]>([
    ['that Monnify lists by our code', '058', true],
    ['that is named by its NIP code', '000013', true],
    ['that Monnify lists by its NIP code', '999992', true],
    ['that Monnify does not list', '999991', false],
  ])('%s', async (_what, code, reaches) => {
    expect(await adapter.payouts.reaches?.(code)).toBe(reaches);
  });

  test('that is not listed gets no order; another one gets it by the code of the list', async () => {
    expect((await adapter.payouts.submit(freshOrder({ bankCode: '999991' }))).outcome).toBe('not_sent');
    const order = freshOrder({ bankCode: '999992', narration: 'é'.repeat(200) });
    expect((await adapter.payouts.submit(order)).outcome).toBe('accepted');
    expect((await monnify.state()).transfers.at(-1)).toMatchObject({
      bankCode: '100004',
      amount: 5000.1,
      narration: 'é'.repeat(100),
    });
    expect((await adapter.payouts.query(order)).outcome).toMatch(/pending|success/);
  });
});

describe('the answer to a question', () => {
  const order = freshOrder();
  const right = {
    status: 'SUCCESS',
    reference: order.reference,
    amount: 5000.1,
    fee: 20,
    currency: 'NGN',
    transactionReference: 'MFDS|1',
    destinationAccountNumber: order.accountNumber,
    destinationBankCode: '058',
  };
  test.each<[what: string, change: object, outcome: string]>([
    ...Object.entries({
      SUCCESS: 'success',
      COMPLETED: 'success',
      FAILED: 'failed',
      EXPIRED: 'failed',
      REVERSED: 'reversed',
      PENDING: 'pending',
      AWAITING_PROCESSING: 'pending',
      IN_PROGRESS: 'pending',
      PENDING_AUTHORIZATION: 'pending',
      OTP_EMAIL_DISPATCH_FAILED: 'pending',
      success: 'unknown',
      constructor: 'unknown',
    }).map(([status, outcome]): [string, object, string] => [`the status ${status}`, { status }, outcome]),
    ['another reference', { reference: 'other' }, 'unknown'],
    ['one kobo more', { amount: 5000.11 }, 'unknown'],
    ['the amount as a text', { amount: '5000.10' }, 'unknown'],
    ['a fraction of a kobo', { amount: 5000.101 }, 'unknown'],
    ['another account', { destinationAccountNumber: '1' }, 'unknown'],
    ['another bank', { destinationBankCode: '044' }, 'unknown'],
    ['another currency', { currency: 'USD' }, 'unknown'],
  ])('%s', async (_what, change, outcome) => {
    await monnify.faulty([SUMMARY], { does: 'answer', body: saying({ ...right, ...change }) });
    const heard = await adapter.payouts.query(order);
    expect(heard.outcome).toBe(outcome);
    if (outcome === 'pending') {
      const { status } = change as { status: string };
      expect(heard.needsAuthorization).toBe(/AUTHORIZATION|OTP/.test(status));
    }
    if (outcome === 'success') expect(heard).toMatchObject({ providerRef: 'MFDS|1', feeKobo: 2_000 });
  });

  test.each([
    [404, 'D02', 'not_found'],
    [404, '99', 'unknown'],
    [500, 'D02', 'unknown'],
  ])('HTTP %d with the code %s is %s', async (status, code, outcome) => {
    await monnify.faulty([SUMMARY], { does: 'answer', status, body: refusal(code) });
    expect((await adapter.payouts.query(order)).outcome).toBe(outcome);
  });
});

describe('the statement', () => {
  const { sourceAccount } = NEW_MONNIFY.settings;
  const AT = new Date('2023-12-13T08:54:06Z');
  const DAY = { from: new Date('2023-12-12T23:00:00Z'), to: new Date('2023-12-13T23:00:00Z') };
  const reference = payoutReference(randomUUID(), 1);
  const REFUND_ID = randomUUID();
  const told = {
    walletTransactionReference: 'AT5_MFDS7820231213_1_DEBIT_0',
    monnifyTransactionReference: 'AT5_MFDS7820231213_1_DEBIT_0',
    availableBalanceBefore: 630.0,
    availableBalanceAfter: 500.1,
    amount: 129.9,
    transactionDate: '2023-12-13T08:54:06.000+0000',
    transactionType: 'DEBIT',
    message: null,
    narration: `MFDS7820231213/#/${reference}/#/rent of Ada/#/GTBank/#/0456638287`,
    status: 'COMPLETED',
  };
  const credit = { transactionType: 'CREDIT', availableBalanceBefore: 500, availableBalanceAfter: 629.9 };
  const named = (id: string, monnify = id) => ({
    walletTransactionReference: id,
    monnifyTransactionReference: monnify,
  });
  const other = { about: 'other', reference: null, providerRef: null };
  const answer = (lines: readonly object[], more: object = { last: true }) =>
    monnify.faulty([STATEMENT], { does: 'answer', body: saying({ content: lines, ...more }) });

  test.each<[what: string, change: object, expected: object | null]>([
    ['a payout', {}, { about: 'payout', reference, providerRef: 'MFDS7820231213', changeKobo: -12_990 }],
    ['a payout that came back', credit, { about: 'payout', reference, changeKobo: 12_990 }],
    [
      'a payout that is not ours',
      { narration: 'MFDS7820231213/#/for Ada/#/rent/#/GTBank/#/0456638287' },
      { about: 'payout', reference: null, providerRef: 'MFDS7820231213' },
    ],
    [
      'a refund of ours that is written like a payout',
      { narration: `MFDS7820231213/#/${REFUND_ID}/#/Returned` },
      { about: 'payout', reference: REFUND_ID, providerRef: 'MFDS7820231213', changeKobo: -12_990 },
    ],
    [
      'a payout that came back, with other words',
      {
        ...credit,
        ...named('AT5_MFDS7820231213_1_CREDIT_0'),
        narration: 'Reversal of a failed transfer to Ada',
      },
      { about: 'payout', reference: null, providerRef: 'MFDS7820231213', changeKobo: 12_990 },
    ],
    [
      'a payout that came back, without a narration',
      { ...credit, ...named('REV-MFDS7820231213', 'MFDS7820231213'), narration: null },
      { about: 'payout', reference: null, providerRef: 'MFDS7820231213' },
    ],
    [
      'a payout that came back, by our own reference',
      { ...credit, ...named(`${reference}_REVERSAL`), narration: 'Reversal' },
      { about: 'payout', reference, providerRef: null },
    ],
    [
      'a payout that came back, whose narration has its id in another place',
      { ...credit, narration: `REVERSAL/#/MFDS7820231213/#/${reference}` },
      { about: 'payout', reference, providerRef: 'MFDS7820231213' },
    ],
    [
      'a payout whose narration has the words of a person in the place of ours',
      { narration: `rent/#/${reference}/#/of Ada` },
      { about: 'payout', reference: null, providerRef: 'MFDS7820231213' },
    ],
    [
      'words of a person',
      { ...credit, ...named('TOPUP_1'), narration: `rent/#/${reference}/#/of Ada` },
      other,
    ],
    [
      'a word of a person that stands in an id',
      { ...credit, ...named('TOPUP_1'), narration: reference },
      other,
    ],
    ['no narration', { ...credit, ...named('TOPUP_1'), narration: null }, other],
    ['an offset with a colon', { transactionDate: '2023-12-13T09:54:06.000+01:00' }, { at: AT }],
    ['amounts as texts', { amount: '129.90' }, { changeKobo: -12_990, balanceKobo: 50_010 }],
    ['the moment before the day', { transactionDate: '2023-12-12T22:59:59.000+0000' }, null],
    ['the first moment of the next day', { transactionDate: '2023-12-13T23:00:00.000+0000' }, null],
    ['one that was turned away', { status: 'FAILED', availableBalanceAfter: 630 }, null],
  ])('%s', async (_what, change, expected) => {
    await answer([{ ...told, ...change }]);
    const items = (await pagesIn(adapter.treasury.lines(DAY))).flat();
    expect(items).toEqual(expected === null ? [] : [expect.objectContaining({ ...expected })]);
    expect(JSON.stringify(items)).not.toMatch(/0456638287|Ada/);
  });

  test.each<[what: string, change: object]>([
    ['a line that may still change', { status: 'PENDING' }],
    ['a line whose amount is not its change', { amount: 130 }],
    ['a debit that has made the balance larger', { ...credit, transactionType: 'DEBIT' }],
    ['a fraction of a kobo', { amount: 129.901, availableBalanceAfter: 500.099 }],
    ['another kind of line', { transactionType: 'HOLD' }],
    ['a time that is none', { transactionDate: 'yesterday' }],
  ])('%s stops the reading', async (_what, change) => {
    await answer([{ ...told, ...change }]);
    await expect(pagesIn(adapter.treasury.lines(DAY))).rejects.toThrow('Monnify');
  });

  test('is asked for by our account, from the beginning of the day to its end, page by page', async () => {
    // Whatever Monnify says of its last page, only an empty page ends the list.
    for (const ofList of [{ last: true }, { last: 'no' }, {}]) {
      await answer([told], ofList);
      expect(await pagesIn(adapter.treasury.lines(DAY))).toHaveLength(1);
    }
    await monnify.faulty([`${STATEMENT}/${sourceAccount}/statement`], { does: 'drop before' });
    await expect(pagesIn(adapter.treasury.lines(DAY))).rejects.toThrow();
  });

  test('has every line over several pages, also those of one second', async () => {
    const from = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    for (let sent = 0; sent < 51; sent++) await adapter.payouts.submit(freshOrder());
    const failed = freshOrder({ accountNumber: FAILING_ACCOUNT });
    await adapter.payouts.submit(failed);
    await until('the failure', async () => (await adapter.payouts.query(failed)).outcome === 'failed');
    const lines = await linesOf(adapter.treasury, { from, to: new Date(Date.now() + 1) });
    const { lines: booked } = await monnify.state();
    expect(lines.length).toBeGreaterThan(2 * 51);
    expect(lines.map(({ id }) => id).sort()).toEqual(
      booked
        .filter(({ atMs }) => atMs >= from.getTime())
        .map(({ reference: id }) => id)
        .sort(),
    );
    const ofFailed = lines.filter((line) => line.reference === failed.reference);
    expect(ofFailed.map(({ changeKobo }) => changeKobo).sort()).toEqual([-2_000, -500_010, 500_010]);
    expect(balancesToldBy(lines)?.lastKobo).toBe(await adapter.treasury.balance());
  });
});

describe('the list of banks', () => {
  const banks = (rows: readonly unknown[]) =>
    monnify.faulty(['GET /api/v1/banks'], { does: 'answer', body: saying(rows) });
  const sentTo = async (): Promise<string | undefined> => {
    // The list is known for an hour, so each case has an adapter of its own.
    const own = openAdapter(monnify.url);
    const order = freshOrder();
    await own.payouts.submit(order);
    const { transfers } = await monnify.state();
    return transfers.find(({ reference }) => reference === order.reference)?.bankCode;
  };

  test.each<[what: string, rows: unknown[], code: string | undefined]>([
    ['a bank without a code', [{ code: null }, { code: '058' }], '058'],
    ['a row that is no bank', [null, 'x', { code: '058', nipBankCode: null }], '058'],
    ['the bank under its code of NIP', [{ code: '999058', nipBankCode: '000013' }], '999058'],
    ['codes as numbers', [{ code: 999_058, nipBankCode: '000013' }], '999058'],
    ['a number that may have lost its zeros', [{ code: 58 }], undefined],
    ['other banks alone', [{ code: '044', nipBankCode: '000014' }], undefined],
  ])('with %s', async (_what, rows, code) => {
    await banks(rows);
    expect(await sentTo()).toBe(code);
  });

  test('is told as a list of banks, with the codes of NIP, and without the rows that are no banks', async () => {
    await banks([
      { code: '058', nipBankCode: '000013', name: ' GTBank ' },
      { code: 999_058, nipBankCode: null, name: 'Alpha' },
      { code: '059' },
      { name: 'No code' },
      null,
    ]);
    expect(await openAdapter(monnify.url).payouts.listed?.()).toEqual([
      { code: '058', nipCode: '000013', name: 'GTBank' },
      { code: '999058', nipCode: null, name: 'Alpha' },
      { code: '059', nipCode: null, name: '' },
    ]);
  });

  test.each<[what: string, fault: { status?: number; body: unknown }]>([
    ['a failure', { status: 500, body: {} }],
    ['an answer that is no list', { body: saying({ banks: [] }) }],
    ['a page of HTML', { body: '<html></html>' }],
  ])('is not told by %s', async (_what, fault) => {
    await monnify.faulty(['GET /api/v1/banks'], { does: 'answer', ...fault });
    await expect(openAdapter(monnify.url).payouts.listed?.()).rejects.toThrow('no banks');
  });

  test.each<[what: string, own: string | null, code: string | undefined]>([
    ['goes by Monnify’s own code where our list has it, and not by ours', '999058', '999058'],
    ['is not sent by ours where Monnify does not list its own code', '999777', undefined],
    ['is not sent where Monnify does not have the bank', null, undefined],
  ])('an order %s', async (_what, own, code) => {
    await banks([
      { code: '058', nipBankCode: '000013', name: 'Another bank' },
      { code: '999058', name: 'Guaranty Trust Bank' },
    ]);
    const gtb = { code: '058', nipCode: '000013', name: 'GTB', slug: 'gtb', companyCodes: { monnify: own } };
    const other = openMonnify(monnify.url, {
      answersWithinMs: 1_600,
      findBank: () => Promise.resolve(gtb),
    });
    const order = freshOrder();
    expect(await other.payouts?.reaches?.('058')).toBe(code !== undefined);
    expect((await other.payouts?.submit(order))?.outcome).toBe(code === undefined ? 'not_sent' : 'accepted');
    const sent = (await monnify.state()).transfers.find(({ reference }) => reference === order.reference);
    expect(sent?.bankCode).toBe(code);
  });

  test.each<[what: string, own: string | null | undefined, code: unknown]>([
    ['Monnify’s own code', '999058', '999058'],
    ['no bank where Monnify does not list its own code', '999777', undefined],
    ['no bank where Monnify does not have the bank', null, undefined],
    ['our code where Monnify has no other', undefined, '035'],
  ])('who pays is told with %s', async (_what, own, code) => {
    await banks([{ code: '058' }, { code: '999058' }]);
    const wema = { code: '035', nipCode: '000017', name: 'Wema Bank', slug: 'wema-bank' };
    const other = openMonnify(monnify.url, {
      answersWithinMs: 1_600,
      findBank: (asked) =>
        Promise.resolve(
          asked === '035' && own !== undefined
            ? { ...wema, companyCodes: { monnify: own } }
            : findBank(SEED_BANKS, asked),
        ),
    });
    const originator = { name: 'Bola Ade', accountNumber: '0123456789', bankCode: '035' };
    const order = freshOrder({ originator: { ...FROM_BOLA.originator, ...originator } });
    expect((await other.payouts?.submit(order))?.outcome).toBe('accepted');
    const sent = (await monnify.state()).transfers.find(({ reference }) => reference === order.reference);
    expect(sent?.sender?.['senderBankCode']).toBe(code);
  });
});

describe('who pays', () => {
  const senderOf = async (originator: PayoutOrder['originator']) => {
    // The adapters of the cases above have made the token of the first one worthless.
    const order = freshOrder({ originator });
    await openAdapter(monnify.url).payouts.submit(order);
    const { transfers } = await monnify.state();
    return transfers.find(({ reference }) => reference === order.reference)?.sender;
  };

  test('is told with the code that Monnify has for the bank', async () => {
    expect(await senderOf({ name: 'BOLA ADE', accountNumber: '0123456789', bankCode: '000013' })).toEqual({
      sourceAccountName: 'BOLA ADE',
      sourceAccountNumber: '0123456789',
      senderBankCode: '058',
    });
  });

  test('is told with our own code of a bank that Monnify does not list', async () => {
    expect(await senderOf({ name: 'BOLA ADE', accountNumber: '0123456789', bankCode: '999' })).toMatchObject({
      senderBankCode: '999',
    });
  });

  test('is left out where the wallet has no account number', async () => {
    expect(await senderOf({ name: 'BOLA ADE', accountNumber: null, bankCode: null })).toBeNull();
  });
});
