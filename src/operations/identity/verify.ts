/** Begins the check of an end user's BVN or NIN (interface: KYC; D81-D84, D136). */
import { done, refuseFields, type Outcome } from '../../domain/outcome';
import { demandsNames } from '../../domain/owner-details';
import { isGivenLater, type Consent, type VerificationType } from '../../domain/verifications';
import { submitVerification } from '../../db/partners/verifications';
import { findFullName } from '../../db/wallets/wallets';
import type { Config } from '../../runtime/config';
import { demandsOn } from '../demands';
import { notConfigured } from '../not-configured';
import type { Tenant } from '../tenant';
import { newVerification } from './new-verification';

/**
 * Seals the number, writes the pending verification and has its workflow started. The same number of the same
 * user submitted again while it is pending is the same verification (D82).
 * @returns its id, or SERVICE_UNAVAILABLE without an identity provider, VALIDATION_ERROR for a consent of the future and
 *   where every company compares names, and no wallet tells one.
 */
export async function verifyIdentity(
  { config }: { config: Config },
  tenant: Tenant & { requestId: string },
  {
    type,
    userRef,
    number,
    consent,
  }: { type: VerificationType; userRef: string; number: string; consent: Consent | null },
): Promise<Outcome<{ verificationId: string }>> {
  const { environment, cell, partner, requestId } = tenant;
  if (environment.providers.identity.length === 0) return notConfigured('identity');
  if (consent && isGivenLater(consent, new Date())) {
    return refuseFields({ field: 'consent.given_at', message: 'must not be in the future' });
  }
  const expectedName = await findFullName(cell, partner.id, userRef);
  if (expectedName === null && demandsNames(await demandsOn(tenant))) return NEEDS_NAMES;
  const asked = newVerification(
    environment,
    {
      subject: 'end_user',
      partnerId: partner.id,
      userRef,
      directorId: null,
      type,
      number,
      expectedName,
    },
    config.KYC_GIVE_UP_AFTER_MS,
  );
  const { verificationId, intention } = await submitVerification(
    cell,
    { ...asked, intention: { ...asked.intention, requestId } },
    { consent, requestId },
  );
  if (intention) environment.relay.afterCommit(cell, { intentions: [intention], endpointIds: [] });
  return done({ verificationId });
}

/** Without a name nobody can be asked, and the verification would only wait to fail. */
const NEEDS_NAMES = refuseFields({
  field: 'user_ref',
  message: 'must have a wallet whose metadata has first_name and last_name: identity companies compare names',
});
