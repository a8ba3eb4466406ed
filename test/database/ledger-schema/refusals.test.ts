/** What Postgres itself refuses, both to the application's role and to the owner of the tables. */
import { newId } from '../../../src/db/pg/ids';
import { HAND_ORDERS } from '../../../src/domain/hand-orders';
import { openTestCell, type TestCell } from '../../support/cell';
import { openEndpoint } from '../../support/endpoints';
import { bankTransfer, p2p, settlement, transactionIdOf } from '../../support/movements';
import { pastChecks } from '../../support/past-checks';
import { LIVE_CELL, SANDBOX_CELL } from '../../setup/cells';

let cell: TestCell;
let wallet: string;
let posted: string;
let failedTransfer: string;
const partnerId = newId();
const REFERENCE = 'order-1';

beforeAll(async () => {
  cell = await openTestCell();
  const writer = cell.openWriter();
  wallet = await cell.wallet({ partnerId, fundKobo: 1_000_000 });
  const to = await cell.wallet({ partnerId });
  posted = transactionIdOf(
    await writer.post(p2p({ partnerId, from: wallet, to, amountKobo: 5_000, reference: REFERENCE })),
  );
  const transfer = await writer.post(bankTransfer({ partnerId, from: wallet, amountKobo: 5_000 }));
  failedTransfer = transactionIdOf(transfer);
  await writer.post(settlement({ partnerId, transactionId: failedTransfer, from: wallet, to: 'failed' }));
});
afterAll(() => cell.close());

type Role = 'application' | 'owner';
const ROLES: Role[] = ['application', 'owner'];

