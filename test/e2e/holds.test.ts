/** Holds on the whole platform: time ends them, in either order with a capture or a release (D204). */
import { WorkflowNotFoundError } from '@temporalio/client';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let platform: SharedPlatform;
let partner: Calls;
let [payer, shop] = ['', ''];

beforeAll(async () => {
  platform = await sharedPlatform();
  partner = await platform.partner(platform.url);
  const wallets = await Promise.all([partner.wallet(1_000_000), partner.wallet()]);
  [payer, shop] = wallets.map(({ id }) => id) as [string, string];
});
afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

let count = 0;
const place = async (seconds: number, amount = 10_000): Promise<string> => {
  const reference = `hold-${(count += 1)}`;
  const asked = { wallet_id: payer, amount, reference, expires_in_seconds: seconds };
  return (await partner.post('/v1/holds', asked)).body.data.id;
};
const capture = (id: string, more: object = {}) =>
  partner.post(`/v1/holds/${id}/capture`, { amount: 10_000, dest_wallet: shop, ...more });
const statusOf = async (id: string): Promise<string> =>
  (await partner.get(`/v1/holds/${id}`)).body.data.status;
const wallet = async (): Promise<Json> => (await partner.get(`/v1/wallets/${payer}`)).body.data;
/** The result of the workflow of a hold, once its time is over. The relay may start it after the answer. */
const endOf = (id: string): Promise<string> =>
  until('the end of a hold', async () => {
    const end: Promise<string> = platform.operator.workflow.getHandle(`hold/${id}`).result();
    return end.catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    });
  });

test('a hold that nobody captures expires, and its amount is free', async () => {
  const { available_kobo: before } = await wallet();
  const id = await place(2);
  expect((await wallet()).available_kobo).toBe(before - 10_000);
  await until('the expiry', async () => (await statusOf(id)) === 'expired');
  expect((await wallet()).available_kobo).toBe(before);
  expect(await endOf(id)).toBe('expired');
  expect((await capture(id)).body).toMatchObject({ error: 'HOLD_NOT_OPEN', detail: { status: 'expired' } });
});

test.each(['capture', 'release'])('a %s comes first, and time ends nothing more', async (first) => {
  const id = await place(2);
  if (first === 'capture') await capture(id);
  else await partner.post(`/v1/holds/${id}/release`, undefined);
  const before = await wallet();
  expect(await endOf(id)).toBe(`${first}d`);
  expect(await wallet()).toEqual(before);
});

test('captures at the very end win or lose whole', async () => {
  const before = await wallet();
  const shown: number = (await partner.get(`/v1/wallets/${shop}`)).body.data.balance_kobo;
  const ids = await Promise.all(Array.from({ length: 20 }, () => place(2)));
  // Each asks a little later than the one before, on both sides of the moment at which their time is over.
  const won = await Promise.all(
    ids.map(async (id, n) => {
      await new Promise((resolve) => setTimeout(resolve, 1_800 + n * 20));
      return (await capture(id)).status === 200;
    }),
  );
  const ends = await Promise.all(ids.map(endOf));
  expect(ends).toEqual(won.map((one) => (one ? 'captured' : 'expired')));
  const after = await wallet();
  const captured = won.filter(Boolean).length;
  expect(after.balance_kobo).toBe(before.balance_kobo - captured * 10_050);
  expect(after.available_kobo).toBe(before.available_kobo - captured * 10_050);
  expect((await partner.get(`/v1/wallets/${shop}`)).body.data.balance_kobo).toBe(shown + captured * 10_000);
});

test('a captured bank transfer that fails is given back, and the hold stays captured', async () => {
  const before = await wallet();
  const id = await place(60);
  const account = { bank_code: '058', account_number: '0123450000', account_name: 'ADEYEMI NGOZI' };
  const { body } = await capture(id, { dest_wallet: undefined, dest_account: account });
  await until('the failure', async () => {
    return (await partner.get(`/v1/transactions/${body.data.id}`)).body.data.status === 'failed';
  });
  expect(await statusOf(id)).toBe('captured');
  expect(await wallet()).toMatchObject({
    balance_kobo: before.balance_kobo,
    available_kobo: before.available_kobo,
  });
});
