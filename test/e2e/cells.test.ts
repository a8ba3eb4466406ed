/** Two cells per environment: partners live in different schemas and do not notice it. */
import { auditCell } from '../support/audit';
import type { Calls } from '../support/calls';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, verified, type Receiver } from '../support/receiver';
import { until } from '../support/until';

const CELLS = ['sandbox_0', 'sandbox_1'];

let platform: Platform;
let receiver: Receiver;
let url: string;

beforeAll(async () => {
  platform = await openPlatform({ cellsPerEnvironment: 2 });
  receiver = await openReceiver();
  [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
});

afterAll(async () => {
  for (const cell of CELLS) expect(await auditCell(platform.databaseUrl, cell)).toEqual([]);
  await receiver.close();
  await platform.close();
});

/** How many rows of this partner each cell holds. */
async function rowsOf(partner: Calls, table: string): Promise<number[]> {
  const counts = CELLS.map(async (cell) => {
    const rows = await platform.sql(
      `SELECT count(*)::int AS number FROM ${cell}.${table} WHERE partner_id = $1`,
      [partner.partnerId],
    );
    return rows[0]?.number;
  });
  return Promise.all(counts);
}

test.each([
  { cell: 'sandbox_0', place: 0 },
  { cell: 'sandbox_1', place: 1 },
])(
  'a partner in $cell creates and funds a wallet, sends money, and gets the event',
  async ({ cell, place }) => {
    const partner = await platform.partner(url, cell);
    const events = ['transaction.completed', 'transaction.failed', 'wallet.activated'];
    const { secret } = (await partner.post('/v1/webhooks', { url: receiver.url, events })).body.data;
    const [source, dest] = await Promise.all([partner.wallet(200_000), partner.wallet()]);

    const body = { source_wallet: source.id, dest_wallet: dest.id, amount: 1_000, reference: 'one' };
    const p2p = await partner.post('/v1/transfers/p2p', body);
    expect(p2p.status).toBe(200);
    const good = await partner.bankTransfer(source.id, { amountKobo: 10_000 });
    const bad = await partner.bankTransfer(source.id, { amountKobo: 10_000, accountNumber: '0123450000' });
    expect((await partner.ended(source.id, good.reference)).status).toBe('completed');
    expect((await partner.ended(source.id, bad.reference)).status).toBe('failed');
    expect(await partner.balanceKobo(source.id)).toBe(200_000 - 1_005 - 15_000);
    expect(await partner.balanceKobo(dest.id)).toBe(1_000);

    for (const id of [source.id, p2p.body.data.id, good.reply.body.data.id, bad.reply.body.data.id]) {
      const delivery = await until(`the event of ${id}`, () => receiver.about(id)[0]);
      expect(verified(delivery, secret)).toMatchObject({ data: { id } });
    }
    for (const table of ['wallets', 'transactions', 'events', 'workflow_intentions']) {
      expect((await rowsOf(partner, table))[1 - place]).toBe(0);
    }
  },
);

test('account numbers are unique over all cells, and a transfer by number reaches a wallet of another cell', async () => {
  const [near, far] = await Promise.all(CELLS.map((cell) => platform.partner(url, cell)));
  const [source, dest] = await Promise.all([near!.wallet(100_000), far!.wallet()]);
  expect(dest.accountNumber).not.toBe(source.accountNumber);
  const to = { bankCode: '50999', accountNumber: dest.accountNumber, amountKobo: 30_000 };
  const { reference } = await near!.bankTransfer(source.id, to);
  expect((await near!.ended(source.id, reference)).status).toBe('completed');
  expect(await far!.balanceKobo(dest.id)).toBe(30_000);
  const received = (await far!.get(`/v1/wallets/${dest.id}/transactions`)).body.data;
  expect(received).toMatchObject([{ type: 'wallet_funding', amount: 30_000 }]);
});

test('a wallet in the other cell is unknown to a partner', async () => {
  const [near, far] = await Promise.all(CELLS.map((cell) => platform.partner(url, cell)));
  const { id } = await far!.wallet();
  expect((await near!.get(`/v1/wallets/${id}`)).status).toBe(404);
});
