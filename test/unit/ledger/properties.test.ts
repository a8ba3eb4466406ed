/**
 * Thousands of random movements over few wallets, in random batches: every answer and every balance equals
 * that of a simple ledger in big integers, no kobo appears or disappears, and each wallet's entries chain.
 */
import fc from 'fast-check';
import { present } from '../../../src/domain/assert';
import { availableKobo, holdRefusal, type Hold } from '../../../src/domain/holds';
import { systemAccountId } from '../../../src/domain/accounts';
import { decide, type Books, type Decision, type Entry, type Posted } from '../../../src/domain/ledger';
import {
  account,
  ADA,
  bank,
  BOLA,
  booksOf,
  freshId,
  funding,
  keyed,
  NOW,
  p2p,
  PARTNER,
  settlement,
  uuid,
} from '../../support/books';
import { createOracle, type OracleMovement } from './oracle';

const CHIDI = uuid(13);
const ABSENT = uuid(14);
/** In tier 1, with little left of its first day. */
const LIMITED = uuid(15);
const USED_KOBO = 4_960_000;
const WALLETS = [ADA, BOLA, CHIDI, LIMITED];
/** So that a run passes a midnight in Lagos. */
const BATCH_EVERY_MS = 5 * 3_600_000;
const LAST_MIDNIGHT = new Date('2026-11-20T23:00:00.000Z');
const OPENING_KOBO = 50_000;
/** After every run. */
const LATER = new Date(NOW.getTime() + 100 * BATCH_EVERY_MS);

const amount = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30_000 }) },
  { weight: 2, arbitrary: fc.constantFrom(1, 199, 200, 201, 399, 400, 4_000_000) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 20_000_000 }) },
  { weight: 1, arbitrary: fc.constantFrom(0, -1) },
);
/** Sometimes nearly the largest balance, so that the room kept for returning bank transfers matters. */
const fundedAmount = fc.oneof(
  { weight: 9, arbitrary: amount },
  {
    weight: 1,
    arbitrary: fc.constantFrom(Number.MAX_SAFE_INTEGER - 100_000, Number.MAX_SAFE_INTEGER - 60_000),
  },
);
const wallet = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...WALLETS) },
  { weight: 1, arbitrary: fc.constant(ABSENT) },
);
/** Few references, so that they repeat; most requests have a reference of their own. */
const name = fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 });
const key = fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.constantFrom('a', 'b')), { freq: 4 });

/** The same transfer under the same reference, whenever it is drawn. */
const repeated = { kind: 'p2p' as const, amount: 200, from: ADA, to: BOLA, name: 4, key: null };

const held = fc.integer({ min: 1, max: 60_000 });

