/**
 * The step of `inbound/{provider}/{reference}`: ask the company about a payment that came in, and book it once (R43). And
 * the step that looks in the companies' lists for payments of which no notice has come.
 */
import { heartbeat } from '@temporalio/activity';
import {
  bookedAs,
  claimPayment,
  findClaim,
  keepCredit,
  unbookedAmong,
  type InboundClaim,
  type PaymentName,
} from '../db/payments/inbound-credits';
import { recordFindings } from '../db/reconcile/findings';
import { findNuban } from '../db/wallets/directory';
import { present } from '../domain/assert';
import type { Finding } from '../domain/findings';
import { receiptOf, type ConfirmOutcome, type InboundPayment, type WalletPlace } from '../domain/inbound';
import { OF_NO_PARTNER } from '../domain/partners';
import { waitBeforeAsking } from '../domain/requery';
import { fundingReference } from '../domain/transactions';
import type { InboundPaymentInput } from '../contract/messages';
import type { OpenCell } from '../runtime/environment';
import { postOwn, whyNotPosted } from '../operations/money/post-own';
import { senderPlace } from '../secrets/sealing';
import { completedAtOnce } from '../wire/webhooks';
import { requerySchedule } from './bank-transfer';
import type { Dependencies } from './dependencies';
import { followReturns } from './inbound-returns';

/** What came of asking about a payment. `failed`: no money has come. `unconfirmed`: nobody is asked any more. */
export type PaymentProgress =
  | { kind: 'ended'; as: 'credited' | 'unallocated' | 'failed' | 'unconfirmed' | 'returned' }
  | { kind: 'open'; answer: Exclude<ConfirmOutcome, 'received' | 'failed'>; pollAfterMs: number };

/** The refusals of the ledger after which the money waits in suspense. Every other one is an outage, or a bug. */
const NO_WALLET_TAKES_IT: readonly string[] = ['WALLET_CLOSED', 'WALLET_NOT_FOUND', 'LIMIT_EXCEEDED'];

const HOUR_MS = 3_600_000;

