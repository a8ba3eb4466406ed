/** A wallet has its account with one company, which is fixed before the account is ordered; and gives it up when it closes (D211). */
import { sampleCell } from '../../../src/db/upkeep/samples';
import { accountClosingIntention } from '../../../src/contract/intentions';
import { noteCustomer } from '../../../src/db/wallets/provider-customers';
import { moveWallet } from '../../../src/db/wallets/wallet-life';
import type { Json } from '../../support/api';
import { valueOf } from '../../support/outcomes';
import { createdWallet } from '../../support/wallet-creation';
import { insertPartner } from '../../../src/db/partners/credentials';
import { newId } from '../../../src/db/pg/ids';
import type { NeededDetail } from '../../../src/domain/owner-details';
import type { AccountOrder, Provider } from '../../../src/providers/port';
import { openActivities, type TestActivities } from '../../support/activities';
import { openTestCell, type TestCell } from '../../support/cell';
import { withFake } from '../../support/fakes';
import { SANDBOX_CELL } from '../../setup/cells';

const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
/** What each company lacks, and whether it answers. */
let lacks: Record<string, NeededDetail[]>;
let isDown: boolean;
let closes: 'closed' | 'none' | 'unknown';
/** What happens to the wallet while the company is at work. */
let meanwhile: (walletId: string) => Promise<unknown>;
let heard: string[];
let numbers = 7_000_000_000;

const company = (name: string): Provider => ({
  name,
  can: { failsForGood: false, asksFirst: false },
  accounts: {
    get demands() {
      return lacks[name] ?? [];
    },
    async issue({ walletId }: AccountOrder) {
      const noted = await cell.sql(
        `SELECT provider FROM ${SANDBOX_CELL}.provider_customers WHERE wallet_id = $1`,
        [walletId],
      );
      heard.push(`${name}, noted ${String(noted[0]?.['provider'])}`);
      if (isDown) throw new Error('no answer');
      await meanwhile(walletId);
      const account = { accountName: 'ADA OBI', bankCode: '50515', bankName: 'A bank', mfbReference: 'm' };
      return { outcome: 'issued', account: { ...account, accountNumber: String((numbers += 1)) } };
    },
    close: (walletId) => {
      heard.push(`${name} closes ${walletId}`);
      return Promise.resolve(closes);
    },
  },
});

beforeAll(async () => {
  cell = await openTestCell();
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  const names = { businessName: 'Acme Fintech', email: 'ada@acme.example' };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  activities = openActivities(cell.url, {}, (environment) =>
    withFake(
      environment,
      () => company('first'),
      () => company('second'),
    ),
  );
});
afterAll(async () => {
  await activities.close();
  await cell.close();
});
beforeEach(() => {
  [lacks, isDown, closes, heard] = [{}, false, 'closed', []];
  meanwhile = () => Promise.resolve();
});

const open = (walletId: string) =>
  activities.run('openAccount', { partnerId, epoch: 0, walletId, parkAfterMs: 1_000 });
const close = (walletId: string) => activities.run('closeAccount', { partnerId, epoch: 0, walletId });

test('the first company that lacks nothing opens it, and is noted before', async () => {
  lacks = { first: ['email'] };
  const walletId = await createdWallet(cell.cell, partnerId);
  expect(await open(walletId)).toEqual({ outcome: 'opened', status: 'active' });
  expect(heard).toEqual(['second, noted second']);
});

test('after a lost answer the same company is asked, whatever the others could do by now', async () => {
  lacks = { first: ['email'] };
  isDown = true;
  const walletId = await createdWallet(cell.cell, partnerId);
  await expect(open(walletId)).rejects.toThrow('no answer');
  [lacks, isDown] = [{}, false];
  expect(await open(walletId)).toMatchObject({ outcome: 'opened' });
  expect(heard).toEqual(['second, noted second', 'second, noted second']);
});

test('where all lack something, nothing is ordered, and what the least one lacks is said', async () => {
  lacks = { first: ['email', 'identity'], second: ['identity'] };
  const walletId = await createdWallet(cell.cell, partnerId);
  expect(await open(walletId)).toEqual({ outcome: 'needs', details: ['identity'] });
  expect(heard).toEqual([]);
});

test('the alarm hears of a wallet only while it waits for us or for a company, and not for its owner', async () => {
  const walletId = await createdWallet(cell.cell, partnerId);
  const age = (since: string) =>
    cell.sql(
      `UPDATE ${SANDBOX_CELL}.wallets SET created_at = ${since}, account_wanted_at = ${since} WHERE id = $1`,
      [walletId],
    );
  const waited = async () => (await sampleCell(cell.cell)).walletOldestSeconds;
  await age(`now() - interval '3 hours'`);
  expect(await waited()).toBeGreaterThanOrEqual(3 * 3_600);

  lacks = { first: ['email'], second: ['identity'] };
  await open(walletId);
  expect(await waited()).toBe(0);

  [lacks, isDown] = [{}, true];
  await expect(open(walletId)).rejects.toThrow('no answer');
  const since = `SELECT account_wanted_at FROM ${SANDBOX_CELL}.wallets WHERE id = $1`;
  const [first] = await cell.sql(since, [walletId]);
  expect(await waited()).toBeGreaterThan(0);
  expect(await waited()).toBeLessThan(60);
  await expect(open(walletId)).rejects.toThrow('no answer');
  expect(await cell.sql(since, [walletId])).toEqual([first]);

  isDown = false;
  await open(walletId);
  expect(await waited()).toBe(0);
});

