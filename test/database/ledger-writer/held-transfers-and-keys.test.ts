/** A transfer or an Idempotency-Key that another connection has locked at this moment. */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder, type Holder } from '../../support/holder';
import { bankTransfer, p2p, settlement, transactionIdOf } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let holder: Holder;
const partnerId = newId();

beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(async () => {
  holder = await openHolder(cell.owner);
});
afterEach(async () => {
  await holder.close();
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
afterAll(() => cell.close());

const funded = () => cell.wallet({ partnerId, fundKobo: 1_000_000 });

describe('a bank transfer whose row another connection has locked', () => {
  test('is settled when the row is free, and its neighbours in the batch do not wait for it', async () => {
    const writer = cell.openWriter();
    const [source, from, to] = [await funded(), await funded(), await cell.wallet({ partnerId })];
    const transfer = await writer.post(bankTransfer({ partnerId, from: source, amountKobo: 1_000 }));
    const transactionId = transactionIdOf(transfer);
    await holder.hold('transactions', transactionId);

    const settling = writer.post(settlement({ partnerId, transactionId, from: source, to: 'completed' }));
    const neighbour = await writer.post(p2p({ partnerId, from, to, amountKobo: 100 }));

    expect(nameOf(neighbour)).toBe('posted');
    await holder.end('COMMIT');
    expect(nameOf(await settling)).toBe('posted');
  });

  test('for longer than two seconds: it is answered as locked, and a neighbour of the same wallet is posted', async () => {
    const writer = cell.openWriter();
    const [source, to] = [await funded(), await cell.wallet({ partnerId })];
    const transfer = await writer.post(bankTransfer({ partnerId, from: source, amountKobo: 1_000 }));
    const transactionId = transactionIdOf(transfer);
    await holder.hold('transactions', transactionId);

    const results = await Promise.all([
      writer.post(settlement({ partnerId, transactionId, from: source, to: 'completed' })),
      writer.post(p2p({ partnerId, from: source, to, amountKobo: 100 })),
    ]);

    expect(results.map(nameOf)).toEqual(['locked', 'posted']);
  });
});

describe('an Idempotency-Key that another process is using at this moment', () => {
  const key = () => ({ operation: 'p2p', key: `key-${newId()}`, fingerprint: 'body' });
  const THEIRS = newId();
  const takeKey = async (used: { operation: string; key: string; fingerprint: string }) => {
    await holder.begin(
      `INSERT INTO ${SANDBOX_CELL}.idempotency_keys
         (partner_id, operation, key, fingerprint, transaction_id, form, request_id, created_at)
       VALUES ($1, $2, $3, $4, $5, 'guide', gen_random_uuid(), now())`,
      [partnerId, used.operation, used.key, used.fingerprint, THEIRS],
    );
  };

  test('the writer waits for it and repeats its answer', async () => {
    const writer = cell.openWriter();
    const [used, from, to] = [key(), await funded(), await cell.wallet({ partnerId })];
    await takeKey(used);

    const waiting = writer.post(p2p({ partnerId, from, to, amountKobo: 100, key: used }));
    await until('the writer to wait for it', async () => {
      const blocked = await cell.sql(
        `SELECT FROM pg_stat_activity WHERE pid = ANY($1) AND wait_event_type = 'Lock'`,
        [await cell.backendsOf(writer)],
      );
      return blocked.length > 0;
    });
    await holder.end('COMMIT');

    expect(await waiting).toMatchObject({
      value: { kind: 'same_key', first: { transactionId: THEIRS, form: 'guide' } },
    });
    expect(await cell.balanceKobo(to)).toBe(0);
  });

  test('for longer than two seconds: it is answered as locked, well within the time of a request', async () => {
    const writer = cell.openWriter();
    const [used, from, to] = [key(), await funded(), await cell.wallet({ partnerId })];
    await takeKey(used);

    const startedAt = Date.now();
    const result = await writer.post(p2p({ partnerId, from, to, amountKobo: 100, key: used }));

    expect(nameOf(result)).toBe('locked');
    expect(Date.now() - startedAt).toBeLessThan(4_000);
  });

  test('and rolls back: the key is free for this writer', async () => {
    const writer = cell.openWriter();
    const [used, from, to] = [key(), await funded(), await cell.wallet({ partnerId })];
    await takeKey(used);

    const waiting = writer.post(p2p({ partnerId, from, to, amountKobo: 100, key: used }));
    await holder.end('ROLLBACK');

    expect(nameOf(await waiting)).toBe('posted');
  });
});
