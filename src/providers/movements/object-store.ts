/** A bucket of an object store that speaks S3: one object for each time that lines are shipped. */
import { randomUUID } from 'node:crypto';
import { AwsClient } from 'aws4fetch';
import type { Destination } from './port';

export interface ObjectStoreKeys {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
}

const WITHIN_MS = 30_000;

/** @param url of the bucket, with a folder in it. */
export function openObjectStore(url: URL, keys: ObjectStoreKeys): Destination {
  // Nothing is repeated here: what failed is shipped again.
  const client = new AwsClient({ ...keys, service: 's3', retries: 0 });
  const base = url.href.replace(/\/$/, '');
  return {
    name: base,
    async append(lines, at) {
      const stamp = at.toISOString().replaceAll(/[:.]/g, '-');
      const object = `${base}/${at.toISOString().slice(0, 10)}/${stamp}-${randomUUID()}.ndjson`;
      const answer = await client.fetch(object, {
        method: 'PUT',
        body: `${lines.join('\n')}\n`,
        headers: { 'content-type': 'application/x-ndjson' },
        signal: AbortSignal.timeout(WITHIN_MS),
      });
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`the object store answered HTTP ${String(answer.status)}`);
    },
    close: () => Promise.resolve(),
  };
}
