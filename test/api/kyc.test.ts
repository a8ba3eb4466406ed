/**
 * Submitting BVNs and NINs, and reading the status of the verifications (interface: KYC; D22, D49, D81-D84, D131,
 * D136, D148).
 */
import { createSealing } from '../../src/secrets/sealing';
import type { Answer } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { REHEARSAL, TEST_SECRETS } from '../support/settings';
import { requestText, sendRaw } from '../support/sockets';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
const stranger = partnerForFile(api);

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NUMBER = '22222222222';

const submit = (type: 'bvn' | 'nin', userRef: string, number = NUMBER, by = partner): Promise<Answer> =>
  by.post(`/v1/kyc/${type}`, { user_ref: userRef, [type]: number });
const submitted = async (...args: Parameters<typeof submit>): Promise<string> =>
  (await submit(...args)).body.data.verification_id;
const statusOf = (userRef: string, by = partner): Promise<Answer> =>
  by.get(`/v1/kyc/${encodeURIComponent(userRef)}/status`);
const rowsOf = (userRef: string) =>
  world.sql(`SELECT * FROM ${SANDBOX_CELL}.verifications WHERE user_ref = $1 ORDER BY id`, [userRef]);
const conclude = (id: string) =>
  world.sql(
    `UPDATE ${SANDBOX_CELL}.verifications SET status = 'verified', verified_at = now() WHERE id = $1`,
    [id],
  );

