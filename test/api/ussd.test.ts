/**
 * USSD payments and wallet PINs over HTTP, as far as they go without Temporal (interface: Payments; D69-D76, D130,
 * D138, D157, D162, D163).
 */
import { newId } from '../../src/db/pg/ids';
import { pathSecret } from '../../src/wire/ussd-gateway';
import { askAsHollatags, openPhone, postToGateway, SANDBOX_SECRET } from '../support/phone';
import type { Answer, Json } from '../support/api';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { REHEARSAL, TEST_SECRETS } from '../support/settings';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile(REHEARSAL);
const partner = partnerForFile(api);
let url: string;
let payer: string;
let merchant: string;

beforeAll(async () => {
  url = `http://127.0.0.1:${api.port}`;
  [payer, merchant] = [await partner.wallet({ fundKobo: 500_000 }), await partner.wallet()];
});

type Body = Record<string, unknown>;
const PHONE = '+2348012345678';
const reference = (more: Body = {}): Body => ({
  wallet_id: payer,
  merchant_wallet_id: merchant,
  amount: 250_000,
  reference: `ref-${newId()}`,
  phone: PHONE,
  ...more,
});
const guide = (more: Body = {}): Body => ({
  payer_wallet_id: payer,
  merchant_wallet_id: merchant,
  amount_kobo: 250_000,
  merchant_name: 'Ada Stores',
  reference: `ref-${newId()}`,
  ...more,
});
const initiate = (body: Body, headers: Record<string, string> = {}, by = partner) =>
  by.post('/v1/payments/ussd/initiate', body, headers);
const show = async (sessionId: string) => (await partner.get(`/v1/payments/ussd/${sessionId}`)).body.data;

