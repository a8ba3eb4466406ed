/** The fake Paystack (test/standins/paystack) as a process for one test file, which arranges it by its control port. */
import type {
  FakeFault,
  FakeLine,
  FakeSettings,
  FakeSettlement,
  FakeState,
  FakeTransaction,
} from '../standins/paystack/state';
import { startFake } from './fake-company';

export interface FakePaystack {
  readonly url: string;
  readonly secretKey: string;
  /** Changes its settings. */
  set(settings: Partial<FakeSettings>): Promise<void>;
  /** Gives it a fault. @returns a function that takes all faults away. */
  fault(fault: FakeFault): Promise<() => Promise<void>>;
  state(): Promise<FakeState>;
  /** Changes a transfer. */
  turn(reference: string, status: string): Promise<void>;
  /** Has money come in, or changes a payment. */
  receive(reference: string, payment: Partial<FakeTransaction>): Promise<void>;
  /** Gives a payment back to its payer, as after a claim of the payer's bank. */
  takeBack(reference: string): Promise<void>;
  /** Changes a refund. */
  turnRefund(id: number, status: string): Promise<void>;
  /** Sends an event about a transfer or a payment, whether it is true or not. */
  tell(reference: string, event: string): Promise<void>;
  /** Books a line of its ledger. */
  book(line: Pick<FakeLine, 'model' | 'row' | 'differenceKobo'> & { atMs?: number }): Promise<void>;
  /** Adds a settlement. */
  settle(settlement: Pick<FakeSettlement, 'totalKobo' | 'atMs'> & Partial<FakeSettlement>): Promise<void>;
  /** How often money has left under a reference. */
  paid(reference: string): Promise<number>;
  close(): Promise<void>;
}

export async function openFakePaystack(): Promise<FakePaystack> {
  const { url, put, close, ...fake } = await startFake('paystack');
  const state = async (): Promise<FakeState> => (await fake.state()) as FakeState;
  const set = (settings: Partial<FakeSettings>): Promise<void> => put('/settings', settings);
  return {
    url,
    secretKey: (await state()).settings.secretKey,
    set,
    async fault(fault) {
      const { faults } = (await state()).settings;
      await set({ faults: [...faults, fault] });
      return () => set({ faults: [] });
    },
    state,
    turn: (reference, status) => put(`/transfers/${reference}`, { status }),
    receive: (reference, payment) => put(`/incoming/${encodeURIComponent(reference)}`, payment),
    takeBack: (reference) => put(`/returns/${encodeURIComponent(reference)}`, {}),
    turnRefund: (id, status) => put(`/refunds/${String(id)}`, { status }),
    book: (line) => put('/ledger', line),
    settle: (settlement) => put('/settlements', settlement),
    tell: (reference, event) => put(`/events/${reference}`, { event }),
    paid: async (reference) => (await state()).payments.filter((paid) => paid === reference).length,
    close,
  };
}
