/**
 * The protocol of the fake Paystack: `GET /bank`, `GET /bank/resolve`, `POST` and `GET /transferrecipient`, `POST /transfer` and
 * `GET /transfer/verify/:reference`, as Paystack's public pages describe them (API reference, "How transfers work",
 * "Rate limits", and its list of errors). Payments that come in are in `incoming.ts`, those that go back in `refunds.ts`; `treasury.ts` has its lists: the
 * balance, its ledger, transfers, settlements.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { openEvents, type FakeEvents } from './events';
import { createIncoming } from './incoming';
import { createRefunds } from './refunds';
import type {
  FakeFault,
  FakeRefusal,
  FakeRecipient,
  FakeTransaction,
  FakeTransfer,
  OpenState,
} from './state';
import { createLists } from './treasury';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export const ok = (message: string, data: object, status = 200): Answer => ({
  status,
  body: { status: true, message, data },
});
export const refusal = (status: number, message: string, code?: string): Answer => ({
  status,
  body: { status: false, message, meta: { nextStep: 'See the reference' }, type: 'validation_error', code },
});

const REFERENCE = /^[a-z0-9_-]{16,50}$/;
const BANKS_OF_A_PAGE = 10;

const FINAL = ['success', 'failed', 'reversed', 'abandoned', 'blocked', 'rejected'];
/** How long it waits for an approval. */
const APPROVED_WITHIN_MS = 5_000;
/** The faults in which no work is done. */
const BEFORE_WORK: readonly FakeFault['does'][] = ['drop before', 'hang before', 'answer'];
/** The ends in which the money stays with us. */
const UNPAID = ['failed', 'abandoned', 'blocked', 'rejected'];
/** The ends of transfers that have an event. */
const TOLD = ['success', 'failed', 'reversed'];

export interface FakePaystackServer {
  serve: RequestListener;
  /** Sends an event about a transfer or a payment, whether it is true or not. */
  tell(event: string, reference: string): void;
  /** Has money come in, or changes a payment. */
  receive(reference: string, payment: Partial<FakeTransaction>): void;
  /** Gives a payment back to its payer, as after a claim of the payer's bank. */
  takeBack(reference: string): void;
  /** Changes a refund. */
  turnRefund(id: number, status: string): void;
}