const ID = /^ussd_[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const CODE = /^\*384\*4827\*[0-9]{6}#$/;

describe('initiate', () => {
  test('in reference form answers the code in an envelope', async () => {
    const answer = await initiate(reference());
    expect(answer).toMatchObject({ status: 200, body: { meta: { request_id: expect.any(String) } } });
    const { data } = answer.body;
    expect(Object.keys(data).sort()).toEqual(['dial_code', 'expires_at', 'session_id', 'ussd_code']);
    expect(data.session_id).toMatch(ID);
    expect(data.ussd_code).toMatch(CODE);
    expect(data.dial_code).toBe(data.ussd_code);
    const session = await show(data.session_id);
    expect(Date.parse(session.expires_at) - Date.parse(session.created_at)).toBe(180_000);
    expect(data.expires_at).toBe(session.expires_at);
  });

  test('in guide form answers without an envelope, and the same within one', async () => {
    const answer = await initiate(guide());
    expect(answer.status).toBe(200);
    const { data, meta, ...fields } = answer.body;
    expect(data).toEqual(fields);
    expect(meta).toEqual({ request_id: expect.any(String) });
    expect(fields).toEqual({
      session_id: expect.stringMatching(ID),
      ussd_code: expect.stringMatching(CODE),
      dial_code: fields.ussd_code,
      amount_kobo: 250_000,
      amount_naira: '2500.00',
      status: 'initiated',
      expires_at: expect.any(String),
    });
  });

  test('makes a pending transaction and moves nothing', async () => {
    const body = guide();
    const { session_id } = (await initiate(body)).body;
    const { transaction_id } = await show(session_id);
    expect((await partner.get(`/v1/transactions/${transaction_id}`)).body.data).toMatchObject({
      type: 'ussd_payment',
      status: 'pending',
      reference: body.reference,
      amount: 250_000,
      source_wallet: payer,
      dest_wallet: merchant,
      failed_reason: null,
      completed_at: null,
    });
    expect(await partner.balanceKobo(payer)).toBe(500_000);
  });

  test('does not look at the balance', async () => {
    expect((await initiate(guide({ amount_kobo: 500_001 }))).status).toBe(200);
  });

  test('pays the settlement wallet unless a merchant is named: active, hidden, readable by its id', async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => initiate(reference({ merchant_wallet_id: undefined }))),
    );
    const sessions = await Promise.all([first, second].map((one) => show(one?.body.data.session_id)));
    const settlement = sessions[0].merchant_wallet_id;
    expect(sessions[1].merchant_wallet_id).toBe(settlement);
    expect(sessions[0].merchant_name).toBe('Acme Fintech');
    expect((await partner.get(`/v1/wallets/${settlement}`)).body.data.wallet).toMatchObject({
      user_ref: '__settlement__',
      status: 'active',
      account_number: '',
    });
    const listed = (await partner.get('/v1/wallets?limit=100')).body.data;
    expect(listed.map(({ id }: { id: string }) => id)).not.toContain(settlement);
    const named = reference({ merchant_wallet_id: settlement });
    expect((await initiate(named)).status).toBe(200);
    expect(
      (await initiate({ ...named, merchant_wallet_id: undefined })).headers.get('idempotent-replayed'),
    ).toBe('true');
    expect(await initiate(reference({ wallet_id: settlement, merchant_wallet_id: undefined }))).toMatchObject(
      {
        status: 422,
        body: { error: 'SAME_WALLET_TRANSFER' },
      },
    );
  });

  describe.each([
    ['reference', reference, 'wallet_id', 'amount'],
    ['guide', guide, 'payer_wallet_id', 'amount_kobo'],
  ] as const)('in %s form refuses', (form, body, payerKey, amountKey) => {
    const wallets: Record<string, string> = {};
    beforeAll(async () => {
      for (const status of ['pending', 'frozen', 'closed'] as const)
        wallets[status] = await partner.wallet({ status });
      wallets['foreign'] = await (await api.partner()).wallet();
      wallets['absent'] = newId();
    });

    test.each([
      ['an amount of 0', () => ({ [amountKey]: 0 }), 422, 'AMOUNT_TOO_LOW'],
      ['a negative amount', () => ({ [amountKey]: -1 }), 422, 'AMOUNT_TOO_LOW'],
      ['a float', () => ({ [amountKey]: 1.5 }), 422, 'VALIDATION_ERROR'],
      ['a string', () => ({ [amountKey]: '1' }), 422, 'VALIDATION_ERROR'],
      ['a payer that is the merchant', () => ({ merchant_wallet_id: payer }), 422, 'SAME_WALLET_TRANSFER'],
      ['a payer that does not exist', () => ({ [payerKey]: wallets['absent'] }), 404, 'WALLET_NOT_FOUND'],
      ['another partner’s payer', () => ({ [payerKey]: wallets['foreign'] }), 404, 'WALLET_NOT_FOUND'],
      [
        'another partner’s merchant',
        () => ({ merchant_wallet_id: wallets['foreign'] }),
        404,
        'WALLET_NOT_FOUND',
      ],
      ['a payer that is no id', () => ({ [payerKey]: 'x' }), 422, 'VALIDATION_ERROR'],
      ['a closed payer', () => ({ [payerKey]: wallets['closed'] }), 422, 'WALLET_CLOSED'],
      ['a frozen payer', () => ({ [payerKey]: wallets['frozen'] }), 422, 'WALLET_FROZEN'],
      ['a pending payer', () => ({ [payerKey]: wallets['pending'] }), 422, 'WALLET_NOT_ACTIVE'],
      ['a closed merchant', () => ({ merchant_wallet_id: wallets['closed'] }), 422, 'WALLET_CLOSED'],
      ['a phone that is none', () => ({ phone: '0801' }), 422, 'VALIDATION_ERROR'],
    ])('%s', async (_what, more, status, code) => {
      const asked = body(more());
      const answer = await initiate(asked);
      expect(answer.status).toBe(status);
      expect(form === 'guide' ? answer.body.error.code : answer.body.error).toBe(code);
      // The refusal leaves nothing behind: the same reference is good for a valid request.
      const sound = await initiate(body({ reference: asked.reference }));
      expect([sound.status, sound.headers.get('idempotent-replayed')]).toEqual([200, null]);
    });
  });

  test.each(['pending', 'frozen'] as const)('takes a %s merchant: credits may come in', async (status) => {
    const wallet = await partner.wallet({ status });
    expect((await initiate(guide({ merchant_wallet_id: wallet }))).status).toBe(200);
  });

  test('in live it needs an active partner', async () => {
    const registered = await api.partner({ environment: 'live' });
    const body = { ...guide(), payer_wallet_id: newId(), merchant_wallet_id: newId() };
    expect((await initiate(body, {}, registered)).body.error).toBe('PARTNER_NOT_ACTIVE');
  });
});

