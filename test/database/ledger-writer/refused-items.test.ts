/** An item that Postgres refuses fails alone. */
import { nameOf } from '../../../src/domain/outcome';
import { newId } from '../../../src/db/pg/ids';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { openHolder, type Holder } from '../../support/holder';
import { p2p } from '../../support/movements';
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
const POISON = 'a text with a NUL \u0000 in it';

describe('an item that Postgres refuses', () => {
  test('fails alone: its neighbours of the same batch are posted', async () => {
    const writer = cell.openWriter();
    const [from, to] = [await funded(), await cell.wallet({ partnerId })];
    const post = (description: string) =>
      writer.post(p2p({ partnerId, from, to, amountKobo: 100, description }));

    const results = await Promise.allSettled(
      Array.from({ length: 11 }, (_, place) => post(place === 5 ? POISON : 'good')),
    );

    const failed = results.filter((result) => result.status === 'rejected');
    expect(failed).toHaveLength(1);
    expect(results[5]).toMatchObject({ status: 'rejected', reason: { code: '22021' } });
    expect(await cell.balanceKobo(to)).toBe(1_000);
  });

  test('beside a locked wallet: the item fails, the locked one is answered as locked, the others are posted', async () => {
    const writer = cell.openWriter();
    const [held, from, to, other] = [
      await funded(),
      await funded(),
      await cell.wallet({ partnerId }),
      await cell.wallet({ partnerId }),
    ];
    await holder.hold('accounts', held);

    const results = await Promise.allSettled([
      writer.post(p2p({ partnerId, from: held, to: other, amountKobo: 100 })),
      writer.post(p2p({ partnerId, from, to, amountKobo: 100, description: POISON })),
      writer.post(p2p({ partnerId, from, to, amountKobo: 100 })),
    ]);

    expect(results).toMatchObject([
      { status: 'fulfilled', value: { value: { kind: 'locked' } } },
      { status: 'rejected', reason: { code: '22021' } },
      { status: 'fulfilled', value: { value: { kind: 'posted' } } },
    ]);
  });

  test('leaves the writer able to post the next movement', async () => {
    const writer = cell.openWriter();
    const [from, to] = [await funded(), await cell.wallet({ partnerId })];
    const post = (description: string) =>
      writer.post(p2p({ partnerId, from, to, amountKobo: 100, description }));

    await expect(post(POISON)).rejects.toMatchObject({ code: '22021' });

    expect(nameOf(await post('good'))).toBe('posted');
    await until('both lanes to be idle in no transaction', async () => {
      const open = await cell.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid = ANY($1)
            AND state <> 'idle'`,
        [await cell.backendsOf(writer)],
      );
      return open.length === 0;
    });
  });
});
