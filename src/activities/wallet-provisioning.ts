/** The steps of `wallet/{id}`: ask the MFB for an account, write it into the wallet. */
import {
  accountNameFor,
  ownerDetailsIn,
  type IssuedAccount,
  type Wallet,
  type WalletStatus,
} from '../domain/wallets';
import { findVerifiedName } from '../db/partners/verifications';
import { activateWallet, findWallet } from '../db/wallets/wallets';
import type { OpenCell } from '../runtime/environment';
import type { AccountAnswer } from '../providers/port';
import { verificationPlace } from '../secrets/sealing';
import { walletActivated } from '../wire/webhooks';
import type { WalletProvisioningInput } from '../contract/messages';
import { serving, type Dependencies } from './dependencies';
import { stillThere } from './resets';

export function walletProvisioningActivities({ environment, sealing }: Dependencies) {
  /** The name by which the wallet's owner was verified, where the identity bureau told one (D10). */
  async function verifiedNameOf(cell: OpenCell, { partnerId, userRef }: Wallet): Promise<string | null> {
    const found = await findVerifiedName(cell, partnerId, userRef);
    return (
      found &&
      sealing.open(found.foundNameSealed, verificationPlace('found_name', partnerId, found.verificationId))
    );
  }

  return {
    /** Asks the MFB; the wallet's id is its key, so a second asking gets the same account. */
    async issueAccount(input: WalletProvisioningInput): Promise<AccountAnswer> {
      const { partnerId, walletId } = input;
      const { partner, cell } = await environment.partner(partnerId);
      const found = await findWallet(cell, partnerId, walletId);
      const wallet = await stillThere(found, 'the wallet to provision', cell, input);
      if (wallet.account) return { outcome: 'issued', account: wallet.account };
      const { id, createdAt } = wallet;
      const accountName = accountNameFor(wallet, partner.businessName, await verifiedNameOf(cell, wallet));
      const owner = ownerDetailsIn(wallet.metadata);
      const { accounts } = serving(environment, 'accounts');
      return accounts.issue({ partnerId, walletId: id, accountName, owner, createdAt });
    },

    /** One commit: account, `active`, event. Only a pending wallet moves, so a second run changes nothing. */
    async activateWallet(input: WalletProvisioningInput, account: IssuedAccount): Promise<WalletStatus> {
      const { cell } = await environment.partner(input.partnerId);
      const done = await activateWallet(cell, input.partnerId, input.walletId, account, walletActivated);
      environment.relay.afterCommit(cell, { intentions: [], endpointIds: done.endpointIds });
      return (await stillThere(done.wallet, 'the wallet to activate', cell, input)).status;
    },
  };
}
