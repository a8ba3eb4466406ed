/**
 * A partner's compliance on a real Temporal: from nothing to approved, and back (interface: Partner
 * compliance; D37-D40, D89, D90, D139).
 */
import { reviewCompliance } from '../../src/operations/partners/compliance';
import { startOptions } from '../../src/relay/start-options';
import { searchAttributes } from '../../src/contract/messages';
import { kybIntention } from '../../src/contract/intentions';
import type { Environment } from '../../src/runtime/environment';
import type { Calls, Json } from '../support/calls';
import { complianceOf, NOTHING_SUBMITTED, review, STEPS, submit, submitAll } from '../support/compliance';
import { historyText } from '../support/histories';
import { openReceiver } from '../support/receiver';
import { sharedEnvironments, type SharedEnvironments } from '../support/shared-environments';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let platform: SharedPlatform;
let url: string;
let environments: SharedEnvironments;
let live: Environment;

beforeAll(async () => {
  platform = await sharedPlatform();
  ({ url } = platform);
  environments = await sharedEnvironments();
  ({ live } = environments);
});
afterAll(async () => {
  await environments.close();
  await platform.close();
});

const submitted = async (): Promise<Calls> => {
  const partner = await platform.partner(url);
  await submitAll(partner);
  return partner;
};
const movesOf = (partner: Calls) =>
  platform.sql(
    `SELECT m.trigger, m.from_status, m.to_status, r.actor, r.content->>'reason' AS reason
       FROM ${SANDBOX_CELL}.compliance_moves m JOIN ${SANDBOX_CELL}.compliance_requests r ON r.id = m.request_id
      WHERE m.partner_id = $1 ORDER BY m.sequence`,
    [partner.partnerId],
  );
const partnerStatus = async (partner: Calls): Promise<string> =>
  (await platform.sql('SELECT status FROM platform.partners WHERE id = $1', [partner.partnerId]))[0]?.[
    'status'
  ];

test('a submitted record needs the attention of a person until somebody has decided', async () => {
  const partner = await submitted();
  const { workflow } = environments.sandbox.temporal;
  const needsAttention = async (): Promise<boolean> => {
    const { typedSearchAttributes } = await workflow.getHandle(`kyb/${partner.partnerId}`).describe();
    return typedSearchAttributes.get(searchAttributes.needsAttention) ?? false;
  };
  const becomes = (needed: boolean) =>
    until(`attention: ${String(needed)}`, async () => (await needsAttention()) === needed);
  await becomes(true);
  await review(partner, 'claim');
  expect(await needsAttention()).toBe(true);
  await review(partner, 'approve');
  await becomes(false);
});

test('each step shows in the record, and the last one submits it', async () => {
  const partner = await platform.partner(url);
  const expected: Json = structuredClone(NOTHING_SUBMITTED);
  expect(await complianceOf(partner)).toEqual(expected);

  await submit(partner, 'business');
  Object.assign(expected, { cac_number: 'RC123456', business_type: 'llc' });
  expected.steps.business_info = true;
  expect(await complianceOf(partner)).toEqual(expected);

  await submit(partner, 'directors');
  expected.directors_submitted_at = expect.stringMatching(/^\d{4}-.*Z$/);
  expected.steps.directors = true;
  expect(await complianceOf(partner)).toEqual(expected);

  await submit(partner, 'agreements');
  for (const what of ['terms', 'aml_policy', 'dpa']) expected[`${what}_accepted_at`] = expect.any(String);
  expected.steps.agreements = true;
  expected.terms_version = '2026-01';
  expect(await complianceOf(partner)).toEqual(expected);

  await submit(partner, 'use-case');
  expected.use_case_description = STEPS['use-case'].description;
  expected.steps.use_case = true;
  expected.overall_status = 'submitted';
  expect(await complianceOf(partner)).toEqual(expected);
  // The sandbox's record moves nothing outside the sandbox.
  expect(await partnerStatus(partner)).toBe('registered');
});

test('a use case before the other steps is stored, and submits when it comes again after them', async () => {
  const partner = await platform.partner(url);
  for (const step of ['use-case', 'business', 'directors', 'agreements'] as const)
    await submit(partner, step);
  expect(await complianceOf(partner)).toMatchObject({
    overall_status: 'incomplete',
    steps: { business_info: true, directors: true, agreements: true, use_case: true },
  });
  await submit(partner, 'use-case');
  expect(await complianceOf(partner)).toMatchObject({ overall_status: 'submitted' });
});

