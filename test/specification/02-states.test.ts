/**
 * The published interface (interface: States and transitions): its tables row by row, then the transitions that
 * its tables do not show.
 */
import { randomUUID } from 'node:crypto';
import { sendCallback, callbackBody } from '../support/callbacks';
import { complianceOf, review, submit, submitAll, type Step } from '../support/compliance';
import { approvedBy, type TestOperator } from '../support/operators';
import { openPhone, type Phone } from '../support/phone';
import { until } from '../support/until';
import { KINDS, type Client, type Json, type Listener, type Service } from './client';
import { openOwnService } from './own-service';

/** Long enough that a test finds its new wallet still pending. */
const PROVISIONING_MS = 3_000;
/** Long enough to pay within it, short enough to wait for its end. */
const USSD_SESSION_MS = 12_000;
const FUNDED_KOBO = 100_000_000;
const BANK_FEE_KOBO = 5_000;

let service: Service;
let partner: Client;
let listener: Listener;
let source: string;
let dest: string;
/** Ids of active, empty wallets, each for one test. */
let spare: string[];
/** Sessions that are begun at the start, so that they have expired when their test runs. */
let untouched: Record<string, Session>;

beforeAll(async () => {
  service = await openOwnService({
    SANDBOX_PROVISIONING_MS: `${PROVISIONING_MS},${PROVISIONING_MS}`,
    // The published time: with the work around it a transfer ends in 1 to 2 seconds.
    SANDBOX_TRANSFER_MS: '1000,1700',
    SANDBOX_KYC_MS: '100,200',
    USSD_SESSION_MS: String(USSD_SESSION_MS),
    RATE_LIMIT_LOGIN: '1000',
  });
  partner = await service.partner();
  listener = await partner.listen(['transaction.reversed', 'transaction.expired', ...KINDS]);
  [source = '', dest = '', ...spare] = await Promise.all([
    partner.wallet(FUNDED_KOBO),
    ...Array.from({ length: 28 }, () => partner.wallet()),
  ]);
  untouched = {
    initiated: await begin(),
    menu_main: await begin('menu_main'),
    pin_entry: await begin('pin_entry'),
  };
});

afterAll(() => service.close());

function take(): string {
  const id = spare.pop();
  if (id === undefined) throw new Error('more wallets are needed than were made');
  return id;
}
const statusOf = async (walletId: string): Promise<[status: string, accountStatus: string]> => {
  const { wallet } = (await partner.get(`/v1/wallets/${walletId}`)).body.data;
  return [wallet.status, wallet.account_status];
};
const ledgerOf = async (walletId: string): Promise<Json[]> =>
  (await partner.get(`/v1/wallets/${walletId}/ledger?limit=100`)).body.data;

const pay = (from: string, to: string, amount = 100, reference: string = randomUUID()) =>
  partner.post('/v1/transfers/p2p', { source_wallet: from, dest_wallet: to, amount, reference });

const send = (to: { from?: string; accountNumber?: string; held?: boolean } = {}) => {
  const { from = source, accountNumber = '0123456789', held = false } = to;
  const account = { bank_code: '058', account_number: accountNumber, account_name: 'ADA OBI' };
  const body = { source_wallet: from, dest_account: account, amount: 40_000, reference: randomUUID() };
  return partner.post('/v1/transfers/bank', body, held ? { 'X-Sandbox-Hold': 'true' } : {});
};

