/** Wallets: create, get, list, transactions, ledger (interface: Wallets; D46, D51, D147). */
import { refuse, type Refusal } from '../../domain/refusals';
import { listEntries } from '../../db/entries';
import { newId } from '../../db/ids';
import { findByReference, listTransactions, type Place } from '../../db/transactions';
import { createWallet, findWallet, listWallets } from '../../db/wallets';
import { walletIntention } from '../../relay/intentions';
import { dataOf, pageOf } from '../../wire/answers';
import { canonicalId } from '../../wire/fields';
import {
  pageQuery,
  readLimit,
  readNameFilter,
  transactionsQuery,
  walletsQuery,
  writePageMeta,
} from '../../wire/pages';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import {
  entrySchema,
  readWalletCreation,
  walletCreation,
  walletInAnyForm,
  walletWithBalance,
  writeEntry,
  writeWallet,
  writeWalletWithBalance,
} from '../../wire/wallets';
import { usedKey } from '../fingerprint';
import { dataAnswer, replayed, type Answer, type Call, type Route } from '../route';

const create: Route = {
  method: 'POST',
  path: '/v1/wallets',
  operation: 'createWallet',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Wallets',
    summary: 'Create a wallet',
    description:
      'One wallet per owner. It is `pending` until the bank has issued its account number (NUBAN); then it is ' +
      '`active`, and `wallet.activated` is sent.',
    body: walletCreation,
    answer: { status: 202, description: 'Accepted: the wallet, pending', body: dataOf(walletInAnyForm) },
    refusals: ['WALLET_ALREADY_EXISTS'],
  },
  async handle(call) {
    const read = readWalletCreation(call.body);
    if (!read.ok) return read.refusal;
    if (!call.environment.providers) return notConfigured('bank');
    const id = newId();
    const { config } = call.services;
    const partnerId = call.partner.id;
    const intention = walletIntention({
      partnerId,
      walletId: id,
      parkAfterMs: config.PROVISIONING_PARK_AFTER_MS,
    });
    const write = (wallet: Parameters<typeof writeWallet>[0]): Answer =>
      dataAnswer(call, 202, writeWallet(wallet, call.form));
    const result = await createWallet(
      call.cell,
      {
        id,
        partnerId,
        ...read.value,
        key: usedKey(call, 'createWallet', read.value),
        answer: (wallet) => ({ status: 202, body: write(wallet).body ?? '' }),
        intention,
      },
      config.IDEMPOTENCY_WINDOW_MS,
    );
    if (result.kind === 'refused') return result.refusal;
    if (result.kind === 'same_key') return replayed(result.answer);
    call.environment.relay.afterCommit(call.cell, { intentions: [result.intention], endpointIds: [] });
    return write(result.wallet);
  },
};

/** Newest first; `user_ref` finds the one wallet of an owner. The platform's own wallets are not shown (D46, D69). */
const list: Route = {
  method: 'GET',
  path: '/v1/wallets',
  operation: 'listWallets',
  doc: {
    section: 'Wallets',
    summary: 'List the wallets',
    description: 'Newest first. `user_ref` finds the one wallet of an owner.',
    query: walletsQuery,
    answer: { status: 200, description: 'A page of wallets', body: pageOf(walletInAnyForm) },
    refusals: [],
  },
  async handle(call) {
    const size = readLimit(call.query);
    if ('refusal' in size) return size.refusal;
    const filter = readNameFilter(call.query, 'user_ref');
    if ('refusal' in filter) return filter.refusal;
    const name = `wallets/${call.environment.name}/${call.partner.id}/${filter.value ?? ''}`;
    const cursor = call.services.cursors.read(call.query, name);
    if ('refusal' in cursor) return cursor.refusal;
    const found = await listWallets(call.cell, call.partner.id, {
      userRef: filter.value ?? null,
      after: cursor.place === null ? null : readPlace(cursor.place),
      limit: size.limit + 1,
    });
    const page = found.slice(0, size.limit);
    const last = found.length > size.limit ? page.at(-1) : undefined;
    return dataAnswer(
      call,
      200,
      page.map((wallet) => writeWallet(wallet, call.form)),
      writePageMeta(last && call.services.cursors.write(name, writePlace(last))),
    );
  },
};

