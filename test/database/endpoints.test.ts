/** Webhook endpoints as rows: at most so many per partner, and each partner sees its own. */
import { andNothingElse } from '../support/endpoints';
import { valueOf } from '../support/outcomes';
import { insertEndpoint, listEndpoints, deleteEndpoint } from '../../src/db/events/endpoints';
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

const tryInsert = (owner = partnerId) =>
  insertEndpoint(
    cell.cell,
    {
      id: newId(),
      partnerId: owner,
      url: 'https://shop.example/hook',
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

test('the same url twice is two endpoints, newest first', async () => {
  const [one, two] = [await insert(), await insert()];
  expect((await list()).map(({ id }) => id)).toEqual([two.id, one.id]);
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
