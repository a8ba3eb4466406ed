/**
 * The promises of `src/providers/port.ts` as cases, which every company's adapter passes. A test of an
 * adapter opens its world (the company, or its stand-in) and calls `keepsTheContract`. Parts that the company does
 * not have are left out.
 */
import { randomUUID } from 'node:crypto';
import { isCompanyName } from '../../src/domain/accounts';
import {
  ORDER_PARTS,
  payoutReference,
  QUERY_OUTCOMES,
  REFUSAL_CAUSES,
  SUBMIT_OUTCOMES,
  type OrderPart,
  type PayoutOrder,
} from '../../src/domain/payouts';
import { balancesToldBy, type StatementLine } from '../../src/domain/statement-lines';
import type {
  Facts,
  IdentityOrder,
  Provider,
  Queried,
  Span,
  Submitted,
  Treasury,
} from '../../src/providers/port';
import { pagesIn } from './pages';
import { until } from './until';

/** An adapter with the company behind it, as a test can arrange it. */
export interface ProviderWorld {
  provider: Provider;
  payouts?: {
    /** An order that the company has not seen yet, and how its payout will end. */
    order(ends: 'success' | 'failed'): Promise<PayoutOrder>;
    /** How often the company has moved money under this reference. */
    paid(reference: string): number | Promise<number>;
    /** What the company has got of an order; absent where it runs in our process and gets the order as it is. */
    got?(reference: string): Promise<GotOrder>;
  };
  names?: { known: BankAccountName; unknown: Omit<BankAccountName, 'name'> };
  treasury?: { setBalance(kobo: number): Promise<void> };
  /** A number that the register has, with the name that belongs to it where the bureau compares names. */
  identity?: Pick<IdentityOrder, 'type' | 'number' | 'expectedName'>;
  /**
   * Troubles on the line to the company, each of which lasts until the returned function is called: no connection,
   * no answer, an answer with an unknown word, an answer in another format.
   */
  troubles: Record<string, () => Trouble | Promise<Trouble>>;
}

/** The texts of an order as its company has them. Parts that it has not got are absent. */
interface GotOrder extends Partial<Pick<PayoutOrder, 'originator' | 'purposeCode' | 'endToEndId'>> {
  accountName: string;
  narration: string;
}
const PART_FIELDS = {
  originator: 'originator',
  purpose: 'purposeCode',
  end_to_end_id: 'endToEndId',
} as const satisfies Record<OrderPart, keyof GotOrder>;

/** Ends a trouble. */
type Trouble = () => void | Promise<void>;

interface BankAccountName {
  bankCode: string;
  accountNumber: string;
  name: string;
}

const AT_ONCE = 10;

type Part = Exclude<keyof Provider, 'name' | 'can'>;

/** Every line of a span of time, over all pages, the oldest first. */
export async function linesOf(treasury: Treasury, span: Span): Promise<StatementLine[]> {
  const lines = new Map<string, StatementLine>();
  for await (const page of treasury.lines(span)) for (const line of page) lines.set(line.id, line);
  return [...lines.values()].sort((one, other) => one.at.getTime() - other.at.getTime());
}

/**
 * Declares the cases of one adapter. The functions of a part are called without their object, so
 * an adapter must not need `this`.
 * @param serves the parts that the company has.
 * @param open makes a fresh world; called once.
 */
