/**
 * Somebody who reaches Temporal, and neither the API nor the database, moves no money: a message carries only the id
 * of a row, and each step reads what it does from rows that the API has written.
 */
import { randomUUID } from 'node:crypto';
import type { WorkflowFailedError } from '@temporalio/client';
import { readSessionId } from '../../src/wire/ussd';
import { openLedgerWriter } from '../../src/db/ledger/writer';
import { auditCell } from '../support/audit';
import type { Calls, Json } from '../support/calls';
import { submitAll } from '../support/compliance';
import { openIntruder, type Intruder } from '../support/intruder';
import { funding } from '../support/movements';
import { sharedPlatform, type SharedPlatform } from '../support/shared-platform';
import { TEST_SEALING_OF_LIVE } from '../support/sealing';
import { until } from '../support/until';
import { asLogin } from '../support/logins';
import { LIVE_CELL, NAMESPACES, SANDBOX_CELL } from '../setup/cells';

const HOLD = { 'X-Sandbox-Hold': 'true' };
const FUNDED_KOBO = 500_000;

let platform: SharedPlatform;
let partner: Calls;
let inSandbox: Intruder;
let inLive: Intruder;

beforeAll(async () => {
  platform = await sharedPlatform();
  partner = await platform.partner(platform.url);
  [inSandbox, inLive] = NAMESPACES.map((namespace) =>
    openIntruder(platform.operator.connection, namespace),
  ) as [Intruder, Intruder];
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await platform.close();
});

/** A partner in live with a wallet that has money. */
async function openLive(): Promise<{ live: Calls; payer: string; merchant: string }> {
  const live = await platform.inLive(await platform.partner(platform.url), platform.url);
  await platform.sql(`UPDATE platform.partners SET status = 'active' WHERE id = $1`, [live.partnerId]);
  const [payer, merchant] = await Promise.all([live.wallet(), live.wallet()]);
  // As after a check of its owner (D123), so that no limit would stop a payment.
  await platform.sql(`UPDATE ${LIVE_CELL}.accounts SET limit_tier = 'tier_1' WHERE id = $1`, [payer.id]);
  const writer = openLedgerWriter({
    databaseUrl: asLogin(platform.databaseUrl, 'live_worker'),
    connectWithinMs: 10_000,
    cell: LIVE_CELL,
    sealing: TEST_SEALING_OF_LIVE,
    idempotencyWindowMs: 1,
    everyWalletIsLimited: true,
    onError: () => undefined,
    afterCommit: () => undefined,
  });
  await writer.post(funding({ partnerId: live.partnerId, to: payer.id, amountKobo: FUNDED_KOBO }));
  await writer.close();
  return { live, payer: payer.id, merchant: merchant.id };
}