describe('Wallet `status`', () => {
  let created: Json;
  beforeAll(async () => {
    created = (await partner.post('/v1/wallets', { user_ref: 'ada' })).body.data;
  });

  test('(none), create wallet: `pending`, account_status `provisioning`; account fields are empty', () => {
    expect(created).toMatchObject({
      status: 'pending',
      account_status: 'provisioning',
      account_number: '',
      account_name: '',
      bank_code: '',
      bank_name: '',
      mfb_reference: '',
    });
  });

  test('`pending`, MFB finishes provisioning: `active`, the event, and the account fields are filled', async () => {
    const { data } = await listener.heard('wallet.activated', { id: created.id });
    const { wallet } = (await partner.get(`/v1/wallets/${created.id}`)).body.data;
    expect(wallet).toMatchObject({ status: 'active', account_status: 'active' });
    for (const field of ['account_number', 'account_name', 'bank_code', 'bank_name', 'mfb_reference']) {
      expect(wallet[field]).toMatch(/./);
    }
    expect(data).toMatchObject({ account_number: wallet.account_number, status: 'active' });
  });

  describe('transitions that are not shown: freeze, unfreeze, close', () => {
    const pending = async (): Promise<string> =>
      (await partner.post('/v1/wallets', { user_ref: randomUUID() })).body.data.id;
    const after = async (trigger: string): Promise<string> => {
      const id = take();
      await partner.post(`/v1/wallets/${id}/${trigger}`, {});
      return id;
    };
    const IN: Record<string, () => Promise<string>> = {
      pending,
      active: () => Promise.resolve(take()),
      frozen: () => after('freeze'),
      closed: () => after('close'),
    };

    test.each([
      ['pending', 'freeze', null, null],
      ['pending', 'unfreeze', null, null],
      ['pending', 'close', 'closed', 'closed'],
      ['active', 'freeze', 'frozen', 'suspended'],
      ['active', 'unfreeze', null, null],
      ['active', 'close', 'closed', 'closed'],
      ['frozen', 'freeze', null, null],
      ['frozen', 'unfreeze', 'active', 'active'],
      ['frozen', 'close', 'closed', 'closed'],
      ['closed', 'freeze', null, null],
      ['closed', 'unfreeze', null, null],
      ['closed', 'close', null, null],
    ])('%s, %s: %s', async (state, trigger, status, accountStatus) => {
      const id = (await IN[state]?.()) ?? '';
      const answer = await partner.post(`/v1/wallets/${id}/${trigger}`, {});
      if (status === null) {
        expect(answer).toMatchObject({ status: 422, body: { error: 'INVALID_WALLET_STATE' } });
        return;
      }
      expect(answer).toMatchObject({ status: 200, body: { data: { status } } });
      expect(await statusOf(id)).toEqual([status, accountStatus]);
    });

    test('the freeze of an operator outranks the unfreeze of a partner', async () => {
      const id = take();
      const operator = await service.platform.openOperator();
      const path = `/ops/sandbox/partners/${partner.partnerId}/wallets/${id}`;
      await operator.post(`${path}/freeze`, { reason: 'Fraud report', authority: 'Court order 17' });
      for (const word of ['unfreeze', 'close']) {
        expect(await partner.post(`/v1/wallets/${id}/${word}`, {})).toMatchObject({
          status: 422,
          body: { error: 'INVALID_WALLET_STATE' },
        });
      }
      await operator.post(`${path}/unfreeze`, { reason: 'Lifted' });
      expect(await statusOf(id)).toEqual(['active', 'active']);
    });

    test('close needs a balance of 0', async () => {
      const id = take();
      await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 1 });
      expect(await partner.post(`/v1/wallets/${id}/close`, {})).toMatchObject({
        status: 422,
        body: { error: 'WALLET_NOT_EMPTY', detail: { balance_kobo: 1, open_transactions: 0 } },
      });
    });
  });

  describe('a P2P source wallet must be `active`; a destination must not be `closed`', () => {
    let states: Record<string, string>;
    beforeAll(async () => {
      const { id: pending } = (await partner.post('/v1/wallets', { user_ref: 'pending' })).body.data;
      states = { active: source, pending, frozen: take(), closed: take() };
      await partner.post(`/v1/wallets/${states.frozen}/freeze`, {});
      await partner.post(`/v1/wallets/${states.closed}/close`, {});
    });

    test.each([
      ['pending', 'active', 422, 'WALLET_NOT_ACTIVE'],
      ['frozen', 'active', 422, 'WALLET_FROZEN'],
      ['closed', 'active', 422, 'WALLET_CLOSED'],
      ['active', 'closed', 422, 'WALLET_CLOSED'],
      ['active', 'pending', 200, undefined],
      ['active', 'frozen', 200, undefined],
    ])('from %s to %s: %i %s', async (from, to, status, code) => {
      const other = to === 'active' ? dest : (states[to] ?? '');
      const answer = await pay(states[from] ?? '', other);
      expect([answer.status, answer.body.error]).toEqual([status, code]);
    });
  });
});

