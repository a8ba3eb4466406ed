/**
 * Brings a bank transfer one step on: an order is sent, or a company is asked, and the transfer ends where that is
 * known. Everything between two calls outside is in the rows of its attempts. So this may stop anywhere, run twice, or
 * run beside itself, and no transfer is paid twice. `test/unit/payouts-proof.test.ts` proves it over random histories.
 */
import { INVALID_ACCOUNT, meaningOfNipCode } from '../domain/nip';
import { OTHER_HOLDER, type OnNameMismatch } from '../domain/payout-instructions';
import {
  afterQuery,
  afterSubmit,
  declined,
  endsTransfer,
  GIVEN_UP,
  isSomewhere,
  isUnsent,
  mayBeFollowed,
  mayBeReleased,
  maySendAgain,
  needsPeople,
  nextCompany,
  nextStep,
  released,
  SECOND_KEY_AFTER_MS,
  SENT_WITHIN_MS,
  withOpenPost,
  withoutOrder,
  type Attempt,
  type NameAnswer,
} from '../domain/payouts';
import { NOTHING_TOLD, type Queried, type Submitted } from '../providers/port';

/** The world around one transfer: its rows, its companies, and the ledger. Every call may fail, and is then repeated. */
export interface Payout {
  /** All companies that pay out, the preferred one first. */
  configured: readonly string[];
  /** These, and those that paid out before and may have an order of ours. */
  known: readonly string[];
  /** Those of them that can pay the transfer now, in the order of its routes. */
  usable(): Promise<readonly string[]>;
  attempts: readonly Attempt[];
  /** See `nextStep`. */
  isDoubtful: boolean;
  /** See `mayBeFollowed`. */
  hasForgotten: boolean;
  /**
   * Whether the books of the wallet that pays are damaged: then no order is sent, and the money is not given back. It is asked
   * only before an order.
   */
  isDamaged(): Promise<boolean>;
  createdAt: Date;
  now(): Date;
  /** At this age a transfer that no company has taken fails. */
  holdMs: number;
  /** Notes a new attempt with one open POST. @returns null where somebody else has done so, or the transfer has ended. */
  open(attempt: Pick<Attempt, 'n' | 'provider'>): Promise<Attempt | null>;
  /** Changes an attempt by a rule. @returns the attempt as it is now. */
  change(
    attempt: Attempt,
    rule: (attempt: Attempt) => Attempt,
    heard?: { facts: Submitted | Queried; resolvedName: string | null },
  ): Promise<Attempt>;
  /** The name that the bank has told before; null where it has told none. */
  toldName: string | null;
  /** Asks for the name of the account, for the attempt that is to be the n-th. It never fails. */
  enquire(n: number): Promise<NameAnswer>;
  /** What is done about the transfer where the bank has told this name, as its partner wants it. */
  judgeName(told: string | null): OnNameMismatch;
  /** Keeps a name for which the transfer is held, and tells the partner, once. A second time nothing changes. */
  waitForName(told: string): Promise<void>;
  /** Sends the order. It never fails: a call that broke off is `unknown`. @param told the name, where it is told just now. */
  send(attempt: Attempt, told: string | null): Promise<Submitted>;
  ask(attempt: Attempt): Promise<Queried>;
  /** Takes the place of the next attempt, so that none is begun. @returns it, refused for this cause; null as `open`. */
  close(attempt: Pick<Attempt, 'n' | 'provider'>, cause: 'hold' | 'beneficiary'): Promise<Attempt | null>;
  /** Whether the company pays only what it has asked us about, so that an attempt can be given up. */
  asksFirst(attempt: Attempt): Promise<boolean>;
  /** Whether the company's first `failed` is final. */
  failsForGood(attempt: Attempt): boolean;
  /** The companies after whose final failure another company tries (R47). */
  failOver: readonly string[];
  /** Whether a callback of the company says that the attempt has failed. */
  isFailureReported(attempt: Attempt): Promise<boolean>;
  /** Ends the transfer in the ledger, once. */
  end(attempt: Attempt, to: 'complete' | 'fail', reason: string | null): Promise<void>;
}