const get: Route = {
  method: 'GET',
  path: '/v1/wallets/:id',
  operation: 'getWallet',
  doc: {
    section: 'Wallets',
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
    return wallet ? dataAnswer(call, 200, writeWalletWithBalance(wallet, call.form)) : refuse('NOT_FOUND');
  },
};

const transactions: Route = {
  method: 'GET',
  path: '/v1/wallets/:id/transactions',
  operation: 'listWalletTransactions',
  doc: {
    section: 'Wallets',
    summary: "List a wallet's transactions",
    description: 'Newest first: all in which the wallet is source or destination. Wallets are shown as ids.',
    query: transactionsQuery,
    answer: { status: 200, description: 'A page of transactions', body: pageOf(transactionInAnyForm) },
    refusals: [],
  },
  async handle(call) {
    const size = readLimit(call.query);
    if ('refusal' in size) return size.refusal;
    const filter = readNameFilter(call.query, 'reference');
    if ('refusal' in filter) return filter.refusal;
    const wallet = await walletOfPath(call);
    if (!wallet) return refuse('NOT_FOUND');
    const list = `transactions/${wallet.id}/${filter.value ?? ''}`;
    const cursor = call.services.cursors.read(call.query, list);
    if ('refusal' in cursor) return cursor.refusal;
    const after = cursor.place === null ? null : readPlace(cursor.place);
    const limit = size.limit + 1;
    const found =
      filter.value === undefined
        ? await listTransactions(call.cell, wallet.id, { after, limit })
        : (await findByReference(call.cell, call.partner.id, wallet.id, filter.value))
            .filter((one) => !after || isAfter(one, after))
            .slice(0, limit);
    const page = found.slice(0, size.limit);
    const last = found.length > size.limit ? page.at(-1) : undefined;
    return dataAnswer(
      call,
      200,
      page.map((transaction) => writeTransaction(transaction, call.form)),
      writePageMeta(last && call.services.cursors.write(list, writePlace(last))),
    );
  },
};

const ledger: Route = {
  method: 'GET',
  path: '/v1/wallets/:id/ledger',
  operation: 'listWalletEntries',
  doc: {
    section: 'Wallets',
    summary: "List a wallet's ledger entries",
    description:
      'Newest first, by `sequence`. Each `balance_after` is the one before plus or minus the amount.',
    query: pageQuery,
    answer: { status: 200, description: 'A page of entries', body: pageOf(entrySchema) },
    refusals: [],
  },
  async handle(call) {
    const size = readLimit(call.query);
    if ('refusal' in size) return size.refusal;
    const wallet = await walletOfPath(call);
    if (!wallet) return refuse('NOT_FOUND');
    const list = `ledger/${wallet.id}`;
    const cursor = call.services.cursors.read(call.query, list);
    if ('refusal' in cursor) return cursor.refusal;
    const beforeSequence = cursor.place === null ? null : Number(cursor.place);
    const found = await listEntries(call.cell, wallet.id, { beforeSequence, limit: size.limit + 1 });
    const page = found.slice(0, size.limit);
    const last = found.length > size.limit ? page.at(-1) : undefined;
    return dataAnswer(
      call,
      200,
      page.map(writeEntry),
      writePageMeta(last && call.services.cursors.write(list, String(last.sequence))),
    );
  },
};

export const walletRoutes: readonly Route[] = [create, list, get, transactions, ledger];

/** The wallet named in the path: malformed, foreign and absent ids look the same (D132). */
async function walletOfPath(call: Call) {
  const id = canonicalId(call.params.id ?? '');
  return id ? findWallet(call.cell, call.partner.id, id) : null;
}

/** Nobody stands behind the environment: refused before anything is written, and it says so (R22). */
export function notConfigured(what: string): Refusal {
  return refuse('SERVICE_UNAVAILABLE', { message: `No ${what} provider is configured for this environment` });
}

const writePlace = (place: Place): string => `${place.createdAt.toISOString()}|${place.id}`;

function readPlace(text: string): Place {
  const [createdAt = '', id = ''] = text.split('|');
  return { createdAt: new Date(createdAt), id };
}

const isAfter = (one: Place, place: Place): boolean => {
  const [at, from] = [one.createdAt.getTime(), place.createdAt.getTime()];
  return at < from || (at === from && one.id < place.id);
};
