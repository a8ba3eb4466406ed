/**
 * The proof that a transfer is paid at most once, and never paid and given back: the code that advances payouts runs in
 * random histories, beside itself, and stops at any moment. The line loses orders and answers, or delivers them late.
 * Companies refuse, are slow to know an order, say `failed` too early, and report late; after a final failure another one
 * tries, where that is configured. Some ask us before they pay, so
 * that orders of unknown fate are released by the fence; for the others people do it, with the company's statement. The
 * database is restored from a backup.
 */
import fc from 'fast-check';
import { advancePayout, type Payout } from '../../src/activities/advance-payout';
import {
  isQuiet,
  isUnsent,
  mayBeReleased,
  released,
  RELEASED_AFTER_MS,
  STATES_OF_ONE,
  type Attempt,
  type RefusalCause,
} from '../../src/domain/payouts';
import { compareCallback } from '../../src/domain/callbacks';
import { ON_NAME_MISMATCH, type OnNameMismatch } from '../../src/domain/payout-instructions';
import { sampleBankTransfer } from '../support/samples';
import { NOTHING_TOLD, type Queried, type Submitted } from '../../src/providers/port';

/** In `npm test` the proof is short. A longer one: `PROOF_HISTORIES=100000 npx jest test/unit/payouts-proof.test.ts`. */
const HISTORIES = Number(process.env['PROOF_HISTORIES'] ?? 1_000);
/** `PROOF_SEED` repeats a run. */
const SEED = Number(process.env['PROOF_SEED'] ?? Date.now());
const MOMENTS = 80;
const PROCESSES = 3;
const HOLD_MS = 4 * 3_600_000;
const NAMES = ['first', 'second'] as const;
const OTHER_NAME = 'SOMEBODY ELSE';
/** A company that says `failed` before it is certain, has made up its mind after this time. */
const UNCERTAIN_MS = 60_000;

/** An order that a company has, by its reference. */
interface Order {
  state: 'being checked' | 'working' | 'approved' | 'perhaps failed' | 'paid' | 'failed';
  since: number;
}

interface Rows {
  attempts: readonly Attempt[];
  status: 'processing' | 'completed' | 'failed';
}

/** A call of a process that waits until the history lets it happen. */
interface Call {
  process: object;
  /** Its effect. The process goes on with the result, unless it has ended. */
  happen: (choose: Choose) => unknown;
  goOn: (result: unknown) => void;
  /** The order that it sends, if it sends one. */
  sends: string | null;
}
type Choose = (n: number) => number;

class World {
  rows: Rows = { attempts: [], status: 'processing' };
  backup: Rows | null = null;
  isDoubtful = false;
  hasForgotten = false;
  now = 0;
  readonly orders = new Map<string, Order>();
  /** Orders that were sent and may still arrive, by company and reference. */
  onTheWay: string[] = [];
  calls: Call[] = [];
  readonly reported = new Set<string>();

  /** The name for which the transfer is held, and what its partner wants then. */
  toldName: string | null = null;
  onNameMismatch: OnNameMismatch = 'continue';

  /** How often each way to give an order up was taken, so that the proof is known to have tried them. */
  static readonly releases = { byFence: 0, byPeople: 0, rejected: 0, failedOver: 0, declined: 0 };

  /**
   * @param fenced the companies that ask us before they pay.
   * @param failOver the companies after whose final failure another one tries.
   */
  constructor(
    readonly companies: readonly string[],
    readonly fenced: readonly string[],
    readonly failOver: readonly string[],
    /** People release orders without looking, and so some are paid after all. */
    readonly isCareless = false,
  ) {}

  paid(): number {
    return [...this.orders.values()].filter(({ state }) => state === 'paid').length;
  }

  arrives(key: string, isSlow: boolean): 'accepted' | 'exists' {
    if (this.orders.has(key)) return 'exists';
    this.orders.set(key, { state: isSlow ? 'being checked' : 'working', since: this.now });
    return 'accepted';
  }