describe('Transaction `status`', () => {
  test('p2p_transfer, successful request: `completed` immediately, and the event', async () => {
    const { body } = await pay(source, dest);
    expect(body.data).toMatchObject({ type: 'p2p_transfer', status: 'completed' });
    expect(body.data.completed_at).toBe(body.data.created_at);
    await listener.heard('transaction.completed', { id: body.data.id, type: 'p2p_transfer' });
  });

  test('bank_transfer, accepted request: `processing`, source wallet debited at once', async () => {
    const before = await partner.balanceKobo(source);
    const { status, body } = await send({ held: true });
    expect([status, body.data.type, body.data.status]).toEqual([202, 'bank_transfer', 'processing']);
    expect(await partner.balanceKobo(source)).toBe(before - 40_000 - BANK_FEE_KOBO);
  });

  describe('bank_transfer in `processing`, success: `completed` and `transaction.completed`', () => {
    test('automatically after 1 to 2 seconds', async () => {
      // More than 2 seconds may come from a busy machine, so transfers are sent until one is in time; less than 1
      // second is always wrong.
      await until('a transfer that ended in time', async () => {
        const sent = await Promise.all(Array.from({ length: 3 }, () => send()));
        const all = await Promise.all(sent.map(({ body }) => partner.ended(body.data.id)));
        expect(all.map(({ status }) => status)).toEqual(all.map(() => 'completed'));
        await listener.heard('transaction.completed', { id: all[0].id });
        const took = all.map((one) => Date.parse(one.completed_at) - Date.parse(one.created_at));
        expect(Math.min(...took)).toBeGreaterThanOrEqual(1_000);
        return Math.min(...took) <= 2_000;
      });
    });

    test('by the sandbox complete operation', async () => {
      const { id } = (await send({ held: true })).body.data;
      await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id });
      expect(await partner.transaction(id)).toMatchObject({ status: 'completed', failed_reason: null });
      await listener.heard('transaction.completed', { id, status: 'completed' });
    });

    test('by a provider status callback, whether the callback or the query comes first', async () => {
      const { id } = (await send()).body.data;
      const callback = callbackBody(id, { amount_kobo: 40_000 });
      expect((await sendCallback(service.url, callback)).status).toBe(200);
      expect(await partner.ended(id)).toMatchObject({ status: 'completed' });
      await listener.heard('transaction.completed', { id });
    });
  });

  describe('bank_transfer in `processing`, failure: `failed`', () => {
    test.each([
      ['destination account number ending in `0000`', false],
      ['by the sandbox fail operation', true],
    ])('%s: credited back in full, reversal transaction, event', async (_how, byHand) => {
      const walletId = await funded();
      const { id, reference } = (
        await send({ from: walletId, held: byHand, ...(!byHand && { accountNumber: '0123450000' }) })
      ).body.data;
      if (byHand) {
        await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id, reason: 'Line down' });
      }
      const failed = await partner.ended(id);
      expect(failed).toMatchObject({ status: 'failed', failed_reason: expect.stringMatching(/./) });
      if (byHand) expect(failed.failed_reason).toBe('Line down');

      expect(await partner.balanceKobo(walletId)).toBe(1_000_000);
      const list = (await partner.get(`/v1/wallets/${walletId}/transactions`)).body.data;
      const reversal = list.find((one: Json) => one.type === 'reversal');
      expect(reversal).toMatchObject({
        status: 'completed',
        amount: 40_000 + BANK_FEE_KOBO,
        source_wallet: null,
        dest_wallet: walletId,
        reference: `rev_${id}`,
        fee_breakdown: { customerFee: 0, merchantFee: 0, platformFee: 0, mfbCost: 0 },
        metadata: { original_transaction_id: id, original_reference: reference },
      });
      const { data } = await listener.heard('transaction.failed', { id });
      expect(data.reversal).toEqual({
        reversed: true,
        reversal_tx_id: reversal.id,
        amount_kobo: 40_000 + BANK_FEE_KOBO,
      });
    });
  });

  describe('transitions that are not shown', () => {
    test('a failed bank transfer stays `failed`: complete is refused', async () => {
      const { id } = (await send({ held: true })).body.data;
      await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id });
      const late = await partner.post('/v1/sandbox/bank-transfer/complete', { transaction_id: id });
      expect(late).toMatchObject({ status: 422, body: { error: 'TRANSACTION_NOT_PROCESSING' } });
      expect(await partner.transaction(id)).toMatchObject({ status: 'failed' });
    });

    test('into `reversed`: a completed bank transfer that the provider returned', async () => {
      const walletId = await funded();
      const { id } = (await send({ from: walletId, accountNumber: '0123450505' })).body.data;
      await listener.heard('transaction.completed', { id });
      const { data } = await listener.heard('transaction.reversed', { id });
      expect(data).toMatchObject({ status: 'reversed', reversal: { reversed: true, amount_kobo: 45_000 } });
      expect(await partner.balanceKobo(walletId)).toBe(1_000_000);
    });

    test('into `pending`: a USSD payment between initiation and PIN, with no ledger entry', async () => {
      const { sessionId, payer } = await begin('pin_entry', await funded());
      const session = await read(sessionId);
      expect(await partner.transaction(session.transaction_id)).toMatchObject({
        type: 'ussd_payment',
        status: 'pending',
        completed_at: null,
      });
      expect(await ledgerOf(payer)).toHaveLength(1);
    });

    test.each([
      ['wallet_funding', (id: string) => partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 5 })],
      [
        'split_payment',
        (id: string) => {
          const splits = [id, id].map((walletId) => ({ wallet_id: walletId, amount: 5 }));
          return partner.post('/v1/payments/split', { source_wallet: source, reference: 'legs', splits });
        },
      ],
      ['wallet_credit', (id: string) => adjust(id, 'credit')],
      [
        'wallet_debit',
        async (id: string) => {
          await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 5 });
          return adjust(id, 'debit');
        },
      ],
      [
        'qr_payment',
        async (id: string) => {
          const body = { wallet_id: id, amount: 5, reference: 'asked' };
          await partner.post('/v1/payments/qr/create', body);
          return partner.post('/v1/payments/qr/pay', { qr_reference: 'asked', source_wallet: source });
        },
      ],
    ])('%s is `completed` at once', async (type, move) => {
      const id = take();
      await move(id);
      const [first] = (await partner.get(`/v1/wallets/${id}/transactions`)).body.data;
      expect(first).toMatchObject({ type, status: 'completed', completed_at: first.created_at });
    });
  });
});