describe('a repeat', () => {
  test('by reference answers the session as it is now, in the form that asks', async () => {
    const body = guide();
    const first = await initiate(body);
    const again = await initiate(body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    const other = await initiate(reference({ reference: body.reference }));
    expect(other.headers.get('idempotent-replayed')).toBe('true');
    expect(other.body.data.session_id).toBe(first.body.session_id);
  });

  test.each([{ amount_kobo: 1 }, { merchant_wallet_id: undefined }])(
    'by reference with %j is another payment',
    async (more) => {
      const body = guide();
      const first = await initiate(body);
      const { transaction_id } = await show(first.body.session_id);
      expect(await initiate({ ...body, ...more })).toMatchObject({
        status: 409,
        body: { error: { code: 'DUPLICATE_REFERENCE', detail: { transaction_id } } },
      });
    },
  );

  test('a reference used by a transfer is not free', async () => {
    const used = `ref-${newId()}`;
    const body = { source_wallet: payer, dest_wallet: merchant, amount: 1, reference: used };
    expect((await partner.post('/v1/transfers/p2p', body)).status).toBe(200);
    expect((await initiate(guide({ reference: used }))).status).toBe(409);
  });

  test('by key answers the same bytes; with another body it is refused', async () => {
    const [body, headers] = [guide(), { 'Idempotency-Key': newId() }];
    const first = await initiate(body, headers);
    const again = await initiate(body, headers);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    for (const other of [guide(), guide({ amount_kobo: 0 }), guide({ merchant_wallet_id: payer })]) {
      expect((await initiate(other, headers)).body.error.code).toBe('IDEMPOTENCY_KEY_REUSED');
    }
  });
});

describe('get', () => {
  test('shows the session with both names of everything', async () => {
    const body = guide();
    const { session_id, dial_code, expires_at } = (await initiate(body)).body;
    expect(await show(session_id)).toEqual({
      session_id,
      status: 'initiated',
      ussd_code: dial_code,
      dial_code,
      amount: 250_000,
      amount_kobo: 250_000,
      amount_naira: '2500.00',
      currency: 'NGN',
      reference: body.reference,
      payer_wallet_id: payer,
      merchant_wallet_id: merchant,
      merchant_name: 'Ada Stores',
      transaction_id: expect.any(String),
      pin_attempts_remaining: 3,
      failure_reason: null,
      created_at: expect.any(String),
      expires_at,
      completed_at: null,
    });
    expect(await show(session_id.toLowerCase())).toMatchObject({ session_id });
  });

  test('a malformed, an unknown and a foreign id are the same 404', async () => {
    const foreign = (await initiate(guide())).body.session_id;
    const stranger = await api.partner();
    const answers = await Promise.all(
      [foreign, 'ussd_00000000000000000000000000', 'x', newId()].map((id) =>
        stranger.get(`/v1/payments/ussd/${id}`),
      ),
    );
    for (const { status, body } of answers) {
      expect([status, body.error]).toEqual([404, 'NOT_FOUND']);
    }
  });

  test('a wallet is closed after the end of its sessions, also while no worker runs, and not before', async () => {
    const [empty, other] = [await partner.wallet(), await partner.wallet()];
    const { body } = await initiate(guide({ payer_wallet_id: empty, merchant_wallet_id: other }));
    const close = (id: string) => partner.post(`/v1/wallets/${id}/close`, { reason: 'over' });
    for (const id of [empty, other]) expect((await close(id)).body.error).toBe('WALLET_NOT_EMPTY');
    await world.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET expires_at = now() WHERE dial_code = $1`, [
      body.dial_code.slice(-7, -1),
    ]);
    for (const id of [empty, other]) expect((await close(id)).status).toBe(200);
  });

  test('an overdue session reads as expired, and reading it moves nothing', async () => {
    const { session_id } = (await initiate(guide())).body;
    const { transaction_id } = await show(session_id);
    await world.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET expires_at = now() WHERE transaction_id = $1`, [
      transaction_id,
    ]);
    const looks = await Promise.all([1, 2, 3].map(() => show(session_id)));
    expect(looks.map(({ status }) => status)).toEqual(['expired', 'expired', 'expired']);
    const rows = await world.sql(
      `SELECT s.status, t.status AS transaction,
              (SELECT count(*)::int FROM ${SANDBOX_CELL}.events e WHERE e.resource_id = t.id) AS events
         FROM ${SANDBOX_CELL}.ussd_sessions s JOIN ${SANDBOX_CELL}.transactions t ON t.id = s.transaction_id
        WHERE t.id = $1`,
      [transaction_id],
    );
    expect(rows).toEqual([{ status: 'initiated', transaction: 'pending', events: 0 }]);
  });
});

