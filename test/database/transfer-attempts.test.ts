/**
 * Attempts to pay bank transfers, from the step of the workflow down to Postgres: what is written before an order is
 * sent, what each answer of a company leaves behind, and what Postgres refuses.
 */
import { insertPartner } from '../../src/db/partners/credentials';
import { companyAccountId } from '../../src/domain/accounts';
import {
  approveAttempt,
  changeAttempt,
  findAttempts,
  openAttempt,
} from '../../src/db/payments/transfer-attempts';
import { dutyIdOf, newId } from '../../src/db/pg/ids';
import { findTransaction } from '../../src/db/ledger/transactions';
import {
  afterSubmit,
  withOpenPost,
  type Attempt,
  type NameAnswer,
  type PayoutOrder,
  type RefusalCause,
} from '../../src/domain/payouts';
import {
  forEveryWork,
  whoServes,
  type Provider,
  type Queried,
  type Submitted,
} from '../../src/providers/port';
import { auditCell } from '../support/audit';
import { openActivities, type TestActivities } from '../support/activities';
import { openTestCell, type TestCell } from '../support/cell';
import { saying, withFake } from '../support/fakes';
import { bankTransfer, transactionIdOf } from '../support/movements';
import { SANDBOX_CELL } from '../setup/cells';

const FUNDED_KOBO = 100_000;
const DEBIT_KOBO = 15_000;

let cell: TestCell;
let activities: TestActivities;
const directory = 'sandbox_directory';

/** Two companies outside, which answer what a case tells them, one answer after the other. */
const answers = {
  submit: [] as (Submitted | 'no answer')[],
  query: [] as Queried[],
  names: [] as (NameAnswer | 'no answer')[],
};
/** Every call, in order. */
let calls: string[];

function company(name: string): Provider {
  const note = (call: string, { reference }: PayoutOrder) =>
    calls.push(`${name} ${call} ${reference.at(-1)!}`);
  return {
    name,
    can: { failsForGood: false, asksFirst: false },
    payouts: {
      submit(order) {
        note('submit', order);
        const answer = answers.submit.shift() ?? saying('unknown');
        return answer === 'no answer' ? Promise.reject(new Error('reset by peer')) : Promise.resolve(answer);
      },
      query(order) {
        note('query', order);
        return Promise.resolve(answers.query.shift() ?? saying('unknown'));
      },
    },
    names: {
      enquire() {
        const answer = answers.names.shift() ?? { found: 'ADA OBI' };
        if (answer === 'no answer') return Promise.reject(new Error('timeout'));
        return Promise.resolve(answer);
      },
    },
  };
}
const open = (names: readonly string[], settings: Record<string, string> = {}): TestActivities =>
  openActivities(cell.url, settings, (environment) =>
    withFake(environment, ...names.map((name) => () => company(name))),
  );

beforeAll(async () => {
  cell = await openTestCell();
  activities = open(['first', 'second']);
});
afterAll(async () => {
  await activities.close();
  await cell.close();
});
beforeEach(() => {
  calls = [];
  for (const list of Object.values(answers)) list.length = 0;
});

/** Our balance with a company, in the books. */
const balanceWith = (name: string) => companyAccountId('1200', name);

interface Sent {
  partnerId: string;
  transactionId: string;
  walletId: string;
  epoch: number;
}

async function accepted(amountKobo = 10_000, dutyKobo = 0): Promise<Sent> {
  const partnerId = newId();
  const names = { businessName: 'Acme Fintech', email: `${partnerId}@acme.example` };
  const cells = { sandbox: SANDBOX_CELL, live: SANDBOX_CELL.replace('sandbox', 'live') };
  await insertPartner(cell.owner, { id: partnerId, ...names, status: 'registered' }, cells);
  const fundKobo = FUNDED_KOBO + amountKobo - 10_000 + dutyKobo;
  const from = await cell.wallet({ partnerId, fundKobo });
  const movement = bankTransfer({ partnerId, from, amountKobo, dutyKobo });
  const transactionId = transactionIdOf(await cell.openWriter().post(movement));
  return { partnerId, transactionId, walletId: from, epoch: 0 };
}

const step = (sent: Sent, by = activities) => by.run('queryTransfer', sent, 0);
const attemptsOf = async ({ transactionId }: Sent): Promise<Attempt[]> =>
  (await findAttempts(cell.cell, directory, { id: transactionId, createdAt: new Date() })).attempts;
const inWords = async (sent: Sent): Promise<string[]> =>
  (await attemptsOf(sent)).map(
    ({ n, provider, state, openPosts, cause }) =>
      `${String(n)} ${provider}: ${state}${cause === null ? '' : ` for ${cause}`}, ${String(openPosts)} open`,
  );
async function ended({ transactionId, walletId }: Sent): Promise<[status: string, balanceKobo: number]> {
  const [row] = await cell.sql(
    `SELECT t.status, a.balance_kobo FROM ${SANDBOX_CELL}.transactions t, ${SANDBOX_CELL}.accounts a
      WHERE t.id = $1 AND a.id = $2`,
    [transactionId, walletId],
  );
  return [row?.['status'] as string, Number(row?.['balance_kobo'])];
}
const OPEN = ['processing', FUNDED_KOBO - DEBIT_KOBO];
const PAID = ['completed', FUNDED_KOBO - DEBIT_KOBO];
const GIVEN_BACK = ['failed', FUNDED_KOBO];
const refused = (cause: RefusalCause): Submitted => ({ ...saying('refused', { reason: 'No' }), cause });

