/** The published interface (interface: Partner compliance), with its record and its states, line by line. */
import {
  complianceOf,
  NOTHING_SUBMITTED,
  review,
  STEP_NAMES,
  STEPS,
  submit,
  submitAll,
  type Step,
} from '../support/compliance';
import { openService, type Client, type Service } from './client';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ADA = { full_name: 'Ada Obi', role: 'CEO' };

let service: Service;
beforeAll(async () => {
  service = await openService();
});
afterAll(() => service.close());

/** A partner that has taken all steps except the given ones. */
async function partnerWith(...leftOut: Step[]): Promise<Client> {
  const partner = await service.partner();
  await submitAll(partner, ...leftOut);
  return partner;
}

describe('GET /v1/partner/compliance/status', () => {
  test('returns the compliance record and step completion: 200 { data: ComplianceStatus }', async () => {
    const partner = await service.partner();
    const answer = await partner.get('/v1/partner/compliance/status');
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      data: NOTHING_SUBMITTED,
      meta: { request_id: answer.headers.get('X-Request-Id') },
    });
  });

  test('a record with every step', async () => {
    expect(await complianceOf(await partnerWith())).toEqual({
      overall_status: 'submitted',
      cac_number: 'RC123456',
      business_type: 'llc',
      terms_version: '2026-01',
      rejection_reason: null,
      steps: { business_info: true, directors: true, agreements: true, use_case: true },
      directors_submitted_at: expect.stringMatching(TIMESTAMP),
      terms_accepted_at: expect.stringMatching(TIMESTAMP),
      aml_policy_accepted_at: expect.stringMatching(TIMESTAMP),
      dpa_accepted_at: expect.stringMatching(TIMESTAMP),
      use_case_description: STEPS['use-case'].description,
    });
  });

  test('records are per partner and environment', async () => {
    const partner = await partnerWith();
    expect((await complianceOf(await service.inLive(partner))).overall_status).toBe('incomplete');
    expect((await complianceOf(await service.partner())).overall_status).toBe('incomplete');
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    expect(await service.as(null).get('/v1/partner/compliance/status')).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
  });
});

describe.each(STEP_NAMES)('POST /v1/partner/compliance/%s', (step) => {
  test('200 { status: "ok" }, and nothing else', async () => {
    const answer = await submit(await service.partner(), step);
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
  });

  test('completes its own step alone', async () => {
    const partner = await service.partner();
    await submit(partner, step);
    const { steps, overall_status: status } = await complianceOf(partner);
    expect(steps).toEqual({
      business_info: step === 'business',
      directors: step === 'directors',
      agreements: step === 'agreements',
      use_case: step === 'use-case',
    });
    expect(status).toBe('incomplete');
  });

  test('no token: 401 INVALID_TOKEN', async () => {
    expect(await submit(service.as(null), step)).toMatchObject({
      status: 401,
      body: { error: 'INVALID_TOKEN' },
    });
  });

  test('422 VALIDATION_ERROR leaves the step as it was', async () => {
    const partner = await service.partner();
    expect(await submit(partner, step, {})).toMatchObject({
      status: 422,
      body: { error: 'VALIDATION_ERROR' },
    });
    expect(Object.values((await complianceOf(partner)).steps)).toEqual([false, false, false, false]);
  });
});

