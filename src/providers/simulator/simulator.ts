/**
 * The simulated companies of the sandbox: one that opens accounts, tells names, pays out and looks identities up.
 * It keeps nothing: every answer follows from the arguments, the time and the ports, so a restart changes no
 * outcome and every process gives the same answer (R21).
 *
 * It is also the rail between our own wallets: a payout to an account of our own MFB credits that wallet (D60).
 */
import { isSandboxMfb, SANDBOX_MFB } from '../../domain/banks';
import { CURRENCY } from '../../domain/money';
import { INVALID_ACCOUNT, meaningOfNipCode } from '../../domain/nip';
import type { CallbackNotice, CallbackOutcome } from '../../domain/callbacks';
import { transferOfPayout, type NameAnswer, type PayoutOrder } from '../../domain/payouts';
import { callbackOf, type Scenario, type ScenarioName } from '../../domain/sandbox-scenarios';
import type { TransactionStatus } from '../../domain/transactions';
import {
  NOTHING_TOLD,
  type AccountAnswer,
  type Facts,
  type Provider,
  type Queried,
  type Submitted,
} from '../port';
import { sandboxAccountName } from '../resolved-names';
import { createIdentitySimulator, type IdentitySimulatorOptions } from './identity';
import { spread } from './spread';

export interface SimulatorOptions extends IdentitySimulatorOptions {
  /** [shortest, longest] delay of provisioning and of a transfer's outcome. */
  provisioningMs: readonly [number, number];
  transferMs: readonly [number, number];
  ports: SimulatorPorts;
}

/** What the simulator may see and do in our own books; given to it, so that it stays without state (R21). */
export interface SimulatorPorts {
  drawNuban(owner: WalletOwner): Promise<string>;
  findNuban(accountNumber: string): Promise<(WalletOwner & { accountName: string }) | null>;
  findTransfer(transactionId: string): Promise<SimulatedTransfer | null>;
  /**
   * Credits a wallet with a transfer, once per transfer (R8).
   * @returns false where the wallet does not take it.
   */
  credit(owner: WalletOwner, transactionId: string): Promise<boolean>;
  isCredited(owner: WalletOwner, transactionId: string): Promise<boolean>;
}

interface WalletOwner {
  partnerId: string;
  walletId: string;
}

interface SimulatedTransfer {
  bankCode: string;
  amountKobo: number;
  acceptedAt: Date;
  /** How much older it counts as, because its sandbox has forwarded the time since. */
  forwardedMs: number;
  status: TransactionStatus;
  /** Its outcome waits until somebody completes or fails it by hand (D96). */
  paused: boolean;
  /** The outcome that was asked for; null for the usual one. */
  scenario: Scenario | null;
}

/** When the simulated bank says by itself what became of an order. */
type CallbackDue =
  | { kind: 'over' }
  | { kind: 'wait'; ms: number }
  /** It says it so many times, under one id. */
  | { kind: 'due'; notice: CallbackNotice; times: number };

export interface Simulator {
  /** It takes no money in: the sandbox has an operation of its own for that. */
  provider: Required<Omit<Provider, 'inbound' | 'refunds' | 'treasury'>>;
  /**
   * Tells what really becomes of a payout that somebody ends by hand. Where it pays one of our own wallets, the
   * wallet decides: if it was credited, the payout is completed, and if it does not take the money, the payout
   * fails.
   */
  endByHand(
    order: Pick<PayoutOrder, 'reference' | 'bankCode' | 'accountNumber'>,
    to: 'completed' | 'failed',
  ): Promise<'completed' | 'failed'>;
  /**
   * What it has to say now about a transfer, by the scenario of it. It is the same however often it is asked.
   * @returns null where there is no such transfer.
   */
  callback(transactionId: string): Promise<CallbackDue | null>;
}

/**
 * An account number with one of these endings has a fixed outcome (interface: Sandbox-only operations; D63, R24).
 */
const UNKNOWN_ENDING = '0404';
const FAILING_ENDINGS: readonly { ending: string; code: string }[] = [
  { ending: '0000', code: '05' },
  { ending: UNKNOWN_ENDING, code: INVALID_ACCOUNT },
];

/** With an email address that begins so, the owner's email counts as missing, so that a parked wallet can be tried. */
const LACKING_EMAIL = 'parked@';

