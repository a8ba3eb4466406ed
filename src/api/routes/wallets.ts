/** Wallets: create, get, list, transactions, ledger (interface: Wallets; D46, D51, D147). */
import { done, map, refuse, refuseFields } from '../../domain/outcome';
import { findBalanceAt, listEntries } from '../../db/ledger/entries';
import { findByReference, listTransactions } from '../../db/ledger/transactions';
import { findWallet, listWallets } from '../../db/wallets/wallets';
import { changeMetadata } from '../../operations/wallets/change-metadata';
import { withSenders } from '../../operations/money/senders';
import { openWallet } from '../../operations/wallets/open-wallet';
import { dataOf, pageOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { pageQuery, transactionsQuery, walletsQuery } from '../../wire/pages';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import {
  balanceQuery,
  entrySchema,
  listedWallet,
  readWalletChange,
  readWalletCreation,
  walletBalance,
  walletChange,
  walletCreation,
  walletInAnyForm,
  walletWithBalance,
  writeBalance,
  writeEntry,
  writeListedWallet,
  writeWallet,
  writeWalletWithBalance,
} from '../../wire/wallets';
import { usedKey } from '../fingerprint';
import { behind, BY_SEQUENCE, BY_TIME, pageAnswer } from '../page';
import { dataAnswer, reading, replyOf, type Call, type Route } from '../route';

const create: Route = {
  method: 'POST',
  path: '/v1/wallets',
  operation: 'createWallet',
  needs: 'run',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Wallets',
    sdk: 'wallets.create',
    summary: 'Create a wallet',
    description:
      'One wallet per owner. It is `pending` until the bank has issued its account number (NUBAN); then it is ' +
      '`active`, and `wallet.activated` is sent. `wallet.parked` tells what it waits for where that needs somebody. ' +
      'In live the metadata must have what the companies demand of an owner, such as `email`, `first_name` and ' +
      '`last_name`; the sandbox demands it after `PUT /v1/sandbox/requirements`.',
    body: walletCreation,
    answer: { status: 202, description: 'Accepted: the wallet, pending', body: dataOf(walletInAnyForm) },
    refusals: ['WALLET_ALREADY_EXISTS'],
  },
  async handle(call) {
    const read = readWalletCreation(call.body);
    if (!read.ok) return read;
    const opened = await openWallet(call.services, call, read.value, {
      key: usedKey(call, 'createWallet', read.value),
      write: (wallet) => dataAnswer(call, 202, writeWallet(wallet, call.form)),
    });
    return replyOf(opened);
  },
};

/** What a partner says of an owner may become known, or another, after the wallet was made (D27). */
const change: Route = {
  method: 'PATCH',
  path: '/v1/wallets/:id',
  operation: 'changeWallet',
  needs: 'run',
  harmlessTwice: true,
  doc: {
    section: 'Wallets',
    sdk: 'wallets.change',
    summary: 'Change the metadata of a wallet',
    description:
      'Merges `metadata` into what is there; null takes a key away. A wallet that is parked for want of a detail, and a ' +
      'BVN or NIN that waits for a name, go on at once. What live demands cannot be taken away. The name of an account ' +
      'that has been opened stays.',
    body: walletChange,
    answer: { status: 200, description: 'The wallet as it is now', body: dataOf(walletInAnyForm) },
    refusals: ['INVALID_WALLET_STATE', 'WALLET_CLOSED'],
  },
  async handle(call) {
    const walletId = canonicalId(call.params.id ?? '', 'wallet');
    if (!walletId) return refuse('NOT_FOUND');
    const read = readWalletChange(call.body);
    if (!read.ok) return read;
    const changed = await changeMetadata(call, { walletId, change: read.value });
    return map(changed, (wallet) => dataAnswer(call, 200, writeWallet(wallet, call.form)));
  },
};

