/**
 * Proves at every start of the worker that the guard works in this process, on this machine, with the installed
 * libraries. It does so with a server of its own, the canary, which the live rules must keep out of reach.
 */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import type { AddressRules } from './address-guard';
import { createWebhookSender, type PostOutcome } from './sender';

/**
 * The live rules, and the same rules with http allowed. The canary speaks no TLS, so https alone would prove
 * little.
 */
const FORBIDDING: readonly (readonly [string, AddressRules])[] = [
  ['https', { allowPrivate: false, httpsOnly: true }],
  ['http', { allowPrivate: false, httpsOnly: false }],
];
const ALLOWING: AddressRules = { allowPrivate: true, httpsOnly: false };
/** A busy machine takes seconds to answer itself. */
const TIMEOUT_MS = 10_000;

/** Ways to the canary: an address, other notations of it, a name that is known, and one that is not. */
const WAYS = ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', 'canary.example'];

/**
 * Posts to a loopback canary under the live rules, after showing that it can be reached without them.
 * @throws Error when a post arrived, or was not blocked: the worker must not start.
 */
export async function guardSelfTest(): Promise<void> {
  const arrivals: Socket[] = [];
  const canary = createServer((_request, response) => response.writeHead(204).end());
  canary.on('connection', (socket: Socket) => arrivals.push(socket));
  await once(canary.listen(0, '127.0.0.1'), 'listening');
  const { port } = canary.address() as AddressInfo;
  try {
    const control = await postAll(ALLOWING, [`http://127.0.0.1:${port}/`]);
    if (control[0]?.kind !== 'answered') throw new Error('webhook guard: the canary does not answer');
    arrivals.length = 0;
    for (const [scheme, rules] of FORBIDDING) {
      const urls = WAYS.map((way) => `${scheme}://${way}:${port}/`);
      const open = (await postAll(rules, urls)).findIndex(({ kind }) => kind !== 'blocked');
      if (open !== -1) throw new Error(`webhook guard: ${urls[open]} is not blocked under the live rules`);
    }
    if (arrivals.length > 0) throw new Error('webhook guard: loopback was reached under the live rules');
  } finally {
    canary.closeAllConnections();
    canary.close();
  }
}

async function postAll(rules: AddressRules, urls: readonly string[]): Promise<PostOutcome[]> {
  const resolveHost = () => Promise.resolve(['127.0.0.1']);
  const sender = createWebhookSender({ rules, timeoutMs: TIMEOUT_MS, resolveHost });
  try {
    return await Promise.all(urls.map((url) => sender.post(url, {}, '{}')));
  } finally {
    await sender.close();
  }
}
