/** `npm start` says that a program is ready when the program itself says it. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { untilReady } from '../../tools/launcher/readiness';

const AWAY = ['Postgres does not answer'];
const FEW = ['The database has cells that this process does not serve: sandbox_1'];
const says = (status: 'ready' | 'not_ready', why: string[] = [], migrations = true, cells = true) => ({
  status,
  why,
  checks: { migrations, cells },
});

/** Asks a program that gives these answers in turn, and then the last one. @returns how often it was asked. */
async function asked(answers: readonly object[], withinMs: number): Promise<number> {
  let looks = 0;
  const server = createServer((request, response) => {
    expect(request.url).toBe('/ready');
    response.end(JSON.stringify(answers[Math.min(looks, answers.length - 1)]));
    looks += 1;
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await untilReady('API', `http://127.0.0.1:${String(port)}`, withinMs);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  return looks;
}

test('a program that serves, and whose first connections to Postgres are late, is asked until it is ready', async () => {
  const late = says('not_ready', AWAY, false, false);
  expect(await asked([late, late, says('ready')], 60_000)).toBe(3);
});

test('one that serves fewer cells than there are will never be ready', async () => {
  await expect(asked([says('not_ready', FEW, true, false)], 60_000)).rejects.toThrow(
    `API is not ready. ${FEW.join()}`,
  );
});

test('one that is not ready in time is refused with its reason', async () => {
  await expect(asked([says('not_ready', AWAY, false, false)], 0)).rejects.toThrow(
    'API is not ready. Postgres does not answer',
  );
});

test('one that does not answer is refused in time', async () => {
  await expect(untilReady('API', 'http://127.0.0.1:1', 0)).rejects.toThrow(
    'API is not ready. Its operator port does not answer',
  );
});
