/**
 * Damage of the books is made good by two people at the command line, without a statement by hand; and while it is open, no
 * money of the wallet leaves.
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { newId } from '../../src/db/pg/ids';
import { sampleCell } from '../../src/db/upkeep/samples';
import { systemAccountId } from '../../src/domain/accounts';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';
import { runTyping, type Told } from '../support/commands';
import { saying, withFake } from '../support/fakes';
import { bankTransfer, funding, p2p, transactionIdOf } from '../support/movements';
import { pastChecks } from '../support/past-checks';
import { TEST_SECRETS } from '../support/settings';
import { LIVE_CELL, SANDBOX_CELL } from '../setup/cells';

const partnerId = newId();
let cell: TestCell;
let activities: TestActivities;
let ids: Record<'ada' | 'bola' | 'funding' | 'first' | 'second', string>;
/** The tokens of an operator, and of a viewer. */
let tokens: Record<'operator' | 'viewer', string>;
/** The references of the orders that the company got. */
let ordered: string[];

beforeEach(async () => {
  cell = await openTestCell();
  await insertPartner(
    cell.owner,
    { id: partnerId, businessName: 'Acme', email: 'a@a.example', status: 'registered' },
    { sandbox: SANDBOX_CELL, live: LIVE_CELL },
  );
  ordered = [];
  activities = openActivities(cell.url, { RECONCILE_AFTER_MS: '0' }, (environment) =>
    withFake(environment, () => ({
      name: 'first',
      payouts: {
        submit: ({ reference }) => Promise.resolve(saying('accepted', (ordered.push(reference), {}))),
        query: () => Promise.resolve(saying('pending')),
      },
    })),
  );
  const writer = cell.openWriter();
  const [ada, bola] = [await cell.wallet({ partnerId }), await cell.wallet({ partnerId })];
  const post = async (movement: Parameters<typeof writer.post>[0]) =>
    transactionIdOf(await writer.post(movement));
  ids = {
    ada,
    bola,
    funding: await post(funding({ partnerId, to: ada, amountKobo: 1_000_000 })),
    first: await post(p2p({ partnerId, from: ada, to: bola, amountKobo: 10_000 })),
    second: await post(p2p({ partnerId, from: ada, to: bola, amountKobo: 20_000 })),
  };
  const tokenOf = async (...words: string[]) =>
    /^token +(\S+)/m.exec((await command('keys', '', 'operator', 'create', ...words)).said)?.[1] ?? '';
  tokens = { operator: await tokenOf('Ada Obi'), viewer: await tokenOf('Vera', '--role', 'viewer') };
});
afterEach(async () => {
  await activities.close();
  await cell.close();
});

const command = (program: string, typed: string, ...words: string[]): Promise<Told> =>
  runTyping(typed, { ...TEST_SECRETS, DATABASE_URL: cell.url }, program, ...words);
const seed = (...statements: string[]) => pastChecks(cell.owner, statements);
const reconcile = () => activities.run('reconcileCell', SANDBOX_CELL, true);
const findings = async () =>
  (
    await cell.sql(
      `SELECT class FROM ${SANDBOX_CELL}.recon_findings WHERE closed_at IS NULL ORDER BY class, resource`,
    )
  ).map((row) => row['class'] as string);
const findingOf = async (of: string): Promise<string> =>
  (
    await cell.sql(
      `SELECT id FROM ${SANDBOX_CELL}.recon_findings WHERE closed_at IS NULL AND class = $1 ORDER BY resource LIMIT 1`,
      [of],
    )
  )[0]?.['id'];
const balances = () => Promise.all([ids.ada, ids.bola].map((id) => cell.balanceKobo(id)));
const WHY = ['--env', 'sandbox', '--note', 'Ticket 17', '--evidence', 'case-17'];

async function propose(of: string, by = 'Tunde'): Promise<string> {
  const told = await command('repair', '', 'propose', '--finding', await findingOf(of), '--by', by, ...WHY);
  expect(told).toMatchObject({ code: 0, complaint: '' });
  return /^proposal (\S+)$/m.exec(told.said)?.[1] ?? '';
}
const approve = (id: string, token = tokens.operator) =>
  command('repair', token, 'approve', id, '--env', 'sandbox');

/** Repairs whatever is open, class by class, and looks again after each. */
async function repairAll(): Promise<void> {
  for (let left = await findings(); left.length > 0; left = await findings()) {
    const [of = ''] = left.filter((one) => one !== 'ledger_unbalanced');
    if (of === '') return;
    expect(await approve(await propose(of))).toMatchObject({ code: 0, complaint: '' });
  }
}

const edit = (what: string, of: 'funding' | 'first' | 'second', account: string) =>
  `UPDATE entries SET ${what} WHERE transaction_id = '${ids[of]}' AND account = '${account}'`;
