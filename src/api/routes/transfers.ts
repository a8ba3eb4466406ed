/** P2P and bank transfers, banks (interface: Transfers; D52-D63). */
import { refuse } from '../../domain/refusals';
import { newId } from '../../db/ids';
import { bankTransferIntention } from '../../relay/intentions';
import { writeBank, writeResolvedAccount } from '../../wire/banks';
import { writeTransaction } from '../../wire/transactions';
import { readBankTransfer, readP2p, readResolveQuery } from '../../wire/transfers';
import { transactionCompleted } from '../../wire/webhooks';
import { usedKey } from '../fingerprint';
import { postTransaction } from '../post-transaction';
import { dataAnswer, type Route } from '../route';
import { notConfigured } from './wallets';

/** Decided and written in one commit; nothing else is waited for (rule 4: 200 means that it happened). */
const p2p: Route = {
  method: 'POST',
  path: '/v1/transfers/p2p',
  operation: 'p2pTransfer',
  needsActivePartner: true,
  keyed: true,
  guideStatuses: true,
  async handle(call) {
    const read = readP2p(call.body);
    if (!read.ok) return read.refusal;
    return postTransaction(call, {
      opening: {
        kind: 'open',
        type: 'p2p_transfer',
        transactionId: newId(),
        partnerId: call.partner.id,
        ...read.value,
        key: usedKey(call, 'p2pTransfer', read.value),
      },
      announce: (posted) => [transactionCompleted(posted.transaction)],
      write: (transaction, balances) =>
        dataAnswer(call, 200, writeTransaction(transaction, call.form, balances)),
    });
  },
};

/** Debited at once; the workflow that finishes it is an intention in the same commit (rules 1 to 3). */
const bank: Route = {
  method: 'POST',
  path: '/v1/transfers/bank',
  operation: 'bankTransfer',
  needsActivePartner: true,
  keyed: true,
  async handle(call) {
    const read = readBankTransfer(call.body);
    if (!read.ok) return read.refusal;
    if (!call.environment.providers) return notConfigured('payment');
    const { bankCode, accountNumber, accountName, ...request } = read.value;
    const found = call.environment.banks.find(bankCode);
    if (!found) return refuse('INVALID_BANK_CODE');
    const destAccount = { bankCode, bankName: found.name, accountNumber, accountName, resolvedName: null };
    return postTransaction(call, {
      opening: {
        kind: 'open',
        type: 'bank_transfer',
        transactionId: newId(),
        partnerId: call.partner.id,
        ...request,
        destAccount,
        hold: call.environment.allowsSimulation && call.headers['x-sandbox-hold'] === 'true',
        key: usedKey(call, 'bankTransfer', read.value),
      },
      announce: () => [],
      intend: (posted) => bankTransferIntention(posted.transaction),
      write: (transaction, balances) =>
        dataAnswer(call, 202, writeTransaction(transaction, call.form, balances)),
    });
  },
};

const banks: Route = {
  method: 'GET',
  path: '/v1/banks',
  operation: 'listBanks',
  handle(call) {
    return Promise.resolve(dataAnswer(call, 200, call.environment.banks.list().map(writeBank)));
  },
};

/** The account's name as its bank has it; both published wrappers at once (D61, D63, D144). */
const resolve: Route = {
  method: 'GET',
  path: '/v1/banks/resolve',
  operation: 'resolveBankAccount',
  async handle(call) {
    const read = readResolveQuery(call.query);
    if (!read.ok) return read.refusal;
    if (!call.environment.providers) return notConfigured('payment');
    const { bankCode, accountNumber } = read.value;
    const found = call.environment.banks.find(bankCode);
    if (!found) return refuse('ACCOUNT_RESOLUTION_FAILED');
    const accountName = await call.environment.providers.psp.enquireName(bankCode, accountNumber);
    if (accountName === null) return refuse('ACCOUNT_RESOLUTION_FAILED');
    const account = writeResolvedAccount({ accountNumber, accountName, bankCode, bankName: found.name });
    const meta = { request_id: call.requestId };
    return { status: 200, body: JSON.stringify({ data: account, ...account, meta }) };
  },
};

export const transferRoutes: readonly Route[] = [p2p, bank, banks, resolve];
