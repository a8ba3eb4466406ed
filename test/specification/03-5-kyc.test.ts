/** The published interface (interface: KYC), with the states of a verification, line by line. */
import { randomUUID } from 'node:crypto';
import { until } from '../support/until';
import { openService, type Answer, type Client, type Json, type Listener, type Service } from './client';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NUMBER = '22222222222';
const UNAVAILABLE_MS = 2_500;

let service: Service;
let partner: Client;
let hook: Listener;
beforeAll(async () => {
  // The published times, except that the half minute of the last reserved BVN is shortened.
  service = await openService();
  partner = await service.partner();
  hook = await partner.listen(['kyc.verified', 'kyc.failed']);
});
afterAll(() => service.close());

type Type = 'bvn' | 'nin';
const newUser = (): string => `user-${randomUUID()}`;
const submit = (type: Type, number: string, userRef = newUser()): Promise<Answer> =>
  partner.post(`/v1/kyc/${type}`, { user_ref: userRef, [type]: number });
const verificationsOf = async (userRef: string): Promise<Json> =>
  (await partner.get(`/v1/kyc/${encodeURIComponent(userRef)}/status`)).body.data.verifications;

/** Waits until the latest verification of a user has ended. */
const ended = (userRef: string): Promise<Json> =>
  until(`the end of the verification of ${userRef}`, async () => {
    const [latest] = await verificationsOf(userRef);
    return latest.status !== 'pending' && latest;
  });

