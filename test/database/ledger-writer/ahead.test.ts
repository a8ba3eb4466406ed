/**
 * Half of the callers are sent to Postgres behind a batch that is not answered yet (docs/decisions/0045). Whatever becomes of
 * one batch, the one behind it is a transaction of its own.
 */
import { newId } from '../../../src/db/pg/ids';
import type { LedgerItem, LedgerResult, LedgerWriter } from '../../../src/db/ledger/writer';
import { UnavailableError } from '../../../src/runtime/unavailable';
import { auditCell } from '../../support/audit';
import { openTestCell, type TestCell } from '../../support/cell';
import { bankTransfer, countOutcomes, p2p } from '../../support/movements';
import { SANDBOX_CELL } from '../../setup/cells';

const CALLERS = 48;
const CALLS = 20;
const WALLETS = 30;
const FUND_KOBO = 10_000_000;
const partnerId = newId();

let cell: TestCell;
let wallets: string[];
beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(async () => {
  wallets = await Promise.all(
    Array.from({ length: WALLETS }, () => cell.wallet({ partnerId, fundKobo: FUND_KOBO })),
  );
});
afterAll(() => cell.close());

/** The wallets of the call with this number. */
const pair = (number: number) => ({
  partnerId,
  from: wallets[number % WALLETS]!,
  to: wallets[(number + 1 + (number % (WALLETS - 1))) % WALLETS]!,
});

/** Many callers, each of whom calls again when it is answered. @returns what they were told. */
async function callAll(
  writer: (caller: number) => LedgerWriter,
  item: (number: number) => LedgerItem,
): Promise<(LedgerResult | 'unavailable')[]> {
  const told: (LedgerResult | 'unavailable')[] = [];
  const call = async (caller: number): Promise<void> => {
    for (let calls = 0; calls < CALLS; calls++) {
      const number = caller * CALLS + calls;
      try {
        told[number] = await writer(caller).post(item(number));
      } catch (error) {
        if (!(error instanceof UnavailableError)) throw error;
        told[number] = 'unavailable';
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  return told;
}

/** How many P2P transfers there are of this run. */
async function written(run: string): Promise<number> {
  const [row] = await cell.sql(
    `SELECT count(*)::integer AS written FROM ${SANDBOX_CELL}.transactions WHERE reference LIKE $1 || '%'`,
    [run],
  );
  return row!['written'] as number;
}

test.each([
  ['one process', 1],
  ['two processes', 2],
])(
  '%s: plain payments, used names and movements that are read first are each done once',
  async (_, processes) => {
    const writers = Array.from({ length: processes }, () => cell.openWriter());
    const run = `${newId()}-`;

    const told = await callAll(
      (caller) => writers[caller % processes]!,
      (number) => {
        const reference = `${run}${String(number)}`;
        // Every tenth name was used by the call before it, and every ninth movement is no plain payment.
        if (number % 10 === 9) {
          return p2p({ ...pair(number - 1), amountKobo: 1_000, reference: `${run}${String(number - 1)}` });
        }
        if (number % 9 === 4) return bankTransfer({ ...pair(number), amountKobo: 2_000, reference });
        return p2p({ ...pair(number), amountKobo: 1_000, reference });
      },
    );

    const numbers = told.map((_, number) => number);
    const isRepeat = (number: number): boolean => number % 10 === 9;
    const isBank = (number: number): boolean => !isRepeat(number) && number % 9 === 4;
    // A repeat of a bank transfer has other terms.
    const isOther = (number: number): boolean => isRepeat(number) && isBank(number - 1);
    for (const number of numbers) {
      const expected = isOther(number)
        ? 'DUPLICATE_REFERENCE'
        : isRepeat(number)
          ? 'same_reference'
          : 'posted';
      expect([number, countOutcomes([told[number] as LedgerResult])]).toEqual([number, { [expected]: 1 }]);
    }
    expect(await written(run)).toBe(numbers.filter((one) => !isRepeat(one)).length);
    expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
  },
);

test('when the connection breaks, both batches may have happened, and a repeat finds what did', async () => {
  const writer = cell.openWriter();
  const run = `${newId()}-`;
  const item = (number: number): LedgerItem =>
    p2p({ ...pair(number), amountKobo: 1_000, reference: `${run}${String(number)}` });
  let posted = 0;

  const told = await callAll(
    () => writer,
    (number) => {
      posted += 1;
      if (posted % 200 === 0) {
        void cell
          .backendsOf(writer)
          .then((pids) => cell.sql(`SELECT pg_terminate_backend(unnest($1::integer[]))`, [pids]));
      }
      return item(number);
    },
  );

  const unknown = told.flatMap((result, number) => (result === 'unavailable' ? [number] : []));
  expect(unknown.length).toBeGreaterThan(0);
  expect(told.every((result) => result === 'unavailable' || result.ok)).toBe(true);
  for (const number of unknown) {
    const again = await writer.post(item(number));
    expect(Object.keys(countOutcomes([again]))[0]).toMatch(/^(posted|same_reference)$/);
  }
  expect(await written(run)).toBe(CALLERS * CALLS);
  expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
});