test('an order that is accepted and paid leaves one attempt, with all that the company has told', async () => {
  const sent = await accepted();
  answers.submit = [saying('accepted', { providerRef: 'TRF_1', code: '09', pollAfterMs: 0 })];
  answers.query = [saying('success', { providerRef: 'TRF_1', sessionId: 'S1', code: '00', feeKobo: 1_000 })];
  expect(await step(sent)).toMatchObject({ ended: 'completed', answer: 'success' });
  expect(calls).toEqual(['first submit 1', 'first query 1']);
  expect(await attemptsOf(sent)).toEqual([
    {
      n: 1,
      provider: 'first',
      state: 'succeeded',
      begunAt: expect.any(Date),
      openPosts: 1,
      sentAt: expect.any(Date),
      declinedAt: null,
      cause: null,
      failedAt: null,
      said: 'success',
      saidCode: '00',
      saidReason: null,
      providerRef: 'TRF_1',
      sessionId: 'S1',
      code: '00',
      feeKobo: 1_000,
      dutyKobo: null,
      needsAuthorization: false,
    },
  ]);
  expect(await ended(sent)).toEqual(PAID);
});

test('an order whose answer was lost is asked about, and sent again to the same company under the same reference', async () => {
  const sent = await accepted();
  answers.submit = ['no answer', refused('float'), saying('accepted')];
  expect(await step(sent)).toMatchObject({ next: 'query', answer: 'unknown' });
  expect(await inWords(sent)).toEqual(['1 first: sending, 1 open']);
  answers.query = [saying('not_found'), saying('not_found'), saying('success')];
  // The refusal says nothing about the first order, so no other company is used.
  await step(sent);
  expect(await inWords(sent)).toEqual(['1 first: sending for float, 1 open']);
  await step(sent);
  expect(await inWords(sent)).toEqual(['1 first: accepted, 2 open']);
  await step(sent);
  expect(calls).toEqual([
    'first submit 1',
    'first query 1',
    'first submit 1',
    'first query 1',
    'first submit 1',
    'first query 1',
  ]);
  expect(await ended(sent)).toEqual(PAID);
});

test('a worker that was killed before it sent the order: the company is asked first, and gets the order once', async () => {
  const sent = await accepted();
  await openAttempt(cell.cell, directory, { id: sent.transactionId, ...sent }, { n: 1, provider: 'first' });
  answers.query = [saying('not_found'), saying('success')];
  answers.submit = [saying('accepted')];
  await step(sent);
  await step(sent);
  expect(calls).toEqual(['first query 1', 'first submit 1', 'first query 1']);
  expect(await ended(sent)).toEqual(PAID);
});

test.each(['float', 'limit', 'access'] as const)(
  'a company refuses for our %s and has no order: the next one pays, under another reference',
  async (cause) => {
    const sent = await accepted();
    answers.submit = [refused(cause), saying('accepted')];
    expect(await step(sent)).toMatchObject({ next: 'submit', pollAfterMs: 0, needsAttention: true });
    await step(sent);
    expect(await inWords(sent)).toEqual([
      `1 first: refused for ${cause}, 0 open`,
      '2 second: accepted, 1 open',
    ]);
    answers.query = [saying('success')];
    await step(sent);
    expect(calls).toEqual(['first submit 1', 'second submit 2', 'second query 2']);
    expect(await ended(sent)).toEqual(PAID);
  },
);

test('a company that is not to be reached gets the order later where it is the only one', async () => {
  const sent = await accepted();
  const alone = open(['first']);
  answers.submit = [saying('not_sent', { pollAfterMs: 7_000 }), saying('accepted')];
  expect(await step(sent, alone)).toMatchObject({ next: 'submit', pollAfterMs: 7_000 });
  await step(sent, alone);
  expect(await inWords(sent)).toEqual(['1 first: accepted, 1 open']);
  await alone.close();
});

test('a refused beneficiary: amount and fee are given back at once', async () => {
  const sent = await accepted();
  answers.submit = [refused('beneficiary')];
  expect(await step(sent)).toMatchObject({ ended: 'failed' });
  expect(await ended(sent)).toEqual(GIVEN_BACK);
});