/** What came of one step. */
export interface Advanced {
  /** True where the transfer has ended. */
  isOver: boolean;
  /** What is due next, for whoever reads the workflow. */
  next: 'submit' | 'query';
  /** The attempt as it is now; null where none was begun. */
  attempt: Attempt | null;
  /** The company's last answer; null where nobody was asked. */
  answer: Submitted | Queried | null;
  /** When the next step is due; null leaves it to the schedule. */
  pollAfterMs: number | null;
  /** Where the schedule decides, the next step comes no later than after this time; null where it may. */
  withinMs: number | null;
  /** Only people can remove what stops the transfer. */
  needsPeople: boolean;
}

/** An account that the name enquiry does not find is refused before anything is sent (D59). */
const NO_SUCH_ACCOUNT: Submitted = {
  ...NOTHING_TOLD,
  outcome: 'refused',
  cause: 'beneficiary',
  code: INVALID_ACCOUNT,
  saidCode: INVALID_ACCOUNT,
  reason: meaningOfNipCode(INVALID_ACCOUNT),
};

const TOO_LATE_TO_SEND: Submitted = {
  ...NOTHING_TOLD,
  outcome: 'not_sent',
  reason: 'The process slept for too long before it sent the order',
};

/** What a partner reads of a transfer that its company has declined for a reason that we do not know. */
const DECLINED = 'The payment provider did not accept the transfer';

/** What a partner reads of a transfer that was held for its name until the hold was over. */
const NAME_NOT_CONFIRMED = `${OTHER_HOLDER}, and nobody has confirmed it in time`;

/** What a partner reads of a transfer that no company has taken in time. */
const TAKEN_BY_NOBODY = 'No payment provider could take the transfer in time';

export async function advancePayout(payout: Payout): Promise<Advanced> {
  const { attempts, isDoubtful, hasForgotten } = payout;
  if (mayBeFollowed(attempts, hasForgotten)) return leftToPeople(payout, attempts.at(-1));
  const step = nextStep(attempts, isDoubtful);
  switch (step.next) {
    case 'open':
      return openNext(payout, step.n);
    case 'ask':
      return ask(payout, step.attempt);
    case 'complete':
    case 'fail':
      // An earlier run has learned the end, and has stopped before it was booked.
      return over(payout, step.attempt, step.next, null);
    case 'send': {
      if (await payout.isDamaged()) return waitingForRepair(step.attempt);
      const company = nextCompany(await usableIn(payout), attempts);
      if (company === step.attempt.provider) return sendAgain(payout, step.attempt);
      if (company === null) {
        return isPastHold(payout)
          ? giveUp(payout, step.attempt, null)
          : waiting('submit', step.attempt, null, LOOK_AGAIN);
      }
      const given = await payout.change(step.attempt, (one) => withoutOrder(one, isDoubtful));
      // Another process may have given the attempt up for good meanwhile.
      return given.state === 'refused' && !endsTransfer(given)
        ? openNext(payout, given.n + 1)
        : waiting('query', given, null);
    }
  }
}

/** The companies that can pay now, without those whose failure was final (R47). @param last as it is by now. */
async function usableIn(payout: Payout, last?: Attempt): Promise<string[]> {
  const all = [...payout.attempts, ...(last ? [last] : [])];
  const over = all.filter(({ state }) => state === 'failed_over');
  return (await payout.usable()).filter((name) => over.every(({ provider }) => provider !== name));
}

/** No company can pay now. Any of them may be able to in a minute: its breaker closes, or its float is topped up. */
const LOOK_AGAIN = { withinMs: 60_000 } as const;

/** No money leaves a wallet whose books are damaged. The transfer goes on when the finding is closed. */
const waitingForRepair = (attempt: Attempt | null): Advanced =>
  waiting('submit', attempt, null, { ...LOOK_AGAIN, needsPeople: true });

