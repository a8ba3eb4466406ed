/**
 * The checker of `npm run nemesis`: it finds nothing after a load that nothing has hurt, and it finds each kind of
 * corruption. Each corruption is made in a transaction that is rolled back, or in a copy of what was recorded.
 */
import pg from 'pg';
import { check, checkAtTheEnd, runningWorkflows, type Evidence, type Findings } from '../nemesis/check';
import { answerOf, isAccepted, startLoad, type Attempt, type Operation } from '../nemesis/load';
import { seeded } from '../nemesis/random';
import { openPlatform, type Platform } from '../support/platform';
import { openReceiver, type Receiver } from '../support/receiver';
import { FREQUENT_SCHEDULES } from '../support/settings';
import { until } from '../support/until';
import { SANDBOX_CELL } from '../setup/cells';

const KINDS = ['wallet', 'p2p', 'split', 'qr-pay', 'bank', 'settle', 'ussd', 'simulate', 'kyc', 'compliance'];
const EVENTS = [
  'transaction.completed',
  'transaction.failed',
  'wallet.activated',
  'kyc.verified',
  'kyc.failed',
];

let platform: Platform;
let receiver: Receiver;
let client: pg.Client;
let sound: Evidence;

beforeAll(async () => {
  platform = await openPlatform({ settings: FREQUENT_SCHEDULES });
  const [url] = await Promise.all([platform.startApi(), platform.startWorker()]);
  client = new pg.Client({ connectionString: platform.databaseUrl });
  await client.connect();
  receiver = await openReceiver();
  const partner = await platform.partner(url);
  const endpoint = await partner.post('/v1/webhooks', { url: receiver.url, events: EVENTS });
  const wallets = await Promise.all([1, 2, 3].map(() => partner.wallet(100_000_000)));
  const load = startLoad(
    { ...partner, urls: [url] },
    wallets.map(({ id }) => id),
    seeded(1),
    6,
  );
  await until('an operation of each kind, and a refused one', () => {
    const done = load.operations.filter((operation) => isAccepted(answerOf(operation)));
    return (
      KINDS.every((kind) => done.some((operation) => operation.kind === kind)) &&
      load.operations.some(isRefused)
    );
  });
  await load.stop();
  await until(
    'the end of all that was begun',
    async () => {
      sound = {
        db: client,
        cell: SANDBOX_CELL,
        partnerId: partner.partnerId,
        operations: load.operations,
        deliveries: receiver.deliveries,
        secret: endpoint.body.data.secret,
        windows: [],
        running: await runningWorkflows(platform.operator),
      };
      return broken(await check(sound)).length === 0;
    },
    60_000,
  ).catch(() => undefined);
});
afterAll(async () => {
  await client.end();
  await receiver.close();
  await platform.close();
});

/** Refused by its only call: where an earlier answer was lost, the checker does not know the first one. */
const isRefused = (operation: Operation): boolean =>
  operation.kind === 'p2p' &&
  operation.attempts.length === 1 &&
  answerOf(operation)?.error === 'INSUFFICIENT_FUNDS';
const broken = (findings: Findings): string[] =>
  Object.keys(findings).filter((rule) => findings[rule]?.length !== 0);

test('after a load that nothing has hurt the checker finds nothing', async () => {
  expect(await check(sound)).toEqual(
    Object.fromEntries(Object.keys(await check(sound)).map((rule) => [rule, []])),
  );
});

/** Adds a copy of one of the rows `where`, with these columns changed. */
const copyOf = (table: string, where: string, changes: string): string =>
  `INSERT INTO $cell.${table} SELECT (copied).* FROM (
     SELECT jsonb_populate_record(one, jsonb_build_object(${changes})) AS copied
       FROM $cell.${table} AS one WHERE ${where} LIMIT 1) AS copies`;
const NEW_ID = `'id', gen_random_uuid()`;