describe('simulate', () => {
  const simulate = (body: Body, by = partner, prefix = '/v1/sandbox') =>
    by.post(`${prefix}/ussd/simulate`, body);

  test.each([
    ['CONFIRM', 422, 'VALIDATION_ERROR'],
    ['', 422, 'VALIDATION_ERROR'],
    [undefined, 422, 'VALIDATION_ERROR'],
    [1, 422, 'VALIDATION_ERROR'],
  ])('action %p: %d %s', async (action, status, error) => {
    const { session_id } = (await initiate(guide())).body;
    expect(await simulate({ session_id, action })).toMatchObject({ status, body: { error } });
  });

  test.each([
    ['an unknown session', 'ussd_00000000000000000000000000', 404, 'NOT_FOUND'],
    ['a malformed session', 'ussd_1', 404, 'NOT_FOUND'],
    ['no text', 7, 422, 'VALIDATION_ERROR'],
  ])('%s', async (_what, session_id, status, error) => {
    expect(await simulate({ session_id, action: 'confirm' })).toMatchObject({ status, body: { error } });
  });

  test('another partner’s session is unknown, and live has no such operation', async () => {
    const { session_id } = (await initiate(guide())).body;
    const stranger = await api.partner();
    expect((await simulate({ session_id, action: 'confirm' }, stranger)).status).toBe(404);
    const live = await api.partner({ environment: 'live', status: 'active' });
    for (const prefix of ['/sandbox', '/v1/sandbox']) {
      expect(await simulate({ session_id, action: 'confirm' }, live, prefix)).toMatchObject({
        status: 403,
        body: { error: 'SANDBOX_ONLY' },
      });
    }
  });

  test('an overdue session has expired', async () => {
    const { session_id } = (await initiate(guide())).body;
    const { transaction_id } = await show(session_id);
    await world.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET expires_at = now() WHERE transaction_id = $1`, [
      transaction_id,
    ]);
    expect((await simulate({ session_id, action: 'cancel' })).body.error).toBe('USSD_SESSION_EXPIRED');
  });

  test('without Temporal: 503, and the session is as it was', async () => {
    const { session_id } = (await initiate(guide())).body;
    const answer = await simulate({ session_id, action: 'confirm' });
    expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await show(session_id)).toMatchObject({ status: 'initiated' });
  });
});

describe('the gateway', () => {
  test.each(['x', Buffer.alloc(32, 7).toString('base64url')])(
    'with secret "%s" finds nothing',
    async (secret) => {
      expect((await postToGateway(url, {}, secret)).status).toBe(404);
    },
  );

  test('gets plain text, whatever it sends', async () => {
    for (const more of [
      { text: '999999' },
      { sessionId: '' },
      { text: '1'.repeat(600) },
      { serviceCode: '', phoneNumber: '+2340000000' },
    ]) {
      const { status, type, text } = await postToGateway(url, more);
      expect([status, type]).toEqual([200, 'text/plain; charset=utf-8']);
      expect(text).toMatch(/^END (Unknown payment code|Invalid request)$/);
    }
  });

  test('in the form of Hollatags gets JSON, whatever it sends', async () => {
    for (const [more, screen] of [
      [{ session_msg: '*384*4827*999999#' }, 'Unknown payment code'],
      [{ session_operation: 'pause' }, 'Invalid request'],
      [
        { session_operation: 'continue', session_msg: '1', session_msisdn: '2340000000' },
        'Unknown payment code',
      ],
      [{ session_operation: 'end' }, 'Goodbye'],
    ] as [Record<string, string>, string][]) {
      const { status, body } = await askAsHollatags(url, { session_id: '77', ...more });
      expect([status, body]).toMatchObject([200, { session_operation: 'end', session_msg: screen }]);
    }
    const posted = await fetch(`${url}/v1/ussd/callback/${SANDBOX_SECRET}/hollatags`, {
      method: 'POST',
      body: new URLSearchParams({ session_id: '77', session_msisdn: '2348', session_operation: 'end' }),
    });
    expect(await posted.json()).toMatchObject({ session_msg: 'Invalid request' });
    expect((await askAsHollatags(url, {}, 'x')).status).toBe(404);
  });

  test.each([
    ['hollatags', '127.0.0.1', [200, 404]],
    ['hollatags', '10.0.0.0/8,127.0.0.0/8', [200, 404]],
    ['hollatags', '196.6.1.0/24', [404, 404]],
    ['africas-talking', '127.0.0.1,2001:db8::/32', [404, 200]],
    ['none', '127.0.0.1', [404, 404]],
  ])('of live is %s at %s and no other', async (gateway, addresses, statuses) => {
    const settings = { LIVE_USSD: gateway, USSD_GATEWAY_ADDRESSES: addresses };
    const at = `http://127.0.0.1:${(await world.startApi(settings)).port}`;
    const live = pathSecret(TEST_SECRETS.USSD_CALLBACK_SECRET_LIVE);
    const heard = [await askAsHollatags(at, {}, live), await postToGateway(at, {}, live)];
    expect(heard.map(({ status }) => status)).toEqual(statuses);
  });

  test('finds no session of the other environment', async () => {
    const { dial_code } = (await initiate(guide())).body;
    const live = pathSecret(TEST_SECRETS.USSD_CALLBACK_SECRET_LIVE);
    const { text } = await postToGateway(url, { text: dial_code.slice(10, -1) }, live);
    expect(text).toBe('END Unknown payment code');
  });

  test('from another phone than the one that was named is turned away, and the session is not touched', async () => {
    const { session_id, ussd_code } = (await initiate(reference())).body.data;
    expect(await openPhone(url, ussd_code, '+2348099999999').dial()).toBe(
      'END This payment belongs to another phone',
    );
    expect(await show(session_id)).toMatchObject({ status: 'initiated' });
  });

  test('without a code finds the phone’s latest open session', async () => {
    const phoneNumber = '+2348055555555';
    expect(await openPhone(url, null, phoneNumber).dial()).toBe('END Unknown payment code');
    await initiate(reference({ phone: phoneNumber }));
    // The session is found, and then Temporal is away.
    expect(await openPhone(url, null, phoneNumber).dial()).toBe('END Service unavailable');
  });

  test('is told within five seconds that Temporal is away', async () => {
    const { session_id, dial_code } = (await initiate(guide())).body;
    const startedAt = Date.now();
    expect(await openPhone(url, dial_code).dial()).toBe('END Service unavailable');
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(await show(session_id)).toMatchObject({ status: 'initiated' });
  });

  test('may report the end of a dialogue, which changes nothing', async () => {
    const notify = (secret: string) =>
      fetch(`${url}/v1/ussd/callback/${secret}/notify`, {
        method: 'POST',
        body: new URLSearchParams({ status: 'Failed' }),
      });
    expect((await notify(SANDBOX_SECRET)).status).toBe(200);
    expect((await notify('x')).status).toBe(404);
  });
});

