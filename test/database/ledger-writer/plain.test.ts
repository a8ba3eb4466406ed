/** The writer decides plain payments by the statement that writes them, which sees every change of another process. */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import type { LedgerItem, LedgerWriter } from '../../../src/db/ledger/writer';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder, type Holder } from '../../support/holder';
import { bankTransfer, p2p, transactionIdOf } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let writer: LedgerWriter;
let another: LedgerWriter;
let holder: Holder;
let partnerId: string;
let from: string;
let to: string;

beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(async () => {
  [writer, another] = [cell.openWriter(), cell.openWriter()];
  holder = await openHolder(cell.owner);
  partnerId = newId();
  from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  to = await cell.wallet({ partnerId });
  await writer.post(pay(100));
});
afterEach(async () => {
  await holder.close();
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

const pay = (amountKobo: number, names: { reference?: string; key?: ReturnType<typeof key> } = {}) =>
  p2p({ partnerId, from, to, amountKobo, ...names });
const key = (name = newId()) => ({ operation: 'p2p', key: name, fingerprint: 'body' });
const setStatus = (id: string, status: string) =>
  cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = $2 WHERE id = $1`, [id, status]);

/** Waits until the writer waits for a locked wallet. */
const untilItWaits = () =>
  until('the writer to wait for a wallet', async () => {
    const waits = await cell.sql(
      `SELECT FROM pg_stat_activity WHERE pid = ANY($1) AND wait_event_type = 'Lock'`,
      [await cell.backendsOf(writer)],
    );
    return waits.length > 0;
  });

test('a plain payment is one statement; one that is not plain is read first', async () => {
  const last = async (): Promise<string[]> => {
    const rows = await cell.sql('SELECT query FROM pg_stat_activity WHERE pid = ANY($1)', [
      await cell.backendsOf(writer),
    ]);
    return rows.map((row) => row['query']);
  };

  await writer.post(pay(100));
  expect(await last()).toEqual([expect.stringContaining('WITH decided AS')]);

  expect(nameOf(await writer.post(pay(100_000_000)))).toBe('INSUFFICIENT_FUNDS');
  expect(await last()).toEqual(['COMMIT']);
});

test('the times of payments ascend, and are never ahead of the clock of Postgres', async () => {
  for (let place = 0; place < 10; place++) {
    const result = await writer.post(pay(100));
    const [row] = await cell.sql(
      `SELECT created_at <= clock_timestamp() + interval '1 ms' AS is_past,
              created_at > clock_timestamp() - interval '1 s' AS is_recent
         FROM ${SANDBOX_CELL}.transactions WHERE id = $1`,
      [transactionIdOf(result)],
    );
    expect(row).toEqual({ is_past: true, is_recent: true });
  }
  const rows = await cell.sql(
    `SELECT t.created_at FROM ${SANDBOX_CELL}.entries e JOIN ${SANDBOX_CELL}.transactions t ON t.id = e.transaction_id
      WHERE e.account = $1 ORDER BY e.sequence`,
    [to],
  );
  const times = rows.map((row) => (row['created_at'] as Date).getTime());
  expect(times).toHaveLength(11);
  expect(times).toEqual([...times].sort((one, other) => one - other));
});

describe('the writer notices what others have changed', () => {
  const spendElsewhere = () => another.post(p2p({ partnerId, from, to, amountKobo: 900_000 }));

  test.each<[string, () => Promise<unknown>, string]>([
    ['money spent by another process', spendElsewhere, 'INSUFFICIENT_FUNDS'],
    [
      'money in flight by another process',
      () => another.post(bankTransfer({ partnerId, from, amountKobo: 900_000 })),
      'INSUFFICIENT_FUNDS',
    ],
    ['a source that was frozen', () => setStatus(from, 'frozen'), 'WALLET_FROZEN'],
    ['a destination that was closed', () => setStatus(to, 'closed'), 'WALLET_CLOSED'],
    [
      'a partner whose sandbox is being reset',
      () => cell.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, gen_random_uuid())`, [partnerId]),
      'SERVICE_UNAVAILABLE',
    ],
  ])('%s', async (_, change, code) => {
    await change();

    const result = await writer.post(pay(500_000));

    expect(nameOf(result)).toBe(code);
    await cell.sql(`DELETE FROM ${SANDBOX_CELL}.partner_epochs WHERE partner_id = $1`, [partnerId]);
  });

  test('money that came by another process', async () => {
    const poor = await cell.wallet({ partnerId, fundKobo: 1_000 });
    await writer.post(p2p({ partnerId, from: poor, to, amountKobo: 100 }));
    await another.post(p2p({ partnerId, from, to: poor, amountKobo: 500_000 }));

    const result = await writer.post(p2p({ partnerId, from: poor, to, amountKobo: 400_000 }));

    expect(nameOf(result)).toBe('posted');
  });

  test('a change that is about to be committed, for which the writer waits', async () => {
    await holder.begin(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'frozen' WHERE id = $1`, [from]);
    const waiting = writer.post(pay(100));
    await untilItWaits();
    await holder.end('COMMIT');

    expect(nameOf(await waiting)).toBe('WALLET_FROZEN');
    expect(await cell.balanceKobo(to)).toBe(100);
  });

  test('a reset that begins while the writer waits for a wallet', async () => {
    await holder.hold('accounts', from);
    const waiting = writer.post(pay(100));
    await untilItWaits();
    await cell.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, gen_random_uuid())`, [partnerId]);
    await holder.end('COMMIT');

    expect(nameOf(await waiting)).toBe('SERVICE_UNAVAILABLE');
    expect(await cell.balanceKobo(to)).toBe(100);
    await cell.sql(`DELETE FROM ${SANDBOX_CELL}.partner_epochs WHERE partner_id = $1`, [partnerId]);
  });
});