/** A step of a run. Placing and releasing a hold are commits of their own, before the batch that they are drawn in. A settlement names an earlier bank transfer by its place among the bank transfers. */
const step = fc.oneof(
  fc.record({ kind: fc.constant('p2p' as const), amount, from: wallet, to: wallet, name, key }),
  fc.record({ kind: fc.constant('bank' as const), amount, from: wallet, to: wallet, name, key }),
  fc.record({
    kind: fc.constant('fund' as const),
    amount: fundedAmount,
    from: wallet,
    to: wallet,
    name,
    key,
  }),
  fc.constant(repeated),
  fc.record({
    kind: fc.constant('place' as const),
    amount: held,
    from: fc.constantFrom(...WALLETS),
    isOver: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('release' as const), nth: fc.nat(5) }),
  fc.record({
    kind: fc.constant('capture' as const),
    nth: fc.nat(5),
    amount: fc.oneof(held, fc.constant(200)),
    to: fc.option(wallet),
    key,
  }),
  fc.record({ kind: fc.constant('settle' as const), nth: fc.nat(5), success: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const run = fc.array(fc.array(step, { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 });

/** Places or releases a hold as `db` does it: its account is locked, and both are written in one commit. */
function changeHolds(one: Step, books: Books, placed: Hold[], oracle: ReturnType<typeof createOracle>) {
  if (one.kind === 'place') {
    const source = present(books.accounts.get(one.from), 'a wallet of the run');
    const id = freshId();
    const refused = holdRefusal(source, one.amount);
    const told = oracle.place(id, one.from, one.amount, one.isOver);
    expect(refused?.refusal.code ?? `held ${id}`).toBe(told);
    if (refused) return;
    const hold: Hold = {
      id,
      partnerId: PARTNER,
      walletId: one.from,
      amountKobo: one.amount,
      reference: `hold-${id}`,
      status: 'open',
      createdAt: NOW,
      expiresAt: one.isOver ? NOW : LATER,
      endedAt: null,
      capture: null,
    };
    source.heldKobo += one.amount;
    books.holds.set(id, hold);
    placed.push(hold);
  }
  if (one.kind === 'release') {
    const named = placed[one.nth % Math.max(1, placed.length)];
    const hold = named && books.holds.get(named.id);
    if (hold?.status !== 'open') return;
    present(books.accounts.get(hold.walletId), 'a wallet of the run').heldKobo -= hold.amountKobo;
    books.holds.set(hold.id, { ...hold, status: 'released', endedAt: NOW });
    oracle.release(hold.id);
  }
}

/** Settlements name transfers of earlier batches only, because a transfer is read before its batch is decided. */
function movementOf(
  one: Step,
  processed: readonly { id: string; source: string }[],
  placed: readonly Hold[],
): OracleMovement | null {
  if (one.kind === 'place' || one.kind === 'release') return null;
  if (one.kind === 'capture') {
    const hold = placed[one.nth % Math.max(1, placed.length)];
    if (!hold) return null;
    const common = {
      holdId: hold.id,
      reference: hold.reference,
      amountKobo: one.amount,
      sourceWalletId: hold.walletId,
      key: one.key && keyed(`key-${one.key[0]}`, one.key[1], 'any'),
    };
    return one.to === null ? bank(common) : p2p({ ...common, destWalletId: one.to });
  }
  if (one.kind === 'settle') {
    const transfer = processed[one.nth % Math.max(1, processed.length)];
    if (!transfer) return null;
    return settlement(transfer.id, {
      sourceWalletId: transfer.source,
      trigger: one.success ? 'provider_success' : 'provider_failure',
      failedReason: one.success ? null : 'no',
    });
  }
  const common = {
    amountKobo: one.amount,
    ...(one.name !== null && { reference: `shared-${one.name}` }),
    key: one.key && keyed(`key-${one.key[0]}`, one.key[1], 'any'),
  };
  if (one.kind === 'p2p') return p2p({ ...common, sourceWalletId: one.from, destWalletId: one.to });
  if (one.kind === 'bank') return bank({ ...common, sourceWalletId: one.from });
  return funding({ ...common, destWalletId: one.to });
}

/** The decision in the oracle's words. */
function inWords(decision: Decision): string {
  if (!decision.ok) return decision.refusal.code;
  const { value } = decision;
  switch (value.kind) {
    case 'posted':
      return `posted ${value.transaction.id}`;
    case 'same_key':
      return `answer of ${value.first.transactionId}`;
    case 'same_reference':
      return `original ${value.transactionId}`;
    case 'settled_before':
      return `before ${value.transaction.status}`;
  }
}

const postedIn = (decision: Decision | undefined): Posted | null =>
  decision?.ok && decision.value.kind === 'posted' ? decision.value : null;

interface Outcome {
  words: string[];
  expected: string[];
  books: Books;
  oracle: ReturnType<typeof createOracle>;
  entries: Entry[];
}

function play(batches: readonly (readonly Step[])[]): Outcome {
  const used = { countedFrom: LAST_MIDNIGHT, dayDebitKobo: USED_KOBO, dayUssdKobo: 0 };
  let books = booksOf(
    ...WALLETS.map((id) =>
      account(id, {
        balanceKobo: OPENING_KOBO,
        limits: id === LIMITED ? { tier: 'tier_1', ...used } : null,
      }),
    ),
  );
  const oracle = createOracle(Object.fromEntries(WALLETS.map((id) => [id, BigInt(OPENING_KOBO)])), {
    used: { [LIMITED]: BigInt(USED_KOBO) },
    on: NOW,
  });
  const accepted: { id: string; source: string }[] = [];
  const placed: Hold[] = [];
  const [words, expected]: [string[], string[]] = [[], []];
  const entries: Entry[] = [];
  for (const steps of batches) {
    for (const one of steps) changeHolds(one, books, placed, oracle);
    const movements = steps.map((one) => movementOf(one, accepted, placed)).filter((one) => one !== null);
    const decisions = decide(books, movements);
    words.push(...decisions.map(inWords));
    expected.push(...movements.map((one) => oracle.apply(one, books.now)));
    for (const decision of decisions) {
      const posted = postedIn(decision);
      if (!posted) continue;
      entries.push(...posted.entries);
      const { type, id, sourceWalletId, status } = posted.transaction;
      if (type !== 'bank_transfer' || status !== 'processing' || sourceWalletId === null) continue;
      books.transactions.set(id, posted.transaction);
      accepted.push({ id, source: sourceWalletId });
    }
    // The next batch reads its books anew.
    books = structuredClone(books);
    books.now = new Date(books.now.getTime() + BATCH_EVERY_MS);
  }
  return { words, expected, books, oracle, entries };
}

const holds = (check: (outcome: Outcome) => void, runs = 150): void =>
  fc.assert(
    fc.property(run, (batches) => check(play(batches))),
    { numRuns: runs },
  );

const sum = (entries: readonly Entry[]): bigint =>
  entries.reduce((all, one) => all + BigInt(one.amountKobo), 0n);

test('every answer is the one that the movement would have had alone', () => {
  holds(({ words, expected }) => expect(words).toEqual(expected), 1_000);
});

test('every balance is the one in big integers, and never negative', () => {
  holds(({ books, oracle }) => {
    for (const { id, balanceKobo } of books.accounts.values()) {
      expect(BigInt(balanceKobo)).toBe(oracle.balances[id]);
      expect(balanceKobo).toBeGreaterThanOrEqual(0);
    }
  });
});

test('what is held is the sum of the open holds, and what is available is never negative', () => {
  holds(({ books, oracle }) => {
    for (const one of books.accounts.values()) {
      const open = [...books.holds.values()].filter(
        ({ walletId, status }) => walletId === one.id && status === 'open',
      );
      expect(one.heldKobo).toBe(open.reduce((all, { amountKobo }) => all + amountKobo, 0));
      expect(BigInt(availableKobo(one))).toBe(oracle.available(one.id));
      expect(availableKobo(one)).toBeGreaterThanOrEqual(0);
    }
  });
});

test('a wallet under limits has used what it has paid on its day, and never more than its limit', () => {
  holds(({ books, oracle }) => {
    const { limits } = present(books.accounts.get(LIMITED), 'the wallet under limits');
    const { countedFrom, dayDebitKobo } = present(limits, 'its limits');
    expect(BigInt(dayDebitKobo)).toBe(oracle.usedOn(LIMITED, countedFrom));
    expect(dayDebitKobo).toBeLessThanOrEqual(5_000_000);
  });
});

test('the entries of each transaction and step sum to zero', () => {
  holds(({ entries }) => {
    const sums = new Map<string, bigint>();
    for (const one of entries) {
      const set = `${one.transactionId} ${one.step}`;
      sums.set(set, (sums.get(set) ?? 0n) + BigInt(one.amountKobo));
    }
    for (const [set, total] of sums) expect([set, total]).toEqual([set, 0n]);
  });
});

test('the wallets gained what all other accounts lost', () => {
  holds(({ entries, books }) => {
    const others = entries.filter((entry) => !WALLETS.includes(entry.account));
    const held = [...books.accounts.values()].reduce((all, one) => all + BigInt(one.balanceKobo), 0n);
    expect(held - BigInt(WALLETS.length * OPENING_KOBO)).toBe(-sum(others));
  });
});

test('the entries of a wallet are numbered 1, 2, 3, ... and each balance follows from the one before', () => {
  holds(({ entries, books }) => {
    for (const { id, sequence, balanceKobo } of books.accounts.values()) {
      const own = entries.filter((entry) => entry.account === id);
      expect(own.map((entry) => entry.sequence)).toEqual(own.map((_, place) => place + 1));
      let runningKobo = OPENING_KOBO;
      for (const entry of own) expect(entry.balanceAfterKobo).toBe((runningKobo += entry.amountKobo));
      expect([sequence, balanceKobo]).toEqual([own.length, runningKobo]);
    }
  });
});

test('no entry is zero, and only entries of wallets have a number and a balance', () => {
  holds(({ entries }) => {
    for (const entry of entries) {
      expect(entry.amountKobo).not.toBe(0);
      const ofWallet = WALLETS.includes(entry.account);
      expect([entry.sequence !== null, entry.balanceAfterKobo !== null]).toEqual([ofWallet, ofWallet]);
    }
  });
});

test('nothing is left in flight once every accepted transfer has ended', () => {
  holds(({ entries, books }) => {
    const open = [...books.transactions.values()].filter((transfer) => transfer.status === 'processing');
    const ended = decide(
      books,
      open.map((transfer, place) =>
        settlement(transfer.id, {
          sourceWalletId: transfer.sourceWalletId ?? '',
          trigger: place % 2 === 0 ? 'provider_success' : 'provider_failure',
          reversalId: freshId(),
        }),
      ),
    );
    const all = [...entries, ...ended.flatMap((one) => postedIn(one)?.entries ?? [])];
    for (const code of ['2200', '2210'] as const) {
      expect(sum(all.filter((entry) => entry.account === systemAccountId(code)))).toBe(0n);
    }
  });
});

test('the runs meet every kind of answer', () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(run, (batches) => {
      for (const words of play(batches).words) seen.add(words.split(' ')[0] ?? '');
    }),
    { numRuns: 400, seed: 7 },
  );
  expect([...seen].sort()).toEqual([
    'AMOUNT_TOO_LOW',
    'DUPLICATE_REFERENCE',
    'HOLD_NOT_OPEN',
    'IDEMPOTENCY_KEY_REUSED',
    'INSUFFICIENT_FUNDS',
    'LIMIT_EXCEEDED',
    'SAME_WALLET_TRANSFER',
    'VALIDATION_ERROR',
    'WALLET_NOT_FOUND',
    'answer',
    'before',
    'original',
    'posted',
  ]);
});
