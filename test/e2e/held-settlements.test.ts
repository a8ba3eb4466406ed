/**
 * A settlement that fails at first, because its rows are locked, is repeated until it succeeds. The lock would hold up
 * the payments of other files.
 */
import { auditCell } from '../support/audit';
import { payWhileHeld } from '../support/held-settlements';
import { openPlatform, type Platform } from '../support/platform';
import { SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 1_000_000;
let platform: Platform;
let url: string;

beforeAll(async () => {
  platform = await openPlatform();
  [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

test('a bank transfer and a USSD payment whose wallet is locked are completed once it is free', async () => {
  const partner = await platform.partner(url);
  const { id: payer } = await partner.wallet(FUNDED_KOBO);
  const { transfer, session, transferCount } = await payWhileHeld(platform, partner, url, payer);
  for (const { reference, workflowId } of [transfer, session]) {
    expect(await platform.operator.workflow.getHandle(workflowId).result()).toBe('completed');
    expect(await partner.transaction(payer, reference)).toMatchObject({ status: 'completed' });
  }
  expect(await partner.balanceKobo(payer)).toBe(FUNDED_KOBO - transferCount * (10_000 + 5_000) - 1_000);
});