describe('whoever reaches Temporal cannot pay from a live wallet without its PIN', () => {
  let live: Calls;
  let session: { id: string; input: object };
  let payer: string;

  beforeAll(async () => {
    const opened = await openLive();
    ({ live, payer } = opened);
    const { body } = await live.post('/v1/payments/ussd/initiate', {
      payer_wallet_id: payer,
      merchant_wallet_id: opened.merchant,
      amount_kobo: 100_000,
      merchant_name: 'ADA STORES',
      reference: randomUUID(),
    });
    const id = readSessionId(body.session_id) ?? '';
    const input = {
      partnerId: live.partnerId,
      epoch: 0,
      sessionId: id,
      expiresAt: body.expires_at ?? new Date(Date.now() + 60_000).toISOString(),
      allowsSimulation: true,
    };
    session = { id, input };
    const [row] = await platform.sql(
      `SELECT count(*) AS n FROM ${LIVE_CELL}.workflow_intentions WHERE workflow_id = $1`,
      [`ussd/${id}`],
    );
    expect(Number(row?.['n'])).toBe(1);
    await until('the workflow of the session', async () => {
      const { loot } = await inLive
        .send(`ussd/${id}`, 'confirm')
        .then((loot) => ({ loot }))
        .catch(() => ({ loot: null }));
      return loot;
    });
  });

  afterEach(async () => {
    expect(await live.balanceKobo(payer)).toBe(FUNDED_KOBO);
    const [row] = await platform.sql(`SELECT status FROM ${LIVE_CELL}.ussd_sessions WHERE id = $1`, [
      session.id,
    ]);
    expect(row).toEqual({ status: 'initiated' });
  });

  test('by the message of the sandbox: the session has no handler for it', async () => {
    const loot = await inLive.send(`ussd/${session.id}`, 'simulatePayment', randomUUID());
    expect(loot).toMatchObject({ message: expect.stringContaining('simulatePayment') });
    expect(loot).toMatchObject({ failure: expect.any(String) });
  });

  test('by a workflow for the session with an input that allows simulation', async () => {
    const workflowId = await inLive.start('ussdSession', session.input);
    const loot = await inLive.send(workflowId, 'simulatePayment', randomUUID());
    expect(loot).toMatchObject({ failure: 'SANDBOX_ONLY' });
  });

  test('by the step: a simulate activity refuses in live even when called directly', async () => {
    const asked = { kind: 'simulate', orderId: randomUUID() };
    expect(await inLive.callStep('moveUssd', session.input, asked)).toMatchObject({
      failure: 'SANDBOX_ONLY',
    });
  });

  test('by a PIN that nobody counted', async () => {
    expect(await inLive.send(`ussd/${session.id}`, 'pinAttempt', randomUUID())).toMatchObject({
      result: { status: 'initiated' },
    });
  });

  test('by the step that settles a session', async () => {
    expect(await inLive.callStep('settleUssd', session.input)).toMatchObject({
      result: { status: 'initiated' },
    });
  });

  test('by an order: live takes no order to pay a session', async () => {
    const insert = platform.sql(
      `INSERT INTO ${LIVE_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES ($1, $2, 'pay_ussd', $3, 'confirmed', 'sandbox')`,
      [randomUUID(), live.partnerId, session.id],
    );
    await expect(insert).rejects.toThrow('hand_orders_not_of_sandbox');
  });
});

