/** Calls the platform over HTTP as one partner does, and knows the few sequences that every story begins with. */
import { randomUUID } from 'node:crypto';
import { contract } from './contract';
import { sighted, until } from './until';

/** Any JSON value, read without types, as a partner would read it. */
export type Json = ReturnType<typeof JSON.parse>;

interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined where there is no body. */
  body: Json;
}

export interface Calls {
  readonly partnerId: string;
  readonly key: string;
  get(path: string): Promise<Reply>;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Asks for a wallet and waits until it is active. */
  wallet(fundKobo?: number): Promise<{ id: string; accountNumber: string }>;
  balanceKobo(walletId: string): Promise<number>;
  /** The wallet's one transaction of a reference; undefined when there is none. */
  transaction(walletId: string, reference: string): Promise<Json>;
  /** Sends a bank transfer. @returns its reference and the answer. */
  bankTransfer(
    source: string,
    to?: { bankCode?: string; accountNumber?: string; amountKobo?: number; reference?: string },
    headers?: Record<string, string>,
  ): Promise<{ reference: string; reply: Reply }>;
  /** Waits until a transfer has ended. @returns the transaction. */
  ended(walletId: string, reference: string): Promise<Json>;
  /** The same partner, calling another address. */
  at(url: string): Calls;
}

/** An account number at a bank that accepts every transfer. */
export const GOOD_ACCOUNT = '0123456789';

export function openCalls(partnerId: string, key: string, url: string): Calls {
  const call = async (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...more };
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(url + path, { method, headers, ...content });
    const text = await response.text();
    contract().check({ method, path, status: response.status, headers: response.headers, text });
    const read: Json = text === '' ? undefined : JSON.parse(text);
    sighted(`${method} ${path}`, { status: response.status, body: read });
    return { status: response.status, headers: response.headers, text, body: read };
  };
  const calls: Calls = {
    partnerId,
    key,
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    delete: (path) => call('DELETE', path),
    async wallet(fundKobo = 0) {
      const created = await calls.post('/v1/wallets', { user_ref: `user-${randomUUID()}` });
      const id: string = created.body.data.id;
      const account = await until(`the account of wallet ${id}`, async () => {
        const { wallet } = (await calls.get(`/v1/wallets/${id}`)).body.data;
        return wallet.status === 'active' && (wallet.account_number as string);
      });
      if (fundKobo > 0) await calls.post(`/v1/sandbox/wallets/${id}/fund`, { amount_kobo: fundKobo });
      return { id, accountNumber: account };
    },
    async balanceKobo(walletId) {
      return (await calls.get(`/v1/wallets/${walletId}`)).body.data.balance_kobo;
    },
    async transaction(walletId, reference) {
      const query = new URLSearchParams({ reference });
      const listed = await calls.get(`/v1/wallets/${walletId}/transactions?${query.toString()}`);
      if (listed.body.data.length > 1) throw new Error(`two transactions of reference ${reference}`);
      return listed.body.data[0];
    },
    async bankTransfer(source, to = {}, headers = {}) {
      const {
        bankCode = '058',
        accountNumber = GOOD_ACCOUNT,
        amountKobo = 10_000,
        reference = `bank-${randomUUID()}`,
      } = to;
      const body = {
        source_wallet: source,
        dest_account: { bank_code: bankCode, account_number: accountNumber, account_name: 'ADA OBI' },
        amount: amountKobo,
        reference,
      };
      return { reference, reply: await calls.post('/v1/transfers/bank', body, headers) };
    },
    ended: (walletId, reference) =>
      until(`the end of transfer ${reference}`, async () => {
        const transaction = await calls.transaction(walletId, reference);
        return transaction && transaction.status !== 'processing' && transaction;
      }),
    at: (other) => openCalls(partnerId, key, other),
  };
  return calls;
}
