/**
 * Account numbers at Monnify, its reserved accounts (its pages: Reserve a customer account; Get reserved account details;
 * Deallocate). Our reference of one is the id of the wallet, so it is asked for before it is ordered, and a second order
 * finds the first one. Monnify opens none without a BVN or NIN and an email address.
 */
import { z } from 'zod';
import type { Bank } from '../../domain/banks';
import { lackingOf, type NeededDetail } from '../../domain/owner-details';
import type { AccountAnswer, AccountOrder, Accounts } from '../port';
import { bodyOf, inShort } from './answers';
import type { MonnifyClient, MonnifyReply } from './client';

const V2 = '/api/v2/bank-transfer/reserved-accounts';
const V1 = '/api/v1/bank-transfer/reserved-accounts';

const reservedSchema = z.object({
  accountReference: z.string(),
  currencyCode: z.literal('NGN'),
  status: z.string(),
  reservationReference: z.string().min(1).nullish(),
  accounts: z.array(
    z.object({
      bankCode: z.string(),
      accountNumber: z.string().regex(/^[0-9]{10}$/),
      accountName: z.string().trim().min(1).nullish(),
    }),
  ),
});

/** Monnify opens no account without these. */
export const MONNIFY_DEMANDS: readonly NeededDetail[] = ['email', 'identity'];

const askFor = (call: MonnifyClient['call'], reference: string): Promise<MonnifyReply> =>
  call('GET', `${V2}/${encodeURIComponent(reference)}`, { isQuick: true });

/** The number that is reserved under our reference; null where that is not known, or it is not one number. */
export async function findReserved(
  call: MonnifyClient['call'],
  reference: string,
): Promise<{ bankCode: string; accountNumber: string } | null> {
  const found = bodyOf(await askFor(call, reference), reservedSchema);
  const [only, ...more] = found?.accountReference === reference ? found.accounts : [];
  return only && more.length === 0 ? only : null;
}

/**
 * @param options.bankCode Monnify's code of the bank at which it opens accounts.
 * @param options.findBank our bank of that code.
 */
export function createMonnifyAccounts(options: {
  call: MonnifyClient['call'];
  contractCode: string;
  bankCode: string;
  findBank: (bankCode: string) => Promise<Bank | undefined>;
}): Accounts {
  const { call, contractCode, bankCode } = options;

  const find = (walletId: string): Promise<MonnifyReply> => askFor(call, walletId);

  /** The account of an answer; null where the answer is none of such an account. */
  async function accountIn(reply: MonnifyReply, order: AccountOrder): Promise<AccountAnswer | null> {
    const found = bodyOf(reply, reservedSchema);
    if (found?.accountReference !== order.walletId) return null;
    if (found.status !== 'ACTIVE') throw new Error(`the account at Monnify is ${found.status}`);
    const account = found.accounts.find((one) => one.bankCode === bankCode);
    const bank = await options.findBank(bankCode);
    if (!account || !bank) throw new Error('Monnify has opened no account at the bank that is configured');
    return {
      outcome: 'issued',
      account: {
        accountNumber: account.accountNumber,
        accountName: account.accountName ?? order.accountName,
        bankCode: bank.code,
        bankName: bank.name,
        mfbReference: found.reservationReference ?? order.walletId,
      },
    };
  }

  return {
    demands: MONNIFY_DEMANDS,

    async issue(order) {
      const { owner, identity } = order;
      if (owner.email === null || identity === null) {
        return { outcome: 'needs', details: lackingOf(MONNIFY_DEMANDS, owner, identity !== null) };
      }
      const before = await accountIn(await find(order.walletId), order);
      if (before) return before;
      const body = {
        accountReference: order.walletId,
        accountName: order.accountName,
        currencyCode: 'NGN',
        contractCode,
        customerEmail: owner.email,
        customerName: order.accountName,
        [identity.type]: identity.number,
        getAllAvailableBanks: false,
        preferredBanks: [bankCode],
      };
      const reply = await call('POST', V2, { body });
      // Another order of the same wallet may have been first.
      const made = (await accountIn(reply, order)) ?? (await accountIn(await find(order.walletId), order));
      if (!made) throw new Error(`Monnify has opened no account (${inShort(reply)})`);
      return made;
    },

    async close(walletId) {
      const path = `${V1}/reference/${encodeURIComponent(walletId)}`;
      const reply = await call('DELETE', path);
      const isDone =
        reply.kind === 'answered' && reply.status === 200 && reply.body?.requestSuccessful === true;
      if (isDone) return 'closed';
      // The answer of an earlier try may have been lost. What is not active takes no money any more.
      const asked = await find(walletId);
      if (asked.kind === 'answered' && asked.status === 404 && asked.body?.requestSuccessful === false) {
        return 'none';
      }
      const left = bodyOf(asked, reservedSchema);
      return left && left.accountReference === walletId && left.status !== 'ACTIVE' ? 'closed' : 'unknown';
    },
  };
}