describe('whoever reaches Temporal cannot fail a transfer and get the debit back', () => {
  let walletId: string;
  let transfer: { id: string; reference: string };
  let input: object;
  let debitedKobo: number;

  async function hold(of: Calls, source: string): Promise<{ id: string; reference: string }> {
    const { reference, reply } = await of.bankTransfer(source, {}, HOLD);
    return { id: reply.body.data.id as string, reference };
  }
  /** The orders about a transfer. */
  const ordersOf = (transferId: string): Promise<Json[]> =>
    platform.sql(`SELECT * FROM ${SANDBOX_CELL}.hand_orders WHERE resource_id = $1`, [transferId]);
  /** An order as the API writes it, with whatever a row of the table changes. */
  async function order(more: Partial<Record<'partner_id' | 'resource_id' | 'ordered_at', string>> = {}) {
    const id = randomUUID();
    const { partner_id = partner.partnerId, resource_id = transfer.id, ordered_at = '0' } = more;
    await platform.sql(
      `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor, ordered_at)
       VALUES ($1, $2, 'settle_transfer', $3, 'failed', 'sandbox', now() - $4::interval)`,
      [id, partner_id, resource_id, ordered_at],
    );
    return id;
  }
  const settle = (argument: unknown) => inSandbox.send(`bank-transfer/${transfer.id}`, 'settle', argument);

  beforeAll(async () => {
    walletId = (await partner.wallet(FUNDED_KOBO)).id;
    transfer = await hold(partner, walletId);
    input = { partnerId: partner.partnerId, epoch: 0, transactionId: transfer.id };
    debitedKobo = await partner.balanceKobo(walletId);
    expect(debitedKobo).toBeLessThan(FUNDED_KOBO);
    await until('the workflow of the transfer', () =>
      platform.operator.workflow
        .getHandle(`bank-transfer/${transfer.id}`)
        .describe()
        .catch(() => undefined),
    );
  });

  afterEach(async () => {
    expect(await partner.transaction(walletId, transfer.reference)).toMatchObject({ status: 'processing' });
    expect(await partner.balanceKobo(walletId)).toBe(debitedKobo);
  });

  test.each<[attack: string, argument: () => unknown]>([
    ['a verdict in the message', () => ({ to: 'failed', reason: 'because I say so' })],
    ['no order', () => undefined],
    ['a text that is no id', () => "' OR true --"],
    ['an order that nobody gave', () => randomUUID()],
    ['an order for another transfer', () => order({ resource_id: randomUUID() })],
    ['an order of another partner', () => order({ partner_id: randomUUID() })],
    ['an order that is an hour old', () => order({ ordered_at: '1 hour' })],
  ])('by a message with %s', async (_attack, argument) => {
    expect(await settle(await argument())).toMatchObject({ failure: 'FORBIDDEN' });
  });

  test('by a message with an order of the other environment', async () => {
    const id = randomUUID();
    await platform.sql(
      `INSERT INTO ${LIVE_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES ($1, $2, 'settle_transfer', $3, 'failed', 'sandbox')`,
      [id, partner.partnerId, transfer.id],
    );
    expect(await settle(id)).toMatchObject({ failure: 'FORBIDDEN' });
  });

  test('by the order that ended another transfer: an order is used once', async () => {
    const other = await hold(partner, walletId);
    const answer = await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: other.id });
    expect(answer).toMatchObject({ status: 200 });
    const [used] = await ordersOf(other.id);
    expect(used).toMatchObject({ verdict: 'failed', actor: 'sandbox', used_at: expect.any(Date) });
    expect(await settle(used?.['id'])).toMatchObject({ failure: 'FORBIDDEN' });
  });

  test.each<[what: string, argument: unknown]>([
    ['an order that nobody gave', randomUUID()],
    ['a verdict', { to: 'failed' }],
  ])('by calling the step that carries orders out with %s', async (_what, argument) => {
    expect(await inSandbox.callStep('settleByOrder', input, argument)).toEqual({
      result: { refusal: { code: 'FORBIDDEN', message: 'Nobody has ordered this' } },
    });
  });

  test.each<[step: string, ...args: unknown[]]>([
    ['settleTransfer', 'failed', { by: 'provider', reason: 'because I say so', facts: null }],
    ['queryTransfer', 0, { outcome: 'failed' }],
    ['submitTransfer', 0, true],
    ['askAboutReturn', 0],
    ['takeBack', { reason: 'because I say so', facts: null }],
  ])(
    'by calling the step %s: no step takes an answer of the provider from a workflow',
    async (step, ...args) => {
      await inSandbox.callStep(step, input, ...args);
    },
  );
});

