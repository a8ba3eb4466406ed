/** Operators review a live record: the partner becomes active everywhere within five seconds (D37, D91, R19). */
import { valueOf } from '../support/outcomes';
import { makeKey } from '../../src/operations/partners/keys';
import { openCalls, type Calls, type Json } from '../support/calls';
import { submit, submitAll } from '../support/compliance';
import { approvedBy, type TestOperator } from '../support/operators';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';

let platform: SharedPlatform;
let url: string;
let operator: TestOperator;
let sandbox: Calls;
let live: Calls;

beforeAll(async () => {
  platform = await sharedPlatform();
  url = platform.url;
  operator = await platform.openOperator();
});
afterAll(() => platform.close());

beforeEach(async () => {
  sandbox = await platform.partner(url);
  const db = {
    query: async (text: string, values?: unknown[]) => ({ rows: await platform.sql(text, values) }),
  };
  const asked = {
    partnerId: sandbox.partnerId,
    environment: 'live',
    label: 'test',
    expiresAt: null,
  } as const;
  const { key } = valueOf(await makeKey(db as never, asked));
  live = openCalls(sandbox.partnerId, key, url);
});

const decide = (decision: string, body: object = {}, environment = 'live') =>
  operator.post(`/ops/${environment}/partners/${sandbox.partnerId}/compliance/${decision}`, body);
const statusIs = (status: string) =>
  until(`a partner that is ${status}`, async () => {
    const { data } = (await operator.get(`/ops/partners/${sandbox.partnerId}`)).body;
    return data.status === status;
  });

test('claim and approve in live make the partner active; in the sandbox they change nothing for the partner', async () => {
  await submitAll(sandbox);
  expect(await decide('approve', {}, 'sandbox')).toMatchObject({ status: 200 });
  await submitAll(live);
  await statusIs('pending_review');

  const claimed = await decide('claim');
  expect(claimed.body.data).toMatchObject({ overall_status: 'under_review', reviewer: operator.id });
  expect(claimed.body.data.directors).toMatchObject([
    { full_name: 'Ada Obi', role: 'CEO', bvn_given: false },
    { full_name: 'Bola Ade', nin_given: true },
  ]);
  expect(claimed.text).not.toContain('12345678901');

  const proposed = await decide('approve');
  expect(proposed).toMatchObject({
    status: 202,
    body: { data: { terms: { warnings: ['2 of 2 directors are not verified'] } } },
  });
  expect(await approvedBy(proposed, await platform.openOperator())).toMatchObject({
    status: 200,
    body: { data: { status: 'applied', proposed_by: operator.name } },
  });
  await statusIs('active');
  await until(
    'a live wallet that may be made',
    async () => {
      const made = await live.post('/v1/wallets', { user_ref: 'ada' });
      return [202, 409].includes(made.status);
    },
    5_000,
  );

  expect((await decide('suspend', { reason: 'A complaint' })).body.data.overall_status).toBe('suspended');
  await statusIs('suspended');
  const lifted = await decide('reinstate');
  expect(lifted).toMatchObject({
    status: 202,
    body: { data: { kind: 'reinstate_compliance', status: 'proposed' } },
  });
  expect(await approvedBy(lifted, await platform.openOperator())).toMatchObject({
    status: 200,
    body: { data: { status: 'applied' } },
  });
  await statusIs('active');
  expect(await decide('claim')).toMatchObject({ status: 422, body: { error: 'INVALID_COMPLIANCE_STATE' } });
});

test('a reviewer sees what became of each director’s verification, and is warned of the unverified ones', async () => {
  const directors = [
    { full_name: 'Ada Obi', role: 'CEO', bvn: '22222222222' },
    { full_name: 'Bola Ade', role: 'CTO', bvn: '00000000000' },
    { full_name: 'Chidi Eze', role: 'CFO', nin: '12345678901' },
  ];
  await submitAll(live);
  await submit(live, 'directors', { directors });
  const path = `/ops/live/partners/${sandbox.partnerId}/compliance`;
  expect(await operator.get(path)).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  const record = await until('the end of both verifications', async () => {
    const { data } = (await operator.get(`${path}?reason=Review%20of%20the%20record`)).body;
    const all = data.directors.flatMap((one: Json) => one.verifications);
    return all.length === 2 && all.every((one: Json) => one.status !== 'pending') && data;
  });
  expect(record.directors).toMatchObject([
    {
      full_name: 'Ada Obi',
      verifications: [{ type: 'bvn', status: 'verified', failure_reason: null, meaning: null }],
    },
    {
      full_name: 'Bola Ade',
      verifications: [
        { type: 'bvn', status: 'failed', failure_reason: 'BVN_NOT_FOUND', meaning: 'Nobody has this BVN' },
      ],
    },
    { full_name: 'Chidi Eze', nin_given: true, verifications: [] },
  ]);
  expect(record.directors[0].verifications[0].verified_at).not.toBeNull();
  expect(record.warnings).toEqual(['2 of 3 directors are not verified']);
  const text = JSON.stringify(record);
  expect(directors.filter(({ bvn, nin }) => text.includes(bvn ?? nin))).toEqual([]);
});

test('one operator alone does not approve live compliance, nor two a record that has changed since', async () => {
  const other = await platform.openOperator();
  await submitAll(live);
  await statusIs('pending_review');
  const stale = await decide('approve');
  expect(await approvedBy(stale, operator)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
  await submit(live, 'business', { cac_number: 'RC654321', business_type: 'llc' });
  expect(await approvedBy(stale, other)).toMatchObject({
    status: 422,
    body: { error: 'INVALID_COMPLIANCE_STATE', message: 'The record has changed since it was read' },
  });
  const { data } = (await operator.get(`/ops/partners/${sandbox.partnerId}`)).body;
  expect(data.status).toBe('pending_review');

  const fresh = await decide('approve');
  expect(await approvedBy(fresh, other)).toMatchObject({ status: 200 });
  // The same approval again, as after a lost answer.
  expect(await approvedBy(fresh, other)).toMatchObject({
    status: 200,
    body: { data: { status: 'applied' } },
  });
  await statusIs('active');
});

test('a rejection needs a reason, which the partner reads', async () => {
  await submitAll(live);
  await statusIs('pending_review');
  expect(await decide('reject')).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  expect(await decide('reject', { reason: 'CAC number is unknown' })).toMatchObject({ status: 200 });
  await statusIs('registered');
  const { data } = (await live.get('/v1/partner/compliance/status')).body;
  expect(data).toMatchObject({ overall_status: 'rejected', rejection_reason: 'CAC number is unknown' });
});
