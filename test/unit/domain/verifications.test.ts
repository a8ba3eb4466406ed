/**
 * Verifications: every state under every trigger, and what a record means (D35, D83).
 */
import { next, sources } from '../../../src/domain/machine';
import {
  FAILURE_REASONS,
  judge,
  triggerOf,
  VERIFICATION_FAILURES,
  VERIFICATION_MACHINE,
  VERIFICATION_STATUSES,
  type IdentityRecord,
  type Verdict,
  type VerificationFailure,
  type VerificationStatus,
  type VerificationTrigger,
  type VerificationType,
} from '../../../src/domain/verifications';

describe('the machine', () => {
  const NOWHERE = { record_fits: null, record_refused: null, bureau_silent: null };
  const table: Record<VerificationStatus, Record<VerificationTrigger, VerificationStatus | null>> = {
    pending: { record_fits: 'verified', record_refused: 'failed', bureau_silent: 'failed' },
    verified: NOWHERE,
    failed: NOWHERE,
  };
  const triggers = Object.keys(NOWHERE) as VerificationTrigger[];
  const pairs = VERIFICATION_STATUSES.flatMap((state) =>
    triggers.map((trigger) => [state, trigger, table[state][trigger]] as const),
  );

  test.each(pairs)('%s, %s: %s', (state, trigger, after) => {
    expect(next(VERIFICATION_MACHINE, state, trigger)).toBe(after);
  });

  test.each(triggers)('%s starts from pending only', (trigger) => {
    expect(sources(VERIFICATION_MACHINE, trigger)).toEqual(['pending']);
  });

  test('the published states are all there are', () => {
    expect(VERIFICATION_STATUSES).toEqual(['pending', 'verified', 'failed']);
  });

  test('every verdict is a move from pending to the status it names', () => {
    const verdicts: Verdict[] = [
      { status: 'verified' },
      ...FAILURE_REASONS.map((reason): Verdict => ({ status: 'failed', reason })),
    ];
    for (const verdict of verdicts) {
      expect(next(VERIFICATION_MACHINE, 'pending', triggerOf(verdict))).toBe(verdict.status);
    }
  });

  test('every reason to fail comes from the record, except that the bureau does not answer', () => {
    const silent = FAILURE_REASONS.filter(
      (reason) => VERIFICATION_FAILURES[reason].trigger === 'bureau_silent',
    );
    expect(silent).toEqual(['PROVIDER_UNAVAILABLE']);
  });
});

describe('a record', () => {
  const ada: IdentityRecord = { name: 'ADA NGOZI OBI', nameFits: null, watchListed: false };
  type Meant = 'verified' | VerificationFailure;
  const meant = (verdict: Verdict): Meant => (verdict.status === 'failed' ? verdict.reason : 'verified');

  test.each<
    [what: string, type: VerificationType, record: IdentityRecord | null, expected: string | null, Meant]
  >([
    ['that nobody has, of a BVN', 'bvn', null, null, 'BVN_NOT_FOUND'],
    ['that nobody has, of a NIN', 'nin', null, 'Ada Obi', 'NIN_NOT_FOUND'],
    ['of a person on a watch list', 'bvn', { ...ada, watchListed: true }, 'Ada Obi', 'WATCH_LISTED'],
    ['whose bureau knows no watch list', 'bvn', { ...ada, watchListed: null }, 'Ada Obi', 'verified'],
    [
      'of a person on a watch list with another name',
      'nin',
      { ...ada, watchListed: true },
      'Bola Ojo',
      'WATCH_LISTED',
    ],
    [
      'of a person on a watch list whose name the bureau found to fit',
      'bvn',
      { ...ada, nameFits: true, watchListed: true },
      null,
      'WATCH_LISTED',
    ],
    ['with the name', 'bvn', ada, 'Ada Obi', 'verified'],
    ['with another name', 'bvn', ada, 'Bola Ojo', 'NAME_MISMATCH'],
    [
      'with the name in hooked letters',
      'bvn',
      { ...ada, name: 'KASIMU DANLADI' },
      'Ƙasimu Ɗanladi',
      'verified',
    ],
    [
      'with the name and its apostrophe',
      'nin',
      { ...ada, name: 'UMARU YARADUA' },
      'Umaru Yar’Adua',
      'verified',
    ],
    ['with a name whose words are alike', 'bvn', { ...ada, name: 'MUSA MUSA' }, 'Musa Musa', 'verified'],
    [
      'with one of two words that are alike',
      'bvn',
      { ...ada, name: 'MUSA BELLO' },
      'Musa Musa',
      'NAME_MISMATCH',
    ],
    ['with half of the name', 'nin', ada, 'Ada Ojo', 'NAME_MISMATCH'],
    ['where no name is expected', 'nin', ada, null, 'verified'],
    ['without a name', 'bvn', { ...ada, name: null }, 'Ada Obi', 'verified'],
    ['without a name, where none is expected', 'bvn', { ...ada, name: null }, null, 'verified'],
    [
      'whose name the bureau found to fit, which counts before our own comparison',
      'bvn',
      { ...ada, nameFits: true },
      'A. Obi',
      'verified',
    ],
    [
      'whose name the bureau found not to fit',
      'bvn',
      { ...ada, name: null, nameFits: false },
      null,
      'NAME_MISMATCH',
    ],
    [
      'whose name the bureau found not to fit, which counts before our own comparison',
      'nin',
      { ...ada, nameFits: false },
      'Ada Obi',
      'NAME_MISMATCH',
    ],
  ])('%s', (_what, type, record, expectedName, meaning) => {
    expect(meant(judge(type, record, expectedName))).toBe(meaning);
  });
});
