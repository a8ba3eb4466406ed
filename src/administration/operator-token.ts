/** Gives a person a token for the operator port: shown once, kept as a hash (D91). */
import { newId } from '../db/pg/ids';
import { giveToken } from '../db/partners/operators';
import type { Queryable } from '../db/pg/postgres';
import type { OperatorRole } from '../domain/operators';
import { hashApiKey, keyPrefix, newKey } from '../wire/api-keys';
import { OPERATOR_TOKEN_PREFIX } from '../wire/operators';

/**
 * @param expiresAt when the token stops working.
 * @returns `works` is false while another operator has not admitted it; null when this person has a token that works: one
 *   person, one token.
 */
export async function makeOperatorToken(
  db: Queryable,
  name: string,
  role: OperatorRole,
  expiresAt: Date,
): Promise<{ id: string; token: string; works: boolean } | null> {
  const token = newKey(OPERATOR_TOKEN_PREFIX);
  const kept = { hash: hashApiKey(token), prefix: keyPrefix(token), expiresAt };
  const given = await giveToken(db, { id: newId(), name, role }, kept);
  return given && { ...given, token };
}
