/**
 * The step of `wallet/{id}`: ask a company for an account, and write it into the wallet. And that of
 * `account-closing/{id}`: have the company give the account of a closed wallet up.
 */
import { fieldOf, lackingOf, leastOf, ownerDetailsIn, type NeededDetail } from '../domain/owner-details';
import { nameWithoutOwner, ownerNameFor, type Wallet, type WalletStatus } from '../domain/wallets';
import { findVerifiedName, findVerifiedNumber } from '../db/partners/verifications';
import {
  findCustomer,
  noteAccountClosed,
  noteAccountLate,
  noteCustomer,
} from '../db/wallets/provider-customers';
import { noteParked } from '../db/wallets/owner-news';
import { activateWallet, findWallet, noteAccountWanted } from '../db/wallets/wallets';
import type { OpenCell } from '../runtime/environment';
import type { AccountAnswer, AccountOrder, Provider } from '../providers/port';
import { verificationPlace } from '../secrets/sealing';
import { walletActivated, walletParked } from '../wire/webhooks';
import type { AccountClosingInput, WalletProvisioningInput } from '../contract/messages';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

/**
 * So long after a wallet was closed no order of its account can be under way any more, so what the company says of it then
 * holds. A step that orders has seconds.
 */
const NO_ORDER_UNDER_WAY_MS = 1_800_000;

/** What happened when an account was asked for. `opened`: nothing is left to do; the wallet may have been closed meanwhile. */
export type AccountOpening =
  | { outcome: 'opened'; status: WalletStatus }
  | Exclude<AccountAnswer, { outcome: 'issued' }>;

/** A wallet whose opening stands still. */
export interface ParkedWallet extends WalletProvisioningInput {
  /** When it was parked (ISO 8601). It names the parking. */
  since: string;
  /** What is missing; empty where the company has issued no account. */
  missing: NeededDetail[];
}

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
   * @returns what is missing for the company that lacks least, where nobody can open it; null where the wallet is closed.
   */
  async function companyFor(
    cell: OpenCell,
    order: AccountOrder,
  ): Promise<Issuing | { missing: NeededDetail[] } | null> {
    const companies: readonly Issuing[] = environment.providers.accounts;
    if (companies.length === 0) throw new Error(`no provider serves accounts in ${environment.name}`);
    const noted = await findCustomer(cell, order.walletId);
    if (noted) {
      const company = companies.find(({ name }) => name === noted.provider);
      if (!company)
        throw new Error(`${noted.provider}, of which the account was ordered, opens no accounts now`);
      return company;
    }
    const lacking = companies.map(({ accounts }) =>
      lackingOf(accounts.demands ?? [], order.owner, order.identity !== null),
    );
    const able = companies.find((_company, place) => lacking[place]?.length === 0);
    if (!able) return { missing: [...leastOf(lacking)] };
    // Whoever gives an account up is a company outside, which keeps its customers.
    if (!able.accounts.close) return able;
    const provider = await noteCustomer(cell, { ...order, provider: able.name });
    return provider === null ? null : (companies.find(({ name }) => name === provider) ?? able);
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
      if (wallet.account || wallet.status === 'closed') return { outcome: 'opened', status: wallet.status };
      const { id, createdAt } = wallet;
      const ownerName = ownerNameFor(wallet.metadata, await verifiedNameOf(cell, wallet));
      const accountName = ownerName ?? partner.businessName.toUpperCase();
      const owner = ownerDetailsIn(wallet.metadata);
      const identity = await verifiedNumberOf(cell, wallet);
      const order = { partnerId, walletId: id, accountName, owner, identity, createdAt };
      const company = await companyFor(cell, order);
      if (company === null) return { outcome: 'opened', status: 'closed' };
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
      if (done.wallet?.account === null) await noteAccountLate(cell, walletId);
      return { outcome: 'opened', status };
    },

    /**
     * Tells the partner that the opening stands still, and why: names of fields, never what is in them. A second run of one
     * parking writes nothing, and neither does that of a wallet which is not pending any more.
     * @returns the status of the wallet, which may have been closed meanwhile.
     */
    async parkWallet({ since, missing, ...input }: ParkedWallet): Promise<WalletStatus> {
      const { partnerId, walletId } = input;
      const { cell } = await environment.partner(partnerId);
      const why = {
        reason: missing.length > 0 ? ('details_missing' as const) : ('no_account' as const),
        missing: missing.map(fieldOf),
        since: new Date(since),
      };
      const endpointIds = await noteParked(cell, { partnerId, walletId }, why.since, (wallet) =>
        walletParked(wallet, why),
      );
      environment.relay.afterCommit(cell, { intentions: [], endpointIds });
      const found = await findWallet(cell, partnerId, walletId);
      return (await stillThere(found, 'the wallet to park', cell, input)).status;
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
      const answer = await company.accounts.close(walletId);
      const hasSettled = Date.now() - wallet.updatedAt.getTime() > NO_ORDER_UNDER_WAY_MS;
      if (answer !== 'closed' && !(answer === 'none' && hasSettled)) return false;
      await noteAccountClosed(cell, walletId);
      return true;
    },
  };
}

type Issuing = Provider & Required<Pick<Provider, 'accounts'>>;
