/**
 * Accepting a bank transfer, without Temporal (interface: POST /v1/transfers/bank; D13, D16, D55, D96, D135, D144,
 * D145).
 */
import { apiForFile, partnerForFile } from '../support/scene';
import { readMetrics } from '../support/prometheus';
import { send as sendTo } from '../support/send';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

let count = 0;
const ACCOUNT = { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' };
const request = (source: string, more: Record<string, unknown> = {}) => ({
  source_wallet: source,
  dest_account: ACCOUNT,
  amount: 100_000,
  reference: `bank-${(count += 1)}`,
  ...more,
});
const send = (body: unknown, headers: Record<string, string> = {}) =>
  partner.post('/v1/transfers/bank', body, headers);
const funded = () => partner.wallet({ fundKobo: 1_000_000 });

describe('an accepted transfer', () => {
  test('is answered 202 with a processing transaction, and the source is debited at once', async () => {
    const source = await funded();
    const answer = await send(request(source, { description: 'Rent', metadata: { month: 5 } }));
    expect(answer.status).toBe(202);
    const { id, created_at: createdAt, reference } = answer.body.data;
    expect(answer.body).toEqual({
      data: {
        id: expect.any(String),
        partner_id: partner.id,
        reference,
        type: 'bank_transfer',
        status: 'processing',
        amount: 100_000,
        currency: 'NGN',
        source_wallet: source,
        dest_wallet: null,
        source_account: null,
        dest_account: {
          ...ACCOUNT,
          bank_name: 'Guaranty Trust Bank',
          resolved_name: null,
          name_matches: null,
          on_name_mismatch: 'continue',
          name_decision: null,
          purpose: 'other',
        },
        split_config: null,
        fee_breakdown: {
          customerFee: 5_000,
          merchantFee: 0,
          platformFee: 5_000,
          mfbCost: 1_000,
          netAmount: 100_000,
        },
        mfb_reference: null,
        psp_reference: null,
        psp_meta: null,
        idempotency_key: null,
        description: 'Rent',
        metadata: { month: 5 },
        failed_reason: null,
        completed_at: null,
        created_at: createdAt,
        updated_at: createdAt,
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
    expect(await partner.balanceKobo(source)).toBe(895_000);
    const { body } = await partner.get(`/v1/wallets/${source}/ledger?limit=1`);
    expect(body.data[0]).toMatchObject({ transaction_id: id, direction: 'debit', amount: 105_000 });
  });

  test('in guide form has kobo, naira and the balance of the source', async () => {
    const source = await funded();
    const { status, body } = await send({
      source_wallet_id: source,
      dest_account: ACCOUNT,
      amount_kobo: 100_000,
      reference: 'guided bank transfer',
    });
    expect(status).toBe(202);
    expect(body.data).toMatchObject({
      status: 'processing',
      amount_kobo: 100_000,
      amount_naira: '1000.00',
      source_wallet: { id: source, balance_after_kobo: 895_000, balance_after_naira: '8950.00' },
      dest_wallet: null,
      dest_account: { ...ACCOUNT, bank_name: 'Guaranty Trust Bank' },
      fee_breakdown: {
        customer_fee_kobo: 5_000,
        customer_fee_naira: '50.00',
        merchant_fee_kobo: 0,
        platform_fee_kobo: 5_000,
        mfb_cost_kobo: 1_000,
        net_amount_kobo: 100_000,
      },
    });
    expect(body.data).not.toHaveProperty('amount');
  });

  test('is queued for its workflow in the same commit, and no event is sent yet', async () => {
    const source = await funded();
    const { body } = await send(request(source));
    const { id } = body.data;
    expect(
      await world.sql(
        `SELECT i.workflow_id, i.workflow_type, i.started_at, i.created_at = t.created_at AS together
           FROM ${SANDBOX_CELL}.workflow_intentions i JOIN ${SANDBOX_CELL}.transactions t ON t.id = i.resource_id
          WHERE t.id = $1`,
        [id],
      ),
    ).toEqual([
      { workflow_id: `bank-transfer/${id}`, workflow_type: 'bankTransfer', started_at: null, together: true },
    ]);
    expect(await world.sql(`SELECT 1 FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [id])).toEqual([]);
  });

  test.each([
    ['true', true],
    ['false', false],
    ['yes', false],
    [null, false],
  ])('X-Sandbox-Hold %s: paused is %s', async (header, paused) => {
    const headers: Record<string, string> = header === null ? {} : { 'X-Sandbox-Hold': header };
    const { body } = await send(request(await funded()), headers);
    expect(
      await world.sql(`SELECT paused FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [body.data.id]),
    ).toEqual([{ paused }]);
  });

  test.each([
    [{ 'X-Sandbox-Scenario': 'fail:57' }, '0123456789', 'fail:57'],
    [{ 'X-Sandbox-Scenario': 'success_after:300' }, '0123450808', 'success_after:300'],
    [{}, '0123450808', 'unknown_then_fail:5'],
    [{}, '0123450505', 'returned:5'],
    [{}, '0123450606', 'callback_twice'],
    [{}, '0123450707', 'callback_contradicts'],
    [{}, '0123456789', null],
  ])('%j to %s: the scenario is %s', async (headers, account_number, scenario) => {
    const dest_account = { ...ACCOUNT, account_number };
    const { body } = await send(request(await funded(), { dest_account }), headers);
    expect(
      await world.sql(`SELECT scenario FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [body.data.id]),
    ).toEqual([{ scenario }]);
  });

  test.each([
    ['returned:5', ['bank-transfer', 'simulator-callback']],
    ['callback_twice', ['bank-transfer', 'simulator-callback']],
    ['success_after:5', ['bank-transfer']],
  ])('asked for %s, the workflows that are intended are %j', async (scenario, kinds) => {
    const { body } = await send(request(await funded()), { 'X-Sandbox-Scenario': scenario });
    const intended = await world.sql(
      `SELECT workflow_id FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1 ORDER BY 1`,
      [body.data.id],
    );
    expect(intended.map(({ workflow_id: id }) => id)).toEqual(kinds.map((kind) => `${kind}/${body.data.id}`));
  });

  test('money is not sent back from a wallet of ours', async () => {
    const source = await funded();
    const dest_account = { ...ACCOUNT, bank_code: '50999' };
    const { status, body } = await send(request(source, { dest_account }), {
      'X-Sandbox-Scenario': 'returned:5',
    });
    expect([status, body.detail.fields]).toMatchObject([422, [{ field: 'X-Sandbox-Scenario' }]]);
    expect(await partner.balanceKobo(source)).toBe(1_000_000);
  });

  test('a repeat with another scenario is the same transfer', async () => {
    const asked = request(await funded());
    const first = await send(asked, { 'X-Sandbox-Scenario': 'fail:57' });
    const again = await send(asked, { 'X-Sandbox-Scenario': 'success_after:1' });
    expect(again.body.data.id).toBe(first.body.data.id);
  });

  test.each([
    'success_after',
    'success_after:301',
    'success_after:-1',
    'returned',
    'callback_twice:1',
    'fail:00',
    'fail:ZZ',
    'else:1',
    '',
  ])('a scenario that there is not, %s, is refused', async (text) => {
    const source = await funded();
    const { status, body } = await send(request(source), { 'X-Sandbox-Scenario': text });
    expect([status, body.detail.fields]).toMatchObject([422, [{ field: 'X-Sandbox-Scenario' }]]);
    expect(await partner.balanceKobo(source)).toBe(1_000_000);
  });

  test.each([
    [500_000, 1_000],
    [500_001, 2_500],
    [5_000_000, 2_500],
    [5_000_001, 5_000],
  ])('of %d kobo costs the flat fee, and the bank takes %d of it', async (amount, mfbCost) => {
    const source = await partner.wallet({ fundKobo: amount + 5_000 });
    const { status, body } = await send(request(source, { amount }));
    expect(status).toBe(202);
    expect(body.data.fee_breakdown).toMatchObject({ customerFee: 5_000, mfbCost, netAmount: amount });
    expect(await partner.balanceKobo(source)).toBe(0);
  });

  test.each([
    ['its code', '058', 'Guaranty Trust Bank'],
    ['its NIP code', '000013', 'Guaranty Trust Bank'],
    ['the sandbox bank', '50999', 'Sandbox Microfinance Bank'],
    ['the sandbox bank by its NIP code', '999509', 'Sandbox Microfinance Bank'],
  ])('may name the bank by %s', async (_what, bankCode, bankName) => {
    const { status, body } = await send(
      request(await funded(), { dest_account: { ...ACCOUNT, bank_code: bankCode } }),
    );
    expect(status).toBe(202);
    expect(body.data.dest_account).toMatchObject({ bank_code: bankCode, bank_name: bankName });
  });
});

describe('is refused', () => {
  const account = (more: object) => ({ dest_account: { ...ACCOUNT, ...more } });

  test.each<[what: string, code: string, more: Record<string, unknown>]>([
    ['without a destination', 'VALIDATION_ERROR', { dest_account: undefined }],
    ['with a destination that is text', 'VALIDATION_ERROR', { dest_account: '0123456789' }],
    ['with a destination that is a list', 'VALIDATION_ERROR', { dest_account: [ACCOUNT] }],
    ['without a bank code', 'VALIDATION_ERROR', account({ bank_code: undefined })],
    ['with a bank code that is a number', 'VALIDATION_ERROR', account({ bank_code: 58 })],
    ['with a bank code of two letters', 'VALIDATION_ERROR', account({ bank_code: '58' })],
    ['with a bank code of nine', 'VALIDATION_ERROR', account({ bank_code: '058058058' })],
    ['with a bank code with a blank', 'VALIDATION_ERROR', account({ bank_code: '05 8' })],
    ['with an account number of nine digits', 'VALIDATION_ERROR', account({ account_number: '012345678' })],
    ['with one of eleven', 'VALIDATION_ERROR', account({ account_number: '01234567890' })],
    ['with letters in it', 'VALIDATION_ERROR', account({ account_number: '01234s6789' })],
    ['with other digits than ASCII', 'VALIDATION_ERROR', account({ account_number: '٠١٢٣٤٥٦٧٨٩' })],
    ['without an account name', 'VALIDATION_ERROR', account({ account_name: undefined })],
    ['with an empty account name', 'VALIDATION_ERROR', account({ account_name: '' })],
    [
      'with an account name of 201 characters',
      'VALIDATION_ERROR',
      account({ account_name: 'x'.repeat(201) }),
    ],
    ['with an account name of two lines', 'VALIDATION_ERROR', account({ account_name: 'Ada\nObi' })],
    ['with an amount that is text', 'VALIDATION_ERROR', { amount: '100' }],
    ['with an amount whose fee passes the largest integer', 'VALIDATION_ERROR', { amount: 9007199254736000 }],
    ['with a bank that is not known', 'INVALID_BANK_CODE', account({ bank_code: '999' })],
    ['with a bank in other capitals', 'INVALID_BANK_CODE', account({ bank_code: 'XYZ123' })],
    ['with an amount of 0', 'AMOUNT_TOO_LOW', { amount: 0 }],
    [
      'with an unknown bank before an amount of 0',
      'INVALID_BANK_CODE',
      { ...account({ bank_code: '999' }), amount: 0 },
    ],
    [
      'with a malformed body before an unknown bank',
      'VALIDATION_ERROR',
      { ...account({ bank_code: '999' }), reference: '' },
    ],
  ])('%s: 422 %s in both forms, and nothing moves', async (_what, code, more) => {
    const source = await funded();
    const body = request(source, more);
    const { status, body: answer } = await send(body);
    expect({ status, code: answer.error }).toEqual({ status: 422, code });

    const { source_wallet: _source, amount, ...rest } = body as Record<string, unknown>;
    const guide = await send({ ...rest, source_wallet_id: source, amount_kobo: amount });
    expect(guide).toMatchObject({ status: 422, body: { error: { code, http_status: 422 } } });
    expect(await partner.balanceKobo(source)).toBe(1_000_000);
  });

  test.each([
    ['closed', 422, 'WALLET_CLOSED'],
    ['frozen', 422, 'WALLET_FROZEN'],
    ['pending', 422, 'WALLET_NOT_ACTIVE'],
  ] as const)('from a %s wallet, before its balance is looked at', async (state, status, code) => {
    const source = await partner.wallet({ status: state });
    expect(await send(request(source))).toMatchObject({ status, body: { error: code } });
  });

  test('from an absent or foreign wallet: 404 WALLET_NOT_FOUND', async () => {
    const foreign = await (await api.partner()).wallet({ fundKobo: 1_000_000 });
    for (const source of ['01980000-0000-7000-8000-00000000dead', foreign]) {
      expect(await send(request(source))).toMatchObject({ status: 404, body: { error: 'WALLET_NOT_FOUND' } });
    }
  });

  test('when the balance is one kobo below amount and fee: 422 with what there is and what it takes', async () => {
    const source = await partner.wallet({ fundKobo: 104_999 });
    const reference = 'one kobo short';
    expect(await send(request(source, { reference }))).toMatchObject({
      status: 422,
      body: { error: 'INSUFFICIENT_FUNDS', detail: { available_kobo: 104_999, required_kobo: 105_000 } },
    });
    expect(await partner.balanceKobo(source)).toBe(104_999);
    await partner.post(`/sandbox/wallets/${source}/fund`, { amount_kobo: 1 });
    expect((await send(request(source, { reference }))).status).toBe(202);
  });

  test('when its reference was used for another transfer: 409 with the transaction', async () => {
    const source = await funded();
    const first = request(source, { reference: 'used by a bank transfer' });
    const { body } = await send(first);
    const different = [
      { ...first, amount: 100_001 },
      { ...first, dest_account: { ...ACCOUNT, account_number: '0123456780' } },
      { ...first, dest_account: { ...ACCOUNT, bank_code: '044' } },
      { ...first, source_wallet: await funded() },
    ];
    for (const other of different) {
      expect(await send(other)).toMatchObject({
        status: 409,
        body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: body.data.id } },
      });
    }
    expect(await partner.balanceKobo(source)).toBe(895_000);
  });
});

test('a transfer whose names do not open is answered 500 and counted, and never shown without them', async () => {
  const source = await funded();
  const { id } = (await send(request(source))).body.data;
  const kept = await world.sql(
    `UPDATE ${SANDBOX_CELL}.transactions t SET account_name_sealed = 'v2.of-a-lost-key' FROM ${SANDBOX_CELL}.transactions was
      WHERE t.id = $1 AND was.id = t.id RETURNING was.account_name_sealed AS name`,
    [id],
  );
  const unopened = async (): Promise<number> => {
    const { text } = await sendTo(`http://127.0.0.1:${api.operatorPort}/metrics`, 'GET');
    return readMetrics(text).find(
      ({ name, labels }) => name === 'seals_unopened_total' && labels['environment'] === 'sandbox',
    )!.value;
  };
  const before = await unopened();
  for (const path of [`/v1/transactions/${id}`, `/v1/wallets/${source}/transactions`, '/v1/transactions']) {
    const { status, text } = await partner.get(path);
    expect([path, status]).toEqual([path, 500]);
    expect(text).not.toContain(ACCOUNT.account_number);
  }
  expect(await unopened()).toBe(before + 3);
  await world.sql(`UPDATE ${SANDBOX_CELL}.transactions SET account_name_sealed = $2 WHERE id = $1`, [
    id,
    kept[0]!['name'],
  ]);
  expect((await partner.get(`/v1/transactions/${id}`)).body.data.dest_account.account_name).toBe('Ada Obi');
});

describe('the account of the wallet that pays (D161)', () => {
  const accountOf = async (walletId: string) => {
    const { account_number, account_name } = (await partner.get(`/v1/wallets/${walletId}`)).body.data.wallet;
    return { bank_code: '50999', account_number, account_name };
  };

  test.each(['50999', '999509'])(
    'is no destination under the code %s: SAME_WALLET_TRANSFER',
    async (bank_code) => {
      const source = await funded();
      const dest_account = { ...(await accountOf(source)), bank_code };
      const refused = { status: 422, body: { error: 'SAME_WALLET_TRANSFER' } };
      expect(await send(request(source, { dest_account }))).toMatchObject(refused);
      const schedule = { ...request(source, { dest_account }), due_at: '2030-01-31T09:00:00+01:00' };
      expect(await partner.post('/v1/transfers/scheduled', schedule)).toMatchObject(refused);
      const { account_name: _name, ...account } = dest_account;
      const asked = { type: 'bank_transfer', source_wallet: source, dest_account: account, amount: 100_000 };
      expect(await partner.post('/v1/quotes', asked)).toMatchObject(refused);
      expect(await partner.balanceKobo(source)).toBe(1_000_000);
    },
  );

  test('with an amount of 0 is AMOUNT_TOO_LOW', async () => {
    const source = await funded();
    const asked = request(source, { dest_account: await accountOf(source), amount: 0 });
    expect((await send(asked)).body.error).toBe('AMOUNT_TOO_LOW');
  });

  test('of another wallet, and the same number at another bank, are destinations', async () => {
    const source = await funded();
    const other = await accountOf(await partner.wallet());
    expect((await send(request(source, { dest_account: other }))).status).toBe(202);
    const elsewhere = { ...(await accountOf(source)), bank_code: '058' };
    expect((await send(request(source, { dest_account: elsewhere }))).status).toBe(202);
  });

  test('says nothing about wallets of others', async () => {
    const foreign = await (await api.partner()).wallet();
    const rows = await world.sql(`SELECT account_number FROM ${SANDBOX_CELL}.wallets WHERE id = $1`, [
      foreign,
    ]);
    const dest_account = { ...ACCOUNT, bank_code: '50999', account_number: rows[0]?.['account_number'] };
    expect((await send(request(foreign, { dest_account }))).body.error).toBe('WALLET_NOT_FOUND');
  });
});