export function createFakePaystack(state: OpenState): FakePaystackServer {
  const { now, book, save } = state;
  const newId = (): number => now.nextId++;
  const stamp = (ms: number): string => new Date(ms).toISOString();

  /** Moves every transfer on that is due. */
  function moveOn(): void {
    const { pendingMs, otp } = now.settings;
    for (const transfer of now.transfers) {
      const isDue = Date.now() - transfer.bookedAtMs >= pendingMs;
      const isWaiting = transfer.status === 'received' || otp;
      if (FINAL.includes(transfer.status) || !isDue || isWaiting) continue;
      end(transfer, transfer.ends);
    }
  }

  function end(transfer: FakeTransfer, status: string): void {
    transfer.status = status;
    if (status === 'success') now.payments.push(transfer.reference);
    if (UNPAID.includes(status)) {
      book({ model: 'Transfer', row: transfer.id, differenceKobo: transfer.amountKobo });
    }
    save();
    if (TOLD.includes(status)) tell(`transfer.${status}`, transfer.reference);
  }

  /** Asks whether a transfer may be paid: 200 is a yes, 400 a no, and anything else blocks it. */
  async function askFirst(transfer: FakeTransfer): Promise<void> {
    const answer = await fetch(now.settings.approvalUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...transferData(transfer), ...whole(transfer) }),
      signal: AbortSignal.timeout(APPROVED_WITHIN_MS),
    }).catch(() => null);
    if (answer?.status === 200) transfer.status = 'pending';
    else end(transfer, answer?.status === 400 ? 'rejected' : 'blocked');
    save();
  }

  const events: FakeEvents = openEvents(state, moveOn);
  function tell(event: string, reference: string): void {
    const about = now.transfers.find((one) => one.reference === reference);
    if (about) events.send(event, { ...transferData(about), ...whole(about) });
    incoming.tell(event, reference);
  }
  const incoming = createIncoming(state, events);
  const refunds = createRefunds(state, events);

  /** What is set up to be refused about an account; undefined where nothing is. */
  function refusedOf(accountNumber: string, what: FakeRefusal['of']): Answer | undefined {
    const refused = now.settings.refusals[accountNumber];
    return refused?.of === what ? refusal(refused.status, refused.message, refused.code) : undefined;
  }

  function resolve(query: URLSearchParams): Answer {
    const accountNumber = query.get('account_number') ?? '';
    const refused = refusedOf(accountNumber, 'name');
    if (refused) return refused;
    if (!/^[0-9]{10}$/.test(accountNumber) || now.settings.unknownAccounts.includes(accountNumber)) {
      const message = 'Could not resolve account name. Check parameters or try again.';
      return refusal(422, message, 'invalid_bank_code');
    }
    const data = { account_number: accountNumber, account_name: `HOLDER OF ${accountNumber}`, bank_id: 9 };
    return ok('Account number resolved', data);
  }

  /** A page of its list of banks, which is smaller than any that is asked for. */
  function listBanks(query: URLSearchParams): Answer {
    const skipped = (Number(query.get('page') ?? 1) - 1) * BANKS_OF_A_PAGE;
    const rows = now.settings.banks.slice(skipped, skipped + BANKS_OF_A_PAGE).map(({ code, name }) => ({
      name,
      code,
      active: true,
      country: 'Nigeria',
      currency: 'NGN',
      type: 'nuban',
      is_deleted: false,
    }));
    return ok('Banks retrieved', rows);
  }

  const recipientData = ({ id, code, name, accountNumber, bankCode }: FakeRecipient) => ({
    active: true,
    currency: 'NGN',
    domain: domainOfKey(),
    id,
    name,
    recipient_code: code,
    type: 'nuban',
    is_deleted: false,
    details: {
      authorization_code: null,
      account_number: accountNumber,
      account_name: null,
      bank_code: bankCode,
      bank_name: 'A bank',
    },
  });
  const domainOfKey = () => (now.settings.secretKey.startsWith('sk_live_') ? 'live' : 'test');

  function makeRecipient(body: Record<string, unknown>): Answer {
    const { type, name, account_number: accountNumber, bank_code: bankCode } = body;
    if (type !== 'nuban' || typeof name !== 'string' || name === '') {
      return refusal(400, 'name is required', 'missing_params');
    }
    if (typeof accountNumber !== 'string' || typeof bankCode !== 'string') {
      return refusal(400, 'Account number is invalid', 'invalid_params');
    }
    const refused = refusedOf(accountNumber, 'recipient');
    if (refused) return refused;
    const same = now.recipients.find(
      (one) => one.accountNumber === accountNumber && one.bankCode === bankCode,
    );
    const id = newId();
    const recipient = same ?? { id, code: `RCP_fake${id}`, name, accountNumber, bankCode };
    if (!same) now.recipients.push(recipient);
    return ok('Transfer recipient created successfully', recipientData(recipient), 201);
  }

  function findRecipient(code: string): Answer {
    const found = now.recipients.find((one) => one.code === code);
    if (!found) return refusal(404, 'Recipient code is invalid', 'not_found');
    return ok('Recipient retrieved', recipientData(found));
  }

  function transferData(transfer: FakeTransfer) {
    return {
      amount: transfer.amountKobo,
      currency: 'NGN',
      domain: transfer.domain,
      failures: null,
      id: transfer.id,
      integration: 100_073,
      reason: transfer.reason,
      reference: transfer.reference,
      source: 'balance',
      source_details: null,
      status: transfer.status,
      titan_code: null,
      transfer_code: transfer.code,
      request: transfer.id + 1,
      transferred_at: null,
      createdAt: stamp(transfer.bookedAtMs),
      updatedAt: stamp(transfer.bookedAtMs),
    };
  }

  function transfer(body: Record<string, unknown>): Answer {
    const { source, amount, recipient: code, reference, reason } = body;
    const { settings } = now;
    if (source !== 'balance' || !Number.isSafeInteger(amount) || Number(amount) <= 0) {
      return refusal(400, 'Invalid amount passed.', 'invalid_params');
    }
    if (typeof reference !== 'string' || !REFERENCE.test(reference)) {
      return refusal(400, 'Your reference contains illegal special characters', 'invalid_params');
    }
    const recipient = now.recipients.find((one) => one.code === code);
    if (!recipient) return refusal(400, 'Recipient specified is invalid', 'invalid_transfer_recipient');
    const refused = refusedOf(recipient.accountNumber, 'transfer');
    if (refused) return refused;
    if (now.transfers.some((one) => one.reference === reference)) {
      const message = 'Please provide a unique reference. Reference already exists on a transfer';
      return refusal(400, message, 'duplicate_transfer_reference');
    }
    const amountKobo = Number(amount);
    if (settings.balanceKobo < amountKobo + settings.feeKobo) {
      return refusal(400, 'Your balance is not enough to fulfil this request', 'insufficient_balance');
    }
    // Amount and fee leave when the transfer is made.
    const id = newId();
    book({ model: 'Transfer', row: id, differenceKobo: -(amountKobo + settings.feeKobo) });
    const made: FakeTransfer = {
      id,
      code: `TRF_fake${id}`,
      reference,
      amountKobo,
      feeKobo: settings.feeKobo,
      recipientCode: recipient.code,
      reason: typeof reason === 'string' ? reason : '',
      domain: domainOfKey(),
      status: settings.otp ? 'otp' : settings.approvalUrl === '' ? 'pending' : 'received',
      bookedAtMs: Date.now(),
      ends: settings.endings[recipient.accountNumber] ?? 'success',
    };
    now.transfers.push(made);
    if (made.status === 'received') void askFirst(made);
    const message = settings.otp ? 'Transfer requires OTP to continue' : 'Transfer has been queued';
    return ok(message, { ...transferData(made), recipient: recipient.id });
  }

  function verify(reference: string): Answer {
    const found = now.transfers.find((one) => one.reference === reference);
    const isValidating = found && Date.now() - found.bookedAtMs < now.settings.validatingMs;
    if (!found || isValidating) {
      return refusal(404, 'Transfer not found', 'transfer_not_found');
    }
    return ok('Transfer retrieved', { ...transferData(found), ...whole(found) });
  }

  /** What a question and an event tell in addition. */
  function whole(transfer: FakeTransfer) {
    const recipient = now.recipients.find((one) => one.code === transfer.recipientCode);
    return {
      recipient: recipient && recipientData(recipient),
      session: { provider: 'nip', id: transfer.status === 'success' ? `999${transfer.id}` : null },
      fee_charged: transfer.feeKobo,
      fees_breakdown: null,
      gateway_response: null,
    };
  }

  const lists = createLists(now, domainOfKey, (transfer) => ({
    ...transferData(transfer),
    ...whole(transfer),
  }));

  function work(request: IncomingMessage, url: URL, body: Record<string, unknown>): Answer {
    if (request.headers.authorization !== `Bearer ${now.settings.secretKey}`) {
      return refusal(401, 'Invalid key', 'invalid_Key');
    }
    moveOn();
    const called = `${request.method ?? ''} ${url.pathname}`;
    const reference = /^GET \/transfer\/verify\/([^/]+)$/.exec(called)?.[1];
    if (reference !== undefined) return verify(decodeURIComponent(reference));
    const asked = incoming.answer(called, url.searchParams, body);
    if (asked) return asked;
    const back = refunds.answer(called, url.searchParams, body);
    if (back) return back;
    const listed = lists(called, url.searchParams);
    if (listed) return listed;
    const code = /^GET \/transferrecipient\/([^/]+)$/.exec(called)?.[1];
    if (code !== undefined) return findRecipient(decodeURIComponent(code));
    switch (called) {
      case 'GET /bank':
        return listBanks(url.searchParams);
      case 'GET /bank/resolve':
        return resolve(url.searchParams);
      case 'POST /transferrecipient':
        return makeRecipient(body);
      case 'POST /transfer':
        return transfer(body);
      default:
        return refusal(404, 'There is nothing here', 'not_found');
    }
  }

  /** The first fault of a request; it is used up by that. */
  function faultOf(called: string): FakeFault | undefined {
    const { faults } = now.settings;
    const fault = faults.find(({ on }) => called === on || called.startsWith(`${on}/`));
    if (!fault) return undefined;
    const { on, does, status } = fault;
    const kind = `${on}: ${does}${status === undefined ? '' : ` ${String(status)}`}`;
    now.faultsHad[kind] = (now.faultsHad[kind] ?? 0) + 1;
    if (fault.times !== undefined) {
      fault.times -= 1;
      if (fault.times <= 0) faults.splice(faults.indexOf(fault), 1);
    }
    save();
    return fault;
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake');
    const sent = await text(request);
    const body = sent === '' ? {} : (JSON.parse(sent) as Record<string, unknown>);
    const fault = faultOf(`${request.method ?? ''} ${url.pathname}`);
    if (now.settings.latencyMs > 0) await sleep(now.settings.latencyMs);
    if (fault?.does === 'drop before' || fault?.does === 'late') request.socket.destroy();
    if (fault?.does === 'late') await sleep(fault.afterMs ?? 0);
    if (fault?.does === 'answer') send(response, answerOf(fault));
    if (fault && BEFORE_WORK.includes(fault.does)) return;

    const answer = work(request, url, body);
    save();
    if (fault?.does === 'drop after') request.socket.destroy();
    else if (fault?.does === 'answer after') send(response, answerOf(fault));
    else if (fault?.does === 'change') {
      const whole = answer.body as { data?: object };
      send(response, { ...answer, body: { ...whole, data: { ...whole.data, ...fault.data } } });
    } else if (fault?.does !== 'hang after' && fault?.does !== 'late') send(response, answer);
  }

  return {
    serve: (request, response) => void serve(request, response).catch(() => response.destroy()),
    tell,
    receive: incoming.receive,
    takeBack: refunds.takeBack,
    turnRefund: refunds.turn,
  };
}

const answerOf = ({ status = 200, body, headers = {} }: FakeFault): Answer => ({ status, body, headers });

function send(response: ServerResponse, { status, body, headers = {} }: Answer): void {
  const isText = typeof body === 'string';
  const type = isText ? 'text/html' : 'application/json';
  response.writeHead(status, { 'content-type': type, ...headers });
  response.end(isText ? body : JSON.stringify(body));
}
