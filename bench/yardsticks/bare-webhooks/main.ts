/**
 * What posting signed webhooks costs by itself: the same bytes, signature and HTTP client as ours, as many at
 * once, in a bare loop. No database, no claims, no records, no retries, no check of the address.
 */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { Client } from 'undici';
import { serveCommands } from '../../support/program';

export interface BareOrder {
  urls: string[];
  /** How many are posted to each of them. */
  count: number;
  atOnce: number;
  /** The data of the event. */
  data: string;
}

const secret = randomBytes(24);

async function post({ urls, count, atOnce, data }: BareOrder): Promise<void> {
  await Promise.all(
    urls.flatMap((url) => {
      const waiting = { count };
      return Array.from({ length: atOnce }, () => postOneByOne(new URL(url), waiting, data));
    }),
  );
}

async function postOneByOne(url: URL, waiting: { count: number }, data: string): Promise<void> {
  const client = new Client(url.origin);
  while (waiting.count > 0) {
    waiting.count--;
    const id = `wh_${randomUUID()}`;
    const createdAt = new Date().toISOString();
    const body = `{"event":"transaction.completed","data":${data},"timestamp":"${createdAt}","webhook_id":"${id}"}`;
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
    const answer = await client.request({
      method: 'POST',
      path: url.pathname,
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      },
      body,
    });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`a receiver answered ${String(answer.statusCode)}`);
  }
  await client.close();
}

serveCommands({ post });
