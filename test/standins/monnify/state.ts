/** What the fake Monnify knows and remembers. Its amounts are in naira, as in Monnify's JSON. */
import type { Fault } from '../kit';

export interface MonnifyTransfer {
  reference: string;
  transactionReference: string;
  amount: number;
  fee: number;
  bankCode: string;
  accountNumber: string;
  accountName: string;
  narration: string;
  /** Who pays, where the order has told it. */
  sender: Record<string, unknown> | null;
  status: string;
  bookedAtMs: number;
  /** In which status it ends by itself. */
  ends: string;
}

/** An account number that is reserved for somebody. */
export interface MonnifyReserved {
  accountReference: string;
  accountName: string;
  customerEmail: string;
  bankCode: string;
  accountNumber: string;
  status: string;
}

/** A payment that came in. */
export interface MonnifyPayment {
  transactionReference: string;
  /** Of the reserved account. */
  accountReference: string;
  productType: string;
  amountPaid: string;
  settlementAmount: string | null;
  paymentStatus: string;
  senderName: string;
  paidAtMs: number;
}

export interface MonnifyRefund {
  refundReference: string;
  transactionReference: string;
  refundAmount: number;
  refundStatus: string;
  madeAtMs: number;
}

/** A change of the wallet from which it pays. */
export interface MonnifyLine {
  reference: string;
  atMs: number;
  before: number;
  after: number;
  narration: string;
  status: string;
}

interface MonnifySettings {
  contractCode: string;
  apiKey: string;
  secretKey: string;
  sourceAccount: string;
  /** The available balance. Another one is money that somebody has sent to the wallet or taken from it. */
  balance: number;
  fee: number;
  tokenSeconds: number;
  /** The banks of its list: a code alone, or the whole row. */
  banks: (string | { code: string; nipBankCode?: string; name: string })[];
  /** So long a transfer is pending. */
  pendingMs: number;
  /** So long no second transfer with the same account and amount is taken. */
  twinMs: number;
  /** How transfers to an account number end; `SUCCESS` where it is not listed. */
  endings: Record<string, string>;
  /** The payments that came in. A test writes them. */
  incoming: MonnifyPayment[];
  /** The status that a new refund has. */
  refundStatus: string;
  /** Account numbers that no bank knows. */
  unknownAccounts: string[];
  /** Whether it takes an order only with the name that the account has. */
  comparesNames: boolean;
  faults: Fault[];
}

export interface MonnifyState {
  settings: MonnifySettings;
  /** How often somebody has logged in. */
  logins: number;
  transfers: MonnifyTransfer[];
  reserved: MonnifyReserved[];
  refunds: MonnifyRefund[];
  /** The oldest first. */
  lines: MonnifyLine[];
  /** One reference for each time that money has left. */
  payments: string[];
}

export const NEW_MONNIFY: MonnifyState = {
  settings: {
    apiKey: 'MK_TEST_FAKE',
    secretKey: 'FAKE-SECRET',
    sourceAccount: '8016472829',
    contractCode: '100693167467',
    balance: 10_000_000,
    fee: 20,
    tokenSeconds: 3_600,
    banks: ['044', '058', '057', '50515', '100004'],
    pendingMs: 100,
    twinMs: 0,
    endings: {},
    incoming: [],
    refundStatus: 'COMPLETED',
    unknownAccounts: [],
    comparesNames: false,
    faults: [],
  },
  logins: 0,
  transfers: [],
  reserved: [],
  refunds: [],
  lines: [],
  payments: [],
};
