/**
 * Processes that are killed without warning (SIGKILL) and started again: accepted work ends, nothing is
 * lost, nothing happens twice, nothing is stuck (G10), and the books are sound at every moment between (G1).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { openReceiver } from '../support/receiver';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const ENDS_WITHIN_MS = 90_000;
const LOOK_EVERY_MS = 1_000;
const AMOUNT_KOBO = 1_000;
const DEBIT_KOBO = AMOUNT_KOBO + 5_000;
const FUNDED_KOBO = 10_000_000;

let platform: Platform;

beforeAll(async () => {
  // Outcomes spread over two seconds: whenever a process dies, some transfers are at every step.
  platform = await openPlatform({
    temporalRuns: false,
    settings: { ...FREQUENT_SCHEDULES, SANDBOX_TRANSFER_MS: '0,2000' },
  });
});

let stopLooking: () => Promise<{ looks: number; wrong: string[] }>;
beforeAll(() => {
  stopLooking = auditAllTheTime();
});
afterAll(async () => {
  const { looks, wrong } = await stopLooking();
  await platform.close();
  expect(wrong).toEqual([]);
  expect(looks).toBeGreaterThan(20);
});

/** Audits the books again and again beside everything else. @returns what ends it and says what it found. */
function auditAllTheTime() {
  const wrong: string[] = [];
  const end = new AbortController();
  let looks = 0;
  const looking = (async () => {
    for (; !end.signal.aborted; looks++) {
      wrong.push(...(await auditCell(platform.databaseUrl, SANDBOX_CELL)));
      await sleep(LOOK_EVERY_MS);
    }
  })();
  return async () => {
    end.abort();
    await looking;
    return { looks, wrong };
  };
}

/** Every fifth transfer is one that the provider refuses. */
const accountNumber = (n: number): string => (n % 5 === 0 ? '1234560000' : '0123456789');
const fate = (n: number): string => (n % 5 === 0 ? 'failed' : 'completed');
const references = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, n) => `${name}-${n}`);

const stillOpen = async (): Promise<number> => {
  const [row] = await platform.sql(
    `SELECT (SELECT count(*) FROM ${SANDBOX_CELL}.transactions WHERE status = 'processing')
          + (SELECT count(*) FROM ${SANDBOX_CELL}.accounts WHERE status = 'pending') AS open`,
  );
  return Number(row?.open);
};

/** Checks that everything has ended rightly, for the transfers 0..n-1 with these references, out of one wallet. */
async function expectEnded(wallet: string, all: readonly string[]): Promise<void> {
  await until('the end of everything', async () => (await stillOpen()) === 0, ENDS_WITHIN_MS);
  const rows = await platform.sql(
    `SELECT t.reference, t.status, count(e.id)::int AS events FROM ${SANDBOX_CELL}.transactions t
       LEFT JOIN ${SANDBOX_CELL}.events e ON e.resource_id = t.id
      WHERE t.source_wallet = $1 GROUP BY t.id`,
    [wallet],
  );
  const seen = new Map(rows.map(({ reference, ...row }) => [reference as string, row]));
  expect(seen).toEqual(new Map(all.map((reference, n) => [reference, { status: fate(n), events: 1 }])));
  const completed = all.filter((_, n) => fate(n) === 'completed').length;
  const [account] = await platform.sql(`SELECT balance_kobo FROM ${SANDBOX_CELL}.accounts WHERE id = $1`, [
    wallet,
  ]);
  expect(Number(account?.balance_kobo)).toBe(FUNDED_KOBO - completed * DEBIT_KOBO);
  expect(await auditCell(platform.databaseUrl, SANDBOX_CELL)).toEqual([]);
}

