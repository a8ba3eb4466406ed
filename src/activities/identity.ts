/** The steps of `kyc/{id}`: ask the identity bureau, and write the verdict. */
import { judge, type Verdict, type VerificationStatus } from '../domain/verifications';
import {
  concludeVerification,
  findVerification,
  recordFoundName,
  type SealedVerification,
} from '../db/partners/verifications';
import type { IdentityAnswer } from '../providers/port';
import type { OpenCell } from '../runtime/environment';
import { verificationPlace } from '../secrets/sealing';
import { verificationConcluded } from '../wire/kyc';
import type { KycVerificationInput } from '../contract/messages';
import { serving, type Dependencies } from './dependencies';

/** What the workflow learns of a look-up: never a number or a name, because histories are kept. */
export type LookUpResult =
  | { outcome: 'pending'; pollAfterMs: number }
  /** The verification has ended, now or in an earlier run. */
  | { outcome: 'ended'; status: EndStatus };

/** `gone` where a sandbox reset has deleted the verification: there is nothing to conclude any more. */
export type EndStatus = VerificationStatus | 'gone';

export function identityActivities({ environment, config }: Dependencies) {
  /** An error of the bureau's client is not passed on, because its text may repeat the number. */
  async function ask(verification: SealedVerification, expectedName: string | null): Promise<IdentityAnswer> {
    const { id, partnerId, type, numberSealed, createdAt: submittedAt } = verification;
    const { identity } = serving(environment, 'identity');
    const number = environment.sealing.open(numberSealed, verificationPlace('number', partnerId, id));
    try {
      return await identity.lookUp({ verificationId: id, type, number, expectedName, submittedAt });
    } catch {
      throw new Error('the identity bureau could not be asked');
    }
  }

  /**
   * One commit: the guarded move and its event. Only a pending verification moves, so a second run changes nothing.
   * @returns the status that the verification really has.
   */
  async function conclude(
    cell: OpenCell,
    { id, partnerId }: Pick<SealedVerification, 'id' | 'partnerId'>,
    verdict: Verdict,
  ): Promise<EndStatus> {
    const done = await concludeVerification(cell, partnerId, id, verdict, verificationConcluded);
    environment.relay.afterCommit(cell, { intentions: [], endpointIds: done.endpointIds });
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
      const { type, expectedNameSealed } = verification;
      const expectedName =
        expectedNameSealed &&
        environment.sealing.open(
          expectedNameSealed,
          verificationPlace('expected_name', partnerId, verificationId),
        );

      const answer = await ask(verification, expectedName);
      if (answer.outcome === 'pending') return answer;
      if (answer.outcome === 'unavailable') {
        return { outcome: 'ended', status: await conclude(cell, verification, GIVEN_UP) };
      }
      const record = answer.outcome === 'found' ? answer.record : null;
      const verdict = judge(type, record, expectedName);
      if (verdict.status === 'verified' && record?.name) {
        const place = verificationPlace('found_name', partnerId, verificationId);
        await recordFoundName(cell, verificationId, environment.sealing.seal(record.name, place));
      }
      return { outcome: 'ended', status: await conclude(cell, verification, verdict) };
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
      return ageMs < config.KYC_GIVE_UP_AFTER_MS ? 'pending' : conclude(cell, verification, GIVEN_UP);
    },
  };
}

const GIVEN_UP: Verdict = { status: 'failed', reason: 'PROVIDER_UNAVAILABLE' };
