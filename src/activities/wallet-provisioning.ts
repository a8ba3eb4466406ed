/** The step of `wallet/{id}`: ask the MFB for an account, and write it into the wallet. */
import {
  nameWithoutOwner,
  ownerDetailsIn,
  ownerNameFor,
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
import { issuingCompany, type Dependencies } from './dependencies';
import { stillThere } from './resets';

/** What happened when an account was asked for. */
export type AccountOpening =
  { outcome: 'opened'; status: WalletStatus } | Exclude<AccountAnswer, { outcome: 'issued' }>;

export function walletProvisioningActivities({ environment }: Dependencies) {
  /** The name with which the owner of the wallet was verified, if the identity bureau gave one (D10). */
  async function verifiedNameOf(cell: OpenCell, { partnerId, userRef }: Wallet): Promise<string | null> {
    const found = await findVerifiedName(cell, partnerId, userRef);
    return (
      found &&
      environment.sealing.open(
        found.foundNameSealed,
        verificationPlace('found_name', partnerId, found.verificationId),
      )
    );
  }

  return {
    /**
     * Asks the MFB, and writes the account that it has issued into the wallet in one commit with the event. The
     * wallet's id is the MFB's key, so a second asking gets the same account, and only a pending wallet moves: a
     * second run changes nothing. The result does not contain the account, because histories are kept and shown,
     * and an account names its owner.
     */
    async openAccount(input: WalletProvisioningInput): Promise<AccountOpening> {
      const { partnerId, walletId } = input;
      const { partner, cell } = await environment.partner(partnerId);
      const found = await findWallet(cell, partnerId, walletId);
      const wallet = await stillThere(found, 'the wallet to provision', cell, input);
      if (wallet.account) return { outcome: 'opened', status: wallet.status };
      const { id, createdAt } = wallet;
      const ownerName = ownerNameFor(wallet.metadata, await verifiedNameOf(cell, wallet));
      const accountName = ownerName ?? partner.businessName.toUpperCase();
      const owner = ownerDetailsIn(wallet.metadata);
      const { accounts } = issuingCompany(environment);
      const answer = await accounts.issue({ partnerId, walletId: id, accountName, owner, createdAt });
      if (answer.outcome !== 'issued') return answer;
      const { accountNumber } = answer.account;
      const account = {
        ...answer.account,
        ...(ownerName === null && { accountName: nameWithoutOwner(partner.businessName, accountNumber) }),
      };
      const done = await activateWallet(cell, partnerId, walletId, account, walletActivated);
      environment.relay.afterCommit(cell, { intentions: [], endpointIds: done.endpointIds });
      const { status } = await stillThere(done.wallet, 'the wallet to activate', cell, input);
      return { outcome: 'opened', status };
    },
  };
}
