/** The reference: once per partner and environment, for ever (interface: Conventions, rule 7; D45, D130, D160). */
import pg from 'pg';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let source: string;
let dest: string;
beforeAll(async () => {
  source = await partner.wallet({ fundKobo: 100_000_000 });
  dest = await partner.wallet();
});

const p2p = (reference: string, more: Record<string, unknown> = {}) => ({
  source_wallet: source,
  dest_wallet: dest,
  amount: 10_000,
  reference,
  ...more,
});
const guide = (reference: string) => ({
  source_wallet_id: source,
  dest_wallet_id: dest,
  amount_kobo: 10_000,
  reference,
});
const bank = (reference: string, more: Record<string, unknown> = {}) => ({
  source_wallet: source,
  dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' },
  amount: 10_000,
  reference,
  ...more,
});
const send = (body: unknown, headers: Record<string, string> = {}) =>
  partner.post('/v1/transfers/p2p', body, headers);
const sendBank = (body: unknown) => partner.post('/v1/transfers/bank', body);

describe('the same reference and the same transfer', () => {
  test.each<[what: string, headers: [first: object, second: object]]>([
    ['without a key', [{}, {}]],
    ['with a key the second time', [{}, { 'Idempotency-Key': 'r1' }]],
    ['with a key the first time', [{ 'Idempotency-Key': 'r2' }, {}]],
    ['with another key', [{ 'Idempotency-Key': 'r3' }, { 'Idempotency-Key': 'r4' }]],
  ])('%s: the original transaction, and no money moves', async (what, [one, two]) => {
    const body = p2p(`replayed ${what}`);
    const first = await send(body, one as Record<string, string>);
    const balances = () => Promise.all([source, dest].map((id) => partner.balanceKobo(id)));
    const before = await balances();
    const again = await send(body, two as Record<string, string>);
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body.meta.request_id).toBe(again.headers.get('X-Request-Id'));
    expect(await balances()).toEqual(before);
  });

  test('is answered in the form of the second request, with the balances after the original', async () => {
    const first = await send(guide('replayed in guide form'));
    await send(p2p('something in between'));
    const again = await send(guide('replayed in guide form'));
    expect(again.body.data).toEqual(first.body.data);
    const plain = await send(p2p('replayed in guide form'));
    expect(plain.body.data).toMatchObject({ amount: 10_000, source_wallet: source, dest_wallet: dest });
    expect(plain.headers.get('Idempotent-Replayed')).toBe('true');
  });

  test.each([
    ['description', { description: 'other words' }],
    ['metadata', { metadata: { other: true } }],
  ])('may differ in its %s: it is the same transfer, as it was first', async (field, more) => {
    const first = await send(p2p(`other ${field}`));
    const again = await send(p2p(`other ${field}`, more));
    expect(again.status).toBe(200);
    expect(again.body.data).toEqual(first.body.data);
  });

  test('of a bank transfer: 202 with the transaction as it is now', async () => {
    const first = await sendBank(bank('bank replayed'));
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET status = 'completed', completed_at = now() WHERE id = $1`,
      [first.body.data.id],
    );
    const again = await sendBank(bank('bank replayed', { description: 'again' }));
    expect(again.status).toBe(202);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    expect(again.body.data).toMatchObject({ id: first.body.data.id, status: 'completed', description: '' });
  });

  test('is a replay even when a new transfer would now be refused', async () => {
    const [from, to] = [await partner.wallet({ fundKobo: 10_050 }), await partner.wallet()];
    const body = { source_wallet: from, dest_wallet: to, amount: 10_000, reference: 'refused today' };
    const first = await send(body);
    await world.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = ANY($1)`, [[from, to]]);
    const again = await send(body);
    expect(again).toMatchObject({ status: 200, body: { data: { id: first.body.data.id } } });
  });
});

describe('the same reference and a different transfer: 409 DUPLICATE_REFERENCE naming the first', () => {
  test.each<[what: string, other: (reference: string) => Promise<unknown[]> | unknown[]]>([
    ['another amount', (reference) => ['p2p', p2p(reference, { amount: 10_001 })]],
    [
      'another source',
      async (reference) => ['p2p', p2p(reference, { source_wallet: await partner.wallet() })],
    ],
    [
      'another destination',
      async (reference) => ['p2p', p2p(reference, { dest_wallet: await partner.wallet() })],
    ],
    [
      'the opposite direction',
      (reference) => ['p2p', p2p(reference, { source_wallet: dest, dest_wallet: source })],
    ],
    ['a bank transfer', (reference) => ['bank', bank(reference)]],
  ])('%s', async (what, other) => {
    const reference = `differs in: ${what}`;
    const first = await send(p2p(reference));
    const [operation, body] = await other(reference);
    const answer = await partner.post(`/v1/transfers/${String(operation)}`, body);
    expect(answer).toMatchObject({
      status: 409,
      body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: first.body.data.id } },
    });
  });
});

