/** API keys as rows: which one is in force, for whom, and when it was used. */
import { createHash } from 'node:crypto';
import pg from 'pg';
import {
  findKey,
  findPartner,
  insertKey,
  insertPartner,
  listKeys,
  noteKeyUse,
  revokeKey,
} from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { inTransaction } from '../../src/db/pg/postgres';
import { UNBOUNDED } from '../../src/domain/key-scopes';
import type { PartnerStatus } from '../../src/domain/partners';
import { openTestCell, type TestCell } from '../support/cell';
import { asLogin } from '../support/logins';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
/** What the sandbox's processes may ask about partners. */
let partners: pg.Pool;
beforeAll(async () => {
  cell = await openTestCell();
  partners = new pg.Pool({ connectionString: asLogin(cell.url, 'sandbox_partners'), max: 2 });
});
afterAll(async () => {
  await partners.end();
  await cell.close();
});

const HOUR_MS = 3_600_000;

async function partner(status: PartnerStatus = 'active'): Promise<string> {
  const id = newId();
  await insertPartner(
    cell.owner,
    { id, businessName: 'Acme Fintech', email: `${id}@acme.example`, status },
    { sandbox: SANDBOX_CELL, live: LIVE_CELL },
  );
  return id;
}

async function key(of: { partnerId: string; expiresAt?: Date | null }) {
  const id = newId();
  const keyHash = createHash('sha256').update(id).digest();
  const keyPrefix = 'sk_test_abcd...';
  await insertKey(cell.owner, {
    ...UNBOUNDED,
    expiresAt: null,
    ...of,
    id,
    max: 20,
    environment: 'sandbox',
    keyHash,
    keyPrefix,
    label: '',
  });
  return { id, keyHash };
}

/** Looks a key up as the API does: under the environment's role. */
const find = (keyHash: Buffer) => findKey(partners, 'sandbox', keyHash);

describe('finding a key by its hash', () => {
  test('gives the key with its partner and cell', async () => {
    const partnerId = await partner();
    const { id, keyHash } = await key({ partnerId });

    expect(await find(keyHash)).toEqual({
      ...UNBOUNDED,
      expiresAt: null,
      keyId: id,
      partner: {
        id: partnerId,
        businessName: 'Acme Fintech',
        status: 'active',
        tier: 'starter',
        emailIsConfirmed: true,
        cell: SANDBOX_CELL,
      },
    });
  });

  test('an unknown key is not found', async () => {
    expect(await find(createHash('sha256').update('another').digest())).toBeNull();
  });

  test('a key of the sandbox is not found in live', async () => {
    const { keyHash } = await key({ partnerId: await partner() });
    expect(await findKey(cell.owner, 'live', keyHash)).toBeNull();
  });

  test('a revoked key is not found, and can be revoked only once', async () => {
    const { id, keyHash } = await key({ partnerId: await partner() });
    expect(await revokeKey(cell.owner, id, null)).toBe(true);
    expect(await find(keyHash)).toBeNull();
    expect(await revokeKey(cell.owner, id, null)).toBe(false);
    expect(await revokeKey(cell.owner, newId(), null)).toBe(false);
  });

  test('revoking one key of a partner leaves its other key in force, so keys can be rotated', async () => {
    const partnerId = await partner();
    const [old, fresh] = [await key({ partnerId }), await key({ partnerId })];
    await revokeKey(cell.owner, old.id, null);
    expect(await find(fresh.keyHash)).toMatchObject({ keyId: fresh.id });
  });

  test.each([
    ['an hour ago', -HOUR_MS, false],
    ['in an hour', HOUR_MS, true],
  ])('a key that expires %s is found: %#', async (_, fromNowMs, isFound) => {
    const { id, keyHash } = await key({ partnerId: await partner() });
    await cell.sql(`UPDATE platform.api_keys SET expires_at = now() + $2 * interval '1 ms' WHERE id = $1`, [
      id,
      fromNowMs,
    ]);
    expect((await find(keyHash)) !== null).toBe(isFound);
  });

  test.each([
    ['registered', true],
    ['pending_review', true],
    ['active', true],
    ['suspended', true],
    ['closed', false],
  ] as const)('a key of a partner that is %s is found: %s', async (status, isFound) => {
    const { keyHash } = await key({ partnerId: await partner(status) });
    expect((await find(keyHash)) !== null).toBe(isFound);
  });

  test('a second key of the same hash is refused by Postgres', async () => {
    const partnerId = await partner();
    const { keyHash } = await key({ partnerId });
    const again = {
      ...UNBOUNDED,
      id: newId(),
      partnerId,
      environment: 'live',
      keyHash,
      keyPrefix: '',
      label: '',
      expiresAt: null,
      max: 20,
    };
    await expect(insertKey(cell.owner, { ...again, environment: 'live' })).rejects.toMatchObject({
      code: '23505',
    });
  });
});

