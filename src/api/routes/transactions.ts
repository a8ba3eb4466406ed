/** All transactions (D195); one by its id, which a caller has kept from an answer or an event (D46), and what happened to it (D194). */
import { done, map, refuse } from '../../domain/outcome';
import { findByReferenceOf, findTransaction, listTransactionsOf } from '../../db/ledger/transactions';
import { decideAboutName } from '../../operations/money/decide-name';
import { withSenders } from '../../operations/money/senders';
import { findTimeline } from '../../db/ledger/timeline';
import { dataOf, listOf, pageOf } from '../../wire/answers';
import { canonicalId } from '../../wire/ids';
import { allTransactionsQuery, readPeriod } from '../../wire/pages';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import { nameDecisionBody, readNameDecision } from '../../wire/name-decisions';
import { timelineItem, writeTimelineItem } from '../../wire/timeline';
import { BY_TIME, behind, pageAnswer } from '../page';
import { dataAnswer, reading, type Route } from '../route';

const list = reading({
  method: 'GET',
  path: '/v1/transactions',
  operation: 'listTransactions',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'transactions.list',
    summary: 'List the transactions',
    description:
      'Newest first. Wallets are shown as ids. With `type` or `status` a page may be short, or empty, and still have a ' +
      'next one.',
    query: allTransactionsQuery,
    answer: { status: 200, description: 'A page of transactions', body: pageOf(transactionInAnyForm) },
    refusals: [],
  },
  async handle(call) {
    const { type = null, status = null, wallet_id: walletId = null, reference = null } = call.query;
    const during = readPeriod(call.query);
    if (!during.ok) return during;
    const filter = { type, status, walletId, ...during.value };
    return pageAnswer(call, {
      name: `transactions/${call.environment.name}/${call.partner.id}/${JSON.stringify([reference, filter])}`,
      order: BY_TIME,
      find: async (page) => {
        const found =
          reference === null
            ? await listTransactionsOf(call.cell, call.partner.id, filter, page)
            : behind(page, await findByReferenceOf(call.cell, call.partner.id, reference, filter));
        return { ...found, rows: await withSenders(call, found.rows) };
      },
      write: (transaction) => writeTransaction(transaction, call.form),
    });
  },
});

/** In the guide's form its wallets are plain ids, because only the answer to a transfer has balances (D165). */
const get: Route = {
  method: 'GET',
  path: '/v1/transactions/:id',
  operation: 'getTransaction',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'transactions.get',
    summary: 'Get a transaction',
    description: 'As it is now. Wallets are shown as ids.',
    answer: { status: 200, description: 'The transaction', body: dataOf(transactionInAnyForm) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'transaction');
    const found = id && (await findTransaction(call.cell, call.partner.id, id));
    const [transaction] = await withSenders(call, found ? [found] : []);
    return transaction
      ? done(dataAnswer(call, 200, writeTransaction(transaction, call.form)))
      : refuse('NOT_FOUND');
  },
};

const nameDecision: Route = {
  method: 'POST',
  path: '/v1/transactions/:id/name-decision',
  operation: 'decideAboutName',
  needs: 'run',
  harmlessTwice: true,
  needsActivePartner: true,
  doc: {
    section: 'Transfers',
    sdk: 'transactions.decideName',
    summary: 'Decide about a transfer whose account has another name at its bank',
    description:
      'Of a bank transfer with `on_name_mismatch: hold`. Compare `account_name` and `resolved_name` of its `dest_account`, ' +
      'and have it go on or fail. Its end is told by its event.',
    body: nameDecisionBody,
    answer: { status: 200, description: 'The transaction', body: dataOf(transactionInAnyForm) },
    refusals: ['TRANSACTION_NOT_PROCESSING', 'NO_DECISION_NEEDED'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'transaction');
    const read = readNameDecision(call.body);
    if (!read.ok) return read;
    if (!id) return refuse('NOT_FOUND');
    return map(await decideAboutName(call, id, read.value.decision), (transaction) =>
      dataAnswer(call, 200, writeTransaction(transaction, call.form)),
    );
  },
};

const timeline: Route = {
  method: 'GET',
  path: '/v1/transactions/:id/timeline',
  operation: 'getTransactionTimeline',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'transactions.timeline',
    summary: 'See what happened to a transaction',
    description:
      'Oldest first: ledger entries, attempts at the payout, callbacks, the steps of a USSD session, orders by hand, the ' +
      'reversal, events, and what endpoints answered. ' +
      'Events and deliveries are shown while they are kept, and of failed deliveries the last 200.',
    answer: { status: 200, description: 'What happened', body: listOf(timelineItem) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'transaction');
    const transaction = id && (await findTransaction(call.cell, call.partner.id, id));
    if (!transaction) return refuse('NOT_FOUND');
    const items = await findTimeline(call.cell, call.partner.id, transaction.id);
    return done(dataAnswer(call, 200, items.map(writeTimelineItem)));
  },
};

export const transactionRoutes: readonly Route[] = [list, get, timeline, nameDecision];
