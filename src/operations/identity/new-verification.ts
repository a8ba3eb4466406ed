/**
 * Seals and indexes a BVN or NIN that a request brings, before anything is written. Nothing that is called
 * afterwards gets the number in the clear. It serves end users and the directors of a partner.
 */
import { newId } from '../../db/pg/ids';
import type { NewVerification, Subject } from '../../db/partners/verifications';
import type { VerificationType } from '../../domain/verifications';
import { verificationIntention } from '../../contract/intentions';
import type { Environment } from '../../runtime/environment';
import { verificationPlace } from '../../secrets/sealing';

export type AskedVerification = Subject & {
  partnerId: string;
  type: VerificationType;
  number: string;
  /** The full name that the person should have; null when none is known (D35). */
  expectedName: string | null;
};

/** @param giveUpAfterMs how long the identity provider is asked (`KYC_GIVE_UP_AFTER_MS`). */
export function newVerification(
  { sealing, blindIndex }: Pick<Environment, 'sealing' | 'blindIndex'>,
  { number, expectedName, ...asked }: AskedVerification,
  giveUpAfterMs: number,
): NewVerification {
  const id = newId();
  const { partnerId, type } = asked;
  const seal = (text: string, column: Parameters<typeof verificationPlace>[0]): string =>
    sealing.seal(text, verificationPlace(column, partnerId, id));
  return {
    ...asked,
    id,
    numberSealed: seal(number, 'number'),
    numberIndex: blindIndex.of(type, number),
    numberIndexes: blindIndex.all(type, number),
    expectedNameSealed: expectedName === null ? null : seal(expectedName, 'expected_name'),
    intention: verificationIntention({ partnerId, verificationId: id, giveUpAfterMs }, type),
  };
}
