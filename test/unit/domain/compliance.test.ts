/** What a request makes of a compliance record (interface: Partner compliance; D38-D40, D88, D139, D159, D166). */
import { valueOf } from '../../support/outcomes';
import {
  COMPLIANCE_DECISIONS,
  COMPLIANCE_STATUSES,
  COMPLIANCE_STEPS,
  complianceRefusal,
  freshCompliance,
  progress,
  stepsOf,
  TERMS_VERSION,
  type ComplianceAsk,
  type ComplianceRecord,
  type ComplianceStatus,
  type ComplianceStep,
} from '../../../src/domain/compliance';

const ASKS: Record<ComplianceStep, ComplianceAsk> = {
  business_info: { kind: 'business_info', cacNumber: 'RC123456', businessType: 'llc' },
  directors: { kind: 'directors' },
  agreements: { kind: 'agreements', termsVersion: TERMS_VERSION },
  use_case: { kind: 'use_case', description: 'Wallets for the market women of Aba.' },
};
const ASKED_AT = new Date('2026-03-01T10:00:00.000Z');

const ask = (record: ComplianceRecord, what: ComplianceAsk, id = 'request-1', actor = 'partner') =>
  progress(record, { id, partnerId: record.partnerId, actor, ask: what, askedAt: ASKED_AT });

function after(record: ComplianceRecord, ...asks: ComplianceAsk[]): ComplianceRecord {
  return asks.reduce((before, what) => {
    return valueOf(ask(before, what)).record;
  }, record);
}

const fresh = freshCompliance('partner-1');
const { business_info: business, directors, agreements, use_case: useCase } = ASKS;
const allButUseCase = after(fresh, business, directors, agreements);
const submitted = after(allButUseCase, useCase);
const inStatus = (status: ComplianceStatus): ComplianceRecord => ({ ...submitted, status });

test('a fresh record has nothing', () => {
  expect(fresh).toEqual({
    partnerId: 'partner-1',
    status: 'incomplete',
    cacNumber: '',
    businessType: '',
    termsVersion: '',
    termsAcceptedAt: null,
    amlPolicyAcceptedAt: null,
    dpaAcceptedAt: null,
    directorsSetId: null,
    directorsSubmittedAt: null,
    useCaseDescription: '',
    rejectionReason: null,
    reviewer: null,
    moves: 0,
  });
  expect(Object.values(stepsOf(fresh))).toEqual([false, false, false, false]);
});

test.each(COMPLIANCE_STEPS)('%s marks its own step and no other', (step) => {
  const record = after(fresh, ASKS[step]);
  expect(record.status).toBe('incomplete');
  for (const other of COMPLIANCE_STEPS) expect(stepsOf(record)[other]).toBe(other === step);
});

test('the four steps write their data, with the time of the request', () => {
  expect(submitted).toEqual({
    ...fresh,
    status: 'submitted',
    cacNumber: 'RC123456',
    businessType: 'llc',
    termsVersion: '2026-01',
    termsAcceptedAt: ASKED_AT,
    amlPolicyAcceptedAt: ASKED_AT,
    dpaAcceptedAt: ASKED_AT,
    directorsSetId: 'request-1',
    directorsSubmittedAt: ASKED_AT,
    useCaseDescription: 'Wallets for the market women of Aba.',
    moves: 4,
  });
});

/** Every order of the four steps: only a use case at the end submits. */
function orders<T>(things: readonly T[]): T[][] {
  if (things.length === 0) return [[]];
  return things.flatMap((thing) =>
    orders(things.filter((other) => other !== thing)).map((rest) => [thing, ...rest]),
  );
}
test.each(orders(COMPLIANCE_STEPS))('%s, %s, %s, %s', (...steps) => {
  const record = after(fresh, ...steps.map((step) => ASKS[step]));
  expect(record.status).toBe(steps[3] === 'use_case' ? 'submitted' : 'incomplete');
  expect(stepsOf(record)).toEqual({ business_info: true, directors: true, agreements: true, use_case: true });
  expect(after(record, useCase).status).toBe('submitted');
});

test('a second submission of directors replaces the list', () => {
  const outcome = ask(submitted, directors, 'request-2');
  expect(outcome).toMatchObject({ value: { record: { directorsSetId: 'request-2', status: 'submitted' } } });
});

