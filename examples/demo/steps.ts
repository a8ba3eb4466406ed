/**
 * The demo's steps, in the order of the story. Each sends what a partner would send, checks every figure
 * of the answer against the interface, and gives the words for its row.
 */
import type { z } from 'zod';
import { isNuban } from '../../src/domain/nuban';
import * as answers from './answers';
import type { LedgerEntry, Transaction } from './answers';
import { check, checkSame } from './check';
import { poll } from './client';
import type { Client } from './client';
import { BANK_FEE_KOBO, BANK_KOBO, FUNDING_KOBO, P2P_FEE_KOBO, P2P_KOBO } from './money';
import { naira, nairaPlain } from './print';
import type { Receiver } from './receiver';

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

export interface Wallet {
  readonly id: string;
  readonly userRef: string;
}

const EVENTS = ['wallet.activated', 'transaction.completed', 'transaction.failed', 'kyc.verified'];

/**
 * Registers the receiver for every kind of event in the story. This is the first step, so that no event is missed.
 */
export async function registerEndpoint(client: Client, receiver: Receiver): Promise<string> {
  const { body } = await client.send('POST', '/v1/webhooks', 201, answers.registeredEndpoint, {
    body: { url: receiver.url, events: EVENTS },
  });
  receiver.trust(body.data.secret);
  return body.data.id;
}

export async function removeEndpoint(client: Client, endpointId: string): Promise<void> {
  await client.send('DELETE', `/v1/webhooks/${endpointId}`, 204, answers.nothing);
}

/** Creates a wallet and waits until its account is issued (202 pending, then active). */
export async function createWallet(client: Client, userRef: string) {
  const { body } = await client.send('POST', '/v1/wallets', 202, answers.createdWallet, {
    body: { user_ref: userRef },
  });
  const { id } = body.data;
  checkSame(`status of the new wallet ${userRef}`, body.data.status, 'pending');
  checkSame(`account_status of the new wallet ${userRef}`, body.data.account_status, 'provisioning');
  checkSame(`account_number of the new wallet ${userRef}`, body.data.account_number, '');

  const active = await poll(`provisioning ${userRef}`, PROVISIONING_LIMIT_MS, async () => {
    const { wallet } = (await showWallet(client, id)).data;
    return wallet.status === 'pending' ? undefined : wallet;
  });
  checkSame(`status of ${userRef}`, active.status, 'active');
  checkSame(`account_status of ${userRef}`, active.account_status, 'active');
  const accountNumber = active.account_number;
  check(isNuban(SANDBOX_BANK_CODE, accountNumber), `${accountNumber} should end in its NUBAN check digit`);
  return { id, userRef, accountNumber };
}

/** Funds an empty wallet and gives the funding's transaction id. */
export async function fund(client: Client, wallet: Wallet): Promise<string> {
  const path = `/sandbox/wallets/${wallet.id}/fund`;
  const { body } = await client.send('POST', path, 200, answers.funding, {
    body: { amount_kobo: FUNDING_KOBO, note: 'demo' },
  });
  checkSame('funded wallet', body.wallet_id, wallet.id);
  checkSame('funding status', body.status, 'completed');
  checkSame('funded amount_kobo', body.amount_kobo, FUNDING_KOBO);
  checkSame('balance_kobo of the funding', body.balance_kobo, FUNDING_KOBO);
  checkSame('balance_naira of the funding', body.balance_naira, nairaPlain(FUNDING_KOBO));
  await checkBalance(client, wallet, FUNDING_KOBO);
  return body.transaction_id;
}

interface P2pRequest {
  readonly source: Wallet;
  readonly dest: Wallet;
  readonly key: string;
}

/** A wallet-to-wallet transfer in the guide's form; the answer's text is what a replay must repeat. */
export async function transferP2p(client: Client, { source, dest, key }: P2pRequest) {
  const answer = await client.send('POST', '/v1/transfers/p2p', 200, answers.guideTransfer, {
    headers: { 'Idempotency-Key': key },
    body: {
      source_wallet_id: source.id,
      dest_wallet_id: dest.id,
      amount_kobo: P2P_KOBO,
      reference: `demo-p2p-${key}`,
      description: 'Lunch',
    },
  });
  const transfer = answer.body.data;
  const sourceLeftKobo = FUNDING_KOBO - P2P_KOBO - P2P_FEE_KOBO;
  checkSame('P2P type', transfer.type, 'p2p_transfer');
  checkSame('P2P status', transfer.status, 'completed');
  checkSame('P2P amount_kobo', transfer.amount_kobo, P2P_KOBO);
  checkSame('P2P amount_naira', transfer.amount_naira, nairaPlain(P2P_KOBO));
  checkSame('P2P fee', transfer.fee_breakdown.customer_fee_kobo, P2P_FEE_KOBO);
  checkSame('P2P net amount', transfer.fee_breakdown.net_amount_kobo, P2P_KOBO);
  checkSame('P2P source', transfer.source_wallet.id, source.id);
  checkSame('P2P source balance', transfer.source_wallet.balance_after_kobo, sourceLeftKobo);
  checkSame('P2P source naira', transfer.source_wallet.balance_after_naira, nairaPlain(sourceLeftKobo));
  checkSame('P2P destination', transfer.dest_wallet.id, dest.id);
  checkSame('P2P destination balance', transfer.dest_wallet.balance_after_kobo, P2P_KOBO);
  await checkBalance(client, source, sourceLeftKobo);
  await checkBalance(client, dest, P2P_KOBO);
  return { id: transfer.id, text: answer.text, headers: answer.headers, sourceLeftKobo };
}

