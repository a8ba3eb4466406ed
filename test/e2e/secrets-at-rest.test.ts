/**
 * Secrets are nowhere readable: known numbers and secrets go through the platform, whose processes log as much
 * as they can, and are then looked for in every table, in every log line and in every workflow history.
 */
import { createHash } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { Child } from '../support/children';
import type { Calls } from '../support/calls';
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

/** The encodings in which a secret could be written down without being sealed. */
function written(text: string): string[] {
  const bytes = Buffer.from(text);
  const digest = createHash('sha256').update(bytes).digest();
  return [
    text,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    digest.toString('hex'),
    digest.toString('base64url'),
  ];
}

/** The canaries that occur in a text, in any of these encodings. */
function foundIn(text: string): string[] {
  const canaries = { ...CANARIES, secret: secret.slice('sk_wh_'.length) };
  return Object.entries(canaries)
    .filter(([, canary]) => written(canary).some((way) => text.includes(way)))
    .map(([name]) => name);
}

test('both numbers were verified, so they went through the whole platform', async () => {
  const { verifications } = (await partner.get('/v1/kyc/ada/status')).body.data;
  expect(verifications).toMatchObject([
    { type: 'nin', status: 'verified' },
    { type: 'bvn', status: 'verified' },
  ]);
});

test('no row of any table has a canary', async () => {
  const tables = await platform.sql(
    `SELECT format('%I.%I', nspname, relname) AS name FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace
      WHERE relkind IN ('r', 'p') AND nspname !~ '^pg_' AND nspname <> 'information_schema'`,
  );
  let rowsSeen = 0;
  for (const { name } of tables) {
    const rows = await platform.sql(`SELECT t::text AS row FROM ${name as string} t`);
    rowsSeen += rows.length;
    expect({ name, found: rows.flatMap(({ row }) => foundIn(row as string)) }).toEqual({ name, found: [] });
  }
  expect(tables.length).toBeGreaterThan(20);
  expect(rowsSeen).toBeGreaterThan(20);
});

test('no log line has a canary or the partner’s key, although everything is logged', () => {
  const logs = children.map((child) => child.said()).join('\n');
  expect(logs).toContain('ready');
  expect(foundIn(logs)).toEqual([]);
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
  const types = new Set<string>();
  for (const namespace of ['wallet-sandbox', 'wallet-live']) {
    const operator = new Client({ connection, namespace });
    for await (const { workflowId, runId, type, raw } of operator.workflow.list()) {
      types.add(type);
      const history = await operator.workflow.getHandle(workflowId, runId).fetchHistory();
      expect({ workflowId, found: foundIn(asText([history, raw])) }).toEqual({ workflowId, found: [] });
    }
  }
  await connection.close();
  expect([...types]).toEqual(expect.arrayContaining(['kycVerification', 'webhookDispatcher', 'sweep']));
});

test('no delivery has a canary', () => {
  const deliveries = receiver.deliveries
    .map(({ text, headers }) => text + JSON.stringify(headers))
    .join('\n');
  expect(foundIn(deliveries)).toEqual([]);
});

test('the search finds a canary that is written down', () => {
  for (const way of written(CANARIES.bvn)) expect(foundIn(`{"x":"${way}"}`)).toEqual(['bvn']);
  expect(foundIn(asText({ data: Buffer.from(`"${CANARIES.nin}"`) }))).toEqual(['nin']);
});

/** JSON in which bytes, such as payloads, are shown as text. */
function asText(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof Uint8Array) return Buffer.from(part).toString('utf8');
    return isBufferJson(part) ? Buffer.from(part.data).toString('utf8') : part;
  });
}

const isBufferJson = (part: unknown): part is { type: 'Buffer'; data: number[] } =>
  typeof part === 'object' && part !== null && 'type' in part && part.type === 'Buffer' && 'data' in part;
