/** The writer's connection breaks: what was acknowledged is in the database, and the next post works. */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import type { LedgerWriter } from '../../../src/db/ledger/writer';
import { UnavailableError } from '../../../src/runtime/unavailable';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { p2p, transactionIdOf } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
});
afterEach(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

async function kill(writer: LedgerWriter): Promise<number> {
  const pids = await cell.backendsOf(writer);
  await cell.sql('SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
  return pids.length;
}

describe('a connection that Postgres ends', () => {
  test('while it is idle: the writer reports it, and the next post works', async () => {
    const told: string[] = [];
    const writer = cell.openWriter({ onError: (error) => told.push(error.message) });
    const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
    const to = await cell.wallet({ partnerId });
    const transfer = () => writer.post(p2p({ partnerId, from, to, amountKobo: 100 }));
    await transfer();

    expect(await kill(writer)).toBe(1);
    await until('the writer to hear of it', () => told.length > 0);

    expect(nameOf(await transfer())).toBe('posted');
    expect(await cell.balanceKobo(to)).toBe(200);
  });

  test('again and again while it is busy: every acknowledged post is written, and nothing is written twice', async () => {
    const writer = cell.openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: 10_000_000 });
    const to = await cell.wallet({ partnerId });
    const acknowledged: string[] = [];
    const failures: unknown[] = [];
    let isOver = false;
    /** Posts the same reference until there is an answer, as a partner would. */
    const transferUntilAnswered = async (): Promise<void> => {
      const reference = `order-${newId()}`;
      for (;;) {
        try {
          const result = await writer.post(p2p({ partnerId, from, to, amountKobo: 100, reference }));
          acknowledged.push(transactionIdOf(result));
          return;
        } catch (error) {
          failures.push(error);
        }
      }
    };
    const caller = async (): Promise<void> => {
      while (!isOver) await transferUntilAnswered();
    };

    const callers = Promise.all(Array.from({ length: 16 }, caller));
    for (let killed = 0; killed < 5;) {
      const before = acknowledged.length;
      await until('more posts', () => acknowledged.length > before + 100);
      killed += await kill(writer);
    }
    isOver = true;
    await callers;

    expect(failures.length).toBeGreaterThan(0);
    expect(failures.filter((error) => !(error instanceof UnavailableError))).toEqual([]);
    const rows = await cell.sql(`SELECT id FROM ${SANDBOX_CELL}.transactions WHERE source_wallet = $1`, [
      from,
    ]);
    expect(new Set(rows.map((row) => row['id']))).toEqual(new Set(acknowledged));
    expect(acknowledged).toHaveLength(rows.length);
    expect(await cell.balanceKobo(to)).toBe(100 * rows.length);
  });

  test('a database that cannot be reached is an outage, not a refusal', async () => {
    const writer = cell.openWriter({ databaseUrl: 'postgres://nobody@127.0.0.1:1/none' });

    const posting = writer.post(p2p({ partnerId, from: newId(), to: newId(), amountKobo: 100 }));

    await expect(posting).rejects.toBeInstanceOf(UnavailableError);
  });

  test('closing waits for what was posted before it', async () => {
    const writer = cell.openWriter();
    const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
    const to = await cell.wallet({ partnerId });

    const posting = Promise.all(
      Array.from({ length: 50 }, () => writer.post(p2p({ partnerId, from, to, amountKobo: 100 }))),
    );
    await writer.close();

    expect((await posting).map(nameOf)).toEqual(Array.from({ length: 50 }, () => 'posted'));
    await until('its connections to end', async () => (await cell.backendsOf(writer)).length === 0);
  });
});
