/**
 * The wallet of the fake Monnify: `GET /api/v1/disbursements/wallet/:accountNumber/statement`, as Monnify's page "Wallet
 * statement" describes it. Its times are in whole seconds. A charge is a line of its own.
 */
import type { Answer, Asked } from '../kit';
import { ok, page } from './answers';
import type { MonnifyLine, MonnifyState } from './state';

const HOUR_MS = 3_600_000;

const round = (naira: number): number => Math.round(naira * 100) / 100;

/** Changes the balance, with its line. */
export function book(
  { settings, lines }: MonnifyState,
  line: { reference: string; change: number; narration: string },
): void {
  const before = settings.balance;
  settings.balance = round(before + line.change);
  const { reference, narration } = line;
  lines.push({
    reference,
    atMs: Date.now(),
    before,
    after: settings.balance,
    narration,
    status: 'COMPLETED',
  });
}

/** Books what somebody has sent to the wallet or taken from it since the last request. */
export function bookForeign(state: MonnifyState): void {
  const { settings, lines } = state;
  const before = lines.at(-1)?.after ?? 0;
  const change = round(settings.balance - before);
  if (change === 0) return;
  settings.balance = before;
  const reference = `${change > 0 ? 'TOPUP' : 'SWEEP'}_${String(lines.length)}`;
  book(state, { reference, change, narration: 'Moved in the dashboard' });
}

const write = ({ reference, atMs, before, after, narration, status }: MonnifyLine): object => ({
  walletTransactionReference: reference,
  monnifyTransactionReference: reference,
  availableBalanceBefore: before,
  availableBalanceAfter: after,
  amount: Math.abs(round(after - before)),
  transactionDate: new Date(atMs).toISOString().replace(/\.[0-9]{3}Z$/, '.000+0000'),
  transactionType: after < before ? 'DEBIT' : 'CREDIT',
  message: null,
  narration,
  status,
});

/** @returns undefined where the request is about something else. */
export function aboutStatement(
  { settings, lines }: MonnifyState,
  { called, query }: Asked,
): Answer | undefined {
  if (called !== `GET /api/v1/disbursements/wallet/${settings.sourceAccount}/statement`) return undefined;
  const [start, end] = ['startDate', 'endDate'].map((name) => Number(query.get(name)));
  if (!start || !end) return ok({ content: [], last: true });
  // Its filter looks at the hour alone.
  const hour = (ms: number): number => Math.floor(ms / HOUR_MS);
  const found = lines.filter(({ atMs }) => hour(atMs) >= hour(start) && hour(atMs) <= hour(end)).reverse();
  return page(found, [Number(query.get('pageNo') ?? 0), Number(query.get('pageSize') ?? 10)], write);
}