export function inboundActivities({ environment, config, logger }: Dependencies) {
  const requery = requerySchedule(config);
  const cellOf = (claim: InboundClaim): OpenCell =>
    present(environment.cells.get(claim.cell), `the cell ${claim.cell}`);

  /** Whose account was paid: by the number, which is unique only within its bank. */
  async function ownerOf({ bankCode, accountNumber }: InboundPayment): Promise<WalletPlace | null> {
    return bankCode === null
      ? null
      : findNuban(environment.pool, environment.directory, { bankCode, accountNumber });
  }

  /**
   * Books a payment: one commit with the wallet's funding and its event, or with its place in suspense and the finding that
   * says why (R54). Both have the id of the credit, so a second booking, of either kind, finds the first one.
   */
  async function book(
    name: PaymentName,
    claim: InboundClaim,
    payment: InboundPayment,
  ): Promise<'credited' | 'unallocated'> {
    const cell = cellOf(claim);
    const by = receiptOf(name.provider, payment);
    const common = {
      transactionId: claim.creditId,
      reference: fundingReference(claim.creditId),
      amountKobo: payment.amountKobo,
    };
    let why = payment.bankCode === null ? 'UNKNOWN_BANK' : 'UNKNOWN_ACCOUNT';
    let limit: unknown;
    if (claim.to) {
      const { partnerId, walletId: destWalletId } = claim.to;
      const posted = await cell.ledger.post({
        movement: {
          ...common,
          kind: 'open',
          type: 'wallet_funding',
          partnerId,
          destWalletId,
          from: { kind: 'inbound', creditId: claim.creditId, by },
          description: '',
          metadata: {},
          key: null,
        },
        announce: ({ transaction }) => [completedAtOnce(transaction)],
      });
      const refused = whyNotPosted(posted);
      if (refused === null) return present(await bookedAs(cell, claim.creditId), 'a payment that was booked');
      if (!NO_WALLET_TAKES_IT.includes(refused)) {
        throw new Error(`the payment cannot be credited now: ${refused}`);
      }
      logger.warn(
        { ...name, creditId: claim.creditId, why: refused },
        'No wallet takes a payment that came in',
      );
      why = refused;
      if (!posted.ok) limit = posted.refusal.detail?.['limit'];
    }
    const notBooked = await postOwn(cell, {
      ...common,
      type: 'unallocated_credit',
      partnerId: claim.to?.partnerId ?? OF_NO_PARTNER,
      creditId: claim.creditId,
      by,
      told: {
        why,
        ...(limit !== undefined && { limit }),
        kobo: payment.amountKobo,
        bank_code: payment.bankCode,
        account_number: payment.accountNumber,
        provider: name.provider,
        reference: name.reference,
        partner: claim.to?.partnerId ?? null,
        wallet: claim.to?.walletId ?? null,
      },
    });
    if (notBooked !== null) throw new Error(`the payment cannot be put into suspense now: ${notBooked}`);
    return present(await bookedAs(cell, claim.creditId), 'a payment that was booked');
  }

  const returns = followReturns({ environment, logger, requery });

  const note = (cell: OpenCell, finding: Finding): Promise<void> =>
    recordFindings(environment.pool, cell.schema, [finding]);

  return {
    /**
     * Asks the company, and books what it has received. Amount, fee and account come from its answer alone. A second run
     * finds the payment booked, and asks only where the payment may have gone back.
     * @param asked how often it was asked before.
     * @param ageMs how long the workflow has been asking.
     */
    async bookPayment(name: InboundPaymentInput, asked: number, ageMs: number): Promise<PaymentProgress> {
      const claimed = await findClaim(environment, name);
      const before = claimed && (await bookedAs(cellOf(claimed), claimed.creditId));
      if (claimed && before) {
        return name.about
          ? returns.follow(name, claimed, before, asked, ageMs)
          : { kind: 'ended', as: before };
      }
      const company = environment.providers.inbound.find((one) => one.name === name.provider);
      if (!company) throw new Error(`${name.provider} takes in no money in ${environment.name}`);
      const answer = await company.inbound.confirm(name.reference);
      if (answer.outcome === 'received')
        return { kind: 'ended', as: await bookReceived(name, answer.payment) };
      if (answer.outcome === 'failed') return { kind: 'ended', as: 'failed' };
      const pollAfterMs = answer.pollAfterMs ?? waitBeforeAsking(requery, asked, ageMs);
      if (pollAfterMs !== null) return { kind: 'open', answer: answer.outcome, pollAfterMs };
      await note(present([...environment.cells.values()][0], 'a cell'), {
        class: 'payment_unconfirmed',
        resource: name.reference,
        detail: { provider: name.provider, answer: answer.outcome },
      });
      return { kind: 'ended', as: 'unconfirmed' };
    },

    /**
     * Begins the workflows of payments that companies have received lately and that are not booked. To look twice is
     * harmless. A company that does not answer does not hold up the others; the next run asks it again.
     * @param hours how far back.
     * @returns of how many payments no notice had come in time.
     */
    async findUntoldPayments(hours: number): Promise<number> {
      const to = new Date();
      const from = new Date(to.getTime() - hours * HOUR_MS);
      let begun = 0;
      for (const { name: provider, inbound } of environment.providers.inbound) {
        try {
          for await (const references of inbound.list({ from, to })) {
            heartbeat();
            const missing = await unbookedAmong(
              environment,
              environment.cells.values(),
              provider,
              references,
            );
            begun += await environment.relay.askAboutPayments(
              missing.map((reference) => ({ provider, reference })),
            );
          }
          begun += await environment.relay.askAboutPayments(await returns.unbooked(provider, from));
        } catch (error) {
          logger.warn({ err: error, provider }, 'The list of payments that came in could not be read now');
        }
      }
      if (begun > 0) logger.warn({ begun }, 'Payments came in of which no notice was booked');
      return begun;
    },
  };

  async function bookReceived(
    name: InboundPaymentInput,
    payment: InboundPayment,
  ): Promise<'credited' | 'unallocated'> {
    const to = await ownerOf(payment);
    const first = present([...environment.cells.keys()][0], 'a cell');
    const cell = to ? (await environment.partner(to.partnerId)).cell.schema : first;
    const claim = await claimPayment(environment, name, { cell, to });
    const { creditId } = claim;
    const senderSealed = environment.sealing.seal(JSON.stringify(payment.sender), senderPlace(creditId));
    await keepCredit(cellOf(claim), name, claim, payment, senderSealed);
    return book(name, claim, payment);
  }
}
