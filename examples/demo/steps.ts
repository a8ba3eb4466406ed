/**
 * The demo's steps, in the order of the story. Each sends what a partner would send, checks every figure
 * of the answer against the interface, and gives the words for its row.
 */
import { isDeepStrictEqual } from 'node:util';
import { formatNaira, naira, type Transaction, type WalletClient as Client } from '../../sdk/src';
import { isNuban } from '../../src/domain/nuban';
import { check, checkSame } from './check';
import { BANK_FEE_KOBO, BANK_KOBO, FUNDING_KOBO, P2P_FEE_KOBO, P2P_KOBO } from './money';
import { poll } from './poll';
import type { Delivery, Receiver } from './receiver';

/** The sandbox bank's code in the six digits that a NUBAN's check digit is computed over. */
const SANDBOX_BANK_CODE = '950999';
const GTBANK = '058';
const GOOD_ACCOUNT = '0123456789';
/**
 * Sandbox: a transfer to an account ending in 0000 fails and is reversed (interface: Sandbox-only operations, rule
 * 2).
 */
const FAILING_ACCOUNT = '0123450000';
const PROVISIONING_LIMIT_MS = 30_000;
const SETTLEMENT_LIMIT_MS = 30_000;
const DELIVERY_LIMIT_MS = 30_000;

/** Whose wallet it is. */
export interface Holder {
  readonly id: string;
  readonly userRef: string;
}

/**
 * Registers the receiver for every kind of event in the story. This is the first step, so that no event is missed.
 */
export async function registerEndpoint(client: Client, receiver: Receiver): Promise<string> {
  const { id, secret } = await client.webhooks.create({
    url: receiver.url,
    events: ['wallet.activated', 'transaction.completed', 'transaction.failed', 'kyc.verified'],
  });
  receiver.trust(secret);
  return id;
}

export async function removeEndpoint(client: Client, endpointId: string): Promise<void> {
  await client.webhooks.delete(endpointId);
}

/** Creates a wallet and waits until its account is issued (pending, then active). */
export async function createWallet(client: Client, userRef: string) {
  const created = await client.wallets.create({ user_ref: userRef });
  const { id } = created;
  checkSame(`status of the new wallet ${userRef}`, created.status, 'pending');
  checkSame(`account_status of the new wallet ${userRef}`, created.account_status, 'provisioning');
  checkSame(`account_number of the new wallet ${userRef}`, created.account_number, '');

  const active = await poll(`provisioning ${userRef}`, PROVISIONING_LIMIT_MS, async () => {
    const { wallet } = await client.wallets.get(id);
    return wallet.status === 'pending' ? undefined : wallet;
  });
  checkSame(`status of ${userRef}`, active.status, 'active');
  checkSame(`account_status of ${userRef}`, active.account_status, 'active');
  const accountNumber = active.account_number;
  check(isNuban(SANDBOX_BANK_CODE, accountNumber), `${accountNumber} should end in its NUBAN check digit`);
  return { id, userRef, accountNumber };
}

/** Funds an empty wallet and gives the funding's transaction id. */
export async function fund(client: Client, wallet: Holder): Promise<string> {
  const funding = await client.sandbox.fund(wallet.id, { amount_kobo: FUNDING_KOBO, note: 'demo' });
  checkSame('funded wallet', funding.wallet_id, wallet.id);
  checkSame('funding status', funding.status, 'completed');
  checkSame('funded amount_kobo', funding.amount_kobo, FUNDING_KOBO);
  checkSame('balance_kobo of the funding', funding.balance_kobo, FUNDING_KOBO);
  checkSame('balance_naira of the funding', funding.balance_naira, naira(FUNDING_KOBO));
  await checkBalance(client, wallet, FUNDING_KOBO);
  return funding.transaction_id;
}

interface P2pRequest {
  readonly source: Holder;
  readonly dest: Holder;
  readonly key: string;
}

