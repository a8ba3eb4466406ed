/**
 * The journals: which accounts a movement of money touches. A posting's amount is positive for a credit
 * and negative for a debit; every set sums to zero. Zero postings are left out (R7).
 */
import { assert } from './assert';
import { companyAccountId, systemAccountId, type SystemAccountCode } from './accounts';
import { vatInFeeKobo, type FeeBreakdown } from './fees';
import type { Kobo } from './money';
import type { SuspenseAccount } from './suspense';
import { TREASURY_ENTRIES, type TreasuryAccount, type TreasuryEntry } from './treasury';

export interface Posting {
  /** A wallet's id, or a system account's. */
  account: string;
  amountKobo: Kobo;
}

/** Which part of a transaction's life a set of postings is; each happens once (R7). */
export type PostingStep = 'accept' | 'settle' | 'return';

const system = (code: SystemAccountCode, amountKobo: Kobo): Posting => ({
  account: systemAccountId(code),
  amountKobo,
});

/** P2P: the source pays amount and fee in one entry, the destination receives exactly the amount. */
export function p2pPostings(wallets: { source: string; dest: string }, amountKobo: Kobo, fees: FeeBreakdown) {
  const feeKobo = fees.customerFeeKobo;
  const vatKobo = vatInFeeKobo(feeKobo);
  return balanced([
    { account: wallets.source, amountKobo: -(amountKobo + feeKobo) },
    { account: wallets.dest, amountKobo },
    system('4100', feeKobo - vatKobo),
    system('2400', vatKobo),
  ]);
}

/** A payment by QR, by USSD, or as a leg of a split: nothing is charged for it (D64, D71, D79). */
export function paymentPostings(wallets: { source: string; dest: string }, amountKobo: Kobo) {
  return balanced([
    { account: wallets.source, amountKobo: -amountKobo },
    { account: wallets.dest, amountKobo },
  ]);
}

/** An accepted bank transfer: the money is in flight and the fee waits until the outcome is known. */
export function bankAcceptPostings(source: string, amountKobo: Kobo, fees: FeeBreakdown) {
  return balanced([
    { account: source, amountKobo: -(amountKobo + fees.customerFeeKobo) },
    system('2200', amountKobo),
    system('2210', fees.customerFeeKobo),
  ]);
}

/** Stamp duty that is charged with a bank transfer: we owe it until the company or we have paid it on (R46). */
export const dutyAcceptPostings = (source: string, dutyKobo: Kobo): Posting[] =>
  balanced([{ account: source, amountKobo: -dutyKobo }, system('2410', dutyKobo)]);

/** Stamp duty of a transfer that failed: nothing was paid on, so the wallet has it back. */
export const dutyReturnPostings = (source: string, dutyKobo: Kobo): Posting[] =>
  balanced([system('2410', -dutyKobo), { account: source, amountKobo: dutyKobo }]);

/** What a company takes from our balance with it beside the amount; null where it has not told it. */
export interface CompanyCharge {
  company: string;
  feeKobo: Kobo | null;
  dutyKobo: Kobo | null;
}

/** The company that has paid a transfer from our balance with it; null for the simulator, which has no balance. */
export type PaidBy = CompanyCharge | null;

/**
 * A bank transfer that arrived: the PSP's balance pays, fee income and its VAT are recognised, the cost is owed.
 * One that pays a wallet of ours comes back to us as an inbound credit, which is booked by itself (D60, R8).
 *
 * A real company takes its fee and the stamp duty out of our balance with it. A fee that it has not told yet is
 * expected at the bank's cost, and owed until its statement says what it was (R37). Stamp duty that was charged to the
 * payer pays what the company has taken; what it has not taken is still owed (R46).
 * @param chargedKobo the stamp duty that was charged with the transfer; 0 where none was.
 */