/** Newest first; `user_ref` finds the one wallet of an owner. The platform's own wallets are hidden (D46, D69, D193). */
const list = reading({
  method: 'GET',
  path: '/v1/wallets',
  operation: 'listWallets',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.list',
    summary: 'List the wallets',
    description:
      'Newest first. `user_ref` finds the one wallet of an owner. With `status` a page may be short, or empty, and ' +
      'still have a next one.',
    query: walletsQuery,
    answer: { status: 200, description: 'A page of wallets', body: pageOf(listedWallet) },
    refusals: [],
  },
  async handle(call) {
    const { user_ref: userRef = null, status = null, include } = call.query;
    return pageAnswer(call, {
      name: `wallets/${call.environment.name}/${call.partner.id}/${JSON.stringify([userRef, status])}`,
      order: BY_TIME,
      find: (page) => listWallets(call.cell, call.partner.id, { userRef, status }, page),
      write: (wallet) => writeListedWallet(wallet, call.form, include === 'balance'),
    });
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/wallets/:id',
  operation: 'getWallet',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.get',
    summary: 'Get a wallet with its balance',
    answer: {
      status: 200,
      description: 'The wallet and its posted balance',
      body: dataOf(walletWithBalance),
    },
    refusals: [],
  },
  async handle(call) {
    const wallet = await walletOfPath(call);
    return wallet
      ? done(dataAnswer(call, 200, writeWalletWithBalance(wallet, call.form)))
      : refuse('NOT_FOUND');
  },
};

const balance = reading({
  method: 'GET',
  path: '/v1/wallets/:id/balance',
  operation: 'getWalletBalance',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.balance',
    summary: "Get a wallet's balance at a time",
    description:
      'The balance after the last ledger entry that was written until then; 0 before the first. That of the last ten ' +
      'seconds may still change, because a payment gets its time before it is committed. A time in the future is refused.',
    query: balanceQuery,
    answer: { status: 200, description: 'The balance', body: dataOf(walletBalance) },
    refusals: [],
  },
  async handle(call) {
    const now = new Date();
    const at = call.query.at === undefined ? now : new Date(call.query.at);
    if (at > now) return refuseFields({ field: 'at', message: 'must not be in the future' });
    const wallet = await walletOfPath(call);
    if (!wallet) return refuse('NOT_FOUND');
    const { balanceKobo } = at === now ? wallet : await findBalanceAt(call.cell, wallet.id, at);
    return done(dataAnswer(call, 200, writeBalance(wallet.id, at, balanceKobo)));
  },
});

const transactions = reading({
  method: 'GET',
  path: '/v1/wallets/:id/transactions',
  operation: 'listWalletTransactions',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.transactions',
    summary: "List a wallet's transactions",
    description: 'Newest first: all in which the wallet is source or destination. Wallets are shown as ids.',
    query: transactionsQuery,
    answer: { status: 200, description: 'A page of transactions', body: pageOf(transactionInAnyForm) },
    refusals: [],
  },
  async handle(call) {
    const { reference } = call.query;
    const wallet = await walletOfPath(call);
    if (!wallet) return refuse('NOT_FOUND');
    return pageAnswer(call, {
      name: `transactions/${wallet.id}/${reference ?? ''}`,
      order: BY_TIME,
      find: async (page) =>
        withSenders(
          call,
          reference === undefined
            ? await listTransactions(call.cell, wallet.id, page)
            : behind(page, await findByReference(call.cell, call.partner.id, wallet.id, reference)).rows,
        ),
      write: (transaction) => writeTransaction(transaction, call.form),
    });
  },
});

const ledger = reading({
  method: 'GET',
  path: '/v1/wallets/:id/ledger',
  operation: 'listWalletEntries',
  needs: 'look',
  doc: {
    section: 'Wallets',
    sdk: 'wallets.ledger',
    summary: "List a wallet's ledger entries",
    description:
      'Newest first, by `sequence`. Each `balance_after` is the one before plus or minus the amount.',
    query: pageQuery,
    answer: { status: 200, description: 'A page of entries', body: pageOf(entrySchema) },
    refusals: [],
  },
  async handle(call) {
    const wallet = await walletOfPath(call);
    if (!wallet) return refuse('NOT_FOUND');
    return pageAnswer(call, {
      name: `ledger/${wallet.id}`,
      order: BY_SEQUENCE,
      find: ({ after, limit }) => listEntries(call.cell, wallet.id, { beforeSequence: after, limit }),
      write: writeEntry,
    });
  },
});

export const walletRoutes: readonly Route[] = [create, list, get, change, balance, transactions, ledger];

/** The wallet named in the path, or null. A malformed, foreign or unknown id gives the same answer (D132). */
async function walletOfPath(call: Call) {
  const id = canonicalId(call.params.id ?? '', 'wallet');
  return id ? findWallet(call.cell, call.partner.id, id) : null;
}
