/** The look-up of a BVN or NIN: identity companies are asked in turn until one has an answer (D35). */
import type { VerificationType } from '../../domain/verifications';
import type { Environment } from '../../runtime/environment';

type Bureaus = Environment['providers']['identity'];
type IdentityAnswer = Awaited<ReturnType<Bureaus[number]['identity']['lookUp']>>;
type Concluding = Extract<IdentityAnswer, { outcome: 'found' | 'not_found' }>;
type Refused = Extract<IdentityAnswer, { outcome: 'refused' }>;

/** What all companies together know. */
export type BureausAnswer =
  | { answer: Concluding; company: string }
  | { answer: Exclude<IdentityAnswer, Concluding | Refused>; company: null };

/** Why a company was of no use: it does not serve us, or it was not reached. */
export type BureauTrouble = Refused['cause'] | 'away';

/**
 * Asks for one number. A company without an answer is passed over for the next one: a look-up moves nothing, so asking a
 * second company costs no more than its price. A company's error is not passed on, because its text may repeat the number.
 * @param onTrouble is told of each company that was of no use.
 * @returns the first answer about the person; else what is to be waited for.
 * @throws Error, as an outage, where no company has an answer and at least one was of no use.
 */
export async function askBureaus(
  companies: Bureaus,
  order: {
    verificationId: string;
    type: VerificationType;
    number: string;
    expectedName: string | null;
    submittedAt: Date;
  },
  onTrouble: (company: string, trouble: BureauTrouble) => void,
): Promise<BureausAnswer> {
  const others: BureausAnswer[] = [];
  const troubles: string[] = [];
  for (const { name, identity } of companies) {
    const answer = await identity.lookUp(order).catch(() => ({ outcome: 'away' }) as const);
    if (answer.outcome === 'found' || answer.outcome === 'not_found') return { answer, company: name };
    if (answer.outcome === 'away' || answer.outcome === 'refused') {
      const trouble = answer.outcome === 'away' ? 'away' : answer.cause;
      troubles.push(`${name}: ${trouble}`);
      onTrouble(name, trouble);
    } else others.push({ answer, company: null });
  }
  const saying = (outcome: IdentityAnswer['outcome']) =>
    others.find(({ answer }) => answer.outcome === outcome);
  const told = saying('needs_name') ?? saying('unavailable');
  const waiting = saying('pending');
  if (waiting) return waiting;
  if (troubles.length > 0 || !told) {
    throw new Error(
      `the identity bureau could not be asked (${troubles.join(', ') || 'none is configured'})`,
    );
  }
  return told;
}
