/**
 * One transaction for an act around people and credentials, with the security events that report it. A log line
 * for each event is written after the commit, so that the log never reports what did not happen.
 */
import type { Pool, PoolClient } from 'pg';
import type { Logger } from 'pino';
import { recordSecurityEvent } from '../../db/partners/security-events';
import { inTransaction } from '../../db/pg/postgres';
import { SECURITY_EVENT_KINDS, type SecurityEvent } from '../../domain/security-events';

/**
 * Runs `work` in one transaction. It calls `record` for each security event.
 * @param access the pool for users and keys.
 */
export async function withSecurityEvents<Result>(
  { access, logger }: { access: Pool; logger: Logger },
  work: (trx: PoolClient, record: (event: SecurityEvent) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const recorded: SecurityEvent[] = [];
  const result = await inTransaction(access, (trx) =>
    work(trx, async (event) => {
      await recordSecurityEvent(trx, event);
      recorded.push(event);
    }),
  );
  for (const securityEvent of recorded) {
    logger.info({ securityEvent }, SECURITY_EVENT_KINDS[securityEvent.kind].sentence);
  }
  return result;
}