describe.each(['bvn', 'nin'] as const)('POST /v1/kyc/%s', (type) => {
  const path = `/v1/kyc/${type}`;
  const user = (name: string) => `${type}-${name}`;

  test('answers 202 with the id of a pending verification, for a user without a wallet too', async () => {
    const answer = await submit(type, user('ada'));
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      data: { verification_id: expect.stringMatching(UUID), status: 'pending' },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('writes the verification with the intention to carry it out, in one commit', async () => {
    const id = await submitted(type, user('queued'));
    const rows = await world.sql(
      `SELECT v.status, v.type, v.subject, v.partner_id, i.workflow_id, i.workflow_type, i.input,
              i.created_at = v.created_at AS together
         FROM ${SANDBOX_CELL}.verifications v
         JOIN ${SANDBOX_CELL}.workflow_intentions i ON i.resource_id = v.id WHERE v.id = $1`,
      [id],
    );
    expect(rows).toEqual([
      {
        status: 'pending',
        type,
        subject: 'end_user',
        partner_id: partner.id,
        workflow_id: `kyc/${id}`,
        workflow_type: 'kycVerification',
        input: { partnerId: partner.id, verificationId: id, giveUpAfterMs: 86_400_000, epoch: 0 },
        together: true,
      },
    ]);
  });

  test('keeps the number sealed for its own row, and indexed', async () => {
    const id = await submitted(type, user('sealed'));
    const [row] = await rowsOf(user('sealed'));
    expect(JSON.stringify(row)).not.toContain(NUMBER);
    const sealing = createSealing(TEST_SECRETS.DATA_KEY_SANDBOX);
    expect(sealing.open(row!['number_sealed'], `verifications.number/${partner.id}/${id}`)).toBe(NUMBER);
    expect(row!['number_index']).toMatch(/^[\w-]{8}\.[\w-]{43}$/);
    expect(row!['expected_name_sealed']).toBeNull();
  });

  test.each<[string, Record<string, unknown>, string | null]>([
    ['first and last name', { first_name: 'Ada', last_name: 'Obi' }, 'Ada Obi'],
    ['no last name', { first_name: 'Ada' }, null],
    ['an account name, which may be a shop’s', { account_name: 'Ada Stores' }, null],
  ])('of a user whose wallet has %s expects the name %#', async (what, metadata, expected) => {
    const userRef = user(what);
    await partner.wallet({ userRef, metadata });
    const id = await submitted(type, userRef);
    const [row] = await rowsOf(userRef);
    const sealed: string | null = row!['expected_name_sealed'];
    const place = `verifications.expected_name/${partner.id}/${id}`;
    const sealing = createSealing(TEST_SECRETS.DATA_KEY_SANDBOX);
    expect(sealed === null ? null : sealing.open(sealed, place)).toBe(expected);
  });

  describe('the same number again', () => {
    test('while it is pending is the same verification', async () => {
      const first = await submitted(type, user('again'));
      const again = await submit(type, user('again'));
      expect(again).toMatchObject({ status: 202, body: { data: { verification_id: first } } });
      expect(await rowsOf(user('again'))).toHaveLength(1);
    });

    test('twenty times at once is one verification, with one intention', async () => {
      const ids = await Promise.all(Array.from({ length: 20 }, () => submitted(type, user('at-once'))));
      expect(new Set(ids).size).toBe(1);
      const intentions = await world.sql(
        `SELECT FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`,
        [ids[0]],
      );
      expect([await rowsOf(user('at-once')), intentions].map((rows) => rows.length)).toEqual([1, 1]);
    });

    test('after it has ended is a new verification, and the old one stays', async () => {
      const first = await submitted(type, user('ended'));
      await conclude(first);
      const second = await submitted(type, user('ended'));
      expect(second).not.toBe(first);
      expect((await rowsOf(user('ended'))).map((row) => row['id'])).toEqual([first, second]);
    });

    test.each<[string, (first: string) => Promise<string>]>([
      ['another number of the same user', () => submitted(type, user('same'), '33333333333')],
      ['the same number of another user', () => submitted(type, user('other'))],
      ['the same digits of the other kind', () => submitted(type === 'bvn' ? 'nin' : 'bvn', user('same'))],
      ['the same user_ref of another partner', () => submitted(type, user('same'), NUMBER, stranger)],
      ['the user_ref in another case', () => submitted(type, user('SAME'))],
    ])('%s is another verification', async (_what, other) => {
      const first = await submitted(type, user('same'));
      expect(await other(first)).not.toBe(first);
    });
  });

  test('an Idempotency-Key does not count here', async () => {
    const key = { 'Idempotency-Key': 'kyc-1' };
    const answers = [
      await partner.post(path, { user_ref: user('k1'), [type]: NUMBER }, key),
      await partner.post(path, { user_ref: user('k2'), [type]: NUMBER }, key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 202]);
    expect(new Set(answers.map(({ body }) => body.data.verification_id)).size).toBe(2);
  });

  test.each<[string, unknown]>([
    ['10 digits', '2222222222'],
    ['12 digits', '222222222222'],
    ['letters', '2222222222a'],
    ['an integer', 22222222222],
    ['Unicode digits', '٢٢٢٢٢٢٢٢٢٢٢'],
    ['a line end', `${NUMBER}\n`],
    ['nothing', undefined],
    ['null', null],
  ])('refuses a number of %s: 422, in both forms, and never repeats it', async (_what, number) => {
    const body = { user_ref: user('refused'), [type]: number };
    const reference = await partner.post(path, body);
    const guide = await partner.post(path, body, { 'X-Response-Form': 'guide' });
    expect(reference).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(guide).toMatchObject({
      status: 422,
      body: { error: { code: 'VALIDATION_ERROR', http_status: 422 } },
    });
    expect(reference.text + guide.text).not.toContain('222222222');
    expect(await rowsOf(user('refused'))).toEqual([]);
  });

  test.each<[unknown]>([
    [undefined],
    [null],
    [''],
    ['   '],
    [1],
    [[]],
    [{}],
    [true],
    [' ada'],
    ['__x'],
    ['a\u0000'],
  ])('refuses the user_ref %j: 422', async (userRef) => {
    const answer = await partner.post(path, { user_ref: userRef, [type]: NUMBER });
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toMatch(/^user_ref: /);
    expect(answer.text).not.toContain(NUMBER);
  });

  test.each(['{', '', 'null', `"${NUMBER}"`, '[]', `{"user_ref":"ada","${type}":"${NUMBER}"`])(
    'refuses the body %j: 422, without repeating it',
    async (body) => {
      const answer = await partner.post(path, body);
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
      expect(answer.text).not.toContain(NUMBER);
    },
  );
});

describe('GET /v1/kyc/{userRef}/status', () => {
  test('shows pending verifications with null for what is not known yet', async () => {
    const id = await submitted('bvn', 'pending-one');
    const { status, body, headers } = await statusOf('pending-one');
    expect(status).toBe(200);
    const [{ created_at: createdAt, ...rest }] = body.data.verifications;
    expect(new Date(createdAt).toISOString()).toBe(createdAt);
    expect({ ...body, data: { ...body.data, verifications: [rest] } }).toEqual({
      data: {
        user_ref: 'pending-one',
        verifications: [
          { verification_id: id, type: 'bvn', status: 'pending', verified_at: null, failure_reason: null },
        ],
      },
      meta: { request_id: headers.get('X-Request-Id') },
    });
  });

  test('lists all of one user, newest first, those that ended too', async () => {
    const ids: string[] = [];
    for (const [type, number] of [
      ['bvn', NUMBER],
      ['nin', NUMBER],
      ['bvn', '33333333333'],
    ] as const) {
      ids.unshift(await submitted(type, 'history', number));
    }
    await conclude(ids[2]!);
    const { verifications } = (await statusOf('history')).body.data;
    expect(verifications.map((one: { verification_id: string }) => one.verification_id)).toEqual(ids);
    expect(verifications[2]).toMatchObject({
      status: 'verified',
      verified_at: expect.stringMatching(/Z$/),
      failure_reason: null,
    });
  });

  test('never shows a number, not even in part', async () => {
    await submitted('bvn', 'hidden', '12345678901');
    const { text } = await statusOf('hidden');
    for (const part of ['1234', '5678', '8901', '***']) expect(text).not.toContain(part);
  });

  test.each(['active', 'pending', 'closed'] as const)(
    'is empty, not absent, for a wallet that is %s',
    async (status) => {
      await partner.wallet({ userRef: `wallet-${status}`, status });
      expect(await statusOf(`wallet-${status}`)).toMatchObject({
        status: 200,
        body: { data: { user_ref: `wallet-${status}`, verifications: [] } },
      });
    },
  );

  test.each(['a/b', 'a..b', 'é ☕', '100%', "' OR 1=1--", 'a?b#c', '{{7*7}}'])(
    'finds the user_ref %j, URL-encoded',
    async (userRef) => {
      const id = await submitted('nin', userRef);
      expect(await statusOf(userRef)).toMatchObject({
        status: 200,
        body: { data: { user_ref: userRef, verifications: [{ verification_id: id }] } },
      });
    },
  );

  describe('is 404 NOT_FOUND, which only the address decides', () => {
    const at = (userRefAsSent: string) =>
      sendRaw(
        api.port,
        requestText('GET', `/v1/kyc/${userRefAsSent}/status`, [['Authorization', `Bearer ${partner.key}`]]),
      );

    test.each([
      ['a user_ref that nobody has', 'nobody', 'not_found'],
      ['another case', 'PENDING-ONE', 'not_found'],
      ['a slash', '%2F', 'not_found'],
      ['a slash at its end', 'pending-one%2F', 'not_found'],
      ['two dots', '..', 'malformed_id'],
      ['two dots, escaped', '%2e%2e', 'malformed_id'],
      ['NUL', '%00', 'malformed_id'],
      ['a line end', 'pending-one%0A', 'malformed_id'],
      ['half an escape', '%', 'malformed_id'],
      ['an escape that is no UTF-8', '%E0%A4%A', 'malformed_id'],
      ['a space', '%20', 'malformed_id'],
      ['the settlement wallet', '__settlement__', 'malformed_id'],
      ['10 kB', 'x'.repeat(10_000), 'malformed_id'],
    ])('for %s', async (_what, userRef, reason) => {
      const { status, body } = await at(userRef);
      const absent = await at(reason === 'not_found' ? 'nobody-at-all' : '%01');
      expect(status).toBe(404);
      const { meta, ...rest } = body;
      expect(meta.request_id).toMatch(/^req_/);
      expect(rest).toEqual({ error: 'NOT_FOUND', message: absent.body.message, detail: { reason } });
    });

    test('for another partner’s user, with or without a wallet', async () => {
      await submitted('bvn', 'theirs', NUMBER, stranger);
      await stranger.wallet({ userRef: 'theirs-too' });
      for (const userRef of ['theirs', 'theirs-too']) {
        expect((await statusOf(userRef, stranger)).status).toBe(200);
        expect(await statusOf(userRef)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      }
    });
  });
});

describe('in live', () => {
  const count = async () =>
    (
      await world.sql(`SELECT (SELECT count(*) FROM ${LIVE_CELL}.verifications) AS verifications,
                              (SELECT count(*) FROM ${LIVE_CELL}.workflow_intentions) AS intentions`)
    )[0];

  describe.each(['bvn', 'nin'] as const)('POST /v1/kyc/%s', (type) => {
    test.each(['registered', 'pending_review', 'suspended'] as const)(
      'of a partner that is %s: 403 PARTNER_NOT_ACTIVE, whatever the body',
      async (status) => {
        const live = await api.partner({ environment: 'live', status });
        for (const body of ['{', { user_ref: 'ada', [type]: NUMBER }]) {
          expect(await live.post(`/v1/kyc/${type}`, body)).toMatchObject({
            status: 403,
            body: { error: 'PARTNER_NOT_ACTIVE' },
          });
        }
      },
    );

    test('without an identity provider: 503 with Retry-After, and nothing is written', async () => {
      const live = await api.partner({ environment: 'live', status: 'active' });
      const before = await count();
      const answer = await submit(type, 'ada', NUMBER, live);
      expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThanOrEqual(1);
      expect(await count()).toEqual(before);
      expect((await statusOf('ada', live)).status).toBe(404);
    });

    test('without an identity provider a bad body is still a bad body', async () => {
      const live = await api.partner({ environment: 'live', status: 'active' });
      expect((await submit(type, 'ada', '1', live)).status).toBe(422);
    });

    test('with the simulator behind it: 202, and unknown in the sandbox', async () => {
      const rehearsal = await world.startApi(REHEARSAL);
      const live = await rehearsal.partner({ environment: 'live', status: 'active' });
      const sandbox = await rehearsal.partner({ id: live.id });
      expect((await submit(type, 'crossing', NUMBER, live)).status).toBe(202);
      expect((await statusOf('crossing', live)).status).toBe(200);
      expect((await statusOf('crossing', sandbox)).status).toBe(404);
    });
  });

  test('a suspended partner may read', async () => {
    const live = await api.partner({ environment: 'live', status: 'suspended' });
    await live.wallet({ userRef: 'before' });
    expect((await statusOf('before', live)).status).toBe(200);
  });
});

describe('the consent of the customer', () => {
  const CONSENT = {
    given_at: '2026-11-20T10:15:00.000+01:00',
    text_version: 'privacy-2026-03',
    channel: 'mobile_app',
  };
  const told = (userRef: string, consent?: unknown): Promise<Answer> =>
    partner.post('/v1/kyc/bvn', {
      user_ref: userRef,
      bvn: NUMBER,
      ...(consent !== undefined && { consent }),
    });
  const keptOf = (userRef: string) =>
    world.sql(
      `SELECT c.basis, c.given_at, c.text_version, c.channel, c.request_id, c.recorded_at = v.created_at AS together
         FROM ${SANDBOX_CELL}.consents c JOIN ${SANDBOX_CELL}.verifications v ON v.id = c.verification_id
        WHERE v.user_ref = $1 ORDER BY c.id`,
      [userRef],
    );

  test('is kept with the verification and the id of its request, and without one the partner’s word is', async () => {
    const [without, withOne] = [await told('agreed'), await told('agreed', CONSENT)];
    expect([without.status, withOne.status]).toEqual([202, 202]);
    // The number is under way, so both are one verification.
    expect(withOne.body.data).toEqual(without.body.data);
    expect(await keptOf('agreed')).toEqual([
      {
        basis: 'partner_agreement',
        given_at: null,
        text_version: null,
        channel: null,
        request_id: without.body.meta.request_id,
        together: true,
      },
      {
        basis: 'customer',
        given_at: new Date(CONSENT.given_at),
        text_version: CONSENT.text_version,
        channel: CONSENT.channel,
        request_id: withOne.body.meta.request_id,
        together: false,
      },
    ]);
  });

  test('reaches no workflow, no event and no kept answer', async () => {
    await told('quiet', CONSENT);
    const [found] = await world.sql(
      `SELECT (SELECT count(*) FROM ${SANDBOX_CELL}.workflow_intentions i WHERE i::text LIKE '%mobile_app%')
            + (SELECT count(*) FROM ${SANDBOX_CELL}.events e WHERE e::text LIKE '%mobile_app%')
            + (SELECT count(*) FROM ${SANDBOX_CELL}.idempotency_keys k WHERE k::text LIKE '%mobile_app%') AS rows`,
    );
    expect(Number(found?.['rows'])).toBe(0);
  });

  test('is shown to operators, in what is known of a person', async () => {
    const walletId = await partner.wallet({ userRef: 'shown' });
    await told('shown', CONSENT);
    const operator = await api.operator();
    const answer = await operator.get(
      `/ops/sandbox/partners/${partner.id}/wallets/${walletId}/person?reason=Request%2017`,
    );
    expect(answer).toMatchObject({
      status: 200,
      body: {
        data: {
          wallet: { id: walletId, user_ref: 'shown' },
          verifications: [
            {
              type: 'bvn',
              status: 'pending',
              consents: [
                {
                  basis: 'customer',
                  given_at: '2026-11-20T09:15:00.000Z',
                  text_version: 'privacy-2026-03',
                  channel: 'mobile_app',
                },
              ],
            },
          ],
        },
      },
    });
    expect(answer.text).not.toContain(NUMBER);
  });

  test.each<[string, unknown, string]>([
    ['a text', 'yes', 'consent: must be an object'],
    ['without a time', { ...CONSENT, given_at: undefined }, 'consent.given_at: is required'],
    [
      'of a time without a zone',
      { ...CONSENT, given_at: '2026-11-20T10:15:00' },
      'consent.given_at: must be a time with its zone',
    ],
    [
      'of the future',
      { ...CONSENT, given_at: '2999-01-01T00:00:00Z' },
      'consent.given_at: must not be in the future',
    ],
    [
      'in which a name is written',
      { ...CONSENT, channel: 'Ada Obi' },
      'consent.channel: must have 1 to 64 letters, digits, dots, hyphens or underscores',
    ],
  ])('%s is refused, and nothing is kept', async (what, consent, message) => {
    expect(await told(`refused ${what}`, consent)).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR', message },
    });
    expect(await rowsOf(`refused ${what}`)).toEqual([]);
  });

  test('null is none', async () => {
    expect((await told('null', null)).status).toBe(202);
    expect(await keptOf('null')).toMatchObject([{ basis: 'partner_agreement' }]);
  });
});

test('one who walks through numbers is refused, and everything else goes on', async () => {
  const limited = await world.startApi({ RATE_LIMIT_VERIFICATION: '3' });
  const [walker, neighbour] = [(await api.partner()).at(limited), (await api.partner()).at(limited)];
  const walk = (by: typeof walker, number: number) =>
    by.post(number % 2 === 0 ? '/v1/kyc/bvn' : '/v1/kyc/nin', {
      user_ref: `walked-${String(number)}`,
      [number % 2 === 0 ? 'bvn' : 'nin']: String(22_222_222_220 + number),
    });
  const answers = [];
  for (let number = 0; number < 10; number++) answers.push(await walk(walker, number));
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body).toMatchObject({
    error: 'RATE_LIMIT_EXCEEDED',
    message: expect.stringMatching(/BVNs and NINs/),
  });
  expect(Number(refused?.headers.get('Retry-After'))).toBeGreaterThan(0);
  expect((await walker.get('/v1/wallets')).status).toBe(200);
  expect((await walk(neighbour, 0)).status).toBe(202);
});