/** Runs a statement under a role and rolls it back. @returns its SQLSTATE, or `done`. */
async function run(role: Role, text: string, values: unknown[] = []): Promise<string> {
  const client = await (role === 'owner' ? cell.owner : cell.cell.pool).connect();
  try {
    await client.query('BEGIN');
    await client.query(text, values);
    return 'done';
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

/** Fundings of 100 kobo: their ids are $1, their partner is $2, their wallet $3. */
const OPEN = `INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
    customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
  SELECT id, $2, 'test', 'wallet_funding', 'completed', 100, $3, 0, 0, 0, 100, now(), now(), now()
    FROM unnest($1::uuid[]) AS id`;

/** A new transaction of 100 kobo for every set of `postings`, and all their entries in one INSERT. */
async function enter(role: Role, ...sets: number[][]): Promise<string> {
  const transactions = sets.map((amounts) => ({ id: newId(), amounts }));
  const rows = transactions.flatMap(({ id, amounts }) => amounts.map((amount) => ({ id, amount })));
  return run(
    role,
    `WITH opened AS (${OPEN})
     INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, created_at)
     SELECT id, 'accept', gen_random_uuid(), gen_random_uuid(), amount, now()
       FROM unnest($4::uuid[], $5::bigint[]) AS v(id, amount)`,
    [
      transactions.map(({ id }) => id),
      partnerId,
      wallet,
      rows.map(({ id }) => id),
      rows.map(({ amount }) => amount),
    ],
  );
}

describe.each(ROLES)('the entries of a transaction, written by the %s', (role) => {
  test.each([
    ['that sum to zero are taken', [[-100, 100]], 'done'],
    ['of three postings that sum to zero are taken', [[-100, 95, 5]], 'done'],
    [
      'of several transactions that each sum to zero are taken',
      [
        [-100, 100],
        [-7, 7],
      ],
      'done',
    ],
    ['that sum to one kobo are refused', [[-100, 101]], '23514'],
    ['with one side only are refused', [[100]], '23514'],
    [
      'are refused when one of several transactions in the INSERT does not balance',
      [
        [-100, 100],
        [-100, 99],
      ],
      '23514',
    ],
    [
      'are refused when only all transactions together sum to zero',
      [
        [-100, 50],
        [100, -50],
      ],
      '23514',
    ],
    ['of zero are refused', [[0]], '23514'],
  ])('%s', async (_, sets, expected) => {
    expect(await enter(role, ...sets)).toBe(expected);
  });
});

describe('entries are final', () => {
  test.each([
    ['changed', `UPDATE ${SANDBOX_CELL}.entries SET amount_kobo = amount_kobo + 1`],
    ['changed, where no row is meant', `UPDATE ${SANDBOX_CELL}.entries SET id = id WHERE false`],
    ['deleted', `DELETE FROM ${SANDBOX_CELL}.entries`],
    ['truncated', `TRUNCATE ${SANDBOX_CELL}.entries`],
    ['truncated with their transactions', `TRUNCATE ${SANDBOX_CELL}.transactions CASCADE`],
  ])('they are not %s: no privilege for the application, a trigger for the owner', async (_, statement) => {
    expect(await run('application', statement)).toBe('42501');
    expect(await run('owner', statement)).toBe('23001');
  });

  test('a transaction that has entries cannot be deleted', async () => {
    const statement = `DELETE FROM ${SANDBOX_CELL}.transactions WHERE id = $1`;
    expect(await run('application', statement, [posted])).toBe('42501');
    expect(await run('owner', statement, [posted])).toBe('23503');
  });
});

/**
 * Runs statements in one transaction and looks at it as its commit does. @returns the SQLSTATE, or `done`. Nothing stays.
 */
const atCommit = (role: Role, ...statements: string[]): Promise<string> =>
  run(role, [...statements, 'SET CONSTRAINTS ALL IMMEDIATE'].join('; '));

/** A funding of the wallet by 100 kobo, whose entry has the next running number. */
const funded = (after = 'balance_kobo + 100', next = 'sequence + 1'): string => `
  WITH opened AS (
    INSERT INTO ${SANDBOX_CELL}.transactions (id, partner_id, reference, type, status, amount_kobo, dest_wallet,
      customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at)
    VALUES ('${FUNDING}', '${partnerId}', 'test', 'wallet_funding', 'completed', 100, '${wallet}', 0, 0, 0, 100, now(), now(), now()))
  INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
  SELECT '${FUNDING}', 'accept', v.account, gen_random_uuid(), v.amount, v.sequence, v.after, now()
    FROM ${SANDBOX_CELL}.accounts a, LATERAL (VALUES (a.id, 100, ${next}, ${after}), (gen_random_uuid(), -100, NULL, NULL))
      AS v(account, amount, sequence, after) WHERE a.id = '${wallet}'`;
const FUNDING = newId();
const SET = (values: string) => `UPDATE ${SANDBOX_CELL}.accounts SET ${values} WHERE id = '${wallet}'`;
const FOLLOW = () => SET('balance_kobo = balance_kobo + 100, sequence = sequence + 1');

describe.each(ROLES)(
  'a balance is the one after the newest entry at every commit; written by the %s',
  (role) => {
    test.each<[string, () => string[], string]>([
      ['an entry whose account follows', () => [funded(), FOLLOW()], 'done'],
      ['an account that its entry follows', () => [FOLLOW(), funded('balance_kobo', 'sequence')], 'done'],
      ['a freeze', () => [SET(`status = 'frozen'`)], 'done'],
      ['an entry alone', () => [funded()], '23514'],
      ['an entry with another balance', () => [funded('balance_kobo + 99'), FOLLOW()], '23514'],
      [
        'an account that follows by one kobo too much',
        () => [funded(), FOLLOW(), SET('balance_kobo = balance_kobo + 1')],
        '23514',
      ],
      [
        'an account that is back at an older entry',
        () => [
          `UPDATE ${SANDBOX_CELL}.accounts a SET balance_kobo = e.balance_after_kobo, sequence = e.sequence
         FROM ${SANDBOX_CELL}.entries e WHERE a.id = '${wallet}' AND e.account = a.id AND e.sequence = 1`,
        ],
        '23514',
      ],
      [
        'an account that is emptied with its running number',
        () => [SET('balance_kobo = 0, sequence = 0')],
        '23514',
      ],
      ['a kobo more', () => [SET('balance_kobo = balance_kobo + 1')], '23514'],
      ['a kobo less', () => [SET('balance_kobo = balance_kobo - 1')], '23514'],
      ['a running number more', () => [SET('sequence = sequence + 1')], '23514'],
      [
        'a kobo more for a while',
        () => [SET('balance_kobo = balance_kobo + 1'), SET('balance_kobo = balance_kobo - 1')],
        'done',
      ],
      [
        'a new account with money',
        () => [
          `INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status, balance_kobo) VALUES ('${newId()}', '${partnerId}', 'active', 1)`,
        ],
        '23514',
      ],
      [
        'a new account with a running number',
        () => [
          `INSERT INTO ${SANDBOX_CELL}.accounts (id, partner_id, status, sequence) VALUES ('${newId()}', '${partnerId}', 'active', 1)`,
        ],
        '23514',
      ],
      [
        'a numbered entry of an account that is not there',
        () => [
          funded().replace('gen_random_uuid(), -100, NULL, NULL', 'gen_random_uuid(), -100, 1, 0'),
          FOLLOW(),
        ],
        '23503',
      ],
    ])('%s', async (_, statements, state) => {
      expect(await atCommit(role, ...statements())).toBe(state);
    });

    test('is looked at again by the commit itself', async () => {
      const client = await (role === 'owner' ? cell.owner : cell.cell.pool).connect();
      try {
        await client.query('BEGIN');
        await client.query(SET('balance_kobo = balance_kobo + 1'));
        await expect(client.query('COMMIT')).rejects.toMatchObject({ code: '23514' });
      } finally {
        client.release();
      }
    });
  },
);

test('an account that was damaged past all checks can be frozen, and repaired, and not damaged further', async () => {
  const damaged = await cell.wallet({ partnerId, fundKobo: 100 });
  const set = (values: string) => `UPDATE ${SANDBOX_CELL}.accounts SET ${values} WHERE id = '${damaged}'`;
  await pastChecks(cell.owner, [set('balance_kobo = 107')]);
  expect(await atCommit('owner', set(`status = 'frozen'`))).toBe('done');
  expect(await atCommit('owner', set('balance_kobo = 108'))).toBe('23514');
  expect(await atCommit('owner', set('balance_kobo = 100'))).toBe('done');
  await pastChecks(cell.owner, [set('balance_kobo = 100')]);
});

describe('what a transaction moves never changes: no right of the application, a trigger for the owner', () => {
  test.each([
    ['its amount', 'amount_kobo = amount_kobo + 1'],
    ['what is left of it', 'net_amount_kobo = net_amount_kobo + 1'],
    ['the fee of the payer', 'customer_fee_kobo = customer_fee_kobo + 1'],
    ['the fee of the payee', 'merchant_fee_kobo = merchant_fee_kobo + 1'],
    ['the cost of the bank', 'mfb_cost_kobo = mfb_cost_kobo + 1'],
    ['its source', 'source_wallet = gen_random_uuid()'],
    ['its destination', 'dest_wallet = gen_random_uuid()'],
    ['its type', `type = 'wallet_debit'`],
    ['its reference', `reference = 'another'`],
    ['its partner', 'partner_id = gen_random_uuid()'],
    ['its id', 'id = gen_random_uuid()'],
  ])('%s', async (_, values) => {
    const statement = `UPDATE ${SANDBOX_CELL}.transactions SET ${values} WHERE id = $1`;
    expect(await run('application', statement, [posted])).toBe('42501');
    expect(await run('owner', statement, [posted])).toBe('23001');
  });

  test('what it has become and what is told of it may change', async () => {
    const statement = `UPDATE ${SANDBOX_CELL}.transactions SET description = '', updated_at = now() WHERE id = $1`;
    expect(await run('application', statement, [posted])).toBe('done');
    expect(await run('owner', statement, [posted])).toBe('done');
  });
});

describe.each(ROLES)('a transaction, written by the %s', (role) => {
  test('of a wallet that is there is taken', async () => {
    expect(await run(role, OPEN, [[newId()], partnerId, wallet])).toBe('done');
  });

  test('of a wallet in a table `accounts` of whoever writes, which is found first, is refused', async () => {
    const client = await cell.owner.connect();
    const strange = newId();
    try {
      await client.query(
        `BEGIN; CREATE TEMPORARY TABLE accounts (LIKE ${SANDBOX_CELL}.accounts INCLUDING DEFAULTS)`,
      );
      await client.query(
        `INSERT INTO pg_temp.accounts (id, partner_id, status, balance_kobo, in_flight_kobo, held_kobo, sequence,
           updated_at)
         VALUES ($1, $2, 'active', 0, 0, 0, 0, now())`,
        [strange, partnerId],
      );
      await client.query('SET LOCAL search_path = pg_temp');
      const opening = client.query(OPEN, [[newId()], partnerId, strange]);
      await expect(opening).rejects.toMatchObject({ code: '23503' });
    } finally {
      await client.query('ROLLBACK');
      client.release();
    }
  });

  test('of a wallet that is not there is refused', async () => {
    expect(await run(role, OPEN, [[newId()], partnerId, newId()])).toBe('23503');
  });

  test('is refused while its partner is being reset, and no other partner is', async () => {
    const resetting = newId();
    await cell.sql(`SELECT ${SANDBOX_CELL}.begin_reset($1, gen_random_uuid())`, [resetting]);

    expect(await run(role, OPEN, [[newId()], resetting, wallet])).toBe('40001');
    expect(await run(role, OPEN, [[newId()], partnerId, wallet])).toBe('done');
  });
});

describe.each(ROLES)('what exists once, written by the %s', (role) => {
  test('a second reversal of one original is refused', async () => {
    const statement = `INSERT INTO ${SANDBOX_CELL}.reversals (original_id, reversal_id) VALUES ($1, $2)`;
    expect(await run(role, statement, [failedTransfer, posted])).toBe('23505');
  });

  test('a reversal of two originals is refused', async () => {
    const statement = `INSERT INTO ${SANDBOX_CELL}.reversals (original_id, reversal_id)
      SELECT $2, reversal_id FROM ${SANDBOX_CELL}.reversals WHERE original_id = $1`;
    expect(await run(role, statement, [failedTransfer, posted])).toBe('23505');
  });

  test('a second use of a reference is refused', async () => {
    const statement = `INSERT INTO ${SANDBOX_CELL}.used_references (partner_id, reference, resource_id, terms)
      VALUES ($1, $2, $3, '')`;
    expect(await run(role, statement, [partnerId, REFERENCE, newId()])).toBe('23505');
    expect(await run(role, statement, [newId(), REFERENCE, newId()])).toBe('done');
  });

  test('a second set of entries for a step that was taken is refused', async () => {
    const statement = `INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, created_at)
      SELECT transaction_id, step, account, gen_random_uuid(), amount_kobo, now()
        FROM ${SANDBOX_CELL}.entries WHERE transaction_id = $1`;
    expect(await run(role, statement, [posted])).toBe('23505');
  });

  test('a second entry with one running number of a wallet is refused', async () => {
    const statement = `INSERT INTO ${SANDBOX_CELL}.entries
        (transaction_id, step, account, id, amount_kobo, sequence, balance_after_kobo, created_at)
      SELECT $1, 'settle', v.account, gen_random_uuid(), v.amount, v.sequence, v.after, now()
        FROM (VALUES ($2::uuid, 5, 1, 5), (gen_random_uuid(), -5, NULL, NULL))
          AS v(account, amount, sequence, after)`;
    expect(await run(role, statement, [posted, wallet])).toBe('23505');
  });
});

/** A second row like each transaction with two wallets, but for one column. */
const ANOTHER = (changed: Record<string, string>): string => {
  const columns =
    'partner_id, reference, type, status, amount_kobo, source_wallet, dest_wallet, customer_fee_kobo, merchant_fee_kobo, mfb_cost_kobo, net_amount_kobo, created_at, updated_at, completed_at';
  const values = columns.split(', ').map((column) => changed[column] ?? column);
  return `INSERT INTO ${SANDBOX_CELL}.transactions (id, ${columns})
    SELECT gen_random_uuid(), ${values.join(', ')} FROM ${SANDBOX_CELL}.transactions WHERE type = 'p2p_transfer'`;
};

describe.each(ROLES)('what a row may hold, written by the %s', (role) => {
  test.each([
    ['a balance below zero', `UPDATE ${SANDBOX_CELL}.accounts SET balance_kobo = -1`],
    [
      'a balance beyond the largest integer',
      `UPDATE ${SANDBOX_CELL}.accounts SET balance_kobo = 9007199254740992`,
    ],
    ['money in flight below zero', `UPDATE ${SANDBOX_CELL}.accounts SET in_flight_kobo = -1`],
    [
      'a balance that money in flight would lift beyond the largest integer',
      `UPDATE ${SANDBOX_CELL}.accounts SET balance_kobo = 9007199254740991, in_flight_kobo = 1`,
    ],
    ['an unknown wallet status', `UPDATE ${SANDBOX_CELL}.accounts SET status = 'blocked'`],
    ['an unknown freezer', `UPDATE ${SANDBOX_CELL}.accounts SET frozen_by = 'bank'`],
    ['an unknown transaction status', `UPDATE ${SANDBOX_CELL}.transactions SET status = 'done'`],
    ['an unknown transaction type', ANOTHER({ type: `'gift'` })],
    ['an amount of zero', ANOTHER({ amount_kobo: '0' })],
    ['a fee below zero', ANOTHER({ customer_fee_kobo: '-1' })],
    [
      'an unknown step',
      `INSERT INTO ${SANDBOX_CELL}.entries (transaction_id, step, account, id, amount_kobo, created_at)
       SELECT id, 'undo', id, id, 1, now() FROM ${SANDBOX_CELL}.transactions`,
    ],
    ['a transfer from a wallet to itself', ANOTHER({ dest_wallet: 'source_wallet' })],
    ['a completion without its time', `UPDATE ${SANDBOX_CELL}.transactions SET completed_at = NULL`],
    ['another currency than NGN', `UPDATE ${SANDBOX_CELL}.wallets SET currency = 'USD'`],
    ['an account number that is not ten digits', `UPDATE ${SANDBOX_CELL}.wallets SET account_number = '123'`],
    ['half of an issued account', `UPDATE ${SANDBOX_CELL}.wallets SET bank_name = 'Wema Bank'`],
    [
      'the name of an account that is not there',
      `UPDATE ${SANDBOX_CELL}.wallets SET account_name_sealed = 'v2'`,
    ],
    [
      'a kept answer of no resource',
      `INSERT INTO ${SANDBOX_CELL}.idempotency_keys (partner_id, operation, key, fingerprint, status, body_sealed, created_at)
       VALUES (gen_random_uuid(), 'o', 'k', 'f', 200, 'v2', now())`,
    ],
  ])('%s is refused', async (_, statement) => {
    expect(await run(role, statement)).toBe('23514');
  });
});

describe('an event', () => {
  test('never changes its payload: no privilege for the application, a trigger for the owner', async () => {
    expect(await cell.sql(`SELECT FROM ${SANDBOX_CELL}.events`)).not.toEqual([]);
    const statement = `UPDATE ${SANDBOX_CELL}.events SET data = '{}'`;
    expect(await run('application', statement)).toBe('42501');
    expect(await run('owner', statement)).toBe('23001');
  });

  test('is not truncated', async () => {
    const statement = `TRUNCATE ${SANDBOX_CELL}.events`;
    expect(await run('application', statement)).toBe('42501');
    expect(await run('owner', statement)).toBe('23001');
  });

  test('is not deleted while a delivery of it is kept', async () => {
    const endpointId = await openEndpoint(cell.cell, partnerId, ['transaction.completed']);
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name)
       SELECT $1, id, kind FROM ${SANDBOX_CELL}.events`,
      [endpointId],
    );
    expect(await run('application', `DELETE FROM ${SANDBOX_CELL}.events`)).toBe('23503');
  });
});

describe.each(ROLES)('a delivery, written by the %s', (role) => {
  const DELIVER = `INSERT INTO ${SANDBOX_CELL}.deliveries (endpoint_id, event_id, event_name)
    VALUES ($1, $2, 'transaction.completed')`;
  let endpointId: string;
  let eventId: string;

  beforeAll(async () => {
    endpointId = await openEndpoint(cell.cell, newId(), ['kyc.verified']);
    const [event] = await cell.sql(`SELECT id FROM ${SANDBOX_CELL}.events LIMIT 1`);
    eventId = event!['id'] as string;
  });

  test('of an event that is there, to an endpoint that is there, is taken', async () => {
    expect(await run(role, DELIVER, [endpointId, eventId])).toBe('done');
  });

  test('of an event that is not there is refused', async () => {
    expect(await run(role, DELIVER, [endpointId, newId()])).toBe('23503');
  });

  test('to an endpoint that is not there is refused', async () => {
    expect(await run(role, DELIVER, [newId(), eventId])).toBe('23503');
  });
});

test.each([
  [SANDBOX_CELL, `'fail:57'`, 'done'],
  [SANDBOX_CELL, `'anything'' else'`, '23514'],
  [LIVE_CELL, `'fail:57'`, '23514'],
  [LIVE_CELL, 'NULL', 'done'],
])('what is rehearsed in %s, %s: %s', async (schema, value, taken) => {
  expect(await run('owner', `SELECT ${value}::${schema}.rehearsed`)).toBe(taken);
});

describe('an order by hand', () => {
  const give = async (kind: string, verdict: string): Promise<string> =>
    run(
      'owner',
      `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES ($1, $2, $3, $4, $5, 'sandbox')`,
      [newId(), partnerId, kind, newId(), verdict],
    );
  const KINDS = Object.entries(HAND_ORDERS);
  const VERDICTS = [...new Set(KINDS.flatMap(([, { verdicts }]) => [...verdicts]))];

  test.each(
    KINDS.flatMap(([kind, row]) => VERDICTS.map((verdict) => [kind, verdict, row.verdicts] as const)),
  )(
    'of kind %s with verdict %s is taken only if the table of the domain has it',
    async (kind, verdict, verdicts: readonly string[]) => {
      expect(await give(kind, verdict)).toBe(verdicts.includes(verdict) ? 'done' : '23514');
    },
  );

  test('is used up once, and nothing else of it changes', async () => {
    const id = newId();
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES ($1, $2, 'settle_transfer', $3, 'completed', 'sandbox')`,
      [id, partnerId, newId()],
    );
    const of = `WHERE id = '${id}'`;
    const otherVerdict = `UPDATE ${SANDBOX_CELL}.hand_orders SET verdict = 'failed', used_at = now() ${of}`;
    const use = `UPDATE ${SANDBOX_CELL}.hand_orders SET used_at = now() ${of}`;
    expect(await run('application', otherVerdict)).toBe('42501');
    expect(await run('owner', otherVerdict)).toBe('23001');
    expect(await run('application', use)).toBe('done');
    await cell.sql(use);
    expect(await run('application', use)).toBe('23001');
    expect(await run('owner', `UPDATE ${SANDBOX_CELL}.hand_orders SET used_at = NULL ${of}`)).toBe('23001');
    expect(await run('application', `DELETE FROM ${SANDBOX_CELL}.hand_orders ${of}`)).toBe('42501');
    expect(await run('owner', `DELETE FROM ${SANDBOX_CELL}.hand_orders ${of}`)).toBe('23001');
  });

  test('is not used once it was withdrawn, and not withdrawn once it was used', async () => {
    const id = newId();
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.hand_orders (id, partner_id, kind, resource_id, verdict, actor)
       VALUES ($1, $2, 'settle_transfer', $3, 'completed', 'sandbox')`,
      [id, partnerId, newId()],
    );
    const [use, withdraw] = ['used_at', 'withdrawn_at'].map(
      (column) => `UPDATE ${SANDBOX_CELL}.hand_orders SET ${column} = now() WHERE id = '${id}'`,
    ) as [string, string];
    expect(await run('application', withdraw)).toBe('42501');
    expect(await run('owner', withdraw.replace('SET ', 'SET used_at = now(), '))).toBe('23001');
    await cell.sql(withdraw);
    expect(await run('application', use)).toBe('23001');
    expect(await run('owner', withdraw)).toBe('23001');
  });
});
