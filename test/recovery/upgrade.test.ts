/**
 * An upgrade of the workers and the way back, rehearsed with transfers in flight (docs/how-to/upgrade.md; G40). The second
 * build differs as a real one may: its bank transfers take one more step, behind a patch. Each transfer ends once, no
 * workflow task fails, and the books are sound. In place, without a second set of workers, a build waits until the one
 * before is gone.
 */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { projectFolder } from '../../src/administration/project';
import { bankTransferIntention } from '../../src/contract/intentions';
import { brokenWorkflows, replaceWorkflow } from '../../src/relay/revive';
import type { WorkflowBundle } from '../../src/worker/bundle';
import { findTransaction } from '../../src/db/ledger/transactions';
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { until } from '../support/until';
import { workflowBundleOfRun } from '../support/workflow-bundle';
import { SANDBOX_CELL } from '../setup/cells';

const FIRST = 'build-1';
const SECOND = 'build-2';
const THIRD = 'build-3';
const PATCH = 'one-more-step';
const SEND_EVERY_MS = 250;
/** Temporal remembers a worker for a minute and a half; the rest is for a busy machine. */
const GONE_WITHIN_MS = 140_000;

let platform: Platform;
let first: { stop(): Promise<void> };
let partner: Calls;
let walletId: string;
/** The transfers of this file. */
const sent: string[] = [];

beforeAll(async () => {
  // A worker looks after the current build as often as reconciliation runs.
  platform = await openPlatform({ settings: { SANDBOX_TRANSFER_MS: '0,1000', RECONCILE_EVERY_MS: '5000' } });
  const [url, started] = await Promise.all([
    platform.startApi(),
    platform.startWorker(undefined, { build: FIRST, bundle: await workflowBundleOfRun() }),
  ]);
  first = started;
  partner = await platform.partner(url);
  walletId = (await partner.wallet(10_000_000)).id;
});

afterAll(() => platform.close());

/** The bundle of this build with one more step in every bank transfer. */
async function laterBundle(): Promise<WorkflowBundle> {
  const bundle = await workflowBundleOfRun();
  const code = 'code' in bundle ? bundle.code : readFileSync(bundle.codePath, 'utf8');
  // After the handlers, and before the order is sent.
  const place = 'let at = BEGINNING;';
  expect(code.split(place)).toHaveLength(2);
  const more = `if ((0, workflow_1.patched)('${PATCH}')) await (0, workflow_1.sleep)(1);`;
  return { code: code.replace(place, `${place} ${more}`) };
}

/** `npm run release`, as the image has it. @returns its lines. */
async function release(...words: string[]): Promise<string[]> {
  const program = join(projectFolder(), 'dist', 'src', 'administration', 'release.js');
  const env = { ...process.env, TEMPORAL_ADDRESS: platform.temporal.address };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env, cwd: tmpdir() });
  return stdout.trim().split('\n');
}

const workflow = (id: string) => platform.operator.workflow.getHandle(`bank-transfer/${id}`);

/** Which build works on a transfer now. */
async function buildOf(id: string): Promise<string | null> {
  const { raw } = await workflow(id).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? null;
}

/** Sends a transfer whose workflow waits until the test ends it (`end`). */
async function sendHeld(build: string): Promise<string> {
  const { reply } = await partner.bankTransfer(walletId, {}, { 'X-Sandbox-Hold': 'true' });
  const { id } = reply.body.data;
  await until('the workflow of the transfer', () =>
    workflow(id)
      .query('state')
      .catch(() => undefined),
  );
  expect(await buildOf(id)).toBe(build);
  sent.push(id);
  return id;
}

/** Ends a transfer by a message to its workflow. */
async function end(id: string, status: 'completed' | 'failed'): Promise<void> {
  const how = status === 'completed' ? 'complete' : 'fail';
  const answer = await partner.post(`/v1/sandbox/bank-transfer/${how}`, { transaction_id: id });
  expect(answer).toMatchObject({ status: 200, body: { status } });
}

/** Sends transfers one after another beside `work`. */
async function sendingMeanwhile(work: () => Promise<void>): Promise<void> {
  const stop = new AbortController();
  const sending = (async () => {
    while (!stop.signal.aborted) {
      const { reply } = await partner.bankTransfer(walletId, { amountKobo: 1_000 });
      expect(reply.status).toBe(202);
      sent.push(reply.body.data.id);
      await sleep(SEND_EVERY_MS);
    }
  })();
  await work().finally(() => stop.abort());
  await sending;
}

/** Whether its history has the marker of the patch. */
async function isPatched(id: string): Promise<boolean> {
  const { events } = await workflow(id).fetchHistory();
  return (
    events?.some(({ markerRecordedEventAttributes: marker }) => marker?.markerName === 'core_patch') ?? false
  );
}

