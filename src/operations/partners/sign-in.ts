/** Registration and login (interface: Authentication; D99-D101). */
import type { Pool } from 'pg';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { PartnerRecord } from '../../domain/partners';
import { findUser, registerPartner } from '../../db/partners/users';
import { newId } from '../../db/pg/ids';
import { cellForNewPartner } from '../../db/pg/schema';
import type { ApiConfig } from '../../runtime/config';
import type { Passwords } from '../../secrets/passwords';
import type { Login, Registration } from '../../wire/partners';
import { guessing, networkHash, type From } from './guessing';
import { startSession } from './sessions';

interface Deps {
  /** The pool for users and new partners. Its role sees no cell. */
  access: Pool;
  passwords: Passwords;
  config: ApiConfig;
}

/**
 * Registers a company with its first user. The hash of the password is made first, so that a used email takes as
 * long as a new one.
 * @returns the partner, or EMAIL_ALREADY_REGISTERED.
 */
export async function register(
  { access, passwords, config }: Deps,
  { password, ...partner }: Registration,
): Promise<Outcome<PartnerRecord>> {
  const cells = config.CELLS_PER_ENVIRONMENT;
  return registerPartner(access, {
    partnerId: newId(),
    userId: newId(),
    ...partner,
    passwordHash: await passwords.hash(password),
    cells: { sandbox: cellForNewPartner('sandbox', cells), live: cellForNewPartner('live', cells) },
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