export function bankSettlePostings(
  amountKobo: Kobo,
  fees: FeeBreakdown,
  by: PaidBy = null,
  chargedKobo: Kobo = 0,
) {
  const feeKobo = fees.customerFeeKobo;
  const vatKobo = vatInFeeKobo(feeKobo);
  const earned = [
    system('2200', -amountKobo),
    system('2210', -feeKobo),
    system('4110', feeKobo - vatKobo),
    system('2400', vatKobo),
  ];
  if (by === null) {
    const costKobo = fees.mfbCostKobo;
    return balanced([
      ...earned,
      system('1200', amountKobo),
      system('5100', -costKobo),
      system('2300', costKobo),
    ]);
  }
  const dutyKobo = by.dutyKobo ?? 0;
  const borneKobo = Math.min(chargedKobo, dutyKobo);
  const owedKobo = by.feeKobo === null ? fees.mfbCostKobo : 0;
  const paidKobo = by.feeKobo ?? 0;
  return balanced([
    ...earned,
    system('5110', -(paidKobo + owedKobo)),
    system('2300', owedKobo),
    system('2410', -borneKobo),
    system('5300', borneKobo - dutyKobo),
    { account: companyAccountId('1200', by.company), amountKobo: amountKobo + paidKobo + dutyKobo },
  ]);
}

/** A bank transfer that failed: amount and fee go back to the wallet; income was never touched. */
export function bankReturnPostings(source: string, amountKobo: Kobo, fees: FeeBreakdown) {
  return balanced([
    system('2200', -amountKobo),
    system('2210', -fees.customerFeeKobo),
    { account: source, amountKobo: amountKobo + fees.customerFeeKobo },
  ]);
}

/**
 * A completed bank transfer that came back: what was booked at its end is undone, apart from the cost, which
 * stays. Money whose wallet cannot take it waits in suspense (D30).
 */
export function bankTakeBackPostings(
  source: string | null,
  amountKobo: Kobo,
  fees: FeeBreakdown,
  by: PaidBy = null,
) {
  const feeKobo = fees.customerFeeKobo;
  const vatKobo = vatInFeeKobo(feeKobo);
  const backKobo = amountKobo + feeKobo;
  return balanced([
    by === null
      ? system('1200', -amountKobo)
      : { account: companyAccountId('1200', by.company), amountKobo: -amountKobo },
    system('4110', -(feeKobo - vatKobo)),
    system('2400', -vatKobo),
    source === null ? system('2900', backKobo) : { account: source, amountKobo: backKobo },
  ]);
}

/**
 * What a company paid after its transfer was given back, or was paid by another attempt: the amount is unexplained until
 * people get it back. No wallet is debited again (D57).
 */
export function latePayoutPostings(amountKobo: Kobo, { company, ...charge }: CompanyCharge) {
  const [feeKobo, dutyKobo] = [charge.feeKobo ?? 0, charge.dutyKobo ?? 0];
  return balanced([
    system('1900', -amountKobo),
    system('5110', -feeKobo),
    system('5300', -dutyKobo),
    { account: companyAccountId('1200', company), amountKobo: amountKobo + feeKobo + dutyKobo },
  ]);
}

/** What operators book of our money with a company, as the table of treasury entries says. */
export function treasuryPostings({
  entry,
  provider,
  amountKobo,
  feeKobo,
  owedKobo = 0,
  ends,
}: Pick<TreasuryEntry, 'entry' | 'provider' | 'amountKobo' | 'feeKobo' | 'owedKobo' | 'ends'>) {
  const { debit, credit } = TREASURY_ENTRIES[entry];
  const account = (name: TreasuryAccount): string =>
    name === '1200-p'
      ? companyAccountId('1200', provider)
      : name === '1300-p'
        ? companyAccountId('1300', provider)
        : systemAccountId(ends?.otherCell && (name === '1900' || name === '2900') ? '1990' : name);
  return balanced([
    { account: account(debit), amountKobo: -amountKobo },
    { account: account('5110'), amountKobo: owedKobo - feeKobo },
    { account: account('2300'), amountKobo: -owedKobo },
    { account: account(credit), amountKobo: amountKobo + feeKobo },
  ]);
}

