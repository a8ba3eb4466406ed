/** One-time codes of the person who calls: asked for, switched on with a first code, and switched off. */
import {
  deleteTotp,
  enableTotp,
  findTotp,
  offerTotp,
  replaceRecoveryCodes,
  useStep,
} from '../../db/partners/one-time-codes';
import { done, refuse, refuseFields, type Outcome } from '../../domain/outcome';
import type { SignedIn } from '../../domain/sessions';
import {
  hashRecoveryCode,
  newRecoveryCodes,
  newTotpSecret,
  stepOfCode,
  totpUri,
} from '../../secrets/one-time-codes';
import { totpSecretPlace } from '../../secrets/sealing';
import { guessing, type From } from './guessing';
import { endedSince, proveAgain, userOf, type Proof, type ProofDeps } from './proof';
import { eventOf, withSecurityEvents } from './security';

const ALREADY_ON = refuseFields({ field: 'code', message: 'one-time codes are on already' });
const ALREADY_OFF = refuseFields({ field: 'code', message: 'one-time codes are off' });

/**
 * Makes a secret for an authenticator. It changes nothing until a first code has shown that the authenticator has
 * it. A second call makes another secret, and the first one is of no use any more.
 * @returns the secret and its address for a QR code, or what `proveAgain` refuses.
 */
export async function offerCodes(
  deps: ProofDeps,
  caller: SignedIn,
  proof: Proof,
  from: From,
): Promise<Outcome<{ secret: string; uri: string }>> {
  const proved = await proveAgain(deps, caller, proof, from);
  if (!proved.ok) return proved;
  const { id, email } = proved.value;
  const secret = newTotpSecret();
  const isKept = await offerTotp(deps.access, id, deps.sealing.seal(secret, totpSecretPlace(id)));
  return isKept ? done({ secret, uri: totpUri(secret, email) }) : ALREADY_ON;
}

/**
 * Switches the codes on with a first code. A wrong code is counted like a wrong password. A second call finds the
 * codes on.
 * @returns the recovery codes, which are never shown again, or INVALID_CREDENTIALS, VALIDATION_ERROR when there is
 *   nothing to switch on, or RATE_LIMIT_EXCEEDED.
 */
export async function enableCodes(
  deps: ProofDeps,
  caller: SignedIn,
  code: string,
  from: From,
): Promise<Outcome<string[]>> {
  const known = await userOf(deps, caller);
  if (!known.ok) return known;
  const user = known.value;
  const attempt = await guessing(deps, user.email, from);
  if (!attempt.ok) return attempt;
  const totp = await findTotp(deps.access, user.id);
  if (!totp || totp.isEnabled) {
    await attempt.value.wasNoGuess();
    return totp ? ALREADY_ON : refuseFields({ field: 'code', message: 'no secret was asked for' });
  }
  const secret = deps.sealing.open(totp.secretSealed, totpSecretPlace(user.id));
  const step = stepOfCode(secret, code, totp.now);
  if (step === null) return refuse('INVALID_CREDENTIALS', { message: 'The code is wrong' });
  await attempt.value.wasNoGuess();
  return withSecurityEvents(deps, async (trx, record) => {
    const refused = await endedSince(trx, caller);
    if (refused) return refused;
    // Of two calls at once, the second finds the step used.
    const isFresh = await useStep(trx, user.id, { step, secretSealed: totp.secretSealed });
    if (!isFresh || !(await enableTotp(trx, user.id))) return ALREADY_ON;
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(trx, user.id, codes.map(hashRecoveryCode));
    await record(eventOf(user, 'totp.enabled', from.address));
    return done(codes);
  });
}

/**
 * Switches the codes off. It needs the password and a code. A second call finds them off.
 * @returns done, or what `proveAgain` refuses, or VALIDATION_ERROR when they are off.
 */
export async function disableCodes(
  deps: ProofDeps,
  caller: SignedIn,
  proof: Proof,
  from: From,
): Promise<Outcome<null>> {
  const proved = await proveAgain(deps, caller, proof, from);
  if (!proved.ok) return proved;
  return withSecurityEvents(deps, async (trx, record) => {
    if (!(await deleteTotp(trx, proved.value.id))) return ALREADY_OFF;
    await record(eventOf(proved.value, 'totp.disabled', from.address));
    return done(null);
  });
}

/**
 * Makes ten other recovery codes, and those before useless. Every call makes ten others.
 * @returns the codes, or what `proveAgain` refuses, or VALIDATION_ERROR while one-time codes are off.
 */
export async function renewRecoveryCodes(
  deps: ProofDeps,
  caller: SignedIn,
  proof: Proof,
  from: From,
): Promise<Outcome<string[]>> {
  const proved = await proveAgain(deps, caller, proof, from);
  if (!proved.ok) return proved;
  const user = proved.value;
  return withSecurityEvents(deps, async (trx, record) => {
    const totp = await findTotp(trx, user.id);
    if (!totp?.isEnabled) return ALREADY_OFF;
    const codes = newRecoveryCodes();
    await replaceRecoveryCodes(trx, user.id, codes.map(hashRecoveryCode));
    await record(eventOf(user, 'totp.recovery_codes_made', from.address));
    return done(codes);
  });
}
