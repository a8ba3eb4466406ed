/**
 * The names of a wallet are sealed for their row, and opened when somebody looks at them: what does not look at them
 * works while their key is missing.
 */
import { newId } from '../../src/db/pg/ids';
import { findQrRequest, insertQrRequest, listQrRequests } from '../../src/db/payments/qr-requests';
import { moveUssdSession } from '../../src/db/payments/ussd-moves';
import { findUssdSession, openUssdSession } from '../../src/db/payments/ussd-sessions';
import { moveWallet } from '../../src/db/wallets/wallet-life';
import { activateWallet, findFullName, findWallet, listWallets } from '../../src/db/wallets/wallets';
import { accountClosingIntention, ussdIntention } from '../../src/contract/intentions';
import { directoryOf } from '../../src/db/pg/schema';
import type { SealedCell } from '../../src/db/pg/postgres';
import { createSealing } from '../../src/secrets/sealing';
import { ussdEnded, walletActivated } from '../../src/wire/webhooks';
import { SANDBOX_CELL } from '../setup/cells';
import { openTestCell, type TestCell } from '../support/cell';
import { valueAs } from '../support/outcomes';
import { create } from '../support/wallet-creation';

const partnerId = newId();
const PAGE = { after: null, limit: 10 };
const UNKNOWN = 'sealed under a key that is not known here';
let cell: TestCell;
/** As a process sees the cell that was not given the key. */
let keyless: SealedCell;
let walletId: string;
let qrId: string;
let sessionId: string;

beforeAll(async () => {
  cell = await openTestCell();
  keyless = { ...cell.cell, sealing: createSealing(Buffer.alloc(32, 99).toString('base64')) };
  walletId = valueAs(await create(cell.cell, { partnerId, userRef: 'ada' }), 'created').wallet.id;
  const account = { accountNumber: '1000000001', bankCode: '50999', bankName: 'Bank', mfbReference: 'm' };
  await activateWallet(
    cell.cell,
    directoryOf('sandbox'),
    { partnerId, walletId },
    { ...account, accountName: 'ADA OBI' },
    walletActivated,
  );
  const texts = { amountKobo: 100, description: '', metadata: {} };
  qrId = newId();
  const request = { ...texts, id: qrId, partnerId, walletId, reference: 'qr', label: '000000000001' };
  await insertQrRequest(cell.cell.pool, cell.cell, { ...request, payeeName: 'ADA OBI' }, 300);
  sessionId = newId();
  const session = {
    ...{
      sessionId,
      transactionId: newId(),
      partnerId,
      merchantWalletId: walletId,
      merchantName: 'ADA STORES',
    },
    ...{ phone: null, dialCode: '615203', amountKobo: 100, reference: 'ussd', windowMs: 180_000, key: null },
    payerWalletId: await cell.wallet({ partnerId }),
  };
  const opened = await openUssdSession(
    cell.cell,
    {
      ...session,
      answer: () => ({ status: 200, body: '' }),
      intend: (made) => ussdIntention(made, { allowsSimulation: true }),
    },
    1_000,
  );
  valueAs(opened, 'accepted');
});
afterAll(() => cell.close());

test.each<[string, (at: SealedCell) => Promise<unknown>, unknown]>([
  ['account', async (at) => (await findWallet(at, partnerId, walletId))?.account?.accountName, 'ADA OBI'],
  ['metadata', async (at) => (await findWallet(at, partnerId, walletId))?.metadata, { tag: 'é' }],
  ['code', async (at) => (await findQrRequest(at, partnerId, { reference: 'qr' }))?.payeeName, 'ADA OBI'],
  ['session', async (at) => (await findUssdSession(at, partnerId, sessionId))?.merchantName, 'ADA STORES'],
  ['owner', async (at) => findFullName(at, partnerId, 'ada'), null],
])('the name of the %s is read with its key, and without it an error says so', async (_, read, name) => {
  expect(await read(cell.cell)).toEqual(name);
  await expect(read(keyless)).rejects.toThrow(UNKNOWN);
});

test('the name and the metadata of another wallet are not taken for its own', async () => {
  const other = await cell.wallet({ partnerId });
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.wallets SET (account_number, bank_code, bank_name, mfb_reference, account_name_sealed,
       metadata_sealed) = (SELECT '1000000002', bank_code, bank_name, mfb_reference, account_name_sealed,
       metadata_sealed FROM ${SANDBOX_CELL}.wallets WHERE id = $2) WHERE id = $1`,
    [other, walletId],
  );
  const wallet = (await findWallet(cell.cell, partnerId, other))!;
  expect(wallet.account?.accountNumber).toBe('1000000002');
  expect(() => wallet.account?.accountName).toThrow('unable to authenticate data');
  expect(() => wallet.metadata).toThrow('unable to authenticate data');
});

test('without the key wallets and codes are listed, a wallet is frozen, and a session ends', async () => {
  const { rows: wallets } = await listWallets(keyless, partnerId, { userRef: 'ada', status: null }, PAGE);
  expect(wallets.map(({ id }) => id)).toEqual([walletId]);
  const { rows: codes } = await listQrRequests(keyless, partnerId, { walletId: null, status: null }, PAGE);
  expect(codes.map(({ id, status }) => [id, status])).toEqual([[qrId, 'open']]);

  const frozen = await moveWallet(keyless, {
    ...{
      partnerId,
      walletId,
      trigger: 'freeze',
      frozenUntil: null,
      overOrder: 'kept',
      requestId: 'req_test',
    },
    actor: { kind: 'partner' },
    reason: null,
    authority: null,
    closing: accountClosingIntention({ partnerId, walletId }),
  });
  expect(frozen).toMatchObject({ ok: true });
  expect((await findWallet(cell.cell, partnerId, walletId))?.status).toBe('frozen');

  const rules = { hasSandboxPin: true, announce: ussdEnded };
  const ended = await moveUssdSession(keyless, partnerId, sessionId, { kind: 'cancel' }, rules);
  expect(ended?.session.status).toBe('failed');
});
