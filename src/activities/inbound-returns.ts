/**
 * Payments that a company has taken back: a payer's bank has claimed one back, or somebody has refunded one in the company's
 * dashboard. The wallet that was credited is debited, once for each return, as far as it has the money (R45).
 */
import type { Logger } from 'pino';
import { present } from '../domain/assert';
import type { MadeRefund } from '../domain/refunds';
import { nameOf } from '../domain/outcome';
import { OF_NO_PARTNER } from '../domain/partners';
import { waitBeforeAsking, type RequerySchedule } from '../domain/requery';
import { fundingReference, type Transaction } from '../domain/transactions';
import type { InboundPaymentInput } from '../contract/messages';
import { findAnyTransaction } from '../db/payments/callbacks';
import {
  creditsOfPayments,
  findBookedPayment,
  whileCreditIsLocked,
  type BookedPayment,
  type InboundClaim,
} from '../db/payments/inbound-credits';
import { knownRefundRefs } from '../db/payments/inbound-refunds';
import { idNamed } from '../db/pg/ids';
import { recordFindings } from '../db/reconcile/findings';
import { postOwn } from '../operations/money/post-own';
import { refundingCompany } from '../operations/money/refund-credit';
import type { Environment, OpenCell } from '../runtime/environment';
import { completedAtOnce } from '../wire/webhooks';

type Credit = BookedPayment & { cell: OpenCell };

/** What came of looking at what went back of a payment. */
type ReturnProgress =
  | { kind: 'ended'; as: 'credited' | 'unallocated' | 'returned' }
  | { kind: 'open'; answer: 'pending'; pollAfterMs: number };

const DAY_MS = 24 * 3_600_000;

/** The transactions that book a return: made from the company's own id of it, so that it is booked once. */
const bookedBy = (provider: string, { providerRef }: Pick<MadeRefund, 'providerRef'>) => ({
  debitId: idNamed(`returned/${provider}/${providerRef}`),
  shortfallId: idNamed(`returned/${provider}/${providerRef}/shortfall`),
});