describe('an order to which its company says no for a reason that nobody knows', () => {
  const no = (): Submitted => ({
    ...saying('unknown', { reason: 'It answered HTTP 400', saidCode: 'new_code' }),
    outcome: 'unknown',
    saysNo: true,
  });
  const missing = (): Queried =>
    saying('not_found', { reason: 'It answered HTTP 404', saidCode: 'http_404' });

  test('and which it does not know afterwards: amount and fee are given back, after one order', async () => {
    const alone = open(['first']);
    const sent = await accepted();
    answers.submit = [no()];
    expect(await step(sent, alone)).toMatchObject({ next: 'query', answer: 'unknown' });
    expect(await ended(sent)).toEqual(OPEN);
    answers.query = [missing()];
    expect(await step(sent, alone)).toMatchObject({ ended: 'failed' });
    expect(calls).toEqual(['first submit 1', 'first query 1']);
    expect(await inWords(sent)).toEqual(['1 first: refused for declined, 0 open']);
    const [attempt] = await attemptsOf(sent);
    // Why it was declined stays, although the last answer was another one.
    expect(attempt).toMatchObject({
      said: 'unknown',
      saidCode: 'new_code',
      saidReason: 'It answered HTTP 400',
    });
    const [row] = await cell.sql(`SELECT failed_reason FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [
      sent.transactionId,
    ]);
    expect(row?.['failed_reason']).toBe('The payment provider did not accept the transfer');
    expect(await ended(sent)).toEqual(GIVEN_BACK);
    await alone.close();
  });

  test('is paid by another company that has not tried, under another reference', async () => {
    const sent = await accepted();
    answers.submit = [no(), saying('accepted')];
    answers.query = [missing(), saying('success')];
    for (let steps = 0; steps < 3; steps++) await step(sent);
    expect(calls).toEqual(['first submit 1', 'first query 1', 'second submit 2', 'second query 2']);
    expect(await ended(sent)).toEqual(PAID);
  });

  test.each<[what: string, query: Queried[]]>([
    ['has it all the same', [saying('pending')]],
    ['does not know', [saying('unknown')]],
  ])('and which the company then %s, is not given back', async (_what, query) => {
    const alone = open(['first']);
    const sent = await accepted();
    answers.submit = [no()];
    answers.query = query;
    await step(sent, alone);
    await step(sent, alone);
    expect(await ended(sent)).toEqual(OPEN);
    expect(calls).toEqual(['first submit 1', 'first query 1']);
    await alone.close();
  });

  test('beside an order whose answer was lost proves nothing, and leaves the quiet time as it was', async () => {
    const alone = open(['first']);
    const sent = await accepted();
    answers.submit = ['no answer', no(), no(), refused('beneficiary')];
    answers.query = [missing(), missing(), missing()];
    await step(sent, alone);
    const [lost] = await attemptsOf(sent);
    for (let steps = 0; steps < 3; steps++) await step(sent, alone);
    expect(calls.filter((call) => call === 'first submit 1')).toHaveLength(4);
    expect(await inWords(sent)).toEqual(['1 first: sending for beneficiary, 1 open']);
    expect((await attemptsOf(sent))[0]).toMatchObject({ sentAt: lost!.sentAt, openPosts: 1 });
    expect(await ended(sent)).toEqual(OPEN);
    // Another order is lost, and the time begins anew.
    answers.submit = ['no answer'];
    answers.query = [missing()];
    await step(sent, alone);
    const [again] = await attemptsOf(sent);
    expect(again!.sentAt.getTime()).toBeGreaterThan(lost!.sentAt.getTime());
    await alone.close();
  });

  test('is not given back after a restore, which may have forgotten an order', async () => {
    const sent = await accepted();
    const alone = open(['first']);
    answers.submit = [no()];
    await step(sent, alone);
    await cell.sql(
      `INSERT INTO ${directory}.restores (taken_at, restored_at) VALUES (now(), now() + interval '10 minutes')`,
    );
    answers.query = [missing(), missing()];
    answers.submit = [no()];
    await step(sent, alone);
    await step(sent, alone);
    await cell.sql(`DELETE FROM ${directory}.restores`);
    expect(await ended(sent)).toEqual(OPEN);
    await alone.close();
  });
});

test('a refused beneficiary is told to the partner in our words, also where its end is booked by a later run', async () => {
  const sent = await accepted();
  answers.submit = [{ ...refused('beneficiary'), reason: 'The destination account is closed' }];
  await step(sent);
  const [row] = await cell.sql(`SELECT failed_reason FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [
    sent.transactionId,
  ]);
  expect(row?.['failed_reason']).toBe('The destination account is closed');
  const later = await accepted();
  await cell.sql(
    `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts, cause, said, said_reason)
     VALUES ($1, 1, 'first', 'refused', 0, 'beneficiary', 'refused', 'The destination account is closed')`,
    [later.transactionId],
  );
  await step(later);
  const [told] = await cell.sql(`SELECT failed_reason FROM ${SANDBOX_CELL}.transactions WHERE id = $1`, [
    later.transactionId,
  ]);
  expect(told?.['failed_reason']).toBe('The destination account is closed');
});

test('a name that one company does not know is asked of the next one, and only "not found" fails the transfer', async () => {
  const silent = await accepted();
  answers.names = ['no answer', 'unknown'];
  answers.submit = [saying('accepted')];
  await step(silent);
  expect(await inWords(silent)).toEqual(['1 first: accepted, 1 open']);
  const unknown = await accepted();
  answers.names = ['no answer', 'not_found'];
  expect(await step(unknown)).toMatchObject({ ended: 'failed' });
  expect(calls).toEqual(['first submit 1']);
  expect(await ended(unknown)).toEqual(GIVEN_BACK);
});

describe('a payout that its company calls failed', () => {
  const failed = (): Queried => saying('failed', { reason: 'Do not honor' });

  async function afterOneKey(): Promise<Sent> {
    const sent = await accepted();
    answers.submit = [saying('accepted')];
    answers.query = [failed()];
    await step(sent);
    expect(await step(sent)).toMatchObject({ next: 'query', answer: 'failed', pollAfterMs: 60_000 });
    expect(await ended(sent)).toEqual(OPEN);
    return sent;
  }
  const aMinuteLater = ({ transactionId }: Sent) =>
    cell.sql(
      `UPDATE ${SANDBOX_CELL}.transfer_attempts SET failed_at = failed_at - interval '1 minute'
        WHERE transaction_id = $1`,
      [transactionId],
    );

  test('is given back only when the company says it again a minute later', async () => {
    const sent = await afterOneKey();
    answers.query = [failed(), failed()];
    await step(sent);
    expect(await ended(sent)).toEqual(OPEN);
    await aMinuteLater(sent);
    expect(await step(sent)).toMatchObject({ ended: 'failed' });
    expect(await ended(sent)).toEqual(GIVEN_BACK);
  });

  test('is given back when a callback says it too', async () => {
    const sent = await afterOneKey();
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.provider_callbacks (id, provider, event_id, partner_id, transaction_id,
         provider_reference, outcome, amount_kobo, currency, occurred_at)
       VALUES ($1, 'first', 'one event', $2, $3, 'r', 'failed', 10000, 'NGN', now())`,
      [newId(), sent.partnerId, sent.transactionId],
    );
    answers.query = [failed()];
    expect(await step(sent)).toMatchObject({ ended: 'failed' });
    expect(await ended(sent)).toEqual(GIVEN_BACK);
  });

  test.each(['success', 'pending'] as const)('and then %s is not given back', async (outcome) => {
    const sent = await afterOneKey();
    await aMinuteLater(sent);
    answers.query = [saying(outcome), failed()];
    await step(sent);
    await step(sent);
    expect((await ended(sent))[0]).toBe(outcome === 'success' ? 'completed' : 'processing');
  });
});

test('a transfer that no company takes is given back after the hold, and is tried at least once', async () => {
  const sent = await accepted();
  const impatient = open(['first'], { PAYOUT_HOLD_MS: '0' });
  answers.submit = [refused('float')];
  expect(await step(sent, impatient)).toMatchObject({ ended: 'failed' });
  expect(await inWords(sent)).toEqual(['1 first: refused for hold, 0 open']);
  expect(await ended(sent)).toEqual(GIVEN_BACK);
  await impatient.close();
});

test('a transfer with a lost order is never given back because of its age', async () => {
  const sent = await accepted();
  const impatient = open(['first'], { PAYOUT_HOLD_MS: '0' });
  answers.submit = ['no answer', refused('beneficiary')];
  answers.query = [saying('not_found')];
  await step(sent, impatient);
  await step(sent, impatient);
  expect(await inWords(sent)).toEqual(['1 first: sending for beneficiary, 1 open']);
  expect(await ended(sent)).toEqual(OPEN);
  await impatient.close();
});

test('the company of an attempt is asked although another one is preferred now; without it nothing is done', async () => {
  const sent = await accepted();
  answers.submit = [saying('accepted')];
  await step(sent);
  const turned = open(['second', 'first']);
  answers.query = [saying('pending')];
  await step(sent, turned);
  expect(calls).toEqual(['first submit 1', 'first query 1']);
  const without = open(['second']);
  await expect(step(sent, without)).rejects.toThrow('the provider first is not configured');
  expect(calls).toEqual(['first submit 1', 'first query 1']);
  await Promise.all([turned.close(), without.close()]);
});

test('a company that gets no orders any more is asked about what is open with it, and gets nothing', async () => {
  const [paid, lost] = [await accepted(), await accepted()];
  answers.submit = [saying('accepted'), 'no answer'];
  await step(paid);
  await step(lost);
  const without = openActivities(cell.url, {}, (environment) => {
    const { providers } = withFake(environment, () => company('second'));
    const { former } = whoServes({ ...forEveryWork([]), former: [company('first')] });
    return { ...environment, providers: { ...providers, former } };
  });
  answers.query = [saying('success'), saying('not_found'), saying('not_found')];
  expect(await step(paid, without)).toMatchObject({ ended: 'completed' });
  expect(await ended(paid)).toEqual(PAID);
  calls = [];
  await step(lost, without);
  await step(lost, without);
  expect(calls).toEqual(['first query 1', 'first query 1']);
  expect(await ended(lost)).toEqual(OPEN);
  await without.close();
});

describe('after the database was restored', () => {
  beforeAll(() =>
    cell.sql(
      `INSERT INTO ${directory}.restores (taken_at, restored_at) VALUES (now(), now() + interval '10 minutes')`,
    ),
  );
  afterAll(() => cell.sql(`DELETE FROM ${directory}.restores`));

  test('the only company is asked before it gets the order', async () => {
    const sent = await accepted();
    const alone = open(['first']);
    answers.query = [saying('not_found')];
    answers.submit = [refused('beneficiary')];
    await step(sent, alone);
    expect(calls).toEqual(['first query 1', 'first submit 1']);
    // An order that the database has forgotten may still be paid.
    expect(await ended(sent)).toEqual(OPEN);
    await alone.close();
  });

  test('with several companies people must find out which one has the order', async () => {
    const sent = await accepted();
    expect(await step(sent)).toMatchObject({ next: 'submit', needsAttention: true });
    expect(calls).toEqual([]);
  });
});

describe('after the database was restored, and an attempt could have been released before', () => {
  beforeAll(() =>
    cell.sql(
      `INSERT INTO ${directory}.restores (taken_at, restored_at) VALUES (now(), now() + interval '1 day')`,
    ),
  );
  afterAll(() => cell.sql(`DELETE FROM ${directory}.restores`));
  /** A transfer with one attempt in the backup. */
  async function inBackup(state: string): Promise<Sent> {
    const sent = await accepted();
    await cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
       VALUES ($1, 1, 'first', $2, $3)`,
      [sent.transactionId, state, state === 'refused' ? 0 : 1],
    );
    return sent;
  }

  test('nothing is sent, although the only company knows no order', async () => {
    const alone = open(['first']);
    answers.query = [saying('not_found')];
    for (const sent of [await accepted(), await inBackup('refused'), await inBackup('released')]) {
      expect(await step(sent, alone)).toMatchObject({ needsAttention: true });
      expect(calls).toEqual([]);
    }
    expect(await step(await inBackup('sending'), alone)).toMatchObject({ needsAttention: true });
    expect(calls).toEqual(['first query 1']);
    await alone.close();
  });

  test.each(['failed', 'reversed', 'pending'] as const)('%s ends nothing', async (outcome) => {
    const sent = await inBackup('sending');
    for (let time = 0; time < 2; time++) {
      answers.query = [saying(outcome)];
      await step(sent);
    }
    expect(await inWords(sent)).toEqual(['1 first: sending, 1 open']);
    expect(await ended(sent)).toEqual(OPEN);
  });

  test('what was paid is completed, and what a company had accepted before goes on as ever', async () => {
    const paid = await inBackup('sending');
    answers.query = [saying('success')];
    expect(await step(paid)).toMatchObject({ ended: 'completed' });
    const taken = await inBackup('accepted');
    answers.query = [saying('success')];
    expect(await step(taken)).toMatchObject({ ended: 'completed' });
  });
});

describe('the books of a transfer of 500,000 kobo: fee 5,000 of which 349 VAT (R37)', () => {
  const A = 500_000;
  const F = 5_000;
  const earned = { 2200: -A, 2210: -F, 4110: 4_651, 2400: 349 };
  const ACCEPTED = { wallet: -(A + F), 2200: A, 2210: F };
  const settledBy = (name: string, feeKobo = 1_000) => ({
    ...earned,
    ...(feeKobo && { 5110: -feeKobo }),
    [balanceWith(name)]: A + feeKobo,
  });
  const GIVEN = { 2200: -A, 2210: -F, wallet: A + F };

  /** The entries of each step, by account: the platform's own by their codes, the wallet as `wallet`. */
  async function entries({ transactionId, walletId }: Sent): Promise<Record<string, Record<string, number>>> {
    const rows = await cell.sql(
      `SELECT step, account::text, amount_kobo FROM ${SANDBOX_CELL}.entries
        WHERE transaction_id = $1 OR transaction_id IN
              (SELECT reversal_id FROM ${SANDBOX_CELL}.reversals WHERE original_id = $1)`,
      [transactionId],
    );
    const steps: Record<string, Record<string, number>> = {};
    for (const { step: name, account, amount_kobo: amountKobo } of rows) {
      const code = /^0{8}-0{4}-0{4}-0{4}-0{8}(\d{4})$/.exec(account as string)?.[1];
      const key = account === walletId ? 'wallet' : (code ?? (account as string));
      steps[name as string] = { ...steps[name as string], [key]: Number(amountKobo) };
    }
    return steps;
  }
  const paid = (feeKobo: number | null = 1_000): Queried =>
    saying('success', { providerRef: 'TRF', feeKobo });
  const taken = (): Submitted => saying('accepted', { providerRef: 'TRF' });

  test.each<[what: string, submit: (Submitted | 'no answer')[], query: Queried[], company: string]>([
    ['case 1: paid at once', [saying('exists', { providerRef: 'TRF' })], [paid()], 'first'],
    ['case 2: pending, then paid', [taken()], [saying('pending'), paid()], 'first'],
    [
      'case 4: its order was lost before the company had it',
      ['no answer', taken()],
      [saying('not_found'), paid()],
      'first',
    ],
    ['case 5: its answer was lost', ['no answer'], [paid()], 'first'],
    ['case 7: not found, then paid', ['no answer', 'no answer'], [saying('not_found'), paid()], 'first'],
    [
      'case 8: not answered, refused for the float when it is sent again, and taken after a top-up',
      ['no answer', refused('float'), taken()],
      [saying('not_found'), saying('not_found'), paid()],
      'first',
    ],
    ['case 9: too little float at the first company', [refused('float'), taken()], [paid()], 'second'],
    ['case 13: called failed once, then paid', [taken()], [saying('failed'), paid()], 'first'],
    ['sent too often, then taken', [saying('not_sent'), taken()], [paid()], 'second'],
  ])('%s', async (_what, submit, query, name) => {
    const sent = await accepted(A);
    answers.submit = submit;
    answers.query = query;
    for (let steps = 0; steps < 4; steps++) await step(sent);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy(name) });
    // An attempt that has not paid has provably no order left.
    const left = (await attemptsOf(sent)).map(({ provider, state }) => `${provider} ${state}`);
    expect(left).toEqual(name === 'first' ? ['first succeeded'] : ['first refused', 'second succeeded']);
  });

  /** A callback of the first company about a transfer, as the API keeps it. */
  const calledBack = ({ partnerId, transactionId }: Sent, outcome: Queried['outcome']) =>
    cell.sql(
      `INSERT INTO ${SANDBOX_CELL}.provider_callbacks (id, provider, event_id, partner_id, transaction_id,
         provider_reference, outcome, amount_kobo, currency, occurred_at)
       VALUES ($1, 'first', $1::uuid::text, $2, $3, 'TRF', $4, ${String(A)}, 'NGN', now())`,
      [newId(), partnerId, transactionId, outcome],
    );
  const older = ({ transactionId }: Sent, interval: string) =>
    cell.sql(
      `WITH attempt AS (UPDATE ${SANDBOX_CELL}.transfer_attempts
           SET created_at = created_at - $2::interval, failed_at = failed_at - $2::interval WHERE transaction_id = $1)
       UPDATE ${SANDBOX_CELL}.transactions SET created_at = created_at - $2::interval WHERE id = $1`,
      [transactionId, interval],
    );

  test.each(['success', 'failed'] as const)(
    'case 3: a callback that says %s, and a company that does not say so when it is asked',
    async (outcome) => {
      const sent = await accepted(A);
      answers.submit = [taken()];
      await step(sent);
      await calledBack(sent, outcome);
      answers.query = [saying('pending'), saying('unknown'), saying('not_found')];
      for (let steps = 0; steps < 3; steps++) await step(sent);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED });
    },
  );

  test('case 6: a worker that was killed before it sent the order', async () => {
    const sent = await accepted(A);
    await openAttempt(cell.cell, directory, { id: sent.transactionId, ...sent }, { n: 1, provider: 'first' });
    answers.query = [saying('not_found'), paid()];
    answers.submit = [taken()];
    await step(sent);
    await step(sent);
    expect(calls.filter((call) => call.includes('submit'))).toEqual(['first submit 1']);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('first') });
  });

  test('case 10: the order of an attempt that was given up arrives after all, and is not approved', async () => {
    const sent = await accepted(A);
    const fencing = openActivities(cell.url, {}, (environment) =>
      withFake(
        environment,
        () => ({ ...company('fenced'), can: { failsForGood: false, asksFirst: true } }),
        () => company('second'),
      ),
    );
    answers.submit = ['no answer', taken()];
    await step(sent, fencing);
    await older(sent, '15 minutes');
    answers.query = [saying('not_found'), paid()];
    await step(sent, fencing);
    const straggler = { transactionId: sent.transactionId, n: 1, provider: 'fenced', amountKobo: A };
    expect(await approveAttempt(cell.forApi, directory, straggler)).toBe(false);
    await step(sent, fencing);
    expect(await approveAttempt(cell.forApi, directory, straggler)).toBe(false);
    expect(calls).toEqual(['fenced submit 1', 'fenced query 1', 'second submit 2', 'second query 2']);
    expect(await inWords(sent)).toEqual(['1 fenced: released, 1 open', '2 second: succeeded, 1 open']);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('second') });
    await fencing.close();
  });

  test.each(['unknown', 'not_found'] as const)(
    'case 11: three days of %s book nothing, and no other company gets an order',
    async (outcome) => {
      const sent = await accepted(A);
      answers.submit = ['no answer'];
      await step(sent);
      for (let day = 0; day < 3; day++) {
        await older(sent, '1 day');
        answers.query = [saying(outcome)];
        expect(await step(sent)).toMatchObject({ ended: null, needsAttention: true });
      }
      expect(await inWords(sent)).toEqual([expect.stringMatching(/^1 first: sending/)]);
      expect(calls.some((call) => call.startsWith('second'))).toBe(false);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED });
    },
  );

  test.each<[what: string, secondKey: (sent: Sent) => Promise<unknown>]>([
    ['by its company, a minute apart', (sent) => older(sent, '1 minute')],
    ['by its company and in a callback', (sent) => calledBack(sent, 'failed')],
  ])('case 12: called failed twice, %s', async (_what, secondKey) => {
    const sent = await accepted(A);
    answers.submit = [taken()];
    answers.query = [saying('failed'), saying('failed')];
    await step(sent);
    await step(sent);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED });
    await secondKey(sent);
    await step(sent);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
  });

  describe('where another company tries after a final failure (R47)', () => {
    const openBoth = (settings: Record<string, string> = {}): TestActivities =>
      openActivities(cell.url, { PAYOUT_FAIL_OVER: 'paystack', ...settings }, (environment) =>
        withFake(
          environment,
          () => company('paystack'),
          () => company('monnify'),
        ),
      );
    /** The company has taken the order, and has called it failed once. */
    async function failedOnce(by: TestActivities): Promise<Sent> {
      const sent = await accepted(A);
      answers.submit = [taken(), taken()];
      answers.query = [saying('failed')];
      await step(sent, by);
      await step(sent, by);
      return sent;
    }

    test('the second key has the other company pay, and nothing is given back', async () => {
      const by = openBoth();
      const sent = await failedOnce(by);
      expect(await inWords(sent)).toEqual(['1 paystack: accepted, 1 open']);
      await older(sent, '1 minute');
      answers.query = [saying('failed'), paid()];
      await step(sent, by);
      expect(await inWords(sent)).toEqual(['1 paystack: failed_over, 1 open', '2 monnify: accepted, 1 open']);
      await step(sent, by);
      expect(calls.filter((call) => call.includes('submit'))).toEqual([
        'paystack submit 1',
        'monnify submit 2',
      ]);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('monnify') });
      await by.close();
    });

    test('a company that has failed gets no second order while the other one cannot pay', async () => {
      const by = openBoth();
      const sent = await failedOnce(by);
      await older(sent, '1 minute');
      answers.submit = [refused('float'), refused('float'), refused('float')];
      answers.query = [saying('failed')];
      await step(sent, by);
      await step(sent, by);
      await step(sent, by);
      expect(calls.filter((call) => call.startsWith('paystack submit'))).toEqual(['paystack submit 1']);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED });
      await cell.sql(
        `UPDATE ${SANDBOX_CELL}.transactions SET created_at = created_at - interval '4 hours' WHERE id = $1`,
        [sent.transactionId],
      );
      answers.submit = [refused('float')];
      await step(sent, by);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
      await by.close();
    });

    test('a failure of the last company gives the money back once', async () => {
      const by = openBoth({ PAYOUT_FAIL_OVER: 'paystack,monnify' });
      const sent = await failedOnce(by);
      await older(sent, '1 minute');
      answers.query = [saying('failed'), saying('failed'), saying('failed')];
      await step(sent, by);
      await step(sent, by);
      await cell.sql(
        `UPDATE ${SANDBOX_CELL}.transfer_attempts SET failed_at = failed_at - interval '1 minute'
          WHERE transaction_id = $1 AND n = 2`,
        [sent.transactionId],
      );
      await step(sent, by);
      expect(await inWords(sent)).toEqual(['1 paystack: failed_over, 1 open', '2 monnify: failed, 1 open']);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
      await by.close();
    });

    test.each<[what: string, settings: Record<string, string>]>([
      ['of a company that is not named', { PAYOUT_FAIL_OVER: 'monnify' }],
      ['after the hold has ended', { PAYOUT_HOLD_MS: '0' }],
    ])('a failure %s gives the money back', async (_what, settings) => {
      const by = openBoth(settings);
      const sent = await failedOnce(by);
      await older(sent, '1 minute');
      answers.query = [saying('failed')];
      await step(sent, by);
      expect(await inWords(sent)).toEqual(['1 paystack: failed, 1 open']);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
      await by.close();
    });

    test('after the database was restored a failure is left to people: another company may have paid', async () => {
      const by = openBoth();
      const sent = await failedOnce(by);
      await older(sent, '1 minute');
      await cell.sql(
        `INSERT INTO ${directory}.restores (taken_at, restored_at) VALUES (now(), now() + interval '10 minutes')`,
      );
      answers.query = [saying('failed'), saying('failed')];
      expect(await step(sent, by)).toMatchObject({ ended: null, needsAttention: true });
      expect(await step(sent, by)).toMatchObject({ ended: null, needsAttention: true });
      await cell.sql(`DELETE FROM ${directory}.restores`);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED });
      await by.close();
    });
  });

  test('case 17: another company is preferred while the transfer is in flight', async () => {
    const sent = await accepted(A);
    answers.submit = [taken()];
    await step(sent);
    const turned = open(['second', 'first']);
    answers.query = [paid()];
    await step(sent, turned);
    expect(calls).toEqual(['first submit 1', 'first query 1']);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('first') });
    await turned.close();
  });

  test('case 21: a name enquiry that is not answered stops nothing', async () => {
    const sent = await accepted(A);
    answers.names = ['no answer', 'no answer'];
    answers.submit = [taken()];
    answers.query = [paid()];
    await step(sent);
    await step(sent);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('first') });
  });

  /** What each company that is used outside a test sets. */
  const TERMS = {
    minKobo: 5_000,
    costMaxKobo: 10_000,
    takesDuty: false,
    callsPerMinute: 600,
    changesForDays: 3,
  };
  const openAlone = (settings: Record<string, string> = {}): TestActivities =>
    openActivities(cell.url, settings, (environment) =>
      withFake(environment, () => {
        const alone = company('alone');
        return { ...alone, payouts: { ...alone.payouts!, terms: TERMS } };
      }),
    );

  test.each<[what: string, pollAfterMs: number]>([
    ['case 18: an account gets the same amount within two minutes, which its company does not take', 130_000],
    ['case 20: a company gets too many orders, and says for how long', 30_000],
  ])('%s', async (_what, pollAfterMs) => {
    const alone = openAlone();
    const [first, second] = [await accepted(A), await accepted(A)];
    answers.submit = [taken(), saying('not_sent', { pollAfterMs, closedForMs: null }), taken()];
    answers.query = [paid(), paid()];
    await step(first, alone);
    expect(await step(second, alone)).toMatchObject({ ended: null, next: 'submit', pollAfterMs });
    expect(await entries(second)).toEqual({ accept: ACCEPTED });
    for (const sent of [first, second, second]) await step(sent, alone);
    for (const sent of [first, second]) {
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle: settledBy('alone') });
    }
    expect(calls.filter((call) => call.startsWith('alone submit'))).toHaveLength(3);
    await alone.close();
  });

  test('case 19: all breakers are open: nothing is sent, and after the hold the money is given back', async () => {
    await cell.sql(
      `INSERT INTO ${directory}.provider_breakers (provider, bank_code, window_from, calls, unknown, opened_at, open_until,
         is_probing) VALUES ('alone', '', now(), 20, 10, now(), now() + interval '1 hour', false)`,
    );
    const sent = await accepted(A);
    const [patient, impatient] = [openAlone(), openAlone({ PAYOUT_HOLD_MS: '0' })];
    expect(await step(sent, patient)).toMatchObject({ ended: null, next: 'submit' });
    expect(await entries(sent)).toEqual({ accept: ACCEPTED });
    expect(await step(sent, impatient)).toMatchObject({ ended: 'failed' });
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
    expect(calls).toEqual([]);
    await cell.sql(`DELETE FROM ${directory}.provider_breakers`);
    await Promise.all([patient.close(), impatient.close()]);
  });

  test('case 22: a stamp duty that we pay ourselves leaves our balance with the company', async () => {
    const sent = await accepted(A);
    answers.submit = [taken()];
    answers.query = [saying('success', { providerRef: 'TRF', feeKobo: 2_500, dutyKobo: 5_000 })];
    await step(sent);
    await step(sent);
    const settle = { ...earned, 5110: -2_500, 5300: -5_000, [balanceWith('first')]: A + 7_500 };
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle });
  });

  describe('with a stamp duty of 5,000 that is charged to the payer (R46)', () => {
    const DUTY = 5_000;
    const CHARGED = { accept: { wallet: -DUTY, 2410: DUTY } };
    /** The entries of the duty, which is a transaction of its own. */
    const ofDuty = (sent: Sent) => entries({ ...sent, transactionId: dutyIdOf(sent.transactionId) });

    test.each<[what: string, dutyKobo: number | null, settle: Record<string, number>]>([
      [
        'and taken by the company',
        DUTY,
        { ...earned, 5110: -1_000, 2410: -DUTY, [balanceWith('first')]: A + 6_000 },
      ],
      ['and not taken by the company, so that it stays owed', null, settledBy('first')],
      [
        'and is less than what the company takes',
        7_000,
        { ...earned, 5110: -1_000, 2410: -DUTY, 5300: -2_000, [balanceWith('first')]: A + 8_000 },
      ],
    ])('%s', async (_what, dutyKobo, settle) => {
      const sent = await accepted(A, DUTY);
      answers.submit = [taken()];
      answers.query = [saying('success', { providerRef: 'TRF', feeKobo: 1_000, dutyKobo })];
      await step(sent);
      await step(sent);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle });
      expect(await ofDuty(sent)).toEqual(CHARGED);
    });

    test('and given back when the transfer fails, once', async () => {
      const sent = await accepted(A, DUTY);
      answers.names = ['not_found'];
      await step(sent);
      await step(sent);
      expect(await entries(sent)).toEqual({ accept: ACCEPTED, return: GIVEN });
      expect(await ofDuty(sent)).toEqual({ ...CHARGED, return: { 2410: -DUTY, wallet: DUTY } });
      expect((await ended(sent))[0]).toBe('failed');
      expect(await auditCell(cell.url, SANDBOX_CELL)).toEqual([]);
    });
  });

  test('an outcome that is not known books nothing, however often the company is asked', async () => {
    const sent = await accepted(A);
    answers.submit = ['no answer'];
    for (let steps = 0; steps < 5; steps++) await step(sent);
    expect(await entries(sent)).toEqual({ accept: ACCEPTED });
    expect(await inWords(sent)).toEqual(['1 first: sending, 1 open']);
  });

  test('case 21: a name that is not found, and a transfer that nobody takes, are given back whole', async () => {
    const unknown = await accepted(A);
    answers.names = ['not_found'];
    await step(unknown);
    expect(await entries(unknown)).toEqual({ accept: ACCEPTED, return: GIVEN });
    const untaken = await accepted(A);
    const impatient = open(['first'], { PAYOUT_HOLD_MS: '0' });
    answers.submit = [refused('access')];
    await step(untaken, impatient);
    expect(await entries(untaken)).toEqual({ accept: ACCEPTED, return: GIVEN });
    await impatient.close();
  });

  test('a fee that the company has not told is owed at the bank’s cost', async () => {
    const sent = await accepted(A);
    answers.submit = [taken()];
    answers.query = [paid(null)];
    await step(sent);
    await step(sent);
    const settle = { ...earned, 5110: -1_000, 2300: 1_000, [balanceWith('first')]: A };
    expect(await entries(sent)).toEqual({ accept: ACCEPTED, settle });
  });

  test.each<[what: string, isClosed: boolean]>([
    ['case 15: a completed transfer that comes back', false],
    ['case 16: a completed transfer that comes back to a wallet that is closed', true],
  ])('%s returns our balance with the company, and not its fee', async (_what, isClosed) => {
    const sent = await accepted(A);
    answers.submit = [taken()];
    answers.query = [paid(), saying('reversed', { providerRef: 'TRF' })];
    await step(sent);
    await step(sent);
    if (isClosed) {
      await cell.sql(`UPDATE ${SANDBOX_CELL}.accounts SET status = 'closed' WHERE id = $1`, [sent.walletId]);
    }
    await calledBack(sent, 'reversed');
    expect(await activities.run('askAboutReturn', sent, 0)).toMatchObject({ status: 'reversed' });
    expect(await entries(sent)).toEqual({
      accept: ACCEPTED,
      settle: settledBy('first'),
      return: { [balanceWith('first')]: -A, 4110: -4_651, 2400: -349, [isClosed ? '2900' : 'wallet']: A + F },
    });
  });
});

