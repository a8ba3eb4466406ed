/**
 * The first answer to an Idempotency-Key is made again from what the first request began, and not kept. It must be the
 * same to the byte, for every kind of payment in every form, whatever has happened to the payment since (D44).
 */
import fc from 'fast-check';
import { newId } from '../../src/db/pg/ids';
import { sealResolvedName } from '../../src/db/ledger/transaction-row';
import { FORMS } from '../../src/wire/forms';
import { SANDBOX_CELL } from '../setup/cells';
import { apiForFile, partnerForFile } from '../support/scene';
import { TEST_SEALING } from '../support/sealing';

const { world, api } = apiForFile();
const partner = partnerForFile(api);
let wallets: string[];
beforeAll(async () => {
  wallets = await Promise.all(Array.from({ length: 4 }, () => partner.wallet({ fundKobo: 100_000_000 })));
});

interface Words {
  amount: number;
  description?: string;
  metadata?: Record<string, unknown>;
}

/** Makes the path and the body of a request, and before it what it needs. */
type Kind = (words: Words, reference: string) => Promise<[path: string, body: object]>;

const KINDS: Record<string, Kind> = {
  p2p: (words, reference) =>
    Promise.resolve([
      '/v1/transfers/p2p',
      { source_wallet: wallets[0], dest_wallet: wallets[1], reference, ...words },
    ]),
  bank: (words, reference) =>
    Promise.resolve([
      '/v1/transfers/bank',
      {
        source_wallet: wallets[0],
        dest_account: { bank_code: '058', account_number: '0123456789', account_name: 'Ada Óbí' },
        reference,
        ...words,
      },
    ]),
  async qr(words, reference) {
    const created = await partner.post('/v1/payments/qr/create', {
      wallet_id: wallets[1],
      reference,
      ...words,
    });
    fc.pre(created.status !== 422);
    expect(created.status).toBe(200);
    return ['/v1/payments/qr/pay', { qr_reference: reference, source_wallet: wallets[0] }];
  },
  split: ({ amount, ...words }, reference) =>
    Promise.resolve([
      '/v1/payments/split',
      {
        source_wallet: wallets[0],
        splits: [
          { wallet_id: wallets[3], amount, percentage: 12.5 },
          { wallet_id: wallets[1], amount: amount + 1 },
          { wallet_id: wallets[2], amount },
        ],
        reference,
        ...words,
      },
    ]),
  funding: ({ amount, description }) =>
    Promise.resolve([
      `/sandbox/wallets/${String(wallets[1])}/fund`,
      { amount_kobo: amount, note: description },
    ]),
};

/** What later steps write, whichever kind it is; the balances go on by other payments. */
async function letMuchHappen(key: string): Promise<void> {
  await world.sql(
    `UPDATE ${SANDBOX_CELL}.transactions
        SET status = 'reversed', psp_reference = 'later', failed_reason = 'later',
            psp_meta = '{"provider":"later","sessionId":"later","responseCode":"00"}',
            updated_at = updated_at + interval '1 hour', completed_at = created_at + interval '1 hour'
      WHERE idempotency_key = $1`,
    [key],
  );
  const [toBank] = await world.sql(
    `SELECT id, dest_account FROM ${SANDBOX_CELL}.transactions WHERE idempotency_key = $1 AND dest_account IS NOT NULL`,
    [key],
  );
  if (toBank) {
    const { id, dest_account: destAccount } = toBank;
    await world.sql(
      `UPDATE ${SANDBOX_CELL}.transactions SET resolved_name_sealed = $2, dest_account = $3 WHERE id = $1`,
      [
        id,
        sealResolvedName(TEST_SEALING, { id, destAccount }, 'LATER'),
        JSON.stringify({ ...Object(destAccount), nameMatches: false, nameDecision: 'fail' }),
      ],
    );
  }
  const [source_wallet, dest_wallet] = wallets;
  const paid = await partner.post('/v1/transfers/p2p', {
    source_wallet,
    dest_wallet,
    amount: 1,
    reference: key,
  });
  expect(paid.status).toBe(200);
}

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
  // oxlint-disable-next-line no-control-regex -- the interface refuses these
  .filter((one) => !/[\u0000-\u001f\u007f-\u009f]/.test(one) && one.isWellFormed());
const words: fc.Arbitrary<Words> = fc.record(
  {
    amount: fc.integer({ min: 1, max: 10_000 }),
    description: text,
    metadata: fc.dictionary(
      fc.oneof(text, fc.constantFrom('split_index', '7', '__proto__', 'toJSON')),
      fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.double()),
      { maxKeys: 5 },
    ),
  },
  { requiredKeys: ['amount'] },
);

test.each(Object.entries(KINDS).flatMap(([name, kind]) => FORMS.map((form) => [name, form, kind] as const)))(
  '%s in the form %s: the first answer comes again, though all has changed since',
  async (_name, form, kind) => {
    await fc.assert(
      fc.asyncProperty(words, fc.constantFrom(...FORMS), async (said, otherForm) => {
        const key = newId();
        const [path, body] = await kind(said, `ref-${key}`);
        const first = await partner.post(path, body, { 'Idempotency-Key': key, 'X-Response-Form': form });
        // What the interface refuses has no first answer.
        fc.pre(first.status !== 422);
        expect(first.status).toBeLessThan(300);
        await letMuchHappen(key);
        const again = await partner.post(path, body, {
          'Idempotency-Key': key,
          'X-Response-Form': otherForm,
        });
        expect({ status: again.status, text: again.text }).toEqual({
          status: first.status,
          text: first.text,
        });
        expect(again.headers.get('Idempotent-Replayed')).toBe('true');
      }),
      { numRuns: 8 },
    );
  },
);

test('while a reset deletes what an answer is made from, the repeat waits for a new try', async () => {
  const theirs = await api.partner();
  const [source_wallet, dest_wallet] = [await theirs.wallet({ fundKobo: 1_000 }), await theirs.wallet()];
  const send = () =>
    theirs.post(
      '/v1/transfers/p2p',
      { source_wallet, dest_wallet, amount: 100, reference: 'once' },
      { 'Idempotency-Key': 'once' },
    );
  const first = await send();
  await world.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, gen_random_uuid())`, [theirs.id]);
  expect((await send()).status).toBe(503);
  await world.sql(`UPDATE ${SANDBOX_CELL}.partner_epochs SET resetting = false WHERE partner_id = $1`, [
    theirs.id,
  ]);
  expect((await send()).text).toBe(first.text);
});
