/** The writer waits two seconds at most for a locked wallet, and movements of other wallets do not wait. */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder, type Holder } from '../../support/holder';
import { countOutcomes, p2p } from '../../support/movements';
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

describe('a wallet that another connection has locked', () => {
  test('for less than two seconds: its neighbours are posted meanwhile, and it follows when it is free', async () => {
    const writer = cell.openWriter();
    const [held, to] = [await funded(), await cell.wallet({ partnerId })];
    const neighbours = await Promise.all(Array.from({ length: 20 }, funded));
    const destinations = await Promise.all(neighbours.map(() => cell.wallet({ partnerId })));
    await writer.post(p2p({ partnerId, from: neighbours[0]!, to, amountKobo: 100 }));
    await holder.hold('accounts', held);
    let isAnswered = false;

    const waiting = writer
      .post(p2p({ partnerId, from: held, to, amountKobo: 100 }))
      .finally(() => (isAnswered = true));
    const results = await Promise.all(
      neighbours.map((from, place) =>
        writer.post(p2p({ partnerId, from, to: destinations[place]!, amountKobo: 100 })),
      ),
    );

    expect(countOutcomes(results)).toEqual({ posted: 20 });
    expect(isAnswered).toBe(false);
    await holder.end('COMMIT');
    // If the neighbours had waited for the locked wallet, its movement would have been given up by now.
    expect(nameOf(await waiting)).toBe('posted');
  });

  test('for longer than two seconds: it is answered as locked, well within the time of a request, and nothing is written', async () => {
    const writer = cell.openWriter();
    const [held, to] = [await funded(), await cell.wallet({ partnerId })];
    await holder.hold('accounts', held);

    const startedAt = Date.now();
    const result = await writer.post(p2p({ partnerId, from: held, to, amountKobo: 100 }));
    const tookMs = Date.now() - startedAt;

    expect(nameOf(result)).toBe('locked');
    expect(tookMs).toBeGreaterThan(1_900);
    expect(tookMs).toBeLessThan(4_000);
    await holder.end('COMMIT');
    expect(await cell.balanceKobo(held)).toBe(1_000_000);
    expect(
      await cell.sql(`SELECT FROM ${SANDBOX_CELL}.transactions WHERE source_wallet = $1`, [held]),
    ).toEqual([]);
  });

  test('locked as destination: ten payers are answered as locked after one wait, not one after the other', async () => {
    const writer = cell.openWriter();
    const to = await cell.wallet({ partnerId });
    const payers = await Promise.all(Array.from({ length: 10 }, funded));
    await holder.hold('accounts', to);

    const startedAt = Date.now();
    const results = await Promise.all(
      payers.map((from) => writer.post(p2p({ partnerId, from, to, amountKobo: 100 }))),
    );

    expect(countOutcomes(results)).toEqual({ locked: 10 });
    expect(Date.now() - startedAt).toBeLessThan(10_000);
  });

  test('a movement that was answered as locked is posted by a repeat of the same reference', async () => {
    const writer = cell.openWriter();
    const [held, to, reference] = [await funded(), await cell.wallet({ partnerId }), `order-${newId()}`];
    const transfer = () => writer.post(p2p({ partnerId, from: held, to, amountKobo: 100, reference }));
    await holder.hold('accounts', held);
    expect(nameOf(await transfer())).toBe('locked');
    await holder.end('COMMIT');

    expect(nameOf(await transfer())).toBe('posted');
    expect(await cell.balanceKobo(to)).toBe(100);
  });

  test.each([
    ['up', 0, 1],
    ['down', 1, 0],
  ])(
    'wallets are locked in the order of their ids, also by a transfer %s that order',
    async (_, source, dest) => {
      const writer = cell.openWriter();
      const ids = [await funded(), await funded()].sort();
      await holder.hold('accounts', ids[0]!);

      const waiting = writer.post(p2p({ partnerId, from: ids[source]!, to: ids[dest]!, amountKobo: 100 }));
      await until('the writer to wait patiently', async () => {
        const patient = await cell.sql(
          `SELECT FROM pg_stat_activity WHERE pid = ANY($1) AND wait_event_type = 'Lock'
            AND now() - query_start > interval '300 ms'`,
          [await cell.backendsOf(writer)],
        );
        return patient.length > 0;
      });

      const second = cell.sql(`SELECT id FROM ${SANDBOX_CELL}.accounts WHERE id = $1 FOR UPDATE NOWAIT`, [
        ids[1],
      ]);
      await expect(second).resolves.toEqual([{ id: ids[1] }]);
      await holder.end('COMMIT');
      expect(nameOf(await waiting)).toBe('posted');
    },
  );

  test('an unknown wallet is not taken for a locked one', async () => {
    const writer = cell.openWriter();
    const [held, from, to] = [await funded(), await funded(), await cell.wallet({ partnerId })];
    await holder.hold('accounts', held);

    const waiting = writer.post(p2p({ partnerId, from: held, to, amountKobo: 100 }));
    const result = await writer.post(p2p({ partnerId, from, to: newId(), amountKobo: 100 }));

    expect(nameOf(result)).toBe('WALLET_NOT_FOUND');
    await holder.end('COMMIT');
    expect(nameOf(await waiting)).toBe('posted');
  });
});