test('the first workers of a new Temporal make their build current, and no other', async () => {
  const lines = await release('show');
  expect(lines).toEqual(
    ['wallet-sandbox', 'wallet-live'].map((name) => `${name}  ${FIRST}  current  workers at work`),
  );
});

test('an upgrade and the way back, with transfers before, during and after', async () => {
  const refused = release('current', 'build-of-nobody').catch((error: unknown) => error);
  const first = [await sendHeld(FIRST), await sendHeld(FIRST)] as const;
  const later = await platform.startWorker(undefined, { build: SECOND, bundle: await laterBundle() });
  let last = '';
  await sendingMeanwhile(async () => {
    const upgraded = await release('current', SECOND);
    expect(upgraded).toContain(`wallet-sandbox  ${SECOND}  current  workers at work`);
    expect(upgraded).toContain(`wallet-sandbox  ${FIRST}  draining  workers at work`);
    const second = [await sendHeld(SECOND), await sendHeld(SECOND)] as const;
    last = await sendHeld(SECOND);
    expect(await isPatched(second[0])).toBe(true);
    expect(await isPatched(first[0])).toBe(false);
    // What the first build began stays with it, and ends while the second one is current.
    await end(first[0], 'completed');
    expect(await buildOf(first[0])).toBe(FIRST);

    expect(await release('current', FIRST)).toContain(`wallet-sandbox  ${FIRST}  current  workers at work`);
    const third = await sendHeld(FIRST);
    // What the second build began ends there, after the way back.
    await end(second[0], 'completed');
    await end(second[1], 'failed');
    expect(await buildOf(second[0])).toBe(SECOND);
    await end(first[1], 'failed');
    await end(third, 'completed');
  });
  expect(await refused).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No worker of the build build-of-nobody is at work in wallet-sandbox'),
  });

  // The second build goes before all of its transfers have ended: the reconciliation begins the last one anew.
  await later.stop();
  await beginAnew(last);
  await end(last, 'completed');
  await expectSound();
});

test('in place: a build gets nothing while the one before is current, and all of it when that has been gone for a while', async () => {
  await first.stop();
  await platform.startWorker(undefined, { build: THIRD, bundle: await workflowBundleOfRun() });
  const { reply } = await partner.bankTransfer(walletId, {}, { 'X-Sandbox-Hold': 'true' });
  const { id } = reply.body.data;
  expect(reply.status).toBe(202);
  // Temporal counts a worker that has just ended as one that may ask again.
  expect(await release('show')).toContain(`wallet-sandbox  ${FIRST}  current  workers at work`);
  expect(
    await workflow(id)
      .query('state')
      .catch(() => 'nobody answers'),
  ).toBe('nobody answers');

  await until(
    'the build to be current',
    async () => (await release('show')).includes(`wallet-sandbox  ${THIRD}  current  workers at work`),
    GONE_WITHIN_MS,
  );
  sent.push(id);
  await until('the build to have the transfer', async () => (await buildOf(id)) === THIRD);
  await end(id, 'completed');
  await expectSound();
});

/** What the reconciliation does with a workflow of a build that is gone, a minute and a half after its last worker. */
async function beginAnew(id: string): Promise<void> {
  const { sandbox } = platform.environments();
  const { cell } = await sandbox.partner(partner.partnerId);
  const transfer = await findTransaction(cell, partner.partnerId, id);
  const when = { failingForMs: 1_000, restoredAt: null, builds: new Set([FIRST]) };
  const broken = await brokenWorkflows(sandbox.temporal, [bankTransferIntention(transfer!)], when);
  expect(broken).toMatchObject([{ wrong: 'abandoned', was: 'RUNNING' }]);
  for (const one of broken) await replaceWorkflow(sandbox.temporal, sandbox.taskQueue, one);
  await until('the first build to have it', async () => (await buildOf(id)) === FIRST);
}

async function expectSound(): Promise<void> {
  await until('the end of every transfer', async () => {
    const [row] = await platform.sql(
      `SELECT count(*)::int AS open FROM ${SANDBOX_CELL}.transactions WHERE id = ANY($1) AND status = 'processing'`,
      [sent],
    );
    return row?.open === 0;
  });
  const events = await platform.sql(
    `SELECT resource_id FROM ${SANDBOX_CELL}.events
      WHERE resource_id = ANY($1) GROUP BY resource_id HAVING count(*) <> 1`,
    [sent],
  );
  expect(events).toEqual([]);
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  for (const id of sent) {
    const { events: history } = await workflow(id).fetchHistory();
    expect(history?.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
  }
}