describe.each<Type>(['bvn', 'nin'])('POST /v1/kyc/%s', (type) => {
  test('response 202: { data: { verification_id: uuid, status: "pending" } }', async () => {
    const answer = await submit(type, NUMBER);
    expect(answer.status).toBe(202);
    expect(answer.body).toEqual({
      data: { verification_id: expect.stringMatching(UUID), status: 'pending' },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test.each<[line: string, body: Json, names: string]>([
    ['`user_ref` required', { [type]: NUMBER }, 'user_ref'],
    ['`user_ref` a string', { user_ref: 1, [type]: NUMBER }, 'user_ref'],
    ['`user_ref` of 0 characters', { user_ref: '', [type]: NUMBER }, 'user_ref'],
    ['`user_ref` of 129 characters', { user_ref: 'u'.repeat(129), [type]: NUMBER }, 'user_ref'],
    [`\`${type}\` required`, { user_ref: 'ada' }, type],
    [`\`${type}\` a string`, { user_ref: 'ada', [type]: 22_222_222_222 }, type],
    [`\`${type}\` of 10 digits`, { user_ref: 'ada', [type]: '2222222222' }, type],
    [`\`${type}\` of 12 digits`, { user_ref: 'ada', [type]: '222222222222' }, type],
    [`\`${type}\` with a letter`, { user_ref: 'ada', [type]: '2222222222O' }, type],
    [`\`${type}\` with a space`, { user_ref: 'ada', [type]: '2222222222 ' }, type],
    [`the number under the other name`, { user_ref: 'ada', [type === 'bvn' ? 'nin' : 'bvn']: NUMBER }, type],
  ])('422 VALIDATION_ERROR: %s', async (_line, body, names) => {
    const answer = await partner.post(`/v1/kyc/${type}`, body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(names);
  });

  test('a `user_ref` of 128 characters, and one without a wallet, are accepted', async () => {
    expect((await submit(type, NUMBER, randomUUID().padEnd(128, '-'))).status).toBe(202);
  });

  test('`userRef` is read as `user_ref`', async () => {
    const userRef = newUser();
    expect((await partner.post(`/v1/kyc/${type}`, { userRef, [type]: NUMBER })).status).toBe(202);
    expect(await verificationsOf(userRef)).toHaveLength(1);
  });

  test('the same number again while it is pending is the same verification; afterwards a new one', async () => {
    const userRef = newUser();
    const first = (await submit(type, NUMBER, userRef)).body.data;
    expect((await submit(type, NUMBER, userRef)).body.data).toEqual(first);
    expect((await submit(type, '33333333333', userRef)).body.data).not.toEqual(first);
    await until('the end of both', async () =>
      (await verificationsOf(userRef)).every((one: Json) => one.status === 'verified'),
    );
    expect((await submit(type, NUMBER, userRef)).body.data).not.toEqual(first);
    expect(await verificationsOf(userRef)).toHaveLength(3);
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    const body = { user_ref: 'ada', [type]: NUMBER };
    expect(await service.as(null).post(`/v1/kyc/${type}`, body)).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
  });

  test('an error in the guide envelope when the header asks for it', async () => {
    const answer = await partner.post(`/v1/kyc/${type}`, {}, { 'X-Response-Form': 'guide' });
    expect(answer.body).toEqual({
      error: {
        code: 'VALIDATION_ERROR',
        message: expect.stringContaining('user_ref'),
        http_status: 422,
        detail: { fields: ['user_ref', type].map((field) => ({ field, message: 'is required' })) },
      },
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });
});

interface Submitted {
  type: Type;
  number: string;
  userRef: string;
  id: string;
}

async function submitNew(type: Type, number: string): Promise<Submitted> {
  const userRef = newUser();
  const { body } = await submit(type, number, userRef);
  expect((await verificationsOf(userRef))[0]).toMatchObject({ status: 'pending', failure_reason: null });
  return { type, number, userRef, id: body.data.verification_id };
}

describe('sandbox: any 11-digit BVN or NIN verifies', () => {
  const NUMBERS: [type: Type, number: string][] = [
    ['bvn', '22222222222'],
    ['bvn', '99999999999'],
    ['bvn', '00000000004'],
    ['nin', '22222222222'],
    ['nin', '99999999999'],
    ['nin', '00000000000'],
    ['nin', '00000000001'],
    ['nin', '00000000002'],
    ['nin', '00000000003'],
  ];
  let submitted: Submitted[];
  beforeAll(async () => {
    submitted = await Promise.all(NUMBERS.map(([type, number]) => submitNew(type, number)));
  });

  test.each(NUMBERS)(
    '%s %s: `pending`, then `verified`, and the event `kyc.verified`',
    async (type, number) => {
      const { id, userRef } = submitted.find((one) => one.type === type && one.number === number)!;
      expect(await ended(userRef)).toMatchObject({ verification_id: id, type, status: 'verified' });
      const { data } = await hook.heard('kyc.verified', { verification_id: id });
      expect(data).toMatchObject({ user_ref: userRef, type, status: 'verified', subject: 'end_user' });
    },
  );
});

describe('sandbox: reserved BVN test values', () => {
  const RESERVED: [number: string, reason: string][] = [
    ['00000000000', 'BVN_NOT_FOUND'],
    ['00000000001', 'BVN_NOT_FOUND'],
    ['00000000002', 'NAME_MISMATCH'],
    ['00000000003', 'PROVIDER_UNAVAILABLE'],
  ];
  let submitted: Submitted[];
  beforeAll(async () => {
    submitted = await Promise.all(RESERVED.map(([number]) => submitNew('bvn', number)));
  });

  test.each(RESERVED)('bvn %s: `pending`, then `failed` for %s, and `kyc.failed`', async (number, reason) => {
    const { id, userRef } = submitted.find((one) => one.number === number)!;
    expect(await ended(userRef)).toMatchObject({
      verification_id: id,
      status: 'failed',
      failure_reason: reason,
      verified_at: null,
    });
    const { data } = await hook.heard('kyc.failed', { verification_id: id });
    expect(data).toMatchObject({ user_ref: userRef, type: 'bvn', status: 'failed', failure_reason: reason });
  });

  test('bvn 00000000003 stays pending longer than the others', async () => {
    const submittedAt = Date.now();
    const { userRef } = await submitNew('bvn', '00000000003');
    await ended(userRef);
    expect(Date.now() - submittedAt).toBeGreaterThanOrEqual(UNAVAILABLE_MS);
  });
});

describe('GET /v1/kyc/{userRef}/status', () => {
  test('response 200: { data: { user_ref, verifications: [KYC verification] } }', async () => {
    const userRef = newUser();
    const { verification_id: id } = (await submit('nin', NUMBER, userRef)).body.data;
    const pending = await partner.get(`/v1/kyc/${userRef}/status`);
    expect(pending.status).toBe(200);
    const verification = {
      verification_id: id,
      type: 'nin',
      status: 'pending',
      created_at: expect.stringMatching(TIMESTAMP),
      verified_at: null,
      failure_reason: null,
    };
    expect(pending.body).toEqual({
      data: { user_ref: userRef, verifications: [verification] },
      meta: { request_id: pending.headers.get('X-Request-Id') },
    });
    expect(await ended(userRef)).toEqual({
      ...verification,
      status: 'verified',
      verified_at: expect.stringMatching(TIMESTAMP),
    });
  });

  test('lists the newest first, both types, and never a number', async () => {
    const userRef = newUser();
    for (const type of ['bvn', 'nin', 'bvn'] as const) {
      await submit(type, NUMBER, userRef);
      await ended(userRef);
    }
    const { text } = await partner.get(`/v1/kyc/${userRef}/status`);
    const { verifications } = JSON.parse(text).data;
    expect(verifications.map(({ type }: Json) => type)).toEqual(['bvn', 'nin', 'bvn']);
    const times = verifications.map((one: Json) => Date.parse(one.created_at));
    expect(times).toEqual([...times].sort((one, other) => other - one));
    expect(text).not.toContain(NUMBER);
  });

  test('a `user_ref` with a slash and a space is found under its path spelling', async () => {
    const userRef = `shop 7/${randomUUID()}`;
    await submit('bvn', NUMBER, userRef);
    const answer = await partner.get(`/v1/kyc/${encodeURIComponent(userRef)}/status`);
    expect(answer).toMatchObject({ status: 200, body: { data: { user_ref: userRef } } });
  });

  test('a user with a wallet and no verification: 200 and an empty list', async () => {
    const userRef = newUser();
    await partner.post('/v1/wallets', { user_ref: userRef });
    expect((await partner.get(`/v1/kyc/${userRef}/status`)).body.data).toEqual({
      user_ref: userRef,
      verifications: [],
    });
  });

  test.each<[what: string, who: () => Promise<Client>, userRef: () => Promise<string>]>([
    ['a user that nobody named', () => Promise.resolve(partner), () => Promise.resolve(newUser())],
    ['another partner’s user', () => service.partner(), knownUser],
    ['a user of the sandbox, asked for in live', () => service.inLive(partner), knownUser],
  ])('%s: 404 NOT_FOUND', async (_what, who, userRef) => {
    const answer = await (await who()).get(`/v1/kyc/${await userRef()}/status`);
    expect(answer).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
  });

  test('the result of a verification comes after 1 to 2 seconds', async () => {
    const users = Array.from({ length: 3 }, newUser);
    const tookMs: number[] = [];
    for (const userRef of users) {
      await submit('bvn', NUMBER, userRef);
      const { created_at: createdAt, verified_at: verifiedAt } = await ended(userRef);
      tookMs.push(Date.parse(verifiedAt) - Date.parse(createdAt));
    }
    expect(Math.min(...tookMs)).toBeGreaterThanOrEqual(1_000);
    // Only the quickest is checked, because a busy machine delays the others.
    expect(Math.min(...tookMs)).toBeLessThanOrEqual(2_000);
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    const answer = await service.as(null).get(`/v1/kyc/${await knownUser()}/status`);
    expect(answer).toMatchObject({ status: 401, body: { error: 'INVALID_TOKEN' } });
  });
});

async function knownUser(): Promise<string> {
  const userRef = newUser();
  await submit('bvn', NUMBER, userRef);
  return userRef;
}
