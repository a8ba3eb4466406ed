/** A QR is paid only by the text that was issued, whatever check a changed one has (D160). */
import { crc16 } from '../../src/wire/emv';
import { SANDBOX_CELL } from '../setup/cells';
import type { Answer } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let shop: string;
let payer: string;
beforeAll(async () => {
  shop = await partner.wallet();
  payer = await partner.wallet({ fundKobo: 10_000_000 });
});

let count = 0;
async function created(more: object = {}): Promise<{ reference: string; payload: string }> {
  const reference = `code-${String((count += 1))}`;
  const body = { wallet_id: shop, amount: 25_000, reference, ...more };
  const answer = await partner.post('/v1/payments/qr/create', body);
  return { reference, payload: answer.body.data.qr_payload as string };
}
const pay = (qrReference: string, source = payer, headers = {}): Promise<Answer> =>
  partner.post('/v1/payments/qr/pay', { qr_reference: qrReference, source_wallet: source }, headers);
/** Ends the life of a QR request now. */
const expire = (reference: string) =>
  world.sql(`UPDATE ${SANDBOX_CELL}.qr_requests SET expires_at = now() WHERE reference = $1`, [reference]);

describe('is paid only by the text that we issued', () => {
  const checked = (body: string): string => body + crc16(body);
  const field = (tag: string, value: string): string => tag + String(value.length).padStart(2, '0') + value;
  const without = (payload: string): string => payload.slice(0, -4);
  const fieldsOf = (payload: string): string[] => {
    const fields: string[] = [];
    for (let at = 0; at < payload.length; at += 4 + Number(payload.slice(at + 2, at + 4)))
      fields.push(payload.slice(at, at + 4 + Number(payload.slice(at + 2, at + 4))));
    return fields;
  };
  /** The text with one field written anew, and a check that fits. */
  const withField = (payload: string, tag: string, value: string): string =>
    checked(
      fieldsOf(payload)
        .slice(0, -1)
        .map((one) => (one.startsWith(tag) ? field(tag, value) : one))
        .join('') + '6304',
    );
  const valueOf = (payload: string, tag: string): string =>
    fieldsOf(payload)
      .find((one) => one.startsWith(tag))!
      .slice(4);
  const reordered = (payload: string): string => {
    const [format, initiation, ...others] = fieldsOf(payload).slice(0, -1);
    return checked([format, ...others, initiation].join('') + '6304');
  };

  test.each<[string, (payload: string) => string]>([
    ['a smaller amount', (payload) => withField(payload, '54', '1.00')],
    ['a greater amount', (payload) => withField(payload, '54', '100000.00')],
    ['the same amount, written in another way', (payload) => withField(payload, '54', '250.0')],
    ['the amount with a zero before it', (payload) => withField(payload, '54', '0250.00')],
    ['no amount', (payload) => checked(without(payload).replace('5406250.00', ''))],
    ['another name', (payload) => withField(payload, '59', 'GREEN MARKET LTD')],
    [
      'the name in small letters',
      (payload) => withField(payload, '59', valueOf(payload, '59').toLowerCase()),
    ],
    [
      'another amount and another name',
      (payload) => withField(withField(payload, '54', '5.00'), '59', 'GREEN MARKET LTD'),
    ],
    ['another city', (payload) => withField(payload, '60', 'ABUJA')],
    ['another country', (payload) => withField(payload, '58', 'GH')],
    ['another currency', (payload) => withField(payload, '53', '840')],
    ['another category', (payload) => withField(payload, '52', '5411')],
    ['static instead of dynamic', (payload) => withField(payload, '01', '11')],
    [
      'another account',
      (payload) =>
        withField(payload, '26', field('00', 'NG.PARTNERWALLET') + field('01', payer.replaceAll('-', ''))),
    ],
    [
      'a field more in the account',
      (payload) => withField(payload, '26', `${valueOf(payload, '26')}${field('02', 'X')}`),
    ],
    [
      'a field more beside the label',
      (payload) => withField(payload, '62', `${valueOf(payload, '62')}${field('08', 'RENT')}`),
    ],
    ['the label twice', (payload) => withField(payload, '62', valueOf(payload, '62').repeat(2))],
    ['a field more', (payload) => checked(without(payload).replace(/6304$/, `${field('55', '01')}6304`))],
    [
      'a second amount',
      (payload) => checked(without(payload).replace(/6304$/, `${field('54', '1.00')}6304`)),
    ],
    [
      'a template in another language',
      (payload) =>
        checked(
          without(payload).replace(/6304$/, `${field('64', field('00', 'HA') + field('01', 'KASUWA'))}6304`),
        ),
    ],
    ['its fields in another order', reordered],
    ['a check in small letters', (payload) => payload.slice(0, -4) + payload.slice(-4).toLowerCase()],
    ['a letter behind it', (payload) => `${payload}0`],
  ])('and not with %s', async (_what, change) => {
    // A check of digits alone has no small letters.
    let { payload, reference } = await created();
    while (!/[A-F]/.test(payload.slice(-4))) ({ payload, reference } = await created());
    const [before, ofShop] = [await partner.balanceKobo(payer), await partner.balanceKobo(shop)];
    const changed = change(payload);
    expect(changed).not.toBe(payload);
    const answer = await pay(changed);
    expect([answer.status, answer.body.error]).toEqual([422, 'VALIDATION_ERROR']);
    expect(answer.body.detail.fields).toEqual([
      { field: 'qr_reference', message: 'is not a code of ours, or was misread' },
    ]);
    const guide = await pay(changed, payer, { 'X-Response-Form': 'guide' });
    expect([guide.status, guide.body.error.code]).toEqual([422, 'VALIDATION_ERROR']);
    expect([await partner.balanceKobo(payer), await partner.balanceKobo(shop)]).toEqual([before, ofShop]);
    expect((await partner.get(`/v1/payments/qr/${reference}`)).body.data.status).toBe('open');
    expect((await pay(payload)).body.data.amount).toBe(25_000);
  });

  test('so the label of another request beside its own amount and name pays neither', async () => {
    const [dear, cheap] = [await created({ amount: 10_000_000 }), await created({ amount: 100 })];
    const mixed = withField(cheap.payload, '62', valueOf(dear.payload, '62'));
    expect((await pay(mixed)).body.error).toBe('VALIDATION_ERROR');
    expect((await pay(withField(cheap.payload, '62', field('05', 'Q7K2M9X4TB3H')))).body.error).toBe(
      'NOT_FOUND',
    );
    expect((await pay(cheap.payload)).body.data.amount).toBe(100);
  });

  test.each([
    ['a line end', '\r\n'],
    ['a carriage return', '\r'],
    ['a tab', '\t'],
    ['blanks', '   '],
    ['blanks and line ends', ' \n \n'],
  ])('%s of a scanner behind it is taken off', async (_what, end) => {
    const { payload } = await created();
    expect((await pay(payload + end)).body.data.status).toBe('completed');
    const { reference } = await created();
    expect((await pay(reference + end)).body.data.status).toBe('completed');
  });

  test('and one that is paid or expired says so', async () => {
    const [paid, expired] = [await created(), await created()];
    const other = await partner.wallet({ fundKobo: 100_000 });
    const first = await pay(paid.payload);
    await expire(expired.reference);
    expect((await pay(`${paid.payload}\n`)).body.data).toEqual(first.body.data);
    expect((await pay(paid.payload, other)).body.error).toBe('QR_ALREADY_PAID');
    expect((await pay(expired.payload)).body.error).toBe('QR_EXPIRED');
  });

  test('whatever letters the name has', async () => {
    for (const account_name of ['Ƙasimu Ɗanladi', 'Yar’Adua & Sọns [Kano]', '北京', 'محمد علي']) {
      const wallet = await partner.wallet({ metadata: { account_name } });
      const { payload } = await created({ wallet_id: wallet });
      expect((await pay(payload)).body.data.status).toBe('completed');
    }
  });
});
