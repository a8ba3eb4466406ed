/** What is stuck: a bank transfer without an outcome, a wallet without an account number (D27, D58). */
import { refuse } from '../../../domain/refusals';
import { findTransaction } from '../../../db/transactions';
import { findWallet } from '../../../db/wallets';
import { readNothing, readResolution } from '../../../wire/operators';
import { writeTransaction } from '../../../wire/transactions';
import { writeWallet, writeWalletWithBalance } from '../../../wire/wallets';
import { settleByHand } from '../../settle-by-hand';
import { tellRetryNow } from '../../temporal';
import { command, dataAnswer, idOf, ofPartner, view, type PartnerCall } from '../route';

const OF_PARTNER = '/ops/:environment/partners/:partner_id';

const transaction = async (call: PartnerCall) => {
  const id = idOf(call, 'transaction_id');
  return id && findTransaction(call.cell, call.partner.id, id);
};

const wallet = async (call: PartnerCall) => {
  const id = idOf(call, 'wallet_id');
  return id && findWallet(call.cell, call.partner.id, id);
};

export const transferRoutes = [
  view(
    `${OF_PARTNER}/transactions/:transaction_id`,
    'showTransaction',
    'One transaction',
    ofPartner(async (call) => {
      const found = await transaction(call);
      return found ? dataAnswer(call, 200, writeTransaction(found, 'reference')) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${OF_PARTNER}/bank-transfers/:transaction_id/resolve`,
    'resolveBankTransfer',
    'End a processing bank transfer, with evidence of what the bank did',
    readResolution,
    ofPartner(async (call, { to, failureReason }) => {
      const found = await transaction(call);
      if (!found) return refuse('NOT_FOUND');
      // The evidence stays in the trail: workflow and partner learn the outcome, not the note.
      const reason = to === 'failed' ? failureReason : null;
      const refusal = await settleByHand(call, found.id, { to, reason });
      if (refusal) return refusal;
      const ended = await transaction(call);
      return ended ? dataAnswer(call, 200, writeTransaction(ended, 'reference')) : refuse('NOT_FOUND');
    }),
  ),
  view(
    `${OF_PARTNER}/wallets/:wallet_id`,
    'showWallet',
    'One wallet with its balance',
    ofPartner(async (call) => {
      const found = await wallet(call);
      return found ? dataAnswer(call, 200, writeWalletWithBalance(found, 'reference')) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${OF_PARTNER}/wallets/:wallet_id/provisioning/retry`,
    'retryProvisioning',
    'Ask the MFB again for the account number of a parked wallet',
    readNothing,
    ofPartner(async (call) => {
      const found = await wallet(call);
      if (!found) return refuse('NOT_FOUND');
      if (found.status !== 'pending') return refuse('INVALID_WALLET_STATE');
      const told = await tellRetryNow(
        call.environment,
        {
          partnerId: call.partner.id,
          walletId: found.id,
          parkAfterMs: call.services.config.PROVISIONING_PARK_AFTER_MS,
        },
        call.requestId,
      );
      if (told.kind === 'refused') return told.refusal;
      if (told.kind === 'unavailable') return refuse('SERVICE_UNAVAILABLE');
      if (told.kind === 'ended') return refuse('INVALID_WALLET_STATE');
      return dataAnswer(call, 202, writeWallet(found, 'reference'));
    }),
  ),
];
