/**
 * A completed bank transfer comes back, and its wallet is closed: the money waits with its finding, and operators give it to
 * another wallet of the partner, which hears that the reversal is complete (R54).
 */
import { auditCell } from '../../support/audit';
import { openWorld, type TestApi, type World } from '../../support/api';
import { bankTransfer, settlement } from '../../support/movements';
import { approvedBy, type TestOperator } from '../../support/operators';
import { valueAs } from '../../support/outcomes';
import type { TestPartner } from '../../support/partners';
import { REHEARSAL } from '../../support/settings';
import { newId } from '../../../src/db/pg/ids';
import { openPool } from '../../../src/db/pg/postgres';
import { beginningOf, dayAfter, dayOf } from '../../../src/domain/days';
import type { StatementLine } from '../../../src/domain/statement-lines';
import { importDay } from '../../../src/operations/days/import-day';
import { ownBooks } from '../../../src/operations/days/own-books';
import { asLogin } from '../../support/logins';
import type { EnvironmentName } from '../../../src/domain/partners';
import { bankTransferReturned } from '../../../src/wire/webhooks';
import { LIVE_CELL, SANDBOX_CELL } from '../../setup/cells';

const AMOUNT_KOBO = 100_000;
const BACK_KOBO = 105_000;
const CELLS = { live: LIVE_CELL, sandbox: SANDBOX_CELL } as const;
const EVIDENCE = { note: 'The customer has opened a new wallet', evidence_ref: 'CASE-9' };

let world: World;
let api: TestApi;
let live: TestPartner;
let sandbox: TestPartner;
let ada: TestOperator;
let bola: TestOperator;
beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi();
  live = await api.partner({ environment: 'live', status: 'active' });
  sandbox = await api.partner({ status: 'active' });
  [ada, bola] = [await api.operator(), await api.operator()];
});
afterAll(async () => {
  for (const cell of Object.values(CELLS)) expect(await auditCell(world.databaseUrl, cell)).toEqual([]);
  await world.close();
});

const partnerIn = (environment: EnvironmentName): TestPartner => (environment === 'live' ? live : sandbox);
const ledgerOf = (environment: EnvironmentName) =>
  api.environments[environment].cells.get(CELLS[environment])!.ledger;

/** A completed transfer that came back after its wallet was closed. @returns the ids of transfer and wallet. */
async function returned(environment: EnvironmentName): Promise<{ id: string; walletId: string }> {
  const partner = partnerIn(environment);
  const walletId = await partner.wallet({ fundKobo: BACK_KOBO });
  const asked = bankTransfer({ partnerId: partner.id, from: walletId, amountKobo: AMOUNT_KOBO });
  const { id } = valueAs(await ledgerOf(environment).post(asked), 'posted').transaction;
  const end = { partnerId: partner.id, transactionId: id, from: walletId };
  valueAs(await ledgerOf(environment).post(settlement({ ...end, to: 'completed' })), 'posted');
  await world.sql(`UPDATE ${CELLS[environment]}.accounts SET status = 'closed' WHERE id = $1`, [walletId]);
  const back = {
    ...settlement({ ...end, to: 'reversed' }),
    announce: ({ transaction, reversal }: Parameters<ReturnType<typeof settlement>['announce']>[0]) => [
      bankTransferReturned(transaction, reversal),
    ],
  };
  expect(valueAs(await ledgerOf(environment).post(back), 'posted').reversal).toBeNull();
  return { id, walletId };
}
const findingOf = async (environment: EnvironmentName, resource: string) =>
  (
    await world.sql(
      `SELECT id, class, account, kobo::int, detail, closed_at IS NOT NULL AS closed
         FROM ${CELLS[environment]}.recon_findings WHERE resource = $1`,
      [resource],
    )
  )[0];
const eventsOf = async (environment: EnvironmentName, id: string) =>
  (
    await world.sql(
      `SELECT kind, data FROM ${CELLS[environment]}.events WHERE resource_id = $1 ORDER BY id`,
      [id],
    )
  ).map(({ kind, data }) => [
    kind,
    (JSON.parse(data as string) as Record<string, unknown>)['reversal_status'],
  ]);
const allocate = (environment: EnvironmentName, id: string, walletId: string, by = partnerIn(environment)) =>
  ada.post(`/ops/${environment}/partners/${by.id}/credits/${id}/allocate`, {
    wallet_id: walletId,
    ...EVIDENCE,
  });

test('the commit that cannot give the money back leaves the finding that says why, and the partner hears of it', async () => {
  const { id, walletId } = await returned('live');
  expect(await findingOf('live', id)).toMatchObject({
    class: 'return_unallocated',
    account: '2900',
    kobo: BACK_KOBO,
    closed: false,
    detail: { why: 'WALLET_CLOSED', wallet: walletId, partner: live.id, kobo: BACK_KOBO },
  });
  expect(await eventsOf('live', id)).toContainEqual(['transaction.reversed', 'pending']);
});

