/** One-time codes by time: the code of now, of the step before and of the one after, and no other. */
import { Secret, TOTP } from 'otpauth';
import {
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  stepOfCode,
} from '../../src/secrets/one-time-codes';

const STEP_MS = 30_000;
const NOW = new Date(1_000 * STEP_MS + 12_345);
const secret = newTotpSecret();
const totp = new TOTP({ secret: Secret.fromBase32(secret) });
const codeOf = (step: number): string => totp.generate({ timestamp: step * STEP_MS });

test.each([
  [998, null],
  [999, 999],
  [1_000, 1_000],
  [1_001, 1_001],
  [1_002, null],
])('in step 1000 the code of step %d belongs to step %p', (step, taken) => {
  expect(stepOfCode(secret, codeOf(step), NOW)).toBe(taken);
});

test.each([
  ['in two groups', codeOf(1_000).replace(/^.../, '$& ')],
  ['in three groups', codeOf(1_000).replace(/../g, '$& ')],
  ['with a hyphen', codeOf(1_000).replace(/^.../, '$&-')],
  ['with a dash', codeOf(1_000).replace(/^.../, '$&\u2013')],
  ['with a blank that does not break', codeOf(1_000).replace(/^.../, '$&\u00a0')],
  ['with what was copied around it', ` ${codeOf(1_000)}\t`],
])('a code %s is the same code', (_how, text) => {
  expect(stepOfCode(secret, text, NOW)).toBe(1_000);
});

test.each(['', '12345', 'abcdef', codeOf(1_000).slice(1)])('%p is no code', (text) => {
  expect(stepOfCode(secret, text, NOW)).toBeNull();
});

test('ten recovery codes differ, and one is the same however it is written', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes.map((code) => hashRecoveryCode(code).toString('hex'))).size).toBe(10);
  const [code = ''] = codes;
  expect(hashRecoveryCode(code.toLowerCase().replaceAll('-', ''))).toEqual(hashRecoveryCode(code));
});
