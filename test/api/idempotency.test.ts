/** The Idempotency-Key (interface: Conventions; D44, D130, D131, D135, D167). */
import type { Answer } from '../support/api';
import { apiForFile, partnerForFile } from '../support/scene';
import { requestText, sendRaw } from '../support/sockets';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let dest: string;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 100_000_000 });
  dest = await partner.wallet();
});

let count = 0;
const fresh = (): string => `used-once-${(count += 1)}`;
const keyed = (key: string, more: Record<string, string> = {}) => ({ 'Idempotency-Key': key, ...more });
const p2p = (more: Record<string, unknown> = {}) => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 100,
  reference: fresh(),
  ...more,
});
const bank = (more: Record<string, unknown> = {}) => ({
  source_wallet: source,
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
  amount: 100,
  reference: fresh(),
  ...more,
});
const send = (body: unknown, key: string, more?: Record<string, string>) =>
  partner.post('/v1/transfers/p2p', body, keyed(key, more));

const OPERATIONS: [
  path: () => string,
  body: () => Record<string, unknown>,
  change: Record<string, unknown>,
][] = [
  [() => '/v1/wallets', () => ({ user_ref: fresh() }), { metadata: { a: 1 } }],
  [() => '/v1/transfers/p2p', p2p, { amount: 101 }],
  [() => '/v1/transfers/bank', bank, { description: 'other' }],
  [() => `/sandbox/wallets/${dest}/fund`, () => ({ amount_kobo: 100 }), { note: 'other' }],
];

describe.each(OPERATIONS.map((row) => [row[0]().replace(/undefined/, '{id}'), row] as const))(
  'POST %s',
  (_path, [path, makeBody, change]) => {
    test('the same key and body: the original answer byte for byte, marked as a replay', async () => {
      const [key, body] = [fresh(), makeBody()];
      const first = await partner.post(path(), body, keyed(key));
      expect(first.status).toBeLessThan(300);
      expect(first.headers.get('Idempotent-Replayed')).toBeNull();
      const again = await partner.post(path(), body, keyed(key));
      expect({ status: again.status, text: again.text }).toEqual({ status: first.status, text: first.text });
      expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      expect(again.headers.get('X-Request-Id')).not.toBe(first.headers.get('X-Request-Id'));
    });

    test.each([
      ['another body', (body: object) => ({ ...body, ...change })],
      ['a body that is not valid', () => ({})],
      ['a body that is not JSON', () => '{'],
    ])('the same key and %s: 422 IDEMPOTENCY_KEY_REUSED', async (_what, makeOther) => {
      const [key, body] = [fresh(), makeBody()];
      await partner.post(path(), body, keyed(key));
      const balances = await Promise.all([source, dest].map((id) => partner.balanceKobo(id)));
      const answer = await partner.post(path(), makeOther(body), keyed(key));
      expect(answer).toMatchObject({ status: 422, body: { error: 'IDEMPOTENCY_KEY_REUSED' } });
      expect(await Promise.all([source, dest].map((id) => partner.balanceKobo(id)))).toEqual(balances);
    });

    test('a key whose request was refused can be used again', async () => {
      const key = fresh();
      expect((await partner.post(path(), {}, keyed(key))).status).toBe(422);
      const answer = await partner.post(path(), makeBody(), keyed(key));
      expect(answer.status).toBeLessThan(300);
      expect(answer.headers.get('Idempotent-Replayed')).toBeNull();
    });

    test.each([
      ['empty', ''],
      ['of 256 characters', 'k'.repeat(256)],
      ['with a letter beyond ASCII', 'cl\u00e9'],
      ['with a tab inside', 'a\tb'],
    ])('a key that is %s: 422 VALIDATION_ERROR', async (_what, key) => {
      const body = JSON.stringify(makeBody());
      const answer = await sendRaw(
        api.port,
        Buffer.from(requestText('POST', path(), rawHeaders(body, ['Idempotency-Key', key]), body), 'latin1'),
      );
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
      expect(answer.body.message).toContain('Idempotency-Key');
    });

    test('two keys, even equal ones: 422 VALIDATION_ERROR', async () => {
      const body = JSON.stringify(makeBody());
      const key = ['Idempotency-Key', fresh()] as const;
      const answer = await sendRaw(api.port, requestText('POST', path(), rawHeaders(body, key, key), body));
      expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    });

    test('of twenty requests at once with one key, one has an effect and all get its answer', async () => {
      const [key, body] = [fresh(), makeBody()];
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => partner.post(path(), body, keyed(key))),
      );
      expectOneEffect(answers);
    });
  },
);

const rawHeaders = (body: string, ...more: (readonly [string, string])[]) =>
  [
    ['Authorization', `Bearer ${partner.key}`],
    ['Content-Type', 'application/json'],
    ['Content-Length', String(Buffer.byteLength(body))],
    ...more,
  ] as const;

function expectOneEffect(answers: readonly Answer[]): void {
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  expect(answers[0]!.status).toBeLessThan(300);
  const originals = answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null);
  expect(originals).toHaveLength(1);
}

