/**
 * A Temporal that does not know our namespaces, because it was replaced or is not set up yet: every operation that
 * needs it is 503 with Retry-After, as if Temporal were away (interface: Errors; D126).
 */
import { openWorld, type World } from '../support/api';
import { STEPS } from '../support/compliance';
import { expectOutage } from '../support/outage';
import type { TestPartner } from '../support/partners';
import { reserveTemporal, type ReservedTemporal } from '../support/reserved-temporal';

let temporal: ReservedTemporal;
let world: World;
let partner: TestPartner;
let source: string;

beforeAll(async () => {
  temporal = await reserveTemporal(['somebody-else']);
  await temporal.start();
  world = await openWorld({ TEMPORAL_ADDRESS: temporal.address });
  partner = await (await world.startApi()).partner();
  source = await partner.wallet({ fundKobo: 1_000_000 });
});
afterAll(async () => {
  await world.close();
  await temporal.discard();
});

const bankTransfer = async (): Promise<string> => {
  const dest_account = { bank_code: '058', account_number: '0123456789', account_name: 'Ada Obi' };
  const body = { source_wallet: source, dest_account, amount: 100, reference: 'paused' };
  return (await partner.post('/v1/transfers/bank', body, { 'X-Sandbox-Hold': 'true' })).body.data.id;
};
const ussdSession = async (): Promise<string> => {
  const body = { wallet_id: source, amount: 100, reference: 'dialled', phone: '+2348012345678' };
  return (await partner.post('/v1/payments/ussd/initiate', body)).body.data.session_id;
};

test.each<[path: string, body: () => object | Promise<object>]>([
  ['/v1/partner/compliance/business', () => STEPS.business],
  ['/v1/sandbox/bank-transfer/complete', async () => ({ transaction_id: await bankTransfer() })],
  ['/v1/sandbox/ussd/simulate', async () => ({ session_id: await ussdSession(), action: 'cancel' })],
  ['/v1/sandbox/reset', () => ({})],
])('POST %s', async (path, body) => expectOutage(await partner.post(path, await body())));
