/**
 * Answers a company that asks us before it pays. The answer is the fence between two attempts of one transfer: an attempt
 * that was given up is never approved, and one that was approved is never given up (D57).
 */
import { attemptOfPayout } from '../domain/payouts';
import { findAnyTransaction, findSubmitter } from '../db/payments/callbacks';
import { approveAttempt } from '../db/payments/transfer-attempts';
import { companiesWithOrders, type Environment } from '../runtime/environment';
import type { ApprovalAsked } from '../wire/provider-callbacks';

/**
 * Approves only an open attempt of this company with the same amount and destination. So it also stops whoever has
 * stolen our key and orders transfers of their own. A question that names a recipient without its account is looked up at the
 * company by its code.
 * @returns whether the company may pay.
 * @throws an outage where that is not known; a company that gets no answer does not pay.
 */
export async function approvePayout(
  environment: Environment,
  provider: string,
  { reference, amountKobo, to }: ApprovalAsked,
): Promise<boolean> {
  const named = attemptOfPayout(reference);
  const partnerId =
    named && (await findSubmitter(environment.pool, environment.directory, named.transactionId));
  const owner = partnerId === null ? null : await environment.findPartner(partnerId);
  if (!named || !owner) return false;
  const { cell } = owner;
  const dest = (await findAnyTransaction(cell, named.transactionId))?.destAccount;
  if (!dest) return false;
  const account = 'recipient' in to ? await recipientOf(environment, provider, to.recipient) : to;
  if (!account) return false;
  const asked = await environment.banks.find(account.bankCode, provider);
  const ours = await environment.banks.find(dest.bankCode);
  // A code that is on our list, and means another bank or none at the company, is not compared as it is written.
  const isSameBank = asked || ours ? asked?.code === ours?.code : account.bankCode === dest.bankCode;
  if (dest.accountNumber !== account.accountNumber || !isSameBank) return false;
  return approveAttempt(cell, environment.directory, { ...named, provider, amountKobo });
}

/** The account behind a company's name of a recipient; null where the company knows none. @throws where it does not answer. */
async function recipientOf({ providers }: Environment, provider: string, code: string) {
  const company = companiesWithOrders(providers).find(({ name }) => name === provider);
  return (await company?.payouts.recipient?.(code)) ?? null;
}
