/**
 * Prembly's adapter over the fake Prembly, which is a process that speaks HTTP: the contract of the port, and one case for
 * each answer that Prembly may give, those just past the edge included.
 */
import { randomUUID } from 'node:crypto';
import type { IdentityOrder, Provider } from '../../../src/providers/port';
import { createPrembly } from '../../../src/providers/prembly/prembly';
import type { Fault } from '../../standins/kit';
import type { PremblyState } from '../../standins/prembly/state';
import { openFakeCompany, type FakeCompany } from '../../support/fake-company';
import { keepsTheContract } from '../../support/provider-contract';

const WITHIN_MS = 900;
const ADA = '22222222222';
const BVN = 'POST /verification/bvn';
const NIN = 'POST /verification/vnin';

let prembly: FakeCompany<PremblyState>;
let adapter: Required<Pick<Provider, 'name' | 'can' | 'identity'>>;

const openAdapter = (more: { url?: string; apiKey?: string } = {}) =>
  createPrembly({
    url: prembly.url,
    apiKey: 'fake-prembly-key',
    appId: 'app-1',
    answersWithinMs: WITHIN_MS,
    ...more,
  }) as typeof adapter;

beforeAll(async () => {
  prembly = await openFakeCompany<PremblyState>('prembly');
  adapter = openAdapter();
});
afterEach(() => prembly.set({ faults: [], codes: {} }));
afterAll(() => prembly.close());

const order = (more: Partial<IdentityOrder> = {}): IdentityOrder => ({
  verificationId: randomUUID(),
  type: 'bvn',
  number: ADA,
  expectedName: 'Ada Obi',
  submittedAt: new Date(),
  ...more,
});
const lookUp = (more: Partial<IdentityOrder> = {}) => adapter.identity.lookUp(order(more));
const everywhere = (fault: Omit<Fault, 'on'>) => () => prembly.faulty([BVN, NIN], fault);
const found = (name: string | null, watchListed: boolean | null) => ({
  outcome: 'found',
  record: { name, nameFits: null, watchListed },
});
const OUTAGE = 'without an answer that is known';

describe('Prembly as a company', () => {
  keepsTheContract(['identity'], () =>
    Promise.resolve({
      provider: adapter,
      identity: { type: 'bvn', number: ADA, expectedName: null },
      troubles: {
        'a connection that breaks': everywhere({ does: 'drop before' }),
        'no answer': everywhere({ does: 'hang after' }),
        'an unknown word': everywhere({ does: 'answer', body: { response_code: '08', message: ADA } }),
        'a page of HTML': everywhere({ does: 'answer', body: `<html>${ADA}</html>` }),
        'an error of the server': everywhere({
          does: 'answer',
          status: 500,
          body: { response_code: '01', message: ADA },
        }),
      },
    }),
  );
});

describe('the answer to a look-up', () => {
  test.each<[code: string, what: string, answer: object]>([
    ['00', 'the record', found('ADA NGOZI OBI', false)],
    ['01', 'no record', { outcome: 'not_found' }],
    ['03', 'our purse is empty', { outcome: 'refused', cause: 'float' }],
    ['07', 'on the watch list', found(null, true)],
  ])('%s (%s)', async (code, _what, answer) => {
    await prembly.set({ codes: { [ADA]: code } });
    expect(await lookUp()).toEqual(answer);
  });

  test.each(['02', '04', '0', '1', '', 'constructor'])(
    '%j, which is no answer, is an outage',
    async (code) => {
      await prembly.set({ codes: { [ADA]: code } });
      await expect(lookUp()).rejects.toThrow(/^Prembly answered HTTP 200 without an answer that is known$/);
    },
  );

  test('the record of a NIN is spelt in its own way, and says nothing of a watch list', async () => {
    expect(await lookUp({ type: 'nin' })).toEqual(found('ADA NGOZI OBI', null));
  });

  const record = { bvn: ADA, firstName: 'ADA', lastName: 'OBI' };
  const whole = (data: object, more: object = {}) => ({ response_code: '00', data, ...more });
  test.each<[word: unknown, listed: boolean | null]>([
    [true, true],
    ['True', true],
    [' YES ', true],
    [false, false],
    ['no', false],
    ['', null],
    [null, null],
    [undefined, null],
  ])('the word %j for the watch list means %j', async (watchListed, listed) => {
    await prembly.faulty([BVN], { does: 'answer', body: whole({ ...record, watchListed }) });
    expect(await lookUp()).toEqual(found('ADA OBI', listed));
  });

  test.each<[what: string, body: unknown, status?: number]>([
    ['another person’s record', whole({ ...record, bvn: '22222222223' })],
    ['a record without a last name', whole({ ...record, lastName: ' ' })],
    ['an unknown word for the watch list', whole({ ...record, watchListed: 'MAYBE' })],
    ['no record', { response_code: '00' }],
    ['a record that was not verified', whole(record, { verification: { status: 'PENDING' } })],
    ['nobody, which is pending', { response_code: '01', verification: { status: 'PENDING' } }],
    ['the code as a number', { response_code: 1 }],
    ['nobody, with an error of HTTP', { response_code: '01' }, 404],
    ['a redirection', '', 302],
  ])('%s is an outage', async (_what, body, status = 200) => {
    await prembly.faulty([BVN], { does: 'answer', status, body });
    await expect(lookUp()).rejects.toThrow(OUTAGE);
  });

  test.each([401, 403])('HTTP %i: our key is not taken', async (status) => {
    await prembly.faulty([BVN], { does: 'answer', status, body: { message: 'no' } });
    expect(await lookUp()).toEqual({ outcome: 'refused', cause: 'access' });
  });

  test('with another key, and where nobody listens, nobody is looked up', async () => {
    const before = (await prembly.state()).lookUps.length;
    expect(await openAdapter({ apiKey: 'another-key' }).identity.lookUp(order())).toEqual({
      outcome: 'refused',
      cause: 'access',
    });
    await expect(openAdapter({ url: 'http://127.0.0.1:9' }).identity.lookUp(order())).rejects.toThrow(
      'There is no connection to Prembly: ECONNREFUSED',
    );
    expect((await prembly.state()).lookUps).toHaveLength(before);
  });
});
