/**
 * Our money with Monnify: the wallet from which it pays, its source account (its pages: Get wallet balance; Wallet statement;
 * Settlements). What comes in is settled to the same wallet and is a line of its statement, and so is what Monnify passes on
 * from there to our bank account. An answer in another form stops the reading: half a statement proves nothing.
 */
import { z } from 'zod';
import { attemptOfPayout } from '../../domain/payouts';
import type { StatementLine } from '../../domain/statement-lines';
import { pagesOf } from '../lists';
import type { Treasury } from '../port';
import { koboIn, nairaSchema, readBalance, readPage } from './answers';
import type { MonnifyClient } from './client';

const PER_PAGE = 100;
/** What stands between the parts of a narration: Monnify's reference, ours, and the words, bank and account of the payee. */
const PARTED = '/#/';
const COMPLETED = 'COMPLETED';
/** We order a refund under its id. */
const REFUND = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SIGNS = { DEBIT: -1, CREDIT: 1 } as const;

const lineSchema = z.object({
  walletTransactionReference: z.string().min(1),
  availableBalanceBefore: nairaSchema,
  availableBalanceAfter: nairaSchema,
  amount: nairaSchema,
  // Its offset has no colon in one page of Monnify's and one in another.
  transactionDate: z.string().transform((text, context) => {
    const at = new Date(text.replace(/([+-][0-9]{2})([0-9]{2})$/, '$1:$2'));
    if (Number.isNaN(at.getTime())) context.addIssue('not a time');
    return at;
  }),
  transactionType: z.enum(['DEBIT', 'CREDIT']),
  narration: z.string().nullish(),
  status: z.string(),
});
type ToldLine = z.infer<typeof lineSchema>;

/** @param sourceAccount the account number of the wallet. */
export function createMonnifyTreasury(call: MonnifyClient['call'], sourceAccount: string): Treasury {
  return {
    async balance() {
      const query = new URLSearchParams({ accountNumber: sourceAccount });
      return readBalance(await call('GET', `/api/v2/disbursements/wallet-balance?${query.toString()}`));
    },

    async *lines({ from, to }): AsyncGenerator<StatementLine[]> {
      const path = `/api/v1/disbursements/wallet/${encodeURIComponent(sourceAccount)}/statement`;
      const pages = pagesOf('Monnify', async (page) => {
        const query = new URLSearchParams({
          startDate: String(from.getTime()),
          endDate: String(to.getTime()),
          enableTimeFilter: 'true',
          pageNo: String(page - 1),
          pageSize: String(PER_PAGE),
        });
        return readPage(await call('GET', `${path}?${query.toString()}`), 'its statement');
      });
      for await (const page of pages) {
        const told = z.array(lineSchema).safeParse(page);
        if (!told.success) throw new Error('Monnify told a line of its statement that is not understood');
        yield (
          told.data
            // Its filter looks at the hour alone.
            .filter(({ transactionDate: at }) => at >= from && at < to)
            .flatMap((line) => readLine(line) ?? [])
        );
      }
    },
  };
}

/**
 * @returns null for what has not changed the balance, such as a transfer that was turned away.
 * @throws Error for a line that contradicts itself, and for one that may still change.
 */
function readLine(told: ToldLine): StatementLine | null {
  const [amountKobo, beforeKobo, balanceKobo] = [
    told.amount,
    told.availableBalanceBefore,
    told.availableBalanceAfter,
  ].map(koboIn);
  if (amountKobo == null || beforeKobo == null || balanceKobo == null) {
    throw new Error('Monnify told an amount in its statement that is no naira');
  }
  const changeKobo = balanceKobo - beforeKobo;
  if (told.status !== COMPLETED && changeKobo === 0) return null;
  if (told.status !== COMPLETED || changeKobo !== SIGNS[told.transactionType] * amountKobo) {
    throw new Error('Monnify told a line of its statement that is not completed, or contradicts itself');
  }
  const { walletTransactionReference: id, transactionDate: at, narration } = told;
  const [providerRef = '', reference = ''] = narration?.split(PARTED) ?? [];
  // The narration of a payout begins with Monnify's reference of it. Another one may have the words of a person.
  const isPayout = narration?.includes(PARTED) === true && providerRef !== '' && id.includes(providerRef);
  return {
    id,
    at,
    about: isPayout ? 'payout' : 'other',
    changeKobo,
    balanceKobo,
    reference: isPayout && (attemptOfPayout(reference) || REFUND.test(reference)) ? reference : null,
    providerRef: isPayout ? providerRef : null,
    sessionId: null,
  };
}