/** A correction of 5 kobo: one operator proposes, two others approve. */
async function adjust(walletId: string, direction: 'credit' | 'debit'): Promise<void> {
  const [proposer, ...others] = [
    await service.platform.openOperator(),
    await service.platform.openOperator(),
    await service.platform.openOperator(),
  ];
  const path = `/ops/sandbox/partners/${partner.partnerId}/adjustments`;
  const body = { wallet_id: walletId, direction, amount_kobo: 5, reason: 'Missed inbound credit' };
  await approvedBy(await proposer.post(path, body), ...others);
}

/** Another wallet of 1,000,000 kobo. */
async function funded(): Promise<string> {
  const id = take();
  await partner.post(`/sandbox/wallets/${id}/fund`, { amount_kobo: 1_000_000 });
  return id;
}

interface Session {
  sessionId: string;
  transactionId: string;
  payer: string;
  phone: Phone;
}

const AMOUNT_KOBO = 2_500;

/** A session that a phone has taken to the state that a test needs. */
async function begin(
  state: 'initiated' | 'menu_main' | 'pin_entry' = 'initiated',
  payer = source,
): Promise<Session> {
  const { body } = await partner.post('/v1/payments/ussd/initiate', {
    payer_wallet_id: payer,
    merchant_wallet_id: dest,
    amount_kobo: AMOUNT_KOBO,
    merchant_name: 'ADA STORES',
    reference: randomUUID(),
  });
  const phone = openPhone(service.url, body.dial_code);
  if (state !== 'initiated') await phone.dial();
  if (state === 'pin_entry') await phone.type('1');
  const { transaction_id: transactionId } = await read(body.session_id);
  return { sessionId: body.session_id, transactionId, payer, phone };
}

