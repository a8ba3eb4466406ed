/** The daily look at the companies' lists of banks, on a real database: what is remembered, and what is only told. */
import { differingBanks, rememberedBanks } from '../../src/db/payments/listed-banks';
import type { ListedBank } from '../../src/domain/bank-lists';
import { createBankDirectory } from '../../src/providers/bank-directory';
import type { Environment } from '../../src/runtime/environment';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';

const DIRECTORY = 'sandbox_directory';
const ALPHA = { code: 'A01', nipCode: null, name: 'Alpha Bank' };
const GTB = { code: '058', nipCode: '000013', name: 'GTBank' };

let cell: TestCell;
let worker: TestActivities;
/** What each company says when it is asked. */
let lists: Record<string, () => Promise<ListedBank[]>> = {};

/** Companies with lists, in the sandbox, which has none itself. */
function withLists(environment: Environment): Environment {
  const { pool, providers } = environment;
  const [simulator] = providers.payouts;
  if (!simulator) throw new Error('nobody pays out');
  const company = (name: string) => ({
    ...simulator,
    name,
    payouts: { ...simulator.payouts, listed: () => lists[name]?.() ?? Promise.reject(new Error('away')) },
  });
  return {
    ...environment,
    banks: createBankDirectory({ added: null, remembered: () => rememberedBanks(pool, DIRECTORY) }),
    providers: { ...providers, payouts: [company('paystack'), company('monnify'), simulator] },
  };
}

beforeAll(async () => {
  cell = await openTestCell();
  worker = openActivities(cell.url, {}, withLists);
});
afterAll(async () => {
  await worker.close();
  await cell.close();
});
beforeEach(async () => {
  lists = {};
  await cell.owner.query(`DELETE FROM ${DIRECTORY}.listed_banks`);
  await cell.owner.query(`DELETE FROM ${DIRECTORY}.bank_lists`);
});

const say =
  (...banks: ListedBank[]) =>
  (): Promise<ListedBank[]> =>
    Promise.resolve(banks);
const refresh = () => worker.run('refreshBanks');
const remembered = async () =>
  (await rememberedBanks(cell.cell.pool, DIRECTORY)).map(({ company, code, name }) => [company, code, name]);
const differing = () => differingBanks(cell.cell.pool, DIRECTORY);
/** The banks as another process reads them. */
const find = (code: string) =>
  createBankDirectory({ added: null, remembered: () => rememberedBanks(cell.cell.pool, DIRECTORY) }).find(
    code,
  );

test('a new bank is found by other processes; a second look, and two at once, change nothing', async () => {
  lists = { paystack: say(GTB, ALPHA) };
  const looks = await Promise.all([refresh(), refresh(), refresh()]);
  expect(looks.map((added) => added['paystack']).sort()).toEqual([0, 0, 2]);
  expect(await find('A01')).toMatchObject({ name: 'Alpha Bank', companyCodes: { monnify: null } });
  expect(await refresh()).toEqual({ paystack: 0, monnify: null });
  expect(await remembered()).toEqual([
    ['paystack', '058', 'GTBank'],
    ['paystack', 'A01', 'Alpha Bank'],
  ]);
  expect(await differing()).toEqual([{ company: 'paystack', codes: 0, names: 0, gone: 0 }]);
});

test('what both companies list under one code and name is one bank, that both can be sent to', async () => {
  lists = { paystack: say(ALPHA), monnify: say({ ...ALPHA, nipCode: '090777', name: 'ALPHA BANK PLC' }) };
  await refresh();
  expect((await find('A01'))?.companyCodes).toEqual({ paystack: 'A01', monnify: 'A01' });
  expect((await differing()).map(({ codes }) => codes)).toEqual([0, 0]);
});

test('a code that means another bank at another company is counted, and never becomes that bank', async () => {
  lists = { paystack: say(ALPHA), monnify: say({ ...ALPHA, name: 'Gamma Bank' }) };
  await refresh();
  expect(await find('A01')).toMatchObject({ name: 'Alpha Bank', companyCodes: { monnify: null } });
  expect(await differing()).toEqual([
    { company: 'monnify', codes: 1, names: 0, gone: 0 },
    { company: 'paystack', codes: 0, names: 0, gone: 0 },
  ]);
});

test.each<[what: string, next: ListedBank[], counts: object]>([
  ['is listed no more', [GTB], { codes: 0, names: 0, gone: 1 }],
  ['has another name', [GTB, { ...ALPHA, name: 'Omega Bank' }], { codes: 0, names: 1, gone: 0 }],
  ['has another code', [GTB, { ...ALPHA, code: 'A02' }], { codes: 1, names: 0, gone: 1 }],
])('a bank that %s stays what it was', async (_what, next, counts) => {
  lists = { paystack: say(GTB, ALPHA) };
  await refresh();
  lists = { paystack: say(...next) };
  await refresh();
  expect(await find('A01')).toMatchObject({ name: 'Alpha Bank', companyCodes: { paystack: 'A01' } });
  expect(await find('A02')).toBeUndefined();
  expect(await differing()).toEqual([{ company: 'paystack', ...counts }]);
  lists = { paystack: say(GTB, ALPHA) };
  await refresh();
  expect(await differing()).toEqual([{ company: 'paystack', codes: 0, names: 0, gone: 0 }]);
});

test.each<[what: string, list: () => Promise<ListedBank[]>]>([
  ['does not answer', () => Promise.reject(new Error('connection refused'))],
  ['tells an empty list', say()],
])('a company that %s changes nothing, and the other one is asked', async (_what, list) => {
  lists = { paystack: say(GTB, ALPHA), monnify: say(GTB) };
  await refresh();
  const before = await differing();
  lists = { paystack: list, monnify: say(GTB) };
  expect(await refresh()).toEqual({ paystack: null, monnify: 0 });
  expect(await differing()).toEqual(before);
  expect(await find('A01')).toBeDefined();
});

test('rows that cannot be banks are counted, and are not remembered', async () => {
  lists = { paystack: say(GTB, { code: '1', nipCode: null, name: 'Short' }, { ...ALPHA, name: '' }) };
  await refresh();
  expect(await remembered()).toEqual([['paystack', '058', 'GTBank']]);
  expect(await differing()).toEqual([{ company: 'paystack', codes: 2, names: 0, gone: 0 }]);
});