test('two instances on one database share keys: one effect, one answer', async () => {
  const other = partner.at(await world.startApi());
  const [key, body] = [fresh(), p2p()];
  const before = await partner.balanceKobo(dest);
  expectOneEffect(
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? partner : other).post('/v1/transfers/p2p', body, keyed(key)),
      ),
    ),
  );
  expect(await partner.balanceKobo(dest)).toBe(before + 100);
});

describe('a key', () => {
  test.each([
    ['of 255 characters', 'k'.repeat(255)],
    ['with every printable ASCII character', '!"#$%&\'()*+,-./09:;<=>?@AZ[\\]^_`az{|}~ x'],
  ])('%s is accepted and shown on the transaction', async (_what, key) => {
    const { status, body } = await send(p2p(), key);
    expect(status).toBe(200);
    expect(body.data.idempotency_key).toBe(key);
  });

  test('belongs to its operation: for another operation it is another key', async () => {
    const key = fresh();
    const answers = [
      await partner.post('/v1/wallets', { user_ref: fresh() }, keyed(key)),
      await send(p2p(), key),
      await partner.post('/v1/transfers/bank', bank(), keyed(key)),
      await partner.post(`/sandbox/wallets/${dest}/fund`, { amount_kobo: 100 }, keyed(key)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([202, 200, 202, 200]);
    expect(answers.map(({ headers }) => headers.get('Idempotent-Replayed'))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test('belongs to its partner', async () => {
    const [key, body] = [fresh(), { user_ref: 'the same body' }];
    const stranger = await api.partner();
    const answers = [partner, stranger].map((caller) => caller.post('/v1/wallets', body, keyed(key)));
    const [mine, theirs] = await Promise.all(answers);
    expect(mine!.body.data.partner_id).not.toBe(theirs!.body.data.partner_id);
  });

  test('is case-sensitive', async () => {
    const body = { user_ref: fresh() };
    await partner.post('/v1/wallets', body, keyed('Case'));
    expect((await partner.post('/v1/wallets', body, keyed('case'))).status).toBe(409);
  });

  test('is ignored by operations that take none, even when it is malformed', async () => {
    const endpoint = (url: string) => ({ url, events: ['wallet.activated'] });
    const key = 'k'.repeat(256);
    const ids = [
      await partner.post('/v1/webhooks', endpoint('https://example.com/one'), keyed(key)),
      await partner.post('/v1/webhooks', endpoint('https://example.com/two'), keyed(key)),
    ].map(({ body }) => body.data.id);
    expect(new Set(ids).size).toBe(2);
    expect((await partner.get(`/v1/wallets/${source}`, keyed(key))).status).toBe(200);
  });

  test('does not depend on the spelling of the body: order, numbers, aliases, forms and unknown fields', async () => {
    const key = fresh();
    const first = await send(p2p({ reference: 'spelled' }), key);
    const text = (body: string) => `{${body},"reference":"spelled"}`;
    const spellings = [
      text(`"amount":1e2,"dest_wallet":"${dest}","source_wallet":"${source}"`),
      text(`"amount_kobo":100.0,"dest_wallet_id":"wlt_${dest}","source_wallet_id":"${source.toUpperCase()}"`),
      text(`"amount":100,"dest_wallet":"${dest}","source_wallet":"${source}","description":null,"more":[1]`),
    ];
    for (const spelled of spellings) {
      const again = await send(spelled, key);
      expect({ status: again.status, text: again.text }).toEqual({ status: 200, text: first.text });
    }
    for (const headers of [{ 'X-Response-Form': 'guide' }, { 'X-Sandbox-Hold': 'true' }]) {
      expect((await send(p2p({ reference: 'spelled' }), key, headers)).text).toBe(first.text);
    }
  });

  test('is good for 24 hours; afterwards it may create another transfer', async () => {
    const [key, first] = [fresh(), p2p()];
    await send(first, key);
    const age = (interval: string) =>
      world.sql(
        `UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = now() - $2::interval WHERE key = $1`,
        [key, interval],
      );
    await age('23 hours 59 minutes');
    expect((await send(first, key)).headers.get('Idempotent-Replayed')).toBe('true');
    expect((await send(p2p(), key)).body.error).toBe('IDEMPOTENCY_KEY_REUSED');
    await age('24 hours 1 second');
    const second = p2p();
    const created = await send(second, key);
    expect(created.status).toBe(200);
    expect(created.headers.get('Idempotent-Replayed')).toBeNull();
    expect((await send(second, key)).text).toBe(created.text);
  });

  test('is checked after the credentials and before the body', async () => {
    const [key, body] = [fresh(), p2p()];
    await send(body, key);
    const worse = { ...body, amount: 0, dest_wallet: source };
    expect((await send(worse, key)).body.error).toBe('IDEMPOTENCY_KEY_REUSED');
    expect((await api.call('POST', '/v1/transfers/p2p', { body, headers: keyed(key) })).status).toBe(401);
  });
});
