/**
 * What Monnify says of payments to reserved accounts (its pages: Get transaction status; Get all transactions; Webhooks). A
 * status that is in no row is `unknown`, which is never taken for a no (D57). A transaction names the reserved account by our
 * reference, so the number is asked for beside it.
 */
import { z } from 'zod';
import type { Bank } from '../../domain/banks';
import type { ConfirmOutcome } from '../../domain/inbound';
import type { Confirmed, Inbound } from '../port';
import { pagesOf } from '../lists';
import { bodyOf, koboIn, nairaSchema, readPage, saysThereIsNone } from './answers';
import { findReserved } from './accounts';
import type { MonnifyClient } from './client';

const RESERVED_ACCOUNT = 'RESERVED_ACCOUNT';

/** The states of a transaction. `PAID` is said of a whole payment; a part or too much of one is for people. */
const PAYMENT_STATES: ReadonlyMap<string, ConfirmOutcome> = new Map([
  ['PAID', 'received'],
  ['PENDING', 'pending'],
  ['FAILED', 'failed'],
  ['EXPIRED', 'failed'],
  ['CANCELLED', 'failed'],
  ['REVERSED', 'failed'],
]);

const text = z.string().trim().min(1).nullish().catch(null);
const transactionSchema = z.object({
  transactionReference: z.string(),
  paymentStatus: z.string(),
  product: z.object({ type: z.string(), reference: z.string() }),
  amountPaid: nairaSchema,
  settlementAmount: nairaSchema.nullish(),
  currency: z.string(),
  paymentDescription: text,
  accountDetails: z.object({ accountName: text, accountNumber: text, bankCode: text }).nullish().catch(null),
});

/** A row that is not understood whole is asked about; one without a reference names nothing to ask about. */
const listedSchema = z.object({
  transactionReference: z.string().min(1),
  paymentStatus: z.string().catch('PAID'),
});

const NOTHING_SAID = { pollAfterMs: null } as const;
const PER_PAGE = 100;

export function createMonnifyInbound({
  call,
  findBank,
}: {
  call: MonnifyClient['call'];
  findBank: (bankCode: string) => Promise<Bank | undefined>;
}): Inbound {
  return {
    async confirm(reference): Promise<Confirmed> {
      const reply = await call('GET', `/api/v2/transactions/${encodeURIComponent(reference)}`);
      const found = bodyOf(reply, transactionSchema);
      if (!found || found.transactionReference !== reference) {
        return { outcome: saysThereIsNone(reply) ? 'not_found' : 'unknown', ...NOTHING_SAID };
      }
      if (found.product.type !== RESERVED_ACCOUNT || found.currency !== 'NGN') {
        return { outcome: 'failed', ...NOTHING_SAID };
      }
      const outcome = PAYMENT_STATES.get(found.paymentStatus) ?? 'unknown';
      if (outcome !== 'received') return { outcome, ...NOTHING_SAID };
      const amountKobo = koboIn(found.amountPaid);
      const account = await findReserved(call, found.product.reference);
      if (amountKobo === null || amountKobo < 1 || !account) return { outcome: 'unknown', ...NOTHING_SAID };
      const settledKobo = found.settlementAmount == null ? null : koboIn(found.settlementAmount);
      const sentFrom = found.accountDetails;
      return {
        outcome: 'received',
        payment: {
          providerRef: found.transactionReference,
          amountKobo,
          // What it settles is what is left after its fee.
          feeKobo: settledKobo !== null && settledKobo <= amountKobo ? amountKobo - settledKobo : null,
          bankCode: (await findBank(account.bankCode))?.code ?? null,
          accountNumber: account.accountNumber,
          customerRef: found.product.reference,
          sender: {
            name: sentFrom?.accountName ?? null,
            bankName: (await findBank(sentFrom?.bankCode ?? ''))?.name ?? null,
            accountNumber: sentFrom?.accountNumber ?? null,
            narration: found.paymentDescription ?? null,
          },
        },
      };
    },

    async *list({ from, to }) {
      const pages = pagesOf('Monnify', async (page) => {
        const query = new URLSearchParams({
          page: String(page - 1),
          size: String(PER_PAGE),
          from: String(from.getTime()),
          to: String(to.getTime()),
          paymentStatus: 'PAID',
        });
        return readPage(
          await call('GET', `/api/v1/transactions/search?${query.toString()}`),
          'its transactions',
        );
      });
      for await (const page of pages) {
        yield page
          .flatMap((row) => listedSchema.safeParse(row).data ?? [])
          .filter(({ paymentStatus }) => paymentStatus === 'PAID')
          .map(({ transactionReference }) => transactionReference);
      }
    },
  };
}
