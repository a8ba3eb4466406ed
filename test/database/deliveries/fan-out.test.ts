/**
 * From an event to its deliveries: one per endpoint that is subscribed at that moment, under the name it asked
 * for.
 */
import { deleteEndpoint } from '../../../src/db/events/endpoints';
import { newId } from '../../../src/db/pg/ids';
import { eventAlias } from '../../../src/domain/events';
import type { LedgerWriter } from '../../../src/db/ledger/writer';
import { openTestCell, type TestCell } from '../../support/cell';
import { andNothingElse, completed, happen, openEndpoint } from '../../support/endpoints';
import { bankTransfer, funding, p2p, settlement, transactionIdOf } from '../../support/movements';
import { SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let writer: LedgerWriter;
let committed: string[][] = [];
let partnerId: string;

beforeAll(async () => {
  cell = await openTestCell();
  writer = cell.openWriter({ afterCommit: (done) => committed.push(done.endpointIds) });
});
beforeEach(() => {
  partnerId = newId();
  committed = [];
});
afterAll(() => cell.close());

const deliveriesOf = (endpointId: string) =>
  cell.sql(
    `SELECT event_name AS name, next_attempt_at <= now() + interval '1 second' AS due, attempts FROM ${SANDBOX_CELL}.deliveries
      WHERE endpoint_id = $1 ORDER BY event_id`,
    [endpointId],
  );
const due = (name: string) => ({ name, due: true, attempts: 0 });

describe('an endpoint subscribed to', () => {
  const BOTH = ['transfer.completed', 'transaction.completed'];
  test.each([
    [['transaction.completed'], 'p2p_transfer', 'transaction.completed'],
    [['transfer.completed'], 'p2p_transfer', 'transfer.completed'],
    [['transfer.completed'], 'bank_transfer', 'transfer.completed'],
    [BOTH, 'p2p_transfer', 'transaction.completed'],
    [[...BOTH].reverse(), 'p2p_transfer', 'transaction.completed'],
    [['transaction.completed'], 'wallet_funding', 'transaction.completed'],
    [['transfer.completed'], 'wallet_funding', null],
    [['transaction.failed', 'transfer.failed'], 'p2p_transfer', null],
    [['wallet.activated', 'kyc.verified'], 'p2p_transfer', null],
  ] as const)('%j gets transaction.completed of a %s as: %s', async (events, type, name) => {
    const endpointId = await openEndpoint(cell.cell, partnerId, [...events]);

    const endpointIds = await happen(cell.cell, partnerId, 1, () => completed(type));

    expect(await deliveriesOf(endpointId)).toEqual(name === null ? [] : [due(name)]);
    expect(endpointIds).toEqual(name === null ? [] : [endpointId]);
  });
});

describe('of a returned bank transfer, an endpoint subscribed to', () => {
  test.each([
    [['transaction.reversed'], 'transaction.reversed'],
    [['transaction.failed'], 'transaction.failed'],
    [['transfer.failed'], 'transfer.failed'],
    [['transfer.failed', 'transaction.failed'], 'transaction.failed'],
    [['transfer.failed', 'transaction.failed', 'transaction.reversed'], 'transaction.reversed'],
    [['transaction.completed', 'transfer.completed'], null],
  ])('%j gets one delivery, as: %s', async (events, name) => {
    const endpointId = await openEndpoint(cell.cell, partnerId, events);
    const kind = 'transaction.reversed';
    const alias = eventAlias(kind, 'bank_transfer');
    await happen(cell.cell, partnerId, 1, () => ({ kind, alias, resourceId: newId(), data: '{}' }));
    expect(await deliveriesOf(endpointId)).toEqual(name === null ? [] : [due(name)]);
  });
});

describe('the ledger', () => {
  test('delivers a P2P transfer to every subscribed endpoint of its partner in the same commit', async () => {
    const canonical = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    const alias = await openEndpoint(cell.cell, partnerId, ['transfer.completed', 'wallet.activated']);
    const both = await openEndpoint(cell.cell, partnerId, ['transfer.completed', 'transaction.completed']);
    const other = await openEndpoint(cell.cell, partnerId, ['transaction.failed']);
    const foreign = await openEndpoint(cell.cell, newId(), ['transaction.completed']);
    const from = await cell.wallet({ partnerId });
    const to = await cell.wallet({ partnerId });
    await writer.post(funding({ partnerId, to: from, amountKobo: 10_000 }));

    await writer.post(p2p({ partnerId, from, to, amountKobo: 100 }));

    const twice = [due('transaction.completed'), due('transaction.completed')];
    expect(await deliveriesOf(canonical)).toEqual(twice);
    expect(await deliveriesOf(alias)).toEqual([due('transfer.completed')]);
    expect(await deliveriesOf(both)).toEqual(twice);
    expect(await deliveriesOf(other)).toEqual([]);
    expect(await deliveriesOf(foreign)).toEqual([]);
    expect(committed.map((ids) => [...ids].sort())).toEqual([
      [canonical, both].sort(),
      [canonical, alias, both].sort(),
    ]);
  });

  test('names each endpoint of a batch once, however many deliveries it got', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    const to = await cell.wallet({ partnerId });

    await Promise.all(
      Array.from({ length: 20 }, () => writer.post(funding({ partnerId, to, amountKobo: 1 }))),
    );

    expect(await deliveriesOf(endpointId)).toHaveLength(20);
    for (const ids of committed) expect(ids).toEqual([endpointId]);
  });

  test('delivers the failure of a bank transfer, and nothing for its acceptance or its reversal', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed', 'transfer.failed']);
    const from = await cell.wallet({ partnerId, fundKobo: 100_000 });
    const before = (await deliveriesOf(endpointId)).length;
    const transactionId = transactionIdOf(
      await writer.post(bankTransfer({ partnerId, from, amountKobo: 100 })),
    );

    await writer.post(settlement({ partnerId, transactionId, from, to: 'failed' }));

    expect((await deliveriesOf(endpointId)).slice(before)).toEqual([due('transfer.failed')]);
  });

  test('delivers nothing for a refused movement', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    const [from, to] = [await cell.wallet({ partnerId }), await cell.wallet({ partnerId })];

    await writer.post(p2p({ partnerId, from, to, amountKobo: 100 }));

    expect(await deliveriesOf(endpointId)).toEqual([]);
    expect(committed).toEqual([]);
  });
});

