/** A person with a token, calling the operator port; somebody who had one gets a new one. */
import { makeOperatorToken } from '../../src/administration/operator-token';
import { newId } from '../../src/db/pg/ids';
import type { Queryable } from '../../src/db/pg/postgres';
import { TOKEN_LIFE_MS, type OperatorRole } from '../../src/domain/operators';
import { send, type Answer } from './send';

export interface TestOperator {
  readonly id: string;
  readonly name: string;
  readonly token: string;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
}

export async function openOperator(
  url: string,
  owner: Queryable,
  role: OperatorRole = 'operator',
  name = `operator-${newId()}`,
  expiresAt = new Date(Date.now() + TOKEN_LIFE_MS),
): Promise<TestOperator> {
  const expired = `UPDATE platform.operators SET expires_at = now() - interval '1 second' WHERE name = $1`;
  await owner.query(expired, [name]);
  const made = await makeOperatorToken(owner, name, role, expiresAt);
  if (!made) throw new Error('the token before has expired');
  if (!made.works) {
    const admit = `UPDATE platform.operators o SET admitted_at = now(), admitted_by = (
      SELECT id FROM platform.operators WHERE role = 'operator' AND admitted_at IS NOT NULL AND expires_at > now()
         AND revoked_at IS NULL AND id <> o.id LIMIT 1) WHERE id = $1`;
    await owner.query(admit, [made.id]);
  }
  const key = made.token;
  return {
    id: made.id,
    name,
    token: key,
    get: (path) => send(url + path, 'GET', { key }),
    post: (path, body) => send(url + path, 'POST', { key, body }),
  };
}

/** What one operator has proposed, approved by another one. @returns the answer of the last approval. */
export async function approvedBy(proposed: Answer, ...others: TestOperator[]): Promise<Answer> {
  if (proposed.status !== 202) throw new Error(`not proposed: ${proposed.status} ${proposed.text}`);
  let answer = proposed;
  for (const other of others) answer = await other.post(`/ops/proposals/${proposed.body.data.id}/approve`);
  return answer;
}