/** Ends a transfer of which provably no company has an order, and which is too old to wait for one. */
async function giveUp(payout: Payout, attempt: Attempt, answer: Submitted | null): Promise<Advanced> {
  const given = await payout.change(attempt, (one) => withoutOrder(one, payout.isDoubtful, 'hold'));
  if (endsTransfer(given)) return over(payout, given, 'fail', answer, TAKEN_BY_NOBODY);
  return waiting('query', given, answer);
}

/**
 * After a restore a forgotten attempt may have been paid or may be on its way, so nothing is sent and nothing fails. Only
 * a success ends the transfer: what a company has paid was never released.
 */
async function leftToPeople(payout: Payout, last: Attempt | undefined): Promise<Advanced> {
  if (last?.state !== 'sending') return waiting('query', last ?? null, null, { needsPeople: true });
  const answer = await payout.ask(last);
  if (answer.outcome !== 'success') return waiting('query', last, answer, { needsPeople: true });
  const at = payout.now();
  const asked = { at, now: at, hasSecondKey: true, failsOver: false };
  const attempt = await payout.change(last, (one) => afterQuery(one, 'success', asked), {
    facts: answer,
    resolvedName: null,
  });
  return over(payout, attempt, 'complete', answer);
}

const isPastHold = ({ now, createdAt, holdMs }: Payout): boolean =>
  now().getTime() - createdAt.getTime() >= holdMs;

/**
 * Begins an attempt. Where the database may have forgotten one, the company is asked before anything is sent. After a
 * release or a failure, or where no company can pay, the money is given back instead, if the transfer is old by then.
 */
async function openNext(payout: Payout, n: number, last = payout.attempts.at(-1)): Promise<Advanced> {
  const { configured, known, isDoubtful } = payout;
  if (await payout.isDamaged()) return waitingForRepair(last ?? null);
  const [preferred] = configured;
  if (isSomewhere(known, isDoubtful) || preferred === undefined) {
    return waiting('submit', null, null, { needsPeople: true });
  }
  const provider = nextCompany(await usableIn(payout, last), payout.attempts);
  const wasGivenUp = last !== undefined && GIVEN_UP.includes(last.state);
  const isReturned = isPastHold(payout) && (wasGivenUp || (provider === null && !isDoubtful));
  if (isReturned) return closed(payout, { n, provider: provider ?? preferred }, 'hold', TAKEN_BY_NOBODY);
  if (provider === null) return waiting('submit', null, null, LOOK_AGAIN);
  // The name is asked for once, and before there is an attempt: so what is held for its name has provably no order.
  const isAsked = n === 1 && !isDoubtful && payout.toldName === null;
  const name = isAsked ? await payout.enquire(n) : 'unknown';
  const found = typeof name === 'object' ? name.found : null;
  const verdict = isDoubtful ? 'continue' : payout.judgeName(found ?? payout.toldName);
  if (verdict === 'fail') return closed(payout, { n, provider }, 'beneficiary', OTHER_HOLDER);
  if (verdict === 'hold') {
    if (isPastHold(payout)) return closed(payout, { n, provider }, 'hold', NAME_NOT_CONFIRMED);
    if (found !== null) await payout.waitForName(found);
    return waiting('submit', null, null, LOOK_AGAIN);
  }
  const since = payout.now();
  const attempt = await payout.open({ n, provider });
  if (!attempt) return waiting('query', null, null);
  if (isDoubtful) return ask(payout, attempt);
  const answer = name === 'not_found' ? NO_SUCH_ACCOUNT : await sendInTime(payout, attempt, since, found);
  return heard(payout, attempt, answer, found);
}

/** Ends a transfer of which no company has or gets an order. */
async function closed(
  payout: Payout,
  attempt: Pick<Attempt, 'n' | 'provider'>,
  cause: 'hold' | 'beneficiary',
  reason: string,
): Promise<Advanced> {
  const given = await payout.close(attempt, cause);
  return given ? over(payout, given, 'fail', null, reason) : waiting('query', null, null);
}

