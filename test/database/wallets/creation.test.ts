/** One wallet per user_ref for ever, however many requests come at once, with a key or without. */
import { nameOf } from '../../../src/domain/outcome';
import { valueAs } from '../../support/outcomes';
import { newId } from '../../../src/db/pg/ids';
import { findWallet, type WalletCreation } from '../../../src/db/wallets/wallets';
import type { UsedKey } from '../../../src/domain/ledger';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder } from '../../support/holder';
import { create as createIn, createdWallet } from '../../support/wallet-creation';
import { SANDBOX_CELL } from '../../setup/cells';
import { keptAnswerPlace } from '../../../src/secrets/sealing';

let cell: TestCell;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});

const newRef = (): string => `user-${newId()}`;
const newKey = (): UsedKey => ({ operation: 'createWallet', key: `key-${newId()}`, fingerprint: 'body' });
const create = (of: { userRef: string; partnerId?: string; key?: UsedKey }) =>
  createIn(cell.cell, { partnerId, ...of });

const count = (creations: WalletCreation[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const one of creations.map(nameOf)) counts[one] = (counts[one] ?? 0) + 1;
  return counts;
};

describe('creating a wallet', () => {
  test('gives a pending wallet without an account, and the intention to provision it', async () => {
    const userRef = newRef();

    const creation = await create({ userRef });

    const { wallet } = valueAs(creation, 'created');
    expect(wallet).toMatchObject({
      partnerId,
      userRef,
      status: 'pending',
      account: null,
      metadata: { tag: 'é' },
      balanceKobo: 0,
    });
    const { id } = wallet;
    expect(await findWallet(cell.cell, partnerId, id)).toEqual(wallet);
    expect(
      await cell.sql(
        `SELECT workflow_id, started_at FROM ${SANDBOX_CELL}.workflow_intentions WHERE resource_id = $1`,
        [id],
      ),
    ).toEqual([{ workflow_id: `wallet/${id}`, started_at: null }]);
  });

  test('20 times at once for one user_ref: one is created, 19 are told its id', async () => {
    const userRef = newRef();

    const creations = await Promise.all(Array.from({ length: 20 }, () => create({ userRef })));

    expect(count(creations)).toEqual({ created: 1, WALLET_ALREADY_EXISTS: 19 });
    const winner = valueAs(
      creations.find((one) => one.ok)!,
      'created',
    ).wallet.id;
    const told = creations.flatMap((one) => (one.ok ? [] : [one.refusal.detail?.['walletId']]));
    expect(new Set(told)).toEqual(new Set([winner]));
  });

  test('20 times at once with one key: one is created, 19 get the bytes of its answer', async () => {
    const [userRef, key] = [newRef(), newKey()];

    const creations = await Promise.all(Array.from({ length: 20 }, () => create({ userRef, key })));

    expect(count(creations)).toEqual({ created: 1, same_key: 19 });
    const { id } = valueAs(
      creations.find((one) => nameOf(one) === 'created')!,
      'created',
    ).wallet;
    for (const one of creations.filter((each) => nameOf(each) === 'same_key')) {
      expect(valueAs(one, 'same_key').answer).toEqual({ status: 202, body: `{"id":"${id}"}` });
    }
  });

  test('with one key and two bodies at once: one is created, the other body is refused', async () => {
    const [key, other] = [newKey(), newRef()];
    const userRef = newRef();

    const creations = await Promise.all(
      Array.from({ length: 10 }, (_, place) =>
        place % 2 === 0
          ? create({ userRef, key })
          : create({ userRef: other, key: { ...key, fingerprint: 'other body' } }),
      ),
    );

    expect(count(creations)).toEqual({ created: 1, same_key: 4, IDEMPOTENCY_KEY_REUSED: 5 });
  });

  test('with a used key and a taken user_ref, the key decides first', async () => {
    const [userRef, key] = [newRef(), newKey()];
    await create({ userRef, key });

    expect(nameOf(await create({ userRef, key }))).toBe('same_key');
    expect(nameOf(await create({ userRef, key: { ...key, fingerprint: 'other' } }))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    );
    expect(nameOf(await create({ userRef, key: newKey() }))).toBe('WALLET_ALREADY_EXISTS');
  });

  test('a refused creation leaves its key free, and nothing behind', async () => {
    const [userRef, key] = [newRef(), newKey()];
    await create({ userRef });
    const [before] = await cell.sql(`SELECT count(*)::int AS rows FROM ${SANDBOX_CELL}.accounts`);

    expect(nameOf(await create({ userRef, key }))).toBe('WALLET_ALREADY_EXISTS');

    expect(await cell.sql(`SELECT count(*)::int AS rows FROM ${SANDBOX_CELL}.accounts`)).toEqual([before]);
    expect(nameOf(await create({ userRef: newRef(), key }))).toBe('created');
  });

  test('an expired key creates again, once', async () => {
    const key = newKey();
    await create({ userRef: newRef(), key });
    await cell.sql(
      `UPDATE ${SANDBOX_CELL}.idempotency_keys SET created_at = created_at - interval '24 hours' WHERE key = $1`,
      [key.key],
    );
    const userRef = newRef();

    const creations = await Promise.all(Array.from({ length: 10 }, () => create({ userRef, key })));

    expect(count(creations)).toEqual({ created: 1, same_key: 9 });
  });

  test('with a key that another request is using waits two seconds, and is then answered as locked', async () => {
    const [key, id] = [newKey(), newId()];
    const holder = await openHolder(cell.owner);
    await holder.begin(
      `INSERT INTO ${SANDBOX_CELL}.idempotency_keys (partner_id, operation, key, fingerprint, status, body_sealed,
         resource_id, created_at)
       VALUES ($1, $2, $3, $4, 202, $5, $6, now())`,
      [
        ...[partnerId, key.operation, key.key, key.fingerprint],
        cell.cell.sealing.seal('{}', keptAnswerPlace(id)),
        id,
      ],
    );

    expect(nameOf(await create({ userRef: newRef(), key }))).toBe('REQUEST_IN_PROGRESS');

    await holder.end('COMMIT');
    await holder.close();
    expect(nameOf(await create({ userRef: newRef(), key }))).toBe('same_key');
  });

  test('a user_ref of another partner, or in other letters, is another user_ref', async () => {
    const userRef = newRef();
    const creations = [
      await create({ userRef }),
      await create({ userRef, partnerId: newId() }),
      await create({ userRef: userRef.toUpperCase() }),
    ];
    expect(count(creations)).toEqual({ created: 3 });
  });

  test('a wallet of another partner is not found', async () => {
    expect(await findWallet(cell.cell, newId(), await createdWallet(cell.cell, partnerId))).toBeNull();
  });
});