/** A wallet-to-wallet transfer, with a key that makes its repeat harmless. */
export async function transferP2p(client: Client, { source, dest, key }: P2pRequest) {
  const { data: transfer, replayed } = await client.transfers
    .p2p(
      {
        source_wallet: source.id,
        dest_wallet: dest.id,
        amount: P2P_KOBO,
        reference: `demo-p2p-${key}`,
        description: 'Lunch',
      },
      { idempotencyKey: key },
    )
    .withResponse();
  checkSame('P2P type', transfer.type, 'p2p_transfer');
  checkSame('P2P status', transfer.status, 'completed');
  checkSame('P2P amount', transfer.amount, P2P_KOBO);
  checkSame('P2P fee', transfer.fee_breakdown.customerFee, P2P_FEE_KOBO);
  checkSame('P2P source', transfer.source_wallet, source.id);
  checkSame('P2P destination', transfer.dest_wallet, dest.id);
  const sourceLeftKobo = FUNDING_KOBO - P2P_KOBO - P2P_FEE_KOBO;
  await checkBalance(client, source, sourceLeftKobo);
  await checkBalance(client, dest, P2P_KOBO);
  return { transfer, replayed, sourceLeftKobo };
}

/** The same key once more: the first answer, marked as a replay, and no kobo moved (D44). */
export async function replayP2p(client: Client, request: P2pRequest, first: Transaction): Promise<void> {
  const again = await transferP2p(client, request);
  check(again.replayed, 'the second answer should be marked as a replay');
  check(isDeepStrictEqual(again.transfer, first), 'the replayed answer should be the first one');
}

/** A bank transfer that completes: amount and flat fee leave the wallet at once. */
export async function transferToBank(
  client: Client,
  source: Holder,
  reference: string,
): Promise<Transaction> {
  const beforeKobo = await balanceOf(client, source);
  const accepted = await acceptBankTransfer(client, { source, reference, accountNumber: GOOD_ACCOUNT });
  const final = await settled(client, source, accepted);
  checkSame('bank transfer status', final.status, 'completed');
  await checkBalance(client, source, beforeKobo - BANK_KOBO - BANK_FEE_KOBO);
  return final;
}

/** A bank transfer that fails: everything comes back, by exactly one reversal (D56). */
export async function transferToFailingBank(client: Client, source: Holder, reference: string) {
  const beforeKobo = await balanceOf(client, source);
  const accepted = await acceptBankTransfer(client, { source, reference, accountNumber: FAILING_ACCOUNT });
  const final = await settled(client, source, accepted);
  checkSame('bank transfer status', final.status, 'failed');
  check(final.failed_reason !== null, 'a failed transfer should say its failed_reason');
  await checkBalance(client, source, beforeKobo);

  const history = await all(client.wallets.transactions(source.id));
  const [reversal, ...more] = history.filter((each) => each.type === 'reversal');
  check(reversal !== undefined && more.length === 0, 'there should be exactly one reversal');
  checkSame('reversal amount', reversal.amount, BANK_KOBO + BANK_FEE_KOBO);
  checkSame('reversal status', reversal.status, 'completed');
  checkSame('reversed transaction', reversal.metadata['original_transaction_id'], accepted.id);
  checkSame('wallet of the reversal', reversal.dest_wallet, source.id);
  return { id: final.id, reversalId: reversal.id, returnedKobo: reversal.amount };
}

/** One event the story must have caused: its kind and the id of what it tells of. */
interface ExpectedEvent {
  readonly event: string;
  readonly id: string;
}

/**
 * Waits for every expected event and checks that each came under one webhook_id, that nothing else was
 * told about this story, and that every signature was good. Gives the number of requests received.
 */
export async function checkDeliveries(receiver: Receiver, expected: readonly ExpectedEvent[]) {
  const told = ({ event, id }: ExpectedEvent) =>
    receiver.deliveries.filter(({ content }) => content?.event === event && subjectOf(content) === id);
  for (const each of expected) {
    await poll(`the webhook ${each.event} for ${each.id}`, DELIVERY_LIMIT_MS, () =>
      Promise.resolve(told(each)[0]),
    );
    const ids = new Set(told(each).map(({ webhookId }) => webhookId));
    checkSame(`number of ${each.event} events for ${each.id}`, ids.size, 1);
  }
  const subjects = new Set(expected.map(({ id }) => id));
  const about = receiver.deliveries.filter(({ content }) => content && subjects.has(subjectOf(content)));
  checkSame('number of events', new Set(about.map(({ webhookId }) => webhookId)).size, expected.length);
  const goodCount = receiver.deliveries.filter(({ good }) => good).length;
  checkSame('number of good signatures', goodCount, receiver.deliveries.length);
  return { receivedCount: receiver.deliveries.length, goodCount };
}