/** Sends the order of an attempt again, under the same reference. */
async function sendAgain(payout: Payout, attempt: Attempt): Promise<Advanced> {
  if (await payout.isDamaged()) return waitingForRepair(attempt);
  const since = payout.now();
  // What was sent before it, as it was when this order was noted.
  let before = attempt.sentAt;
  const claimed = await payout.change(attempt, (one) => {
    before = one.sentAt;
    return withOpenPost(one, since);
  });
  if (claimed.state !== 'sending') return waiting('query', claimed, null);
  return heard(payout, claimed, await sendInTime(payout, claimed, since, null), null, { at: since, before });
}

/**
 * @param since when the open POST of this order was about to be noted.
 * @param told the name of the account, where the bank has told it just now.
 */
async function sendInTime(
  payout: Payout,
  attempt: Attempt,
  since: Date,
  told: string | null,
): Promise<Submitted> {
  return payout.now().getTime() - since.getTime() < SENT_WITHIN_MS
    ? payout.send(attempt, told)
    : TOO_LATE_TO_SEND;
}

/** Follows the answer to an order. */
async function heard(
  payout: Payout,
  sent: Attempt,
  answer: Submitted,
  resolvedName: string | null,
  order?: { at: Date; before: Date },
): Promise<Advanced> {
  const { isDoubtful } = payout;
  const at = { now: payout.now(), ...(order && { order }) };
  const attempt = await payout.change(sent, (one) => afterSubmit(one, answer, isDoubtful, at), {
    facts: answer,
    resolvedName,
  });
  if (endsTransfer(attempt)) return over(payout, attempt, 'fail', answer);
  if (isUnsent(attempt, isDoubtful)) return notTaken(payout, attempt, answer);
  const isKnownNow = answer.outcome === 'exists' || answer.pollAfterMs === 0;
  if (attempt.state === 'accepted' && isKnownNow) return ask(payout, attempt);
  const needs = needsPeople(answer) || attempt.needsAuthorization;
  return waiting('query', attempt, answer, { needsPeople: needs });
}

/** The company provably has no order: another company is next, or this one later, or the transfer fails. */
async function notTaken(payout: Payout, attempt: Attempt, answer: Submitted): Promise<Advanced> {
  if (isPastHold(payout)) return giveUp(payout, attempt, answer);
  return waiting('submit', attempt, answer, {
    ...((await isNewOneUsable(payout, attempt)) ? { pollAfterMs: 0 } : {}),
    needsPeople: needsPeople(answer),
  });
}

/** Whether a company can pay that has had no attempt yet. */
async function isNewOneUsable(payout: Payout, attempt: Attempt): Promise<boolean> {
  const other = nextCompany(await usableIn(payout), [attempt]);
  return (
    other !== null &&
    other !== attempt.provider &&
    payout.attempts.every(({ provider }) => provider !== other)
  );
}

/** Asks the company of the attempt, and follows its answer. */
async function ask(payout: Payout, asked: Attempt): Promise<Advanced> {
  const at = payout.now();
  const answer = await payout.ask(asked);
  // Another company may have got the transfer after this one had failed, and the database has forgotten it.
  const isForgotten = payout.failOver.length > 0 && isSomewhere(payout.known, payout.isDoubtful);
  if (hasFailed(answer) && isForgotten) return waiting('query', asked, answer, { needsPeople: true });
  const hasSecondKey =
    payout.failsForGood(asked) || (hasFailed(answer) && (await payout.isFailureReported(asked)));
  const failsOver = isToFailOver(payout, asked);
  const attempt = await payout.change(
    asked,
    (one) => afterQuery(one, answer.outcome, { at, now: payout.now(), hasSecondKey, failsOver }),
    { facts: answer, resolvedName: null },
  );
  if (maySendAgain(attempt, answer.outcome)) {
    const ended = await declinedNow(payout, attempt, answer, at);
    if (ended) return ended;
    if (isSomewhere(payout.known, payout.isDoubtful)) {
      return waiting('query', attempt, answer, { needsPeople: true });
    }
    if (await isToBeReleased(payout, attempt)) {
      const given = await payout.change(attempt, released);
      if (given.state !== 'released') return waiting('query', given, answer);
      return openNext(payout, given.n + 1, given);
    }
    const usable = await payout.usable();
    return usable.includes(attempt.provider) ? sendAgain(payout, attempt) : waiting('query', attempt, answer);
  }
  if (attempt.state === 'succeeded') return over(payout, attempt, 'complete', answer);
  if (attempt.state === 'failed') return over(payout, attempt, 'fail', answer);
  if (attempt.state === 'failed_over') return openNext(payout, attempt.n + 1, attempt);
  const second = attempt.failedAt === null ? {} : { pollAfterMs: SECOND_KEY_AFTER_MS };
  return waiting('query', attempt, answer, { ...second, needsPeople: attempt.needsAuthorization });
}

