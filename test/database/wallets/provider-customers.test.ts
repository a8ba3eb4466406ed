/** A wallet has its account with one company, which is fixed before the account is ordered; and gives it up when it closes (D211). */
import { sampleCell } from '../../../src/db/upkeep/samples';
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
let closes: 'closed' | 'unknown';
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
