/** What a proof of a mailbox has left to end, because the API died after its commit, is ended by the sweep of the worker. */
import { insertEndpoint } from '../../src/db/events/endpoints';
import { keepComplianceRequest } from '../../src/db/partners/compliance';
import { newId } from '../../src/db/pg/ids';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';
import { SANDBOX_CELL } from '../setup/cells';

let cell: TestCell;
let activities: TestActivities;
let partnerId: string;
let userId: string;

beforeAll(async () => {
  cell = await openTestCell();
  // No Temporal answers here.
  activities = openActivities(cell.url);
});
async function partnerInSandbox(id: string, name: string): Promise<void> {
  await cell.sql(`INSERT INTO platform.partners (id, business_name, email) VALUES ($1, $2, $2)`, [id, name]);
  await cell.sql(
    `INSERT INTO platform.partner_cells (partner_id, environment, cell) VALUES ($1, 'sandbox', $2)`,
    [id, SANDBOX_CELL],
  );
}

beforeEach(async () => {
  [partnerId, userId] = [newId(), newId()];
  await partnerInSandbox(partnerId, 'Acme');
  await cell.sql(
    `INSERT INTO platform.users (id, partner_id, email, password_hash, email_confirmed_at)
     VALUES ($1, $2, $3, '$argon2id$', now())`,
    [userId, partnerId, `${partnerId}@acme.example`],
  );
});
afterEach(() => cell.sql('DELETE FROM platform.endpoint_endings'));
afterAll(async () => {
  await activities.close();
  await cell.close();
});

/** An endpoint that was made so many minutes ago. */
async function endpoint(minutes: number): Promise<string> {
  const id = newId();
  const asked = { id, partnerId, url: `https://thief.example/${id}`, events: ['*'], secretSealed: 'sealed' };
  await insertEndpoint(cell.forApi, asked, 20, () => Promise.resolve());
  await cell.sql(
    `UPDATE ${SANDBOX_CELL}.webhook_endpoints SET created_at = now() - $2 * interval '1 minute' WHERE id = $1`,
    [id, minutes],
  );
  return id;
}
/** A proof five minutes ago. */
const leave = (sinceMinutes: number | null = null) =>
  cell.sql(
    `INSERT INTO platform.endpoint_endings (partner_id, environment, made_until, made_since, user_id, address)
     VALUES ($1, 'sandbox', now() - interval '5 minutes', now() - $3 * interval '1 minute', $2, '192.0.2.1')`,
    [partnerId, userId, sinceMinutes],
  );
const left = () => cell.sql('SELECT FROM platform.endpoint_endings WHERE partner_id = $1', [partnerId]);
const active = async (): Promise<string[]> =>
  (
    await cell.sql(
      `SELECT id FROM ${SANDBOX_CELL}.webhook_endpoints WHERE partner_id = $1 AND deleted_at IS NULL`,
      [partnerId],
    )
  ).map(({ id }) => id as string);
const listed = () =>
  cell.sql('SELECT kind, user_id, address, detail FROM platform.security_events WHERE partner_id = $1', [
    partnerId,
  ]);

test('the endpoints that were made before the proof end, and no later one', async () => {
  const [theirs, ours] = [await endpoint(10), await endpoint(1)];
  await leave();
  expect(await activities.run('sweepUp')).toMatchObject({ ended: 1 });
  expect(await active()).toEqual([ours]);
  expect(await left()).toEqual([]);
  await activities.run('sweepUp');
  expect(await listed()).toEqual([
    {
      kind: 'webhook_endpoint.deleted',
      user_id: userId,
      address: '192.0.2.1',
      detail: { endpoint_id: theirs, host: 'thief.example' },
    },
  ]);
});

test('where an address was taken back, those that were made since it was changed end', async () => {
  const [before, since, after] = [await endpoint(30), await endpoint(10), await endpoint(1)];
  await leave(20);
  await activities.run('sweepUp');
  expect((await active()).sort()).toEqual([before, after].sort());
  expect(await listed()).toMatchObject([{ detail: { endpoint_id: since } }]);
});

test('what cannot be done yet stays, and keeps nothing else from being done', async () => {
  await endpoint(10);
  const ask = { kind: 'business_info', cacNumber: 'RC1', businessType: 'llc' } as const;
  await keepComplianceRequest(cell.forApi, { id: newId(), partnerId, actor: 'partner', ask }, []);
  await leave();
  const other = newId();
  await partnerInSandbox(other, 'Other');
  await cell.sql(
    `INSERT INTO platform.endpoint_endings (partner_id, environment, made_until) VALUES ($1, 'sandbox', now())`,
    [other],
  );
  await expect(activities.run('sweepUp')).rejects.toThrow('could not be taken back yet');
  expect(await active()).toEqual([]);
  expect(await left()).toHaveLength(1);
  expect(await cell.sql('SELECT FROM platform.endpoint_endings WHERE partner_id = $1', [other])).toEqual([]);
}, 60_000);

test('whoever has the login of a worker keeps no other request, and notes no endpoint that is there', async () => {
  const { pool } = activities.sandbox;
  const ask = { kind: 'approve', reason: null } as const;
  const request = { id: newId(), partnerId, actor: 'operator', ask };
  await expect(keepComplianceRequest({ pool, schema: SANDBOX_CELL }, request, [])).rejects.toThrow(
    'permission denied',
  );
  const id = await endpoint(10);
  for (const kind of ['webhook_endpoint.deleted', 'webhook_endpoint.added']) {
    await pool.query(`SELECT ${SANDBOX_CELL}.note_ended_endpoint($1, $2, NULL, $3, NULL, '{}')`, [
      newId(),
      id,
      kind,
    ]);
  }
  const notices = `SELECT FROM ${SANDBOX_CELL}.security_notices WHERE partner_id = $1`;
  expect(await cell.sql(notices, [partnerId])).toEqual([]);
});
