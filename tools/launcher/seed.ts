/** The partner and the operator that every local sandbox begins with. */
import pg from 'pg';
import { insertPartner, listKeys } from '../../src/db/partners/credentials';
import { revokeOperator } from '../../src/db/partners/operators';
import { cellNames } from '../../src/db/pg/schema';
import { assert } from '../../src/domain/assert';
import { makeKey } from '../../src/operations/partners/keys';
import { withDatabase } from '../../src/administration/admin';
import { makeOperatorToken } from '../../src/administration/operator-token';

/** One fixed id, so that seeding twice finds the same partner. */
const PARTNER_ID = '01980000-0000-7000-8000-000000000001';

/**
 * Makes sure that the partner and a key exist.
 * @returns the key where one was made now: keys are never stored, so an old one cannot be shown again.
 */
export async function seedSandboxPartner(
  databaseUrl: string,
  options: { newKey?: boolean } = {},
): Promise<{ partnerId: string; key: string | null }> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    const partner = { id: PARTNER_ID, businessName: 'Acme Fintech', email: 'dev@acme.example' };
    const [sandbox = '', live = ''] = (['sandbox', 'live'] as const).map((name) => cellNames(name, 1)[0]);
    await insertPartner(db, { ...partner, status: 'registered' }, { sandbox, live });
    const known = (await listKeys(db)).some((key) => key.partnerId === PARTNER_ID && !key.revokedAt);
    if (known && !options.newKey) return { partnerId: PARTNER_ID, key: null };
    const made = await makeKey(db, {
      partnerId: PARTNER_ID,
      environment: 'sandbox',
      label: 'local sandbox',
      expiresAt: null,
    });
    assert(made.ok, 'a key that never expires is made');
    return { partnerId: PARTNER_ID, key: made.value.key };
  } finally {
    await db.end();
  }
}

const OPERATOR_NAME = 'local';

/** Gives the local operator a new token; the one before it stops. */
export async function seedOperator(databaseUrl: string): Promise<string> {
  let token: string | undefined;
  await withDatabase(databaseUrl, async (db) => {
    await revokeOperator(db, OPERATOR_NAME);
    token = (await makeOperatorToken(db, OPERATOR_NAME, 'operator'))?.token;
  });
  if (token === undefined) throw new Error('no operator token was made');
  return token;
}
