/**
 * Verifications from the submission to the signed event: the reserved numbers of the sandbox, and a bureau
 * that breaks, is slow, is away or names people. The test plays that bureau; everything else is real.
 */
import { createBlindIndex } from '../../src/secrets/blind-index';
import { newId } from '../../src/db/pg/ids';
import { openPool } from '../../src/db/pg/postgres';
import { submitVerification } from '../../src/db/partners/verifications';
import { newVerification } from '../../src/operations/identity/new-verification';
import type { IdentityAnswer, IdentityBureau, IdentityOrder } from '../../src/providers/port';
import { createSealing } from '../../src/secrets/sealing';
import type { Calls, Json } from '../support/calls';
import { withFake } from '../support/fakes';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, verified, type Receiver } from '../support/receiver';
import { TEST_SECRETS } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';
import { asLogin } from '../support/logins';

const GIVE_UP_MS = 5_000;

let platform: Platform;
let partner: Calls;
let receiver: Receiver;
let secret: string;

/**
 * What the bureau answers to a number when it is asked for the n-th time; the simulator answers every other
 * number.
 */
const record = { name: null, nameFits: null, watchListed: false };
const broken = (order: IdentityOrder): never => {
  // A careless client library has the number in the message of its error.
  throw new Error(`connect ECONNREFUSED https://bureau.example/bvn/${order.number}`);
};
const TEST_NUMBERS: Record<string, (n: number, order: IdentityOrder) => IdentityAnswer> = {
  '40000000001': (n, order) => (n < 3 ? broken(order) : { outcome: 'found', record }),
  '40000000002': (_n, order) => broken(order),
  '40000000003': (n) =>
    n === 1 ? { outcome: 'pending', pollAfterMs: 4_000_000 } : { outcome: 'found', record },
  '40000000004': () => ({ outcome: 'found', record: { ...record, watchListed: true } }),
  '40000000005': () => ({ outcome: 'found', record: { ...record, name: 'OBI Ada Ngozi' } }),
  '40000000006': () => ({ outcome: 'not_found' }),
};
const asked = new Map<string, IdentityOrder[]>();

const bureauBefore = (simulated: IdentityBureau): IdentityBureau => ({
  async lookUp(order) {
    const orders = [...(asked.get(order.verificationId) ?? []), order];
    asked.set(order.verificationId, orders);
    return TEST_NUMBERS[order.number]?.(orders.length, order) ?? simulated.lookUp(order);
  },
});

beforeAll(async () => {
  platform = await openPlatform({
    settings: {
      SANDBOX_KYC_MS: '100,200',
      SANDBOX_KYC_UNAVAILABLE_MS: '1500',
      KYC_GIVE_UP_AFTER_MS: String(GIVE_UP_MS),
    },
  });
  const worker = platform.startWorker((environment) =>
    withFake(environment, ({ identity }) => ({ name: 'bureau', identity: bureauBefore(identity) })),
  );
  const [url] = await Promise.all([platform.startApi(), worker]);
  partner = await platform.partner(url);
  receiver = await openReceiver();
  const events = ['kyc.verified', 'kyc.failed'];
  secret = (await partner.post('/v1/webhooks', { url: receiver.url, events })).body.data.secret;
});

afterAll(async () => {
  await receiver.close();
  await platform.close();
});

interface Submitted {
  id: string;
  userRef: string;
}

async function submit(
  number: string,
  type: 'bvn' | 'nin' = 'bvn',
  userRef = `user-${newId()}`,
): Promise<Submitted> {
  const { status, body } = await partner.post(`/v1/kyc/${type}`, { user_ref: userRef, [type]: number });
  expect([status, body.data.status]).toEqual([202, 'pending']);
  return { id: body.data.verification_id, userRef };
}

const shown = async ({ id, userRef }: Submitted): Promise<Json> => {
  const { verifications } = (await partner.get(`/v1/kyc/${userRef}/status`)).body.data;
  return verifications.find((one: Json) => one.verification_id === id);
};
const ended = (of: Submitted): Promise<Json> =>
  until(`the end of verification ${of.id}`, async () => {
    const verification = await shown(of);
    return verification.status !== 'pending' && verification;
  });
