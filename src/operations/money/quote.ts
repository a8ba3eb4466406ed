/** What a payment would cost and whether it would happen, decided as the payment itself is decided (D190). */
import { present } from '../../domain/assert';
import { feesFor } from '../../domain/kinds';
import { decide, walletsOf, type Opening } from '../../domain/ledger';
import { done, type Outcome } from '../../domain/outcome';
import type { RefusalCode } from '../../domain/refusals';
import { findBooks } from '../../db/ledger/books-as-read';
import type { Quote, QuoteRequest } from '../../wire/quotes';
import { notActive, type Tenant } from '../tenant';
import { p2pOpening } from './pay';
import { bankOpening } from './send-to-bank';

/** What may be otherwise at the next moment without the request being another one. */
const OF_THE_MOMENT: readonly RefusalCode[] = [
  'WALLET_CLOSED',
  'WALLET_FROZEN',
  'WALLET_NOT_ACTIVE',
  'LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
];

/**
 * Asks the ledger's decision about the movement of a payment, on the books as they can be read now. Nothing is locked
 * and nothing is written, so the payment may be decided otherwise when something moves in between.
 * @returns the quote; or refused as the payment would be, where the request itself is wrong: AMOUNT_TOO_LOW,
 *   SAME_WALLET_TRANSFER, WALLET_NOT_FOUND, INVALID_BANK_CODE, and SERVICE_UNAVAILABLE.
 */
export async function quote(tenant: Tenant, request: QuoteRequest): Promise<Outcome<Quote>> {
  const opening = await openingOf(tenant, request);
  if (!opening.ok) return opening;
  const canForward = tenant.environment.allowsSimulation;
  const books = await findBooks(tenant.cell, tenant.partner.id, walletsOf(opening.value), canForward);
  const decision = present(decide(books, [opening.value])[0], 'the decision of a movement');
  if (!decision.ok && !OF_THE_MOMENT.includes(decision.refusal.code)) return decision;
  const { type, amountKobo, duty } = opening.value;
  const refused = notActive(tenant) ?? (decision.ok ? null : decision);
  return done({
    type,
    amountKobo,
    fees: feesFor(type, amountKobo),
    dutyKobo: duty?.amountKobo ?? 0,
    refusal: refused && refused.refusal,
  });
}

/** A reference has not been used: what was paid before is not asked about. */
const WORDS = { reference: 'quote', description: '', metadata: {} };

async function openingOf(tenant: Tenant, request: QuoteRequest): Promise<Outcome<Opening>> {
  if ('destWalletId' in request) return done(p2pOpening(tenant, { ...request, ...WORDS }));
  return bankOpening(tenant, { ...request, ...WORDS, accountName: '' });
}
