/**
 * Nobody makes two operators alone: the administrator makes a token, and an operator who is there already lets it work
 * (D91). Only the first operator of an installation comes without another one, and the log says so.
 */
import { makeOperatorToken } from '../../../src/administration/operator-token';
import { newId } from '../../../src/db/pg/ids';
import { revokeOperator } from '../../../src/db/partners/operators';
import { TOKEN_LIFE_MS, type OperatorRole } from '../../../src/domain/operators';
import { forgetLog, logLines } from '../../support/log';
import { apiForFile } from '../../support/scene';
import { send } from '../../support/send';

const { world, api } = apiForFile();

const owner = {
  query: async (text: string, values?: unknown[]) => ({ rows: await world.sql(text, values) }),
} as never;
/** What `npm run keys -- operator create` does. */
const make = async (name: string, role: OperatorRole = 'operator') => {
  const made = await makeOperatorToken(owner, name, role, new Date(Date.now() + TOKEN_LIFE_MS));
  if (!made) throw new Error('the token before works');
  const call = (method: string, path: string, body?: unknown) =>
    send(`http://127.0.0.1:${String(api.operatorPort)}${path}`, method, { key: made.token, body });
  return {
    ...made,
    look: () => call('GET', '/ops/operators'),
    admit: (id: string) => call('POST', `/ops/operators/${id}/admit`, { reason: 'My colleague' }),
  };
};
const REFUSED = { status: 401, body: { error: 'INVALID_TOKEN' } };
const unadmitted = () =>
  logLines().filter(({ msg }) => msg === 'Nobody has admitted this operator of the operator port');

test('an administrator alone makes one operator and not two; the second waits for the first', async () => {
  forgetLog();
  const ada = await make('Ada');
  expect(ada.works).toBe(true);
  const seen = await ada.look();
  expect(seen.body.data).toEqual([
    expect.objectContaining({ name: 'Ada', admitted_by: null, token_prefix: expect.stringMatching(/^op_/) }),
  ]);
  await ada.look();
  expect(unadmitted()).toEqual([expect.objectContaining({ operator: 'Ada', level: 40 })]);

  const bola = await make('Bola');
  expect(bola.works).toBe(false);
  expect(await bola.look()).toMatchObject(REFUSED);
  // A waiting token admits nobody, neither itself nor another one.
  const chidi = await make('Chidi');
  expect(await bola.admit(bola.id)).toMatchObject(REFUSED);
  expect(await bola.admit(chidi.id)).toMatchObject(REFUSED);
  expect(await ada.admit(ada.id)).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
  expect(await ada.admit(newId())).toMatchObject({ status: 404 });

  const admitted = await ada.admit(bola.id);
  expect(admitted).toMatchObject({ status: 200, body: { data: { name: 'Bola', admitted_by: 'Ada' } } });
  expect(await bola.look()).toMatchObject({ status: 200 });
  // Nor is a token let in that was revoked, or has expired, while it waited.
  const [revoked, expired] = [await make('Dayo'), await make('Efe')];
  await revokeOperator(owner, 'Dayo');
  await world.sql(`UPDATE platform.operators SET expires_at = now() WHERE name = 'Efe'`);
  for (const { id } of [revoked, expired]) {
    expect(await ada.admit(id)).toMatchObject({ status: 422, body: { error: 'INVALID_STATE' } });
  }
  // The second call changes nothing, whoever sends it.
  expect(await ada.admit(bola.id)).toMatchObject({ status: 200, body: { data: { admitted_by: 'Ada' } } });
  expect(await bola.admit(chidi.id)).toMatchObject({ status: 200, body: { data: { admitted_by: 'Bola' } } });
  expect(await bola.admit(chidi.id)).toMatchObject({ status: 200 });
  expect(unadmitted()).toHaveLength(1);
  const trail = await world.sql(
    `SELECT action, phase, operator_name FROM platform.audit WHERE resource = $1 AND phase = 'done' ORDER BY sequence`,
    [`/ops/operators/${bola.id}/admit`],
  );
  expect(trail[0]).toEqual({ action: 'admitOperator', phase: 'done', operator_name: 'Ada' });
});

test('a new token for a known operator waits again, whether the one before has expired or was revoked', async () => {
  await world.sql(`UPDATE platform.operators SET expires_at = now() WHERE name = 'Bola'`);
  await revokeOperator(owner, 'Chidi');
  for (const name of ['Bola', 'Chidi']) {
    const again = await make(name);
    expect(again.works).toBe(false);
    expect(await again.look()).toMatchObject(REFUSED);
  }
  expect(await makeOperatorToken(owner, 'Ada', 'operator', new Date(Date.now() + 1_000))).toBeNull();
});

test('a viewer works only after an admission, and as an operator only after another one', async () => {
  const viewer = await make('Auditor', 'viewer');
  expect(viewer.works).toBe(false);
  expect(await viewer.look()).toMatchObject(REFUSED);
  const contact = `http://127.0.0.1:${String(api.operatorPort)}/ops/partners/${newId()}/contact?reason=Complaint%2017`;
  expect(await send(contact, 'GET', { key: viewer.token })).toMatchObject(REFUSED);
  await expect(
    world.sql(`UPDATE platform.operators SET admitted_at = now() WHERE name = 'Auditor'`),
  ).rejects.toMatchObject({ code: '23001' });
  // A viewer lets nobody in, once admitted either.
  const ada = await make('Ada the second');
  await world.sql(
    `UPDATE platform.operators SET admitted_at = now(), admitted_by = (SELECT id FROM platform.operators WHERE name = 'Ada')
      WHERE name = 'Ada the second'`,
  );
  expect(await ada.admit(viewer.id)).toMatchObject({ body: { data: { admitted_by: 'Ada the second' } } });
  expect(await viewer.look()).toMatchObject({ status: 200 });
  expect(await viewer.admit((await make('Grace')).id)).toMatchObject({ status: 403 });
  await revokeOperator(owner, 'Ada the second');
  await revokeOperator(owner, 'Auditor');
  expect(await make('Auditor')).toMatchObject({ works: false });
  await expect(
    world.sql(`UPDATE platform.operators SET admitted_at = now() WHERE name = 'Auditor'`),
  ).rejects.toMatchObject({ code: '23001' });
});

test('Postgres refuses an operator whom nobody in force has admitted, also to the owner of the table', async () => {
  const admit = (by: string) =>
    world.sql(
      `UPDATE platform.operators o SET admitted_at = now(), admitted_by = (${by}) WHERE name = 'Bola'`,
    );
  await expect(admit('NULL::uuid')).rejects.toMatchObject({ code: '23001' });
  // Chidi waits, and nobody admits themselves.
  await expect(admit(`SELECT id FROM platform.operators WHERE name = 'Chidi'`)).rejects.toMatchObject({
    code: '23001',
  });
  await expect(admit('o.id')).rejects.toMatchObject({ code: expect.stringMatching(/^23/) });
  await admit(`SELECT id FROM platform.operators WHERE name = 'Ada'`);
});

test('where no operator is in force any more, nor can renew a token, the next one comes alone again', async () => {
  await world.sql('UPDATE platform.operators SET expires_at = now()');
  expect(await make('Dayo')).toMatchObject({ works: false });
  await world.sql(
    `UPDATE platform.operators SET admitted_at = now() - interval '31 days' WHERE admitted_at IS NOT NULL`,
  );
  expect(await make('Dayo')).toMatchObject({ works: true });
  expect(await make('Ada')).toMatchObject({ works: false });
});
