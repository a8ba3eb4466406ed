/**
 * Adjustments: proposed by one operator, approved by two others, posted by the ledger under the adjustment's own
 * id, so that repeating an approval after a lost answer posts nothing twice (D14, D91).
 */
import type pg from 'pg';
import { adjustmentOpening, type Adjustment } from '../../domain/adjustments';
import { done, refuse, type Outcome } from '../../domain/outcome';
import type { RefusalCode } from '../../domain/refusals';
import {
  approveAdjustment as writeApproval,
  findAdjustment,
  insertAdjustment,
  moveAdjustment,
} from '../../db/ledger/adjustments';
import { newId } from '../../db/pg/ids';
import { findWallet } from '../../db/wallets/wallets';
import { transactionCompleted } from '../../wire/webhooks';
import type { Tenant } from '../tenant';

type Adjusted = Outcome<Adjustment, RefusalCode | 'INVALID_STATE'>;

/** Proposes to credit or debit a wallet; nothing moves yet. @returns the proposal, or WALLET_NOT_FOUND. */
export async function proposeAdjustment(
  platform: pg.Pool,
  tenant: Tenant,
  asked: Pick<Adjustment, 'walletId' | 'direction' | 'amountKobo' | 'reason'>,
  operatorId: string,
): Promise<Adjusted> {
  const { environment, partner, cell } = tenant;
  const wallet = await findWallet(cell, partner.id, asked.walletId);
  if (!wallet) return refuse('WALLET_NOT_FOUND');
  const id = newId();
  await insertAdjustment(platform, environment.name, { id, partnerId: partner.id, ...asked }, operatorId);
  return find(platform, tenant, id);
}

/**
 * Counts an approval; the second one posts the adjustment. The same approval again is not counted, and posts what
 * could not be posted before.
 * @returns the adjustment as it is now, or refused: NOT_FOUND, FORBIDDEN for the operator's own proposal,
 *   INVALID_STATE where it is too late, SERVICE_UNAVAILABLE while the wallet is busy, or by the ledger.
 */
export async function approveAdjustment(
  platform: pg.Pool,
  tenant: Tenant,
  adjustmentId: string,
  operatorId: string,
): Promise<Adjusted> {
  const known = await find(platform, tenant, adjustmentId);
  if (!known.ok) return known;
  const { answer, adjustment } = await writeApproval(platform, adjustmentId, operatorId);
  if (answer === 'own_proposal') {
    return refuse('FORBIDDEN', { message: 'Nobody approves their own proposal' });
  }
  if (answer === 'too_late') return isNow(adjustment.status);
  const posted = adjustment.status === 'approved' ? await post(platform, tenant, adjustment) : done(null);
  return posted.ok ? find(platform, tenant, adjustmentId) : posted;
}

/** Ends a proposal that is not approved yet. @returns it, or refused: NOT_FOUND, INVALID_STATE. */
export async function rejectAdjustment(
  platform: pg.Pool,
  tenant: Tenant,
  adjustmentId: string,
): Promise<Adjusted> {
  const known = await find(platform, tenant, adjustmentId);
  if (!known.ok) return known;
  const rejected = await moveAdjustment(platform, adjustmentId, 'reject');
  const now = await find(platform, tenant, adjustmentId);
  return rejected || !now.ok ? now : isNow(now.value.status);
}

/**
 * Posts an approved adjustment. The ledger recognises it by its id, so a second call, after a crash or at the same
 * moment, finds it posted.
 */
async function post(platform: pg.Pool, { cell }: Tenant, adjustment: Adjustment): Promise<Outcome<null>> {
  const result = await cell.ledger.post({
    movement: adjustmentOpening(adjustment),
    announce: ({ transaction }) => [transactionCompleted(transaction)],
  });
  if (!result.ok) {
    // The ledger decides nothing while a sandbox is reset, so the adjustment stays approved and can be posted later.
    if (result.refusal.code === 'SERVICE_UNAVAILABLE') return result;
    await moveAdjustment(platform, adjustment.id, 'refuse', result.refusal.code);
    return result;
  }
  switch (result.value.kind) {
    case 'posted':
    case 'same_reference':
      await moveAdjustment(platform, adjustment.id, 'post');
      return done(null);
    case 'locked':
      return refuse('SERVICE_UNAVAILABLE', { message: 'The wallet is busy; approve again to post it' });
    case 'same_key':
    case 'settled_before':
      throw new Error(`bug: an adjustment cannot be ${result.value.kind}`);
  }
}

async function find(platform: pg.Pool, { environment, partner }: Tenant, id: string): Promise<Adjusted> {
  const found = await findAdjustment(platform, environment.name, partner.id, id);
  return found ? done(found) : refuse('NOT_FOUND');
}

const isNow = (status: string): Adjusted =>
  refuse('INVALID_STATE', { message: `The adjustment is ${status}` });