describe('the wallet PIN', () => {
  const setPin = (walletId: string, body: Body, by = partner) => by.put(`/v1/wallets/${walletId}/pin`, body);
  const changes = (walletId: string) =>
    world.sql(
      `SELECT knew_current_pin FROM ${SANDBOX_CELL}.wallet_pin_changes WHERE wallet_id = $1 ORDER BY id`,
      [walletId],
    );

  test('is 1234 at first in sandbox, is changed with the current PIN, or reset by the partner', async () => {
    const wallet = await partner.wallet();
    const first = await setPin(wallet, { pin: '0731', current_pin: '1234' });
    expect(first).toMatchObject({ status: 200, body: { data: { wallet_id: wallet, pin_set: true } } });
    expect(await setPin(wallet, { pin: '1111', current_pin: '1234' })).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR', message: 'current_pin: is wrong' },
    });
    expect((await setPin(wallet, { pin: '1111', current_pin: '0731' })).status).toBe(200);
    expect((await setPin(wallet, { pin: '2222' })).status).toBe(200);
    expect(await changes(wallet)).toEqual(
      [true, true, false].map((knew_current_pin) => ({ knew_current_pin })),
    );
  });

  test('locks after nine wrong ones in a row, and a reset unlocks it', async () => {
    const wallet = await partner.wallet();
    for (let wrong = 1; wrong <= 9; wrong++) {
      expect((await setPin(wallet, { pin: '0731', current_pin: '9999' })).body.error).toBe(
        'VALIDATION_ERROR',
      );
    }
    for (const current_pin of ['9999', '1234']) {
      expect(await setPin(wallet, { pin: '0731', current_pin })).toMatchObject({
        status: 422,
        body: { error: 'PIN_LOCKED' },
      });
    }
    expect((await setPin(wallet, { pin: '0731' })).status).toBe(200);
    expect((await setPin(wallet, { pin: '0732', current_pin: '0731' })).status).toBe(200);
  });

  test('of thirty guesses at once nine are checked', async () => {
    const wallet = await partner.wallet();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => setPin(wallet, { pin: '0731', current_pin: '9999' })),
    );
    const errors = answers.map(({ body }) => body.error);
    expect(errors.filter((error) => error === 'VALIDATION_ERROR')).toHaveLength(9);
    expect(errors.filter((error) => error === 'PIN_LOCKED')).toHaveLength(21);
  });

  test.each([
    [{ pin: 1234 }],
    [{ pin: '12345' }],
    [{ pin: '12a4' }],
    [{ pin: '' }],
    [{ pin: '١٢٣٤' }],
    [{}],
    [{ pin: '0731', current_pin: '12' }],
  ])('%j is refused, and no guess is counted', async (body) => {
    const wallet = await partner.wallet();
    expect(await setPin(wallet, body)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(
      await world.sql(`SELECT 1 FROM ${SANDBOX_CELL}.wallet_pins WHERE wallet_id = $1`, [wallet]),
    ).toEqual([]);
  });

  test('of an absent, foreign or malformed wallet is a 404, of a closed one refused', async () => {
    const foreign = await (await api.partner()).wallet();
    for (const id of [newId(), foreign, 'x'])
      expect((await setPin(id, { pin: '0731' })).body.error).toBe('NOT_FOUND');
    const closed = await partner.wallet({ status: 'closed' });
    expect((await setPin(closed, { pin: '0731' })).body.error).toBe('WALLET_CLOSED');
  });

  test.each(['0000', '1111', '1234', '4321', '6789', '9876', '1212', '1987', '2001', '3107', '0731'])(
    '%s is too easy for live and for a sandbox that is like it, and good in another',
    async (pin) => {
      const live = await api.partner({ environment: 'live', status: 'active' });
      const likeLive = await api.partner();
      await likeLive.put('/v1/sandbox/requirements', { as_live: true });
      for (const by of [live, likeLive]) {
        const wallet = await by.wallet();
        const born = await by.patch(`/v1/wallets/${wallet}`, { metadata: { date_of_birth: '1987-07-31' } });
        expect(born.status).toBe(200);
        expect(await setPin(wallet, { pin }, by)).toMatchObject({
          status: 422,
          body: { error: 'VALIDATION_ERROR', message: 'pin: is too easy to guess' },
        });
      }
      expect((await setPin(await partner.wallet(), { pin })).status).toBe(200);
    },
  );

  test('in live there is none until it is set', async () => {
    const live = await api.partner({ environment: 'live', status: 'active' });
    const wallet = await live.wallet();
    expect((await setPin(wallet, { pin: '0731', current_pin: '1234' }, live)).body.message).toBe(
      'current_pin: is wrong',
    );
    expect((await setPin(wallet, { pin: '0731' }, live)).status).toBe(200);
    expect((await setPin(wallet, { pin: '0732', current_pin: '0731' }, live)).status).toBe(200);
  });
});

