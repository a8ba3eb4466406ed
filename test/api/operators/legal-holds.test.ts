/** Legal holds: what is known of somebody is kept until two people lift the hold again. */
import { newId } from '../../../src/db/pg/ids';
import { openWorld, type TestApi, type World } from '../../support/api';
import { approvedBy, type TestOperator } from '../../support/operators';
import type { TestPartner } from '../../support/partners';
import { LIVE_CELL } from '../../setup/cells';
import { REHEARSAL } from '../../support/settings';

let world: World;
let api: TestApi;
let live: TestPartner;
let ada: TestOperator;
let bola: TestOperator;

beforeAll(async () => {
  world = await openWorld(REHEARSAL);
  api = await world.startApi();
  live = await api.partner({ environment: 'live', status: 'active' });
  ada = await api.operator();
  bola = await api.operator();
});
afterAll(() => world.close());

const OF_PARTNER = () => `/ops/partners/${live.id}/legal-holds`;
const REASON = { reason: 'Federal High Court, order 7' };

const place = (body: object = {}) => ada.post(OF_PARTNER(), { ...REASON, ...body });
/** Places one with both people. @returns its id. */
const placed = async (body: object = {}): Promise<string> => {
  const approved = await approvedBy(await place(body), bola);
  expect(approved).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
  return approved.body.data.id;
};
const lift = async (id: string) => approvedBy(await ada.post(`${OF_PARTNER()}/${id}/lift`, REASON), bola);
const listed = async (id: string) =>
  (await bola.get('/ops/legal-holds?limit=100')).body.data.find((one: { id: string }) => one.id === id);
const erase = (path: string) => ada.post(`/ops/live/partners/${live.id}/${path}/erase-person`, REASON);
const erasureOf = (walletId: string) => erase(`wallets/${walletId}`);

/** A check that has ended, of somebody. @returns its id. */
async function check(userRef: string): Promise<string> {
  const asked = await live.post('/v1/kyc/bvn', { user_ref: userRef, bvn: '22222222222' });
  const id: string = asked.body.data.verification_id;
  await world.sql(
    `UPDATE ${LIVE_CELL}.verifications SET status = 'verified', verified_at = now() WHERE id = $1`,
    [id],
  );
  return id;
}

const REFUSED = {
  status: 422,
  body: { error: 'INVALID_WALLET_STATE', message: expect.stringContaining('legal hold') },
};

test('a person under a legal hold is not erased until it is lifted, and another person is', async () => {
  const [one, another] = [await live.wallet({ status: 'closed' }), await live.wallet({ status: 'closed' })];
  const waiting = await erasureOf(one);
  const id = await placed({ wallet_id: one });
  expect(await erasureOf(one)).toMatchObject(REFUSED);
  // An erasure that was proposed before is not carried out either.
  expect(await approvedBy(waiting, bola)).toMatchObject(REFUSED);
  expect((await erasureOf(another)).status).toBe(202);
  expect(await lift(id)).toMatchObject({ status: 200, body: { data: { status: 'applied' } } });
  expect((await approvedBy(await erasureOf(one), bola)).status).toBe(200);
});

test('a legal hold by a check keeps all that is known of the person, also where there is no wallet', async () => {
  const userRef = `checked-${newId()}`;
  const [first, second] = [await check(userRef), await check(userRef)];
  const id = await placed({ verification_id: first });
  expect(await erase(`verifications/${second}`)).toMatchObject(REFUSED);
  await lift(id);
  expect((await erase(`verifications/${second}`)).status).toBe(202);
});

test('a legal hold on a partner keeps everybody of it, and of two the other one goes on', async () => {
  const wallet = await live.wallet({ status: 'closed' });
  const [first, second] = [await placed(), await placed()];
  const noted = async () =>
    (await world.sql('SELECT legal_holds FROM platform.partners WHERE id = $1', [live.id]))[0]![
      'legal_holds'
    ];
  expect(await noted()).toEqual([first, second]);
  expect(await erasureOf(wallet)).toMatchObject(REFUSED);
  await lift(first);
  expect(await erasureOf(wallet)).toMatchObject(REFUSED);
  expect(await noted()).toEqual([second]);
  await lift(second);
  expect(await noted()).toEqual([]);
  expect((await erasureOf(wallet)).status).toBe(202);
});

test('Postgres itself erases nobody under a legal hold', async () => {
  const wallet = await live.wallet({ status: 'closed', userRef: 'kept-by-law' });
  const id = await placed({ wallet_id: wallet });
  const asWorker = () =>
    world.sql(`SELECT ${LIVE_CELL}.erase_person($1, $2, 'kept-by-law')`, [live.id, wallet]);
  await expect(asWorker()).rejects.toThrow('nobody under a legal hold is erased');
  await lift(id);
  await asWorker();
});

test('one person neither places nor lifts one, and the proposer does not approve', async () => {
  const wallet = await live.wallet({ status: 'closed' });
  const proposed = await place({ wallet_id: wallet });
  expect(proposed).toMatchObject({ status: 202, body: { data: { kind: 'place_legal_hold' } } });
  expect((await approvedBy(proposed, ada)).status).toBe(403);
  expect(await listed(proposed.body.data.id)).toBeUndefined();
  const id = (await approvedBy(proposed, bola)).body.data.id;
  const lifting = await ada.post(`${OF_PARTNER()}/${id}/lift`, REASON);
  expect(lifting).toMatchObject({ status: 202, body: { data: { kind: 'lift_legal_hold' } } });
  expect(await listed(id)).toMatchObject({ lifted_at: null });
});

test('the list shows whom it is about by an id, why, and when it was lifted; the trail has every step', async () => {
  const wallet = await live.wallet();
  const id = await placed({ wallet_id: wallet });
  const shown = {
    id,
    partner_id: live.id,
    wallet_id: wallet,
    verification_id: null,
    reason: REASON.reason,
    placed_at: expect.stringMatching(/Z$/),
    lifted_at: null,
  };
  expect(await listed(id)).toEqual(shown);
  await lift(id);
  expect(await listed(id)).toEqual({ ...shown, lifted_at: expect.stringMatching(/Z$/) });
  const { body } = await ada.get('/ops/audit?limit=10');
  const actions = body.data.map((row: { action: string }) => row.action);
  expect(actions).toEqual(expect.arrayContaining(['placeLegalHold', 'liftLegalHold', 'approveProposal']));
});

test('a legal hold on nobody, on somebody else’s customer, on two, or lifted twice is refused', async () => {
  const stranger = await api.partner({ environment: 'live', status: 'active' });
  const [theirs, ours] = [await stranger.wallet(), await live.wallet()];
  expect(await place({ wallet_id: newId() })).toMatchObject({ status: 404 });
  expect(await place({ wallet_id: theirs })).toMatchObject({ status: 404 });
  expect(await place({ wallet_id: ours, verification_id: newId() })).toMatchObject({ status: 422 });
  expect(await ada.post(OF_PARTNER(), {})).toMatchObject({ status: 422 });
  const id = await placed({ wallet_id: ours });
  expect(await ada.post(`/ops/partners/${stranger.id}/legal-holds/${id}/lift`, REASON)).toMatchObject({
    status: 404,
  });
  await lift(id);
  expect(await ada.post(`${OF_PARTNER()}/${id}/lift`, REASON)).toMatchObject({
    status: 422,
    body: { error: 'INVALID_STATE' },
  });
});
