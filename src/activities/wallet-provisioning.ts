/**
 * The step of `wallet/{id}`: ask a company for an account, and write it into the wallet. And that of
 * `account-closing/{id}`: have the company give the account of a closed wallet up.
 */
import {
  nameWithoutOwner,
  ownerDetailsIn,
  ownerNameFor,
  type NeededDetail,
  type Wallet,
  type WalletStatus,
} from '../domain/wallets';
import { findVerifiedName, findVerifiedNumber } from '../db/partners/verifications';
import { findCustomer, noteAccountClosed, noteCustomer } from '../db/wallets/provider-customers';
import { activateWallet, findWallet, noteAccountWanted } from '../db/wallets/wallets';
import type { OpenCell } from '../runtime/environment';
import type { AccountAnswer, AccountOrder, Provider } from '../providers/port';
import { verificationPlace } from '../secrets/sealing';
import { walletActivated } from '../wire/webhooks';
import type { AccountClosingInput, WalletProvisioningInput } from '../contract/messages';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

/** What happened when an account was asked for. */
export type AccountOpening =
  | { outcome: 'opened'; status: WalletStatus }
  | Exclude<AccountAnswer, { outcome: 'issued' }>;

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

  /** A verified number of the owner, opened for the company alone. */
  async function verifiedNumberOf(
    cell: OpenCell,
    { partnerId, userRef }: Wallet,
  ): Promise<AccountOrder['identity']> {
    const found = await findVerifiedNumber(cell, partnerId, userRef);
    if (!found) return null;
    const place = verificationPlace('number', partnerId, found.verificationId);
    return { type: found.type, number: environment.sealing.open(found.numberSealed, place) };
  }

  /**
   * The company that opens the account. One of which an account was ordered stays; otherwise it is the first that lacks
   * nothing, and is noted before anything is ordered of it.
   * @returns what is missing for the company that lacks least, where nobody can open it.
   */
  async function companyFor(
    cell: OpenCell,
    order: AccountOrder,
  ): Promise<Issuing | { missing: NeededDetail[] }> {
    const companies: readonly Issuing[] = environment.providers.accounts;
    if (companies.length === 0) throw new Error(`no provider serves accounts in ${environment.name}`);
    const noted = await findCustomer(cell, order.walletId);
    if (noted) {
      const company = companies.find(({ name }) => name === noted.provider);
      if (!company)
        throw new Error(`${noted.provider}, of which the account was ordered, opens no accounts now`);
      return company;
    }
    const lacking = companies.map((company) => company.accounts.lacks?.(order) ?? []);
    const able = companies.find((_company, place) => lacking[place]?.length === 0);
    if (!able) {
      return { missing: lacking.reduce((least, one) => (one.length < least.length ? one : least)) };
    }
    // Whoever gives an account up is a company outside, which keeps its customers.
    if (!able.accounts.close) return able;
    const provider = await noteCustomer(cell, { ...order, provider: able.name });
    return companies.find(({ name }) => name === provider) ?? able;
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
      const identity = await verifiedNumberOf(cell, wallet);
      const order = { partnerId, walletId: id, accountName, owner, identity, createdAt };
      const company = await companyFor(cell, order);
      await noteAccountWanted(cell, id, !('missing' in company));
      if ('missing' in company) return { outcome: 'needs', details: company.missing };
      const answer = await company.accounts.issue(order);
      if (answer.outcome === 'needs') await noteAccountWanted(cell, id, false);
      if (answer.outcome !== 'issued') return answer;
      const { accountNumber } = answer.account;
      const account = {
        ...answer.account,
        ...(ownerName === null && { accountName: nameWithoutOwner(partner.businessName, accountNumber) }),
      };
      const done = await activateWallet(
        cell,
        environment.directory,
        { partnerId, walletId },
        account,
        walletActivated,
      );
      environment.relay.afterCommit(cell, { intentions: [], endpointIds: done.endpointIds });
      const { status } = await stillThere(done.wallet, 'the wallet to activate', cell, input);
      return { outcome: 'opened', status };
    },

    /**
     * Has the company give the account of a closed wallet up. A second run finds it given up, and asks nobody.
     * @returns false where the company has not said that it did.
     */
    async closeAccount({ partnerId, walletId }: AccountClosingInput): Promise<boolean> {
      const { cell } = await environment.partner(partnerId);
      const customer = await findCustomer(cell, walletId);
      const wallet = await findWallet(cell, partnerId, walletId);
      if (!customer || customer.isClosed) return true;
      if (wallet?.status !== 'closed') throw new Error('only the account of a closed wallet is given up');
      const company = environment.providers.accounts.find(({ name }) => name === customer.provider);
      if (!company?.accounts.close) throw new Error(`${customer.provider} is not there to close the account`);
      if ((await company.accounts.close(walletId)) !== 'closed') return false;
      await noteAccountClosed(cell, walletId);
      return true;
    },
  };
}

type Issuing = Provider & Required<Pick<Provider, 'accounts'>>;
