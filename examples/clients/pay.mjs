/** Pays once in a sandbox with the SDK, and verifies a webhook. Node, Bun and Deno run it as it is. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { isRefusal, kobo, verifyWebhook, WalletClient } from '@partner-wallet/sdk';

const client = new WalletClient();

async function openWallet() {
  const { id } = await client.wallets.create({ user_ref: `user-${randomUUID()}` });
  for (let looks = 0; looks < 120; looks++) {
    if ((await client.wallets.get(id)).wallet.status === 'active') return id;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw new Error('the wallet did not become active');
}

const [ada, bola] = [await openWallet(), await openWallet()];
await client.sandbox.fund(ada, { amount_kobo: kobo('10,000.00') });
const order = { source_wallet: ada, dest_wallet: bola, amount: kobo('1,500.00'), reference: randomUUID() };
const options = { idempotencyKey: randomUUID(), headers: { 'X-Sandbox-Fault': 'lost_answer' } };
// The answer to the first try is lost, and the SDK asks again with the same key.
const paid = await client.transfers.p2p(order, options).withResponse();
assert.deepEqual([paid.data.status, paid.replayed], ['completed', true]);
assert.equal((await client.wallets.get(bola)).balance_kobo, 150_000);

const tooMuch = { source_wallet: bola, dest_wallet: ada, amount: kobo('9,000,000'), reference: randomUUID() };
await assert.rejects(
  async () => client.transfers.p2p(tooMuch),
  (error) => isRefusal(error, 'INSUFFICIENT_FUNDS'),
);

const since = new Date(Date.now() - 60_000).toISOString();
for await (const { event } of client.events.stream({ since })) {
  if (event.data.id === paid.data.id) break;
}

const { body, headers, secret } = JSON.parse(readFileSync(process.env.WALLET_DELIVERY, 'utf8'));
const { event } = await verifyWebhook(body, headers, secret);
await assert.rejects(verifyWebhook(`${body} `, headers, secret));
console.log(`paid ${paid.data.id}, verified ${event}`);
