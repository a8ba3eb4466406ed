/**
 * Wallets: show one, freeze it on an order, unfreeze it, retry a parked provisioning, and end the asking for the end of an
 * account (D26, D27, D211).
 */
import { proposeErasure } from '../../../operations/operators/erase-person';
import { noteGivenUp } from '../../../operations/wallets/account-given-up';
import { retryProvisioning } from '../../../operations/wallets/retry-provisioning';
import { moveWallet } from '../../../operations/wallets/wallet-life';
import { done, map, refuse } from '../../../domain/outcome';
import { findOrderInForce, type WalletMove } from '../../../db/wallets/wallet-life';
import { decide } from '../../../operations/operators/decisions';
import { listConsents, listVerifications } from '../../../db/partners/verifications';
import { findWallet } from '../../../db/wallets/wallets';
import { writeErasure, writePerson, readFreeze, readNothing, readReason } from '../../../wire/operators';
import { writeWallet, writeWalletWithBalance } from '../../../wire/wallets';
import { dataAnswer } from '../../route';
import { command, decided, idOf, ofPartner, peopleView, type Served, type PartnerCall } from '../route';

const PATH = '/ops/:environment/partners/:partner_id/wallets/:wallet_id';

const wallet = async (call: PartnerCall) => {
  const id = idOf(call, 'wallet_id');
  return id && findWallet(call.cell, call.partner.id, id);
};

/** An operator's freeze outranks the partner, who can neither lift it nor close the wallet (D26). */
async function move(
  call: PartnerCall,
  asked: Pick<WalletMove, 'trigger' | 'reason' | 'authority' | 'frozenUntil'>,
  walletId: string,
): Promise<Served> {
  const moved = await moveWallet(call, {
    ...asked,
    walletId,
    overOrder: call.environment.allowsSimulation ? 'free' : 'kept',
    actor: { kind: 'operator', operatorId: call.operator.id },
    requestId: call.requestId,
  });
  return map(moved, (wallet) => dataAnswer(call, 200, writeWallet(wallet, 'reference')));
}

export const walletRoutes = [
  peopleView(
    PATH,
    'showWallet',
    'One wallet with its balance; `reason` says why it is read',
    ofPartner(async (call) => {
      const found = await wallet(call);
      return found
        ? done(dataAnswer(call, 200, writeWalletWithBalance(found, 'reference')))
        : refuse('NOT_FOUND');
    }),
  ),
  peopleView(
    `${PATH}/person`,
    'showPerson',
    'What is known of its owner, with every consent; `reason` says why it is read',
    ofPartner(async (call) => {
      const found = await wallet(call);
      if (!found) return refuse('NOT_FOUND');
      const verifications = (await listVerifications(call.cell, call.partner.id, found.userRef)) ?? [];
      const consents = await listConsents(call.cell, call.partner.id, found.userRef);
      return done(dataAnswer(call, 200, writePerson(found, verifications, consents)));
    }),
  ),
  command(
    `${PATH}/freeze`,
    'freezeWallet',
    'Freeze it, with reason, authority and end; the partner cannot lift this freeze',
    'It only holds back; to end a freeze sooner is refused',
    readFreeze,
    ofPartner(async (call, asked) => {
      const walletId = idOf(call, 'wallet_id');
      return walletId === null ? refuse('NOT_FOUND') : move(call, { trigger: 'freeze', ...asked }, walletId);
    }),
  ),
  command(
    `${PATH}/unfreeze`,
    'unfreezeWallet',
    'Lift a freeze, whoever made it; in live 202 with a proposal if an operator ordered it',
    'It lifts what the partner could lift itself; a freeze that an operator ordered needs another one',
    readReason,
    ofPartner(async (call, { reason }) => {
      const found = await wallet(call);
      if (!found) return refuse('NOT_FOUND');
      const lift = { trigger: 'unfreeze', reason, authority: null, frozenUntil: null } as const;
      const freezeId = await findOrderInForce(call.cell, found.id);
      if (freezeId === null) return move(call, lift, found.id);
      const terms = { walletId: found.id, freezeId, reason };
      const outcome = await decide(call, call, 'unfreeze_wallet', terms, call.operator.id);
      return decided(call, outcome, async () => {
        const lifted = await wallet(call);
        return lifted ? done(dataAnswer(call, 200, writeWallet(lifted, 'reference'))) : refuse('NOT_FOUND');
      });
    }),
  ),
  command(
    `${PATH}/erase-person`,
    'erasePerson',
    'Erase the owner of a closed wallet, and say what is kept and why; in live 202 with a proposal',
    null,
    readReason,
    ofPartner(async (call, { reason }) => {
      const id = idOf(call, 'wallet_id');
      if (id === null) return refuse('NOT_FOUND');
      const outcome = await proposeErasure(call, call, id, reason, call.operator.id);
      return decided(call, outcome, ({ erasedAt }) =>
        Promise.resolve(done(dataAnswer(call, 200, writeErasure(id, String(erasedAt))))),
      );
    }),
  ),
  command(
    `${PATH}/provisioning/retry`,
    'retryProvisioning',
    'Ask the MFB again for the account number of a parked wallet',
    'The MFB is asked for the number that it owes, and no money moves',
    readNothing,
    ofPartner(async (call) => {
      const id = idOf(call, 'wallet_id');
      if (id === null) return refuse('NOT_FOUND');
      const told = await retryProvisioning(call.services, call, id, call.requestId);
      return map(told, (found) => dataAnswer(call, 202, writeWallet(found, 'reference')));
    }),
  ),
  command(
    `${PATH}/account/given-up`,
    'noteAccountGivenUp',
    'Note that its company has given the account up, a day after the wallet was closed',
    'It only ends our asking; money that comes in all the same goes into suspense, with its finding',
    readReason,
    ofPartner(async (call) => {
      const id = idOf(call, 'wallet_id');
      if (id === null) return refuse('NOT_FOUND');
      return map(await noteGivenUp(call, id), (found) =>
        dataAnswer(call, 200, writeWallet(found, 'reference')),
      );
    }),
  ),
];