describe('looking up (D198)', () => {
  let owner: TestPartner;
  const wallets: string[] = [];
  /** Oldest first. */
  const sessions: string[] = [];
  beforeAll(async () => {
    owner = await api.partner();
    for (let made = 0; made < 3; made++) wallets.push(await owner.wallet({ fundKobo: 1_000 }));
    for (const [from, to] of [
      [0, 1],
      [1, 2],
      [2, 0],
    ]) {
      const asked = reference({ wallet_id: wallets[from!], merchant_wallet_id: wallets[to!] });
      sessions.push((await initiate(asked, {}, owner)).body.data.session_id);
    }
  });

  const list = async (query = ''): Promise<Json[]> =>
    (await owner.get(`/v1/payments/ussd${query}`)).body.data;
  const found = async (query: string): Promise<string[]> => (await list(query)).map((one) => one.session_id);

  test('the list shows each as it is shown by itself, newest first', async () => {
    const one = (await owner.get(`/v1/payments/ussd/${sessions[2]!}`)).body.data;
    const all = await list();
    expect(all.map(({ session_id }) => session_id)).toEqual([...sessions].reverse());
    expect(all[0]).toEqual(one);
  });

  test('pages of one cover everything once', async () => {
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body }: Answer = await owner.get(`/v1/payments/ussd?limit=1${cursor && `&cursor=${cursor}`}`);
      seen.push(body.data[0].session_id);
      cursor = body.meta.next_cursor;
    }
    expect(seen).toEqual([...sessions].reverse());
  });

  test('a wallet finds those that it pays and those that pay it', async () => {
    expect(await found(`?wallet_id=${wallets[0]!}`)).toEqual([sessions[2], sessions[0]]);
  });

  test.each<[string, attempt: string | null, status: string]>([
    ['is expired', null, 'expired'],
    ['is expired when its PIN was wrong', 'pin_rejected', 'expired'],
    ['is open while its PIN may still complete it', 'pin_accepted', 'pin_entry'],
    ['is open while its PIN is checked', 'unknown', 'pin_entry'],
  ])('one whose time is over %s, as the look-up of it says', async (_what, attempt, status) => {
    const between = { wallet_id: wallets[0], merchant_wallet_id: wallets[1] };
    const id = (await initiate(reference(between), {}, owner)).body.data.session_id;
    const [{ id: uuid }] = (await world.sql(
      `UPDATE ${SANDBOX_CELL}.ussd_sessions SET status = 'pin_entry', expires_at = now() - interval '1 minute'
        WHERE id = (SELECT max(id::text)::uuid FROM ${SANDBOX_CELL}.ussd_sessions WHERE partner_id = $1) RETURNING id`,
      [owner.id],
    )) as [Json];
    if (attempt !== null) {
      await world.sql(
        `INSERT INTO ${SANDBOX_CELL}.ussd_pin_attempts
           (id, partner_id, session_id, gateway_session, hop, number, outcome, counted_at, decided_at)
         SELECT uuidv7(), $1, $2, 'g', 2, 1, outcome, now() - interval '2 minutes',
                CASE WHEN outcome IS NOT NULL THEN now() END
           FROM (SELECT nullif($3, 'unknown') AS outcome) AS given`,
        [owner.id, uuid, attempt],
      );
    }
    expect((await owner.get(`/v1/payments/ussd/${id}`)).body.data.status).toBe(status);
    const listed = (await list('?limit=1'))[0];
    expect([listed.session_id, listed.status]).toEqual([id, status]);
    expect((await found(`?status=${status}`))[0]).toBe(id);
    expect(await found('?status=failed')).toEqual([]);
  });

  test.each(['status=gone', 'wallet_id=x', 'phone=1'])('%s: 422', async (query) => {
    expect((await owner.get(`/v1/payments/ussd?${query}`)).body.error).toBe('VALIDATION_ERROR');
  });

  test('another partner sees none of them', async () => {
    const other = await api.partner();
    for (const query of ['', `?wallet_id=${wallets[0]!}`]) {
      expect((await other.get(`/v1/payments/ussd${query}`)).body).toMatchObject({
        data: [],
        meta: { has_more: false },
      });
    }
  });
});

