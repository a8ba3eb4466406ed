/**
 * What follows from a payment company's answers: every answer in every standing, and no history loses money.
 */
import fc from 'fast-check';
import {
  afterQuery,
  afterSubmit,
  needsPeople,
  payoutReference,
  QUERY_OUTCOMES,
  REFUSAL_CAUSES,
  SUBMIT_OUTCOMES,
  transferOfPayout,
  type AskingStanding,
  type PayoutStep,
  type QueryOutcome,
  type SendingStanding,
  type SubmitAnswer,
} from '../../../src/domain/payouts';

const inWords = (step: PayoutStep): string =>
  'standing' in step ? `${step.next}, ${step.standing}` : step.next;

const ANSWERS: readonly SubmitAnswer[] = SUBMIT_OUTCOMES.flatMap((outcome): SubmitAnswer[] =>
  outcome === 'refused' ? REFUSAL_CAUSES.map((cause) => ({ outcome, cause })) : [{ outcome }],
);
const named = (answer: SubmitAnswer): string =>
  answer.outcome === 'refused' ? `refused for ${answer.cause}` : answer.outcome;

const SUBMIT_TABLE: [answer: string, unsent: string, unsure: string][] = [
  ['accepted', 'query, accepted', 'query, accepted'],
  ['exists', 'query, accepted', 'query, accepted'],
  ['not_sent', 'submit, unsent', 'query, unsure'],
  ['refused for beneficiary', 'fail', 'query, unsure'],
  ['refused for float', 'submit, unsent', 'query, unsure'],
  ['refused for limit', 'submit, unsent', 'query, unsure'],
  ['refused for access', 'submit, unsent', 'query, unsure'],
  ['unknown', 'query, unsure', 'query, unsure'],
];

test.each(SUBMIT_TABLE)('an order that is %s: %s; after a lost one: %s', (name, unsent, unsure) => {
  const answer = ANSWERS.find((each) => named(each) === name)!;
  expect(inWords(afterSubmit('unsent', answer))).toBe(unsent);
  expect(inWords(afterSubmit('unsure', answer))).toBe(unsure);
});

const QUERY_TABLE: [outcome: QueryOutcome, unsure: string, accepted: string][] = [
  ['success', 'complete', 'complete'],
  ['failed', 'fail', 'fail'],
  ['reversed', 'fail', 'fail'],
  ['pending', 'query, accepted', 'query, accepted'],
  ['not_found', 'submit, unsure', 'query, accepted'],
  ['unknown', 'query, unsure', 'query, accepted'],
];

test.each(QUERY_TABLE)('a lost order that is %s: %s; an accepted one: %s', (outcome, unsure, accepted) => {
  expect(inWords(afterQuery('unsure', outcome))).toBe(unsure);
  expect(inWords(afterQuery('accepted', outcome))).toBe(accepted);
});

test('the tables have every answer', () => {
  expect(SUBMIT_TABLE.map(([name]) => name)).toEqual(ANSWERS.map(named));
  expect(QUERY_TABLE.map(([outcome]) => outcome)).toEqual([...QUERY_OUTCOMES]);
});

test.each(ANSWERS.map((answer) => [named(answer), answer] as const))(
  '%s calls operators, or does not',
  (name, answer) => {
    expect(needsPeople(answer)).toBe(['float', 'limit', 'access'].some((cause) => name.endsWith(cause)));
  },
);

test('a payout reference gives its transfer, and any other text gives none', () => {
  const id = '01980000-0000-7000-8000-000000000001';
  expect(payoutReference(id)).toMatch(/^[a-z0-9-]{16,50}$/);
  expect(transferOfPayout(payoutReference(id))).toBe(id);
  expect(transferOfPayout(id)).toBeNull();
});

/**
 * A company that keeps its promises on a bad line: an order or its answer may be lost, or the order may arrive
 * after later ones. It pays a reference at most once, and a final outcome never changes.
 */
interface Company {
  state: 'none' | 'working' | 'paid' | 'failed';
  /** Orders that were sent, were not answered, and may still arrive. */
  onTheWay: number;
}

/**
 * What happens next: to the order or the answer on the line, or at the company, or a plain answer.
 */
const EVENTS = [
  'answered',
  'not sent',
  'refused',
  'order lost',
  'answer lost',
  'late order arrives',
  'paid',
  'failed',
] as const;
type Event = (typeof EVENTS)[number];

/** Sends or asks, and gives the next step after the answer. */
function hear(company: Company, step: PayoutStep, event: Event): PayoutStep {
  if (step.next === 'submit') {
    const { standing } = step;
    if (event === 'order lost') {
      company.onTheWay++;
      return afterSubmit(standing, { outcome: 'unknown' });
    }
    if (event === 'not sent') return afterSubmit(standing, { outcome: 'not_sent' });
    if (event === 'refused' && company.state === 'none') {
      return afterSubmit(standing, { outcome: 'refused', cause: 'beneficiary' });
    }
    const isKnown = company.state !== 'none';
    if (!isKnown) company.state = 'working';
    if (event === 'answer lost') return afterSubmit(standing, { outcome: 'unknown' });
    return afterSubmit(standing, { outcome: isKnown ? 'exists' : 'accepted' });
  }
  if (step.next === 'query') {
    if (event === 'answer lost' || event === 'order lost') return afterQuery(step.standing, 'unknown');
    const said = { none: 'not_found', working: 'pending', paid: 'success', failed: 'failed' } as const;
    return afterQuery(step.standing, said[company.state]);
  }
  return step;
}

test('no history gives back money that was or can still be paid, or books a payment that was not made', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...EVENTS), { maxLength: 40 }), (history) => {
      const company: Company = { state: 'none', onTheWay: 0 };
      let step: PayoutStep = { next: 'submit', standing: 'unsent' };
      for (const event of history) {
        if (event === 'late order arrives' && company.onTheWay > 0) {
          company.onTheWay--;
          if (company.state === 'none') company.state = 'working';
        }
        if (event === 'paid' && company.state === 'working') company.state = 'paid';
        if (event === 'failed' && company.state === 'working') company.state = 'failed';
        step = hear(company, step, event);
        if (step.next === 'complete') expect(company.state).toBe('paid');
        if (step.next === 'fail') {
          expect(company.state).not.toBe('working');
          expect(company.state).not.toBe('paid');
          // A reference that has failed is not paid by an order that arrives later.
          expect(company.state === 'failed' || company.onTheWay === 0).toBe(true);
        }
        if (step.next === 'complete' || step.next === 'fail') break;
      }
    }),
    { numRuns: 5_000 },
  );
});

test('whatever happened before, a company that works again lets every transfer end', () => {
  type Beginning = Extract<PayoutStep, { standing: unknown }>;
  const standings = fc.constantFrom<Beginning>(
    ...(['unsent', 'unsure'] as SendingStanding[]).map((standing) => ({ next: 'submit', standing }) as const),
    ...(['unsure', 'accepted'] as AskingStanding[]).map((standing) => ({ next: 'query', standing }) as const),
  );
  fc.assert(
    fc.property(standings, fc.constantFrom<Company['state']>('working', 'paid', 'failed'), (from, state) => {
      const company: Company = { state: from.standing === 'accepted' ? state : 'none', onTheWay: 0 };
      let step: PayoutStep = from;
      for (let calls = 0; calls < 6 && (step.next === 'submit' || step.next === 'query'); calls++) {
        step = hear(company, step, 'answered');
        if (company.state === 'working') company.state = 'paid';
      }
      expect(['complete', 'fail']).toContain(step.next);
    }),
  );
});
