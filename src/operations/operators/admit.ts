/** Lets an operator in: what the administrator has made alone works once another operator says so (D91). */
import type pg from 'pg';
import { admitOperator, listOperators } from '../../db/partners/operators';
import type { OperatorCode, OperatorRecord } from '../../domain/operators';
import { done, refuse, type Outcome } from '../../domain/outcome';
import { forbidden } from '../../domain/refusal-reasons';

/**
 * Admits the token that an operator waits with. A second call finds it admitted, and the first one stays in its row.
 * @param by the operator who admits.
 * @returns the operator, or refused: NOT_FOUND, FORBIDDEN for oneself, INVALID_STATE without a token that could work.
 */
export async function admit(
  platform: pg.Pool,
  operatorId: string,
  by: string,
): Promise<Outcome<OperatorRecord, OperatorCode>> {
  const find = async (): Promise<OperatorRecord | undefined> =>
    (await listOperators(platform, operatorId))[0];
  if (!(await find())) return refuse('NOT_FOUND');
  if (operatorId === by) return forbidden('oneself');
  const isAdmitted = await admitOperator(platform, operatorId, by);
  const now = await find();
  if (isAdmitted && now) return done(now);
  return refuse<OperatorCode>('INVALID_STATE', { message: 'The token is revoked or has expired' });
}