export function keepsTheContract(serves: readonly Part[], open: () => Promise<ProviderWorld>): void {
  let world: ProviderWorld;
  beforeAll(async () => {
    world = await open();
  });
  const part = <Name extends Part>(name: Name): NonNullable<Provider[Name]> => {
    const found = world.provider[name];
    if (!found) throw new Error(`the adapter has no ${name}`);
    return found;
  };
  /** Declares a case about one part, for the adapters that have it. */
  const about = (name: Part, what: string, work: () => Promise<void>): void => {
    if (serves.includes(name)) test(`${name}: ${what}`, work);
  };

  const order = (ends: 'success' | 'failed' = 'success'): Promise<PayoutOrder> => {
    if (!world.payouts) throw new Error('a world with payouts must say how to order one');
    return world.payouts.order(ends);
  };
  const paid = async (reference: string): Promise<number | undefined> => world.payouts?.paid(reference);
  const ended = (of: PayoutOrder): Promise<Queried> =>
    until(`the end of ${of.reference}`, async () => {
      const answer = checked(await part('payouts').query(of));
      return answer.outcome !== 'pending' && answer;
    });

  test('it has a name by which its answers are kept, and the parts that it serves', () => {
    const { name, can, ...parts } = world.provider;
    expect(isCompanyName(name)).toBe(true);
    expect(Object.keys(parts).sort()).toEqual([...serves].sort());
    const { carries = [], ...promises } = can;
    expect(promises).toEqual({ failsForGood: expect.any(Boolean), asksFirst: expect.any(Boolean) });
    expect(carries.filter((one) => !ORDER_PARTS.includes(one))).toEqual([]);
  });

  about('payouts', 'an order is accepted, is pending, and is paid once', async () => {
    const sent = await order();
    const accepted = checkedSubmission(await part('payouts').submit(sent));
    expect(accepted.outcome).toBe('accepted');
    const answer = await ended({ ...sent, providerRef: accepted.providerRef });
    expect(answer.outcome).toBe('success');
    // A company may tell its id only later, and then keeps to it.
    expect(answer.providerRef).toBe(accepted.providerRef ?? answer.providerRef);
    expect(await paid(sent.reference)).toBe(1);
  });

  about(
    'payouts',
    'the company gets the names, the narration and what it says that it carries, and nothing else',
    async () => {
      const got = world.payouts?.got;
      if (!got) return;
      const sent = await order();
      await part('payouts').submit(sent);
      const carried = (world.provider.can.carries ?? []).map((name) => PART_FIELDS[name]);
      expect(await got(sent.reference)).toEqual({
        accountName: sent.accountName,
        narration: sent.narration,
        ...Object.fromEntries(carried.map((name) => [name, sent[name]])),
      });
    },
  );

  about('payouts', 'an order that is sent often under one reference is paid once', async () => {
    const sent = await order();
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, async () => checkedSubmission(await part('payouts').submit(sent))),
    );
    for (const { outcome } of answers) expect(['accepted', 'exists']).toContain(outcome);
    expect((await ended(sent)).outcome).toBe('success');
    expect(['accepted', 'exists']).toContain((await part('payouts').submit(sent)).outcome);
    expect(await paid(sent.reference)).toBe(1);
  });

  about('payouts', 'a second query about a paid order gets the same answer, and pays nothing', async () => {
    const sent = await order();
    await part('payouts').submit(sent);
    const first = await ended(sent);
    const again = await Promise.all(Array.from({ length: AT_ONCE }, () => part('payouts').query(sent)));
    for (const answer of again) expect(answer).toEqual(first);
    expect(await paid(sent.reference)).toBe(1);
  });

  about('payouts', 'a payout that fails says why, and no money has moved', async () => {
    const sent = await order('failed');
    await part('payouts').submit(sent);
    const answer = await ended(sent);
    expect(answer.outcome).toBe('failed');
    expect(answer.reason ?? answer.code).toEqual(expect.any(String));
    expect(await paid(sent.reference)).toBe(0);
  });

  about('payouts', 'a reference that the company never had is not found', async () => {
    const sent = await order();
    const answer = await part('payouts').query({ ...sent, reference: payoutReference(randomUUID(), 1) });
    expect(checked(answer).outcome).toBe('not_found');
  });

  about(
    'payouts',
    'with every trouble on the line the outcome is unknown, and no error repeats a number',
    async () => {
      for (const trouble of Object.values(world.troubles)) {
        const sent = await order();
        const over = await trouble();
        try {
          const { submit, query } = part('payouts');
          for (const call of [submit, query]) {
            const heard = await call(sent).catch((error: unknown) => String(error));
            if (typeof heard === 'object') expect(['unknown', 'not_sent']).toContain(heard.outcome);
            expect(JSON.stringify(heard)).not.toContain(sent.accountNumber);
          }
        } finally {
          await over();
        }
      }
      expect(Object.keys(world.troubles)).not.toEqual([]);
    },
  );

  about('names', 'an account that its bank knows has a name, another one is not found', async () => {
    const { known, unknown } = world.names ?? {};
    if (!known || !unknown) throw new Error('a world with names must give a known and an unknown account');
    const { enquire } = part('names');
    expect(await enquire(known.bankCode, known.accountNumber)).toEqual({ found: known.name });
    expect(await enquire(unknown.bankCode, unknown.accountNumber)).toBe('not_found');
  });

  about('names', 'trouble on the line is never "not found"', async () => {
    for (const trouble of Object.values(world.troubles)) {
      const over = await trouble();
      try {
        const { bankCode, accountNumber } = world.names?.known ?? { bankCode: '', accountNumber: '' };
        const heard = await part('names')
          .enquire(bankCode, accountNumber)
          .catch(() => 'unknown' as const);
        expect(heard).not.toBe('not_found');
      } finally {
        await over();
      }
    }
    expect(Object.keys(world.troubles)).not.toEqual([]);
  });

  about('inbound', 'trouble on the line says nothing about a payment', async () => {
    for (const trouble of Object.values(world.troubles)) {
      const over = await trouble();
      try {
        const heard = await part('inbound')
          .confirm(randomUUID())
          .catch(() => null);
        expect(heard?.outcome ?? 'unknown').toBe('unknown');
        const window = { from: new Date(0), to: new Date() };
        await expect(pagesIn(part('inbound').list(window))).rejects.toThrow();
      } finally {
        await over();
      }
    }
    expect(Object.keys(world.troubles)).not.toEqual([]);
  });

  about('treasury', 'the balance is what we have there, in whole kobo', async () => {
    for (const kobo of [1_234_567, 0, 1_000_000_000]) {
      await world.treasury?.setBalance(kobo);
      expect(await part('treasury').balance()).toBe(kobo);
    }
  });

  about('treasury', 'with every trouble on the line nobody knows the balance', async () => {
    for (const trouble of Object.values(world.troubles)) {
      const over = await trouble();
      try {
        await expect(part('treasury').balance()).rejects.toThrow();
      } finally {
        await over();
      }
    }
    expect(Object.keys(world.troubles)).not.toEqual([]);
  });

  about('accounts', 'a wallet gets one account, however often it is ordered', async () => {
    const owner = { firstName: 'Ada', lastName: 'Obi', email: 'ada@acme.example', phone: '+2348012345678' };
    const ids = { partnerId: randomUUID(), walletId: randomUUID() };
    const identity = { type: 'bvn', number: '22222222222' } as const;
    const wallet = { ...ids, accountName: 'ADA OBI', owner, identity, createdAt: new Date() };
    const issued = () =>
      until('the account', async () => {
        const answer = await part('accounts').issue(wallet);
        return answer.outcome === 'issued' && answer.account;
      });
    const accounts = await Promise.all(Array.from({ length: AT_ONCE }, issued));
    for (const account of accounts) expect(account).toEqual(accounts[0]);
    expect(accounts[0]?.accountNumber).toMatch(/^[0-9]{10}$/);
  });

  const person = (): IdentityOrder => {
    if (!world.identity) throw new Error('a world with an identity bureau must name a known person');
    return { ...world.identity, verificationId: randomUUID(), submittedAt: new Date() };
  };

  about('identity', 'one verification has one answer', async () => {
    const asked = person();
    const known = () =>
      until('the answer of the bureau', async () => {
        const answer = await part('identity').lookUp(asked);
        return answer.outcome !== 'pending' && answer;
      });
    const first = await known();
    expect(first.outcome).toBe('found');
    expect(await known()).toEqual(first);
  });

  about(
    'identity',
    'trouble on the line says nothing about the person, and no error repeats a datum',
    async () => {
      for (const trouble of Object.values(world.troubles)) {
        const asked = person();
        const over = await trouble();
        try {
          const heard = await part('identity')
            .lookUp(asked)
            .catch((error: unknown) => String(error));
          if (typeof heard === 'object') {
            expect(heard.outcome).not.toBe('not_found');
            if (heard.outcome === 'found') expect(heard.record.nameFits).not.toBe(false);
          }
          for (const datum of [asked.number, asked.expectedName]) {
            if (datum !== null) expect(JSON.stringify(heard)).not.toContain(datum);
          }
        } finally {
          await over();
        }
      }
      expect(Object.keys(world.troubles)).not.toEqual([]);
    },
  );

  about('treasury', 'the statement has the lines of a payout, and no number of its account', async () => {
    const from = new Date(Math.floor(Date.now() / 1_000) * 1_000);
    const sent = await order();
    await until('the order', async () => (await part('payouts').submit(sent)).outcome !== 'not_sent');
    await ended(sent);
    const all = await linesOf(part('treasury'), { from, to: new Date(Date.now() + 1) });
    const lines = all.filter(({ reference }) => reference === sent.reference);
    const feeKobo = (await part('payouts').query(sent)).feeKobo ?? 0;
    expect(lines.reduce((sum, { changeKobo }) => sum + changeKobo, 0)).toBe(-sent.amountKobo - feeKobo);
    for (const { about: subject } of lines) expect(subject).toBe('payout');
    expect(balancesToldBy(all)?.lastKobo).toBe(await part('treasury').balance());
    expect(JSON.stringify(all)).not.toContain(sent.accountNumber);
  });

  about('treasury', 'trouble on the line is an error, and never a part of a statement', async () => {
    const span = { from: new Date(0), to: new Date() };
    for (const start of Object.values(world.troubles)) {
      const end = await start();
      const { lines, settlements } = part('treasury');
      const lists = [lines(span), ...(settlements ? [settlements(span)] : [])];
      const answers = await Promise.allSettled(lists.map((list) => pagesIn<unknown>(list)));
      await end();
      for (const { status } of answers) expect(status).toBe('rejected');
    }
    expect(Object.keys(world.troubles)).not.toEqual([]);
  });

  about('banks', 'every bank has a code of its own and a name', async () => {
    const banks = await part('banks').list();
    expect(banks.length).toBeGreaterThan(0);
    expect(new Set(banks.map(({ code }) => code)).size).toBe(banks.length);
    for (const { code, name, nipCode } of banks) {
      expect(code).toMatch(/^[A-Za-z0-9]{3,8}$/);
      expect(name.trim()).not.toBe('');
      expect(nipCode ?? '000000').toMatch(/^[0-9]{6}$/);
    }
  });
}

/** Checks what every answer must have: facts of the right form, and an outcome of the port. */
function checked(answer: Queried): Queried {
  expect(QUERY_OUTCOMES).toContain(answer.outcome);
  return withFacts(answer);
}

function checkedSubmission(answer: Submitted): Submitted {
  expect(SUBMIT_OUTCOMES).toContain(answer.outcome);
  if (answer.outcome === 'refused') expect(REFUSAL_CAUSES).toContain(answer.cause);
  return withFacts(answer);
}

function withFacts<Answer extends Facts>(answer: Answer): Answer {
  const { providerRef, sessionId, code, reason, feeKobo, dutyKobo, pollAfterMs, closedForMs } = answer;
  for (const text of [providerRef, sessionId, code, reason]) if (text !== null) expect(text).not.toBe('');
  for (const figure of [feeKobo, dutyKobo, pollAfterMs, closedForMs]) {
    if (figure === null) continue;
    expect(Number.isSafeInteger(figure)).toBe(true);
    expect(figure).toBeGreaterThanOrEqual(0);
  }
  return answer;
}