  /** Starts a process that advances the transfer by one step. */
  start(): void {
    const process = {};
    const call = <Result>(happen: (choose: Choose) => Result, sends: string | null = null): Promise<Result> =>
      new Promise((goOn) =>
        this.calls.push({ process, happen, goOn: goOn as (result: unknown) => void, sends }),
      );
    const { attempts } = this.rows;
    if (this.rows.status !== 'processing') return;
    const payout: Payout = {
      configured: this.companies,
      known: this.companies,
      // A breaker, the float, or a route may leave out any of them at any moment, and all of them.
      usable: () =>
        call((choose) => (choose(3) === 0 ? this.companies.filter(() => choose(2) === 0) : this.companies)),
      attempts,
      isDoubtful: this.isDoubtful,
      hasForgotten: this.hasForgotten,
      isDamaged: () => Promise.resolve(false),
      createdAt: new Date(0),
      holdMs: HOLD_MS,
      now: () => new Date(this.now),
      open: ({ n, provider }) => call(() => this.open(n, provider, 'sending')),
      close: ({ n, provider }) => call(() => this.open(n, provider, 'refused')),
      asksFirst: ({ provider }) => call(() => this.fenced.includes(provider)),
      change: (attempt, rule) => call(() => this.change(attempt.n, rule)),
      toldName: this.toldName,
      enquire: () =>
        call((choose) => (['not_found', { found: OTHER_NAME }] as const)[choose(8)] ?? 'unknown'),
      judgeName: (told) => (told === null ? 'continue' : this.onNameMismatch),
      waitForName: (told) => call(() => void (this.toldName = told)),
      send: (attempt) => call((choose) => this.send(attempt, choose), keyOf(attempt)),
      ask: (attempt) => call((choose) => this.ask(attempt, choose)),
      failsForGood: () => false,
      failOver: this.failOver,
      isFailureReported: (attempt) => call(() => this.reported.has(keyOf(attempt))),
      end: (_attempt, to) =>
        call(() => {
          const status = to === 'complete' ? 'completed' : 'failed';
          if (this.rows.status === 'processing') this.rows = { ...this.rows, status };
        }),
    };
    void advancePayout(payout);
  }

  /** What `openAttempt` and `closeAttempts` do with the keys of the table. */
  open(n: number, provider: string, state: 'sending' | 'refused'): Attempt | null {
    const { attempts, status } = this.rows;
    const isOfOne = STATES_OF_ONE.includes(state);
    const isTaken = attempts.some((one) => one.n === n || (isOfOne && STATES_OF_ONE.includes(one.state)));
    if (isTaken || status !== 'processing') return null;
    const attempt: Attempt = {
      ...NOTHING_TOLD,
      n,
      provider,
      state,
      begunAt: new Date(this.now),
      openPosts: state === 'sending' ? 1 : 0,
      sentAt: new Date(this.now),
      declinedAt: null,
      said: null,
      saidReason: null,
      cause: state === 'sending' ? null : 'hold',
      failedAt: null,
      needsAuthorization: false,
    };
    this.rows = { ...this.rows, attempts: [...attempts, attempt] };
    return attempt;
  }

  /** What `changeAttempt` and the trigger do. */
  change(n: number, rule: (attempt: Attempt) => Attempt): Attempt {
    const was = this.rows.attempts.find((one) => one.n === n)!;
    const now = rule(was);
    if (now.state === 'released' && was.state !== 'released') World.releases.byFence++;
    if (now.state === 'refused' && was.state === 'sending' && was.declinedAt) World.releases.declined++;
    if (now.state === 'failed_over' && was.state !== 'failed_over') World.releases.failedOver++;
    const isFinal = was.state !== 'sending' && was.state !== 'accepted';
    if (isFinal && now !== was) throw new Error('an attempt that had ended was changed');
    if (now.openPosts < 0) throw new Error('an order was taken back twice');
    this.rows = { ...this.rows, attempts: this.rows.attempts.map((one) => (one.n === n ? now : one)) };
    return now;
  }

