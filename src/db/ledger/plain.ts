/** Writes the plain payments of a batch with one statement, which is a transaction by itself: one round trip. */
import type pg from 'pg';
import { present } from '../../domain/assert';
import type { Intention } from '../../domain/intentions';
import {
  assumeYes,
  asWritten,
  mayComeBackKobo,
  termsOf,
  type Movement,
  type Opening,
  type Posted,
} from '../../domain/ledger';
import { kindOf } from '../../domain/kinds';
import { addToAsked, useOf } from '../../domain/limits';
import { done } from '../../domain/outcome';
import { newId } from '../pg/ids';
import { runRoundAhead } from '../pg/round';
import { commit, type LedgerItem, type LedgerResult } from './batch';
import type { OtherWriters } from './other-writers';
import { ANSWER, type NamesOfPlain, type Plain, type PlainRow } from './plain-statement';
import type { Statements } from './statements';

/** What became of an item: its result, or why it has none and nothing of it was written. */
type PlainResult = LedgerResult | 'left_out' | 'is_away';

export interface PlainOutcome {
  /** For each item. `is_away`: a wallet is locked by another transaction, or does not exist. */
  results: PlainResult[];
  intentions: Intention[];
  /** Webhook endpoints that have deliveries due now. */
  endpointIds: string[];
}

/** The payments of a batch that may be a plain yes, with the places of their items. */
interface Candidates extends Plain {
  assumed: { posted: Posted; at: number }[];
}

/**
 * Writes the items that are a plain yes, and no other.
 * @param names whether references and keys are looked up, or assumed to be new.
 * @param others is told whether other processes write, too, when a look at them is due.
 * @throws what Postgres answered, with nothing written: a name that was assumed to be new was used, a name was used or a fence was raised at this very moment, or a
 *   value of one item cannot be stored; or OutcomeUnknownError.
 */
export async function writePlain(
  client: pg.Client,
  sql: Statements,
  items: readonly LedgerItem[],
  names: NamesOfPlain,
  others: OtherWriters,
): Promise<PlainOutcome> {
  const results = items.map((): PlainResult => 'left_out');
  const candidates = gather(items);
  if (candidates.payments.length === 0) return { results, intentions: [], endpointIds: [] };
  // The look goes first, so that no wallet is locked meanwhile.
  const look = others.look();
  const steps = [...(look ? [look] : []), sql.plain[names](candidates)];
  const rounds = await commit(client, steps, runRoundAhead);
  if (look) others.noteLook(rounds[0]?.[0]?.['found'] === true);
  const { now, answers, balances, endpoint_ids, epochs } = present(
    rounds.at(-1)?.[0],
    'the answer to plain payments',
  ) as unknown as PlainRow;
  const left = (balances ?? '').split(',').map(Number);
  let place = 0;
  for (const [index, { posted, at }] of candidates.assumed.entries()) {
    if (answers[index] === ANSWER.isAway) results[at] = 'is_away';
    if (answers[index] !== ANSWER.written) continue;
    const { source, dest } = present(candidates.payments[index], 'the payment that was written');
    const next = (): number => present(left[place++], 'the balance of a wallet');
    const [first, second] = [next(), dest === 0 ? null : next()];
    const told =
      second === null || source < dest
        ? { sourceKobo: first, destKobo: second }
        : { sourceKobo: second, destKobo: first };
    results[at] = done(asWritten(posted, now, told));
  }
  const written = candidates.intentions.filter(({ payment }) => answers[payment - 1] === ANSWER.written);
  return {
    results,
    intentions: written.map(({ intention }) => inEpoch(intention, epochs?.[intention.partnerId])),
    endpointIds: endpoint_ids,
  };
}

/** An intention as it was written. @param epoch of its partner; absent where its sandbox was never reset. */
const inEpoch = (intention: Intention, epoch: number | undefined): Intention =>
  epoch === undefined ? intention : { ...intention, input: { ...intention.input, epoch } };

/** The items that would be posted if their wallets and names are as assumed, as one statement takes them. */
function gather(items: readonly LedgerItem[]): Candidates {
  const yes = assumeYes(
    items.map(({ movement }) => movement),
    new Date(),
  );
  const wallets = new Map<string, Plain['wallets'][number]>();
  const all: Candidates = { wallets: [], payments: [], entries: [], intentions: [], assumed: [] };
  for (const [at, posted] of yes.entries()) {
    const item = items[at] as LedgerItem;
    if (!posted) continue;
    const isPayout = posted.transaction.destWalletId === null;
    const drafts = item.announce(posted);
    const [draft] = drafts;
    // A text may name a balance or a time, which are not known yet.
    if (isPayout ? draft : !draft || drafts.length > 1 || draft.data !== null || item.intend) continue;
    const opening = openingOf(item.movement);
    const { partnerId } = opening;
    const { requestId } = item;
    all.assumed.push({ posted, at });
    // The statement puts the epoch of the partner in its place, where there is another one.
    for (const intention of item.intend?.(posted, 0) ?? [])
      all.intentions.push({ payment: all.assumed.length, intention: { ...intention, requestId } });
    all.payments.push({
      place: all.assumed.length,
      transaction: posted.transaction,
      terms: present(termsOf(opening), 'the terms of a plain payment'),
      used: opening.key,
      event: draft ? { id: newId(), partnerId, requestId, draft } : null,
      source: 0,
      dest: 0,
    });
    for (const { account, sequence, amountKobo } of posted.entries) {
      if (sequence === null) continue;
      const wallet = wallets.get(account) ?? {
        place: 0,
        id: account,
        partnerId,
        debitsKobo: 0,
        creditsKobo: 0,
        limits: {},
      };
      wallets.set(account, wallet);
      if (amountKobo < 0) wallet.debitsKobo -= amountKobo;
      else wallet.creditsKobo += amountKobo;
      const side = amountKobo < 0 ? 'debit' : 'credit';
      addToAsked(wallet.limits, side, kindOf(opening.type).limits, opening.amountKobo);
    }
  }
  all.wallets = [...wallets.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const [index, wallet] of all.wallets.entries()) wallet.place = index + 1;
  const placeOf = (id: string | null): number => wallets.get(id ?? '')?.place ?? 0;
  for (const payment of all.payments) {
    payment.source = placeOf(payment.transaction.sourceWalletId);
    payment.dest = placeOf(payment.transaction.destWalletId);
    const { transaction, source } = payment;
    const inFlightKobo = payment.dest === 0 ? mayComeBackKobo(transaction) : 0;
    const dayKobo = useOf(kindOf(transaction.type).limits, transaction.amountKobo).debitKobo;
    const { entries } = present(all.assumed[payment.place - 1], 'the entries of a payment').posted;
    const rows = entries
      .map((entry) => {
        const wallet = placeOf(entry.account);
        const isPayer = wallet === source;
        return {
          place: 0,
          entry,
          payment: payment.place,
          wallet,
          inFlightKobo: isPayer ? inFlightKobo : 0,
          dayKobo: isPayer ? dayKobo : 0,
        };
      })
      .sort(
        (one, other) => (one.wallet || Number.MAX_SAFE_INTEGER) - (other.wallet || Number.MAX_SAFE_INTEGER),
      );
    for (const row of rows) row.place = all.entries.push(row);
  }
  return all;
}

/** Only openings are plain. */
function openingOf(movement: Movement): Opening {
  if (movement.kind !== 'open') throw new Error('bug: a plain payment is an opening');
  return movement;
}