/** The one delivery of a verification's event, its signature checked. */
const told = async (id: string): Promise<Json> => {
  const about = () => receiver.deliveries.filter(({ body }) => body.data.verification_id === id);
  const delivery = await until(`the event of ${id}`, () => about()[0]);
  expect(about()).toHaveLength(1);
  return verified(delivery, secret);
};
const workflow = (id: string) => platform.operator.workflow.getHandle(`kyc/${id}`);
const ofOperators = async (id: string, state: string): Promise<boolean> =>
  (await platform.operator.workflow.count(`ResourceId='${id}' AND ${state}`)).count === 1;

/** Everything that Temporal keeps of a workflow, as text. */
async function historyOf(id: string): Promise<string> {
  const history = await workflow(id).fetchHistory();
  return JSON.stringify(history, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value,
  );
}

describe('in the sandbox', () => {
  const ROWS = [
    { type: 'bvn', number: '22222222222', reason: null },
    { type: 'bvn', number: '00000000000', reason: 'BVN_NOT_FOUND' },
  ] as const;
  const sent = new Map<(typeof ROWS)[number], Submitted>();

  beforeAll(async () => {
    await Promise.all(ROWS.map(async (row) => sent.set(row, await submit(row.number, row.type))));
  });

  test.each(ROWS)('the $type $number ends with the reason $reason, and the partner is told', async (row) => {
    const submitted = sent.get(row)!;
    const verification = await ended(submitted);
    const status = row.reason === null ? 'verified' : 'failed';
    expect(verification).toMatchObject({ type: row.type, status, failure_reason: row.reason });
    expect(verification.verified_at).toEqual(row.reason === null ? expect.any(String) : null);
    expect(await told(submitted.id)).toMatchObject({
      event: `kyc.${status}`,
      data: {
        verification_id: submitted.id,
        user_ref: submitted.userRef,
        type: row.type,
        status,
        subject: 'end_user',
        ...(row.reason === null ? { verified_at: verification.verified_at } : { failure_reason: row.reason }),
      },
    });
    expect(await workflow(submitted.id).result()).toBe(status);
  });

  test('a name in the wallet does not matter: the simulator names nobody', async () => {
    const userRef = `user-${newId()}`;
    await partner.post('/v1/wallets', {
      user_ref: userRef,
      metadata: { first_name: 'Ada', last_name: 'Obi' },
    });
    expect(await ended(await submit('22222222222', 'bvn', userRef))).toMatchObject({ status: 'verified' });
  });
});

describe('a bureau that', () => {
  test('breaks twice is asked again: verified once, and the messages of its errors are kept nowhere', async () => {
    const submitted = await submit('40000000001');
    expect(await ended(submitted)).toMatchObject({ status: 'verified' });
    expect(asked.get(submitted.id)).toHaveLength(3);
    expect(await told(submitted.id)).toMatchObject({ event: 'kyc.verified' });
    expect(await workflow(submitted.id).result()).toBe('verified');
    const history = await historyOf(submitted.id);
    expect(history).toContain('the identity bureau could not be asked');
    expect(history).not.toMatch(/40000000001|bureau\.example/);
    await until('no need for attention', () =>
      ofOperators(submitted.id, `NeedsAttention=false AND BusinessState='verified'`),
    );
  });

  test('is away leaves the verification pending and asks for operators, until it is given up', async () => {
    const began = Date.now();
    const submitted = await submit('40000000002');
    await until('a call for operators', () =>
      ofOperators(submitted.id, `NeedsAttention=true AND BusinessState='pending'`),
    );
    expect(await shown(submitted)).toMatchObject({ status: 'pending', failure_reason: null });
    const again = await submit('40000000002', 'bvn', submitted.userRef);
    expect(again.id).toBe(submitted.id);

    expect(await ended(submitted)).toMatchObject({
      status: 'failed',
      failure_reason: 'PROVIDER_UNAVAILABLE',
    });
    expect(Date.now() - began).toBeGreaterThanOrEqual(GIVE_UP_MS);
    expect(await told(submitted.id)).toMatchObject({
      event: 'kyc.failed',
      data: { failure_reason: 'PROVIDER_UNAVAILABLE' },
    });
    const later = await submit('22222222222', 'bvn', submitted.userRef);
    expect(await ended(later)).toMatchObject({ status: 'verified' });
  });

  test('has its result later is asked again at the time that it names', async () => {
    const submitted = await submit('40000000003');
    await until('the first look', () => asked.has(submitted.id));
    await workflow(submitted.id).signal('lookAgain');
    expect(await ended(submitted)).toMatchObject({ status: 'verified' });
    expect(asked.get(submitted.id)).toHaveLength(2);
  });

  test('has its result after a reset deleted the verification is not waited for', async () => {
    const submitted = await submit('40000000003');
    await until('the first look', () => asked.has(submitted.id));
    await platform.sql(`DELETE FROM ${SANDBOX_CELL}.consents WHERE verification_id = $1`, [submitted.id]);
    await platform.sql(`DELETE FROM ${SANDBOX_CELL}.verifications WHERE id = $1`, [submitted.id]);
    await workflow(submitted.id).signal('lookAgain');
    expect(await workflow(submitted.id).result()).toBe('gone');
  });

  test('finds nobody, or a person on a watch list: failed with the reason', async () => {
    const [bvn, nin, watched] = await Promise.all([
      submit('40000000006'),
      submit('40000000006', 'nin'),
      submit('40000000004'),
    ]);
    expect(await ended(bvn)).toMatchObject({ failure_reason: 'BVN_NOT_FOUND' });
    expect(await ended(nin)).toMatchObject({ failure_reason: 'NIN_NOT_FOUND' });
    expect(await ended(watched)).toMatchObject({ failure_reason: 'WATCH_LISTED' });
  });
});

