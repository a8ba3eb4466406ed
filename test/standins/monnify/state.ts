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
  status: string;
  bookedAtMs: number;
  /** In which status it ends by itself. */
  ends: string;
}

interface MonnifySettings {
  apiKey: string;
  secretKey: string;
  sourceAccount: string;
  /** The available balance. */
  balance: number;
  fee: number;
  tokenSeconds: number;
  banks: string[];
  /** So long a transfer is pending. */
  pendingMs: number;
  /** So long no second transfer with the same account and amount is taken. */
  twinMs: number;
  /** How transfers to an account number end; `SUCCESS` where it is not listed. */
  endings: Record<string, string>;
  /** Account numbers that no bank knows. */
  unknownAccounts: string[];
  faults: Fault[];
}

export interface MonnifyState {
  settings: MonnifySettings;
  /** How often somebody has logged in. */
  logins: number;
  transfers: MonnifyTransfer[];
  /** One reference for each time that money has left. */
  payments: string[];
}

export const NEW_MONNIFY: MonnifyState = {
  settings: {
    apiKey: 'MK_TEST_FAKE',
    secretKey: 'FAKE-SECRET',
    sourceAccount: '8016472829',
    balance: 10_000_000,
    fee: 20,
    tokenSeconds: 3_600,
    banks: ['044', '058', '057', '50515', '100004'],
    pendingMs: 100,
    twinMs: 0,
    endings: {},
    unknownAccounts: [],
    faults: [],
  },
  logins: 0,
  transfers: [],
  payments: [],
};
