/** The steps of `kyc/{id}`: ask the identity bureau, and write the verdict. */
import { judge, type AnsweredBy, type Verdict, type VerificationStatus } from '../domain/verifications';
import {
  concludeVerification,
  findVerification,
  recordFoundName,
  type SealedVerification,
} from '../db/partners/verifications';
import { forwardedMs } from '../db/upkeep/forwards';
import { findFullName } from '../db/wallets/wallets';
import { askBureaus } from '../operations/identity/ask-bureaus';
import type { OpenCell } from '../runtime/environment';
import { verificationPlace } from '../secrets/sealing';
import { verificationConcluded } from '../wire/kyc';
import type { KycVerificationInput } from '../contract/messages';
import type { Dependencies } from './dependencies';

/** What the workflow learns of a look-up: never a number or a name, because histories are kept. */
export type LookUpResult =
  | { outcome: 'pending'; pollAfterMs: number }
  /** No bureau can answer without the name of the person, which the partner has not told. */
  | { outcome: 'needs_name' }
  /** The verification has ended, now or in an earlier run. */
  | { outcome: 'ended'; status: EndStatus };

/** `gone` where a sandbox reset has deleted the verification: there is nothing to conclude any more. */
export type EndStatus = VerificationStatus | 'gone';

export function identityActivities({ environment, config, logger }: Dependencies) {
  const ask = async (cell: OpenCell, verification: SealedVerification, expectedName: string | null) => {
    const { id, partnerId, type, numberSealed, createdAt } = verification;
    // A sandbox that has forwarded its time since sees an older submission.
    const ageMs = environment.allowsSimulation ? await forwardedMs(cell, partnerId, createdAt) : 0;
    const submittedAt = new Date(createdAt.getTime() - ageMs);
    const number = environment.sealing.open(numberSealed, verificationPlace('number', partnerId, id));
    const order = { verificationId: id, type, number, expectedName, submittedAt };
    return askBureaus(environment.providers.identity, order, (provider, trouble) => {
      logger.warn(
        { provider, trouble, verificationId: id },
        trouble === 'away'
          ? 'An identity company could not be asked about a number'
          : 'An identity company does not serve us until people mend our account with it',
      );
    });
  };

  /** The name that the person should have: as it was at the submission, or as the partner has told it since (D35). */
  async function expectedNameOf(cell: OpenCell, verification: SealedVerification): Promise<string | null> {
    const { id, partnerId, userRef, expectedNameSealed } = verification;
    if (expectedNameSealed !== null) {
      return environment.sealing.open(expectedNameSealed, verificationPlace('expected_name', partnerId, id));
    }
    return userRef === null ? null : findFullName(cell, partnerId, userRef);
  }

  /**
   * One commit: the guarded move and its event. Only a pending verification moves, so a second run changes nothing.
   * @returns the status that the verification really has.
   */
  async function conclude(
    cell: OpenCell,
    { id, partnerId }: Pick<SealedVerification, 'id' | 'partnerId'>,
    verdict: Verdict,
    by: AnsweredBy,
  ): Promise<EndStatus> {
    const done = await concludeVerification(cell, partnerId, id, verdict, by, verificationConcluded);
    environment.relay.afterCommit(cell, { intentions: [], endpointIds: done.endpointIds });
    environment.relay.tellOfNewsLater(cell, done.news);
    return done.verification?.status ?? 'gone';
  }

  return {
    /**
     * Asks the bureau, and writes the verdict if the bureau has answered. The verification's id is the bureau's key, so
     * asking twice is one look-up. No step takes a verdict from a workflow.
     */
    async lookUpIdentity(input: KycVerificationInput): Promise<LookUpResult> {
      const { partnerId, verificationId } = input;
      const { cell } = await environment.partner(partnerId);
      const verification = await findVerification(cell, partnerId, verificationId);
      if (!verification) return { outcome: 'ended', status: 'gone' };
      if (verification.status !== 'pending') return { outcome: 'ended', status: verification.status };
      const expectedName = await expectedNameOf(cell, verification);
      const { answer, company } = await ask(cell, verification, expectedName);
      if (answer.outcome === 'pending' || answer.outcome === 'needs_name') return answer;
      if (answer.outcome === 'unavailable') {
        return { outcome: 'ended', status: await conclude(cell, verification, GIVEN_UP, null) };
      }
      const record = answer.outcome === 'found' ? answer.record : null;
      const by = { company, watchListed: record?.watchListed ?? null };
      const verdict = judge(verification.type, record, expectedName);
      if (verdict.status === 'verified' && record?.name) {
        const place = verificationPlace('found_name', partnerId, verificationId);
        await recordFoundName(cell, verificationId, environment.sealing.seal(record.name, place));
      }
      return { outcome: 'ended', status: await conclude(cell, verification, verdict, by) };
    },

    /**
     * Gives a verification up that the bureau has not answered in time (D35). The time is that of its row and of our
     * configuration, whatever the workflow believes.
     * @returns `pending` where it is too early.
     */
    async giveUpVerification({ partnerId, verificationId }: KycVerificationInput): Promise<EndStatus> {
      const { cell } = await environment.partner(partnerId);
      const verification = await findVerification(cell, partnerId, verificationId);
      if (verification?.status !== 'pending') return verification?.status ?? 'gone';
      const ageMs = Date.now() - verification.createdAt.getTime();
      return ageMs < config.KYC_GIVE_UP_AFTER_MS ? 'pending' : conclude(cell, verification, GIVEN_UP, null);
    },
  };
}

const GIVEN_UP: Verdict = { status: 'failed', reason: 'PROVIDER_UNAVAILABLE' };
