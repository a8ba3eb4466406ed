/**
 * Secrets are nowhere readable: known numbers and secrets go through the platform, whose processes log as much
 * as they can, and are then looked for in every table, in every log line and in every workflow history.
 */
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../support/children';
import type { Calls } from '../support/calls';
import { asText, foundIn, tablesOf, workflowsOf, written } from '../support/canaries';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { until } from '../support/until';

jest.setTimeout(90_000);

/** Numbers that cannot occur anywhere by chance. */
const CANARIES = { bvn: '73914628503', nin: '58203946177', refused: '9517306428', misplaced: '64028175399' };

let platform: Platform;
let children: Child[];
let partner: Calls;
let receiver: Receiver;
let secret: string;

beforeAll(async () => {
  platform = await openPlatform({ settings: { LOG_LEVEL: 'trace', SANDBOX_KYC_MS: '0,0' } });
  children = await Promise.all([platform.startChild('api'), platform.startChild('worker')]);
  partner = await platform.partner(`http://127.0.0.1:${children[0]!.port}`);
  receiver = await openReceiver();
  const hook = { url: receiver.url, events: ['kyc.verified', 'kyc.failed'] };
  secret = (await partner.post('/v1/webhooks', hook)).body.data.secret;

  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: CANARIES.bvn });
  await partner.post('/v1/kyc/nin', { user_ref: 'ada', nin: CANARIES.nin });
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', bvn: CANARIES.refused });
  await partner.post('/v1/kyc/bvn', { user_ref: 'ada', nin: CANARIES.misplaced });
  await partner.post('/v1/kyc/nin', { user_ref: ['ada'], nin: CANARIES.misplaced });
  await until('both events', () => receiver.deliveries.length === 2);
});

afterAll(async () => {
  await receiver.close();
  await platform.close();
});

const canaries = () => ({ ...CANARIES, secret: secret.slice('sk_wh_'.length) });
const found = (text: string): string[] => foundIn(canaries(), text);

test('both numbers were verified, so they went through the whole platform', async () => {
  const { verifications } = (await partner.get('/v1/kyc/ada/status')).body.data;
  expect(verifications).toMatchObject([
    { type: 'nin', status: 'verified' },
    { type: 'bvn', status: 'verified' },
  ]);
});

test('no row of any table has a canary', async () => {
  const tables = await tablesOf(platform, canaries());
  expect(tables.filter((table) => table.found.length > 0)).toEqual([]);
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(20);
});

test('no log line has a canary or the partner’s key, although everything is logged', () => {
  const logs = children.map((child) => child.said()).join('\n');
  expect(logs).toContain('ready');
  expect(found(logs)).toEqual([]);
  expect(logs).not.toContain(partner.key);
});

test('no workflow history has a canary', async () => {
  const connection = await Connection.connect({ address: platform.temporal.address });
  // The sweep is started by a Schedule, and the list shows it a little after it began.
  const sandbox = new Client({ connection, namespace: 'wallet-sandbox' });
  await until('a sweep', async () => {
    for await (const { type } of sandbox.workflow.list()) if (type === 'sweep') return true;
    return false;
  });
  await connection.close();
  const workflows = await workflowsOf(platform, canaries());
  expect(workflows.filter((workflow) => workflow.found.length > 0)).toEqual([]);
  const types = workflows.map(({ type }) => type);
  expect(types).toEqual(expect.arrayContaining(['kycVerification', 'webhookDispatcher', 'sweep']));
});

test('no delivery has a canary', () => {
  const deliveries = receiver.deliveries
    .map(({ text, headers }) => text + JSON.stringify(headers))
    .join('\n');
  expect(found(deliveries)).toEqual([]);
});

test('the search finds a canary that is written down', () => {
  for (const way of written(CANARIES.bvn)) expect(found(`{"x":"${way}"}`)).toEqual(['bvn']);
  expect(found(asText({ data: Buffer.from(`"${CANARIES.nin}"`) }))).toEqual(['nin']);
});
