/** A settlement that fails at first, because its rows are locked, is repeated until it succeeds. */
import { auditCell } from '../support/audit';
import { payWhileHeld } from '../support/held-settlements';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { SANDBOX_CELL } from '../setup/cells';

jest.setTimeout(60_000);

const FUNDED_KOBO = 1_000_000;
let platform: SharedPlatform;

beforeAll(async () => {
  platform = await sharedPlatform();
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

test('a bank transfer and a USSD payment whose wallet is locked are completed once it is free', async () => {
  const { url } = platform;
  const partner = await platform.partner(url);
  const { id: payer } = await partner.wallet(FUNDED_KOBO);
  const { transfer, session, transferCount } = await payWhileHeld(platform, partner, url, payer);
  for (const { reference, workflowId } of [transfer, session]) {
    expect(await platform.operator.workflow.getHandle(workflowId).result()).toBe('completed');
    expect(await partner.transaction(payer, reference)).toMatchObject({ status: 'completed' });
  }
  expect(await partner.balanceKobo(payer)).toBe(FUNDED_KOBO - transferCount * (10_000 + 5_000) - 1_000);
});