describe('whoever reaches Temporal cannot empty a sandbox', () => {
  let walletId: string;

  beforeAll(async () => {
    walletId = (await partner.wallet(FUNDED_KOBO)).id;
  });
  afterEach(async () => {
    expect(await partner.balanceKobo(walletId)).toBe(FUNDED_KOBO);
    const fences = await platform.sql(
      `SELECT FROM ${SANDBOX_CELL}.partner_epochs WHERE partner_id = $1 AND resetting`,
      [partner.partnerId],
    );
    expect(fences).toEqual([]);
  });

  /** An order as the API writes it, with whatever a row of the table changes. */
  async function order(
    more: Partial<Record<'partner_id' | 'resource_id' | 'kind' | 'ordered_at', string>> = {},
  ) {
    const id = randomUUID();
    const { partner_id = partner.partnerId, resource_id = partner.partnerId } = more;
    const { kind = 'reset_sandbox', ordered_at = '0' } = more;
    await platform.sql(
      `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor, ordered_at)
       VALUES ($1, $2, $3, $4, 'confirmed', 'sandbox', now() - $5::interval)`,
      [id, partner_id, kind, resource_id, ordered_at],
    );
    return id;
  }
  /** Why a workflow failed; undefined if it did not. */
  const failureOf = (workflowId: string): Promise<unknown> =>
    platform.operator.workflow
      .getHandle(workflowId)
      .result()
      .then(
        () => undefined,
        (error: unknown) => (error as WorkflowFailedError).cause,
      );
  const another = randomUUID();
  const attacks: [attack: string, orderId: () => unknown][] = [
    ['no order', () => undefined],
    ['a text that is no id', () => "' OR true --"],
    ['an order that nobody gave', () => randomUUID()],
    ['an order of another partner', () => order({ partner_id: another, resource_id: another })],
    ['an order to pay a session', () => order({ kind: 'pay_ussd' })],
    ['an order that is an hour old', () => order({ ordered_at: '1 hour' })],
  ];

  test.each(attacks)('by a reset with %s', async (_attack, orderId) => {
    const input = { partnerId: partner.partnerId, orderId: await orderId() };
    const workflowId = await inSandbox.start('sandboxReset', input);
    expect(await failureOf(workflowId)).toMatchObject({ type: 'FORBIDDEN' });
  });

  test('by the order of a reset that has ended', async () => {
    const other = await platform.partner(platform.url);
    await until('a reset', async () => (await other.post('/v1/sandbox/reset', undefined)).status === 200);
    const { id } = await other.wallet(FUNDED_KOBO);
    const history = await platform.operator.workflow
      .getHandle(`sandbox-reset/${other.partnerId}`)
      .fetchHistory();
    const started = history.events?.[0]?.workflowExecutionStartedEventAttributes;
    const input = JSON.parse(Buffer.from(started?.input?.payloads?.[0]?.data ?? '').toString()) as object;
    expect(input).toEqual({ partnerId: other.partnerId, orderId: expect.any(String) });
    const workflowId = await inSandbox.start('sandboxReset', input);
    expect(await failureOf(workflowId)).toMatchObject({ cause: { type: 'FORBIDDEN' } });
    expect(await other.balanceKobo(id)).toBe(FUNDED_KOBO);
  });

  test.each<[step: string]>([['endWorkflowsOfPartner'], ['erasePartner'], ['finishReset']])(
    'by calling the step %s',
    async (step) => {
      const input = { partnerId: partner.partnerId, orderId: await order() };
      expect(await inSandbox.callStep(step, input)).toMatchObject({ failure: 'FORBIDDEN' });
    },
  );
});

describe('whoever reaches Temporal cannot make a return of a transfer up', () => {
  test.each<[how: string, attack: (input: object) => Promise<unknown>]>([
    [
      'by a workflow for it',
      async (input) => {
        const workflowId = await inSandbox.start('bankReturn', input);
        return platform.operator.workflow.getHandle(workflowId).result();
      },
    ],
    ['by calling the step askAboutReturn', (input) => inSandbox.callStep('askAboutReturn', input, 0)],
  ])('%s: without a callback that the API has kept nothing is found', async (_how, attack) => {
    const { id } = await partner.wallet(FUNDED_KOBO);
    const { reference, reply } = await partner.bankTransfer(id);
    expect(await partner.ended(id, reference)).toMatchObject({ status: 'completed' });
    const transactionId = reply.body.data.id as string;
    await attack({ partnerId: partner.partnerId, epoch: 0, transactionId });
    const findings = await platform.sql(
      `SELECT class FROM ${SANDBOX_CELL}.recon_findings WHERE resource = $1`,
      [transactionId],
    );
    expect(findings).toEqual([]);
    expect(await partner.transaction(id, reference)).toMatchObject({ status: 'completed' });
  });
});