describe('an endpoint that is', () => {
  test('inactive keeps its deliveries without a due time, and is not woken', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await cell.sql(`UPDATE ${SANDBOX_CELL}.webhook_endpoints SET is_active = false WHERE id = $1`, [
      endpointId,
    ]);

    const endpointIds = await happen(cell.cell, partnerId);

    expect(endpointIds).toEqual([]);
    expect(await deliveriesOf(endpointId)).toEqual([{ ...due('transaction.completed'), due: null }]);
  });

  test('deleted gets no delivery, and its waiting deliveries are not due any more', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await happen(cell.cell, partnerId);

    expect(await deleteEndpoint(cell.cell, partnerId, endpointId, andNothingElse)).toBe(true);

    expect(await happen(cell.cell, partnerId)).toEqual([]);
    expect(await deliveriesOf(endpointId)).toEqual([{ ...due('transaction.completed'), due: null }]);
    expect(await deleteEndpoint(cell.cell, partnerId, endpointId, andNothingElse)).toBe(false);
  });

  test('of another partner is not deleted', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);

    expect(await deleteEndpoint(cell.cell, newId(), endpointId, andNothingElse)).toBe(false);

    expect(await happen(cell.cell, partnerId)).toEqual([endpointId]);
  });

  test('registered after the event gets no delivery of it', async () => {
    await happen(cell.cell, partnerId);
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    expect(await deliveriesOf(endpointId)).toEqual([]);
  });
});
