/**
 * The three published forms: chosen by the keys of the body, or by the header (interface: Naming variants; D2,
 * D53, D116, D133).
 */
import { apiForFile, partnerForFile } from '../support/scene';

const { api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let dest: string;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 1_000_000 });
  dest = await partner.wallet();
});

let count = 0;
const reference = (): string => `form-${(count += 1)}`;
type Body = Record<string, unknown>;
const referenceKeys = (more: Body = {}): Body => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: reference(),
  ...more,
});
const guideKeys = (more: Body = {}): Body => ({
  source_wallet_id: source,
  dest_wallet_id: dest,
  amount_kobo: 100,
  reference: reference(),
  ...more,
});
const form = (name: string | null): Record<string, string> =>
  name === null ? {} : { 'X-Response-Form': name };
const p2p = (body: Body, header: string | null) => partner.post('/v1/transfers/p2p', body, form(header));

describe('a successful transfer is answered in', () => {
  test.each([
    ['reference keys, no header', referenceKeys, null, 'reference'],
    ['guide keys, no header', guideKeys, null, 'guide'],
    ['one guide key among reference keys', () => mixed('amount', 'amount_kobo'), null, 'guide'],
    ['guide keys, reference header', guideKeys, 'reference', 'reference'],
    ['reference keys, guide header', referenceKeys, 'guide', 'guide'],
    ['guide keys, quickstart header', guideKeys, 'quickstart', 'quickstart'],
    ['reference keys, quickstart header', referenceKeys, 'quickstart', 'quickstart'],
  ])('%s', async (_what, body, header, expected) => {
    const { status, body: answer } = await p2p(body(), header);
    expect(status).toBe(200);
    const { amount, amount_kobo: amountKobo, failed_reason: failedReason } = answer.data;
    expect({ amount, amountKobo, failedReason }).toEqual(
      {
        reference: { amount: 100, amountKobo: undefined, failedReason: null },
        guide: { amount: undefined, amountKobo: 100, failedReason: null },
        quickstart: { amount: 100, amountKobo: undefined, failedReason: '' },
      }[expected],
    );
  });

  /** The keys of the reference with one of them in the guide's spelling. */
  function mixed(key: string, guideKey: string): Body {
    const { [key]: value, ...others } = referenceKeys();
    return { ...others, [guideKey]: value };
  }
});

describe('a refusal is answered in', () => {
  test.each([
    ['reference keys, no header', () => referenceKeys({ dest_wallet: source }), null, 'reference', 422],
    ['guide keys, no header', () => guideKeys({ dest_wallet_id: source }), null, 'guide', 400],
    [
      'guide keys, reference header',
      () => guideKeys({ dest_wallet_id: source }),
      'reference',
      'reference',
      422,
    ],
    ['reference keys, guide header', () => referenceKeys({ dest_wallet: source }), 'guide', 'guide', 400],
    [
      'guide keys, quickstart header',
      () => guideKeys({ dest_wallet_id: source }),
      'quickstart',
      'reference',
      422,
    ],
  ])('%s', async (_what, body, header, envelope, status) => {
    const answer = await p2p(body(), header);
    expect(answer.status).toBe(status);
    const meta = { request_id: answer.headers.get('X-Request-Id') };
    const message = expect.stringMatching(/.+/);
    expect(answer.body).toEqual(
      envelope === 'guide'
        ? { error: { code: 'SAME_WALLET_TRANSFER', message, http_status: status }, meta }
        : { error: 'SAME_WALLET_TRANSFER', message, meta },
    );
  });

  test.each([
    ['reference', { error: 'INSUFFICIENT_FUNDS', detail: 'beside' }],
    ['guide', { error: 'INSUFFICIENT_FUNDS', detail: 'inside' }],
  ])('in %s form the detail stands at its published place', async (header, { error, detail }) => {
    const { status, body } = await p2p(referenceKeys({ amount: 2_000_000 }), header);
    expect(status).toBe(422);
    const given = { available_kobo: await partner.balanceKobo(source), required_kobo: 2_010_000 };
    if (detail === 'beside') expect(body).toMatchObject({ error, detail: given });
    else expect(body).toMatchObject({ error: { code: error, http_status: 422, detail: given } });
  });

  test('the envelope of the guide when an invalid body has a guide key', async () => {
    const { status, body } = await p2p({ amount_kobo: 'many' }, null);
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', http_status: 422 });
  });
});

describe('both keys of one field', () => {
  test('that agree are accepted, in guide form', async () => {
    const { status, body } = await p2p({ ...guideKeys(), source_wallet: source, amount: 100 }, null);
    expect(status).toBe(200);
    expect(body.data.amount_kobo).toBe(100);
  });

  test.each([
    ['source_wallet', () => ({ source_wallet: dest })],
    ['dest_wallet', () => ({ dest_wallet: source })],
    ['amount', () => ({ amount: 101 })],
  ])('that contradict each other are refused: %s', async (field, more) => {
    const { status, body } = await p2p({ ...guideKeys(), ...more() }, null);
    expect(status).toBe(422);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.message).toContain(field);
  });
});

test.each(['', 'Guide', 'GUIDE', 'json', 'guide,reference'])(
  'X-Response-Form %j is unknown: 422 on every operation, and nothing happens',
  async (header) => {
    const before = await partner.balanceKobo(source);
    const answers = [
      await p2p(referenceKeys(), header),
      await partner.get(`/v1/wallets/${source}`, form(header)),
      await partner.get('/v1/banks', form(header)),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
      expect(answer.body.message).toContain('X-Response-Form');
    }
    expect(await partner.balanceKobo(source)).toBe(before);
  },
);

test('the header decides for reads and sandbox operations, which have no guide keys', async () => {
  const path = `/v1/wallets/${source}/transactions?limit=1`;
  const [plain, guide] = [await partner.get(path), await partner.get(path, form('guide'))];
  expect(plain.body.data[0]).toMatchObject({ amount: expect.any(Number), source_wallet: expect.anything() });
  expect(guide.body.data[0]).toMatchObject({ amount_kobo: expect.any(Number) });

  const tooLow = { amount_kobo: 0 };
  const fund = `/sandbox/wallets/${source}/fund`;
  expect((await partner.post(fund, tooLow)).body.error).toBe('AMOUNT_TOO_LOW');
  expect((await partner.post(fund, tooLow, form('guide'))).body.error).toMatchObject({
    code: 'AMOUNT_TOO_LOW',
    http_status: 422,
  });
});
