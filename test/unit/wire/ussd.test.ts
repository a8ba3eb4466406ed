/** Session ids, requests in both forms, and what a gateway posts (D4, D69, D70, D165). */
import { uuidv7 } from 'uuidv7';
import { GATEWAY_DIALECTS } from '../../../src/wire/ussd-gateway';
import { readPinChange } from '../../../src/wire/pins';
import { readSessionId, readUssdInitiation, writeSessionId } from '../../../src/wire/ussd';

describe('session ids', () => {
  test.each([
    ['00000000-0000-0000-0000-000000000000', 'ussd_00000000000000000000000000'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'ussd_7ZZZZZZZZZZZZZZZZZZZZZZZZZ'],
    ['018f0000-0000-7000-8000-0000000000a1', 'ussd_01HW000000E008000000000051'],
  ])('%s is %s', (uuid, id) => {
    expect(writeSessionId(uuid)).toBe(id);
    expect(readSessionId(id)).toBe(uuid);
    expect(readSessionId(id.toLowerCase())).toBe(uuid);
  });

  test('every uuid comes back', () => {
    for (let drawn = 0; drawn < 200; drawn++) {
      const uuid = uuidv7();
      expect(readSessionId(writeSessionId(uuid))).toBe(uuid);
      expect(writeSessionId(uuid)).toMatch(/^ussd_[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
    }
  });

  test.each([
    '',
    'ussd_',
    'ussd_0000000000000000000000000',
    'ussd_000000000000000000000000000',
    'ussd_80000000000000000000000000',
    'ussd_0000000000000000000000000U',
    'ussd_0000000000000000000000000I',
    '00000000000000000000000000',
    'tx_00000000000000000000000000',
    '018f0000-0000-7000-8000-0000000000a1',
  ])('"%s" is not a session id', (text) => expect(readSessionId(text)).toBeNull());
});

const PAYER = '018f0000-0000-7000-8000-0000000000c1';
const MERCHANT = '018f0000-0000-7000-8000-0000000000c2';

describe('initiation', () => {
  const reference = { wallet_id: PAYER, amount: 250_000, reference: 'r', phone: '+2348012345678' };
  const guide = {
    payer_wallet_id: PAYER,
    merchant_wallet_id: MERCHANT,
    amount_kobo: 250_000,
    merchant_name: 'Ada',
    reference: 'r',
  };

  test('the reference form pays the settlement wallet unless it names another', () => {
    const value = {
      payerWalletId: PAYER,
      merchantWalletId: null,
      amountKobo: 250_000,
      merchantName: null,
      reference: 'r',
      phone: '+2348012345678',
    };
    expect(readUssdInitiation(reference, 'reference')).toEqual({ ok: true, value });
    expect(readUssdInitiation({ ...reference, merchant_wallet_id: MERCHANT }, 'reference')).toEqual({
      ok: true,
      value: { ...value, merchantWalletId: MERCHANT },
    });
  });

  test('the guide form names both wallets and needs no phone', () => {
    expect(readUssdInitiation(guide, 'guide')).toEqual({
      ok: true,
      value: {
        payerWalletId: PAYER,
        merchantWalletId: MERCHANT,
        amountKobo: 250_000,
        merchantName: 'Ada',
        reference: 'r',
        phone: null,
      },
    });
  });

  test.each([
    [{ ...reference, phone: undefined }, 'phone: is required'],
    [
      { ...reference, phone: '08012345678' },
      'phone: must be a phone number in E.164 form, such as +2348012345678',
    ],
    [
      { ...reference, phone: '+0348012345678' },
      'phone: must be a phone number in E.164 form, such as +2348012345678',
    ],
    [
      { ...reference, phone: '+234801' },
      'phone: must be a phone number in E.164 form, such as +2348012345678',
    ],
    [
      { ...reference, phone: '+2348012345678\n' },
      'phone: must be a phone number in E.164 form, such as +2348012345678',
    ],
    [{ ...guide, phone: '1' }, 'phone: must be a phone number in E.164 form, such as +2348012345678'],
    [{ ...reference, wallet_id: 'x' }, 'wallet_id: must be a uuid'],
    [{ ...guide, payer_wallet_id: 'x' }, 'payer_wallet_id: must be a uuid'],
    [{ ...guide, merchant_name: 'x'.repeat(61) }, 'merchant_name: must have 1 to 60 characters'],
    [{ ...guide, merchant_name: '' }, 'merchant_name: must have 1 to 60 characters'],
    [{ ...guide, amount: 1 }, 'amount_kobo: contradicts amount'],
    [{ ...guide, wallet_id: MERCHANT }, 'payer_wallet_id: contradicts wallet_id'],
    [{ ...reference, amount: 1.5 }, 'amount: must be an integer number of kobo'],
    [{ ...reference, reference: '' }, 'reference: must have 1 to 128 characters'],
  ])('%j is refused: %s', (body, message) => {
    const read = readUssdInitiation(body, 'payer_wallet_id' in body ? 'guide' : 'reference');
    expect(read).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR', message } });
  });
});

describe('Africa’s Talking', () => {
  const { parse, answer } = GATEWAY_DIALECTS['africas-talking'];
  const form = (more: Record<string, string> = {}) =>
    Buffer.from(
      new URLSearchParams({
        sessionId: 'ATUid_1',
        phoneNumber: '+2348012345678',
        networkCode: '99999',
        serviceCode: '*384*4827#',
        text: '615203*1',
        ...more,
      }).toString(),
    );

  test('is read, with the plus of the phone', () => {
    expect(parse(form())).toEqual({
      gatewaySession: 'ATUid_1',
      phone: '+2348012345678',
      serviceCode: '*384*4827#',
      text: '615203*1',
      sends: 'all',
    });
  });

  test('without a text it is the first message of a dialogue', () => {
    const body = 'sessionId=1&phoneNumber=%2B2348012345678&serviceCode=*384*4827%23';
    expect(parse(Buffer.from(body))).toMatchObject({ text: '' });
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['JSON', Buffer.from('{"sessionId":"1"}')],
    ['no session', form({ sessionId: '' })],
    ['an endless text', form({ text: '1'.repeat(501) })],
    ['control characters', form({ sessionId: 'a\u0000b' })],
    ['random bytes', Buffer.from([0xff, 0xfe, 0x00])],
  ])('%s is refused', (_name, body) => expect(parse(body)).toBeNull());

  test('gets the screen as it is', () => {
    expect(answer('CON Enter PIN')).toEqual({
      type: 'text/plain; charset=utf-8',
      body: 'CON Enter PIN',
    });
  });
});

describe('Hollatags', () => {
  const { parse, answer } = GATEWAY_DIALECTS.hollatags;
  const query = (more: Record<string, string> = {}) =>
    Buffer.from(
      new URLSearchParams({
        session_id: '5456657676',
        session_msisdn: '2348012345678',
        session_operation: 'begin',
        session_msg: ' *384*4827*615203# ',
        session_from: '*384*4827#',
        session_type: '1',
        session_mno: 'MTN',
        ...more,
      }).toString(),
    );

  test.each([
    ['begin', 'first'],
    ['continue', 'next'],
    ['end', 'end'],
  ])('%s is read, with a plus before the phone', (session_operation, sends) => {
    expect(parse(query({ session_operation }))).toEqual({
      gatewaySession: '5456657676',
      phone: '+2348012345678',
      serviceCode: '*384*4827#',
      text: '*384*4827*615203#',
      sends,
    });
  });

  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['no session', query({ session_id: '' })],
    ['another operation', query({ session_operation: 'pause' })],
    ['a phone with a plus', query({ session_msisdn: '+2348012345678' })],
    ['an endless text', query({ session_msg: '1'.repeat(161) })],
    ['control characters', query({ session_msg: 'a\u0000b' })],
  ])('%s is refused', (_name, sent) => expect(parse(sent)).toBeNull());

  test.each<[screen: string, gatewaySession: string | null, body: object]>([
    [
      'CON Enter PIN',
      '7',
      { session_operation: 'continue', session_type: 1, session_id: '7', session_msg: 'Enter PIN' },
    ],
    [
      'END Cancelled',
      null,
      { session_operation: 'end', session_type: 4, session_id: '', session_msg: 'Cancelled' },
    ],
  ])('gets %j as JSON', (screen, gatewaySession, body) => {
    const written = answer(screen, gatewaySession);
    expect([written.type, JSON.parse(written.body)]).toEqual(['application/json; charset=utf-8', body]);
  });
});

test.each([
  [{ pin: '0731' }, { ok: true, value: { pin: '0731', currentPin: null } }],
  [
    { pin: '0731', current_pin: '1234' },
    { ok: true, value: { pin: '0731', currentPin: '1234' } },
  ],
  [
    { pin: '0731', current_pin: null },
    { ok: true, value: { pin: '0731', currentPin: null } },
  ],
])('%j sets a PIN', (body, read) => expect(readPinChange(body, true)).toEqual(read));

test.each([1234, '12345', '12a4', '', '١٢٣٤', null, undefined, ['1234'], ' 1234'])(
  'pin %p is refused',
  (pin) => {
    expect(readPinChange({ pin }, true)).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR' } });
  },
);
