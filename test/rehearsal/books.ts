/** The books of live after a rehearsal, and whether they agree with what the fake companies say they have done. */
import { companyAccountId, SYSTEM_ACCOUNTS, systemAccountId } from '../../src/domain/accounts';
import { payoutReference } from '../../src/domain/payouts';
import { LIVE_CELL } from '../setup/cells';
import { auditCell } from '../support/audit';
import { COMPANY, SECOND, type Stage } from './stage';

/** A line of the books. A debit balance is negative, as the entries are. */
export interface AccountBalance {
  /** As the chart of accounts names it. */
  title: string;
  kobo: number;
}

/** The accounts of our own that have entries, and all wallets together. */
export async function balancesOf({ platform }: Stage): Promise<AccountBalance[]> {
  const rows = await platform.sql(
    `SELECT CASE WHEN EXISTS (SELECT FROM ${LIVE_CELL}.accounts a WHERE a.id = e.account) THEN NULL
                 ELSE e.account::text END AS account, sum(e.amount_kobo) AS kobo
       FROM ${LIVE_CELL}.entries e GROUP BY 1`,
  );
  const titles = new Map(
    SYSTEM_ACCOUNTS.flatMap(([code, , title]) => [
      [systemAccountId(code), `${code} ${title}`],
      ...[COMPANY, SECOND].map((name): [string, string] => [
        companyAccountId(code, name),
        `${code} ${title}, ${name}`,
      ]),
    ]),
  );
  return rows
    .map(({ account, kobo }) => ({
      title: account === null ? '2100 Wallets' : (titles.get(account as string) ?? String(account)),
      kobo: Number(kobo),
    }))
    .sort((one, other) => one.title.localeCompare(other.title));
}

/** What the companies have paid, and what our books say of it. */
export interface Payouts {
  /** One reference for each time that money has left. */
  payments: readonly string[];
  paidKobo: number;
  attempts: readonly { reference: string; transactionId: string; isPaid: boolean; isOpen: boolean }[];
  completedKobo: number;
  /** Paid by a company after our books had it failed: 1900. */
  unexplainedKobo: number;
}

export async function payoutsOf({ platform, paystack, monnify }: Stage): Promise<Payouts> {
  const first = await paystack.state();
  const second = await monnify.state();
  const payments = [...first.payments, ...second.payments];
  const transfers = [
    ...first.transfers,
    ...second.transfers.map(({ reference, amount }) => ({ reference, amountKobo: Math.round(amount * 100) })),
  ];
  const rows = await platform.sql(
    `SELECT a.n, a.state, t.status, t.amount_kobo, t.id
       FROM ${LIVE_CELL}.transfer_attempts a JOIN ${LIVE_CELL}.transactions t ON t.id = a.transaction_id`,
  );
  const attempts = rows.map((one) => ({
    reference: payoutReference(one.id as string, Number(one.n)),
    transactionId: one.id as string,
    isPaid: one.state === 'succeeded' && one.status === 'completed',
    isOpen: one.status === 'processing',
    amountKobo: Number(one.amount_kobo),
  }));
  const [late] = await platform.sql(
    `SELECT coalesce(sum(amount_kobo), 0) AS kobo FROM ${LIVE_CELL}.entries WHERE account = $1`,
    [systemAccountId('1900')],
  );
  const sum = (some: readonly { amountKobo: number }[]): number =>
    some.reduce((kobo, { amountKobo }) => kobo + amountKobo, 0);
  return {
    payments,
    paidKobo: sum(transfers.filter(({ reference }) => payments.includes(reference))),
    attempts,
    completedKobo: sum(attempts.filter(({ isPaid }) => isPaid)),
    unexplainedKobo: -Number(late?.kobo ?? 0),
  };
}

/**
 * Compares our books with the fake companies, to the kobo and to the reference.
 * @returns a line for each disagreement; none where both tell the same.
 */
export async function disagreements(stage: Stage, payouts: Payouts): Promise<string[]> {
  const { platform, paystack } = stage;
  const { payments, attempts, paidKobo, completedKobo, unexplainedKobo } = payouts;
  const found = (await auditCell(platform.databaseUrl, LIVE_CELL)).map(String);
  for (const reference of new Set(payments)) {
    const times = payments.filter((one) => one === reference).length;
    if (times > 1) found.push(`${reference} was paid ${String(times)} times`);
  }
  for (const { reference } of attempts.filter(({ isPaid }) => isPaid)) {
    if (!payments.includes(reference)) found.push(`${reference} is completed and was never paid`);
  }
  if (paidKobo !== completedKobo + unexplainedKobo) {
    found.push(
      `the companies have paid ${String(paidKobo)}, our completed transfers are ${String(completedKobo)} and 1900 has ${String(unexplainedKobo)}`,
    );
  }
  for (const { transactionId } of attempts.filter(({ isOpen }) => isOpen)) {
    found.push(`transfer ${transactionId} has not ended`);
  }

  const { transactions } = await paystack.state();
  const credited = await platform.sql(
    `SELECT c.reference, t.amount_kobo FROM ${LIVE_CELL}.inbound_credits c JOIN ${LIVE_CELL}.transactions t ON t.id = c.id`,
  );
  const booked = new Map(credited.map((one) => [one.reference as string, Number(one.amount_kobo)]));
  for (const { reference, amountKobo, status } of transactions) {
    const kobo = booked.get(reference);
    if (status === 'success' && kobo !== amountKobo) {
      found.push(`payment ${reference} of ${String(amountKobo)} is booked as ${String(kobo ?? 'nothing')}`);
    }
  }
  if (booked.size !== credited.length) found.push('a payment is booked twice');
  return found;
}
