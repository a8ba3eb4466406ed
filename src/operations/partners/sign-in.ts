/** Registration and login (interface: Authentication; D99-D101). */
import type { Pool } from 'pg';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { PartnerRecord } from '../../domain/partners';
import { claimEmail, foldEmail, registerPartner } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { cellForNewPartner } from '../../db/pg/schema';
import type { ApiConfig } from '../../runtime/config';
import type { Passwords } from '../../secrets/passwords';
import type { Sealing } from '../../secrets/sealing';
import type { Login, Registration } from '../../wire/partners';
import { networkHash, type From } from './guessing';
import { prove, type ProofDeps } from './proof';
import { eventOf, withSecurityEvents, type SecurityDeps } from './security';
import { startSession } from './sessions';
import { mailToken } from './token-mails';

interface Deps {
  /** The pool for users and new partners. Its role sees no cell. */
  access: Pool;
  passwords: Passwords;
  config: ApiConfig;
}

/**
 * Registers a company with its first user, and queues the mail that confirms the address in the same commit (D175).
 * The hash of the password is made first, so that a used email takes as long as a new one. A second call finds the
 * email taken, and sends nothing.
 * @param address the network address of the caller.
 * @returns the partner, or EMAIL_ALREADY_REGISTERED.
 */
export async function register(
  deps: Deps & SecurityDeps & { sealing: Sealing },
  { password, ...partner }: Registration,
  address: string,
): Promise<Outcome<PartnerRecord>> {
  const cells = deps.config.CELLS_PER_ENVIRONMENT;
  const passwordHash = await deps.passwords.hash(password);
  return withSecurityEvents(deps, async (trx, record) => {
    const [partnerId, userId] = [newId(), newId()];
    const recipient = foldEmail(partner.email);
    if (!(await claimEmail(trx, recipient, null))) return refuse('EMAIL_ALREADY_REGISTERED');
    const registered = await registerPartner(trx, {
      partnerId,
      userId,
      ...partner,
      passwordHash,
      cells: { sandbox: cellForNewPartner('sandbox', cells), live: cellForNewPartner('live', cells) },
    });
    if (!registered.ok) return registered;
    await mailToken(trx, deps.sealing, { kind: 'confirm_email', partnerId, userId, recipient, content: {} });
    await record(eventOf({ partnerId, userId }, 'account.registered', address));
    return registered;
  });
}

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
  return withSecurityEvents(deps, async (trx, record) => {
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
