/**
 * Erasure of a person (Nigeria Data Protection Act 2023): known texts go in by every door, and are found in no row
 * afterwards, except where the answer says that something is kept; the books are the same as before.
 */
import { openWorld, type Json, type TestApi, type World } from '../../support/api';
import type { TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { PERSONAL_DATA } from '../../../src/domain/personal-data';
import { newId } from '../../../src/db/pg/ids';
import { directoryOf } from '../../../src/db/pg/schema';
import { SANDBOX_CELL } from '../../setup/cells';
import { accountNamePlace, keptAnswerPlace } from '../../../src/secrets/sealing';
import { TEST_SEALING } from '../../support/sealing';

/** Texts that cannot occur anywhere by chance. Account names are written in capitals. */
const CANARIES = {
  firstName: 'Zubenelgenubi',
  address: '17 Xanthippe Close, Ikoyi',
  description: 'rent for the Quetzalcoatl house',
  note: 'call Psittacosaurus',
  qr: 'Brobdingnag shop',
  phone: '+2348099173265',
};
const DIRECTORY = directoryOf('sandbox');
const USER_REF = 'customer-Yggdrasil';

let world: World;
let api: TestApi;
let operator: TestOperator;
let partner: TestPartner;
let walletId: string;
let other: string;
/** Of an event about the wallet, which waits to be delivered. */
const eventId = newId();

beforeAll(async () => {
  world = await openWorld();
  api = await world.startApi();
  operator = await api.operator();
  partner = await api.partner();
  await partner.post('/v1/webhooks', {
    url: 'https://a.example/hook',
    events: ['wallet.activated', 'kyc.verified'],
  });
  const { firstName, address, description, note, qr, phone } = CANARIES;
  const metadata = { first_name: firstName, last_name: 'Obi', address };
  walletId = await partner.wallet({ userRef: USER_REF, metadata, fundKobo: 10_000 });
  // The account name as the worker makes it, and the event that shows it.
  const name = `${firstName} Obi`.toUpperCase();
  await world.sql(`UPDATE ${SANDBOX_CELL}.wallets SET account_name_sealed = $2 WHERE id = $1`, [
    walletId,
    TEST_SEALING.seal(name, accountNamePlace(walletId)),
  ]);
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.events (id, partner_id, kind, resource_id, created_at)
     VALUES ($1, $2, 'wallet.activated', $3, now())`,
    [eventId, partner.id, walletId],
  );
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name, next_attempt_at)
     SELECT id, $1, 'wallet.activated', now() FROM ${SANDBOX_CELL}.webhook_endpoints`,
    [eventId],
  );
  // A payment from outside, and what its company has told of it.
  await world.sql(
    `INSERT INTO ${DIRECTORY}.inbound_claims (provider, reference, credit_id, cell, partner_id, wallet_id)
     VALUES ('paystack', 'in-1', $1, $2, $3, $4)`,
    [newId(), SANDBOX_CELL, partner.id, walletId],
  );
  await world.sql(
    `INSERT INTO ${SANDBOX_CELL}.inbound_credits
       (id, provider, reference, provider_ref, amount_kobo, account_number, partner_id, wallet_id, sender_sealed)
     VALUES ($1, 'paystack', 'in-1', '1', 100, '9930000902', $2, $3, 'sealed')`,
    [newId(), partner.id, walletId],
  );
  await world.sql(
    `INSERT INTO ${DIRECTORY}.provider_notices (id, provider, body_sha256, reference, about, body_sealed)
     VALUES ($1, 'paystack', 'sha', 'in-1', 'payment', 'sealed'), ($2, 'paystack', 'sha-2', 'in-2', 'payment', 'sealed')`,
    [newId(), newId()],
  );
  other = await partner.wallet({ userRef: 'somebody-else', metadata: { first_name: 'Fotheringay' } });
  await partner.put(`/v1/wallets/${walletId}/pin`, { pin: '0731' });
  await partner.post('/v1/kyc/bvn', { user_ref: USER_REF, bvn: '22222222222' });
  await split('payroll-1', other, walletId);
  await split('payroll-2', walletId, other);
  const base = { source_wallet: walletId, amount: 10_000, reference: 'rent' };
  const paid = await partner.post(
    '/v1/transfers/p2p',
    { ...base, dest_wallet: other, description, metadata: { note } },
    { 'Idempotency-Key': 'rent-1' },
  );
  expect(paid.status).toBe(200);
  const request = { wallet_id: walletId, amount: 100, reference: 'qr', description: qr, metadata: { note } };
  const headers = { 'Idempotency-Key': 'qr-1' };
  expect((await partner.post('/v1/payments/qr/create', request, headers)).status).toBe(200);
  const ussd = {
    wallet_id: walletId,
    merchant_wallet_id: other,
    amount: 100,
    reference: 'ussd',
    phone,
    description,
  };
  const dialled = await partner.post('/v1/payments/ussd/initiate', ussd);
  expect(dialled.status).toBeLessThan(300);
});
afterAll(() => world.close());

