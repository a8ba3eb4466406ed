/** Registration and login (interface: Authentication; D99-D101). */
import type { Pool } from 'pg';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { PartnerRecord } from '../../domain/partners';
import { findUser, foldEmail, registerPartner } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { cellForNewPartner } from '../../db/pg/schema';
import type { ApiConfig } from '../../runtime/config';
import type { Passwords } from '../../secrets/passwords';
import type { Sealing } from '../../secrets/sealing';
import type { Login, Registration } from '../../wire/partners';
import { guessing, networkHash, type From } from './guessing';
import { withSecurityEvents, type SecurityDeps } from './security';
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
    const registered = await registerPartner(trx, {
      partnerId,
      userId,
      ...partner,
      passwordHash,
      cells: { sandbox: cellForNewPartner('sandbox', cells), live: cellForNewPartner('live', cells) },
    });
    if (!registered.ok) return registered;
    const recipient = foldEmail(partner.email);
    await mailToken(trx, deps.sealing, { kind: 'confirm_email', partnerId, userId, recipient, content: {} });
    await record({ partnerId, userId, kind: 'account.registered', address, detail: {} });
    return registered;
  });
}

/**
 * Signs a user in. An unknown email, a wrong password and a closed partner get the same answer after
 * the same time, and are counted alike.
 * @returns an access token for one environment with the partner, or INVALID_CREDENTIALS, or RATE_LIMIT_EXCEEDED
 *   after too many wrong attempts.
 */
export async function logIn(
  { access, passwords, config }: Deps,
  { email, password, environment }: Login,
  from: From,
): Promise<Outcome<{ token: string; partner: PartnerRecord }>> {
  const attempt = await guessing(access, email, from);
  if (!attempt.ok) return attempt;
  const user = await findUser(access, email);
  const matches = await passwords.matches(password, user?.passwordHash ?? null);
  if (!user || !matches || user.partner.status === 'closed') return refuse('INVALID_CREDENTIALS');
  await attempt.value.wasRight();
  const { partner } = user;
  const token = await startSession(access, config.JWT_KEY, {
    partnerId: partner.id,
    userId: user.id,
    environment,
    address: from.address,
    network: networkHash(from),
  });
  return done({ token, partner });
}
