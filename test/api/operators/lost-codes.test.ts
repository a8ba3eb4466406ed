/** Two operators reset the one-time codes of somebody who has lost telephone and recovery codes (D91, D101). */
import { newId } from '../../../src/db/pg/ids';
import { approvedBy, type TestOperator } from '../../support/operators';
import { newOwner, switchCodesOn, type Careful, type Person } from '../../support/people';
import { apiForFile } from '../../support/scene';
import { until } from '../../support/until';

const { world, api } = apiForFile();
let ada: TestOperator;
let bola: TestOperator;
beforeAll(async () => {
  ada = await api.operator();
  bola = await api.operator();
});

interface Stuck extends Person, Careful {
  id: string;
}

/** A lone owner with codes, whose address is confirmed. */
async function newStuck(): Promise<Stuck> {
  const owner = await newOwner(api, world);
  const [user] = await world.sql(
    'UPDATE platform.users SET email_confirmed_at = now() WHERE email = $1 RETURNING id',
    [owner.email],
  );
  return { ...owner, ...(await switchCodesOn(api, owner)), id: user!['id'] };
}

const REASON = { reason: 'Seen with a passport in a video call, case 17' };
const propose = ({ partnerId, id }: Pick<Stuck, 'partnerId' | 'id'>, by = ada) =>
  by.post(`/ops/partners/${partnerId}/users/${id}/reset-codes`, REASON);
const CODE_REQUIRED = { status: 401, body: { error: 'ONE_TIME_CODE_REQUIRED' } };
const INVALID_STATE = { status: 422, body: { error: 'INVALID_STATE' } };

test('from the proposal to a login with the password alone', async () => {
  const owner = await newStuck();
  const { partnerId, id, email } = owner;
  const shown = await ada.get(`/ops/partners/${partnerId}/users?reason=Complaint%2017`);
  expect(shown).toMatchObject({
    status: 200,
    body: { data: [{ id, email, role: 'owner', one_time_codes_since: expect.stringMatching(/Z$/) }] },
  });
  expect(shown.text).not.toContain('password');

  const proposed = await propose(owner);
  expect(proposed).toMatchObject({
    status: 202,
    body: { data: { kind: 'reset_codes', terms: { user_id: id, reason: REASON.reason } } },
  });
  expect(await owner.logIn()).toMatchObject(CODE_REQUIRED);
  expect((await approvedBy(proposed, bola)).body.data).toMatchObject({
    status: 'applied',
    proposed_by: ada.name,
    approved_by: [bola.name],
  });
  expect((await owner.logIn()).status).toBe(200);
  const left = `SELECT (SELECT count(*) FROM platform.totp WHERE user_id = $1) AS secrets,
                       (SELECT count(*) FROM platform.recovery_codes WHERE user_id = $1) AS codes`;
  expect(await world.sql(left, [id])).toEqual([{ secrets: '0', codes: '0' }]);
});

test('the sessions of the user end', async () => {
  const owner = await newStuck();
  await approvedBy(await propose(owner), bola);
  await until(
    'the token is refused',
    async () => (await api.call('GET', '/v1/sessions', { key: owner.key })).status === 401,
  );
});

test('the person and the colleagues are mailed, and the list of security events has it', async () => {
  const owner = await newStuck();
  const colleague = `finance-${newId()}@acme.example`;
  await world.sql(
    `INSERT INTO platform.users (id, partner_id, email, role, password_hash, email_confirmed_at)
     SELECT $1, partner_id, $2, 'finance', password_hash, now() FROM platform.users WHERE id = $3`,
    [newId(), colleague, owner.id],
  );
  await approvedBy(await propose(owner), bola);
  expect((await owner.events()).slice(0, 1)).toEqual(['totp.reset']);
  const mails = await world.sql(
    `SELECT recipient, content FROM platform.mail_outbox
      WHERE partner_id = $1 AND content ->> 'event' = 'totp.reset'`,
    [owner.partnerId],
  );
  expect(mails.map(({ recipient }) => recipient as string).sort()).toEqual([colleague, owner.email].sort());
  expect(mails[0]!['content'].detail).toEqual({ email: owner.email });
});

test('the trail has who proposed and who approved', async () => {
  const proposed = await propose(await newStuck());
  const approved = await approvedBy(proposed, bola);
  const trail = await world.sql(
    `SELECT operator_name, action, phase FROM platform.audit WHERE request_id = ANY($1) ORDER BY sequence`,
    [[proposed, approved].map(({ headers }) => headers.get('x-request-id'))],
  );
  expect(trail).toEqual([
    { operator_name: ada.name, action: 'resetCodes', phase: 'asked' },
    { operator_name: ada.name, action: 'resetCodes', phase: 'done' },
    { operator_name: bola.name, action: 'approveProposal', phase: 'asked' },
    { operator_name: bola.name, action: 'approveProposal', phase: 'done' },
  ]);
});

describe('nobody takes an account over with it:', () => {
  test('one operator alone resets nothing', async () => {
    const owner = await newStuck();
    expect(await approvedBy(await propose(owner), ada)).toMatchObject({ status: 403 });
    const viewer = await api.operator('viewer');
    expect(await propose(owner, viewer)).toMatchObject({ status: 403 });
    expect(await owner.logIn()).toMatchObject(CODE_REQUIRED);
  });

  test('a proposal about earlier codes does not reset those of today', async () => {
    const owner = await newStuck();
    const stale = await propose(owner);
    await approvedBy(await propose(owner), bola);
    await switchCodesOn(api, owner);
    expect(await approvedBy(stale, bola)).toMatchObject(INVALID_STATE);
    expect(await owner.logIn()).toMatchObject(CODE_REQUIRED);
  });

  test('a user of another partner is not found', async () => {
    const [owner, other] = [await newStuck(), await newStuck()];
    expect(await propose({ partnerId: owner.partnerId, id: other.id })).toMatchObject({ status: 404 });
    expect(await propose({ partnerId: newId(), id: owner.id })).toMatchObject({ status: 404 });
    expect(await propose({ partnerId: owner.partnerId, id: 'x' })).toMatchObject({ status: 404 });
    expect(await ada.get(`/ops/partners/${newId()}/users?reason=Complaint%2017`)).toMatchObject({
      status: 404,
    });
  });
});

test('an approval whose answer was lost resets once, and tells once', async () => {
  const owner = await newStuck();
  const proposed = await propose(owner);
  await approvedBy(proposed, bola);
  const key = await owner.token();
  await world.sql(`UPDATE platform.proposals SET status = 'approved' WHERE id = $1`, [proposed.body.data.id]);
  expect((await approvedBy(proposed, bola)).body.data).toMatchObject({ status: 'applied' });
  expect((await owner.events()).filter((kind) => kind === 'totp.reset')).toHaveLength(1);
  expect((await api.call('GET', '/v1/sessions', { key })).status).toBe(200);
});

test('where the codes are off, there is nothing to propose', async () => {
  const owner = await newOwner(api, world);
  const [user] = await world.sql('SELECT id FROM platform.users WHERE email = $1', [owner.email]);
  expect(await propose({ partnerId: owner.partnerId, id: user!['id'] })).toMatchObject(INVALID_STATE);
});