/** A wallet that can send although Temporal has not been there yet to provision its account. */
async function openWallet(partner: Calls): Promise<string> {
  const { id } = (await partner.post('/v1/wallets', { user_ref: 'sender' })).body.data;
  await platform.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'active' WHERE id = $1`, [id]);
  await partner.post(`/v1/sandbox/wallets/${id}/fund`, { amount_kobo: FUNDED_KOBO });
  return id;
}

describe('the API is killed', () => {
  const answered = references('answered', 20);
  const repeated = references('repeated', 60);
  let partner: Calls;
  let wallets: { answered: string; repeated: string };

  test('right after its answers, before any workflow could start: every accepted transfer is there', async () => {
    const api = await platform.startChild('api');
    partner = await platform.partner(`http://127.0.0.1:${api.port}`);
    const second = await platform.partner(`http://127.0.0.1:${api.port}`);
    wallets = { answered: await openWallet(partner), repeated: await openWallet(second) };
    const replies = await Promise.all(
      answered.map((reference, n) =>
        partner.bankTransfer(wallets.answered, {
          reference,
          amountKobo: AMOUNT_KOBO,
          accountNumber: accountNumber(n),
        }),
      ),
    );
    await api.kill();
    expect(new Set(replies.map(({ reply }) => reply.status))).toEqual(new Set([202]));
    const rows = await platform.sql(
      `SELECT count(*)::int AS intended FROM ${SANDBOX_CELL}.transactions t
         JOIN ${SANDBOX_CELL}.workflow_intentions i ON i.resource_id = t.id
        WHERE t.status = 'processing' AND i.started_at IS NULL`,
    );
    expect(rows).toEqual([{ intended: answered.length }]);
    partner = second;
  });

  test('in the middle of its answers: a caller without an answer repeats, and each transfer is sent once', async () => {
    const api = await platform.startChild('api');
    const answered: (string | undefined)[] = [];
    let answers = 0;
    const send = (to: Calls, n: number) =>
      to.bankTransfer(wallets.repeated, {
        reference: repeated[n]!,
        amountKobo: AMOUNT_KOBO,
        accountNumber: accountNumber(n),
      });
    // Six at a time, so that at any moment some requests are under way and many are still to come.
    await Promise.all(
      Array.from({ length: 6 }, async (_, first) => {
        const dying = partner.at(`http://127.0.0.1:${api.port}`);
        for (let n = first; n < repeated.length; n += 6) {
          const answer = await send(dying, n).catch(() => undefined);
          answered[n] = answer?.reply.body.data.id;
          if (answer && ++answers === 20) api.signal('SIGKILL');
        }
      }),
    );
    expect(await api.ended).toBe('SIGKILL');
    expect(answers).toBeLessThan(repeated.length);

    const next = await platform.startChild('api');
    const again = partner.at(`http://127.0.0.1:${next.port}`);
    for (const [n, id] of answered.entries()) {
      const { reply } = await send(again, n);
      expect(reply).toMatchObject({ status: 202, body: { data: { id: id ?? expect.any(String) } } });
      // A transfer that had been answered is a repeat now; another may be a repeat or a new transfer.
      if (id !== undefined) expect(reply.headers.get('idempotent-replayed')).toBe('true');
    }
    await next.kill();
  });

  test('and not started again: with Temporal and a worker, everything ends without an API', async () => {
    await platform.temporal.start();
    const worker = await platform.startChild('worker');
    await expectEnded(wallets.answered, answered);
    await expectEnded(wallets.repeated, repeated);
    await worker.kill();
  });
});

test('the worker is killed again and again during transfers: the next one continues them', async () => {
  const all = references('handed-over', 60);
  const partner = await platform.partner(await platform.startApi());
  const receiver = await openReceiver();
  await partner.post('/v1/webhooks', {
    url: receiver.url,
    events: ['transaction.completed', 'transaction.failed'],
  });
  const wallet = await openWallet(partner);
  let worker = await platform.startChild('worker');
  let sent = 0;
  for (const part of [all.slice(0, 20), all.slice(20, 40), all.slice(40)]) {
    await Promise.all(
      part.map((reference) => {
        const n = sent++;
        const to = { reference, amountKobo: AMOUNT_KOBO, accountNumber: accountNumber(n) };
        return partner.bankTransfer(wallet, to);
      }),
    );
    await until('the first of them to end', async () => (await stillOpen()) < sent);
    await worker.kill();
    worker = await platform.startChild('worker');
  }
  await expectEnded(wallet, all);
  await until('every workflow to be closed', async () => {
    const query = `ExecutionStatus='Running' AND WorkflowType IN ('bankTransfer', 'walletProvisioning')`;
    return (await platform.operator.workflow.count(query)).count === 0;
  });
  // A delivery that a killed worker had claimed is due again later; each one is either delivered or due.
  const lost = await platform.sql(
    `SELECT event_id FROM ${SANDBOX_CELL}.deliveries WHERE delivered_at IS NULL AND next_attempt_at IS NULL`,
  );
  expect(lost).toEqual([]);
  await until('a delivery', () => receiver.deliveries.length > 0);
  await worker.kill();
  await receiver.close();
});
