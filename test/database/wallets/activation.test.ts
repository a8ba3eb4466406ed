/** A pending wallet gets its account and becomes active once, with one event. */
import { directoryOf } from '../../../src/db/pg/schema';
import { listEventsOfIds } from '../../../src/db/events/live-events';
import { newId } from '../../../src/db/pg/ids';
import { activateWallet, findWallet } from '../../../src/db/wallets/wallets';
import { SANDBOX_MFB } from '../../../src/domain/banks';
import { walletActivated, writePayload } from '../../../src/wire/webhooks';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { createdWallet } from '../../support/wallet-creation';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});

describe('activating a wallet', () => {
  const accountOf = (accountNumber: string) => ({
    accountNumber,
    accountName: 'ADA OBI',
    bankCode: SANDBOX_MFB.code,
    bankName: SANDBOX_MFB.name,
    mfbReference: `SBX-VA-${accountNumber}`,
  });
  const activate = (walletId: string, accountNumber: string) =>
    activateWallet(
      cell.cell,
      directoryOf('sandbox'),
      { partnerId, walletId },
      accountOf(accountNumber),
      walletActivated,
    );
  const eventsOf = (walletId: string) =>
    cell.sql(`SELECT id, kind FROM ${SANDBOX_CELL}.events WHERE resource_id = $1`, [walletId]);

  test('fills the account fields and writes wallet.activated in one commit', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);

    const { wallet } = await activate(walletId, '1000000001');

    expect(wallet).toMatchObject({ status: 'active', account: accountOf('1000000001') });
    const [event, ...more] = await eventsOf(walletId);
    expect(more).toEqual([]);
    expect(event!['kind']).toBe('wallet.activated');
    const [told] = await listEventsOfIds(cell.cell, [{ id: event!['id'] as string }]);
    expect(JSON.parse(writePayload(told!.payload))).toEqual({
      id: walletId,
      user_ref: wallet!.userRef,
      status: 'active',
      account_number: '1000000001',
      account_name: 'ADA OBI',
      bank_code: SANDBOX_MFB.code,
      bank_name: SANDBOX_MFB.name,
      account_status: 'active',
      created_at: wallet!.createdAt.toISOString(),
      activated_at: wallet!.updatedAt.toISOString(),
    });
  });

  test('five times at once moves it once, with one event', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);

    const done = await Promise.all(Array.from({ length: 5 }, () => activate(walletId, '1000000002')));

    expect(done.map(({ wallet }) => wallet?.status)).toEqual(Array.from({ length: 5 }, () => 'active'));
    expect(await eventsOf(walletId)).toHaveLength(1);
  });

  test('a second time with another account changes nothing', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    await activate(walletId, '1000000003');

    const { wallet } = await activate(walletId, '1000000004');

    expect(wallet?.account?.accountNumber).toBe('1000000003');
    expect(await eventsOf(walletId)).toHaveLength(1);
  });

  test.each(['frozen', 'closed'])('does not move a wallet that is %s', async (status) => {
    const walletId = await createdWallet(cell.cell, partnerId);
    await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = $2 WHERE id = $1`, [walletId, status]);

    const { wallet } = await activate(walletId, '1000000005');

    expect(wallet).toMatchObject({ status, account: null });
    expect(await eventsOf(walletId)).toEqual([]);
  });

  test('takes a number that another bank has given to another wallet', async () => {
    await activate(await createdWallet(cell.cell, partnerId), '1000000007');
    const walletId = await createdWallet(cell.cell, partnerId);
    const account = { ...accountOf('1000000007'), bankCode: '035', bankName: 'Wema Bank' };

    const { wallet } = await activateWallet(
      cell.cell,
      directoryOf('sandbox'),
      { partnerId, walletId },
      account,
      walletActivated,
    );

    expect(wallet).toMatchObject({ status: 'active', account });
  });

  test('stops loudly for an account that another wallet has: nothing moves', async () => {
    await activate(await createdWallet(cell.cell, partnerId), '1000000008');
    const walletId = await createdWallet(cell.cell, partnerId);

    await expect(activate(walletId, '1000000008')).rejects.toThrow('is not this wallet’s');

    expect(await findWallet(cell.cell, partnerId, walletId)).toMatchObject({ status: 'pending' });
    expect(await eventsOf(walletId)).toEqual([]);
  });

  test('is refused for a foreign partner: nothing moves', async () => {
    const walletId = await createdWallet(cell.cell, partnerId);
    const foreign = await activateWallet(
      cell.cell,
      directoryOf('sandbox'),
      { partnerId: newId(), walletId: walletId },
      accountOf('1000000006'),
      walletActivated,
    );

    expect(foreign).toEqual({ wallet: null, endpointIds: [] });
    expect(await findWallet(cell.cell, partnerId, walletId)).toMatchObject({ status: 'pending' });
  });
});