test('a use case in `submitted` is one more edit and does not submit again', () => {
  expect(ask(allButUseCase, useCase)).toMatchObject({ value: { trigger: 'submit' } });
  expect(ask(submitted, useCase)).toMatchObject({
    value: { trigger: 'edit', record: { status: 'submitted' } },
  });
});

describe('a step in each status', () => {
  const allowed: ComplianceStatus[] = ['incomplete', 'submitted', 'rejected'];
  const pairs = COMPLIANCE_STATUSES.flatMap((status) =>
    COMPLIANCE_STEPS.map((step) => [step, status] as const),
  );
  test.each(pairs)('%s in %s', (step, status) => {
    const refused = { code: 'COMPLIANCE_LOCKED', message: `The compliance record is ${status}` };
    const refusal = allowed.includes(status) ? null : refused;
    expect(complianceRefusal(status, step)).toEqual(refusal && { ok: false, refusal });
    const outcome = ask(inStatus(status), ASKS[step]);
    expect(outcome).toMatchObject(refusal ? { ok: false, refusal } : { ok: true });
  });
});

describe('a decision in each status', () => {
  const allowed: Record<string, ComplianceStatus[]> = {
    claim: ['submitted'],
    approve: ['submitted', 'under_review'],
    reject: ['submitted', 'under_review'],
    suspend: ['approved'],
    reinstate: ['suspended'],
  };
  const pairs = COMPLIANCE_STATUSES.flatMap((status) =>
    COMPLIANCE_DECISIONS.map((decision) => [decision, status] as const),
  );
  test.each(pairs)('%s in %s', (decision, status) => {
    const refused = { code: 'INVALID_COMPLIANCE_STATE', message: `The compliance record is ${status}` };
    const refusal = allowed[decision]?.includes(status) ? null : refused;
    expect(complianceRefusal(status, decision)).toEqual(refusal && { ok: false, refusal });
    const outcome = ask(inStatus(status), { kind: decision, reason: null });
    expect(outcome).toMatchObject(refusal ? { ok: false, refusal } : { ok: true });
  });
});

test.each(COMPLIANCE_STATUSES)('what was submitted is taken back in %s: nothing of it is left', (status) => {
  const record = { ...inStatus(status), reviewer: 'operator-1', rejectionReason: 'wrong' };
  expect(complianceRefusal(status, 'withdraw')).toBeNull();
  expect(after(record, { kind: 'withdraw' })).toEqual({ ...fresh, moves: record.moves + 1 });
});

describe('rejected', () => {
  const reject = (reason: string | null) => after(submitted, { kind: 'reject', reason });

  test.each([
    ['The CAC number is wrong', 'The CAC number is wrong'],
    [null, 'Not specified'],
  ])('with the reason %s it shows %s', (reason, shown) => {
    expect(reject(reason)).toMatchObject({ status: 'rejected', rejectionReason: shown });
  });

  test.each([business, directors, agreements])(
    '$kind makes it incomplete again; the reason stays until the use case submits',
    (step) => {
      const edited = after(reject('wrong'), step);
      expect(edited).toMatchObject({ status: 'incomplete', rejectionReason: 'wrong' });
      expect(after(edited, useCase)).toMatchObject({ status: 'submitted', rejectionReason: null });
    },
  );

  test('the use case alone submits at once, because all other steps are there', () => {
    expect(after(reject('wrong'), useCase)).toMatchObject({ status: 'submitted', rejectionReason: null });
  });

  test('the use case makes it incomplete where a step is missing', () => {
    const record = { ...reject('wrong'), cacNumber: '' };
    expect(after(record, useCase)).toMatchObject({ status: 'incomplete', rejectionReason: 'wrong' });
  });
});

test('whoever claims or decides is the reviewer; a suspension keeps the reviewer of the approval', () => {
  const decide = (record: ComplianceRecord, kind: 'claim' | 'approve' | 'suspend', actor: string) => {
    return valueOf(ask(record, { kind, reason: null }, 'request-2', actor)).record;
  };
  const claimed = decide(submitted, 'claim', 'operator-1');
  expect(claimed.reviewer).toBe('operator-1');
  const approved = decide(claimed, 'approve', 'operator-2');
  expect(approved.reviewer).toBe('operator-2');
  expect(decide(approved, 'suspend', 'operator-3').reviewer).toBe('operator-2');
});
