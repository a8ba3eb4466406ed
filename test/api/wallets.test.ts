/** Creating and reading wallets (interface: Wallets; D6, D10, D11, D48-D50, D132, D142, D152). */
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const stranger = partnerForFile(api);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const create = (body: unknown, headers: Record<string, string> = {}) =>
  partner.post('/v1/wallets', body, headers);

describe('POST /v1/wallets', () => {
  test('answers 202 with a pending wallet whose account fields are empty', async () => {
    const answer = await create({ user_ref: 'ada', metadata: { tier: 1, names: ['Ada', 'Obi'] } });
    expect(answer.status).toBe(202);
    const { id, created_at: createdAt, ...rest } = answer.body.data;
    expect(id).toMatch(UUID);
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect(rest).toEqual({
      partner_id: partner.id,
      user_ref: 'ada',
      currency: 'NGN',
      status: 'pending',
      account_number: '',
      account_name: '',
      bank_code: '',
      bank_name: '',
      mfb_reference: '',
      account_status: 'provisioning',
      metadata: { tier: 1, names: ['Ada', 'Obi'] },
      updated_at: createdAt,
    });
    expect(answer.body.meta).toEqual({ request_id: answer.headers.get('X-Request-Id') });
    expect(Object.keys(answer.body)).toEqual(['data', 'meta']);
  });

  test('queues the provisioning in the same commit', async () => {
    const { body } = await create({ user_ref: 'queued' });
    const rows = await world.sql(
      `SELECT workflow_id, workflow_type, started_at, (i.created_at = w.created_at) AS together
         FROM ${SANDBOX_CELL}.workflow_intentions i JOIN ${SANDBOX_CELL}.wallets w ON w.id = i.resource_id WHERE w.id = $1`,
      [body.data.id],
    );
    expect(rows).toMatchObject([
      {
        workflow_id: `wallet/${body.data.id}`,
        workflow_type: 'walletProvisioning',
        started_at: null,
        together: true,
      },
    ]);
  });

  test('in quickstart form has PascalCase names', async () => {
    const { status, body } = await create({ userRef: 'Q' }, { 'X-Response-Form': 'quickstart' });
    expect(status).toBe(202);
    expect(Object.keys(body.data)).toEqual(
      (
        'ID PartnerID UserRef Currency Status AccountNumber AccountName BankCode BankName MFBReference ' +
        'AccountStatus Metadata CreatedAt UpdatedAt'
      ).split(' '),
    );
    expect(body.data).toMatchObject({ UserRef: 'Q', Status: 'pending', AccountNumber: '', Currency: 'NGN' });
  });

  test.each<[what: string, body: Record<string, unknown>]>([
    ['user_ref', { user_ref: 'named once' }],
    ['its alias userRef', { userRef: 'named by alias' }],
    ['both, agreeing', { user_ref: 'named twice', userRef: 'named twice' }],
    ['both, one of them null', { user_ref: null, userRef: 'the other is null' }],
    ['128 characters', { user_ref: 'x'.repeat(128) }],
    ['128 characters beyond the basic plane', { user_ref: '🦁'.repeat(128) }],
    ['spaces inside, accents, an apostrophe', { user_ref: "Ọlá d'Ìbàdàn 7%" }],
    ['capitals, which make another owner', { user_ref: 'NAMED ONCE' }],
    ['currency NGN', { user_ref: 'naira', currency: 'NGN' }],
    ['null for what is optional', { user_ref: 'nulls', currency: null, metadata: null }],
    ['an unknown field', { user_ref: 'extra', status: 'active', balance_kobo: 5, id: 'mine' }],
  ])('accepts %s', async (_what, body) => {
    const { status, body: answer } = await create(body);
    expect(status).toBe(202);
    expect(answer.data).toMatchObject({
      user_ref: body['user_ref'] ?? body['userRef'],
      status: 'pending',
      currency: 'NGN',
      metadata: {},
    });
  });

  test.each([
    ['no user_ref', {}, 'user_ref'],
    ['a null user_ref', { user_ref: null }, 'user_ref'],
    ['an empty one', { user_ref: '' }, 'user_ref'],
    ['a number', { user_ref: 7 }, 'user_ref'],
    ['an object', { user_ref: {} }, 'user_ref'],
    ['a number under the alias, named as it was sent', { userRef: 7 }, 'userRef'],
    ['a contradiction of the two names', { user_ref: 'one', userRef: 'other' }, 'user_ref'],
    ['129 characters', { user_ref: 'x'.repeat(129) }, 'user_ref'],
    ['a leading space', { user_ref: ' ada' }, 'user_ref'],
    ['a trailing space', { user_ref: 'ada ' }, 'user_ref'],
    ['a newline', { user_ref: 'ada\nobi' }, 'user_ref'],
    ['a NUL', { user_ref: 'ada\u0000' }, 'user_ref'],
    ['an invisible character', { user_ref: 'ada\u200bobi' }, 'user_ref'],
    ['a direction mark', { user_ref: 'ada\u202eobi' }, 'user_ref'],
    ['half a surrogate pair', '{"user_ref":"ada\\ud800"}', 'user_ref'],
    ['a name that the platform keeps for itself', { user_ref: '__settlement__' }, 'user_ref'],
    ['another currency', { user_ref: 'usd', currency: 'USD' }, 'currency'],
    ['the currency in small letters', { user_ref: 'ngn', currency: 'ngn' }, 'currency'],
    ['metadata that is a list', { user_ref: 'list', metadata: [] }, 'metadata'],
    ['metadata that is text', { user_ref: 'text', metadata: '{}' }, 'metadata'],
  ])('refuses %s: 422 VALIDATION_ERROR naming the field', async (_what, body, field) => {
    const answer = await create(body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(field);
  });

  test('a second wallet for a user_ref: 409 with the id of the first, also after it was closed', async () => {
    const { body: first } = await create({ user_ref: 'taken' });
    const again = await create({ user_ref: 'taken', metadata: { other: true } });
    expect(again).toMatchObject({
      status: 409,
      body: { error: 'WALLET_ALREADY_EXISTS', detail: { wallet_id: first.data.id } },
    });
    await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = $1`, [first.data.id]);
    expect((await create({ userRef: 'taken' })).status).toBe(409);
    expect((await stranger.post('/v1/wallets', { user_ref: 'taken' })).status).toBe(202);
  });

  test('of twenty at once for one user_ref one is created, the others are told its id', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ user_ref: 'raced' })));
    const created = answers.filter(({ status }) => status === 202);
    expect(created).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== created[0])) {
      expect(answer.status).toBe(409);
      expect(answer.body.detail).toEqual({ wallet_id: created[0]!.body.data.id });
    }
  });
});

describe('metadata', () => {
  const sized = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
  const deep = (levels: number): object => (levels === 1 ? {} : { a: deep(levels - 1) });

  test.each([
    ['16,384 bytes', () => sized(16_384), 202],
    ['16,385 bytes', () => sized(16_385), 422],
    ['16,384 bytes of two-byte letters', () => ({ a: 'é'.repeat(8_188) }), 202],
    ['two bytes more of them', () => ({ a: 'é'.repeat(8_189) }), 422],
    ['20 levels', () => deep(20), 202],
    ['21 levels', () => deep(21), 422],
    ['newlines and tabs', () => ({ note: 'one\n\ttwo' }), 202],
    ['a NUL in a text', () => ({ note: 'a\u0000' }), 422],
    ['a NUL in a key', () => ({ 'a\u0000': 1 }), 422],
    ['a NUL inside a list', () => ({ list: [['a\u0000']] }), 422],
    ['numbers, booleans, nulls and lists', () => ({ a: [1.5, true, null, { b: [] }] }), 202],
  ])('%s', async (what, metadata, status) => {
    const answer = await create({ user_ref: `metadata: ${what}`, metadata: metadata() });
    expect(answer.status).toBe(status);
    if (status === 202) {
      const read = await partner.get(`/v1/wallets/${answer.body.data.id}`);
      expect(read.body.data.wallet.metadata).toEqual(metadata());
    }
  });
});

describe('GET /v1/wallets/{id}', () => {
  test('shows the wallet with its balance in kobo and naira', async () => {
    const id = await partner.wallet({ userRef: 'funded', fundKobo: 123_450 });
    const { status, body } = await partner.get(`/v1/wallets/${id}`);
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual(['wallet', 'balance_kobo', 'balance_naira', 'available_kobo']);
    expect(body.data).toMatchObject({
      balance_kobo: 123_450,
      balance_naira: '1234.50',
      wallet: {
        id,
        status: 'active',
        account_status: 'active',
        account_number: expect.stringMatching(/^[0-9]{10}$/),
        account_name: expect.stringMatching(/^ACME FINTECH\/[0-9]{6}$/),
        bank_code: '50999',
        bank_name: 'Sandbox Microfinance Bank',
        mfb_reference: expect.stringMatching(/.+/),
      },
    });
  });

  test.each([
    ['pending', 'provisioning'],
    ['active', 'active'],
    ['frozen', 'suspended'],
    ['closed', 'closed'],
  ] as const)('a %s wallet has an account that is %s', async (status, accountStatus) => {
    const id = await partner.wallet({ status });
    const { body } = await partner.get(`/v1/wallets/${id}`);
    expect(body.data.wallet).toMatchObject({ status, account_status: accountStatus });
    expect(body.data).toMatchObject({ balance_kobo: 0, balance_naira: '0.00' });
  });

  test('in quickstart form only the fields of the inner wallet change their names', async () => {
    const id = await partner.wallet();
    const { body } = await partner.get(`/v1/wallets/${id}`, { 'X-Response-Form': 'quickstart' });
    expect(Object.keys(body.data)).toEqual(['wallet', 'balance_kobo', 'balance_naira', 'available_kobo']);
    expect(body.data.wallet).toMatchObject({ ID: id, Status: 'active', MFBReference: expect.any(String) });
  });

  test('an id may be in capitals or carry the prefix of a guide', async () => {
    const id = await partner.wallet();
    for (const spelled of [id.toUpperCase(), `wlt_${id}`]) {
      expect((await partner.get(`/v1/wallets/${spelled}`)).body.data.wallet.id).toBe(id);
    }
  });

  test('an absent and a foreign id cannot be told apart, and a malformed one only says so', async () => {
    const foreign = await stranger.wallet();
    const absent = '01980000-0000-7000-8000-00000000dead';
    const malformed = ['x', `${absent}0`, absent.replaceAll('-', ''), '%27%20OR%201=1--', '%00', '..%2f..'];
    const answers = await Promise.all(
      [foreign, absent, ...malformed].map((id) => partner.get(`/v1/wallets/${id}`)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 404));
    const bytes = answers.map(({ text }) => text.replace(/req_[0-9a-f]+/, ''));
    expect(bytes[0]).toBe(bytes[1]);
    expect(new Set(bytes.slice(2)).size).toBe(1);
    expect([answers[0]!, answers[2]!].map(({ body }) => [body.error, body.detail])).toEqual([
      ['NOT_FOUND', { reason: 'not_found' }],
      ['NOT_FOUND', { reason: 'malformed_id' }],
    ]);
  });
});