describe('references that look alike are one', () => {
  const composed = 'Ọ̀jà-café-1'.normalize('NFC');
  const apart = composed.normalize('NFD');

  test('in either spelling, which moves money once, and is found by either', async () => {
    const before = await partner.balanceKobo(dest);
    const first = await send(p2p(apart));
    expect([first.status, first.body.data.reference]).toEqual([200, composed]);
    const again = await send(p2p(composed));
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect(again.body.data.id).toBe(first.body.data.id);
    expect((await send(p2p(apart, { amount: 1 }))).body.error).toBe('DUPLICATE_REFERENCE');
    expect(await partner.balanceKobo(dest)).toBe(before + 10_000);
    for (const reference of [composed, apart]) {
      const query = `reference=${encodeURIComponent(reference)}`;
      for (const path of [`/v1/transactions?${query}`, `/v1/wallets/${source}/transactions?${query}`]) {
        expect((await partner.get(path)).body.data).toMatchObject([{ id: first.body.data.id }]);
      }
    }
  });

  test('of a QR request as well, by whichever spelling it is paid or looked up', async () => {
    const [made, asked] = [`${composed}-qr`, `${apart}-qr`];
    const body = { wallet_id: dest, amount: 500, reference: made };
    expect((await partner.post('/v1/payments/qr/create', body)).body.data.reference).toBe(made);
    const path = `/v1/payments/qr/${encodeURIComponent(asked)}`;
    expect((await partner.get(path)).body.data.reference).toBe(made);
    const paid = await partner.post('/v1/payments/qr/pay', { qr_reference: asked, source_wallet: source });
    expect(paid.body.data.reference).toBe(made);
  });

  test.each([
    ['a space', 'ref-1 '],
    ['a no-break space', '\u00a0ref-1'],
    ['a tab', 'ref-1\t'],
    ['a zero-width space', 'ref-1\u200b'],
    ['a byte order mark', '\ufeffref-1'],
    ['a variation selector', 'ref-1\ufe0f'],
    ['a filler', 'ref-1\u3164'],
  ])('and with %s at an end it is refused, and nothing moves', async (_what, reference) => {
    const before = await partner.balanceKobo(dest);
    const bodies: [string, object][] = [
      ['/v1/transfers/p2p', p2p(reference)],
      ['/v1/transfers/bank', bank(reference)],
      ['/v1/transfers/bulk', { reference: `bulk ${reference.length}`, transfers: [p2p(reference)] }],
      ['/v1/payments/qr/create', { wallet_id: dest, amount: 500, reference }],
      ['/v1/holds', { wallet_id: source, amount: 500, reference }],
    ];
    for (const [path, body] of bodies) {
      const answer = await partner.post(path, body);
      expect([path, answer.status, answer.body.error]).toEqual([path, 422, 'VALIDATION_ERROR']);
    }
    expect(await partner.balanceKobo(dest)).toBe(before);
  });
});

test('references are case-sensitive, and each partner has its own', async () => {
  const ids = [await send(p2p('Letter')), await send(p2p('letter'))].map(({ body }) => body.data.id);
  expect(new Set(ids).size).toBe(2);
  const stranger = await api.partner();
  const [from, to] = [await stranger.wallet({ fundKobo: 1_000 }), await stranger.wallet()];
  const body = { source_wallet: from, dest_wallet: to, amount: 100, reference: 'Letter' };
  expect((await stranger.post('/v1/transfers/p2p', body)).status).toBe(200);
});

test('a partner may use references that the platform uses for its own transactions', async () => {
  const transfer = await sendBank(bank('to be reversed'));
  const { id } = transfer.body.data;
  for (const reference of [`rev_${id}`, `fund_${id}`]) {
    expect((await send(p2p(reference))).status).toBe(200);
  }
});

describe('at once, over two instances', () => {
  test('twenty of the same transfer move money once', async () => {
    const other = partner.at(await world.startApi());
    const before = await partner.balanceKobo(dest);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? partner : other).post('/v1/transfers/p2p', p2p('raced by twenty')),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get('Idempotent-Replayed') === null)).toHaveLength(1);
    expect(await partner.balanceKobo(dest)).toBe(before + 10_000);
  });

  test('of twenty different transfers with one reference one happens, the others are 409', async () => {
    const other = partner.at(await world.startApi());
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? partner : other).post(
          '/v1/transfers/p2p',
          p2p('raced by different ones', { amount: 1_000 + index }),
        ),
      ),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(1);
    for (const answer of answers.filter((one) => one !== done[0])) {
      expect(answer).toMatchObject({
        status: 409,
        body: { error: 'DUPLICATE_REFERENCE', detail: { transaction_id: done[0]!.body.data.id } },
      });
    }
  });
});

describe('while another connection has locked the wallet', () => {
  test('a request waits two seconds and is then answered with Retry-After; its retry succeeds', async () => {
    const held = await partner.wallet({ fundKobo: 1_000_000 });
    const holder = new pg.Client({ connectionString: world.databaseUrl });
    await holder.connect();
    try {
      await holder.query('BEGIN');
      await holder.query(`SELECT 1 FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR UPDATE`, [held]);
      const body = (reference: string) => p2p(reference, { source_wallet: held });
      const [keyed, unkeyed] = await Promise.all([
        send(body('held with a key'), { 'Idempotency-Key': 'held' }),
        send(body('held without a key')),
      ]);
      expect(keyed).toMatchObject({ status: 409, body: { error: 'REQUEST_IN_PROGRESS' } });
      expect(keyed.headers.get('Retry-After')).toBe('1');
      expect(unkeyed).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect(unkeyed.headers.get('Retry-After')).toBe('1');
      await holder.query('ROLLBACK');
      expect((await send(body('held with a key'), { 'Idempotency-Key': 'held' })).status).toBe(200);
    } finally {
      await holder.end();
    }
  });
});
