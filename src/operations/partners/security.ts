/**
 * One transaction for an act around people and credentials, with the security events that report it. The log is
 * told of each event after the commit, so that it never reports what did not happen.
 */
import type { Pool, PoolClient } from 'pg';
import { recordSecurityEvent } from '../../db/partners/security-events';
import { inTransaction } from '../../db/pg/postgres';
import type { KnownUser } from '../../db/partners/users';
import type { SecurityEvent, SecurityEventKind } from '../../domain/security-events';
import type { SignedIn } from '../../domain/sessions';

export interface SecurityDeps {
  /** The pool for users and keys. Its role sees no cell. */
  access: Pool;
  /** Writes an event that has happened into the log. */
  logSecurityEvent: (event: SecurityEvent) => void;
}

/** Somebody who acts or is meant. */
type Who = KnownUser | Pick<SignedIn, 'partnerId' | 'userId'>;

/** A security event about somebody. @param address the network address of the caller; null where nobody called. */
export const eventOf = (
  who: Who,
  kind: SecurityEventKind,
  address: string | null,
  detail: Record<string, string> = {},
): SecurityEvent => ({
  ...('partner' in who
    ? { partnerId: who.partner.id, userId: who.id }
    : { partnerId: who.partnerId, userId: who.userId }),
  kind,
  address,
  detail,
});

/** Runs `work` in one transaction. It calls `record` for each security event. */
export async function withSecurityEvents<Result>(
  { access, logSecurityEvent }: SecurityDeps,
  work: (trx: PoolClient, record: (event: SecurityEvent) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const recorded: SecurityEvent[] = [];
  const result = await inTransaction(access, (trx) =>
    work(trx, async (event) => {
      await recordSecurityEvent(trx, event);
      recorded.push(event);
    }),
  );
  for (const event of recorded) logSecurityEvent(event);
  return result;
}