describe('a name that was used before is found', () => {
  const reference = () => `order-${newId()}`;

  test.each<[string, () => { reference?: string; key?: ReturnType<typeof key> }, string]>([
    ['a reference', () => ({ reference: reference() }), 'same_reference'],
    ['a key', () => ({ key: key() }), 'same_key'],
  ])('%s, by this process or another', async (_, names, kind) => {
    for (const first of [writer, another]) {
      const used = names();
      await first.post(pay(100, used));

      expect(nameOf(await writer.post(pay(100, used)))).toBe(kind);
    }
    expect(await cell.balanceKobo(to)).toBe(300);
  });

  test('a key, although the money for its repeat is not there any more', async () => {
    const used = key();
    await writer.post(pay(600_000, { key: used }));

    expect(nameOf(await writer.post(pay(600_000, { key: used })))).toBe('same_key');
  });

  test('a key twice in one batch is one payment', async () => {
    const twice = (used = key()): LedgerItem[] => [pay(100, { key: used }), pay(100, { key: used })];

    const results = await Promise.all(twice().map((item) => writer.post(item)));

    expect(results.map(nameOf)).toEqual(['posted', 'same_key']);
    expect(await cell.balanceKobo(to)).toBe(200);
  });
});

test.each([
  ['up', 0, 1],
  ['down', 1, 0],
])(
  'wallets are locked in the order of their ids, also by a transfer %s that order',
  async (_, source, dest) => {
    const ids = [from, to].sort() as [string, string];
    await writer.post(p2p({ partnerId, from, to, amountKobo: 1_000 }));
    await writer.post(p2p({ partnerId, from: to, to: from, amountKobo: 100 }));
    await holder.hold('accounts', ids[0]);

    const waiting = writer.post(p2p({ partnerId, from: ids[source]!, to: ids[dest]!, amountKobo: 100 }));
    await untilItWaits();

    const second = `SELECT id FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR UPDATE NOWAIT`;
    await expect(cell.sql(second, [ids[1]])).resolves.toEqual([{ id: ids[1] }]);
    await holder.end('COMMIT');
    expect(nameOf(await waiting)).toBe('posted');
  },
);