describe('a bureau that names people', () => {
  const NAMED = '40000000005';
  const accountNameOf = async (walletId: string): Promise<string> =>
    (await partner.get(`/v1/wallets/${walletId}`)).body.data.wallet.account_name;
  async function wallet(userRef: string, metadata: Json): Promise<string> {
    const { id } = (await partner.post('/v1/wallets', { user_ref: userRef, metadata })).body.data;
    return until('the account name', async () => (await accountNameOf(id)) || undefined);
  }

  test.each([
    { first_name: 'Adá', last_name: 'Obi', reason: null },
    { first_name: 'Bola', last_name: 'Obi', reason: 'NAME_MISMATCH' },
  ])('compares with the wallet’s: $first_name $last_name, $reason', async ({ reason, ...metadata }) => {
    const userRef = `user-${newId()}`;
    await wallet(userRef, metadata);
    const submitted = await submit(NAMED, 'bvn', userRef);
    expect(await ended(submitted)).toMatchObject({ failure_reason: reason });
    expect(asked.get(submitted.id)?.[0]?.expectedName).toBe(`${metadata.first_name} ${metadata.last_name}`);
  });

  test('gives the account its name once verified, and the name appears nowhere else', async () => {
    const submitted = await submit(NAMED);
    await ended(submitted);
    expect(await wallet(submitted.userRef, {})).toBe('OBI ADA NGOZI');
    expect(await historyOf(submitted.id)).not.toMatch(/ngozi/i);
    const rows = await platform.sql(
      `SELECT v::text AS row FROM ${SANDBOX_CELL}.verifications v WHERE id = $1`,
      [submitted.id],
    );
    expect(JSON.stringify(rows)).not.toMatch(/ngozi/i);
  });

  test('does not change an account name that the partner chose', async () => {
    const submitted = await submit(NAMED);
    await ended(submitted);
    expect(await wallet(submitted.userRef, { account_name: 'Ada Stores' })).toBe('ADA STORES');
  });
});

test('a director’s verification, written with the list of directors, ends with an event of its own', async () => {
  const pool = openPool(asLogin(platform.databaseUrl, 'sandbox_worker'), 1, 10_000, () => undefined);
  const directorId = newId();
  const draft = newVerification(
    {
      sealing: createSealing(TEST_SECRETS.DATA_KEY_SANDBOX),
      blindIndex: createBlindIndex('sandbox', TEST_SECRETS.BLIND_INDEX_KEY),
    },
    {
      subject: 'director',
      directorId,
      userRef: null,
      partnerId: partner.partnerId,
      type: 'bvn',
      number: '00000000001',
      expectedName: 'Ada Obi',
    },
    GIVE_UP_MS,
  );
  await submitVerification({ schema: SANDBOX_CELL, pool }, draft, { consent: null, requestId: 'req_test' });
  await pool.end();
  expect(await told(draft.id)).toMatchObject({
    event: 'kyc.failed',
    data: {
      verification_id: draft.id,
      user_ref: null,
      director_id: directorId,
      type: 'bvn',
      status: 'failed',
      subject: 'director',
      failure_reason: 'BVN_NOT_FOUND',
    },
  });
});
