/**
 * Paystack, which pays out, takes money in, and looks up the names of accounts. `answers.ts`, `inbound.ts` and
 * `refunds.ts` have what its answers mean. A transfer of Paystack's goes to a recipient, which is made from an account before the first transfer
 * to it.
 *
 * The unique reference of an order keeps it from being paid twice: Paystack refuses a second one with the same reference.
 */
import { codeAt, type Bank } from '../../domain/banks';
import type { PayoutTerms } from '../../domain/payout-routes';
import type { PayoutOrder } from '../../domain/payouts';
import { remember } from '../../runtime/remember';
import { pagesOf } from '../lists';
import { NOTHING_TOLD, type Provider, type Submitted } from '../port';
import {
  notSentBecause,
  readName,
  readQueried,
  readRecipient,
  readRecipientAccount,
  readSubmitted,
  type Destination,
  type Domain,
} from './answers';
import { createPaystackClient } from './client';
import { createPaystackBanks } from './banks';
import { paymentsAmong, readConfirmed, readPage } from './inbound';
import { refusesRecipient } from './refusals';
import { createPaystackRefunds } from './refunds';
import { createPaystackTreasury } from './treasury';

/** A recipient that somebody has deleted at Paystack is made anew after this time. */
const RECIPIENT_KNOWN_MS = 600_000;
/** The bank shows at most so much of the narration. */
const NARRATION_MAX = 100;
/** How many rows of a list Paystack is asked for at once. */
const PER_PAGE = 100;

/** Its pages: 600 calls in 60 seconds, and 100 in test mode. POST /transfer has a limit of its own, which is higher. */
const CALLS_PER_MINUTE: Record<Domain, number> = { live: 600, test: 100 };

/** Banks send a transfer back within a few days; its pages give no time for that. */
const CHANGES_FOR_DAYS = 3;

/** Why an order was not sent, because there was no recipient for it. */
class NoRecipientError extends Error {
  constructor(readonly answer: Submitted) {
    super('Paystack has given no recipient');
  }
}

/**
 * Opens Paystack.
 * @param options.secretKey `sk_live_...` or `sk_test_...`, which says whether the money is real.
 * @param options.answersWithinMs how long one call of the port may take.
 * @param options.minKobo, `costMaxKobo` and `takesDuty`: what our contract with Paystack says (`PayoutTerms`).
 * @param options.asksFirst our address for approvals is entered at Paystack (see `Capabilities`).
 * @param options.onKeyRefused is told of each answer that Paystack does not take our key.
 * @param options.findBank the bank of a code, because partners may use its NIP code and Paystack takes its own alone.
 * @param options.listBanks our banks, because Paystack tells the bank of an account by its name.
 */