  send(attempt: Attempt, choose: Choose): Submitted {
    const key = keyOf(attempt);
    const unknown = { ...NOTHING_TOLD, outcome: 'unknown' } as const;
    switch (choose(7)) {
      case 0:
        this.onTheWay.push(key);
        return unknown;
      case 5:
        // The company says no for a reason that nobody knows. It never does so for an order that it takes.
        return this.orders.has(key) ? { ...NOTHING_TOLD, outcome: 'exists' } : { ...unknown, saysNo: true };
      case 1:
        return { ...NOTHING_TOLD, outcome: 'not_sent' };
      case 2: {
        const cause: RefusalCause = choose(2) === 0 ? 'beneficiary' : 'float';
        if (!this.orders.has(key)) return { ...NOTHING_TOLD, outcome: 'refused', cause };
        return { ...NOTHING_TOLD, outcome: 'exists' };
      }
      case 3:
        this.arrives(key, choose(2) === 0);
        return unknown;
      default:
        return { ...NOTHING_TOLD, outcome: this.arrives(key, choose(2) === 0) };
    }
  }

  ask(attempt: Attempt, choose: Choose): Queried {
    const order = this.orders.get(keyOf(attempt));
    if (choose(8) === 0) return { ...NOTHING_TOLD, outcome: 'unknown' };
    return { ...NOTHING_TOLD, outcome: order ? SAYS[order.state] : 'not_found' };
  }

  /** What `approveAttempt` does when a company asks. */
  approve(key: string): boolean {
    const attempt = this.rows.attempts.find((one) => keyOf(one) === key);
    if (!attempt || this.rows.status !== 'processing') return false;
    const isSending = attempt.state === 'sending' && !this.hasForgotten;
    if (!isSending && attempt.state !== 'accepted') return false;
    this.change(attempt.n, (one) => ({ ...one, state: 'accepted', cause: null }));
    return true;
  }

  /**
   * What `releasePayout` does for people: the company says `not_found`, its statement has no such order, and for 15
   * minutes no order was sent whose answer is not known. What was sent before is not on the way any more by then.
   */
  releaseByHand(): void {
    const { attempts, status } = this.rows;
    const last = attempts.at(-1);
    if (!last || status !== 'processing' || !mayBeReleased(last, this.isDoubtful, new Date(this.now))) return;
    const isSomewhere = (key: string): boolean =>
      this.orders.has(key) || this.onTheWay.includes(key) || this.calls.some(({ sends }) => sends === key);
    const isStill = isQuiet(last, new Date(this.now));
    if (isUnsent(last, this.isDoubtful) || !isStill || (!this.isCareless && isSomewhere(keyOf(last)))) return;
    this.change(last.n, released);
    World.releases.byFence--;
    World.releases.byPeople++;
  }

  /** What `decideName` does: the partner decides about a name, before or after it is told. */
  decideName(choose: Choose): void {
    if (this.onNameMismatch === 'hold' && choose(4) === 0) {
      this.onNameMismatch = choose(2) === 0 ? 'continue' : 'fail';
    }
  }

  /** Something happens at a company. */
  moveOrder(choose: Choose): void {
    const all = [...this.orders];
    const [key, order] = all[choose(Math.max(all.length, 1))] ?? [];
    if (!key || !order) return;
    if (order.state === 'perhaps failed') {
      const state = choose(2) === 0 ? 'paid' : 'failed';
      this.orders.set(key, { state, since: this.now });
    } else if (order.state === 'being checked') this.orders.set(key, { state: 'working', since: this.now });
    else if (order.state === 'working' && this.isFenced(key)) this.askUs(key);
    else if (order.state === 'working' || order.state === 'approved') {
      const state = (['paid', 'failed', 'perhaps failed'] as const)[choose(3)] ?? 'paid';
      this.orders.set(key, { state, since: this.now });
    } else if (order.state === 'failed') this.reported.add(key);
  }

  isFenced(key: string): boolean {
    return this.fenced.some((name) => key.startsWith(`${name}/`));
  }