const erase = (id: string, of = partner) =>
  operator.post(`/ops/sandbox/partners/${of.id}/wallets/${id}/erase-person`, {
    reason: 'request of 22 November',
  });

/** Who else is paid by the splits, and what the two receivers share. */
const COLLEAGUE = 'Fotheringay';
const SHARED = {
  payroll: 'November',
  note: `bonus for ${CANARIES.firstName}`,
  [CANARIES.firstName]: 25,
  staff: [{ name: COLLEAGUE }, { name: `${CANARIES.firstName} Obi`, at: CANARIES.address }],
  phones: [CANARIES.phone, '+2348011111111'],
  // So long that the kept answer is compressed.
  terms: 'n'.repeat(15_000),
};
const SHARED_BY_OTHERS = {
  payroll: 'November',
  staff: [{ name: COLLEAGUE }, {}],
  phones: ['+2348011111111'],
  terms: SHARED.terms,
};

async function split(reference: string, ...receivers: string[]): Promise<void> {
  const answer = await partner.post(
    '/v1/payments/split',
    {
      source_wallet: await partner.wallet({ fundKobo: 100 }),
      reference,
      splits: receivers.map((wallet_id) => ({ wallet_id, amount: 25 })),
      description: `for ${CANARIES.firstName} and ${COLLEAGUE}`,
      metadata: SHARED,
    },
    { 'Idempotency-Key': reference },
  );
  expect(answer.status).toBe(200);
}

/** The leg of a split as its receiver's list shows it. */
const legOf = async (wallet: string, reference: string): Promise<Json> =>
  (await partner.get(`/v1/wallets/${wallet}/transactions?reference=${reference}`)).body.data[0];

/** The kept answers, or all legs of what they would be made from again. */
const keptAnswers = async (): Promise<string[]> =>
  (
    await world.sql(
      `SELECT k.body_sealed, k.resource_id, (
                SELECT json_agg(leg)::text FROM ${SANDBOX_CELL}.transactions first
                  JOIN ${SANDBOX_CELL}.transactions leg USING (partner_id, reference)
                 WHERE first.id = k.transaction_id) AS answer
         FROM ${SANDBOX_CELL}.idempotency_keys k`,
    )
  ).map(({ body_sealed: sealed, resource_id: id, answer: legs }) =>
    sealed === null ? (legs as string) : TEST_SEALING.open(sealed, keptAnswerPlace(id)),
  );

/** Everything of a person ends by workflows, which do not run here. */
async function endAll(): Promise<void> {
  await world.sql(`UPDATE ${SANDBOX_CELL}.ussd_sessions SET status = 'expired' WHERE payer_wallet = $1`, [
    walletId,
  ]);
  await world.sql(`UPDATE ${SANDBOX_CELL}.transactions SET status = 'expired' WHERE reference = 'ussd'`);
}