test('the account is given up once, after the wallet is closed; an unknown answer is asked again', async () => {
  const walletId = await createdWallet(cell.cell, partnerId);
  await open(walletId);
  await expect(close(walletId)).rejects.toThrow('only the account of a closed wallet');
  await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = $1`, [walletId]);
  closes = 'unknown';
  expect(await close(walletId)).toBe(false);
  closes = 'closed';
  expect([await close(walletId), await close(walletId)]).toEqual([true, true]);
  expect(heard.filter((one) => one.includes('closes'))).toEqual(
    Array.from({ length: 2 }, () => `first closes ${walletId}`),
  );
});

/** As the partner does. @returns the workflow that has the company give the account up; null where none was ordered. */
const closeWallet = async (walletId: string) => {
  const moved = await moveWallet(cell.cell, {
    partnerId,
    walletId,
    trigger: 'close',
    actor: { kind: 'partner' },
    requestId: 'req_test',
    reason: null,
    authority: null,
    frozenUntil: null,
    overOrder: 'kept',
    closing: accountClosingIntention({ partnerId, walletId }),
  });
  return valueOf(moved).intention;
};
const customerOf = (walletId: string) =>
  cell.sql(`SELECT closed_at FROM ${SANDBOX_CELL}.provider_customers WHERE wallet_id = $1`, [walletId]);
const aged = (walletId: string) =>
  cell.sql(`UPDATE ${SANDBOX_CELL}.wallets SET updated_at = now() - interval '31 minutes' WHERE id = $1`, [
    walletId,
  ]);

describe('a wallet that is closed before it has its account', () => {
  test('orders none any more, and no company is noted', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    expect(await closeWallet(walletId)).toBeNull();
    expect(await open(walletId)).toEqual({ outcome: 'opened', status: 'closed' });
    expect(await noteCustomer(cell.cell, { partnerId, walletId, provider: 'first' })).toBeNull();
    expect(heard).toEqual([]);
    expect(await customerOf(walletId)).toEqual([]);
  });

  test('while one is ordered gets none, and the company gives up what it has issued', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    let closing: unknown = null;
    meanwhile = async () => (closing = await closeWallet(walletId));
    expect(await open(walletId)).toEqual({ outcome: 'opened', status: 'closed' });
    expect(closing).toMatchObject({ workflowId: `account-closing/${walletId}` });
    const [wallet] = await cell.sql(`SELECT account_number FROM ${SANDBOX_CELL}.wallets WHERE id = $1`, [
      walletId,
    ]);
    expect(wallet).toEqual({ account_number: null });
    expect(await close(walletId)).toBe(true);
    expect(heard.at(-1)).toBe(`first closes ${walletId}`);
  });

  test('of which the company says that it has none is asked about until no order can be under way', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    isDown = true;
    await expect(open(walletId)).rejects.toThrow('no answer');
    await closeWallet(walletId);
    closes = 'none';
    expect(await close(walletId)).toBe(false);
    await aged(walletId);
    closes = 'unknown';
    expect(await close(walletId)).toBe(false);
    closes = 'none';
    expect(await close(walletId)).toBe(true);
  });

  test('whose account is issued after all that is to be given up again', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    meanwhile = async () => {
      await closeWallet(walletId);
      await aged(walletId);
      closes = 'none';
      expect(await close(walletId)).toBe(true);
    };
    await open(walletId);
    expect(await customerOf(walletId)).toEqual([{ closed_at: null }]);
    closes = 'closed';
    expect(await close(walletId)).toBe(true);
    expect(await customerOf(walletId)).toEqual([{ closed_at: expect.any(Date) }]);
  });
});

describe('a wallet whose opening stands still', () => {
  const park = (walletId: string, since: string, missing: NeededDetail[] = ['email', 'identity']) =>
    activities.run('parkWallet', { partnerId, epoch: 0, walletId, parkAfterMs: 1_000, since, missing });
  const told = async (walletId: string) =>
    (
      await cell.sql(`SELECT kind, data FROM ${SANDBOX_CELL}.events WHERE resource_id = $1 ORDER BY id`, [
        walletId,
      ])
    ).map(({ kind, data }) => [kind, JSON.parse(String(data))] as [string, Json]);

  test('is told once for each parking, by the names of what is missing and no value', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    expect(await park(walletId, '2026-11-27T09:00:00.000Z')).toBe('pending');
    expect(await park(walletId, '2026-11-27T09:00:00.000Z')).toBe('pending');
    await park(walletId, '2026-11-28T09:00:00.000Z', []);
    await park(walletId, '2026-11-27T09:00:00.000Z');
    expect(
      (await told(walletId)).map(([kind, { reason, missing, parked_at }]) => [
        kind,
        reason,
        missing,
        parked_at,
      ]),
    ).toEqual([
      [
        'wallet.parked',
        'details_missing',
        ['metadata.email', 'verified_bvn_or_nin'],
        '2026-11-27T09:00:00.000Z',
      ],
      ['wallet.parked', 'no_account', [], '2026-11-28T09:00:00.000Z'],
    ]);
  });

  test('is not told of once it is closed', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    await closeWallet(walletId);
    expect(await park(walletId, '2026-11-27T09:00:00.000Z')).toBe('closed');
    expect(await told(walletId)).toEqual([]);
  });
});
