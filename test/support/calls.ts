/**
 * Calls the platform as one partner does: the few sequences that every story begins with go through the SDK, and what a
 * test asks for by itself is plain HTTP. Every answer is compared with the document.
 */
import { randomUUID } from 'node:crypto';
import { WalletClient } from '../../sdk/src';
import { contract } from './contract';
import { insist, sighted, until } from './until';

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
  patch(path: string, body: unknown): Promise<Reply>;
  delete(path: string): Promise<Reply>;
  /** Asks for a wallet and waits until it is active. */
  wallet(fundKobo?: number): Promise<{ id: string; accountNumber: string }>;
  balanceKobo(walletId: string): Promise<number>;
  /** The wallet's one transaction of a reference; undefined when there is none. */
  transaction(walletId: string, reference: string): Promise<Json>;
  /** Sends a bank transfer, again while the platform is too busy for it. @returns its reference and the answer. */
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
  const sent = async (address: string, init: RequestInit) => {
    const response = await fetch(address, init);
    const text = await response.text();
    const { pathname, search } = new URL(address);
    const [method, path] = [init.method ?? '', pathname + search];
    contract().check({ method, path, status: response.status, headers: response.headers, text });
    const body: Json = text === '' ? undefined : JSON.parse(text);
    sighted(`${method} ${path}`, { status: response.status, body });
    return { status: response.status, headers: response.headers, text, body };
  };
  const call = (method: string, path: string, body?: unknown, more: Record<string, string> = {}) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...more };
    return sent(url + path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
  };
  const sdk = new WalletClient({
    apiKey: key,
    baseUrl: url,
    // An answer that is not as documented is the cause of the error that the SDK makes of it.
    async fetch(address, init = {}) {
      const { text, status, headers } = await sent(address as string, init);
      return new Response(text === '' ? null : text, { status, headers });
    },
  });
  const calls: Calls = {
    partnerId,
    key,
    get: (path) => call('GET', path),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body) => call('PATCH', path, body),
    delete: (path) => call('DELETE', path),
    async wallet(fundKobo = 0) {
      const { id } = await sdk.wallets.create({ user_ref: `user-${randomUUID()}` });
      const accountNumber = await until(`the account of wallet ${id}`, async () => {
        const { wallet } = await sdk.wallets.get(id);
        return wallet.status === 'active' && wallet.account_number;
      });
      if (fundKobo > 0) await sdk.sandbox.fund(id, { amount_kobo: fundKobo });
      return { id, accountNumber };
    },
    balanceKobo: async (walletId) => (await sdk.wallets.get(walletId)).balance_kobo,
    async transaction(walletId, reference) {
      const { items } = await sdk.wallets.transactions(walletId, { reference }).page();
      if (items.length > 1) throw new Error(`two transactions of reference ${reference}`);
      return items[0];
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
      const reply = await insist(`an answer to transfer ${reference}`, () =>
        calls.post('/v1/transfers/bank', body, headers),
      );
      return { reference, reply };
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