export function followReturns({
  environment,
  logger,
  requery,
}: {
  environment: Environment;
  logger: Logger;
  requery: RequerySchedule;
}) {
  const cells = (): OpenCell[] => [...environment.cells.values()];

  /** A transaction of whichever cell, with its cell. */
  async function findIn(id: string): Promise<{ cell: OpenCell; transaction: Transaction } | null> {
    for (const cell of cells()) {
      const transaction = await findAnyTransaction(cell, id);
      if (transaction) return { cell, transaction };
    }
    return null;
  }

  /**
   * Books one return of a payment that a wallet has got: what the wallet has is debited, the rest is unexplained, with a
   * finding. The credit is locked meanwhile, and what is booked already is not booked again.
   */
  async function book(provider: string, credit: Credit, creditedAs: string, back: MadeRefund): Promise<void> {
    const { debitId, shortfallId } = bookedBy(provider, back);
    const funded = present(await findIn(creditedAs), 'the funding of a credited payment');
    const walletId = present(funded.transaction.destWalletId, 'the wallet of a funding');
    const { partnerId } = funded.transaction;
    await whileCreditIsLocked(credit.cell, credit.id, async () => {
      if (await findAnyTransaction(credit.cell, shortfallId)) return;
      const debited = async (): Promise<number> =>
        (await findAnyTransaction(funded.cell, debitId))?.amountKobo ?? 0;
      let debitedKobo = await debited();
      for (let askKobo = back.amountKobo; debitedKobo === 0 && askKobo > 0;) {
        const posted = await funded.cell.ledger.post({
          movement: {
            kind: 'open',
            type: 'wallet_debit',
            returnedBy: provider,
            transactionId: debitId,
            partnerId,
            sourceWalletId: walletId,
            reference: `returned_${debitId}`,
            amountKobo: askKobo,
            description: 'Payment taken back by its sender’s bank',
            metadata: { original_transaction_id: creditedAs },
            key: null,
          },
          announce: ({ transaction }) => [completedAtOnce(transaction)],
        });
        if (posted.ok && posted.value.kind !== 'locked') debitedKobo = await debited();
        else if (posted.ok) throw new Error('the wallet is locked now');
        else if (posted.refusal.code === 'INSUFFICIENT_FUNDS') askKobo = availableIn(posted.refusal.detail);
        else if (posted.refusal.code === 'WALLET_CLOSED') askKobo = 0;
        else throw new Error(`the return cannot be booked now: ${nameOf(posted)}`);
      }
      const shortKobo = back.amountKobo - debitedKobo;
      if (shortKobo === 0) return;
      const why = await postOwn(credit.cell, {
        type: 'return_shortfall',
        company: provider,
        creditId: credit.id,
        told: { why: 'shortfall', wallet: walletId, short: shortKobo, provider, returned: back.amountKobo },
        transactionId: shortfallId,
        partnerId: OF_NO_PARTNER,
        reference: fundingReference(shortfallId),
        amountKobo: shortKobo,
      });
      if (why !== null) throw new Error(`the shortfall cannot be booked now: ${why}`);
    });
  }

  const note = ({ cell, id }: Credit, detail: Record<string, unknown>): Promise<void> =>
    recordFindings(cell.pool, cell.schema, [{ class: 'payment_returned', resource: id, detail }]);

  return {
    /**
     * Looks at what went back of a payment that is booked, and books it. The company's list of refunds says the amounts;
     * what it says of the payment itself is only compared with that.
     */
    async follow(
      { provider, reference }: InboundPaymentInput,
      claim: InboundClaim,
      booked: 'credited' | 'unallocated',
      asked: number,
      ageMs: number,
    ): Promise<ReturnProgress> {
      const company = refundingCompany(environment, provider);
      const cell = present(environment.cells.get(claim.cell), `the cell ${claim.cell}`);
      const found = await findBookedPayment(cell, claim.creditId);
      if (!company || !found) throw new Error(`${provider} does not tell what goes back`);
      const credit: Credit = { ...found, cell };
      const since = new Date(credit.receivedAt.getTime() - DAY_MS);
      const made = (await company.made(since)).filter((one) => one.paymentRef === credit.paymentRef);

      // What two operators have ordered is booked by its own workflow.
      if (credit.refundId !== null) environment.relay.tellOfRefundLater(credit.refundId);
      const gone = made.filter(({ outcome }) => outcome === 'success');
      const isOpen = made.some(({ outcome }) => outcome !== 'success' && outcome !== 'failed');
      if (credit.creditedAs !== null) {
        for (const back of gone) await book(provider, credit, credit.creditedAs, back);
      } else if (gone.length > 0 && credit.refundId === null) {
        // People order the refund, which finds the one that is there, and books it.
        await note(credit, { why: 'not_ordered', provider, reference });
      }

      const pollAfterMs = isOpen ? waitBeforeAsking(requery, asked, ageMs) : null;
      if (pollAfterMs !== null) return { kind: 'open', answer: 'pending', pollAfterMs };
      const goneKobo = gone.reduce((sum, { amountKobo }) => sum + amountKobo, 0);
      const confirmed = environment.providers.inbound.find(({ name }) => name === provider);
      const says = await confirmed?.inbound.confirm(reference);
      if (says?.outcome === 'failed' && goneKobo < credit.amountKobo) {
        logger.warn(
          { provider, creditId: credit.id },
          'A payment went back, and no refund says how much of it',
        );
        await note(credit, { why: 'amount_not_told', provider, reference });
      }
      return { kind: 'ended', as: goneKobo > 0 ? 'returned' : booked };
    },

    /** The payments of a company of which something went back since a time that is not booked. Empty where it does not tell. */
    async unbooked(provider: string, since: Date): Promise<InboundPaymentInput[]> {
      const company = refundingCompany(environment, provider);
      if (!company) return [];
      const gone = (await company.made(since)).filter(({ outcome }) => outcome === 'success');
      const found: InboundPaymentInput[] = [];
      for (const cell of cells()) {
        const references = await creditsOfPayments(
          cell,
          provider,
          gone.map(({ paymentRef }) => paymentRef),
        );
        const ordered = await knownRefundRefs(
          cell,
          provider,
          gone.map(({ providerRef }) => providerRef),
        );
        for (const back of gone) {
          const reference = references.get(back.paymentRef);
          if (reference === undefined || ordered.has(back.providerRef)) continue;
          const { debitId, shortfallId } = bookedBy(provider, back);
          const isBooked = (await findIn(debitId)) ?? (await findIn(shortfallId));
          if (!isBooked) found.push({ provider, reference, about: 'return' });
        }
      }
      return found;
    },
  };
}

const availableIn = (detail: unknown): number => {
  const { availableKobo } = detail as { availableKobo: number };
  return Math.max(0, availableKobo);
};
