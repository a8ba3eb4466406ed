/**
 * The simulated MFB, PSP and identity bureau of the sandbox. They keep nothing: every answer follows from the arguments, the
 * time and the ports, so a restart changes no outcome and every process answers alike (R21).
 */
import { SANDBOX_MFB } from '../../domain/banks';
import { meaningOfNipCode } from '../../domain/nip';
import type { AccountAnswer, Providers, TransferAnswer, TransferOrder, WalletPorts } from '../providers';
import { sandboxAccountName } from '../resolved-names';
import { createIdentitySimulator, type IdentitySimulatorOptions } from './identity';
import { spread } from './spread';

export interface SimulatorOptions extends IdentitySimulatorOptions {
  /** [shortest, longest] delay of provisioning and of a transfer's outcome. */
  provisioningMs: readonly [number, number];
  transferMs: readonly [number, number];
  ports: WalletPorts;
}

/** Endings of an account number with a fate of their own (interface: Sandbox-only operations; D63, R24). */
const FAILING_ENDINGS: readonly { ending: string; responseCode: string }[] = [
  { ending: '0000', responseCode: '05' },
  { ending: '0404', responseCode: '07' },
];
const UNKNOWN_ACCOUNT = '07';
/** Such an account at another bank takes the money and sends it back once we have booked its arrival (D30). */
const RETURNING_ENDING = '0505';

export function createSimulator(options: SimulatorOptions): Providers {
  const { ports } = options;

  /** The transfer as it stands now: pending until its time has come, then what its destination decides. */
  async function outcomeOf(order: TransferOrder): Promise<TransferAnswer> {
    const known = { providerReference: `SBX_${order.transactionId}`, sessionId: sessionId(order) };
    const pending = { ...known, outcome: 'pending', responseCode: '09', reason: null } as const;
    if (order.hold) return { ...pending, pollAfterMs: null };
    const dueMs = order.acceptedAt.getTime() + spread(order.transactionId, options.transferMs) - Date.now();
    if (dueMs > 0) return { ...pending, pollAfterMs: dueMs };

    const comesBack = order.accountNumber.endsWith(RETURNING_ENDING) && !isOurs(order.bankCode);
    if (order.completedAt && comesBack) {
      return {
        ...known,
        outcome: 'reversed',
        responseCode: '00',
        reason: 'Returned by the bank',
        pollAfterMs: null,
      };
    }
    const refused =
      FAILING_ENDINGS.find(({ ending }) => order.accountNumber.endsWith(ending))?.responseCode ??
      (isOurs(order.bankCode) && !(await ports.findNuban(order.accountNumber)) ? UNKNOWN_ACCOUNT : null);
    return refused
      ? {
          ...known,
          outcome: 'failed',
          responseCode: refused,
          reason: meaningOfNipCode(refused),
          pollAfterMs: null,
        }
      : { ...known, outcome: 'success', responseCode: '00', reason: null, pollAfterMs: null };
  }

  return {
    mfb: {
      async issueAccount(order): Promise<AccountAnswer> {
        const waitMs =
          order.createdAt.getTime() + spread(order.walletId, options.provisioningMs) - Date.now();
        if (waitMs > 0) return { outcome: 'pending', pollAfterMs: waitMs };
        const accountNumber = await ports.drawNuban({ partnerId: order.partnerId, walletId: order.walletId });
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
    psp: {
      name: 'simulator',
      async enquireName(bankCode, accountNumber) {
        if (accountNumber.endsWith('0404')) return null;
        const owner = isOurs(bankCode) ? await ports.findNuban(accountNumber) : null;
        return owner?.accountName ?? sandboxAccountName(bankCode, accountNumber);
      },
      submit: outcomeOf,
      query: outcomeOf,
      async walletPaidBy({ bankCode, accountNumber }) {
        const owner = isOurs(bankCode) ? await ports.findNuban(accountNumber) : null;
        return owner && { partnerId: owner.partnerId, walletId: owner.walletId };
      },
    },
    identity: createIdentitySimulator(options),
  };
}

const isOurs = (bankCode: string): boolean =>
  bankCode === SANDBOX_MFB.code || bankCode === SANDBOX_MFB.nipCode;

/** A NIP session id: institution, time to the second, twelve digits; the same for every look at one transfer. */
function sessionId(order: TransferOrder): string {
  const time = order.acceptedAt.toISOString().replace(/\D/g, '').slice(2, 14);
  return SANDBOX_MFB.nipCode + time + String(spread(order.transactionId, [0, 999_999_999])).padStart(12, '0');
}
