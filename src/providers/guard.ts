/**
 * Stands before a company that pays out, for all processes together: no more calls leave than it allows, none while it has
 * asked for a pause, and no orders while its breaker is open. What it answers stays the same.
 *
 * What stops an order is a row that all processes share, because otherwise each of them would learn by orders of its own that
 * a company does not answer, and each such order keeps somebody's money for a long time. The tables are unlogged: after a
 * crash of Postgres they are empty, and the worst that follows is an answer 429. The simulator takes none of this.
 */
import { afterCall, closedForMs, withCall, type Breaker } from '../domain/breakers';
import type { Kobo } from '../domain/money';
import { stampDutyKobo } from '../domain/fees';
import type { PayoutTerms } from '../domain/payout-routes';
import { CALL_WORKS, placesOf, type CallWork } from '../domain/call-limits';
import { remember } from '../runtime/remember';
import { NOTHING_TOLD, type Facts, type Provider, type Queried, type Submitted } from './port';

/** What all processes know together. Every function may fail. */
export interface GuardPorts {
  /** @returns null where the call has its place; else how long until there may be one. */
  takePlace(of: { provider: string; work: CallWork }, places: number): Promise<number | null>;
  /** Takes a place in the line of those who wait for a call. @returns how long until its turn once calls leave again. */
  waitInLine(of: { provider: string; work: CallWork }, places: number): Promise<number>;
  /** The company takes no calls for a while. */
  pause(provider: string, works: readonly CallWork[], forMs: number): Promise<void>;
  /** Changes both breakers of an order by a rule; null changes nothing. @returns what they were. */
  change(
    of: { provider: string; bankCode: string },
    decide: (breakers: readonly Breaker[], now: Date) => readonly Breaker[] | null,
  ): Promise<{ was: readonly Breaker[]; now: Date }>;
  /** Is told what could not be noted. An answer is never lost by that. */
  onError(error: unknown, provider: string): void;
}

/** So old a balance may be: a company refuses by itself what our float there does not cover. */
const BALANCE_KNOWN_MS = 15_000;

const notNow = (reason: string, pollAfterMs: number | null): Facts => ({
  ...NOTHING_TOLD,
  reason,
  pollAfterMs,
});

/**
 * Puts the guard before a company. One that sets no terms gets none, because no call to it leaves the process.
 * @returns a company whose order is `not_sent`, whose question is `unknown`, and whose balance throws where no call may
 *   leave.
 */
export function guarded(company: Provider, ports: GuardPorts): Provider {
  const { name: provider, payouts, treasury } = company;
  const terms = payouts?.terms;
  if (!terms) return company;
  const places = placesOf(terms.callsPerMinute);
  const take = (work: CallWork): Promise<number | null> => ports.takePlace({ provider, work }, places[work]);

  async function note(work: () => Promise<unknown>): Promise<void> {
    await work().catch((error: unknown) => {
      ports.onError(error, provider);
    });
  }

  async function heard<Answer extends Facts>(answer: Answer): Promise<Answer> {
    const { closedForMs: forMs } = answer;
    if (forMs !== null) await note(() => ports.pause(provider, CALL_WORKS, forMs));
    return answer;
  }

  /** How long until an order to this bank may be sent; null where it may be now. Nothing has left before. */
  async function waitForOrder(bankCode: string): Promise<number | null> {
    const of = { provider, bankCode };
    const { was, now } = await ports.change(of, (breakers, at) =>
      breakers.every(({ openUntil }) => openUntil === null) || isClosed(breakers, at)
        ? null
        : breakers.map((one) => withCall(one, at)),
    );
    if (isClosed(was, now)) return Math.max(...was.map((one) => closedForMs(one, now)));
    return take('orders');
  }

  /** Those who wait come one after the other. Where the line is not known, all come when calls leave again. */
  async function inLineMs(work: CallWork): Promise<number> {
    return ports.waitInLine({ provider, work }, places[work]).catch((error: unknown) => {
      ports.onError(error, provider);
      return 0;
    });
  }

  // A failure is kept as long as a balance: otherwise whoever looks for a company would use up the places of questions.
  const balance = remember(BALANCE_KNOWN_MS, async (): Promise<{ kobo: Kobo } | { error: unknown }> => {
    try {
      if (!treasury || (await take('questions')) !== null)
        throw new Error(`${provider} may not be asked now`);
      return { kobo: await treasury.balance() };
    } catch (error) {
      return { error };
    }
  });

  return {
    ...company,
    payouts: {
      ...payouts,
      turnMs: () => inLineMs('orders'),
      async submit(order): Promise<Submitted> {
        let waitMs: number | null;
        try {
          waitMs = await waitForOrder(order.bankCode);
        } catch (error) {
          ports.onError(error, provider);
          return { ...notNow('Nobody knew whether an order may be sent', null), outcome: 'not_sent' };
        }
        if (waitMs !== null) {
          const turnInMs = waitMs + (await inLineMs('orders'));
          return { ...notNow('No order may be sent now', turnInMs), outcome: 'not_sent' };
        }
        const isUnknown = async (is: boolean): Promise<void> =>
          note(() =>
            ports.change({ provider, bankCode: order.bankCode }, (breakers, now) =>
              breakers.map((one) => afterCall(one, is, now)),
            ),
          );
        try {
          const answer = await payouts.submit(order);
          await isUnknown(answer.outcome === 'unknown');
          return await heard(answer);
        } catch (error) {
          await isUnknown(true);
          throw error;
        }
      },
      async query(order): Promise<Queried> {
        const waitMs = await take('questions');
        if (waitMs !== null) {
          const turnInMs = waitMs + (await inLineMs('questions'));
          return { ...notNow('No question may be asked now', turnInMs), outcome: 'unknown' };
        }
        return withDuty(terms, order.amountKobo, await heard(await payouts.query(order)));
      },
    },
    ...(treasury && {
      treasury: {
        ...treasury,
        async balance() {
          const known = await balance('now');
          if ('error' in known) throw known.error;
          return known.kobo;
        },
      },
    }),
  };
}

/** What a company has paid, with the stamp duty that it takes by our contract and does not tell. */
const withDuty = ({ takesDuty }: PayoutTerms, amountKobo: Kobo, answer: Queried): Queried =>
  takesDuty && answer.outcome === 'success' && answer.dutyKobo === null
    ? { ...answer, dutyKobo: stampDutyKobo(amountKobo) }
    : answer;

const isClosed = (breakers: readonly Breaker[], now: Date): boolean =>
  breakers.some((one) => closedForMs(one, now) > 0);
