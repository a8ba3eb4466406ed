/**
 * What the files of this folder share: the platform behind its address, partners that call it over HTTP, and a
 * receiver that verifies every signature. This file knows only the published specification, so every expectation
 * in the tests is a literal of that page.
 */
import { randomUUID } from 'node:crypto';
import { SANDBOX_CELL } from '../setup/cells';
import { auditCell } from '../support/audit';
import { openCalls } from '../support/calls';
import { submitAll } from '../support/compliance';
import { contract } from '../support/contract';
import { approvedBy } from '../support/operators';
import type { PlatformAccess } from '../support/platform-access';
import { openReceiver, verified, type Answer as Said, type Delivery } from '../support/receiver';
import { send, type Answer, type Json } from '../support/send';
import { sharedPlatform } from '../support/shared-platform';
import { insist, sighted, until } from '../support/until';

export type { Answer, Json } from '../support/send';

export type Headers = Record<string, string>;

/** One partner with one key; every answer is checked against the OpenAPI document. */
export interface Client {
  readonly partnerId: string;
  readonly key: string;
  ask(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  get(path: string, headers?: Headers): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>;
  delete(path: string): Promise<Answer>;
  /** Creates a wallet, waits until it is active, and funds it. @returns its id. */
  wallet(fundKobo?: number): Promise<string>;
  balanceKobo(walletId: string): Promise<number>;
  transaction(id: string): Promise<Json>;
  /** Waits until a transaction is not `processing` any more. @returns the transaction. */
  ended(id: string): Promise<Json>;
  /** Registers a receiver for these kinds, or for all five. */
  listen(events?: readonly string[], say?: (delivery: Delivery, before: number) => Said): Promise<Listener>;
}

export interface Listener {
  readonly endpointId: string;
  readonly url: string;
  readonly secret: string;
  readonly deliveries: readonly Delivery[];
  /** Waits for an event of this kind whose data fits, and verifies its signature. @returns the whole envelope. */
  heard(kind: string, data: Record<string, unknown>): Promise<Json>;
}

export interface Service {
  readonly url: string;
  readonly platform: PlatformAccess;
  /** Another partner, with a sandbox key. */
  partner(): Promise<Client>;
  /** The same partner, with a live key. */
  inLive(client: Client): Promise<Client>;
  /** Does what the mailed token does: the owner's address counts as confirmed (D175). */
  confirmOwner(partnerId: string): Promise<void>;
  /** Approves a partner's live record, and waits until live lets it in. */
  letIntoLive(live: Client, partnerId?: string): Promise<void>;
  /** Does `letIntoLive`. @returns the result of `inLive`. */
  activeInLive(client: Client): Promise<Client>;
  /** A caller with any bearer token, or none. */
  as(token: string | null): Client;
  /** Audits the books of the sandbox, and closes everything. */
  close(): Promise<void>;
}

export const KINDS = [
  'transaction.completed',
  'transaction.failed',
  'wallet.activated',
  'kyc.verified',
  'kyc.failed',
] as const;

export const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The platform that files of a run share. */
export async function openService(): Promise<Service> {
  const platform = await sharedPlatform();
  return serviceOf(platform, platform.url);
}

/** @param platform is closed with the service. */
export function serviceOf(platform: PlatformAccess, url: string): Service {
  const closing: (() => Promise<void>)[] = [];
  const open = (partnerId: string, key: string | null) => openClient(url, partnerId, key, closing);
  const service: Service = {
    url,
    platform,
    async partner() {
      const { partnerId, key } = await platform.partner(url);
      return open(partnerId, key);
    },
    async inLive(client) {
      const { partnerId, key } = await platform.inLive(openCalls(client.partnerId, client.key, url), url);
      return open(partnerId, key);
    },
    async confirmOwner(partnerId) {
      await platform.sql('UPDATE platform.partners SET email_confirmed_at = now() WHERE id = $1', [
        partnerId,
      ]);
    },
    async letIntoLive(live, partnerId = live.partnerId) {
      await submitAll(live);
      const [operator, other] = [await platform.openOperator(), await platform.openOperator()];
      const path = `/ops/live/partners/${partnerId}/compliance/approve`;
      await approvedBy(await operator.post(path, {}), other);
      const probe = { user_ref: `probe-${randomUUID()}` };
      await until(
        'the open gate of live',
        async () => (await live.post('/v1/wallets', probe)).status !== 403,
      );
    },
    async activeInLive(client) {
      const live = await service.inLive(client);
      await service.letIntoLive(live);
      return live;
    },
    as: (token) => open('', token),
    async close() {
      const findings = await auditCell(platform.databaseUrl, SANDBOX_CELL);
      await platform.close();
      for (const end of closing) await end();
      expect(findings).toEqual([]);
    },
  };
  return service;
}

/** @param key null calls without any credential. */
function openClient(
  url: string,
  partnerId: string,
  key: string | null,
  closing: (() => Promise<void>)[],
): Client {
  /** All tries have one key, so repeating is safe. */
  function insistOn(path: string, body: object): Promise<Answer> {
    const key = { 'Idempotency-Key': randomUUID() };
    return insist(`an answer of ${path}`, () => client.post(path, body, key));
  }
  const client: Client = {
    partnerId,
    key: key ?? '',
    async ask(method, path, body, headers = {}) {
      const answer = await send(url + path, method, { ...(key !== null && { key }), body, headers });
      contract().check({ method, path, ...answer });
      return answer;
    },
    get: (path, headers) => client.ask('GET', path, undefined, headers),
    post: (path, body, headers) => client.ask('POST', path, body, headers),
    delete: (path) => client.ask('DELETE', path),
    async wallet(fundKobo = 0) {
      const created = await insistOn('/v1/wallets', { user_ref: `user-${randomUUID()}` });
      if (created.status !== 202) throw new Error(`a wallet was answered ${created.text}`);
      const id: string = created.body.data.id;
      await until(`the activation of wallet ${id}`, async () => {
        const read = await client.get(`/v1/wallets/${id}`);
        return read.body.data.wallet.status === 'active';
      });
      if (fundKobo > 0) await insistOn(`/sandbox/wallets/${id}/fund`, { amount_kobo: fundKobo });
      return id;
    },
    async balanceKobo(walletId) {
      return (await client.get(`/v1/wallets/${walletId}`)).body.data.balance_kobo;
    },
    async transaction(id) {
      return (await client.get(`/v1/transactions/${id}`)).body.data;
    },
    ended: (id) =>
      until(`the end of transaction ${id}`, async () => {
        const transaction = await client.transaction(id);
        return transaction.status !== 'processing' && transaction;
      }),
    async listen(events = KINDS, say) {
      const receiver = await openReceiver(say);
      closing.push(() => receiver.close());
      const registered = await client.post('/v1/webhooks', { url: receiver.url, events });
      const { id, secret } = registered.body.data;
      return {
        endpointId: id,
        url: receiver.url,
        secret,
        deliveries: receiver.deliveries,
        async heard(kind, data) {
          const delivery = await until(`${kind} of ${JSON.stringify(data)}`, () => {
            for (const { body } of receiver.deliveries) sighted('delivered', body);
            return receiver.deliveries.find(({ body }) => body.event === kind && fits(body.data, data));
          });
          return verified(delivery, secret);
        },
      };
    },
  };
  return client;
}

const fits = (all: Json, some: Record<string, unknown>): boolean =>
  Object.entries(some).every(([name, value]) => all[name] === value);