test('twenty use cases at once as the last step submit once', async () => {
  const partner = await platform.partner(url);
  for (const step of ['business', 'directors', 'agreements'] as const) await submit(partner, step);
  const answers = await Promise.all(Array.from({ length: 20 }, () => submit(partner, 'use-case')));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect(await complianceOf(partner)).toMatchObject({ overall_status: 'submitted' });
  const moves = await movesOf(partner);
  expect(moves.filter(({ trigger }) => trigger === 'submit')).toHaveLength(1);
  expect(moves.filter(({ trigger }) => trigger === 'edit')).toHaveLength(3 + 19);
});

test('sixty-four steps at once on one partner are all accepted, which is more than Temporal admits at once', async () => {
  const partner = await platform.partner(url);
  const answers = await Promise.all(Array.from({ length: 64 }, () => submit(partner, 'business')));
  expect(answers.map(({ status, text }) => [status, text])).toEqual(
    answers.map(() => [200, '{"status":"ok"}']),
  );
  expect(await movesOf(partner)).toHaveLength(64);
});

test('claimed, then approved, suspended and reinstated; every move is kept with its actor and its reason', async () => {
  const partner = await submitted();
  for (const [decision, after] of [
    ['claim', 'under_review'],
    ['approve', 'approved'],
    ['suspend', 'suspended'],
    ['reinstate', 'approved'],
  ] as const) {
    const answer = await review(partner, decision, `because of ${decision}`);
    expect(answer).toMatchObject({ status: 200, body: { data: { overall_status: after } } });
    expect(answer.body.data).toEqual(await complianceOf(partner));
    expect(await submit(partner, 'business')).toMatchObject({
      status: 422,
      body: { error: 'COMPLIANCE_LOCKED' },
    });
  }
  expect((await movesOf(partner)).slice(3)).toEqual([
    { trigger: 'submit', from_status: 'incomplete', to_status: 'submitted', actor: 'partner', reason: null },
    ...[
      ['claim', 'submitted', 'under_review'],
      ['approve', 'under_review', 'approved'],
      ['suspend', 'approved', 'suspended'],
      ['reinstate', 'suspended', 'approved'],
    ].map(([trigger, from_status, to_status]) => ({
      trigger,
      from_status,
      to_status,
      actor: 'sandbox',
      reason: `because of ${trigger}`,
    })),
  ]);
});

test('rejected, corrected and submitted again: the reason stays until the new submission', async () => {
  const partner = await submitted();
  expect((await review(partner, 'reject', 'The CAC number is another company’s')).body.data).toMatchObject({
    overall_status: 'rejected',
    rejection_reason: 'The CAC number is another company’s',
  });
  await submit(partner, 'business', { cac_number: 'BN98765', business_type: 'sole_prop' });
  expect(await complianceOf(partner)).toMatchObject({
    overall_status: 'incomplete',
    rejection_reason: 'The CAC number is another company’s',
    cac_number: 'BN98765',
  });
  await submit(partner, 'use-case');
  expect(await complianceOf(partner)).toMatchObject({ overall_status: 'submitted', rejection_reason: null });

  await review(partner, 'reject');
  expect(await complianceOf(partner)).toMatchObject({ rejection_reason: 'Not specified' });
  await submit(partner, 'use-case');
  expect(await complianceOf(partner)).toMatchObject({ overall_status: 'submitted', rejection_reason: null });
});

test('the live record moves the partner: pending_review, registered, active within five seconds, suspended', async () => {
  const partner = await platform.partner(url);
  const inLive = await platform.inLive(partner, url);
  const tenant = { environment: live, ...(await live.partner(partner.partnerId)) };
  const decide = (decision: 'claim' | 'approve' | 'reject' | 'suspend' | 'reinstate') =>
    reviewCompliance(tenant, decision, null, 'operator-1');
  const create = () => inLive.post('/v1/wallets', { user_ref: 'first' });

  await submitAll(partner);
  await review(partner, 'approve');
  expect(await partnerStatus(partner)).toBe('registered');
  expect((await review(inLive, 'approve')).body).toMatchObject({ error: 'SANDBOX_ONLY' });

  await submitAll(inLive);
  expect(await partnerStatus(partner)).toBe('pending_review');
  await decide('reject');
  expect(await partnerStatus(partner)).toBe('registered');
  await submit(inLive, 'use-case');
  expect(await partnerStatus(partner)).toBe('pending_review');
  expect(await create()).toMatchObject({ status: 403, body: { error: 'PARTNER_NOT_ACTIVE' } });

  expect(await decide('approve')).toMatchObject({ ok: true, value: { status: 'approved' } });
  expect(await partnerStatus(partner)).toBe('active');
  await until('a wallet in live', async () => (await create()).status === 202, 5_000);

  await decide('suspend');
  expect(await partnerStatus(partner)).toBe('suspended');
  await until('live to be closed for writing', async () => (await create()).status === 403, 5_000);
  expect((await inLive.get('/v1/partner/compliance/status')).body.data.overall_status).toBe('suspended');
  await decide('reinstate');
  expect(await partnerStatus(partner)).toBe('active');
});

