/**
 * The banks that Paystack pays to (API reference, Miscellaneous: List banks). Orders do not wait for this list: Paystack itself
 * says which bank it does not know.
 */
import { z } from 'zod';
import type { ListedBank } from '../../domain/bank-lists';
import { codeAt, type Bank } from '../../domain/banks';
import { remember } from '../../runtime/remember';
import { allOf, pagesOf } from '../lists';
import { dataOf } from './answers';
import type { PaystackClient } from './client';

const BANKS_KNOWN_MS = 3_600_000;
const PER_PAGE = 100;
const rowsSchema = z.array(z.unknown());
const bankSchema = z.object({ code: z.string().min(1), name: z.string().trim().min(1).catch('') });

/** @returns functions that say which banks Paystack lists, and whether one; they throw where Paystack does not tell its list. */
export function createPaystackBanks(
  client: Pick<PaystackClient, 'get'>,
  findBank: (bankCode: string) => Promise<Bank | undefined>,
  answersWithinMs: number,
): { lists: (bankCode: string) => Promise<boolean>; listed: () => Promise<readonly ListedBank[]> } {
  const listed = remember(BANKS_KNOWN_MS, async () => {
    const rows = await allOf(
      pagesOf('Paystack', async (page) => {
        const query = new URLSearchParams({
          country: 'nigeria',
          currency: 'NGN',
          perPage: String(PER_PAGE),
          page: String(page),
        });
        const found = dataOf(
          await client.get(`/bank?${query.toString()}`, answersWithinMs),
          [200],
          rowsSchema,
        );
        if (!found) throw new Error('Paystack has not given its list of banks');
        return found;
      }),
    );
    // Paystack tells no code of NIP.
    return rows
      .flatMap((row) => bankSchema.safeParse(row).data ?? [])
      .map((bank) => ({ ...bank, nipCode: null }));
  });
  return {
    async lists(bankCode) {
      const bank = await findBank(bankCode);
      const asked = bank ? codeAt(bank, 'paystack') : bankCode;
      return (await listed('all')).some(({ code }) => code === asked);
    },
    listed: () => listed('all'),
  };
}
