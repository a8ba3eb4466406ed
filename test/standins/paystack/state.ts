/**
 * What the fake Paystack remembers. Each change is on the disk before anybody hears of it.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

export interface FakeTransfer {
  id: number;
  code: string;
  reference: string;
  amountKobo: number;
  feeKobo: number;
  recipientCode: string;
  reason: string;
  domain: 'test' | 'live';
  status: string;
  bookedAtMs: number;
  /** In which status it ends by itself. */
  ends: string;
}

/** A payment that came in, or a charge of another kind. */
export interface FakeTransaction {
  id: number;
  reference: string;
  amountKobo: number;
  /** Null as if Paystack had not told it. */
  feeKobo: number | null;
  accountNumber: string;
  /** The name of the account's bank. */
  bank: string;
  customerCode: string;
  senderName: string;
  senderBank: string;
  senderAccount: string;
  narration: string;
  status: string;
  channel: string;
  domain: 'test' | 'live';
  currency: string;
  paidAtMs: number;
}

/** A payment that goes back, wholly or in part. */
export interface FakeRefund {
  id: number;
  /** The id of the payment. */
  transactionId: number;
  amountKobo: number;
  status: string;
  bookedAtMs: number;
}

export interface FakeRecipient {
  id: number;
  code: string;
  name: string;
  accountNumber: string;
  bankCode: string;
}

/** A refusal of the name, of the recipient, or of the order of an account. */
export interface FakeRefusal {
  of: 'name' | 'recipient' | 'transfer';
  status: number;
  message: string;
  code?: string;
}

export interface FakeFault {
  /** The request that has the fault, such as `POST /transfer`; a path counts with all that follows it. */
  on: string;
  /**
   * - `drop before`, `drop after`: the connection breaks before or after the request has done its work.
   * - `late`: the connection breaks, and the work is done `afterMs` later.
   * - `hang before`, `hang after`: the same without an end; the caller must give up.
   * - `answer`: instead of the work, the answer of `status`, `headers` and `body`.
   * - `answer after`: the same after the work.
   * - `change`: the work is done, and `data` is laid over the data of its answer.
   */
  does:
    | 'drop before'
    | 'drop after'
    | 'late'
    | 'hang before'
    | 'hang after'
    | 'answer'
    | 'answer after'
    | 'change';
  afterMs?: number;
  status?: number;
  headers?: Record<string, string>;
  /** A text is sent as it is, anything else as JSON. */
  body?: unknown;
  data?: Record<string, unknown>;
  /** How many requests have it; all of them where it is left out. */
  times?: number;
}

export interface FakeSettings {
  secretKey: string;
  balanceKobo: number;
  feeKobo: number;
  /** How long each answer takes. */
  latencyMs: number;
  /** So long a new transfer is still checked, and a question about it is answered 404. */
  validatingMs: number;
  /** So long it is pending. */
  pendingMs: number;
  /** Whether a transfer waits for a one-time password, which nobody gives. */
  otp: boolean;
  /** How transfers to an account number end; `success` where it is not listed. */
  endings: Record<string, string>;
  /** The banks of its list. */
  banks: { code: string; name: string }[];
  /** Account numbers that no bank knows. */
  unknownAccounts: string[];
  /** What it refuses about an account number, and with which words of its list of errors. */
  refusals: Record<string, FakeRefusal>;
  /** The status that a new refund has. */
  refundStatus: string;
  faults: FakeFault[];
  /** Where events are sent; nowhere while it is empty. */
  webhookUrl: string;
  /** How often each event is sent; not at all with 0, as if all of them were lost. */
  webhookTimes: number;
  /** So long after it happened an event is sent. */
  webhookDelayMs: number;
  /** Where it asks before it pays; with an empty one it pays without asking. */
  approvalUrl: string;
}

/** A change of the balance. */
export interface FakeLine {
  id: number;
  /** What is responsible: `Transfer`, `Transaction`, `Refund`, or a word of our own where the public pages have none. */
  model: string;
  row: number | null;
  differenceKobo: number;
  balanceKobo: number;
  atMs: number;
}

export interface FakeSettlement {
  id: number;
  status: string;
  totalKobo: number;
  effectiveKobo: number | null;
  atMs: number;
}

/** An event on its way. It is sent again until it is answered 200. */
interface FakeEvent {
  body: string;
  signature: string;
  dueAtMs: number;
  /** How often it is still to be sent. */
  left: number;
}

export interface FakeState {
  settings: FakeSettings;
  /** How many requests had each fault, such as `POST /transfer: drop before`. */
  faultsHad: Record<string, number>;
  nextId: number;
  recipients: FakeRecipient[];
  transfers: FakeTransfer[];
  transactions: FakeTransaction[];
  refunds: FakeRefund[];
  /** The oldest first. */
  ledger: FakeLine[];
  settlements: FakeSettlement[];
  /** One reference for each time that money has left. */
  payments: string[];
  events: FakeEvent[];
  /** The statuses with which events were answered; 0 where there was no answer. */
  eventAnswers: number[];
}

/** What somebody has sent to the balance before anything else happens. */
const FIRST_KOBO = 1_000_000_000;

const NEW: FakeState = {
  settings: {
    secretKey: 'sk_test_fake',
    balanceKobo: 0,
    feeKobo: 1_000,
    latencyMs: 0,
    validatingMs: 0,
    pendingMs: 100,
    otp: false,
    endings: {},
    banks: [],
    unknownAccounts: [],
    refusals: {},
    refundStatus: 'processed',
    faults: [],
    webhookUrl: '',
    webhookTimes: 1,
    webhookDelayMs: 0,
    approvalUrl: '',
  },
  faultsHad: {},
  nextId: 1_000,
  recipients: [],
  transfers: [],
  transactions: [],
  refunds: [],
  ledger: [],
  settlements: [],
  payments: [],
  events: [],
  eventAnswers: [],
};

export interface OpenState {
  readonly now: FakeState;
  /** Changes the balance, with its line in the ledger. */
  book(line: Pick<FakeLine, 'model' | 'row' | 'differenceKobo'> & { atMs?: number | undefined }): void;
  /** Writes the state to the disk. */
  save(): void;
}

export function openState(file: string): OpenState {
  const isNew = !existsSync(file);
  const now = isNew ? structuredClone(NEW) : (JSON.parse(readFileSync(file, 'utf8')) as FakeState);
  const save = (): void => {
    writeFileSync(`${file}.new`, JSON.stringify(now, null, 2));
    renameSync(`${file}.new`, file);
  };
  const book: OpenState['book'] = ({ atMs, ...line }) => {
    now.settings.balanceKobo += line.differenceKobo;
    const { balanceKobo } = now.settings;
    now.ledger.push({ id: now.nextId++, ...line, balanceKobo, atMs: atMs ?? Date.now() });
  };
  if (isNew) book({ model: 'Balance', row: null, differenceKobo: FIRST_KOBO });
  save();
  return { now, book, save };
}