/** The tables in whose rows a canary is found, in any spelling. */
async function tablesWith(canary: string): Promise<string[]> {
  const tables = await world.sql(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY name`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await world.sql(
      `SELECT FROM ${name as string} t WHERE position(lower($1) IN lower(t::text)) > 0`,
      [canary],
    );
    if (rows.length > 0) found.push(name as string);
  }
  return found;
}

/** Everything that the books say, without the texts of people. */
const books = async (): Promise<Json> => [
  await world.sql(`SELECT to_json(e) AS row FROM ${SANDBOX_CELL}.entries e ORDER BY e::text`),
  await world.sql(`SELECT to_json(a) AS row FROM ${SANDBOX_CELL}.accounts a ORDER BY id`),
  await world.sql(
    `SELECT to_jsonb(t) - 'description' - 'metadata' - 'texts_erased_at' AS row FROM ${SANDBOX_CELL}.transactions t ORDER BY id`,
  ),
  await world.sql(`SELECT sum(amount_kobo)::text AS sum FROM ${SANDBOX_CELL}.entries`),
];

test('a person whose wallet is open or still to be paid, or whose number is being verified, is not erased', async () => {
  expect(await erase(walletId)).toMatchObject({ status: 422, body: { error: 'INVALID_WALLET_STATE' } });
  await endAll();
  expect(await partner.post(`/v1/wallets/${walletId}/close`, {})).toMatchObject({ status: 200 });
  expect(await erase(walletId)).toMatchObject({
    status: 422,
    body: { error: 'INVALID_WALLET_STATE', message: expect.stringContaining('being verified') },
  });
  await world.sql(
    `UPDATE ${SANDBOX_CELL}.verifications SET status = 'verified', verified_at = now() WHERE user_ref = $1`,
    [USER_REF],
  );
  const line = { source_wallet: other, dest_wallet: walletId, amount: 1, reference: 'line' };
  await partner.post('/v1/transfers/bulk', { reference: 'bulk', transfers: [line] });
  expect(await erase(walletId)).toMatchObject({
    status: 422,
    body: {
      message:
        'A bulk or a scheduled transfer is still to pay or to be paid with this wallet: have it finished or cancelled',
    },
  });
  await world.sql(`UPDATE ${SANDBOX_CELL}.bulk_transfer_lines SET status = 'cancelled', asked = NULL`);
  for (const canary of Object.values(CANARIES)) expect(await tablesWith(canary)).not.toEqual([]);
  const answers = await keptAnswers();
  expect(answers.filter((answer) => answer.includes(walletId) || answer.includes('"qr"'))).toHaveLength(4);
  expect(await legOf(other, 'payroll-2')).toMatchObject({ metadata: { ...SHARED, split_index: 1 } });
});

describe('after the erasure', () => {
  let answer: Awaited<ReturnType<typeof erase>>;
  let before: Json;
  beforeAll(async () => {
    before = await books();
    answer = await erase(walletId);
  });

  test('the answer says what is gone, and what is kept and why', () => {
    expect(answer).toMatchObject({ status: 200, body: { data: { wallet_id: walletId } } });
    const { erased, kept } = answer.body.data;
    expect([...erased, ...kept.map((one: Json) => one.what)]).toEqual(
      Object.values(PERSONAL_DATA).map(({ what }) => what),
    );
    expect(kept).toContainEqual({
      what: 'account number and user_ref, which say whose transactions these are',
      why: expect.stringContaining('five years'),
    });
  });

  test.each(Object.entries(CANARIES))('no row of any table has the %s', async (_what, canary) => {
    expect(await tablesWith(canary)).toEqual([]);
  });

  test('who has paid from outside is not stored any more, and the payments of others stay', async () => {
    expect(await world.sql(`SELECT sender_sealed FROM ${SANDBOX_CELL}.inbound_credits`)).toEqual([
      { sender_sealed: null },
    ]);
    expect(
      await world.sql(`SELECT body_sealed FROM ${DIRECTORY}.provider_notices ORDER BY reference`),
    ).toEqual([{ body_sealed: null }, { body_sealed: 'sealed' }]);
  });

  test('an event that waited to be delivered is not delivered any more', async () => {
    const waiting = `SELECT FROM ${SANDBOX_CELL}.deliveries WHERE event_id = $1`;
    expect(await world.sql(waiting, [eventId])).toEqual([]);
  });

  test('the user_ref is kept where the answer says so, and in no event or kept answer', async () => {
    const places = [`${SANDBOX_CELL}.verifications`, `${SANDBOX_CELL}.wallets`];
    expect(await tablesWith(USER_REF)).toEqual(places);
  });

  test('no number, no name of the bureau and no PIN is stored any more', async () => {
    const [row] = await world.sql(
      `SELECT number_sealed, number_index, expected_name_sealed, found_name_sealed, status
         FROM ${SANDBOX_CELL}.verifications WHERE user_ref = $1`,
      [USER_REF],
    );
    const gone = {
      number_sealed: null,
      number_index: null,
      expected_name_sealed: null,
      found_name_sealed: null,
    };
    expect(row).toEqual({ ...gone, status: 'verified' });
    expect(
      await world.sql(`SELECT pin_hash FROM ${SANDBOX_CELL}.wallet_pins WHERE wallet_id = $1`, [walletId]),
    ).toEqual([{ pin_hash: null }]);
  });

  test('the books are the same: no amount, id or time has changed', async () => {
    expect(await books()).toEqual(before);
  });

  test('the data of somebody else is untouched', async () => {
    const { wallet } = (await partner.get(`/v1/wallets/${other}`)).body.data;
    expect(wallet.metadata).toEqual({ first_name: 'Fotheringay' });
  });

  test('the partner still reads the wallet and its transactions', async () => {
    const { wallet } = (await partner.get(`/v1/wallets/${walletId}`)).body.data;
    expect(wallet).toMatchObject({ status: 'closed', account_name: 'ERASED', metadata: {} });
    const { data } = (await partner.get(`/v1/wallets/${walletId}/transactions?reference=rent`)).body;
    expect(data).toMatchObject([{ amount: 10_000, description: '', metadata: {} }]);
  });

  test.each([
    ['payroll-1', 1, 0],
    ['payroll-2', 0, 1],
  ])(
    'of %s the person’s leg shows no texts, and the colleague’s all but the person’s',
    async (reference, place, others) => {
      const [own, colleagues] = [await legOf(walletId, reference), await legOf(other, reference)];
      expect(own).toMatchObject({ amount: 25, description: '', metadata: { split_index: place } });
      expect(Object.keys(own.metadata)).toEqual(['split_index']);
      // The description is one text, and names the person.
      expect(colleagues).toMatchObject({ amount: 25, description: '' });
      expect(colleagues.metadata).toEqual({ ...SHARED_BY_OTHERS, split_index: others });
      for (const leg of [own, colleagues]) expect(leg.split_config.splits).toHaveLength(2);
    },
  );

  test('no kept answer names the wallet, nor has a code with the person’s name', async () => {
    const answers = await keptAnswers();
    expect(answers.filter((answer) => answer.includes(walletId) || answer.includes('"qr"'))).toEqual([]);
  });

  test('a second erasure changes nothing and answers the same', async () => {
    const again = await erase(walletId);
    expect(again.body.data).toEqual(answer.body.data);
    expect(await books()).toEqual(before);
  });

  test('the trail says who asked for it, why, and what was kept', async () => {
    const trail = await world.sql(
      `SELECT phase, detail FROM platform.audit WHERE request_id = $1 ORDER BY sequence`,
      [answer.headers.get('x-request-id')],
    );
    expect(trail.map(({ phase }) => phase)).toEqual(['asked', 'done']);
    expect(trail[0]!['detail']).toContain('request of 22 November');
    expect(trail[1]!['detail']).toContain('five years');
  });
});

test('a wallet of another partner, or none, is not found', async () => {
  const stranger = await api.partner();
  for (const id of [walletId, newId()]) expect((await erase(id, stranger)).status).toBe(404);
});
