/** Holds: an amount of a wallet that is set aside for one later payment (D203, D204). */
import { findHold, listHolds } from '../../db/payments/holds';
import { done, map, refuse } from '../../domain/outcome';
import { captureHold, placeHold, releaseHold } from '../../operations/money/holds';
import { dataOf, pageOf } from '../../wire/answers';
import {
  captureBody,
  holdBody,
  holdQuery,
  holdSchemaOfAnswer,
  readCapture,
  readHold,
  writeHold,
} from '../../wire/holds';
import { OTHER_ID_EXAMPLE } from '../../wire/fields';
import { canonicalId } from '../../wire/ids';
import { transactionInAnyForm, writeTransaction } from '../../wire/transactions';
import { usedKey } from '../fingerprint';
import { BY_TIME, pageAnswer } from '../page';
import { dataAnswer, reading, replyOf, type Call, type Route } from '../route';
import { MOVEMENT_REFUSALS } from './transfers';

const HOLD = dataOf(holdSchemaOfAnswer);

const idOf = (call: Pick<Call, 'params'>): string | null => canonicalId(call.params['id'] ?? '', 'other');

/** What can stop the payment that captures a hold. Its reference was used up by the hold. */
const CAPTURE_REFUSALS = MOVEMENT_REFUSALS.filter((code) => code !== 'DUPLICATE_REFERENCE');

const place: Route = {
  method: 'POST',
  path: '/v1/holds',
  operation: 'placeHold',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  writesLater: () => 1,
  doc: {
    section: 'Transfers',
    sdk: 'holds.create',
    summary: 'Set an amount aside',
    description:
      'Nothing moves: the balance stays, and `available_kobo` is less by the amount until the hold is captured, released ' +
      'or expires, after a day unless another time is asked for, and at most after seven. The fee of the payment is ' +
      'taken at the capture; hold `total_debit` of a quote to be sure of it. The same reference for the same hold ' +
      'answers the original.',
    body: holdBody,
    answer: { status: 200, description: 'The hold', body: HOLD },
    refusals: MOVEMENT_REFUSALS.filter((code) => code !== 'LIMIT_EXCEEDED'),
  },
  async handle(call) {
    const read = readHold(call.body);
    if (!read.ok) return read;
    const placed = await placeHold(call.services, call, read.value, {
      key: usedKey(call, 'placeHold', read.value),
      write: (hold) => dataAnswer(call, 200, writeHold(hold)),
    });
    return replyOf(placed);
  },
};

const list = reading({
  method: 'GET',
  path: '/v1/holds',
  operation: 'listHolds',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'holds.list',
    summary: 'List the holds',
    description:
      'Newest first. With `wallet_id` or `status` a page may be short, or empty, and still have a next one.',
    query: holdQuery,
    answer: { status: 200, description: 'A page of holds', body: pageOf(holdSchemaOfAnswer) },
    refusals: [],
  },
  async handle(call) {
    const { wallet_id: walletId = null, status = null } = call.query;
    const filter = { walletId, status };
    return pageAnswer(call, {
      name: `holds/${call.environment.name}/${call.partner.id}/${JSON.stringify(filter)}`,
      order: BY_TIME,
      find: (page) => listHolds(call.cell, call.partner.id, filter, page),
      write: writeHold,
    });
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/holds/:id',
  operation: 'getHold',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'holds.get',
    summary: 'Get a hold',
    answer: { status: 200, description: 'The hold', body: HOLD },
    refusals: [],
  },
  async handle(call) {
    const id = idOf(call);
    const hold = id && (await findHold(call.cell, call.partner.id, id));
    if (!hold) return refuse('NOT_FOUND');
    return done(dataAnswer(call, 200, writeHold(hold)));
  },
};

const capture: Route = {
  method: 'POST',
  path: '/v1/holds/:id/capture',
  operation: 'captureHold',
  postsMoney: true,
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  doc: {
    section: 'Transfers',
    sdk: 'holds.capture',
    summary: 'Pay from a hold',
    description:
      'The ordinary transfer to `dest_wallet` or to `dest_account`, at most of the amount that is held, with its fee and ' +
      'under the reference of the hold. The hold ends in the same commit, and what the transfer does not take is free ' +
      'again. A transfer to a bank that fails later is given back to the wallet; the hold stays captured. The same ' +
      'capture again answers the original.',
    body: captureBody,
    bodyExample: { amount: 150_000, dest_wallet: OTHER_ID_EXAMPLE },
    answer: {
      status: 200,
      description: 'The transaction: completed, or processing where it goes to a bank',
      body: dataOf(transactionInAnyForm),
    },
    refusals: [...CAPTURE_REFUSALS, 'HOLD_NOT_OPEN', 'SAME_WALLET_TRANSFER', 'INVALID_BANK_CODE'],
  },
  async handle(call) {
    const read = readCapture(call.body);
    if (!read.ok) return read;
    const id = idOf(call);
    if (!id) return refuse('NOT_FOUND');
    const paid = await captureHold(call, id, read.value, {
      key: usedKey(call, 'captureHold', read.value),
      write: ({ transaction, balances }, told = call) =>
        dataAnswer(told, 200, writeTransaction(transaction, told.form, balances)),
    });
    return replyOf(paid);
  },
};

const release: Route = {
  method: 'POST',
  path: '/v1/holds/:id/release',
  operation: 'releaseHold',
  needs: 'pay',
  harmlessTwice: true,
  bodyOptional: true,
  doc: {
    section: 'Transfers',
    sdk: 'holds.release',
    summary: 'Release a hold',
    description: 'What it has set aside is free again. To release it a second time answers the same.',
    answer: { status: 200, description: 'The released hold', body: HOLD },
    refusals: ['HOLD_NOT_OPEN'],
  },
  async handle(call) {
    const id = idOf(call);
    if (!id) return refuse('NOT_FOUND');
    return map(await releaseHold(call, id), (hold) => dataAnswer(call, 200, writeHold(hold)));
  },
};

export const holdRoutes: readonly Route[] = [place, list, get, capture, release];