const FEES = systemAccountId('4100');

const DAMAGE: [how: string, damage: () => string[], found: string[], differenceKobo: number][] = [
  [
    'an entry of our own was raised',
    () => [edit('amount_kobo = amount_kobo + 7', 'first', FEES)],
    ['ledger_unbalanced', 'transaction_unbalanced'],
    -7,
  ],
  [
    'the amount of an entry of a wallet was raised',
    () => [edit('amount_kobo = amount_kobo + 7', 'first', ids.bola)],
    ['chain_broken', 'ledger_unbalanced', 'transaction_unbalanced'],
    0,
  ],
  [
    'the balance after an entry was raised',
    () => [edit('balance_after_kobo = balance_after_kobo + 7', 'first', ids.bola)],
    ['chain_broken', 'chain_broken'],
    0,
  ],
  [
    'an entry was removed',
    () => [`DELETE FROM entries WHERE transaction_id = '${ids.first}' AND account = '${ids.bola}'`],
    ['chain_broken', 'ledger_unbalanced', 'transaction_unbalanced'],
    0,
  ],
  [
    'money was made: an entry was raised with all balances that follow',
    () => [
      edit('amount_kobo = amount_kobo + 7, balance_after_kobo = balance_after_kobo + 7', 'second', ids.bola),
      `UPDATE accounts SET balance_kobo = balance_kobo + 7 WHERE id = '${ids.bola}'`,
    ],
    ['ledger_unbalanced', 'transaction_unbalanced'],
    -7,
  ],
];

test.each(DAMAGE)(
  '%s: a balancing entry ends all findings, and no balance changes',
  async (_how, damage, found, differenceKobo) => {
    await seed(...damage());
    const before = await balances();
    const whole = async () =>
      Number((await cell.sql(`SELECT sum(amount_kobo) FROM ${SANDBOX_CELL}.entries`))[0]!['sum']);
    const measured = async () => (await sampleCell(cell.cell)).imbalanceKobo;
    expect(await measured()).toBe(await whole());
    await reconcile();
    expect(await findings()).toEqual(found);
    // It is the sum of the cell, and not that of the last minute: the damage is older than the last round.
    expect(await measured()).toBe(await whole());
    await repairAll();
    expect(await measured()).toBe(0);
    await reconcile();
    expect(await measured()).toBe(0);
    expect(await findings()).toEqual([]);
    expect(await balances()).toEqual(before);
    const sums = await cell.sql(
      `SELECT sum(amount_kobo) AS whole, sum(amount_kobo) FILTER (WHERE account = $1) AS ada,
              sum(amount_kobo) FILTER (WHERE account = $2) AS bola,
              coalesce(sum(amount_kobo) FILTER (WHERE account = $3), 0) AS left FROM ${SANDBOX_CELL}.entries`,
      [ids.ada, ids.bola, systemAccountId('5900')],
    );
    expect(Object.values(sums[0]!).map(Number)).toEqual([0, ...before, differenceKobo]);
    // The wallets go on as if nothing had been.
    await cell.openWriter().post(p2p({ partnerId, from: ids.bola, to: ids.ada, amountKobo: 1_000 }));
    await reconcile();
    expect(await findings()).toEqual([]);
  },
);

test('the row of a wallet that says something else than its entries and holds is set to what they say', async () => {
  const [ada = 0, bola] = await balances();
  await seed(`UPDATE accounts SET balance_kobo = balance_kobo + 7, held_kobo = 5 WHERE id = '${ids.ada}'`);
  await reconcile();
  expect(await findings()).toEqual(['balance_mismatch', 'held_mismatch']);
  await repairAll();
  await reconcile();
  expect(await findings()).toEqual([]);
  expect(await balances()).toEqual([ada, bola]);
});

test('the finding about a whole cell is ended by repairing each of its transactions', async () => {
  for (const one of ['first', 'second'] as const) {
    await seed(edit('amount_kobo = amount_kobo + 7', one, FEES));
  }
  await reconcile();
  await approve(await propose('ledger_unbalanced'));
  await reconcile();
  expect(await findings()).toEqual([]);
});