/** A statement in which `$cell` stands for the schema, and $1 for the partner. */
const INTO_THE_ROWS: [what: string, rule: string, statement: string][] = [
  [
    'a lost entry',
    'the books are sound',
    'DELETE FROM $cell.entries WHERE id = (SELECT id FROM $cell.entries WHERE sequence IS NOT NULL LIMIT 1)',
  ],
  [
    'a doubled entry',
    'the books are sound',
    copyOf('entries', `step = 'accept' AND sequence IS NULL`, `${NEW_ID}, 'step', 'return'`),
  ],
  [
    'a lost transaction',
    'each acknowledged operation is in the books once',
    `DELETE FROM $cell.transactions WHERE id = (
       SELECT id FROM $cell.transactions WHERE partner_id = $1 AND type = 'p2p_transfer' LIMIT 1)`,
  ],
  [
    'a transfer that was carried out twice',
    'each acknowledged operation is in the books once',
    copyOf('transactions', `partner_id = $1 AND type = 'bank_transfer'`, NEW_ID),
  ],
  [
    'a reference that is used twice',
    'each reference is used once',
    copyOf('transactions', `partner_id = $1 AND type = 'ussd_payment'`, NEW_ID),
  ],
  [
    'a transaction that nobody asked for',
    'nothing is in the books that nobody asked for',
    copyOf('transactions', `partner_id = $1 AND type = 'p2p_transfer'`, `${NEW_ID}, 'reference', 'nobody'`),
  ],
  [
    'a lost verification',
    'each acknowledged wallet, verification and QR request is there',
    'DELETE FROM $cell.verifications WHERE partner_id = $1',
  ],
  [
    'a stuck transfer',
    'what was begun has ended',
    `UPDATE $cell.transactions SET status = 'processing', completed_at = NULL
      WHERE id = (SELECT id FROM $cell.transactions WHERE partner_id = $1 AND type = 'bank_transfer' LIMIT 1)`,
  ],
  [
    'transfers that have not ended as a person has ordered',
    'what was settled by hand has ended so',
    `UPDATE $cell.transactions SET status = (CASE status::text WHEN 'failed' THEN 'completed' ELSE 'failed' END)::$cell.transaction_status,
            completed_at = CASE status::text WHEN 'failed' THEN now() END
      WHERE partner_id = $1 AND type = 'bank_transfer'`,
  ],
  [
    'an end without its event',
    'each end has its one event',
    `DELETE FROM $cell.events WHERE id = (
       SELECT id FROM $cell.events WHERE partner_id = $1 AND kind = 'transaction.completed' LIMIT 1)`,
  ],
  [
    'an end with two events',
    'each end has its one event',
    copyOf('events', `partner_id = $1 AND kind LIKE 'transaction.%'`, NEW_ID),
  ],
  [
    'an event without a delivery',
    'each event has its delivery',
    `DELETE FROM $cell.deliveries WHERE event_id = (SELECT id FROM $cell.events WHERE partner_id = $1 LIMIT 1)`,
  ],
  [
    'a delivery that was not made',
    'each event was delivered, with a right signature',
    'UPDATE $cell.deliveries SET delivered_at = NULL WHERE event_id IN (SELECT id FROM $cell.events WHERE partner_id = $1)',
  ],
  [
    'an intention that nobody has carried out',
    'no intention waits',
    'UPDATE $cell.workflow_intentions SET started_at = NULL WHERE partner_id = $1',
  ],
  [
    'a finding of reconciliation',
    'no finding of reconciliation is open',
    `INSERT INTO $cell.recon_findings (id, class, resource, detail)
     SELECT gen_random_uuid(), 'event_missing', $1::uuid::text, '{}'`,
  ],
];

test.each(INTO_THE_ROWS)('%s is found', async (_what, rule, statement) => {
  await client.query('BEGIN');
  try {
    // What Postgres would refuse is to be seen by the checker all the same.
    await client.query('SET LOCAL session_replication_role = replica');
    const text = statement.replaceAll('$cell', SANDBOX_CELL);
    const { rowCount } = await client.query(text, text.includes('$1') ? [sound.partnerId] : []);
    expect(rowCount).toBeGreaterThan(0);
    expect(broken(await check(sound))).toContain(rule);
  } finally {
    await client.query('ROLLBACK');
  }
});

test('an operation that was refused and is in the books all the same is found', async () => {
  const refused = sound.operations.find(isRefused);
  await client.query('BEGIN');
  await client.query(
    `INSERT INTO ${SANDBOX_CELL}.used_references (partner_id, reference, resource_id, terms)
     VALUES ($1, $2, gen_random_uuid(), '')`,
    [sound.partnerId, refused?.reference],
  );
  const findings = await check(sound);
  await client.query('ROLLBACK');
  expect(findings['no refused operation is in the books']).toEqual([refused?.reference]);
});