test('in live a second operator gives it to another wallet; the reversal is written, and the partner hears of it', async () => {
  const [{ id }, walletId] = [await returned('live'), await live.wallet()];
  const proposed = await allocate('live', id, walletId);
  expect(proposed).toMatchObject({
    status: 202,
    body: {
      data: {
        kind: 'allocate_return',
        terms: { transaction_id: id, wallet_id: walletId, amount_kobo: BACK_KOBO, evidence_ref: 'CASE-9' },
      },
    },
  });
  expect(await approvedBy(proposed, ada)).toMatchObject({ status: 403 });
  expect(await live.balanceKobo(walletId)).toBe(0);
  for (const approval of [await approvedBy(proposed, bola), await approvedBy(proposed, bola)]) {
    expect(approval).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
  }
  expect(await live.balanceKobo(walletId)).toBe(BACK_KOBO);
  expect(await findingOf('live', id)).toMatchObject({ kobo: 0, closed: true });
  expect((await eventsOf('live', id)).filter(([kind]) => kind === 'transaction.reversed')).toEqual([
    ['transaction.reversed', 'pending'],
    ['transaction.reversed', 'completed'],
  ]);
  const [reversal] = await world.sql(
    `SELECT t.id, t.type, t.reference, t.amount_kobo::int, t.dest_wallet, t.metadata->>'original_transaction_id' AS of
       FROM ${LIVE_CELL}.reversals r JOIN ${LIVE_CELL}.transactions t ON t.id = r.reversal_id WHERE r.original_id = $1`,
    [id],
  );
  expect(reversal).toMatchObject({
    type: 'reversal',
    reference: `rev_${id}`,
    amount_kobo: BACK_KOBO,
    dest_wallet: walletId,
    of: id,
  });
  expect(await allocate('live', id, await live.wallet())).toMatchObject({
    status: 422,
    body: { error: 'INVALID_STATE' },
  });
});

test('in the sandbox one operator does it at once, and sees the reversal', async () => {
  const [{ id }, walletId] = [await returned('sandbox'), await sandbox.wallet()];
  expect(await allocate('sandbox', id, walletId)).toMatchObject({
    status: 200,
    body: { data: { type: 'reversal', status: 'completed' } },
  });
  expect(await sandbox.balanceKobo(walletId)).toBe(BACK_KOBO);
});

