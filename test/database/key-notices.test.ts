/** A partner hears once that a key ends within a week, and once that it ends within a day. */
import { randomBytes } from 'node:crypto';
import { newId } from '../../src/db/pg/ids';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';

let cell: TestCell;
let activities: TestActivities;
let partnerId: string;

beforeAll(async () => {
  cell = await openTestCell();
  activities = openActivities(cell.url);
});
beforeEach(async () => {
  partnerId = newId();
  await cell.sql(`INSERT INTO platform.partners (id, business_name, email) VALUES ($1, 'Acme', 'x')`, [
    partnerId,
  ]);
  await cell.sql(
    `INSERT INTO platform.users (id, partner_id, email, password_hash, email_confirmed_at)
     VALUES ($1, $2, $3, '$argon2id$', now())`,
    [newId(), partnerId, `${partnerId}@acme.example`],
  );
});
afterAll(async () => {
  await activities.close();
  await cell.close();
});

/** A key that was made and ends at these times, as Postgres reckons from now. */
async function key(madeAgo: string, endsIn: string | null, environment = 'sandbox'): Promise<string> {
  const id = newId();
  await cell.sql(
    `INSERT INTO platform.api_keys (id, partner_id, environment, key_hash, key_prefix, label, created_at, expires_at)
     VALUES ($1, $2, $3, $4, 'sk_test_abcd...', 'backend', now() - $5::interval, now() + $6::interval)`,
    [id, partnerId, environment, randomBytes(32), madeAgo, endsIn],
  );
  return id;
}
const sweep = () => activities.run('sweepUp');
const listed = () =>
  cell.sql(
    'SELECT id, kind, detail, created_at FROM platform.security_events WHERE partner_id = $1 ORDER BY id',
    [partnerId],
  );
const daysTold = async () => (await listed()).map(({ detail }) => detail.days);

test.each<[what: string, madeAgo: string, endsIn: string | null, days: string[]]>([
  ['without an end', '30 days', null, []],
  ['that ends in a little more than a week', '30 days', '7 days 10 minutes', []],
  ['that ends in a week', '30 days', '7 days', ['7']],
  ['that ends in a little more than a day', '30 days', '1 day 10 minutes', ['7']],
  ['that ends in a day', '30 days', '1 day', ['1']],
  ['that ends in a minute', '30 days', '1 minute', ['1']],
  ['that has ended', '30 days', '-1 second', []],
  ['that was made for three days', '0 seconds', '3 days', []],
  ['that was made for two hours', '1 hour', '1 hour', []],
  ['that was made for three days and ends in less', '2 days 1 hour', '23 hours', ['1']],
])('of a key %s', async (_what, madeAgo, endsIn, days) => {
  await key(madeAgo, endsIn);
  await sweep();
  expect(await daysTold()).toEqual(days);
});

test('the notice names the key, and is mailed to the people of the partner; a second run tells nothing', async () => {
  const id = await key('30 days', '6 days', 'live');
  expect(await sweep()).toMatchObject({ noted: 1 });
  expect(await sweep()).toMatchObject({ noted: 0 });
  const [notice, ...more] = await listed();
  expect(more).toEqual([]);
  expect(notice).toMatchObject({
    kind: 'api_key.expires_soon',
    detail: { id, key_prefix: 'sk_test_abcd...', label: 'backend', environment: 'live', days: '7' },
  });
  expect(
    await cell.sql('SELECT recipient FROM platform.mail_outbox WHERE partner_id = $1', [partnerId]),
  ).toEqual([{ recipient: `${partnerId}@acme.example` }]);
  // The list is in the order of its ids.
  const { id: eventId, created_at: at } = notice as unknown as { id: string; created_at: Date };
  expect(eventId.replaceAll('-', '').slice(0, 12)).toBe(at.getTime().toString(16).padStart(12, '0'));
});

test('a week before, and again a day before', async () => {
  const id = await key('30 days', '6 days');
  await sweep();
  await cell.sql(
    `UPDATE platform.api_keys SET expires_at = expires_at - interval '5 days 1 hour' WHERE id = $1`,
    [id],
  );
  await sweep();
  expect((await daysTold()).sort()).toEqual(['1', '7']);
});

test('a key that was deleted ends silently', async () => {
  const id = await key('30 days', '1 hour');
  await cell.sql('UPDATE platform.api_keys SET revoked_at = now() WHERE id = $1', [id]);
  await sweep();
  expect(await listed()).toEqual([]);
});

test('several workers at once tell of each key once', async () => {
  for (let n = 0; n < 5; n += 1) await key('30 days', '2 days');
  const noted = await Promise.all(
    Array.from({ length: 4 }, () =>
      activities.sandbox.partnersPool.query('SELECT * FROM platform.note_expiring_keys()'),
    ),
  );
  expect(noted.flatMap(({ rows }) => rows).filter((row) => row.of_partner === partnerId)).toHaveLength(5);
  expect(await listed()).toHaveLength(5);
});
