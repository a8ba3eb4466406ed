/** What people do about themselves: prove who they are, change a password, use one-time codes (D101, D168). */
import { done, map } from '../../domain/outcome';
import {
  disableCodes,
  enableCodes,
  offerCodes,
  renewRecoveryCodes,
} from '../../operations/partners/one-time-codes';
import { askForReset, changePassword, resetPassword } from '../../operations/partners/passwords';
import { proveSession } from '../../operations/partners/proof';
import { dataOf } from '../../wire/answers';
import {
  codeOffer,
  firstCodeBody,
  forgottenBody,
  passwordChangeBody,
  proofBody,
  readFirstCode,
  readForgotten,
  readPasswordChange,
  readProof,
  readReset,
  recoveryCodes,
  resetBody,
} from '../../wire/proofs';
import { dataAnswer, signedIn, type OpenRoute, type Route } from '../route';
import { originOf } from '../stranger-limit';

const NO_BODY = { status: 204, body: null };
/** How the check of a password can end. */
const PROOF_REFUSALS = ['INVALID_CREDENTIALS', 'ONE_TIME_CODE_REQUIRED', 'RATE_LIMIT_EXCEEDED'] as const;

const proof: Route = {
  method: 'POST',
  path: '/v1/auth/proof',
  operation: 'proveSession',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.prove',
    summary: 'Prove once more who you are',
    description:
      'Takes the password, and a one-time code where codes are on. What asks for a fresh proof, as making a live key does, then works for ten minutes with this token. A login is a proof too.',
    body: proofBody,
    answer: { status: 204, description: 'It is proved', body: null },
    refusals: PROOF_REFUSALS,
  },
  async handle(call) {
    const read = readProof(call.body);
    if (!read.ok) return read;
    return map(
      await proveSession(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      () => NO_BODY,
    );
  },
};

const passwordChange: Route = {
  method: 'POST',
  path: '/v1/auth/password',
  operation: 'changePassword',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.changePassword',
    summary: 'Change the password',
    description:
      'Takes the old password, and a one-time code where codes are on. All other sessions of the person end.',
    body: passwordChangeBody,
    answer: { status: 204, description: 'The new password is in force', body: null },
    refusals: PROOF_REFUSALS,
  },
  async handle(call) {
    const read = readPasswordChange(call.body);
    if (!read.ok) return read;
    return map(
      await changePassword(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      () => NO_BODY,
    );
  },
};

const offer: Route = {
  method: 'POST',
  path: '/v1/auth/totp',
  operation: 'offerOneTimeCodes',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'oneTimeCodes.offer',
    summary: 'Ask for one-time codes',
    description:
      'Gives a secret for an authenticator (TOTP, RFC 6238: SHA-1, six digits, 30 seconds). Nothing changes until a first code has switched the codes on.',
    body: proofBody,
    answer: { status: 201, description: 'The secret', body: dataOf(codeOffer) },
    refusals: PROOF_REFUSALS,
  },
  async handle(call) {
    const read = readProof(call.body);
    if (!read.ok) return read;
    return map(
      await offerCodes(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      (offered) => dataAnswer(call, 201, offered),
    );
  },
};

const enable: Route = {
  method: 'POST',
  path: '/v1/auth/totp/enable',
  operation: 'enableOneTimeCodes',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'oneTimeCodes.enable',
    summary: 'Switch one-time codes on',
    description:
      'Takes a first code. From then on a login, a proof and a change of the password need a code, and each code works once. The answer shows ten recovery codes, once.',
    body: firstCodeBody,
    answer: { status: 200, description: 'The recovery codes', body: dataOf(recoveryCodes) },
    refusals: ['INVALID_CREDENTIALS', 'RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readFirstCode(call.body);
    if (!read.ok) return read;
    return map(
      await enableCodes(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      (codes) => dataAnswer(call, 200, { recovery_codes: codes }),
    );
  },
};

const disable: Route = {
  method: 'POST',
  path: '/v1/auth/totp/disable',
  operation: 'disableOneTimeCodes',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'oneTimeCodes.disable',
    summary: 'Switch one-time codes off',
    body: proofBody,
    answer: { status: 204, description: 'The codes are off', body: null },
    refusals: PROOF_REFUSALS,
  },
  async handle(call) {
    const read = readProof(call.body);
    if (!read.ok) return read;
    return map(
      await disableCodes(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      () => NO_BODY,
    );
  },
};

const renewal: Route = {
  method: 'POST',
  path: '/v1/auth/totp/recovery-codes',
  operation: 'renewRecoveryCodes',
  needs: 'self',
  tokenOnly: true,
  ofPerson: true,
  doc: {
    section: 'Authentication',
    sdk: 'oneTimeCodes.renewRecoveryCodes',
    summary: 'Make new recovery codes',
    description: 'Those before stop working.',
    body: proofBody,
    answer: { status: 200, description: 'The recovery codes, shown once', body: dataOf(recoveryCodes) },
    refusals: PROOF_REFUSALS,
  },
  async handle(call) {
    const read = readProof(call.body);
    if (!read.ok) return read;
    return map(
      await renewRecoveryCodes(call.services, signedIn(call), read.value, originOf(call.remoteAddress)),
      (codes) => dataAnswer(call, 200, { recovery_codes: codes }),
    );
  },
};

const forgotten: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/password/forgotten',
  operation: 'forgetPassword',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.forgotPassword',
    summary: 'Ask for a new password',
    description:
      'Mails a token, good once and for thirty minutes, if a user has this email. The answer is the same if none has.',
    body: forgottenBody,
    answer: { status: 204, description: 'Taken', body: null },
    refusals: ['RATE_LIMIT_EXCEEDED'],
  },
  handle(call) {
    const { services, remoteAddress } = call;
    const email = readForgotten(call.body);
    // How long the answer takes must not tell whether the account exists.
    if (email.ok) services.afterwards(() => askForReset(services, email.value, originOf(remoteAddress)));
    return Promise.resolve(email.ok ? done(NO_BODY) : email);
  },
};

const reset: OpenRoute = {
  method: 'POST',
  path: '/v1/auth/password/reset',
  operation: 'resetPassword',
  reads: 'json',
  ofStrangers: true,
  doc: {
    section: 'Authentication',
    sdk: 'auth.resetPassword',
    summary: 'Replace a forgotten password',
    description:
      'Takes the token that came by mail. All sessions of the person end. One-time codes stay on: the next login needs one.',
    body: resetBody,
    answer: { status: 204, description: 'The new password is in force', body: null },
    refusals: ['RATE_LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readReset(call.body);
    if (!read.ok) return read;
    return map(await resetPassword(call.services, read.value, originOf(call.remoteAddress)), () => NO_BODY);
  },
};

export const proofRoutes: readonly Route[] = [proof, passwordChange, offer, enable, disable, renewal];
export const openProofRoutes: readonly OpenRoute[] = [forgotten, reset];