describe('Postgres keeps', () => {
  const begin = (sent: Sent, n: number) =>
    openAttempt(cell.cell, directory, { id: sent.transactionId, ...sent }, { n, provider: 'first' });

  test('one note of one attempt: of ten processes one may send', async () => {
    const sent = await accepted();
    const begun = await Promise.all(Array.from({ length: 10 }, () => begin(sent, 1)));
    expect(begun.filter((one) => one !== null)).toHaveLength(1);
  });

  test('one attempt that a company may have: no second one beside it', async () => {
    const sent = await accepted();
    await begin(sent, 1);
    expect(await begin(sent, 2)).toBeNull();
    await expect(
      cell.sql(
        `INSERT INTO ${SANDBOX_CELL}.transfer_attempts (transaction_id, n, provider, state, open_posts)
         VALUES ($1, 2, 'second', 'accepted', 1)`,
        [sent.transactionId],
      ),
    ).rejects.toMatchObject({ code: '23505' });
  });

  test('no attempt of a transfer that has ended', async () => {
    const sent = await accepted();
    answers.submit = [refused('beneficiary')];
    await step(sent);
    expect(await begin(sent, 2)).toBeNull();
  });

  test('both of two answers at the same moment', async () => {
    const sent = await accepted();
    const first = (await begin(sent, 1))!;
    const transfer = (await findTransaction(cell.cell, sent.partnerId, sent.transactionId))!;
    const change = (read: Attempt, rule: (one: Attempt) => Attempt) =>
      changeAttempt(cell.cell, transfer, read, rule, null, null);
    const second = await change(first, (one) => withOpenPost(one, new Date()));
    expect(second.openPosts).toBe(2);
    const notTaken = (one: Attempt) => afterSubmit(one, { outcome: 'not_sent' }, false, { now: new Date() });
    await Promise.all([change(second, notTaken), change(second, notTaken)]);
    expect(await inWords(sent)).toEqual(['1 first: sending, 0 open']);
  });

  test.each([
    ['an attempt that has ended as it is', `state = 'accepted'`, '23001'],
    ['a refusal free of open orders', `state = 'refused', open_posts = 1`, '23514'],
    ['the known states', `state = 'lost'`, '23514'],
    ['the known causes', `cause = 'weather'`, '23514'],
    ['the known answers', `said = 'perhaps'`, '23514'],
  ])('%s', async (what, change, code) => {
    const sent = await accepted();
    await begin(sent, 1);
    const set = (columns: string) =>
      cell.sql(`UPDATE ${SANDBOX_CELL}.transfer_attempts SET ${columns} WHERE transaction_id = $1`, [
        sent.transactionId,
      ]);
    if (what.startsWith('an attempt')) await set(`state = 'succeeded'`);
    await expect(set(change)).rejects.toMatchObject({ code });
  });
});
