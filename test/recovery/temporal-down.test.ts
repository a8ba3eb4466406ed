/**
 * Temporal is away: money is accepted as usual, because acceptance is one commit in Postgres. When Temporal is
 * back everything ends by itself: the sweep starts the intended workflows and wakes the dispatchers that have
 * deliveries due (G30).
 */
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { openReceiver, type Receiver } from '../support/receiver';
import { insist, until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

let platform: Platform;
let partner: Calls;
let receiver: Receiver;

beforeAll(async () => {
  platform = await openPlatform({ temporalRuns: false, settings: FREQUENT_SCHEDULES });
  receiver = await openReceiver();
  partner = await platform.partner(await platform.startApi());
  const events = ['transaction.completed', 'transaction.failed', 'wallet.activated'];
  await partner.post('/v1/webhooks', { url: receiver.url, events });
});

afterAll(async () => {
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
  await receiver.close();
  await platform.close();
});

interface Accepted {
  wallets: string[];
  transfers: { reference: string; id: string; ends: 'completed' | 'failed' }[];
  source: string;
  /** The balance of `source` when everything has ended. */
  balanceKobo: number;
  /** The resources of which the receiver must get an event. */
  resourceIds: string[];
}

/** Wallets, fundings, a P2P and bank transfers, from a source that exists or a pending one made active by hand. */
async function acceptAll(source: string): Promise<Accepted> {
  const create = async (n: number) => {
    const { status, body } = await partner.post('/v1/wallets', { user_ref: `${source}-${n}` });
    expect(status).toBe(202);
    return body.data.id as string;
  };
  const wallets = await Promise.all([1, 2, 3].map(create));
  const dest = wallets[0]!;
  const before = await partner.balanceKobo(source);
  const funded = await partner.post(`/v1/sandbox/wallets/${source}/fund`, { amount_kobo: 500_000 });
  expect(funded.status).toBe(200);
  const body = {
    source_wallet: source,
    dest_wallet: dest,
    amount: 10_000,
    reference: `p2p-${source}-${before}`,
  };
  const p2p = await partner.post('/v1/transfers/p2p', body);
  expect(p2p).toMatchObject({ status: 200, body: { data: { status: 'completed' } } });
  const transfers = await Promise.all(
    ['0123456789', '0123450000', '0123450404', '0123456780'].map(async (accountNumber) => {
      const { reference, reply } = await partner.bankTransfer(source, { accountNumber, amountKobo: 20_000 });
      expect(reply).toMatchObject({ status: 202, body: { data: { status: 'processing' } } });
      const ends: 'completed' | 'failed' = /0000$|0404$/.test(accountNumber) ? 'failed' : 'completed';
      return { reference, id: reply.body.data.id as string, ends };
    }),
  );
  return {
    wallets,
    transfers,
    source,
    balanceKobo: before + 500_000 - 10_050 - 2 * 25_000,
    resourceIds: [...wallets, funded.body.transaction_id, p2p.body.data.id, ...transfers.map(({ id }) => id)],
  };
}

async function expectAllEnded(accepted: Accepted): Promise<void> {
  for (const { reference, ends } of accepted.transfers) {
    expect(await partner.ended(accepted.source, reference)).toMatchObject({ status: ends });
  }
  for (const id of accepted.wallets) {
    await until(`wallet ${id} to be active`, async () => {
      return (await partner.get(`/v1/wallets/${id}`)).body.data.wallet.status === 'active';
    });
  }
  expect(await partner.balanceKobo(accepted.source)).toBe(accepted.balanceKobo);
  for (const id of accepted.resourceIds) {
    await until(`the event of ${id}`, () => receiver.about(id)[0]);
    expect(new Set(receiver.about(id).map(({ body }) => body.webhook_id)).size).toBe(1);
  }
}

const overdue = () =>
  platform.sql(`SELECT workflow_id FROM ${SANDBOX_CELL}.workflow_intentions WHERE started_at IS NULL`);

test('work that was accepted before Temporal was ever there ends once Temporal is there', async () => {
  const source = (await partner.post('/v1/wallets', { user_ref: 'first' })).body.data.id;
  // No account number can be issued now, and a pending wallet cannot send, so the test makes this one active in
  // the database.
  await platform.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [source]);
  const accepted = await acceptAll(source);
  expect(await overdue()).toHaveLength(1 + accepted.wallets.length + accepted.transfers.length);
  expect(receiver.deliveries).toEqual([]);

  await platform.temporal.start();
  await platform.startWorker();
  await expectAllEnded(accepted);
  await until('every intention to be marked', async () => (await overdue()).length === 0);
});

describe('Temporal stops under a running platform', () => {
  let accepted: Accepted;
  let held: { id: string; reference: string };
  let source: string;

  beforeAll(async () => {
    source = (await partner.wallet(1_000_000)).id;
    const { reference, reply } = await partner.bankTransfer(source, {}, { 'X-Sandbox-Hold': 'true' });
    held = { id: reply.body.data.id, reference };
    await platform.temporal.stop();
    accepted = await acceptAll(source);
  });

  test('a message to a workflow is answered 503 with Retry-After, and changes nothing', async () => {
    const answer = await partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: held.id });
    expect(answer).toMatchObject({ status: 503, body: { error: 'SERVICE_UNAVAILABLE' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await partner.transaction(source, held.reference)).status).toBe('processing');
  });

  test('the platform is healthy', async () => {
    expect(await partner.get('/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  test('when Temporal is back at its address, everything ends by itself', async () => {
    await platform.temporal.start();
    await expectAllEnded(accepted);
  });

  test('the same message is now accepted', async () => {
    const answer = await insist('an answer', () =>
      partner.post('/v1/sandbox/bank-transfer/fail', { transaction_id: held.id }),
    );
    expect(answer).toMatchObject({ status: 200, body: { status: 'failed' } });
    expect((await partner.transaction(source, held.reference)).status).toBe('failed');
  });
});
