/**
 * Monnify, which pays out, opens account numbers, and looks up the names of accounts. `answers.ts` and `accounts.ts` have
 * what its answers mean. Money leaves from one
 * account of ours with it, the source account.
 *
 * The reference of an order keeps it from being paid twice: Monnify refuses a second one with the same reference. It also
 * refuses a second order with the same account and amount within two minutes; such an order waits.
 */
import type { Bank } from '../../domain/banks';
import { nairaOfKobo } from '../../domain/money';
import type { PayoutTerms } from '../../domain/payout-routes';
import type { Originator } from '../../domain/payouts';
import { remember } from '../../runtime/remember';
import { NOTHING_TOLD, type Provider } from '../port';
import { readBanks, readListedBanks, readName, readQueried, readSubmitted } from './answers';
import { createMonnifyAccounts } from './accounts';
import { createMonnifyClient } from './client';
import { createMonnifyInbound } from './inbound';
import { createMonnifyRefunds } from './refunds';
import { createMonnifyTreasury } from './treasury';

const BANKS_KNOWN_MS = 3_600_000;
/** Banks send a transfer back within a few days; its pages give no time for that. */
const CHANGES_FOR_DAYS = 3;
/** The bank shows at most so much of the narration. */
const NARRATION_MAX = 100;

const DISBURSEMENTS = '/api/v2/disbursements';

/**
 * Opens Monnify.
 * @param options.sourceAccount the account of ours from which it pays.
 * @param options.contractCode our contract for account numbers; without one it opens none, and takes no money in.
 * @param options.accountsBank Monnify's code of the bank at which it opens them.
 * @param options.answersWithinMs how long one call of the port may take.
 * @param options.onKeyRefused is told of each login that Monnify refuses.
 * @param options.terms what our contract with Monnify says.
 * @param options.findBank the bank of a code: partners may use its NIP code. Monnify's list says which of the two it takes, where our
 * list has no code of Monnify's own; with `monnify` it is the bank that Monnify means by one of its codes.
 */
export function createMonnify(options: {
  url: string;
  apiKey: string;
  secretKey: string;
  sourceAccount: string;
  contractCode: string | null;
  accountsBank: string;
  answersWithinMs: number;
  onKeyRefused?: (company: string) => void;
  terms: Omit<PayoutTerms, 'changesForDays'>;
  findBank: (bankCode: string, company?: string) => Promise<Bank | undefined>;
}): Provider {
  const { sourceAccount, contractCode, accountsBank } = options;
  const findBank = (code: string): Promise<Bank | undefined> => options.findBank(code, 'monnify');
  const { call } = createMonnifyClient(options);

  const banks = remember(BANKS_KNOWN_MS, async () =>
    readBanks(await call('GET', '/api/v1/banks', { isQuick: true })),
  );

  /** The codes by which Monnify may know a bank on our list: its own one, or ours; none where it does not have the bank. */
  async function codesOf(bankCode: string): Promise<string[]> {
    const bank = await options.findBank(bankCode);
    const own = bank?.companyCodes?.['monnify'];
    if (own !== undefined) return own === null ? [] : [own];
    return [bank?.code, bank?.nipCode, bankCode].filter((code) => typeof code === 'string');
  }

  /** The code by which Monnify knows a bank; null where it does not list it. @throws Error where nobody knows. */
  async function codeAtMonnify(bankCode: string): Promise<string | null> {
    const [codes, listed] = [await codesOf(bankCode), await banks('all')];
    return codes.map((code) => listed.get(code)).find((code) => code !== undefined) ?? null;
  }

  /** Who pays, as far as Monnify can be told: it wants the name, the account and its bank together. */
  async function senderOf({ name, accountNumber, bankCode }: Originator): Promise<object> {
    if (accountNumber === null || bankCode === null) return {};
    const usual = (await codesOf(bankCode)).find((code) => code === bankCode);
    const senderBankCode = (await codeAtMonnify(bankCode)) ?? usual;
    // Our code of a bank for which Monnify has another one may be another bank's there.
    if (senderBankCode === undefined) return {};
    return {
      senderInfo: { sourceAccountNumber: accountNumber, sourceAccountName: name, senderBankCode },
    };
  }

  return {
    name: 'monnify',
    // Nothing in its pages says that a failure is final, or that it asks us.
    can: { failsForGood: false, asksFirst: false, carries: ['originator'] },
    names: {
      async enquire(bankCode, accountNumber) {
        const code = await codeAtMonnify(bankCode);
        if (code === null) return 'unknown';
        const query = new URLSearchParams({ accountNumber, bankCode: code });
        const path = `/api/v1/disbursements/account/validate?${query.toString()}`;
        return readName(await call('GET', path), accountNumber);
      },
    },
    payouts: {
      terms: { ...options.terms, changesForDays: CHANGES_FOR_DAYS },
      reaches: async (bankCode) => (await codeAtMonnify(bankCode)) !== null,
      listed: async () => readListedBanks(await call('GET', '/api/v1/banks', { isQuick: true })),
      async submit(order) {
        const bankCode = await codeAtMonnify(order.bankCode).catch(() => null);
        if (bankCode === null) {
          const reason = 'Monnify does not list the bank, or has not told its list';
          return { ...NOTHING_TOLD, reason, outcome: 'not_sent' };
        }
        const body = {
          amount: nairaOfKobo(order.amountKobo),
          reference: order.reference,
          narration: Array.from(order.narration).slice(0, NARRATION_MAX).join(''),
          destinationBankCode: bankCode,
          destinationAccountNumber: order.accountNumber,
          destinationAccountName: order.accountName,
          currency: 'NGN',
          sourceAccountNumber: sourceAccount,
          ...(await senderOf(order.originator)),
          async: true,
        };
        return readSubmitted(await call('POST', `${DISBURSEMENTS}/single`, { body }), order);
      },
      async query(order) {
        const query = new URLSearchParams({ reference: order.reference });
        const reply = await call('GET', `${DISBURSEMENTS}/single/summary?${query.toString()}`);
        const codes = await codesOf(order.bankCode);
        const own = await codeAtMonnify(order.bankCode).catch(() => null);
        return readQueried(reply, order, own === null ? codes : [...codes, own]);
      },
    },
    ...(contractCode !== null && {
      accounts: createMonnifyAccounts({ call, contractCode, bankCode: accountsBank, findBank }),
      inbound: createMonnifyInbound({ call, findBank }),
      refunds: createMonnifyRefunds(call),
    }),
    treasury: createMonnifyTreasury(call, sourceAccount),
  };
}
