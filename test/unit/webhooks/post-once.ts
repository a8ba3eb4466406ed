/**
 * Posts one webhook to the URL of its argument, with every host name resolved to loopback, and prints the outcome.
 */
import { createWebhookSender } from '../../../src/providers/webhooks/sender';

async function main(): Promise<void> {
  const rules = { allowPrivate: true, httpsOnly: true };
  const sender = createWebhookSender({
    rules,
    timeoutMs: 2_000,
    resolveHost: () => Promise.resolve(['127.0.0.1']),
  });
  const outcome = await sender.post(process.argv[2] ?? '', { 'webhook-id': 'evt_1' }, '{}');
  await sender.close();
  process.stdout.write(JSON.stringify(outcome));
}

void main();