/**
 * An operator's correction of a wallet, against the suspense account that holds the other side (D14).
 * @param other that account, where the correction ends a finding of it.
 */
export function correctionPostings(
  wallet: string,
  amountKobo: Kobo,
  direction: 'credit' | 'debit',
  other: SuspenseAccount = direction === 'credit' ? '2900' : '1900',
) {
  return balanced(
    direction === 'credit'
      ? [system(other, -amountKobo), { account: wallet, amountKobo }]
      : [{ account: wallet, amountKobo: -amountKobo }, system(other, amountKobo)],
  );
}

/** Money that leaves suspense: written off as a loss, or passed on to a wallet of another cell. */
export function suspenseMovePostings(
  amountKobo: Kobo,
  { account, holds, to }: { account: SuspenseAccount; holds: 'credit' | 'debit'; to: '1990' | '5900' },
) {
  const signedKobo = holds === 'credit' ? amountKobo : -amountKobo;
  return balanced([system(account, -signedKobo), system(to, signedKobo)]);
}

/**
 * Money that comes in: from the sandbox's external world, over NIP from a transfer to our own MFB, or out of suspense, of this
 * cell or another, where people have decided whose it is.
 */
export function fundingPostings(dest: string, amountKobo: Kobo, from: keyof typeof FUNDED_FROM) {
  return balanced([system(FUNDED_FROM[from], -amountKobo), { account: dest, amountKobo }]);
}

const FUNDED_FROM = { sandbox: '9000', own_mfb: '1300', suspense: '2900', other_cell: '1990' } as const;

/** The amount and fee of a returned transfer, which waited in suspense, go to the wallet that people have decided on. */
export const returnAllocatedPostings = (dest: string, amountKobo: Kobo): Posting[] =>
  balanced([system('2900', -amountKobo), { account: dest, amountKobo }]);

/** What a company keeps of a payment that it has received for us. */
export interface CompanyReceipt {
  company: string;
  feeKobo: Kobo;
  /** A fee that the company has not told: it is expected, and owed until its statement comes. */
  owedKobo: Kobo;
}

/**
 * Money that a company has received for us and settles later. The wallet gets all of it, and the company's fee is ours
 * (R43).
 * @param dest the wallet; null where nobody's wallet can take it, so that it waits until people decide.
 */
export function inboundPostings(
  dest: string | null,
  amountKobo: Kobo,
  { company, feeKobo, owedKobo }: CompanyReceipt,
) {
  return balanced([
    { account: companyAccountId('1300', company), amountKobo: feeKobo - amountKobo },
    system('5110', -(feeKobo + owedKobo)),
    system('2300', owedKobo),
    dest === null ? system('2900', amountKobo) : { account: dest, amountKobo },
  ]);
}

/**
 * A payment that waited in suspense went back to its payer: the company owes us that much less. Where it takes the amount
 * from our balance instead, and what it charges, its statement says, and the entry `refund_taken` books it.
 */
export function creditRefundPostings(amountKobo: Kobo, company: string) {
  return balanced([system('2900', -amountKobo), { account: companyAccountId('1300', company), amountKobo }]);
}

/**
 * A company has taken a payment back: it owes us that much less. The company keeps its fee.
 * @param source the wallet that was credited; null for what it does not have any more, which is unexplained until people
 *   get it back.
 */
export function paymentReturnPostings(source: string | null, amountKobo: Kobo, company: string) {
  return balanced([
    source === null ? system('1900', -amountKobo) : { account: source, amountKobo: -amountKobo },
    { account: companyAccountId('1300', company), amountKobo },
  ]);
}

function balanced(postings: Posting[]): Posting[] {
  const sumKobo = postings.reduce((sum, posting) => sum + posting.amountKobo, 0);
  assert(sumKobo === 0, 'the postings of a transaction sum to zero');
  return postings.filter((posting) => posting.amountKobo !== 0);
}