describe('playing the phone (D199)', () => {
  const dial = (code: string, more: Body = {}, by = partner) =>
    by.post('/v1/sandbox/ussd/dial', { phone: PHONE, gateway_session: 'one', service_code: code, ...more });
  const UNKNOWN = { reply: expect.stringMatching(/^Unknown payment code/), open: false };

  test('finds the own session, and none of another partner', async () => {
    const code = (await initiate(reference())).body.data.dial_code;
    // The menu needs the workflow, and Temporal is away.
    expect((await dial(code)).body).toMatchObject({
      open: false,
      reply: expect.not.stringMatching(/^Unknown/),
    });
    const other = await api.partner();
    expect((await dial(code, {}, other)).body).toMatchObject(UNKNOWN);
    // By the phone alone, as from a network whose code is shared.
    expect((await dial('*384*4827#', {}, other)).body).toMatchObject(UNKNOWN);
    expect((await dial('*384*4827*999999#')).body).toMatchObject(UNKNOWN);
  });

  test('another phone than the one of the session is told so', async () => {
    const code = (await initiate(reference())).body.data.dial_code;
    const { body } = await dial(code, { phone: '+2348099999999' });
    const seen = await postToGateway(url, {
      sessionId: 'AT1',
      phoneNumber: '+2348099999999',
      serviceCode: code,
      text: '',
    });
    expect(`END ${body.reply}`).toBe(seen.text);
  });

  test('shows the form that a gateway would send', async () => {
    const { status, body } = await dial('*384*4827*999999#', { text: '1*25' });
    expect(status).toBe(200);
    expect(Object.fromEntries(new URLSearchParams(body.form))).toEqual({
      sessionId: 'one',
      phoneNumber: PHONE,
      serviceCode: '*384*4827*999999#',
      text: '1*25',
    });
  });

  test.each([{ phone: '0801' }, { gateway_session: '' }, { service_code: '' }, { text: 'x'.repeat(501) }])(
    '%j: 422',
    async (more) => {
      expect((await dial('*384*4827*999999#', more)).body.error).toBe('VALIDATION_ERROR');
    },
  );

  test('in live there is none: SANDBOX_ONLY', async () => {
    const live = await api.partner({ environment: 'live', status: 'active' });
    expect((await dial('*384*4827*999999#', {}, live)).body.error).toBe('SANDBOX_ONLY');
  });
});
