/** Writes the plain payments of a batch with one statement, which is a transaction by itself: one round trip. */
import type pg from 'pg';
import { present } from '../../domain/assert';
import { assumeYes, asWritten, termsOf, type Movement, type Opening, type Posted } from '../../domain/ledger';
import { done } from '../../domain/outcome';
import { newId } from '../pg/ids';
import { runRoundAhead } from '../pg/round';
import { commit, type LedgerItem, type LedgerResult } from './batch';
import type { OtherWriters } from './other-writers';
import { ANSWER, type NamesOfPlain, type Plain, type PlainRow } from './plain-statement';
import type { Statements } from './statements';

/** What became of an item: its result, or why it has none and nothing of it was written. */
export type PlainResult = LedgerResult | 'left_out' | 'is_away';

export interface PlainOutcome {
  /** For each item. `is_away`: a wallet is locked by another transaction, or does not exist. */
  results: PlainResult[];
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
  if (candidates.payments.length === 0) return { results, endpointIds: [] };
  // The look goes first, so that no wallet is locked meanwhile.
  const look = others.look();
  const steps = [...(look ? [look] : []), sql.plain[names](candidates)];
  const rounds = await commit(client, steps, runRoundAhead);
  if (look) others.noteLook(rounds[0]?.[0]?.['found'] === true);
  const { now, answers, balances, endpoint_ids } = present(
    rounds.at(-1)?.[0],
    'the answer to plain payments',
  ) as unknown as PlainRow;
  const left = (balances ?? '').split(',').map(Number);
  let place = 0;
  for (const [index, { posted, at }] of candidates.assumed.entries()) {
    if (answers[index] === ANSWER.isAway) results[at] = 'is_away';
    if (answers[index] !== ANSWER.written) continue;
    const { source, dest } = present(candidates.payments[index], 'the payment that was written');
    const [first, second] = [left[place++], left[place++]];
    const told = {
      sourceKobo: present(source < dest ? first : second, 'the balance of the source'),
      destKobo: present(source < dest ? second : first, 'the balance of the destination'),
    };
    results[at] = done(asWritten(posted, now, told));
  }
  return { results, endpointIds: endpoint_ids };
}

/** The items that would be posted if their wallets and names are as assumed, as one statement takes them. */
function gather(items: readonly LedgerItem[]): Candidates {
  const yes = assumeYes(
    items.map(({ movement }) => movement),
    new Date(),
  );
  const wallets = new Map<string, Plain['wallets'][number]>();
  const all: Candidates = { wallets: [], payments: [], entries: [], assumed: [] };
  for (const [at, posted] of yes.entries()) {
    const item = items[at] as LedgerItem;
    // The input of a workflow has the epoch, which must be read.
    if (!posted || item.intend) continue;
    const drafts = item.announce(posted);
    const [draft] = drafts;
    // A text may name a balance or a time, which are not known yet.
    if (!draft || drafts.length > 1 || draft.data !== null) continue;
    const opening = openingOf(item.movement);
    const { partnerId } = opening;
    all.assumed.push({ posted, at });
    all.payments.push({
      place: all.assumed.length,
      transaction: posted.transaction,
      terms: present(termsOf(opening), 'the terms of a plain payment'),
      used: opening.key,
      event: { id: newId(), partnerId, requestId: item.requestId, draft },
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
      };
      wallets.set(account, wallet);
      if (amountKobo < 0) wallet.debitsKobo -= amountKobo;
      else wallet.creditsKobo += amountKobo;
    }
  }
  all.wallets = [...wallets.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  for (const [index, wallet] of all.wallets.entries()) wallet.place = index + 1;
  const placeOf = (id: string | null): number => wallets.get(id ?? '')?.place ?? 0;
  for (const payment of all.payments) {
    payment.source = placeOf(payment.transaction.sourceWalletId);
    payment.dest = placeOf(payment.transaction.destWalletId);
    const { entries } = present(all.assumed[payment.place - 1], 'the entries of a payment').posted;
    const rows = entries
      .map((entry) => ({ place: 0, entry, payment: payment.place, wallet: placeOf(entry.account) }))
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