const changed = (kind: string, change: (attempt: Attempt) => Partial<Attempt>): Evidence => {
  const at = sound.operations.findIndex(
    (operation) =>
      operation.kind === kind && operation.attempts.length === 1 && isAccepted(answerOf(operation)),
  );
  const of = sound.operations[at] as Operation;
  const attempts = of.attempts.flatMap((attempt) => [attempt, { ...attempt, ...change(attempt) }]);
  return { ...sound, operations: sound.operations.with(at, { ...of, attempts }) };
};
/** A fault that lasted as long as the load. */
const during = (stops: 'workflows' | 'nothing') =>
  [{ name: 'a fault', stops, from: 0, to: Infinity }] as const;
const refused503 = { status: 503, error: 'SERVICE_UNAVAILABLE' };

const INTO_THE_RECORD: [what: string, rule: string, evidence: () => Evidence][] = [
  [
    'a repeat with other bytes',
    'a repeat gets the bytes of the first answer, and one call alone is the first',
    () => changed('p2p', ({ text }) => ({ text: text.replace('data', 'date'), isReplay: true })),
  ],
  [
    'a repeat that does not say so',
    'a repeat gets the bytes of the first answer, and one call alone is the first',
    () => changed('p2p', () => ({ isReplay: false })),
  ],
  [
    'an answer that is a bug',
    'no answer was a bug',
    () => changed('p2p', () => ({ status: 500, error: 'INTERNAL_ERROR' })),
  ],
  [
    'an operation without an answer',
    'every operation was answered',
    () => ({ ...sound, operations: sound.operations.map((one) => ({ ...one, attempts: [] })) }),
  ],
  [
    'a missing webhook',
    'each event was delivered, with a right signature',
    () => ({ ...sound, deliveries: sound.deliveries.slice(1) }),
  ],
  [
    'a webhook with a wrong signature',
    'each event was delivered, with a right signature',
    () => ({ ...sound, secret: `sk_wh_${Buffer.alloc(32).toString('base64')}` }),
  ],
  [
    'a webhook that was too old when it came',
    'each event was delivered, with a right signature',
    () => ({
      ...sound,
      deliveries: sound.deliveries.map((one) => ({ ...one, cameAt: one.cameAt + 301_000 })),
    }),
  ],
  ['a stuck workflow', 'no workflow is stuck', () => ({ ...sound, running: ['bank-transfer/stuck'] })],
  [
    'a payment that is refused while only Temporal is away',
    'payments go on while only workflows are hurt',
    () => ({ ...changed('p2p', () => refused503), windows: during('workflows') }),
  ],
  [
    'a connection that is reset by a rolling restart',
    'a rolling restart refuses nothing and resets no connection',
    () => ({ ...changed('p2p', () => ({ status: null, error: 'ECONNRESET' })), windows: during('nothing') }),
  ],
  [
    'a receiver that waits during a rolling restart',
    'a rolling restart keeps no healthy receiver waiting',
    () => ({
      ...sound,
      deliveries: sound.deliveries.map((one) => ({ ...one, cameAt: one.cameAt + 5_000 })),
      windows: during('nothing'),
    }),
  ],
];

test.each(INTO_THE_RECORD)('%s is found', async (_what, rule, evidence) => {
  expect(broken(await check(evidence()))).toContain(rule);
});

test('a checker that cannot read the database at the end says so, with the cause, instead of finding nothing', async () => {
  const away = new pg.Pool({ connectionString: 'postgres://127.0.0.1:1/wallet' });
  const failed = await checkAtTheEnd(() => Promise.resolve({ ...sound, db: away }), 500).catch(
    (error: unknown) => error,
  );
  await away.end();
  expect(failed).toMatchObject({
    message: 'The checker could not look, so nothing was judged',
    cause: { code: 'ECONNREFUSED' },
  });
});

const stuck = (): Promise<Evidence> => Promise.resolve({ ...sound, running: ['bank-transfer/stuck'] });

test('a look that fails, and one that finds something, are made again', async () => {
  const looks: (() => Promise<Evidence>)[] = [
    () => Promise.reject(new Error('Postgres is recovering')),
    stuck,
    () => Promise.resolve(sound),
  ];
  const next = () => (looks.length > 1 ? looks.shift() : looks[0])!();
  expect(broken(await checkAtTheEnd(next, 20_000))).toEqual([]);
  expect(looks).toHaveLength(1);
});

test('what still breaks a rule at the end is found', async () => {
  expect(broken(await checkAtTheEnd(stuck, 500))).toEqual(['no workflow is stuck']);
});