test('it takes two people, and leaves sealed rows of both', async () => {
  await seed(edit('amount_kobo = amount_kobo + 7', 'first', FEES));
  await reconcile();
  const own = await propose('transaction_unbalanced', 'ada obi');
  expect(await approve(own)).toMatchObject({ code: 1, complaint: expect.stringContaining('cannot approve') });
  const id = await propose('transaction_unbalanced');
  for (const token of [tokens.viewer, `${tokens.operator}x`, '']) {
    expect(await approve(id, token)).toMatchObject({
      code: 1,
      complaint: expect.stringContaining('no token'),
    });
  }
  expect(await findings()).toContain('transaction_unbalanced');
  expect(await approve(id)).toMatchObject({ code: 0 });
  expect(await approve(id)).toMatchObject({
    code: 0,
    said: expect.stringContaining('Nothing was done again'),
  });
  // The other proposal was about a damage that is gone.
  expect(await approve(own)).toMatchObject({ code: 1 });
  expect(
    await cell.sql(
      `SELECT count(*)::int AS n FROM ${SANDBOX_CELL}.transactions WHERE type = 'balancing_entry'`,
    ),
  ).toEqual([{ n: 1 }]);
  const trail = await cell.sql(
    `SELECT operator_name AS who, action, phase FROM platform.audit WHERE action LIKE '%Repair' ORDER BY sequence`,
  );
  const rows = trail.map(({ who, action, phase }) => `${who} ${action} ${phase}`);
  expect(rows.slice(0, 2)).toEqual(['administrator proposeRepair asked', 'administrator proposeRepair done']);
  expect(rows).toContain('Ada Obi approveRepair done');
  expect((await command('audit', '', 'verify')).said).toMatch(/^whole: /);
});

test('a proposal about a damage that is another one by now, or that is a day old, books nothing', async () => {
  await seed(edit('amount_kobo = amount_kobo + 7', 'first', FEES));
  await reconcile();
  const id = await propose('transaction_unbalanced');
  await seed(edit('amount_kobo = amount_kobo + 1', 'first', FEES));
  expect(await approve(id)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('another one by now'),
  });
  const old = await propose('transaction_unbalanced');
  await seed(`UPDATE repairs SET proposed_at = now() - interval '25 hours' WHERE proposal_id = '${old}'`);
  expect(await approve(old)).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('older than a day'),
  });
  expect(await findings()).toContain('transaction_unbalanced');
});

test('Postgres takes an entry that does not balance from nobody else, and no other amount', async () => {
  const repairId = newId();
  const entry = (kobo: number, id: string) =>
    cell.cell.pool
      .query(
        `WITH made AS (INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo,
             customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
           VALUES ($1, $2, $5, 'balancing_entry', 'completed', 7, 0, 0, 0, 7, now(), now(), now()))
         INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, created_at)
         VALUES ($1, 'accept', $3, $1, $4, now())`,
        [id, partnerId, FEES, kobo, `repair_${id}`],
      )
      .then(
        () => 'taken',
        (error: unknown) => (error as { code: string }).code,
      );
  await seed(edit('amount_kobo = amount_kobo + 7', 'first', FEES));
  expect(await entry(-7, newId())).toBe('23514');
  await reconcile();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.repairs (id, proposal_id, finding_id, partner_id, kind, resource, step, terms, note,
       evidence_ref, proposed_by, approved_by, approved_at)
     SELECT $1, $1, id, $2, 'step', $3, 'accept', '{}', '', '', 'a', 'b', now() FROM ${SANDBOX_CELL}.recon_findings LIMIT 1`,
    [repairId, partnerId, ids.first],
  );
  for (const kobo of [7, -6, -8]) expect(await entry(kobo, repairId)).toBe('23514');
  expect(await entry(-7, repairId)).toBe('taken');
  await expect(
    cell.cell.pool.query(`INSERT INTO ${SANDBOX_CELL}.repairs SELECT * FROM ${SANDBOX_CELL}.repairs`),
  ).rejects.toMatchObject({ code: '42501' });
});

test('while the books of a wallet are damaged its payout is accepted, is not sent, is not given back, and then goes on', async () => {
  const writer = cell.openWriter();
  const send = async (from: string): Promise<string> =>
    transactionIdOf(await writer.post(bankTransfer({ partnerId, from, amountKobo: 5_000 })));
  const step = (transactionId: string) =>
    activities.run('submitTransfer', { partnerId, transactionId, epoch: 0 }, 0);
  await seed(edit('amount_kobo = amount_kobo + 7', 'first', ids.bola));
  await reconcile();
  const carol = await cell.wallet({ partnerId, fundKobo: 50_000 });
  const [waiting, free] = [await send(ids.bola), await send(carol)];
  // It is older than the time at which a transfer that nobody takes is given back.
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.transactions SET created_at = now() - interval '5 hours' WHERE id = $1`,
    [waiting],
  );
  expect(await step(waiting)).toMatchObject({ ended: null, next: 'submit', needsAttention: true });
  await step(free);
  expect(ordered).toEqual([expect.stringContaining(free)]);
  await repairAll();
  await step(waiting);
  expect(ordered).toEqual([expect.stringContaining(free), expect.stringContaining(waiting)]);
});
