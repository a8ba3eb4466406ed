/** Events of a cell come to the list of security events once, whatever crashes, and nobody can pretend others with it. */
import { insertSecurityNotice } from '../../src/db/partners/security-events';
import { newId } from '../../src/db/pg/ids';
import { inTransaction } from '../../src/db/pg/postgres';
import type { SecurityEvent } from '../../src/domain/security-events';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';
import { SANDBOX_CELL } from '../setup/cells';

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

const event = (): SecurityEvent => ({
  partnerId,
  userId: null,
  kind: 'webhook_secret.replaced_live',
  address: '192.0.2.1',
  detail: { endpoint_id: newId(), host: 'hooks.example' },
});
const write = () =>
  inTransaction(cell.forApi.pool, (trx) => insertSecurityNotice(trx, SANDBOX_CELL, event()));
const sweep = () => activities.run('sweepUp');
const waiting = () =>
  cell.sql(`SELECT * FROM ${SANDBOX_CELL}.security_notices WHERE partner_id = $1`, [partnerId]);
const listed = () =>
  cell.sql('SELECT id, kind, created_at FROM platform.security_events WHERE partner_id = $1', [partnerId]);
const mails = () => cell.sql('SELECT id FROM platform.mail_outbox WHERE partner_id = $1', [partnerId]);

test('an API that dies after its commit loses no event: the sweep brings it, with its mail and its own time', async () => {
  await write();
  await cell.sql(`UPDATE ${SANDBOX_CELL}.security_notices SET happened_at = '2026-01-02T03:04:05Z'`);
  const [notice] = await waiting();
  expect(await sweep()).toMatchObject({ brought: 1 });
  expect(await listed()).toEqual([
    { id: notice?.['id'], kind: 'webhook_secret.replaced_live', created_at: notice?.['happened_at'] },
  ]);
  expect(await mails()).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test('a worker that dies before it has crossed the event off brings it a second time, and nothing changes', async () => {
  await write();
  const [notice] = await waiting();
  await sweep();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.security_notices
     SELECT * FROM json_populate_record(NULL::${SANDBOX_CELL}.security_notices, $1)`,
    [JSON.stringify(notice)],
  );
  expect(await sweep()).toMatchObject({ brought: 0 });
  expect(await listed()).toHaveLength(1);
  expect(await mails()).toHaveLength(1);
  expect(await waiting()).toEqual([]);
});

test('whoever has the login of a worker pretends no change of a password, and no change of an endpoint in its cell', async () => {
  const { partnersPool, pool } = activities.sandbox;
  const bring = (kind: string) =>
    partnersPool.query(`SELECT platform.bring_security_event($1, $2, NULL, $3, NULL, '{}', now())`, [
      newId(),
      partnerId,
      kind,
    ]);
  await expect(bring('password.changed')).rejects.toThrow('a cell has no events of this kind');
  await expect(
    partnersPool.query(
      `SELECT platform.write_security_event($1, $2, NULL, 'password.changed', NULL, '{}', 'always', now())`,
      [newId(), partnerId],
    ),
  ).rejects.toThrow('permission denied');
  await expect(
    inTransaction(pool, (trx) => insertSecurityNotice(trx, SANDBOX_CELL, event())),
  ).rejects.toThrow('permission denied');
  expect(await listed()).toEqual([]);
});