/** The same key once more: the first answer's bytes, marked as a replay, and no kobo moved (D44). */
export async function replayP2p(client: Client, request: P2pRequest, firstText: string): Promise<void> {
  const again = await transferP2p(client, request);
  checkSame('header Idempotent-Replayed', again.headers.get('idempotent-replayed'), 'true');
  check(again.text === firstText, 'the replayed answer should be the first one byte for byte');
}

/** A bank transfer that completes: amount and flat fee leave the wallet at once. */
export async function transferToBank(
  client: Client,
  source: Wallet,
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
export async function transferToFailingBank(client: Client, source: Wallet, reference: string) {
  const beforeKobo = await balanceOf(client, source);
  const accepted = await acceptBankTransfer(client, { source, reference, accountNumber: FAILING_ACCOUNT });
  const final = await settled(client, source, accepted);
  checkSame('bank transfer status', final.status, 'failed');
  check(final.failed_reason !== null, 'a failed transfer should say its failed_reason');
  await checkBalance(client, source, beforeKobo);

  const history = await listTransactions(client, source);
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
const subjectOf = ({ data }: z.infer<typeof answers.deliveryBody>): string =>
  data.id ?? data.verification_id ?? '';

/** The failed transfer's webhook names the reversal that brought the money back (D113). */
export function checkReversalTold(receiver: Receiver, transactionId: string, reversalId: string): void {
  const failure = receiver.deliveries.find(
    ({ content }) => content?.event === 'transaction.failed' && content.data.id === transactionId,
  );
  const told = answers.reversalTold.safeParse(failure?.content?.data).data;
  checkSame('reversal.reversed of the webhook', told?.reversal.reversed, true);
  checkSame('reversal.reversal_tx_id of the webhook', told?.reversal.reversal_tx_id, reversalId);
  checkSame('reversal.amount_kobo of the webhook', told?.reversal.amount_kobo, BANK_KOBO + BANK_FEE_KOBO);
}

/** Reads a wallet's whole ledger: no gap, an unbroken chain of balances, and credits less debits = balance. */
export async function checkLedger(client: Client, wallet: Wallet) {
  const entries = (await listEntries(client, wallet)).sort((a, b) => a.sequence - b.sequence);
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
  { source, reference, accountNumber }: { source: Wallet; reference: string; accountNumber: string },
): Promise<Transaction> {
  const { body } = await client.send('POST', '/v1/transfers/bank', 202, answers.acceptedTransfer, {
    headers: { 'Idempotency-Key': reference },
    body: {
      source_wallet: source.id,
      dest_account: { bank_code: GTBANK, account_number: accountNumber, account_name: 'ADEYEMI NGOZI' },
      amount: BANK_KOBO,
      reference,
      description: 'Rent',
    },
  });
  checkSame('bank transfer type', body.data.type, 'bank_transfer');
  checkSame('status of the accepted transfer', body.data.status, 'processing');
  checkSame('bank transfer amount', body.data.amount, BANK_KOBO);
  checkSame('bank transfer fee', body.data.fee_breakdown.customerFee, BANK_FEE_KOBO);
  return body.data;
}

/** Looks the transfer up by its reference, as the interface advises, until its outcome is known. */
async function settled(client: Client, source: Wallet, { id, reference }: Transaction): Promise<Transaction> {
  return poll(`the bank transfer ${reference}`, SETTLEMENT_LIMIT_MS, async () => {
    const [found] = await listTransactions(client, source, reference);
    checkSame(`transaction found by reference ${reference}`, found?.id, id);
    return found?.status === 'processing' ? undefined : found;
  });
}

async function showWallet(client: Client, walletId: string) {
  return (await client.send('GET', `/v1/wallets/${walletId}`, 200, answers.shownWallet)).body;
}

async function balanceOf(client: Client, wallet: Wallet): Promise<number> {
  return (await showWallet(client, wallet.id)).data.balance_kobo;
}

async function checkBalance(client: Client, wallet: Wallet, expectedKobo: number): Promise<void> {
  const { data } = await showWallet(client, wallet.id);
  check(
    data.balance_kobo === expectedKobo && data.balance_naira === nairaPlain(expectedKobo),
    `${wallet.userRef} should hold ${naira(expectedKobo)}, but holds ${data.balance_naira}`,
  );
}

async function listTransactions(client: Client, wallet: Wallet, reference?: string): Promise<Transaction[]> {
  const query = new URLSearchParams({ limit: '100', ...(reference === undefined ? {} : { reference }) });
  const path = `/v1/wallets/${wallet.id}/transactions?${query.toString()}`;
  return (await client.send('GET', path, 200, answers.transactions)).body.data;
}

async function listEntries(client: Client, wallet: Wallet): Promise<LedgerEntry[]> {
  const path = `/v1/wallets/${wallet.id}/ledger?limit=100`;
  return (await client.send('GET', path, 200, answers.ledgerPage)).body.data;
}