test('of two proposals for two wallets the one that is approved first is carried out', async () => {
  const [{ id }, one, other] = [await returned('live'), await live.wallet(), await live.wallet()];
  const [first, second] = [await allocate('live', id, one), await allocate('live', id, other)];
  expect(await approvedBy(second, bola)).toMatchObject({ status: 200 });
  expect(await approvedBy(first, bola)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect([await live.balanceKobo(one), await live.balanceKobo(other)]).toEqual([0, BACK_KOBO]);
});

test('what would be refused is refused when it is proposed', async () => {
  const { id, walletId } = await returned('live');
  const small = await live.wallet();
  await world.sql(
    `UPDATE ${LIVE_CELL}.accounts SET limit_tier = 'tier_1', balance_kobo = balance_kobo WHERE id = $1`,
    [small],
  );
  const full = await live.wallet({ fundKobo: Number.MAX_SAFE_INTEGER - BACK_KOBO + 1 });
  const stranger = await api.partner({ environment: 'live', status: 'active' });
  const strangers = await stranger.wallet();
  expect(await allocate('live', id, walletId)).toMatchObject({ body: { error: 'WALLET_CLOSED' } });
  expect(await allocate('live', id, full)).toMatchObject({ status: 422, body: { error: 'LIMIT_EXCEEDED' } });
  expect(await allocate('live', id, strangers)).toMatchObject({ body: { error: 'WALLET_NOT_FOUND' } });
  // To another partner it is no transfer at all.
  expect(await allocate('live', id, strangers, stranger)).toMatchObject({ status: 404 });
  expect(await findingOf('live', id)).toMatchObject({ kobo: BACK_KOBO, closed: false });
});

test('the finding is not closed by hand while its money waits, and says what ends it', async () => {
  const { id } = await returned('live');
  const { id: findingId } = (await findingOf('live', id))!;
  const refused = await ada.post(`/ops/live/findings/${String(findingId)}/close`, { note: 'Seen' });
  expect(refused).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  expect(refused.body.message).toMatch(/105000 kobo are in suspense.*allocate it to a wallet/);
  expect(await ada.post(`/ops/live/findings/${String(findingId)}/write-off`, EVIDENCE)).toMatchObject({
    status: 422,
    body: { error: 'INVALID_STATE' },
  });
});

test('money of a finding is given out once, whatever the code does: Postgres refuses the commit', async () => {
  const [{ id }, one] = [await returned('live'), await live.wallet()];
  await approvedBy(await allocate('live', id, one), bola);
  const again = ledgerOf('live').post({
    movement: {
      kind: 'open',
      type: 'suspense_move',
      from: { class: 'return_unallocated', resource: id, account: '2900' },
      holds: 'credit',
      to: '5900',
      transactionId: newId(),
      partnerId: live.id,
      reference: `again_${id}`,
      amountKobo: BACK_KOBO,
      description: '',
      metadata: {},
      key: null,
    },
    announce: () => [],
  });
  await expect(again).rejects.toThrow('recon_findings_give_money_once');
});

describe('the owner is not there any more', () => {
  /** A completed transfer, whose wallet holds nothing. `back` says that it comes back. */
  async function completed(partner: TestPartner, environment: EnvironmentName) {
    const walletId = await partner.wallet({ fundKobo: BACK_KOBO });
    const asked = bankTransfer({ partnerId: partner.id, from: walletId, amountKobo: AMOUNT_KOBO });
    const { id } = valueAs(await ledgerOf(environment).post(asked), 'posted').transaction;
    const end = { partnerId: partner.id, transactionId: id, from: walletId };
    valueAs(await ledgerOf(environment).post(settlement({ ...end, to: 'completed' })), 'posted');
    const back = async () => {
      const posted = await ledgerOf(environment).post(settlement({ ...end, to: 'reversed' }));
      expect(valueAs(posted, 'posted').reversal).toBeNull();
    };
    return { id, walletId, back };
  }

  test('a person who was erased: the money waits with a finding that names nobody, until it is allocated', async () => {
    const { id, walletId, back } = await completed(sandbox, 'sandbox');
    expect((await sandbox.post(`/v1/wallets/${walletId}/close`, {})).status).toBe(200);
    const path = `/ops/sandbox/partners/${sandbox.id}/wallets/${walletId}/erase-person`;
    expect((await ada.post(path, { reason: 'request of 22 November' })).status).toBe(200);
    await back();
    const found = await findingOf('sandbox', id);
    expect(found).toMatchObject({ class: 'return_unallocated', kobo: BACK_KOBO, closed: false });
    expect(JSON.stringify(found)).not.toMatch(/ADA|OBI|0123456789/i);
    const other = await sandbox.wallet();
    expect(await allocate('sandbox', id, other)).toMatchObject({ status: 200 });
    expect(await sandbox.balanceKobo(other)).toBe(BACK_KOBO);
    expect(await findingOf('sandbox', id)).toMatchObject({ kobo: 0, closed: true });
  });

  test('a partner that was closed: nothing can be allocated, and what was sent by hand ends the finding', async () => {
    const gone = await api.partner({ environment: 'live', status: 'active' });
    const { id, back } = await completed(gone, 'live');
    const other = await gone.wallet();
    const closing = await ada.post(`/ops/partners/${gone.id}/close`, { reason: 'The contract has ended' });
    expect(closing).toMatchObject({ status: 200, body: { data: { status: 'closed' } } });
    await back();
    const found = await findingOf('live', id);
    expect(found).toMatchObject({ class: 'return_unallocated', kobo: BACK_KOBO, closed: false });
    expect(await allocate('live', id, other, gone)).toMatchObject({ status: 422 });

    const { directory, cells } = api.environments.live;
    const pool = openPool(asLogin(world.databaseUrl, 'live_reconcile'), 2, 10_000, () => undefined);
    const day = dayAfter(dayOf(new Date()), -1);
    const lines: StatementLine[] = [
      {
        id: 'by-hand',
        at: beginningOf(day),
        about: 'other',
        changeKobo: -BACK_KOBO,
        balanceKobo: 0,
        reference: null,
        providerRef: null,
        sessionId: null,
      },
    ];
    const imported = await importDay(
      { pool, directory, provider: 'hand' },
      ownBooks(api.environments.live).cell,
      [...cells.values()].map(({ schema }) => ({ schema, pool })),
      { treasury: null, lines, mayBeNew: true },
      day,
    );
    await pool.end();
    expect(imported.ok).toBe(true);
    const entry = (kobo: number) =>
      ada.post('/ops/live/treasury-entries', {
        entry: 'paid_by_hand',
        provider: 'hand',
        line_id: 'by-hand',
        amount_kobo: kobo,
        note: 'To the account that the partner has named',
        finding_id: found?.['id'],
      });
    expect(await entry(BACK_KOBO + 1)).toMatchObject({ status: 422 });
    const proposed = await entry(BACK_KOBO);
    expect(proposed).toMatchObject({ status: 202 });
    expect(await approvedBy(proposed, bola)).toMatchObject({ body: { data: { status: 'applied' } } });
    expect(await findingOf('live', id)).toMatchObject({ kobo: 0, closed: true });

    // The line is withdrawn: the money waits again, with its finding.
    const withdrawn = await ada.post(`/ops/live/days/hand/${day}/withdraw-line`, {
      line_id: 'by-hand',
      note: 'It was typed wrong',
    });
    expect(withdrawn).toMatchObject({ status: 202 });
    expect(await approvedBy(withdrawn, bola)).toMatchObject({ body: { data: { status: 'applied' } } });
    const open = await world.sql(
      `SELECT class, kobo::int FROM ${LIVE_CELL}.recon_findings WHERE resource = $1 AND closed_at IS NULL`,
      [id],
    );
    expect(open).toEqual([{ class: 'return_unallocated', kobo: BACK_KOBO }]);
  });
});

describe('a correction of a wallet', () => {
  const adjust = (walletId: string, direction: 'credit' | 'debit', kobo: number, findingId?: string) =>
    ada.post(`/ops/live/partners/${live.id}/adjustments`, {
      wallet_id: walletId,
      direction,
      amount_kobo: kobo,
      reason: 'A mistake',
      ...(findingId !== undefined && { finding_id: findingId }),
    });
  const approveByTwo = async (proposed: Awaited<ReturnType<typeof adjust>>) => {
    const chidi = await api.operator();
    await approvedBy(proposed, bola);
    return approvedBy(proposed, chidi);
  };

  test('that names no finding leaves one of its own, which another correction ends in parts', async () => {
    const walletId = await live.wallet();
    const credited = await adjust(walletId, 'credit', 7_000);
    expect(await approveByTwo(credited)).toMatchObject({ status: 200 });
    const resource = credited.body.data.id as string;
    const found = await findingOf('live', resource);
    expect(found).toMatchObject({ class: 'adjustment_unexplained', account: '2900', kobo: -7_000 });
    const findingId = found!['id'] as string;
    expect(await adjust(walletId, 'credit', 1_000, findingId)).toMatchObject({ status: 422 });
    expect(await adjust(walletId, 'debit', 7_001, findingId)).toMatchObject({ status: 422 });
    const late = await adjust(walletId, 'debit', 7_000, findingId);
    await approveByTwo(await adjust(walletId, 'debit', 2_000, findingId));
    expect(await findingOf('live', resource)).toMatchObject({ kobo: -5_000, closed: false });
    // Less is left than was seen when it was proposed.
    expect(await approveByTwo(late)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
    await approveByTwo(await adjust(walletId, 'debit', 5_000, findingId));
    expect(await findingOf('live', resource)).toMatchObject({ kobo: 0, closed: true });
    expect(await live.balanceKobo(walletId)).toBe(0);
  });

  test('that stays with its wallet is written off by three people', async () => {
    const walletId = await live.wallet();
    const credited = await adjust(walletId, 'credit', 4_000);
    await approveByTwo(credited);
    const resource = credited.body.data.id as string;
    const { id: findingId } = (await findingOf('live', resource))!;
    const proposed = await ada.post(`/ops/live/findings/${String(findingId)}/write-off`, EVIDENCE);
    expect(proposed).toMatchObject({
      status: 202,
      body: {
        data: { kind: 'write_off', partner_id: null, approvals_needed: 2, terms: { amount_kobo: 4_000 } },
      },
    });
    expect(await approveByTwo(proposed)).toMatchObject({
      status: 200,
      body: { data: { status: 'applied' } },
    });
    expect(await findingOf('live', resource)).toMatchObject({ kobo: 0, closed: true });
    expect(await live.balanceKobo(walletId)).toBe(4_000);
  });

  test('that takes from a wallet without a reason leaves a credit, which nobody writes off', async () => {
    const walletId = await live.wallet({ fundKobo: 9_000 });
    const debited = await adjust(walletId, 'debit', 9_000);
    await approveByTwo(debited);
    const found = await findingOf('live', debited.body.data.id as string);
    expect(found).toMatchObject({ class: 'adjustment_unexplained', account: '1900', kobo: 9_000 });
    expect(await ada.post(`/ops/live/findings/${String(found!['id'])}/write-off`, EVIDENCE)).toMatchObject({
      status: 422,
    });
    await approveByTwo(await adjust(walletId, 'credit', 9_000, found!['id'] as string));
    expect(await live.balanceKobo(walletId)).toBe(9_000);
  });
});
