/** Which identity company decides, and what is waited for where none does (D35). */
import { askBureaus } from '../../src/operations/identity/ask-bureaus';
import { forEveryWork, whoServes, type IdentityAnswer } from '../../src/providers/port';

const ORDER = {
  verificationId: 'v',
  type: 'bvn' as const,
  number: '22222222222',
  expectedName: null,
  submittedAt: new Date(),
};
const found: IdentityAnswer = {
  outcome: 'found',
  record: { name: 'ADA OBI', nameFits: null, watchListed: null },
};
const notFound: IdentityAnswer = { outcome: 'not_found' };
const pending: IdentityAnswer = { outcome: 'pending', pollAfterMs: 5 };
const needsName: IdentityAnswer = { outcome: 'needs_name' };
const refused: IdentityAnswer = { outcome: 'refused', cause: 'float' };
const unavailable: IdentityAnswer = { outcome: 'unavailable' };
const AWAY = 'away';

async function ask(...answers: (IdentityAnswer | typeof AWAY)[]) {
  const asked: string[] = [];
  const troubles: string[] = [];
  const companies = answers.map((answer, place) => ({
    name: `c${place}`,
    can: { failsForGood: false, asksFirst: false },
    identity: {
      lookUp: () => {
        asked.push(`c${place}`);
        return answer === AWAY ? Promise.reject(new Error(`about ${ORDER.number}`)) : Promise.resolve(answer);
      },
    },
  }));
  const heard = await askBureaus(whoServes(forEveryWork(companies)).identity, ORDER, (company, trouble) =>
    troubles.push(`${company} ${trouble}`),
  ).catch(String);
  return { heard, asked, troubles };
}

test.each<[what: string, answers: (IdentityAnswer | typeof AWAY)[], answer: IdentityAnswer, company: string]>(
  [
    ['the first that has an answer', [found, notFound], found, 'c0'],
    ['not found is an answer', [notFound, found], notFound, 'c0'],
    ['another one where the first is away', [AWAY, found], found, 'c1'],
    ['another one where the first does not serve us', [refused, found], found, 'c1'],
    ['another one where the first waits for its register', [pending, notFound], notFound, 'c1'],
    ['another one where the first needs a name', [needsName, found], found, 'c1'],
    ['another one where the first has given up', [unavailable, found], found, 'c1'],
  ],
)('the company that decides is %s', async (_what, answers, answer, company) => {
  const { heard, asked } = await ask(...answers);
  expect(heard).toEqual({ answer, company });
  expect(asked.at(-1)).toBe(company);
});

test.each<[answers: (IdentityAnswer | typeof AWAY)[], answer: IdentityAnswer]>([
  [[pending], pending],
  [[AWAY, pending], pending],
  [[pending, refused], pending],
  [[needsName, pending], pending],
  [[needsName], needsName],
  [[unavailable, needsName], needsName],
  [[unavailable], unavailable],
])('without an answer of %j it waits for %j', async (answers, answer) => {
  expect((await ask(...answers)).heard).toEqual({ answer, company: null });
});

test.each<[answers: (IdentityAnswer | typeof AWAY)[], why: string]>([
  [[], 'none is configured'],
  [[AWAY], 'c0: away'],
  [[AWAY, refused], 'c0: away, c1: float'],
  [[AWAY, needsName], 'c0: away'],
  [[unavailable, AWAY], 'c1: away'],
])('with %j nobody could be asked, and the number is not repeated', async (answers, why) => {
  const { heard, troubles } = await ask(...answers);
  expect(heard).toBe(`Error: the identity bureau could not be asked (${why})`);
  expect(troubles).toHaveLength(answers.filter((one) => one === AWAY || one === refused).length);
});
