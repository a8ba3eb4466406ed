/** Receivers of webhooks with a partner's endpoints that lead to them. */
import { Webhook } from 'standardwebhooks';
import type { Seen } from '../programs/receivers';
import { CELL } from './cell';
import type { Program } from './platform';
import { command } from './program';
import { RECEIVERS } from './programs';
import { until } from './until';
import type { WholePlatform } from './whole-platform';

export interface Receivers {
  program: Program;
  /** The URLs of the healthy receivers. */
  urls: readonly string[];
  /** The ids of the healthy receivers' endpoints. */
  endpointIds: readonly string[];
  /** Forgets everything that has arrived so far. */
  forget(): Promise<void>;
  /** Waits until this number of different deliveries has arrived. @throws when that takes too long. */
  arrived(deliveries: number): Promise<Seen>;
  /**
   * Checks the signatures as a partner does it.
   * @throws when one of the kept deliveries is not signed for its endpoint.
   */
  checkSignatures(seen: Seen): void;
  /** Waits until every delivery to the healthy ones is recorded as such. */
  allRecorded(): Promise<void>;
  /** Removes the endpoints and the program. */
  close(): Promise<void>;
}

interface Endpoint {
  id: string;
  url: string;
  secret: string;
}

/** @param andOneHangs adds the endpoint that never answers. */
export async function openReceivers(
  platform: WholePlatform,
  { count, andOneHangs }: { count: number; andOneHangs: boolean },
): Promise<Receivers> {
  const program = await platform.start(RECEIVERS);
  const addresses = await command<{ urls: string[]; hangingUrl: string }>(program, 'addresses');
  const urls = addresses.urls.slice(0, count);
  const endpoints: Endpoint[] = [];
  for (const url of andOneHangs ? [...urls, addresses.hangingUrl] : urls) {
    const events = ['transaction.completed'];
    endpoints.push({ ...(await platform.call<Endpoint>('POST', '/v1/webhooks', { url, events })), url });
  }

  const endpointIds = endpoints.slice(0, count).map(({ id }) => id);
  return {
    program,
    urls,
    endpointIds,
    forget: () => command(program, 'forget'),
    async arrived(deliveries) {
      const count = (): Promise<number> => command(program, 'count');
      await until(
        async () => (await count()) >= deliveries,
        `of ${String(deliveries)} deliveries some are missing`,
      );
      return command(program, 'seen');
    },
    checkSignatures({ samples }) {
      for (const { receiver, headers, body } of samples) {
        const secret = endpoints.find(({ url }) => url === addresses.urls[receiver])?.secret ?? '';
        new Webhook(secret.replace(/^sk_wh_/, '')).verify(body, headers as Record<string, string>);
      }
    },
    allRecorded: () =>
      until(async () => {
        const { rows } = await platform.sql<{ done: boolean }>(
          `SELECT NOT EXISTS (SELECT FROM ${CELL}.deliveries
                               WHERE endpoint_id = ANY($1) AND next_attempt_at IS NOT NULL) AS done`,
          [endpointIds],
        );
        return rows[0]?.done === true;
      }, 'deliveries are still due'),
    async close() {
      for (const { id } of endpoints) await platform.call('DELETE', `/v1/webhooks/${id}`);
      await program.stop();
    },
  };
}
