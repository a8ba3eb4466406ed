/** Registration and login (interface: Authentication; D99-D101). */
import type { Pool } from 'pg';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { PartnerRecord } from '../../domain/partners';
import { holderOf, partnerBehind, takeFromUnproved } from '../../db/partners/first-proof';
import { lockPeople } from '../../db/partners/people';
import { claimEmail, findUserById, foldEmail, registerPartner } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { cellForNewPartner } from '../../db/pg/schema';
import type { ApiConfig } from '../../runtime/config';
import type { Passwords } from '../../secrets/passwords';
import type { Sealing } from '../../secrets/sealing';
import type { Login, Registration } from '../../wire/partners';
import { endLeftNow, type EndingDeps } from './first-proof';
import { networkHash, strangerAt, type From } from './guessing';
import { prove, type ProofDeps } from './proof';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';
import { startSession } from './sessions';
import { mailKnownAddress, mailToken } from './token-mails';

interface Deps {
  /** The pool for users and new partners. Its role sees no cell. */
  access: Pool;
  passwords: Passwords;
  config: ApiConfig;
}

/**
 * Registers a company with its first user, and queues the mail that confirms the address in the same commit (D175). Where
 * the address is known, nothing is registered, its owner gets a mail without a token, and the answer is the same: it shows
 * a partner as it would be. An account whose address nobody has proved for a day gives way. The hash of the password is
 * made first, so that a known address takes as long as a new one. A second call finds the address known.
 */
export async function register(
  deps: Deps & SecurityDeps & EndingDeps & { sealing: Sealing },
  { password, ...partner }: Registration,
  from: From,
): Promise<Outcome<PartnerRecord>> {
  const cells = deps.config.CELLS_PER_ENVIRONMENT;
  const passwordHash = await deps.passwords.hash(password, strangerAt(from));
  const ending: { isDue: boolean } = { isDue: false };
  const answer = await withSecurityEvents<Outcome<PartnerRecord>>(deps, async (trx, record) => {
    const [partnerId, userId] = [newId(), newId()];
    const recipient = foldEmail(partner.email);
    const holder = await holderOf(trx, recipient);
    if (holder?.isForsaken) {
      ending.isDue = true;
      await takeFromUnproved(trx, holder, { userId: null, address: from.address });
    }
    if (!(await claimEmail(trx, recipient, null))) {
      await mailKnownAddress(trx, {
        kind: 'registration_known',
        partnerId: await partnerBehind(trx, recipient),
        recipient,
      });
      return done(asIfNew(partnerId, partner));
    }
    const registered = await registerPartner(trx, {
      partnerId,
      userId,
      ...partner,
      passwordHash,
      cells: { sandbox: cellForNewPartner('sandbox', cells), live: cellForNewPartner('live', cells) },
    });
    if (!registered.ok) return registered;
    await mailToken(trx, deps.sealing, { kind: 'confirm_email', partnerId, userId, recipient, content: {} });
    await record(eventOf({ partnerId, userId }, 'account.registered', from.address));
    return registered;
  });
  if (ending.isDue) await endLeftNow(deps);
  return answer;
}

/** The partner that a registration would have made. */
const asIfNew = (
  id: string,
  { businessName, email, phone }: Omit<Registration, 'password'>,
): PartnerRecord => ({
  id,
  businessName,
  email,
  phone,
  status: 'registered',
  tier: 'starter',
  createdAt: new Date(),
});

/**
 * Signs a user in. Every call begins another session.
 * @returns an access token for one environment with the partner, or what `prove` refuses.
 */
export async function logIn(
  deps: ProofDeps & { config: { JWT_KEY: string } },
  { email, environment, ...proof }: Login,
  from: From,
): Promise<Outcome<{ token: string; partner: PartnerRecord }>> {
  const proved = await prove(deps, email, proof, from);
  if (!proved.ok) return proved;
  const user = proved.value;
  return withSecurityEvents<Outcome<{ token: string; partner: PartnerRecord }>>(deps, async (trx, record) => {
    await lockPeople(trx, user.partner.id);
    const now = await findUserById(trx, user.id);
    // The password was replaced while it was checked.
    if (now?.passwordHash !== user.passwordHash) return refuse('INVALID_CREDENTIALS');
    const token = await startSession(trx, deps.config.JWT_KEY, {
      partnerId: user.partner.id,
      userId: user.id,
      environment,
      address: from.address,
      network: networkHash(from),
    });
    await record(eventOf(user, 'session.started', from.address, { environment }));
    return done({ token, partner: user.partner });
  });
}
