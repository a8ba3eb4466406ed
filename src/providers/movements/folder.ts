/** A folder with one file a day, which should lie on another disk than the database. */
import { mkdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Destination } from './port';

/** Its owner alone may read it: lines have the references of partners. */
export function openFolder(url: URL): Destination {
  const folder = fileURLToPath(url);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    name: url.href,
    async append(lines, at) {
      const file = await open(join(folder, `movements-${at.toISOString().slice(0, 10)}.ndjson`), 'a', 0o600);
      try {
        await file.write(`${lines.join('\n')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    close: () => Promise.resolve(),
  };
}
