/** Gives a person a token for the operator port: shown once, kept as a hash (D91). */
import { newId } from '../db/pg/ids';
import { giveToken, renewToken } from '../db/partners/operators';
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
  const { token, kept } = newToken(expiresAt);
  const given = await giveToken(db, { id: newId(), name, role }, kept);
  return given && { ...given, token };
}

/**
 * Gives a person the next token for the last one (`renewToken`).
 * @param last the token that the person has, which may have expired.
 * @returns null where there is no next token for it: another operator must admit a new one.
 */
export async function renewOperatorToken(
  db: Queryable,
  name: string,
  last: string,
  expiresAt: Date,
): Promise<{ id: string; role: OperatorRole; token: string; expiresAt: Date } | null> {
  const { token, kept } = newToken(expiresAt);
  const renewed = await renewToken(db, name, hashApiKey(last), kept);
  return renewed && { ...renewed, token };
}

function newToken(expiresAt: Date) {
  const token = newKey(OPERATOR_TOKEN_PREFIX);
  return { token, kept: { hash: hashApiKey(token), prefix: keyPrefix(token), expiresAt } };
}