describe('whoever reaches Temporal cannot conclude a verification', () => {
  let verificationId: string;

  beforeEach(async () => {
    const asked = await partner.post('/v1/kyc/bvn', { user_ref: randomUUID(), bvn: '00000000003' });
    verificationId = asked.body.data.verification_id;
    // The simulated bureau counts from this time, so it has no answer while the test runs, however busy the machine is.
    await platform.sql(
      `UPDATE ${SANDBOX_CELL}.verifications SET created_at = now() + interval '1 hour' WHERE id = $1`,
      [verificationId],
    );
  });
  const statusNow = async (): Promise<Json> =>
    (
      await platform.sql(`SELECT status FROM ${SANDBOX_CELL}.verifications WHERE id = $1`, [verificationId])
    )[0];

  test.each<[step: string, ...args: unknown[]]>([
    ['concludeVerification', { status: 'verified', reason: null }],
    ['giveUpVerification'],
  ])('by calling the step %s', async (step, ...args) => {
    const input = { partnerId: partner.partnerId, epoch: 0, verificationId, giveUpAfterMs: 0 };
    await inSandbox.callStep(step, input, ...args);
    expect(await statusNow()).toEqual({ status: 'pending' });
  });

  test('by a workflow for it that gives up at once', async () => {
    const input = { partnerId: partner.partnerId, epoch: 0, verificationId, giveUpAfterMs: 0 };
    const workflowId = await inSandbox.start('kycVerification', input);
    const handle = platform.operator.workflow.getHandle(workflowId);
    await until('the attempt to give up', async () => {
      const { events } = await handle.fetchHistory();
      return events?.some((event) => event.timerStartedEventAttributes);
    });
    expect(await statusNow()).toEqual({ status: 'pending' });
  });
});

describe('whoever reaches Temporal cannot approve compliance', () => {
  let live: Calls;
  let workflowId: string;

  beforeAll(async () => {
    live = await platform.inLive(await platform.partner(platform.url), platform.url);
    await submitAll(live);
    workflowId = `kyb/${live.partnerId}`;
  });
  afterEach(async () => {
    const [partnerRow] = await platform.sql('SELECT status FROM platform.partners WHERE id = $1', [
      live.partnerId,
    ]);
    expect(partnerRow).toEqual({ status: 'pending_review' });
    const { body } = await live.get('/v1/partner/compliance/status');
    expect(body.data.overall_status).toBe('submitted');
  });

  /** A request as the API keeps it. */
  async function keep(cell: string, partnerId: string, kind: string, age: string): Promise<string> {
    const id = randomUUID();
    await platform.sql(
      `INSERT INTO ${cell}.compliance_requests (id, partner_id, kind, content, actor, asked_at)
       VALUES ($1, $2, $3, '{"reason":null}', 'sandbox', now() - $4::interval)`,
      [id, partnerId, kind, age],
    );
    return id;
  }

  test.each<[attack: string, argument: () => unknown]>([
    ['a request that nobody made', () => randomUUID()],
    ['a text that is no id', () => 'approve'],
    ['a decision in the message', () => ({ kind: 'approve' })],
    ['a request about another partner', () => keep(LIVE_CELL, randomUUID(), 'claim', '0')],
    ['a request of the other environment', () => keep(SANDBOX_CELL, live.partnerId, 'claim', '0')],
    ['a request that is an hour old', () => keep(LIVE_CELL, live.partnerId, 'claim', '1 hour')],
  ])('by a message with %s', async (_attack, argument) => {
    // The decision in the message only refuses early.
    expect(await inLive.send(workflowId, 'review', await argument(), 'claim')).toMatchObject({
      failure: 'FORBIDDEN',
    });
  });

  test('by the step that lets the partner follow its record, called in the sandbox', async () => {
    const sandbox = { partnerId: live.partnerId, historyMax: 3_000 };
    expect(await inSandbox.callStep('followCompliance', sandbox)).toEqual({ result: undefined });
  });
});
