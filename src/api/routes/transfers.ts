/** P2P and bank transfers, banks (interface: Transfers; D52-D63). */
import { unknownBank } from '../../domain/banks';
import { done, refuse } from '../../domain/outcome';
import type { RefusalCode } from '../../domain/refusals';
import { askForName } from '../../operations/money/ask-names';
import { payP2p } from '../../operations/money/pay';
import { sendToBank } from '../../operations/money/send-to-bank';
import { notConfigured } from '../../operations/not-configured';
import { UnavailableError } from '../../runtime/unavailable';
import { dataOf, listOf } from '../../wire/answers';
import { bankSchema, resolvedAccountAnswer, writeBank, writeResolvedAccount } from '../../wire/banks';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import {
  bankTransferBody,
  holdHeader,
  p2pBody,
  readBankTransfer,
  readP2p,
  readScenarioHeader,
  resolveQuery,
} from '../../wire/transfers';
import { usedKey } from '../fingerprint';
import { dataAnswer, reading, replyOf, type Route } from '../route';

/** What may stop a movement out of a wallet, whatever its kind (D55, D80). */
export const MOVEMENT_REFUSALS: readonly RefusalCode[] = [
  'AMOUNT_TOO_LOW',
  'DUPLICATE_REFERENCE',
  'WALLET_NOT_FOUND',
  'WALLET_CLOSED',
  'WALLET_FROZEN',
  'WALLET_NOT_ACTIVE',
  'LIMIT_EXCEEDED',
  'INSUFFICIENT_FUNDS',
];

/**
 * The transfer is decided and written in one commit. A 200 means that it happened
 * (interface: POST /v1/transfers/p2p, rule 4).
 */
const p2p: Route = {
  method: 'POST',
  path: '/v1/transfers/p2p',
  operation: 'p2pTransfer',
  postsMoney: true,
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  guideStatuses: true,
  doc: {
    section: 'Transfers',
    sdk: 'transfers.p2p',
    summary: 'Transfer between two wallets',
    description:
      'A 200 means that it happened. The source pays the amount and the fee (0.5 %, at most 20,000 kobo); the ' +
      'destination receives exactly the amount. The same reference for the same transfer answers the original.',
    body: p2pBody,
    answer: { status: 200, description: 'The completed transaction', body: dataOf(transactionInAnyForm) },
    refusals: [...MOVEMENT_REFUSALS, 'SAME_WALLET_TRANSFER'],
  },
  async handle(call) {
    const read = readP2p(call.body);
    if (!read.ok) return read;
    const paid = await payP2p(call, read.value, {
      key: usedKey(call, 'p2pTransfer', read.value),
      write: ({ transaction, balances }, told = call) =>
        dataAnswer(told, 200, writeTransaction(transaction, told.form, balances)),
    });
    return replyOf(paid);
  },
};

/**
 * The source is debited at once. The intention of the workflow that finishes the transfer is in the same commit
 * (interface: POST /v1/transfers/bank, rules 1-3).
 */
const bank: Route = {
  method: 'POST',
  path: '/v1/transfers/bank',
  operation: 'bankTransfer',
  postsMoney: true,
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  writesLater: () => 1,
  doc: {
    section: 'Transfers',
    sdk: 'transfers.bank',
    summary: 'Transfer to a bank account',
    description:
      'The source is debited the amount and the flat fee (5,000 kobo) at once. The outcome comes later, as ' +
      '`transaction.completed` or `transaction.failed`; a failed transfer is given back in full by itself.',
    body: bankTransferBody,
    headers: holdHeader,
    answer: { status: 202, description: 'Accepted: processing', body: dataOf(transactionInAnyForm) },
    refusals: [...MOVEMENT_REFUSALS, 'SAME_WALLET_TRANSFER', 'INVALID_BANK_CODE'],
  },
  async handle(call) {
    const read = readBankTransfer(call.body);
    if (!read.ok) return read;
    const { headers, environment } = call;
    const scenario = readScenarioHeader(
      environment.allowsSimulation ? headers['x-sandbox-scenario'] : undefined,
    );
    if (!scenario.ok) return scenario;
    const paused = headers['x-sandbox-hold'] === 'true';
    const accepted = await sendToBank(
      call,
      read.value,
      { paused, scenario: scenario.value },
      {
        key: usedKey(call, 'bankTransfer', read.value),
        write: ({ transaction, balances }, told = call) =>
          dataAnswer(told, 202, writeTransaction(transaction, told.form, balances)),
      },
    );
    return replyOf(accepted);
  },
};

const banks: Route = {
  method: 'GET',
  path: '/v1/banks',
  operation: 'listBanks',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'banks.list',
    summary: 'List the banks',
    answer: { status: 200, description: 'All banks, by name', body: listOf(bankSchema) },
    refusals: [],
  },
  async handle(call) {
    return done(dataAnswer(call, 200, (await call.environment.banks.list()).map(writeBank)));
  },
};

/** The name of an account as its bank has it. The answer has both published wrappers at once (D61, D63, D144). */
const resolve = reading({
  method: 'GET',
  path: '/v1/banks/resolve',
  operation: 'resolveBankAccount',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'banks.resolve',
    summary: 'Resolve the name of a bank account',
    description:
      'Show the name to the sender before the money is sent, because a transfer cannot be called back. Sixty enquiries a minute.',
    query: resolveQuery,
    answer: { status: 200, description: 'The account as its bank has it', body: resolvedAccountAnswer },
    refusals: ['ACCOUNT_RESOLUTION_FAILED'],
  },
  async handle(call) {
    const { names } = call.environment.providers;
    if (names.length === 0) return notConfigured('name enquiry');
    // Names of account holders are not for collecting (D171).
    const { strangers } = call.services;
    const wait = await strangers.ofNameEnquiry(`${call.environment.name}/${call.partner.id}`);
    if (wait) {
      return refuse('RATE_LIMIT_EXCEEDED', {
        ...wait,
        message: 'Too many enquiries for the name of an account in this minute',
      });
    }
    const { bank_code: bankCode, account_number: accountNumber } = call.query;
    const bank = await call.environment.banks.find(bankCode);
    if (!bank) {
      const { refusal } = unknownBank(await call.environment.banks.list(), bankCode);
      return refuse('ACCOUNT_RESOLUTION_FAILED', { detail: { ...refusal.detail, field: 'bank_code' } });
    }
    const failures: unknown[] = [];
    const answer = await askForName(names, { bankCode, accountNumber }, (error) => failures.push(error));
    if (answer === 'not_found') return refuse('ACCOUNT_RESOLUTION_FAILED');
    if (answer === 'unknown') {
      throw new UnavailableError('no provider told the name of an account', { cause: failures[0] });
    }
    const account = writeResolvedAccount({
      accountNumber,
      accountName: answer.found,
      bankCode,
      bankName: bank.name,
    });
    const meta = { request_id: call.requestId };
    return done({ status: 200, body: JSON.stringify({ data: account, ...account, meta }) });
  },
});

export const transferRoutes: readonly Route[] = [p2p, bank, banks, resolve];