  /** A company asks before it pays. */
  askUs(key: string): void {
    const mayPay = this.approve(key);
    if (!mayPay) World.releases.rejected++;
    this.orders.set(key, { state: mayPay ? 'approved' : 'failed', since: this.now });
  }

  /** Time passes, and no company stays uncertain for longer than it may. */
  pass(ms: number, choose: Choose): void {
    this.now += ms;
    for (const [key, order] of this.orders) {
      if (order.state === 'perhaps failed' && this.now - order.since >= UNCERTAIN_MS)
        this.orders.set(key, { state: choose(2) === 0 ? 'paid' : 'failed', since: this.now });
    }
  }

  /** No process goes on, and the rows are what they were. */
  restore(): void {
    if (!this.backup || this.isCareless) return;
    this.rows = this.backup;
    this.isDoubtful = true;
    this.hasForgotten ||= this.now >= RELEASED_AFTER_MS;
    this.calls = [];
  }
}

const keyOf = ({ provider, n }: Attempt): string => `${provider}/${String(n)}`;
const SAYS: Record<Order['state'], Queried['outcome']> = {
  'being checked': 'not_found',
  working: 'pending',
  approved: 'pending',
  'perhaps failed': 'failed',
  paid: 'success',
  failed: 'failed',
};

/** What may happen at one moment. */
const EVENTS: readonly [weight: number, happen: (world: World, choose: Choose) => void][] = [
  [4, (world) => new Set(world.calls.map(({ process }) => process)).size < PROCESSES && world.start()],
  [
    12,
    (world, choose) => {
      const [call] = world.calls.splice(choose(Math.max(world.calls.length, 1)), 1);
      if (call) call.goOn(call.happen(choose));
    },
  ],
  [
    1,
    // A process stops before or after one of its calls has had its effect.
    (world, choose) => {
      const [call] = world.calls.splice(choose(Math.max(world.calls.length, 1)), 1);
      if (call && choose(2) === 0) call.happen(choose);
    },
  ],
  [
    2,
    (world, choose) => {
      const [key] = world.onTheWay.splice(choose(Math.max(world.onTheWay.length, 1)), 1);
      if (key !== undefined && choose(3) > 0) world.arrives(key, choose(2) === 0);
    },
  ],
  [4, (world, choose) => world.moveOrder(choose)],
  [
    2,
    (world, choose) =>
      world.pass([1_000, 30_000, 61_000, RELEASED_AFTER_MS, HOLD_MS][choose(5)] ?? 0, choose),
  ],
  [2, (world) => world.releaseByHand()],
  [2, (world, choose) => world.decideName(choose)],
  [1, (world) => (world.backup = world.rows)],
  [1, (world) => world.restore()],
];
const WEIGHTED = EVENTS.flatMap(([weight, happen]) => Array.from({ length: weight }, () => happen));

/** Lets a process run up to its next call. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 12; turn++) await Promise.resolve();
}

/** `expect` is too slow for millions of checks. */
function check(world: World): void {
  const paid = world.paid();
  if (world.rows.status === 'completed' && paid === 0) throw new Error('it was completed, and not paid');
  if (world.isCareless) return;
  if (paid > 1) throw new Error('the transfer was paid twice');
  if (world.rows.status === 'failed' && paid > 0) throw new Error('it was given back, and paid');
}

/** Runs one history. Each moment has a number, from which all that is left to chance follows. */
async function run(world: World, moments: readonly number[]): Promise<void> {
  world.onNameMismatch = ON_NAME_MISMATCH[(moments[0] ?? 0) % ON_NAME_MISMATCH.length] ?? 'continue';
  for (const moment of moments) {
    let left = moment;
    const choose: Choose = (n) => {
      const chosen = left % n;
      left = Math.floor(left / n);
      return chosen;
    };
    WEIGHTED[choose(WEIGHTED.length)]?.(world, choose);
    await settled();
    check(world);
  }
}