test('of keys that are made at once, in whatever process, no more are made than a partner may have', async () => {
  const partnerId = await partner();
  const platform = await openTestCell('platform', cell.url);
  const make = (n: number) =>
    inTransaction(cell.owner, (trx) =>
      insertKey(trx, {
        ...UNBOUNDED,
        id: newId(),
        partnerId,
        environment: 'sandbox',
        keyHash: createHash('sha256')
          .update(`${partnerId} ${String(n)}`)
          .digest(),
        keyPrefix: '',
        label: '',
        expiresAt: null,
        max: 1,
      }),
    );
  const made = await platform.slowly('INSERT', 'api_keys', () => Promise.all([1, 2, 3].map(make)));
  await platform.close();
  expect(made.filter(({ ok }) => ok)).toHaveLength(1);
});

describe('the last use of a key', () => {
  const lastUsed = async (id: string): Promise<number | null> => {
    const [row] = await cell.sql('SELECT last_used_at FROM platform.api_keys WHERE id = $1', [id]);
    return (row!['last_used_at'] as Date | null)?.getTime() ?? null;
  };
  const setBack = (id: string, age: string) =>
    cell.sql('UPDATE platform.api_keys SET last_used_at = now() - $2::interval WHERE id = $1', [id, age]);

  test('is null before it, and noted under the role of the environment', async () => {
    const { id } = await key({ partnerId: await partner() });
    expect(await lastUsed(id)).toBeNull();
    await noteKeyUse(partners, id);
    expect(await lastUsed(id)).not.toBeNull();
  });

  test.each([
    ['30 seconds', false],
    ['61 seconds', true],
  ])('is noted again %s after it: %s', async (age, isNoted) => {
    const { id } = await key({ partnerId: await partner() });
    await setBack(id, age);
    const before = await lastUsed(id);

    await noteKeyUse(partners, id);

    expect((await lastUsed(id)) !== before).toBe(isNoted);
  });
});

describe('a partner', () => {
  test('is registered once: a second time changes nothing', async () => {
    const id = await partner('suspended');
    await insertPartner(
      cell.owner,
      { id, businessName: 'Another', email: 'x@acme.example', status: 'active' },
      { sandbox: 'sandbox_7', live: 'live_7' },
    );
    expect(await findPartner(partners, 'sandbox', id)).toMatchObject({
      businessName: 'Acme Fintech',
      status: 'suspended',
      cell: SANDBOX_CELL,
    });
  });

  test('that does not exist is not found', async () => {
    expect(await findPartner(partners, 'sandbox', newId())).toBeNull();
  });

  test('shows its keys to the administrator without the key itself', async () => {
    const partnerId = await partner();
    const { id } = await key({ partnerId });

    const mine = (await listKeys(cell.owner)).filter((one) => one.partnerId === partnerId);

    expect(mine).toEqual([
      {
        ...UNBOUNDED,
        id,
        partnerId,
        businessName: 'Acme Fintech',
        environment: 'sandbox',
        keyPrefix: 'sk_test_abcd...',
        label: '',
        lastUsedAt: null,
        expiresAt: null,
        revokedAt: null,
        createdAt: expect.any(Date),
      },
    ]);
  });
});
