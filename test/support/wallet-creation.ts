/** Creating wallets in a cell as the route does, with everything a test does not care about filled in. */
import { valueAs } from './outcomes';
import { newId } from '../../src/db/pg/ids';
import type { SealedCell } from '../../src/db/pg/postgres';
import { createWallet, type WalletCreation } from '../../src/db/wallets/wallets';
import type { UsedKey } from '../../src/domain/ledger';
import { walletIntention } from '../../src/contract/intentions';
import { DAY_MS } from './cell';

export function create(
  cell: SealedCell,
  of: { partnerId: string; userRef: string; key?: UsedKey },
): Promise<WalletCreation> {
  const { partnerId, userRef, key = null } = of;
  const id = newId();
  return createWallet(
    cell,
    {
      id,
      partnerId,
      userRef,
      metadata: { tag: 'é' },
      key,
      answer: (wallet) => ({ status: 202, body: JSON.stringify({ id: wallet.id }) }),
      intention: walletIntention({ partnerId, walletId: id, parkAfterMs: 0 }),
    },
    DAY_MS,
  );
}

/** A pending wallet. @returns its id. */
export async function createdWallet(cell: SealedCell, partnerId: string): Promise<string> {
  const creation = await create(cell, { partnerId, userRef: `user-${newId()}` });
  return valueAs(creation, 'created').wallet.id;
}
