/**
 * Verifications on the wire: requests, answers and events, which never show the number (interface: KYC; D22,
 * D49, D112, D148).
 */
import { present } from '../../../src/domain/assert';
import type { Verification } from '../../../src/domain/verifications';
import { readSubmission, readUserRef, verificationConcluded, writeVerification } from '../../../src/wire/kyc';
import { CREATED, UPDATED } from '../../support/samples';
import { messageOf, valueOf } from './readings';

const BVN = '22222222222';

describe.each(['bvn', 'nin'] as const)('a submission of a %s', (type) => {
  const read = (body: unknown) => readSubmission(type, body);

  test.each<[string, object]>([
    ['user_ref', { user_ref: 'ada', [type]: BVN }],
    ['its alias userRef', { userRef: 'ada', [type]: BVN }],
    ['both, agreeing', { user_ref: 'ada', userRef: 'ada', [type]: BVN }],
    ['unknown fields', { user_ref: 'ada', [type]: BVN, status: 'verified', verification_id: 'mine' }],
  ])('with %s', (_what, body) => {
    expect(valueOf(read(body))).toEqual({ userRef: 'ada', number: BVN, consent: null });
  });

  test('keeps leading zeros', () => {
    expect(valueOf(read({ user_ref: 'ada', [type]: '00000000001' })).number).toBe('00000000001');
  });

  test.each<[string, unknown]>([
    ['missing', undefined],
    ['null', null],
    ['10 digits', '2222222222'],
    ['12 digits', '222222222222'],
    ['empty', ''],
    ['letters', '2222222222a'],
    ['an integer', 22222222222],
    ['an array', [BVN]],
    ['Arabic digits', '٢٢٢٢٢٢٢٢٢٢٢'],
    ['full-width digits', '２２２２２２２２２２２'],
    ['a line end after it', `${BVN}\n`],
    ['a space before it', ` ${BVN}`],
    ['a sign', '+2222222222'],
    ['grouped', '222-222-2222'],
  ])('is refused with the number %s, without repeating it', (_what, number) => {
    const message = messageOf(read({ user_ref: 'ada', [type]: number }));
    expect(message).toMatch(new RegExp(`^${type}: `));
    expect(message).not.toMatch(/2222/);
  });

  test('is refused with the number of the other kind', () => {
    const other = type === 'bvn' ? 'nin' : 'bvn';
    expect(messageOf(read({ user_ref: 'ada', [other]: BVN }))).toBe(`${type}: is required`);
  });

  test.each<[object, string]>([
    [{}, 'user_ref: is required'],
    [{ user_ref: 'ada', userRef: 'bola' }, 'userRef: contradicts user_ref'],
    [{ user_ref: '' }, 'user_ref: must have 1 to 128 characters'],
    [{ user_ref: ' ada' }, 'user_ref: must not begin or end with a space'],
    [{ user_ref: '__settlement__' }, 'user_ref: must not begin with "__"'],
  ])('is refused of %j', (user, message) => {
    expect(messageOf(read({ ...user, [type]: BVN }))).toBe(message);
  });
});

test.each<[string, string | null]>([
  ['ada', 'ada'],
  ['a/b c?é', 'a/b c?é'],
  ['', null],
  [' ada', null],
  ['a\u0000b', null],
  ['__settlement__', null],
  ['x'.repeat(128), 'x'.repeat(128)],
  ['x'.repeat(129), null],
])('the user_ref %j of a path is read as %j', (text, userRef) => expect(readUserRef(text)).toBe(userRef));

const pending: Verification = {
  id: '018f0000-0000-7000-8000-0000000000e1',
  partnerId: '018f0000-0000-7000-8000-0000000000b1',
  subject: 'end_user',
  userRef: 'ada',
  directorId: null,
  type: 'bvn',
  status: 'pending',
  failureReason: null,
  company: null,
  watchListed: null,
  createdAt: new Date(CREATED),
  verifiedAt: null,
};
const verified: Verification = { ...pending, status: 'verified', verifiedAt: new Date(UPDATED) };
const failed: Verification = { ...pending, type: 'nin', status: 'failed', failureReason: 'NAME_MISMATCH' };

test.each<[Verification, object]>([
  [pending, { type: 'bvn', status: 'pending', verified_at: null, failure_reason: null }],
  [verified, { type: 'bvn', status: 'verified', verified_at: UPDATED, failure_reason: null }],
  [failed, { type: 'nin', status: 'failed', verified_at: null, failure_reason: 'NAME_MISMATCH' }],
])('$status shows', (verification, fields) => {
  expect(writeVerification(verification)).toEqual({
    verification_id: pending.id,
    created_at: CREATED,
    ...fields,
  });
});

describe('the event', () => {
  const told = (verification: Verification) => {
    const { kind, alias, resourceId, data } = verificationConcluded(verification);
    return { kind, alias, resourceId, data: JSON.parse(present(data, 'a payload')) as unknown };
  };
  const common = { alias: null, resourceId: pending.id };
  const director = { subject: 'director', userRef: null, directorId: 'director-1' } as const;

  test('kyc.verified of an end user', () => {
    expect(told(verified)).toEqual({
      ...common,
      kind: 'kyc.verified',
      data: {
        verification_id: pending.id,
        user_ref: 'ada',
        type: 'bvn',
        status: 'verified',
        subject: 'end_user',
        verified_at: UPDATED,
      },
    });
  });

  test('kyc.failed of an end user: the reason, and no verified_at', () => {
    expect(told(failed)).toEqual({
      ...common,
      kind: 'kyc.failed',
      data: {
        verification_id: pending.id,
        user_ref: 'ada',
        type: 'nin',
        status: 'failed',
        subject: 'end_user',
        failure_reason: 'NAME_MISMATCH',
      },
    });
  });

  test.each<[string, Verification, object]>([
    ['kyc.verified', { ...verified, ...director }, { status: 'verified', verified_at: UPDATED }],
    ['kyc.failed', { ...failed, ...director }, { status: 'failed', failure_reason: 'NAME_MISMATCH' }],
  ])('%s of a director: its id, and no user_ref', (kind, verification, more) => {
    expect(told(verification)).toEqual({
      ...common,
      kind,
      data: {
        verification_id: pending.id,
        user_ref: null,
        director_id: 'director-1',
        type: verification.type,
        subject: 'director',
        ...more,
      },
    });
  });
});
