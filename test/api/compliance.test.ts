/**
 * Compliance over HTTP while Temporal is away: reading, and every refusal that comes before it (interface: Partner
 * compliance; D40, D90, D126, D139, D152).
 */
import { freshCompliance, type ComplianceStatus } from '../../src/domain/compliance';
import { writeCompliance } from '../../src/wire/compliance';
import { NOTHING_SUBMITTED, STEP_NAMES, STEPS, type Step } from '../support/compliance';
import type { TestPartner } from '../support/partners';
import { apiForFile, partnerForFile } from '../support/scene';
import { SANDBOX_CELL } from '../setup/cells';

const { world, api } = apiForFile();
const partner = partnerForFile(api);

const path = (step: Step) => `/v1/partner/compliance/${step}`;
const STATUS = '/v1/partner/compliance/status';
const REVIEWS = ['/sandbox/compliance/review', '/v1/sandbox/compliance/review'];

/** A partner whose record is in `status` already. */
async function inStatus(status: ComplianceStatus): Promise<TestPartner> {
  const other = await api.partner();
  await world.sql(`INSERT INTO ${SANDBOX_CELL}.compliance_records (partner_id, status) VALUES ($1, $2)`, [
    other.id,
    status,
  ]);
  return other;
}

test('GET status of a partner that has submitted nothing', async () => {
  const answer = await partner.get(STATUS);
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({
    data: NOTHING_SUBMITTED,
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
  expect(answer.body.data).toEqual(writeCompliance(freshCompliance(partner.id)));
});

test('GET status works in live before the partner is active, and for a suspended one', async () => {
  for (const status of ['registered', 'suspended'] as const) {
    const live = await api.partner({ environment: 'live', status });
    expect((await live.get(STATUS)).status).toBe(200);
  }
});

const director = { full_name: 'Ada Obi', role: 'CEO' };
const one = (more: object) => ({ directors: [{ ...director, ...more }] });
const { business, agreements } = STEPS;
const BAD: [step: Step, what: string, body: unknown, field: string][] = [
  ...['RC1234', 'RC123456789', 'rc12345', 'XX12345', 'RC12 345', 'RC１２３４５', '12345', 'RC', ''].map(
    (cac_number): [Step, string, unknown, string] => [
      'business',
      `cac_number ${JSON.stringify(cac_number)}`,
      { ...business, cac_number },
      'cac_number',
    ],
  ),
  ['business', 'cac_number with a line break', { ...business, cac_number: 'RC12345\n' }, 'cac_number'],
  ['business', 'cac_number a number', { ...business, cac_number: 12345 }, 'cac_number'],
  ['business', 'no cac_number', { business_type: 'llc' }, 'cac_number'],
  ['business', 'no business_type', { cac_number: 'RC12345' }, 'business_type'],
  ['business', 'business_type null', { ...business, business_type: null }, 'business_type'],
  ['business', 'business_type plc', { ...business, business_type: 'plc' }, 'business_type'],
  ['business', 'business_type LLC', { ...business, business_type: 'LLC' }, 'business_type'],
  ['directors', 'no directors', {}, 'directors'],
  ['directors', 'directors null', { directors: null }, 'directors'],
  ['directors', 'an empty list', { directors: [] }, 'directors'],
  ['directors', 'an object', { directors: director }, 'directors'],
  ['directors', 'a list of texts', { directors: ['Ada Obi'] }, 'directors'],
  ['directors', '51 directors', { directors: Array.from({ length: 51 }, () => director) }, 'directors'],
  ['directors', 'no full_name', { directors: [{ role: 'CEO' }] }, 'full_name'],
  ['directors', 'a blank full_name', one({ full_name: '  ' }), 'full_name'],
  ['directors', 'a full_name of 201 characters', one({ full_name: 'a'.repeat(201) }), 'full_name'],
  ['directors', 'a full_name with a NUL', one({ full_name: 'Ada\u0000' }), 'full_name'],
  ['directors', 'a full_name with a line break', one({ full_name: 'Ada\nObi' }), 'full_name'],
  ['directors', 'a full_name that is a number', one({ full_name: 1 }), 'full_name'],
  ['directors', 'no role', { directors: [{ full_name: 'Ada Obi' }] }, 'role'],
  ['directors', 'an empty role', one({ role: '' }), 'role'],
  ...(['bvn', 'nin'] as const).flatMap((number) =>
    ['1234567890', '123456789012', '1234567890a', '١٢٣٤٥٦٧٨٩٠١', '12345678901\n', '', 12345678901].map(
      (value): [Step, string, unknown, string] => [
        'directors',
        `${number} ${JSON.stringify(value)}`,
        one({ [number]: value }),
        number,
      ],
    ),
  ),
  ...(['terms', 'aml_policy', 'dpa'] as const).flatMap((key) =>
    [false, null, undefined, 'true', 1].map((value): [Step, string, unknown, string] => [
      'agreements',
      `${key} ${JSON.stringify(value)}`,
      { ...agreements, [key]: value },
      key,
    ]),
  ),
  ['use-case', 'no description', {}, 'description'],
  ['use-case', 'description null', { description: null }, 'description'],
  ['use-case', '19 characters', { description: 'a'.repeat(19) }, 'description'],
  ['use-case', '19 characters and blanks', { description: ` ${'a'.repeat(19)}   ` }, 'description'],
  ['use-case', '5,001 characters', { description: 'a'.repeat(5_001) }, 'description'],
  ['use-case', 'a NUL', { description: `${'a'.repeat(30)}\u0000` }, 'description'],
  ['use-case', 'a lone surrogate', { description: `${'a'.repeat(30)}\ud800` }, 'description'],
  ['use-case', 'a number', { description: 1e30 }, 'description'],
  ['use-case', 'a list instead of a body', [], 'body'],
];

test.each(BAD)('POST %s, %s: 422 VALIDATION_ERROR', async (step, _what, body, field) => {
  const answer = await partner.post(path(step), body);
  expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
  expect(answer.body.message).toContain(field);
});

test('a refused step in guide form', async () => {
  const answer = await partner.post(path('business'), {}, { 'X-Response-Form': 'guide' });
  expect(answer.body).toEqual({
    error: {
      code: 'VALIDATION_ERROR',
      message: expect.stringContaining('cac_number'),
      http_status: 422,
      detail: {
        fields: [
          { field: 'cac_number', message: 'is required' },
          { field: 'business_type', message: 'must be one of: llc, sole_prop, ngo, partnership' },
        ],
      },
    },
    meta: { request_id: answer.headers.get('X-Request-Id') },
  });
});

describe.each(['under_review', 'approved', 'suspended'] as const)('while the record is %s', (status) => {
  test.each(STEP_NAMES)('%s: 422 COMPLIANCE_LOCKED, in both forms, and nothing is kept', async (step) => {
    const locked = await inStatus(status);
    expect(await locked.post(path(step), STEPS[step])).toMatchObject({
      status: 422,
      body: { error: 'COMPLIANCE_LOCKED' },
    });
    const guide = await locked.post(path(step), STEPS[step], { 'X-Response-Form': 'guide' });
    expect(guide).toMatchObject({
      status: 422,
      body: { error: { code: 'COMPLIANCE_LOCKED', http_status: 422 } },
    });
    const kept = await world.sql(
      `SELECT (SELECT count(*)::int FROM ${SANDBOX_CELL}.compliance_requests WHERE partner_id = $1) AS requests,
              (SELECT count(*)::int FROM ${SANDBOX_CELL}.directors WHERE partner_id = $1) AS directors`,
      [locked.id],
    );
    expect(kept).toEqual([{ requests: 0, directors: 0 }]);
  });
});

describe('while Temporal is away', () => {
  test('each step: 503 with Retry-After within six seconds, and the record is unchanged', async () => {
    const before = (await partner.get(STATUS)).body.data;
    const askedAt = Date.now();
    const answers = await Promise.all(STEP_NAMES.map((step) => partner.post(path(step), STEPS[step])));
    expect(Date.now() - askedAt).toBeLessThan(6_000);
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
      expect(answer.headers.get('Retry-After')).toBe('1');
    }
    expect((await partner.get(STATUS)).body.data).toEqual(before);
  });

  test('a review: 503, and the record stays', async () => {
    const submitted = await inStatus('submitted');
    expect(await submitted.post(REVIEWS[0]!, { decision: 'approve' })).toMatchObject({ status: 503 });
    expect((await submitted.get(STATUS)).body.data.overall_status).toBe('submitted');
  });

  test('the numbers of directors are stored, but only sealed', async () => {
    const numbers = { bvn: '22233344455', nin: '55544433322' };
    await partner.post(path('directors'), one(numbers));
    const [row] = await world.sql(
      `SELECT bvn_sealed, nin_sealed, full_name, role FROM ${SANDBOX_CELL}.directors
        WHERE partner_id = $1 AND bvn_sealed IS NOT NULL`,
      [partner.id],
    );
    expect(row).toMatchObject(director);
    for (const number of Object.values(numbers)) {
      expect(JSON.stringify(row)).not.toContain(number);
      expect(JSON.stringify(row)).not.toContain(Buffer.from(number).toString('base64url'));
    }
  });
});

describe.each(REVIEWS)('POST %s', (review) => {
  test.each<[what: string, body: unknown, field: string]>([
    ['no decision', {}, 'decision'],
    ['decision null', { decision: null }, 'decision'],
    ['another decision', { decision: 'accept' }, 'decision'],
    ['a decision in capitals', { decision: 'APPROVE' }, 'decision'],
    ['a reason that is a number', { decision: 'reject', reason: 1 }, 'reason'],
    ['a reason of 501 characters', { decision: 'reject', reason: 'x'.repeat(501) }, 'reason'],
    ['a reason with a NUL', { decision: 'reject', reason: '\u0000' }, 'reason'],
  ])('%s: 422 VALIDATION_ERROR', async (_what, body, field) => {
    const answer = await partner.post(review, body);
    expect(answer).toMatchObject({ status: 422, body: { error: 'VALIDATION_ERROR' } });
    expect(answer.body.message).toContain(field);
  });

  test.each<[status: ComplianceStatus, decisions: string[]]>([
    ['incomplete', ['claim', 'approve', 'reject', 'suspend', 'reinstate']],
    ['submitted', ['suspend', 'reinstate']],
    ['under_review', ['claim', 'suspend', 'reinstate']],
    ['approved', ['claim', 'approve', 'reject', 'reinstate']],
    ['rejected', ['claim', 'approve', 'reject', 'suspend', 'reinstate']],
    ['suspended', ['claim', 'approve', 'reject', 'suspend']],
  ])('%s allows none of %j: 422 INVALID_COMPLIANCE_STATE', async (status, decisions) => {
    const other = await inStatus(status);
    for (const decision of decisions) {
      expect(await other.post(review, { decision })).toMatchObject({
        status: 422,
        body: { error: 'INVALID_COMPLIANCE_STATE' },
      });
    }
  });

  test('a live key: 403 SANDBOX_ONLY', async () => {
    const live = await api.partner({ id: partner.id, environment: 'live' });
    expect(await live.post(review, { decision: 'approve' })).toMatchObject({
      status: 403,
      body: { error: 'SANDBOX_ONLY' },
    });
  });
});

test('sandbox and live have separate records', async () => {
  const other = await inStatus('approved');
  const live = await api.partner({ id: other.id, environment: 'live' });
  expect((await other.get(STATUS)).body.data.overall_status).toBe('approved');
  expect((await live.get(STATUS)).body.data.overall_status).toBe('incomplete');
});