const accepted = (step: Step, rows: [line: string, body: unknown][]) => {
  test.each(rows)('%s: 200', async (_line, body) => {
    expect((await submit(await service.partner(), step, body)).text).toBe('{"status":"ok"}');
  });
};
const refused = (step: Step, rows: [line: string, body: unknown, names: string][]) => {
  test.each(rows)('%s: 422 VALIDATION_ERROR', async (_line, body, names) => {
    const answer = await submit(await service.partner(), step, body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(names);
  });
};
const withCac = (number: unknown) => ({ ...STEPS.business, cac_number: number });
const withType = (type: unknown) => ({ ...STEPS.business, business_type: type });
const withDirector = (more: object) => ({ directors: [{ ...ADA, ...more }] });

describe('business', () => {
  accepted('business', [
    ['RC and 5 digits', withCac('RC12345')],
    ['RC and 8 digits', withCac('RC12345678')],
    ['BN and 6 digits', withCac('BN123456')],
    ['IT and 7 digits', withCac('IT1234567')],
    ['llc', withType('llc')],
    ['sole_prop', withType('sole_prop')],
    ['ngo', withType('ngo')],
    ['partnership', withType('partnership')],
  ]);
  refused('business', [
    ['`cac_number` required', { business_type: 'llc' }, 'cac_number'],
    ['RC and 4 digits', withCac('RC1234'), 'cac_number'],
    ['RC and 9 digits', withCac('RC123456789'), 'cac_number'],
    ['another prefix', withCac('LP12345'), 'cac_number'],
    ['no prefix', withCac('12345'), 'cac_number'],
    ['a letter among the digits', withCac('RC1234A'), 'cac_number'],
    ['`business_type` required', { cac_number: 'RC12345' }, 'business_type'],
    ['another type', withType('plc'), 'business_type'],
  ]);

  test('may be resubmitted to correct mistakes', async () => {
    const partner = await service.partner();
    await submit(partner, 'business');
    await submit(partner, 'business', { cac_number: 'BN76543', business_type: 'sole_prop' });
    expect(await complianceOf(partner)).toMatchObject({ cac_number: 'BN76543', business_type: 'sole_prop' });
  });
});

describe('directors', () => {
  accepted('directors', [
    ['one director', { directors: [ADA] }],
    ['50 directors', { directors: Array.from({ length: 50 }, () => ADA) }],
    ['`bvn` and `nin` of 11 digits', withDirector({ bvn: '22222222222', nin: '33333333333' })],
    ['`bvn` and `nin` null are left out', withDirector({ bvn: null, nin: null })],
  ]);
  refused('directors', [
    ['`directors` required', {}, 'directors'],
    ['`directors` an array', { directors: ADA }, 'directors'],
    ['at least 1', { directors: [] }, 'directors'],
    ['51 directors', { directors: Array.from({ length: 51 }, () => ADA) }, 'directors'],
    ['`full_name` required', { directors: [{ role: 'CEO' }] }, 'full_name'],
    ['`role` required', { directors: [{ full_name: 'Ada Obi' }] }, 'role'],
    ['`bvn` of 10 digits', withDirector({ bvn: '2222222222' }), 'bvn'],
    ['`bvn` of 12 digits', withDirector({ bvn: '222222222222' }), 'bvn'],
    ['`nin` of 10 digits', withDirector({ nin: '3333333333' }), 'nin'],
    ['`nin` of 12 digits', withDirector({ nin: '333333333333' }), 'nin'],
    ['the second director without a role', { directors: [ADA, { full_name: 'Bola Ade' }] }, 'role'],
  ]);

  test('BVN verification runs asynchronously and reports through `kyc.verified`; a failure through `kyc.failed`', async () => {
    const partner = await service.partner();
    const hook = await partner.listen(['kyc.verified', 'kyc.failed']);
    const directors = [
      { ...ADA, bvn: '22222222222', nin: '33333333333' },
      { full_name: 'Bola Ade', role: 'CTO', bvn: '00000000000' },
      { full_name: 'Chidi Eze', role: 'COO', nin: '44444444444' },
    ];
    expect((await submit(partner, 'directors', { directors })).text).toBe('{"status":"ok"}');
    const verified = await hook.heard('kyc.verified', { subject: 'director' });
    expect(verified.data).toMatchObject({ user_ref: null, type: 'bvn', status: 'verified' });
    const failed = await hook.heard('kyc.failed', { subject: 'director' });
    expect(failed.data).toMatchObject({ user_ref: null, type: 'bvn', failure_reason: 'BVN_NOT_FOUND' });
    expect(failed.data.director_id).not.toBe(verified.data.director_id);
    // The NIN of the third director is stored and not verified, and the step stays complete.
    expect(hook.deliveries).toHaveLength(2);
    expect((await complianceOf(partner)).steps.directors).toBe(true);
    for (const { text } of hook.deliveries) expect(text).not.toMatch(/22222222222|33333333333|00000000000/);
  });

  test('each submission replaces the list', async () => {
    const partner = await service.partner();
    await submit(partner, 'directors');
    const first = (await complianceOf(partner)).directors_submitted_at;
    await submit(partner, 'directors', { directors: [ADA, ADA] });
    expect(Date.parse((await complianceOf(partner)).directors_submitted_at)).toBeGreaterThan(
      Date.parse(first),
    );
  });
});

describe('agreements', () => {
  refused('agreements', [
    ['`terms` required', { aml_policy: true, dpa: true }, 'terms'],
    ['`aml_policy` required', { terms: true, dpa: true }, 'aml_policy'],
    ['`dpa` required', { terms: true, aml_policy: true }, 'dpa'],
    ['`terms` must be true', { ...STEPS.agreements, terms: false }, 'terms'],
    ['`aml_policy` must be true', { ...STEPS.agreements, aml_policy: false }, 'aml_policy'],
    ['`dpa` must be true', { ...STEPS.agreements, dpa: false }, 'dpa'],
    ['a boolean, not the text of one', { ...STEPS.agreements, dpa: 'true' }, 'dpa'],
  ]);

  test('all three are accepted simultaneously', async () => {
    const partner = await service.partner();
    await submit(partner, 'agreements');
    const { terms_accepted_at: terms, ...record } = await complianceOf(partner);
    expect(terms).toMatch(TIMESTAMP);
    expect(record).toMatchObject({ aml_policy_accepted_at: terms, dpa_accepted_at: terms });
    expect(record.terms_version).toBe('2026-01');
  });
});

describe('use-case', () => {
  accepted('use-case', [
    ['20 characters', { description: 'x'.repeat(20) }],
    ['5,000 characters', { description: 'x'.repeat(5_000) }],
  ]);
  refused('use-case', [
    ['`description` required', {}, 'description'],
    ['`description` a string', { description: 20 }, 'description'],
    ['19 characters', { description: 'x'.repeat(19) }, 'description'],
    ['19 characters between spaces', { description: ` ${'x'.repeat(19)} ` }, 'description'],
    ['5,001 characters', { description: 'x'.repeat(5_001) }, 'description'],
  ]);
});

describe('`incomplete`, submit use case, all other three steps complete: `submitted`', () => {
  test('the use case as the last step submits', async () => {
    const partner = await partnerWith('use-case');
    expect((await complianceOf(partner)).overall_status).toBe('incomplete');
    await submit(partner, 'use-case');
    expect((await complianceOf(partner)).overall_status).toBe('submitted');
  });

  test.each<Step>(['business', 'directors', 'agreements'])(
    'without %s it is stored and does not submit; posted again after that step it does',
    async (missing) => {
      const partner = await partnerWith(missing);
      expect(await complianceOf(partner)).toMatchObject({
        overall_status: 'incomplete',
        steps: { use_case: true },
      });
      await submit(partner, missing);
      expect((await complianceOf(partner)).overall_status).toBe('incomplete');
      await submit(partner, 'use-case');
      expect((await complianceOf(partner)).overall_status).toBe('submitted');
    },
  );
});

describe('after `submitted`', () => {
  test.each<[decisions: string[], after: string]>([
    [['claim'], 'under_review'],
    [['approve'], 'approved'],
    [['reject'], 'rejected'],
    [['claim', 'approve'], 'approved'],
    [['claim', 'reject'], 'rejected'],
    [['approve', 'suspend'], 'suspended'],
    [['approve', 'suspend', 'reinstate'], 'approved'],
  ])('%j: `%s`', async (decisions, after) => {
    const partner = await partnerWith();
    for (const decision of decisions) expect((await review(partner, decision)).status).toBe(200);
    expect((await complianceOf(partner)).overall_status).toBe(after);
  });

  test('steps can be edited in `submitted`, which stays', async () => {
    const partner = await partnerWith();
    await submit(partner, 'business', { ...STEPS.business, business_type: 'ngo' });
    expect(await complianceOf(partner)).toMatchObject({ overall_status: 'submitted', business_type: 'ngo' });
  });

  test.each<[state: string, decisions: string[]]>([
    ['under_review', ['claim']],
    ['approved', ['approve']],
    ['suspended', ['approve', 'suspend']],
  ])('in `%s` every step is 422 COMPLIANCE_LOCKED', async (_state, decisions) => {
    const partner = await partnerWith();
    for (const decision of decisions) await review(partner, decision);
    for (const step of STEP_NAMES) {
      expect(await submit(partner, step)).toMatchObject({
        status: 422,
        body: { error: 'COMPLIANCE_LOCKED' },
      });
    }
  });

  test('`rejected` gives its reason; a corrected step leads to `incomplete`, the use case to `submitted`', async () => {
    const partner = await partnerWith();
    await review(partner, 'reject', 'The CAC number is unknown');
    expect(await complianceOf(partner)).toMatchObject({
      overall_status: 'rejected',
      rejection_reason: 'The CAC number is unknown',
    });
    await submit(partner, 'business', { ...STEPS.business, cac_number: 'RC654321' });
    expect((await complianceOf(partner)).overall_status).toBe('incomplete');
    await submit(partner, 'use-case');
    expect(await complianceOf(partner)).toMatchObject({
      overall_status: 'submitted',
      rejection_reason: null,
    });
  });

  test('a rejection without a reason: "Not specified"', async () => {
    const partner = await partnerWith();
    await review(partner, 'reject');
    expect((await complianceOf(partner)).rejection_reason).toBe('Not specified');
  });
});

test('a live key cannot play the reviewer: 403 SANDBOX_ONLY', async () => {
  const live = await service.inLive(await service.partner());
  expect(await review(live, 'approve')).toMatchObject({ status: 403, body: { error: 'SANDBOX_ONLY' } });
});

test('the approval of the live record lets the partner work in live', async () => {
  const live = await service.inLive(await service.partner());
  const create = () => live.post('/v1/wallets', { user_ref: 'first' });
  expect(await create()).toMatchObject({ status: 403, body: { error: 'PARTNER_NOT_ACTIVE' } });
  await service.letIntoLive(live);
  expect((await create()).status).toBe(202);
});
