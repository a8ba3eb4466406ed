/** More movements than the writer can write in time: the excess is turned away at once, and nothing is in doubt (G28). */
import { newId } from '../../../src/db/pg/ids';
import { nameOf } from '../../../src/domain/outcome';
import { UnavailableError } from '../../../src/runtime/unavailable';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { p2p } from '../../support/movements';
import { until } from '../../support/until';
import { SANDBOX_CELL } from '../../setup/cells';

/** What may wait: a batch of one under way, the smallest half sent behind it, and four batches in the queue. */
const ACCEPTED_MAX = 1 + 8 + 1_024;
const ASKED = 3 * ACCEPTED_MAX;

let cell: TestCell;
const partnerId = newId();
beforeAll(async () => {
  cell = await openTestCell();
});
afterAll(async () => {
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  await cell.close();
});

test('while the writer is held, three times of what may wait comes: the excess is turned away at once', async () => {
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 100_000_000 });
  const to = await cell.wallet({ partnerId });
  const pay = (reference: string) => writer.post(p2p({ partnerId, from, to, amountKobo: 1_000, reference }));
  // What may wait depends on how long the last batch took, and the first ones are slow.
  for (let count = 0; count < 5; count += 1) await pay(`warm-${String(count)}`);
  const [pid = 0] = await cell.backendsOf(writer);

  process.kill(pid, 'SIGSTOP');
  const shed: string[] = [];
  const shedMs: number[] = [];
  const accepted: Promise<unknown>[] = [];
  try {
    const first = pay('order-0');
    await until('a batch under way', () => true);
    const told = await Promise.all(
      Array.from({ length: ASKED }, async (_, place) => {
        const reference = `order-${String(place + 1)}`;
        const answer = pay(reference);
        const late = new Promise<'waits'>((resolve) => setTimeout(resolve, 500, 'waits'));
        try {
          const kind = await Promise.race([answer, late]);
          if (kind === 'waits') accepted.push(answer);
          return kind;
        } catch (error) {
          expect(error).toBeInstanceOf(UnavailableError);
          shed.push(reference);
          return 'shed';
        }
      }),
    );
    expect(told.filter((kind) => kind === 'waits')).toHaveLength(ACCEPTED_MAX - 1);
    expect(shed).toHaveLength(ASKED - ACCEPTED_MAX + 1);
    for (let count = 0; count < 21; count += 1) {
      const startedAt = performance.now();
      await expect(pay('one-more')).rejects.toThrow(UnavailableError);
      shedMs.push(performance.now() - startedAt);
    }
    expect(shedMs.sort((one, other) => one - other)[10]).toBeLessThan(50);
    accepted.push(first);
  } finally {
    process.kill(pid, 'SIGCONT');
  }

  // What was accepted is written, and nothing of what was turned away: its repeat is a first payment.
  expect((await Promise.all(accepted)).map((result) => nameOf(result as never))).toEqual(
    accepted.map(() => 'posted'),
  );
  expect(await cell.balanceKobo(to)).toBe(1_000 * (5 + ACCEPTED_MAX));
  expect(nameOf(await pay(shed[0] as string))).toBe('posted');
});

test('a batch that is held up for two seconds: later movements are turned away before anything is sent', async () => {
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const to = await cell.wallet({ partnerId });
  const pay = (reference: string) => writer.post(p2p({ partnerId, from, to, amountKobo: 1_000, reference }));
  await pay('held-warm');
  const [pid = 0] = await cell.backendsOf(writer);
  process.kill(pid, 'SIGSTOP');
  try {
    const held = pay('held-0');
    let place = 0;
    await until('the writer to turn movements away', async () => {
      const asked = pay(`held-${String((place += 1))}`).then(
        () => false,
        (error: unknown) => error instanceof UnavailableError,
      );
      return Promise.race([asked, new Promise<false>((resolve) => setTimeout(resolve, 50, false))]);
    });
    process.kill(pid, 'SIGCONT');
    expect(nameOf(await held)).toBe('posted');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await until('the writer to go on', () =>
    pay('held-again')
      .then(() => true)
      .catch(() => false),
  );
});

test('when batches are slow, later movements are turned away before as many wait as otherwise may', async () => {
  const writer = cell.openWriter();
  const from = await cell.wallet({ partnerId, fundKobo: 100_000_000 });
  const to = await cell.wallet({ partnerId });
  const pay = (reference: string) => writer.post(p2p({ partnerId, from, to, amountKobo: 1_000, reference }));
  const told = await cell.slowly(
    'INSERT',
    'entries',
    async () => {
      await pay('slow-before');
      const first = pay('slow-0');
      const others = Array.from({ length: 700 }, (_, place) =>
        pay(`slow-${String(place + 1)}`).then(nameOf, (error: unknown) => {
          expect(error).toBeInstanceOf(UnavailableError);
          return 'shed';
        }),
      );
      return Promise.all([first.then(nameOf), ...others]);
    },
    0.8,
  );
  // Behind two batches of 256 a movement would be late, although 1,024 may wait.
  const posted = told.filter((name) => name === 'posted');
  expect(posted.length).toBeGreaterThan(0);
  expect(posted.length).toBeLessThanOrEqual(1 + 2 * 256);
  expect(told.filter((name) => name === 'shed')).toHaveLength(701 - posted.length);
  expect(await cell.balanceKobo(to)).toBe(1_000 * (1 + posted.length));
});
