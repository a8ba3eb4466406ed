/** The partner and the operator that every local sandbox begins with. */
import { insertPartner } from '../../src/db/partners/credentials';
import { revokeOperator } from '../../src/db/partners/operators';
import { cellNames } from '../../src/db/pg/schema';
import { assert } from '../../src/domain/assert';
import { TOKEN_LIFE_MAX_MS } from '../../src/domain/operators';
import { makeKey } from '../../src/operations/partners/keys';
import { withDatabase } from '../../src/administration/admin';
import { makeOperatorToken } from '../../src/administration/operator-token';

/** One fixed id, so that seeding twice finds the same partner. */
const PARTNER_ID = '01980000-0000-7000-8000-000000000001';
const OPERATOR_NAME = 'local';

/** Makes a new key for the sandbox's partner, and first the partner where it does not exist. @returns the key. */
export function seedSandboxKey(databaseUrl: string): Promise<string> {
  return withDatabase(databaseUrl, async (db) => {
    const partner = { id: PARTNER_ID, businessName: 'Acme Fintech', email: 'dev@acme.example' };
    const [sandbox = '', live = ''] = (['sandbox', 'live'] as const).map((name) => cellNames(name, 1)[0]);
    await insertPartner(db, { ...partner, status: 'registered' }, { sandbox, live });
    const label = 'local sandbox';
    const made = await makeKey(db, { partnerId: PARTNER_ID, environment: 'sandbox', label, expiresAt: null });
    assert(made.ok, 'a key that never expires is made');
    return made.value.key;
  });
}

/** Gives the local operator a new token. The token before it stops working. */
export function seedOperator(databaseUrl: string): Promise<string> {
  return withDatabase(databaseUrl, async (db) => {
    await revokeOperator(db, OPERATOR_NAME);
    const expiresAt = new Date(Date.now() + TOKEN_LIFE_MAX_MS);
    const made = await makeOperatorToken(db, OPERATOR_NAME, 'operator', expiresAt);
    assert(made !== null, 'an operator without a token gets one');
    return made.token;
  });
}
