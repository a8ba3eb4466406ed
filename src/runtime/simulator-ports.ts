/** What the sandbox's simulator sees and does in our own books, for one environment (R21). */
import { isCredited } from '../db/ledger/transactions';
import type { LedgerWriter } from '../db/ledger/writer';
import { findAnyTransaction } from '../db/payments/callbacks';
import { newId } from '../db/pg/ids';
import type { Cell, SealedCell } from '../db/pg/postgres';
import { forwardedMs } from '../db/upkeep/forwards';
import { drawNuban, findNuban } from '../db/wallets/directory';
import { findWallet } from '../db/wallets/wallets';
import { SANDBOX_MFB } from '../domain/banks';
import { isReservedNuban, nubanFor } from '../domain/nuban';
import type { Partner } from '../domain/partners';
import { readScenario } from '../domain/sandbox-scenarios';
import { fundingReference, type Transaction } from '../domain/transactions';
import type { SimulatorPorts } from '../providers/simulator/simulator';
import { completedAtOnce } from '../wire/webhooks';

type OpenCell = SealedCell & { ledger: LedgerWriter };

interface World {
  pool: Cell['pool'];
  directory: string;
  /** Whether time can be forwarded. */
  allowsSimulation: boolean;
  cells: ReadonlyMap<string, OpenCell>;
  partnerOf(partnerId: string): Promise<{ partner: Partner; cell: OpenCell }>;
}

export function simulatorPorts({
  pool,
  directory,
  allowsSimulation,
  cells,
  partnerOf,
}: World): SimulatorPorts {
  async function find(transactionId: string): Promise<{ transfer: Transaction; cell: OpenCell } | null> {
    for (const cell of cells.values()) {
      const transfer = await findAnyTransaction(cell, transactionId);
      if (transfer) return { transfer, cell };
    }
    return null;
  }

  return {
    async drawNuban(owner) {
      const { cell } = await partnerOf(owner.partnerId);
      return drawNuban(cell, directory, owner, {
        bankCode: SANDBOX_MFB.code,
        numberFor(serial) {
          const number = nubanFor(SANDBOX_MFB.nubanCode, serial);
          return isReservedNuban(number) ? null : number;
        },
      });
    },
    async findNuban(accountNumber) {
      const owner = await findNuban(pool, directory, { bankCode: SANDBOX_MFB.code, accountNumber });
      if (!owner) return null;
      const { cell } = await partnerOf(owner.partnerId);
      const wallet = await findWallet(cell, owner.partnerId, owner.walletId);
      return wallet?.account ? { ...owner, accountName: wallet.account.accountName } : null;
    },
    async findTransfer(transactionId) {
      const found = await find(transactionId);
      if (!found) return null;
      const { partnerId, amountKobo, createdAt: acceptedAt, status, paused, scenario } = found.transfer;
      const ageMs = allowsSimulation ? await forwardedMs(found.cell, partnerId, acceptedAt) : 0;
      return {
        bankCode: found.transfer.destAccount?.bankCode ?? '',
        amountKobo,
        acceptedAt,
        forwardedMs: ageMs,
        status,
        paused,
        scenario: scenario === null ? null : readScenario(scenario),
      };
    },
    /** The transfer's id is the key of the credit, so a second one finds the first. */
    async credit(owner, bankTransferId) {
      const found = await find(bankTransferId);
      if (!found) return false;
      const { transfer } = found;
      const { cell } = await partnerOf(owner.partnerId);
      const transactionId = newId();
      const result = await cell.ledger.post({
        movement: {
          kind: 'open',
          type: 'wallet_funding',
          from: { kind: 'own_mfb', bankTransferId },
          transactionId,
          partnerId: owner.partnerId,
          destWalletId: owner.walletId,
          reference: fundingReference(transactionId),
          amountKobo: transfer.amountKobo,
          description: transfer.description,
          metadata: {},
          key: null,
        },
        announce: (posted) => [completedAtOnce(posted.transaction)],
      });
      if (!result.ok) return false;
      if (result.value.kind === 'locked') throw new Error('the destination wallet could not be locked now');
      return true;
    },
    async isCredited(owner, bankTransferId) {
      const { cell } = await partnerOf(owner.partnerId);
      return isCredited(cell, bankTransferId);
    },
  };
}