/** Everything on the way arrives, and every company ends its orders: paid where it can. */
function letEverythingArrive(world: World): void {
  for (const key of world.onTheWay.splice(0)) world.arrives(key, false);
  for (const [key, { state }] of world.orders) {
    if (world.isFenced(key) && (state === 'being checked' || state === 'working')) world.askUs(key);
    if (world.orders.get(key)?.state !== 'failed') world.orders.set(key, { state: 'paid', since: world.now });
  }
}

/** Brings a transfer to its end, by plain answers: each order arrives and is accepted, and each question is answered. */
async function end(world: World): Promise<void> {
  world.calls = [];
  // What is held for its name waits for its partner, or for the end of the hold.
  if (world.onNameMismatch === 'hold') world.onNameMismatch = 'continue';
  const plain: Choose = (n) => n - 1;
  for (let step = 0; step < 12 && world.rows.status === 'processing'; step++) {
    world.start();
    for (let calls = 0; calls < 20; calls++) {
      await settled();
      const call = world.calls.shift();
      if (!call) break;
      call.goOn(call.happen(plain));
    }
    letEverythingArrive(world);
    world.pass(61_000, plain);
    check(world);
  }
}

const moments = fc.array(fc.nat(2 ** 31 - 1), { minLength: 20, maxLength: MOMENTS, size: 'max' });
const companies = fc.constantFrom(NAMES.slice(0, 1), NAMES.slice(0, 2));
const fenced = fc.constantFrom<(readonly string[])[]>(
  [],
  NAMES.slice(0, 1),
  NAMES.slice(1, 2),
  NAMES.slice(0, 2),
);

const failOver = fc.constantFrom<(readonly string[])[]>([], NAMES.slice(0, 1), NAMES.slice(0, 2));

test('in no history is a transfer paid twice, or paid and given back', async () => {
  await fc.assert(
    fc.asyncProperty(companies, fenced, failOver, moments, async (names, asking, following, history) => {
      const world = new World(names, asking, following);
      await run(world, history);
      letEverythingArrive(world);
      check(world);
    }),
    { numRuns: HISTORIES, seed: SEED },
  );
  for (const times of Object.values(World.releases)) expect(times).toBeGreaterThan(0);
}, 600_000);

test('after every history a transfer ends once its company answers, unless people must look for a lost order', async () => {
  await fc.assert(
    fc.asyncProperty(companies, fenced, failOver, moments, async (names, asking, following, history) => {
      const world = new World(names, asking, following);
      await run(world, history);
      if (world.hasForgotten || (world.isDoubtful && names.length > 1)) return;
      await end(world);
      expect(world.rows.status).not.toBe('processing');
    }),
    { numRuns: HISTORIES / 10, seed: SEED },
  );
}, 600_000);

/** The payments that are booked as late, once every company has told of all that it has paid. */
function late(world: World): number {
  const { attempts, status } = world.rows;
  const transfer = sampleBankTransfer({ status, pspReference: null });
  const paid = attempts.filter((one) => world.orders.get(keyOf(one))?.state === 'paid');
  const said = {
    id: 'id',
    eventId: 'event',
    provider: 'any',
    outcome: 'success',
    currency: 'NGN',
    providerReference: 'any',
  };
  const { amountKobo } = transfer;
  return paid.filter(({ n }) => {
    const attempt = { providerRef: null, isLast: n === attempts.length };
    return compareCallback({ ...said, amountKobo, attemptNumber: n }, transfer, attempt) === 'late';
  }).length;
}

test('where people release an order that is paid after all, each payment is the transfer’s own or is booked as late', async () => {
  let lateOnes = 0;
  await fc.assert(
    fc.asyncProperty(companies, failOver, moments, async (names, following, history) => {
      const world = new World(names, [], following, true);
      await run(world, history);
      letEverythingArrive(world);
      await end(world);
      lateOnes += late(world);
      expect(world.paid()).toBe((world.rows.status === 'completed' ? 1 : 0) + late(world));
    }),
    // One in thirty has a late payment, so a tenth of them would now and then have none.
    { numRuns: HISTORIES, seed: SEED },
  );
  expect(lateOnes).toBeGreaterThan(0);
}, 600_000);