const read = async (sessionId: string): Promise<Json> =>
  (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;
const simulate = (sessionId: string, action: string) =>
  partner.post('/v1/sandbox/ussd/simulate', { session_id: sessionId, action });

describe('USSD session `status`', () => {
  test('(none), initiate: `initiated`', async () => {
    const { sessionId } = await begin();
    expect(await read(sessionId)).toMatchObject({ status: 'initiated', completed_at: null });
  });

  test('`initiated`, user dials the code: `menu_main`, confirmation menu shown', async () => {
    const { sessionId, phone } = await begin();
    const screen = await phone.dial();
    expect(screen).toMatch(/^CON Pay NGN 25\.00 to ADA STORES\n/);
    expect(screen).toContain('1. Confirm');
    expect(await read(sessionId)).toMatchObject({ status: 'menu_main' });
  });

  test('`menu_main`, user confirms: `pin_entry`, user enters 4-digit wallet PIN', async () => {
    const { sessionId, phone } = await begin('menu_main');
    expect(await phone.type('1')).toMatch(/^CON .*4-digit wallet PIN/);
    expect(await read(sessionId)).toMatchObject({ status: 'pin_entry' });
  });

  test('`pin_entry`, PIN verified, debit and credit done: `completed`, and the event', async () => {
    const { sessionId, transactionId, phone } = await begin('pin_entry');
    const [from, to] = await Promise.all([source, dest].map((id) => partner.balanceKobo(id)));
    expect(await phone.type('1234')).toMatch(/^END Payment successful/);
    expect(await read(sessionId)).toMatchObject({ status: 'completed' });
    expect(await partner.balanceKobo(source)).toBe((from ?? 0) - AMOUNT_KOBO);
    expect(await partner.balanceKobo(dest)).toBe((to ?? 0) + AMOUNT_KOBO);
    await listener.heard('transaction.completed', {
      id: transactionId,
      type: 'ussd_payment',
      session_id: sessionId,
    });
  });

  test.each([
    ['`initiated`, user cancels', 'initiated', ({ sessionId }: Session) => simulate(sessionId, 'cancel')],
    ['`menu_main`, user cancels', 'menu_main', ({ phone }: Session) => phone.type('2')],
    ['`pin_entry`, user cancels', 'pin_entry', ({ sessionId }: Session) => simulate(sessionId, 'cancel')],
    [
      '`pin_entry`, 3 wrong PIN entries',
      'pin_entry',
      async ({ sessionId, phone }: Session) => {
        for (const left of [2, 1]) {
          await phone.type('9999');
          expect(await read(sessionId)).toMatchObject({ status: 'pin_entry', pin_attempts_remaining: left });
        }
        await phone.type('9999');
      },
    ],
  ] as const)('%s: `failed`, and the event', async (_what, state, end) => {
    const session = await begin(state);
    await end(session);
    expect(await read(session.sessionId)).toMatchObject({ status: 'failed' });
    expect(await partner.transaction(session.transactionId)).toMatchObject({ status: 'failed' });
    await listener.heard('transaction.failed', {
      id: session.transactionId,
      session_id: session.sessionId,
    });
  });

  test('a new session must be initiated after PIN failures', async () => {
    const { sessionId, phone } = await begin('pin_entry');
    for (let entry = 0; entry < 3; entry++) await phone.type('9999');
    expect(await phone.dial()).toMatch(/^END /);
    expect(await phone.type('1234')).toMatch(/^END /);
    expect(await read(sessionId)).toMatchObject({ status: 'failed' });
    const again = await begin('pin_entry');
    expect(await again.phone.type('1234')).toMatch(/^END Payment successful/);
  });

  test.each(['initiated', 'menu_main', 'pin_entry'])(
    '`%s`, the time has elapsed since creation: `expired`',
    async (state) => {
      const { sessionId, transactionId } = untouched[state] as Session;
      const session = await until(`the end of ${sessionId}`, async () => {
        const seen = await read(sessionId);
        return !['initiated', 'menu_main', 'pin_entry'].includes(seen.status) && seen;
      });
      expect(session.status).toBe('expired');
      expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(USSD_SESSION_MS);
      await listener.heard('transaction.expired', { id: transactionId });
      expect(await partner.transaction(transactionId)).toMatchObject({ status: 'expired' });
    },
  );

  describe('sandbox: the simulate operation', () => {
    test.each(['initiated', 'menu_main', 'pin_entry'] as const)(
      'from `%s`, action `confirm` completes the session and fires `transaction.completed`',
      async (state) => {
        const { sessionId, transactionId } = await begin(state);
        expect((await simulate(sessionId, 'confirm')).status).toBe(200);
        expect(await read(sessionId)).toMatchObject({ status: 'completed' });
        await listener.heard('transaction.completed', { id: transactionId });
      },
    );

    test.each(['confirm', 'cancel'])('a final session refuses %s', async (action) => {
      const { sessionId } = await begin();
      await simulate(sessionId, 'cancel');
      expect(await simulate(sessionId, action)).toMatchObject({
        status: 422,
        body: { error: 'USSD_SESSION_NOT_ACTIVE' },
      });
    });

    test('confirm without funds: the session has failed', async () => {
      const { sessionId } = await begin('initiated', take());
      expect(await simulate(sessionId, 'confirm')).toMatchObject({
        status: 422,
        body: { error: 'INSUFFICIENT_FUNDS' },
      });
      expect(await read(sessionId)).toMatchObject({ status: 'failed' });
    });
  });
});

describe('KYC verification `status`', () => {
  const verify = async (type: string, number: string): Promise<Json> =>
    (await partner.post(`/v1/kyc/${type}`, { user_ref: 'ada', [type]: number })).body.data;
  const verification = async (id: string): Promise<Json> => {
    const { data } = (await partner.get('/v1/kyc/ada/status')).body;
    return data.verifications.find((one: Json) => one.verification_id === id);
  };

  test.each([
    ['bvn', '22222222222', 'verified'],
    ['bvn', '99999999999', 'verified'],
    ['nin', '12345678901', 'verified'],
    ['nin', '00000000000', 'verified'],
    ['bvn', '00000000000', 'failed'],
    ['bvn', '00000000001', 'failed'],
    ['bvn', '00000000002', 'failed'],
  ])('%s %s: submission creates it in `pending`, then it is `%s`', async (type, number, status) => {
    const { verification_id: id, status: first } = await verify(type, number);
    expect(first).toBe('pending');
    await listener.heard(`kyc.${status}`, { verification_id: id, type, status });
    expect(await verification(id)).toMatchObject({ type, status });
  });
});

describe('Partner `status`', () => {
  const person = { email: 'owner@states.example', password: 'correct horse battery staple' };
  const statusSeen = async (): Promise<string> =>
    (await service.as(null).post('/v1/auth/login', person)).body.data.partner.status;
  let live: Client;
  let sandbox: Client;
  beforeAll(async () => {
    const more = { business_name: 'Acme', phone: '+2348012345678' };
    await service.as(null).post('/v1/auth/register', { ...more, ...person });
    const login = async (environment: string) => {
      const { body } = await service.as(null).post('/v1/auth/login', { ...person, environment });
      return service.as(body.data.access_token);
    };
    [live, sandbox] = await Promise.all([login('live'), login('sandbox')]);
  });

  test('transitions not shown: `registered`, whatever the state of the sandbox record', async () => {
    await submitAll(sandbox);
    await review(sandbox, 'approve');
    expect(await complianceOf(sandbox)).toMatchObject({ overall_status: 'approved' });
    expect(await statusSeen()).toBe('registered');
  });

  describe('transitions not shown, by the live record and by operators', () => {
    let operator: TestOperator;
    let id: string;
    beforeAll(async () => {
      operator = await service.platform.openOperator();
      id = (await service.as(null).post('/v1/auth/login', person)).body.data.partner.id;
      // Nobody approves the record of a company that has not proved its mailbox.
      await service.confirmOwner(id);
    });
    const decide = async (decision: string) => {
      const path = `/ops/live/partners/${id}/compliance/${decision}`;
      const answer = await operator.post(path, { reason: 'As reviewed' });
      return answer.status === 202 ? approvedBy(answer, await service.platform.openOperator()) : answer;
    };
    const order = async (word: string) => {
      const answer = await operator.post(`/ops/partners/${id}/${word}`, { reason: 'As ordered' });
      return answer.status === 202 ? approvedBy(answer, await service.platform.openOperator()) : answer;
    };
    const submitLive = () => submitAll(live);

    test.each<[before: string, trigger: string, move: () => Promise<unknown>, after: string]>([
      ['registered', 'compliance submitted', submitLive, 'pending_review'],
      ['pending_review', 'rejected', () => decide('reject'), 'registered'],
      ['registered', 'compliance submitted again', submitLive, 'pending_review'],
      ['pending_review', 'approved', () => decide('approve'), 'active'],
      ['active', 'suspended by an operator', () => order('suspend'), 'suspended'],
      ['suspended', 'reinstated by an operator', () => order('reinstate'), 'active'],
    ])('`%s`, %s', async (before, _trigger, move, after) => {
      expect(await statusSeen()).toBe(before);
      await move();
      await until(`the partner to be ${after}`, async () => (await statusSeen()) === after);
    });

    test('`active`, closed by an operator: `closed`, for ever', async () => {
      expect(await order('close')).toMatchObject({ status: 200, body: { data: { status: 'closed' } } });
      for (const word of ['suspend', 'reinstate', 'close']) expect((await order(word)).status).toBe(422);
    });
  });
});

describe('Compliance `overall_status`', () => {
  const submitted = async (): Promise<Client> => {
    const client = await service.partner();
    await submitAll(client);
    return client;
  };

  test('`incomplete`, submit use case, all other three steps complete: `submitted`', async () => {
    const client = await service.partner();
    for (const step of ['business', 'directors', 'agreements'] as const) {
      await submit(client, step);
      expect(await complianceOf(client)).toMatchObject({ overall_status: 'incomplete' });
    }
    await submit(client, 'use-case');
    expect(await complianceOf(client)).toMatchObject({ overall_status: 'submitted' });
  });

  test.each<Step>(['business', 'directors', 'agreements'])(
    'a use case before %s leaves it `incomplete`, until the use case is submitted again',
    async (missing) => {
      const client = await service.partner();
      await submitAll(client, missing);
      expect(await complianceOf(client)).toMatchObject({ overall_status: 'incomplete' });
      await submit(client, missing);
      expect(await complianceOf(client)).toMatchObject({ overall_status: 'incomplete' });
      await submit(client, 'use-case');
      expect(await complianceOf(client)).toMatchObject({ overall_status: 'submitted' });
    },
  );

  test('not shown: `submitted`, approve: `approved`', async () => {
    const client = await submitted();
    expect(await review(client, 'approve')).toMatchObject({ body: { data: { overall_status: 'approved' } } });
  });

  describe('not shown: the rest of the life of one record', () => {
    let client: Client;
    beforeAll(async () => {
      client = await submitted();
    });

    test.each([
      ['submitted', 'suspend', 422, 'submitted'],
      ['submitted', 'reinstate', 422, 'submitted'],
      ['submitted', 'step business', 200, 'submitted'],
      ['submitted', 'claim', 200, 'under_review'],
      ['under_review', 'claim', 422, 'under_review'],
      ['under_review', 'step business', 422, 'under_review'],
      ['under_review', 'reject', 200, 'rejected'],
      ['rejected', 'approve', 422, 'rejected'],
      ['rejected', 'step business', 200, 'incomplete'],
      ['incomplete', 'approve', 422, 'incomplete'],
      ['incomplete', 'step use-case', 200, 'submitted'],
      ['submitted', 'reject', 200, 'rejected'],
      ['rejected', 'step use-case', 200, 'submitted'],
      ['submitted', 'claim', 200, 'under_review'],
      ['under_review', 'approve', 200, 'approved'],
      ['approved', 'reject', 422, 'approved'],
      ['approved', 'step use-case', 422, 'approved'],
      ['approved', 'suspend', 200, 'suspended'],
      ['suspended', 'approve', 422, 'suspended'],
      ['suspended', 'step directors', 422, 'suspended'],
      ['suspended', 'reinstate', 200, 'approved'],
    ])('`%s`, %s: %i, `%s`', async (before, trigger, status, after) => {
      expect(await complianceOf(client)).toMatchObject({ overall_status: before });
      const [word = '', step = ''] = trigger.split(' ');
      const answer = await (word === 'step' ? submit(client, step as Step) : review(client, word, 'Blurred'));
      expect(answer.status).toBe(status);
      if (status === 422) {
        expect(answer.body.error).toBe(word === 'step' ? 'COMPLIANCE_LOCKED' : 'INVALID_COMPLIANCE_STATE');
      }
      const { overall_status: now, rejection_reason: reason } = await complianceOf(client);
      expect(now).toBe(after);
      // The reason is set by the rejection and cleared by the next submission.
      expect(reason).toBe(['rejected', 'incomplete'].includes(after) ? 'Blurred' : null);
    });
  });
});

describe('Ledger entry `status`', () => {
  test('the wallet balance reported is the posted balance, also after a failed bank transfer', async () => {
    const walletId = await funded();
    const { id } = (await send({ from: walletId, held: true })).body.data;
    const debited = await ledgerOf(walletId);
    expect(debited.map((entry) => entry.status)).toEqual(['posted', 'posted']);
    expect(await partner.balanceKobo(walletId)).toBe(debited[0].balance_after);
    await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: id });

    const entries = await ledgerOf(walletId);
    expect(entries.slice(1)).toEqual(debited);
    expect(entries.map(({ status, direction, amount }) => [status, direction, amount])).toEqual([
      ['posted', 'credit', 45_000],
      ['posted', 'debit', 45_000],
      ['posted', 'credit', 1_000_000],
    ]);
    const signed: number[] = entries.map(({ direction, amount }) =>
      direction === 'credit' ? amount : -amount,
    );
    expect(await partner.balanceKobo(walletId)).toBe(signed.reduce((sum, one) => sum + one));
  });
});