/** Makes the simulator of one environment. */
export function createSimulator(options: SimulatorOptions): Simulator {
  const { ports } = options;

  const ownWallet = async ({ bankCode, accountNumber }: Pick<PayoutOrder, 'bankCode' | 'accountNumber'>) =>
    isSandboxMfb(bankCode) ? ports.findNuban(accountNumber) : null;

  async function submit(order: PayoutOrder): Promise<Submitted> {
    const { transactionId, transfer } = await transferOf(order);
    if (!transfer) return { ...NOTHING_TOLD, outcome: 'unknown' };
    const downMs = downForMs(transfer);
    if (downMs > 0)
      return { ...NOTHING_TOLD, outcome: 'not_sent', reason: BANK_IS_DOWN, pollAfterMs: downMs };
    if (isSilent(transfer)) {
      return { ...NOTHING_TOLD, outcome: 'unknown', pollAfterMs: waitMs(transactionId, transfer) };
    }
    const pollAfterMs = saysByItself(transfer) ? null : waitMs(transactionId, transfer);
    return { ...told(transactionId, transfer), outcome: 'accepted', code: PROCESSING, pollAfterMs };
  }

  async function query(order: PayoutOrder): Promise<Queried> {
    const { transactionId, transfer } = await transferOf(order);
    if (!transfer) return { ...NOTHING_TOLD, outcome: 'not_found' };
    const known = told(transactionId, transfer);
    const failed = (code: string, reason = meaningOfNipCode(code)): Queried => ({
      ...known,
      outcome: 'failed',
      code,
      reason,
    });
    const success: Queried = { ...known, outcome: 'success', code: APPROVED };
    const { scenario } = transfer;
    if (transfer.status === 'failed') return failed(scenario?.code ?? DO_NOT_HONOR);
    if (transfer.status !== 'processing') {
      return comesBack(transfer)
        ? { ...success, outcome: 'reversed', reason: 'Returned by the bank' }
        : success;
    }

    const leftMs = transfer.paused ? null : waitMs(transactionId, transfer);
    if (leftMs !== 0) {
      const pollAfterMs = saysByItself(transfer) ? null : leftMs;
      return isSilent(transfer)
        ? { ...NOTHING_TOLD, outcome: 'unknown', pollAfterMs }
        : { ...known, outcome: 'pending', code: PROCESSING, pollAfterMs };
    }
    const code = failureOf(order, scenario);
    if (code !== null) return failed(code);
    if (!isSandboxMfb(order.bankCode)) return success;
    const owner = await ownWallet(order);
    if (!owner) return failed(INVALID_ACCOUNT);
    const credited = await ports.credit(owner, transactionId);
    return credited
      ? success
      : failed(INVALID_ACCOUNT, 'The destination account does not accept the transfer');
  }

  async function transferOf({ reference }: Pick<PayoutOrder, 'reference'>) {
    const transactionId = transferOfPayout(reference);
    const transfer = transactionId === null ? null : await ports.findTransfer(transactionId);
    return { transactionId: transactionId ?? '', transfer };
  }

  /** How long until the outcome of the transfer is due; 0 from then on. */
  function waitMs(transactionId: string, transfer: SimulatedTransfer): number {
    const { scenario } = transfer;
    const hasTime = scenario !== null && TIMED.includes(scenario.name);
    return untilMs(transfer, hasTime ? scenario.ms : spread(transactionId, options.transferMs));
  }

  return {
    provider: {
      name: 'simulator',
      can: { failsForGood: true, asksFirst: false },
      accounts: {
        async issue(order): Promise<AccountAnswer> {
          const pollAfterMs =
            order.createdAt.getTime() + spread(order.walletId, options.provisioningMs) - Date.now();
          if (pollAfterMs > 0) return { outcome: 'pending', pollAfterMs };
          if (order.owner.email?.startsWith(LACKING_EMAIL)) return { outcome: 'needs', details: ['email'] };
          const accountNumber = await ports.drawNuban({
            partnerId: order.partnerId,
            walletId: order.walletId,
          });
          return {
            outcome: 'issued',
            account: {
              accountNumber,
              accountName: order.accountName,
              bankCode: SANDBOX_MFB.code,
              bankName: SANDBOX_MFB.name,
              mfbReference: `SBX-VA-${accountNumber}`,
            },
          };
        },
      },
      names: {
        async enquire(bankCode, accountNumber, reference): Promise<NameAnswer> {
          const { transfer } = reference === undefined ? { transfer: null } : await transferOf({ reference });
          if (transfer && downForMs(transfer) > 0) return 'unknown';
          if (accountNumber.endsWith(UNKNOWN_ENDING) && !(transfer && decides(transfer.scenario))) {
            return transfer?.paused ? 'unknown' : 'not_found';
          }
          const owner = await ownWallet({ bankCode, accountNumber });
          return { found: owner?.accountName ?? sandboxAccountName(bankCode, accountNumber) };
        },
      },
      payouts: { submit, query },
      identity: createIdentitySimulator(options),
      banks: {
        list: () =>
          Promise.resolve([
            {
              code: SANDBOX_MFB.code,
              name: SANDBOX_MFB.name,
              slug: SANDBOX_MFB.slug,
              nipCode: SANDBOX_MFB.nipCode,
            },
          ]),
      },
    },
    async endByHand(order, to) {
      const owner = await ownWallet(order);
      const transactionId = transferOfPayout(order.reference);
      if (!owner || transactionId === null) return to;
      const paid =
        to === 'completed'
          ? await ports.credit(owner, transactionId)
          : await ports.isCredited(owner, transactionId);
      return paid ? 'completed' : 'failed';
    },
    async callback(transactionId) {
      const transfer = await ports.findTransfer(transactionId);
      if (!transfer) return null;
      const says = callbackOf(transfer.scenario);
      const { status, amountKobo, acceptedAt, scenario } = transfer;
      if (!says || (status !== 'processing' && status !== 'completed')) return { kind: 'over' };
      if (says.outcome === 'reversed' && isSandboxMfb(transfer.bankCode)) return { kind: 'over' };
      const ms = says.outcome === 'reversed' ? returnsInMs(transfer) : waitMs(transactionId, transfer);
      if (ms > 0) return { kind: 'wait', ms };
      if (status === 'processing' && !endsByItself(transfer, says.outcome)) {
        const ageMs = Date.now() - acceptedAt.getTime();
        return { kind: 'wait', ms: Math.max(LOOK_AGAIN_MS, ageMs / 4) };
      }
      const notice: CallbackNotice = {
        eventId: `evt_${transactionId}`,
        transferName: transactionId,
        attemptNumber: null,
        providerReference: providerRefOf(transactionId),
        outcome: says.outcome,
        amountKobo,
        currency: CURRENCY,
        occurredAt: new Date(acceptedAt.getTime() + (scenario?.ms ?? 0)),
      };
      return { kind: 'due', notice, times: says.times };
    },
  };
}

