/** Webhook endpoints as rows: at most so many per partner, and each partner sees its own. */
import { andNothingElse } from '../support/endpoints';
import { valueOf } from '../support/outcomes';
import { insertEndpoint, listEndpoints, deleteEndpoint, updateEndpoint } from '../../src/db/events/endpoints';
import { newId } from '../../src/db/pg/ids';
import { openTestCell, type TestCell } from '../support/cell';

let cell: TestCell;
let partnerId: string;
const MAX = 20;

beforeAll(async () => {
  cell = await openTestCell();
});
beforeEach(() => {
  partnerId = newId();
});
afterAll(() => cell.close());

let made = 0;
const tryInsert = (owner = partnerId, url = `https://shop.example/hook/${String(++made)}`) =>
  insertEndpoint(
    cell.cell,
    {
      id: newId(),
      partnerId: owner,
      url,
      events: ['transaction.completed'],
      secretSealed: 'sealed',
    },
    MAX,
    andNothingElse,
  );
const insert = async (owner = partnerId) => valueOf(await tryInsert(owner));
const list = () => listEndpoints(cell.cell, partnerId);

test('a new endpoint is active and has no failures', async () => {
  const endpoint = await insert();
  expect(endpoint).toMatchObject({ partnerId, isActive: true, failureCount: 0, lastSuccessAt: null });
  expect(await list()).toEqual([endpoint]);
});

test('two endpoints are listed newest first', async () => {
  const [one, two] = [await insert(), await insert()];
  expect((await list()).map(({ id }) => id)).toEqual([two.id, one.id]);
});

test('of five at once with one url one is accepted', async () => {
  const taken = await cell.slowly('INSERT', 'webhook_endpoints', () =>
    Promise.all(Array.from({ length: 5 }, () => tryInsert(partnerId, 'https://shop.example/hook'))),
  );
  expect(taken.filter((one) => one.ok)).toHaveLength(1);
  expect(await list()).toHaveLength(1);
});

test('of two that move to one url at once one does', async () => {
  const ids = [(await insert()).id, (await insert()).id];
  const change = { url: 'https://shop.example/moved', events: null, isActive: null };
  const moved = await Promise.all(
    ids.map((id) => updateEndpoint(cell.cell, partnerId, id, change, andNothingElse)),
  );
  expect(moved.filter((one) => one.ok)).toHaveLength(1);
});

test('the 20th endpoint is accepted and the 21st is refused', async () => {
  for (let number = 1; number <= MAX; number++) expect(await tryInsert()).toMatchObject({ ok: true });
  expect(await tryInsert()).toMatchObject({ refusal: { code: 'LIMIT_EXCEEDED', detail: { limit: MAX } } });
  expect(await tryInsert(newId())).toMatchObject({ ok: true });
});

test('a deleted endpoint makes room for another', async () => {
  for (let number = 1; number <= MAX; number++) await insert();
  await deleteEndpoint(cell.cell, partnerId, (await list())[0]!.id, andNothingElse);
  expect(await tryInsert()).toMatchObject({ ok: true });
  expect(await tryInsert()).toMatchObject({ refusal: { code: 'LIMIT_EXCEEDED', detail: { limit: MAX } } });
});

test('of five at once for the last place one is accepted', async () => {
  for (let number = 1; number < MAX; number++) await insert();

  const taken = await cell.slowly('INSERT', 'webhook_endpoints', () =>
    Promise.all(Array.from({ length: 5 }, () => tryInsert())),
  );

  expect(taken.filter((one) => one.ok)).toHaveLength(1);
  expect(await list()).toHaveLength(MAX);
});