/**
 * Follows a no that is in no table, once the company has said afterwards that it knows no such order: another company pays,
 * or the money is given back.
 * @returns null where that is not proved.
 */
async function declinedNow(
  payout: Payout,
  attempt: Attempt,
  answer: Queried,
  at: Date,
): Promise<Advanced | null> {
  if (attempt.declinedAt === null) return null;
  const isFollowed = !isPastHold(payout) && (await isNewOneUsable(payout, attempt));
  const asked = { outcome: answer.outcome, at, isDoubtful: payout.isDoubtful, isFollowed };
  const given = await payout.change(attempt, (one) => declined(one, asked));
  if (given.state !== 'refused') return null;
  return endsTransfer(given)
    ? over(payout, given, 'fail', answer, DECLINED)
    : openNext(payout, given.n + 1, given);
}

/**
 * An order that stays unknown is given up for another company, or for the payer, where its company asks us before it
 * pays. With nobody else to pay, it is sent again.
 */
async function isToBeReleased(payout: Payout, attempt: Attempt): Promise<boolean> {
  const other = nextCompany(await usableIn(payout), [attempt]);
  const isOther = other !== null && other !== attempt.provider;
  const isDue = isOther || isPastHold(payout);
  return (
    isDue && mayBeReleased(attempt, payout.isDoubtful, payout.now()) && (await payout.asksFirst(attempt))
  );
}

/** Whether another company tries after a final failure: one that has not tried yet, and before the hold ends. */
const isToFailOver = (payout: Payout, { provider }: Attempt): boolean =>
  payout.failOver.includes(provider) &&
  !payout.isDoubtful &&
  !isPastHold(payout) &&
  payout.configured.some(
    (name) => name !== provider && payout.attempts.every((attempt) => attempt.provider !== name),
  );

const hasFailed = ({ outcome }: Queried): boolean => outcome === 'failed' || outcome === 'reversed';

const waiting = (
  next: Advanced['next'],
  attempt: Attempt | null,
  answer: Submitted | Queried | null,
  more: Partial<Pick<Advanced, 'pollAfterMs' | 'withinMs' | 'needsPeople'>> = {},
): Advanced => ({
  isOver: false,
  next,
  attempt,
  answer,
  pollAfterMs: answer?.pollAfterMs ?? null,
  withinMs: null,
  needsPeople: false,
  ...more,
});

async function over(
  payout: Payout,
  attempt: Attempt,
  to: 'complete' | 'fail',
  answer: Submitted | Queried | null,
  reason = answer?.reason ?? reasonOf(attempt),
): Promise<Advanced> {
  await payout.end(attempt, to, to === 'complete' ? null : reason);
  return { ...waiting('query', attempt, answer), isOver: true };
}

/** What a partner reads where an earlier run has heard the answer: our words for it. */
const reasonOf = ({ cause, saidReason, code }: Attempt): string | null =>
  cause === 'declined' ? DECLINED : (saidReason ?? (code === null ? null : meaningOfNipCode(code)));