export function createPaystack(
  options: {
    url: string;
    secretKey: string;
    answersWithinMs: number;
    findBank: (bankCode: string) => Promise<Bank | undefined>;
    listBanks: () => Promise<readonly Bank[]>;
    asksFirst: boolean;
    onKeyRefused?: (company: string) => void;
  } & Pick<PayoutTerms, 'minKobo' | 'costMaxKobo' | 'takesDuty'>,
): Provider {
  const { answersWithinMs } = options;
  const client = createPaystackClient(options.url, options.secretKey, () =>
    options.onKeyRefused?.('paystack'),
  );
  const domain: Domain = options.secretKey.startsWith('sk_live_') ? 'live' : 'test';
  // An order takes two requests, of which the first has a third of the time.
  const recipientWithinMs = Math.floor(answersWithinMs / 3);

  /** The code by which Paystack knows a bank; null where it does not have it. One that is not on our list goes as it is. */
  async function codeAtPaystack(bankCode: string): Promise<string | null> {
    const bank = await options.findBank(bankCode);
    return bank ? codeAt(bank, 'paystack') : bankCode;
  }

  /** The account of an order that was or is to be sent. The fallback only asks about one: nothing is sent by it. */
  const destinationOf = async (bankCode: string, accountNumber: string): Promise<Destination> => ({
    bankCode: (await codeAtPaystack(bankCode)) ?? bankCode,
    accountNumber,
  });

  /** How often a recipient of an account was not known any more, so that another one is asked for. */
  const forgotten = new Map<string, number>();

  /** Paystack gives the same recipient for the same account, so it does not matter how often it is asked for. */
  const recipientFor = remember(RECIPIENT_KNOWN_MS, async (key) => {
    const { accountName, bankCode, accountNumber } = JSON.parse(key) as Destination & { accountName: string };
    const to = { bankCode, accountNumber };
    const body = {
      type: 'nuban',
      name: accountName,
      account_number: to.accountNumber,
      bank_code: to.bankCode,
      currency: 'NGN',
    };
    const reply = await client.post('/transferrecipient', body, recipientWithinMs).catch(() => null);
    const recipient = reply && readRecipient(reply, to);
    if (recipient) return { code: recipient, madeAt: performance.now() };
    throw new NoRecipientError(notSentBecause(reply));
  });

  async function submit(order: PayoutOrder): Promise<Submitted> {
    if ((await codeAtPaystack(order.bankCode)) === null) {
      return { ...NOTHING_TOLD, reason: 'Paystack does not have the bank', outcome: 'not_sent' };
    }
    const to = await destinationOf(order.bankCode, order.accountNumber);
    const account = `${to.bankCode}/${to.accountNumber}`;
    const since = performance.now();
    const key = { ...to, accountName: order.accountName, again: forgotten.get(account) ?? 0 };
    let recipient: { code: string; madeAt: number };
    try {
      recipient = await recipientFor(JSON.stringify(key));
    } catch (error) {
      if (error instanceof NoRecipientError) return error.answer;
      throw error;
    }
    const body = {
      source: 'balance',
      amount: order.amountKobo,
      currency: 'NGN',
      recipient: recipient.code,
      reference: order.reference,
      reason: Array.from(order.narration).slice(0, NARRATION_MAX).join(''),
    };
    const reply = await client.post('/transfer', body, answersWithinMs - recipientWithinMs);
    const answer = readSubmitted(reply, order, domain);
    if (recipient.madeAt >= since || !refusesRecipient(reply)) return answer;
    // The order was not taken. A recipient that is made anew tells whether the account itself is refused.
    forgotten.set(account, key.again + 1);
    return { ...answer, outcome: 'not_sent', pollAfterMs: 0 };
  }

  return {
    name: 'paystack',
    // Its pages say that a transfer may be called failed without a definite answer of the bank.
    can: { failsForGood: false, asksFirst: options.asksFirst },
    names: {
      async enquire(bankCode, accountNumber) {
        if ((await codeAtPaystack(bankCode)) === null) return 'unknown';
        const asked = await destinationOf(bankCode, accountNumber);
        const query = new URLSearchParams({ account_number: accountNumber, bank_code: asked.bankCode });
        return readName(await client.get(`/bank/resolve?${query.toString()}`, answersWithinMs), asked);
      },
    },
    payouts: {
      terms: {
        minKobo: options.minKobo,
        costMaxKobo: options.costMaxKobo,
        takesDuty: options.takesDuty,
        callsPerMinute: CALLS_PER_MINUTE[domain],
        changesForDays: CHANGES_FOR_DAYS,
      },
      async reaches(bankCode) {
        const bank = await options.findBank(bankCode);
        return bank !== undefined && codeAt(bank, 'paystack') !== null;
      },
      ...createPaystackBanks(client, options.findBank, answersWithinMs),
      async recipient(code) {
        const reply = await client.get(`/transferrecipient/${encodeURIComponent(code)}`, recipientWithinMs);
        return readRecipientAccount(reply, code);
      },
      submit,
      async query(order) {
        const to = await destinationOf(order.bankCode, order.accountNumber);
        const path = `/transfer/verify/${encodeURIComponent(order.reference)}`;
        return readQueried(await client.get(path, answersWithinMs), order, to, domain);
      },
    },
    inbound: {
      async confirm(reference) {
        const path = `/transaction/verify/${encodeURIComponent(reference)}`;
        const reply = await client.get(path, answersWithinMs);
        return readConfirmed(reply, reference, domain, await options.listBanks());
      },
      async *list({ from, to }) {
        const rows = pagesOf('Paystack', async (page) => {
          const query = new URLSearchParams({
            status: 'success',
            from: from.toISOString(),
            to: to.toISOString(),
            perPage: String(PER_PAGE),
            page: String(page),
          });
          return readPage(await client.get(`/transaction?${query.toString()}`, answersWithinMs));
        });
        for await (const page of rows) yield paymentsAmong(page, domain);
      },
    },
    refunds: createPaystackRefunds(client, domain, answersWithinMs),
    treasury: createPaystackTreasury(client, domain, answersWithinMs),
  };
}