/** How soon it looks again whether a transfer has ended which somebody else ends. */
const LOOK_AGAIN_MS = 1_000;

const APPROVED = '00';
const DO_NOT_HONOR = '05';
const PROCESSING = '09';

const BANK_IS_DOWN = 'The bank takes no orders now';

/** The scenarios that say when the outcome is due. */
const TIMED: readonly ScenarioName[] = ['success_after', 'unknown_then_success', 'unknown_then_fail'];

/** How long until so many milliseconds after the transfer was accepted; 0 from then on. */
const untilMs = ({ acceptedAt, forwardedMs }: SimulatedTransfer, ms: number): number =>
  Math.max(acceptedAt.getTime() + ms - forwardedMs - Date.now(), 0);

const downForMs = (transfer: SimulatedTransfer): number =>
  transfer.scenario?.name === 'bank_down' && !transfer.paused ? untilMs(transfer, transfer.scenario.ms) : 0;

/** Whether the order is not answered, and is not known until its outcome is due. */
const isSilent = ({ scenario, paused }: SimulatedTransfer): boolean =>
  !paused && (scenario?.name === 'unknown_then_success' || scenario?.name === 'unknown_then_fail');

/** Whether the end of the order comes in a callback, or by hand, so that it cannot be said when to ask. */
const saysByItself = ({ scenario, paused }: SimulatedTransfer): boolean =>
  paused || (callbackOf(scenario) !== null && scenario?.name !== 'returned');

/** Whether the bank has paid an order that is still open in our books, once it is due, so that it can say so. */
const endsByItself = ({ paused, bankCode }: SimulatedTransfer, says: CallbackOutcome): boolean =>
  !paused && says !== 'reversed' && !isSandboxMfb(bankCode);

/** How long until the money of a paid order is sent back; 0 from then on. */
const returnsInMs = (transfer: SimulatedTransfer): number => untilMs(transfer, transfer.scenario?.ms ?? 0);

/** An account at another bank sends the money back once we have booked its arrival (D30). */
const comesBack = (transfer: SimulatedTransfer): boolean =>
  transfer.scenario?.name === 'returned' && !isSandboxMfb(transfer.bankCode) && returnsInMs(transfer) === 0;

/** Whether a scenario says how the transfer ends, whatever its account number ends in. */
const decides = (scenario: Scenario | null): boolean => scenario !== null && scenario.name !== 'bank_down';

/** The code with which the order fails; null for one that is paid. */
function failureOf({ accountNumber }: PayoutOrder, scenario: Scenario | null): string | null {
  if (scenario?.name === 'fail') return scenario.code;
  if (scenario?.name === 'unknown_then_fail') return DO_NOT_HONOR;
  if (decides(scenario)) return null;
  return FAILING_ENDINGS.find(({ ending }) => accountNumber.endsWith(ending))?.code ?? null;
}

const providerRefOf = (transactionId: string): string => `SBX_${transactionId}`;

/** The facts about a transfer that are part of every answer of the simulator. */
const told = (transactionId: string, transfer: SimulatedTransfer): Facts => ({
  ...NOTHING_TOLD,
  providerRef: providerRefOf(transactionId),
  sessionId: sessionId(transactionId, transfer),
});

/** A NIP session id: institution, time to the second, twelve digits. It is always the same for one transfer. */
function sessionId(transactionId: string, { acceptedAt }: SimulatedTransfer): string {
  const time = acceptedAt.toISOString().replace(/\D/g, '').slice(2, 14);
  return SANDBOX_MFB.nipCode + time + String(spread(transactionId, [0, 999_999_999])).padStart(12, '0');
}
