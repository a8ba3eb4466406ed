/**
 * Movements as the routes and activities would post them, with everything a test does not care about filled in.
 */
import { nameOf } from '../../src/domain/outcome';
import { valueAs, valueOf } from './outcomes';
import { dutyIdOf, newId } from '../../src/db/pg/ids';
import type { LedgerItem, LedgerResult } from '../../src/db/ledger/writer';
import type { FundingSource, UsedKey } from '../../src/domain/ledger';
import { requestIdOf } from '../../src/domain/request-ids';
import { fundingReference } from '../../src/domain/transactions';
import { bankTransferFailed, completedAtOnce, transactionCompleted } from '../../src/wire/webhooks';

interface Common {
  partnerId: string;
  amountKobo: number;
  reference?: string;
  key?: UsedKey;
  description?: string;
}

const opening = (common: Common) => ({
  kind: 'open' as const,
  transactionId: newId(),
  partnerId: common.partnerId,
  reference: common.reference ?? `ref-${newId()}`,
  amountKobo: common.amountKobo,
  description: common.description ?? '',
  metadata: {},
  key: common.key ? { ...common.key, form: 'reference', requestId: requestIdOf(newId()) } : null,
});

const announcing = {
  announce: (posted) => [completedAtOnce(posted.transaction)],
} satisfies Partial<LedgerItem>;

/** A transfer between two wallets. */
export function p2p(of: Common & { from: string; to: string }): LedgerItem {
  return {
    movement: { ...opening(of), type: 'p2p_transfer', sourceWalletId: of.from, destWalletId: of.to },
    ...announcing,
  };
}

/** An accepted bank transfer; `accountNumber` is its destination at GTBank, `dutyKobo` the stamp duty that is charged with it. */
export function bankTransfer(
  of: Common & { from: string; accountNumber?: string; dutyKobo?: number },
): LedgerItem {
  const begun = opening(of);
  const { dutyKobo } = of;
  const destAccount = {
    bankCode: '058',
    bankName: 'GTBank',
    accountNumber: of.accountNumber ?? '0123456789',
    accountName: 'ADA OBI',
    resolvedName: null,
  };
  return {
    movement: {
      ...begun,
      type: 'bank_transfer',
      ...(dutyKobo && { duty: { transactionId: dutyIdOf(begun.transactionId), amountKobo: dutyKobo } }),
      sourceWalletId: of.from,
      destAccount,
      paused: true,
      scenario: null,
    },
    announce: () => [],
  };
}

/** Money from the sandbox's external world, or the credit of a transfer to our own MFB. */
export function funding(of: Common & { to: string; from?: FundingSource }): LedgerItem {
  const movement = opening(of);
  return {
    movement: {
      ...movement,
      type: 'wallet_funding',
      destWalletId: of.to,
      from: of.from ?? { kind: 'sandbox' },
      reference: fundingReference(movement.transactionId),
    },
    ...announcing,
  };
}

/** The end of a bank transfer, as the workflow's activity posts it. */
export function settlement(of: {
  partnerId: string;
  transactionId: string;
  from: string;
  to: 'completed' | 'failed' | 'reversed';
}): LedgerItem {
  return {
    movement: {
      kind: 'settle',
      transactionId: of.transactionId,
      partnerId: of.partnerId,
      sourceWalletId: of.from,
      trigger: TRIGGERS[of.to],
      reversalId: newId(),
      duty: { transactionId: dutyIdOf(of.transactionId), reversalId: newId() },
      failedReason: of.to === 'completed' ? null : 'Do not honor',
      facts: {
        provider: 'simulator',
        sessionId: null,
        responseCode: of.to === 'completed' ? '00' : '05',
        feeKobo: null,
        dutyKobo: null,
      },
      handOrder: null,
    },
    announce: ({ transaction, reversal }) => [
      reversal ? bankTransferFailed(transaction, reversal) : transactionCompleted(transaction),
    ],
  };
}

const TRIGGERS = {
  completed: 'provider_success',
  failed: 'provider_failure',
  reversed: 'provider_return',
} as const;

/** How often each outcome occurs: `{ posted: 37, INSUFFICIENT_FUNDS: 163 }`. */
export function countOutcomes(results: readonly LedgerResult[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const outcome of results.map(nameOf)) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}

/** The transaction that a result is about: the one it posted, or the earlier one of its key or reference. */
export function transactionIdOf(result: LedgerResult): string {
  const value = valueOf(result);
  if (value.kind === 'posted') return value.transaction.id;
  if (value.kind === 'same_key') return value.first.transactionId;
  return valueAs(result, 'same_reference').transactionId;
}
