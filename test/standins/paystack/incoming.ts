/**
 * Money that comes in at the fake Paystack: `GET /transaction/verify/:reference` and `GET /transaction`, and the event
 * `charge.success`, as Paystack's public pages describe them (Dedicated virtual accounts; API reference, Transaction).
 */
import type { FakeEvents } from './events';
import { ok, refusal, type Answer } from './fake-paystack';
import type { FakeTransaction, OpenState } from './state';

/** Paystack's price for a payment: one percent, at most N300. */
const priceOf = (amountKobo: number): number => Math.min(Math.floor(amountKobo / 100), 30_000);

const RECEIVED = 'charge.success';

export interface Incoming {
  receive(reference: string, payment: Partial<FakeTransaction>): void;
  tell(event: string, reference: string): void;
  /** @returns undefined where the request is about something else. */
  answer(called: string, query: URLSearchParams, body: Record<string, unknown>): Answer | undefined;
}

export function createIncoming({ now, save }: OpenState, events: FakeEvents): Incoming {
  const find = (reference: string): FakeTransaction | undefined =>
    now.transactions.find((one) => one.reference === reference);

  function tell(event: string, reference: string): void {
    const about = find(reference);
    if (about) events.send(event, dataOf(about));
  }

  function list(query: URLSearchParams): Answer {
    const page = Number(query.get('page') ?? 1);
    const perPage = Number(query.get('perPage') ?? 50);
    const at = (name: string, otherwise: number): number => {
      const value = query.get(name);
      return value === null ? otherwise : Date.parse(value);
    };
    const [from, to, status] = [at('from', 0), at('to', Infinity), query.get('status')];
    const found = now.transactions
      .filter((one) => one.paidAtMs >= from && one.paidAtMs <= to && (status ?? one.status) === one.status)
      .sort((one, other) => other.id - one.id);
    const meta = {
      total: found.length,
      skipped: 0,
      perPage,
      page,
      pageCount: Math.ceil(found.length / perPage),
    };
    const data = found.slice((page - 1) * perPage, page * perPage).map(dataOf);
    return { status: 200, body: { status: true, message: 'Transactions retrieved', data, meta } };
  }

  return {
    receive(reference, payment) {
      const known = find(reference);
      if (known) Object.assign(known, payment);
      else {
        const amountKobo = payment.amountKobo ?? 500_000;
        const made: FakeTransaction = {
          id: now.nextId++,
          reference,
          amountKobo,
          feeKobo: priceOf(amountKobo),
          accountNumber: '9930000902',
          bank: 'Wema Bank',
          customerCode: 'CUS_fake0',
          senderName: 'RANDALL AKANBI HORTON',
          senderBank: 'First City Monument Bank',
          senderAccount: 'XXXXXX0011',
          narration: 'NIP: RHODA CHURCH -1123344343',
          status: 'success',
          channel: 'dedicated_nuban',
          domain: now.settings.secretKey.startsWith('sk_live_') ? 'live' : 'test',
          currency: 'NGN',
          paidAtMs: Date.now(),
          ...payment,
        };
        now.transactions.push(made);
        if (made.status === 'success') tell(RECEIVED, reference);
      }
      save();
    },
    tell,
    answer(called, query) {
      const reference = /^GET \/transaction\/verify\/([^/]+)$/.exec(called)?.[1];
      if (reference !== undefined) {
        const found = find(decodeURIComponent(reference));
        return found
          ? ok('Verification successful', dataOf(found))
          : refusal(400, 'Transaction reference not found.', 'transaction_not_found');
      }
      return called === 'GET /transaction' ? list(query) : undefined;
    },
  };
}

const dataOf = (payment: FakeTransaction) => ({
  id: payment.id,
  domain: payment.domain,
  status: payment.status,
  reference: payment.reference,
  receipt_number: null,
  amount: payment.amountKobo,
  message: null,
  gateway_response: 'Approved',
  paid_at: new Date(payment.paidAtMs).toISOString(),
  created_at: new Date(payment.paidAtMs).toISOString(),
  channel: payment.channel,
  currency: payment.currency,
  ip_address: null,
  metadata: '',
  fees: payment.feeKobo,
  fees_split: null,
  authorization: {
    authorization_code: `AUTH_fake${payment.id}`,
    bin: payment.senderAccount.slice(0, 6),
    last4: payment.senderAccount.slice(-4),
    channel: payment.channel,
    card_type: 'transfer',
    bank: payment.senderBank,
    country_code: 'NG',
    brand: 'Managed Account',
    reusable: false,
    signature: null,
    account_name: null,
    sender_bank: payment.senderBank,
    sender_bank_account_number: payment.senderAccount,
    sender_country: 'NG',
    sender_name: payment.senderName,
    narration: payment.narration,
    receiver_bank_account_number: payment.accountNumber,
    receiver_bank: payment.bank,
  },
  customer: {
    id: 1,
    first_name: null,
    last_name: null,
    email: 'owner@customers.example',
    customer_code: payment.customerCode,
    phone: null,
    metadata: null,
    risk_action: 'default',
  },
  requested_amount: payment.amountKobo,
});