/** The id of what an event is about. The event of a verification has it under another name (D112). */
function subjectOf({ data }: NonNullable<Delivery['content']>): string {
  if ('verification_id' in data) return data.verification_id;
  return 'id' in data ? data.id : '';
}

/** The failed transfer's webhook names the reversal that brought the money back (D113). */
export function checkReversalTold(receiver: Receiver, transactionId: string, reversalId: string): void {
  const failures = receiver.deliveries.flatMap(({ content }) =>
    content?.event === 'transaction.failed' ? [content.data] : [],
  );
  const told = failures.find(({ id }) => id === transactionId)?.reversal;
  checkSame('reversal.reversed of the webhook', told?.reversed, true);
  checkSame('reversal.reversal_tx_id of the webhook', told?.reversal_tx_id, reversalId);
  checkSame('reversal.amount_kobo of the webhook', told?.amount_kobo, BANK_KOBO + BANK_FEE_KOBO);
}

/** Reads a wallet's whole ledger: no gap, an unbroken chain of balances, and credits less debits = balance. */
export async function checkLedger(client: Client, wallet: Holder) {
  const entries = await all(client.wallets.ledger(wallet.id));
  entries.sort((a, b) => a.sequence - b.sequence);
  let balanceKobo = 0;
  for (const [index, entry] of entries.entries()) {
    const name = `entry ${String(index + 1)} of ${wallet.userRef}`;
    checkSame(`sequence of ${name}`, entry.sequence, index + 1);
    checkSame(`status of ${name}`, entry.status, 'posted');
    balanceKobo += entry.direction === 'credit' ? entry.amount : -entry.amount;
    checkSame(`balance_after of ${name}`, entry.balance_after, balanceKobo);
  }
  await checkBalance(client, wallet, balanceKobo);
  return { entryCount: entries.length, balanceKobo };
}

async function acceptBankTransfer(
  client: Client,
  { source, reference, accountNumber }: { source: Holder; reference: string; accountNumber: string },
): Promise<Transaction> {
  const accepted = await client.transfers.bank(
    {
      source_wallet: source.id,
      dest_account: { bank_code: GTBANK, account_number: accountNumber, account_name: 'ADEYEMI NGOZI' },
      amount: BANK_KOBO,
      reference,
      description: 'Rent',
    },
    { idempotencyKey: reference },
  );
  checkSame('bank transfer type', accepted.type, 'bank_transfer');
  checkSame('status of the accepted transfer', accepted.status, 'processing');
  checkSame('bank transfer amount', accepted.amount, BANK_KOBO);
  checkSame('bank transfer fee', accepted.fee_breakdown.customerFee, BANK_FEE_KOBO);
  return accepted;
}

/** Looks the transfer up by its reference, as the interface advises, until its outcome is known. */
async function settled(client: Client, source: Holder, { id, reference }: Transaction): Promise<Transaction> {
  return poll(`the bank transfer ${reference}`, SETTLEMENT_LIMIT_MS, async () => {
    const [found] = await all(client.wallets.transactions(source.id, { reference }));
    checkSame(`transaction found by reference ${reference}`, found?.id, id);
    return found?.status === 'processing' ? undefined : found;
  });
}

const balanceOf = async (client: Client, wallet: Holder): Promise<number> =>
  (await client.wallets.get(wallet.id)).balance_kobo;

async function checkBalance(client: Client, wallet: Holder, expectedKobo: number): Promise<void> {
  const shown = await client.wallets.get(wallet.id);
  check(
    shown.balance_kobo === expectedKobo && shown.balance_naira === naira(expectedKobo),
    `${wallet.userRef} should hold ${formatNaira(expectedKobo)}, but holds ${shown.balance_naira}`,
  );
}

/** The items of all pages of a list. */
async function all<Item>(pages: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of pages) items.push(item);
  return items;
}