test('decisions at the same moment: one wins, and every caller is answered with its result', async () => {
  const partner = await submitted();
  const answers = await Promise.all(
    ['approve', 'reject', 'approve', 'reject'].map((decision) => review(partner, decision)),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422]);
  const won = answers.find(({ status }) => status === 200)!;
  expect((await complianceOf(partner)).overall_status).toBe(won.body.data.overall_status);
  for (const { status, body } of answers)
    if (status === 422) expect(body.error).toBe('INVALID_COMPLIANCE_STATE');
});

test('a terminated entity workflow is started again by the next step, with the present record', async () => {
  const partner = await submitted();
  await review(partner, 'claim');
  await platform.operator.workflow.getHandle(`kyb/${partner.partnerId}`).terminate('by the test');
  expect(await review(partner, 'approve')).toMatchObject({
    status: 200,
    body: { data: { overall_status: 'approved' } },
  });
  const handle = platform.operator.workflow.getHandle(`kyb/${partner.partnerId}`);
  expect(await handle.query('state')).toBe('approved');
});

test('an entity with a long history continues as a new run, and no step is lost', async () => {
  const partner = await platform.partner(url);
  const intention = kybIntention(partner.partnerId);
  const short = { ...intention, input: { ...intention.input, historyMax: 60 } };
  const handle = await platform.operator.workflow.start(
    intention.workflowType,
    startOptions(short, live.taskQueue),
  );
  for (let round = 0; round < 6; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        submit(partner, 'business', { cac_number: `RC1000${round}${n}`, business_type: 'ngo' }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  }
  expect(await movesOf(partner)).toHaveLength(30);
  const latest = await platform.operator.workflow.getHandle(handle.workflowId).describe();
  expect(latest.status.name).toBe('RUNNING');
  expect(latest.runId).not.toBe(handle.firstExecutionRunId);
  expect(latest.historyLength).toBeLessThan(150);
});

test('an operator can read the entity in Temporal', async () => {
  const partner = await submitted();
  await review(partner, 'claim');
  const handle = platform.operator.workflow.getHandle(`kyb/${partner.partnerId}`);
  expect(await handle.query('__temporal_workflow_metadata')).toMatchObject({
    currentDetails: expect.stringMatching(/under_review[^]*☑ business_info[^]*Reviewer: sandbox/),
  });
});

test('a director’s BVN is verified later and reported by an event; the step is complete whatever the result', async () => {
  const partner = await platform.partner(url);
  const receiver = await openReceiver();
  await partner.post('/v1/webhooks', { url: receiver.url, events: ['kyc.verified', 'kyc.failed'] });
  const directors = [
    { full_name: 'Ada Obi', role: 'CEO', bvn: '22222222222', nin: '33333333333' },
    { full_name: 'Bola Ade', role: 'CTO', bvn: '00000000000' },
    { full_name: 'Chidi Eze', role: 'COO', nin: '44444444444' },
  ];
  await submit(partner, 'directors', { directors });
  const told = await until('both events', () => receiver.deliveries.length >= 2 && receiver.deliveries);
  const rows = await platform.sql(
    `SELECT id, full_name FROM ${SANDBOX_CELL}.directors WHERE partner_id = $1 ORDER BY position`,
    [partner.partnerId],
  );
  const common = { user_ref: null, type: 'bvn', subject: 'director', verification_id: expect.any(String) };
  expect(new Map(told.map(({ body }) => [body.event, body.data]))).toEqual(
    new Map([
      [
        'kyc.verified',
        { ...common, director_id: rows[0]!['id'], status: 'verified', verified_at: expect.any(String) },
      ],
      [
        'kyc.failed',
        { ...common, director_id: rows[1]!['id'], status: 'failed', failure_reason: 'BVN_NOT_FOUND' },
      ],
    ]),
  );
  expect((await complianceOf(partner)).steps.directors).toBe(true);

  await submit(partner, 'directors', { directors: directors.slice(0, 1) });
  await until('the event of the new list', () => receiver.deliveries.length === 3);
  expect(receiver.deliveries[2]!.body.data.director_id).not.toBe(rows[0]!['id']);
  await receiver.close();

  const history = await platform.operator.workflow.getHandle(`kyb/${partner.partnerId}`).fetchHistory();
  const text = historyText(history);
  expect(text).toContain(partner.partnerId);
  for (const { full_name: name, ...numbers } of directors) {
    for (const secret of [name, ...Object.values(numbers)]) expect(text).not.toContain(secret);
  }
});
