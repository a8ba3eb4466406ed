/** Bulk transfers: many transfers in one request, each with its own result (D202). */
import { findBulk, listBulks, listLines } from '../../db/payments/bulk-transfers';
import type { BulkLine, BulkOrder } from '../../domain/bulk-transfers';
import { done, map, refuse } from '../../domain/outcome';
import { acceptBulk, changeBulk } from '../../operations/money/bulk-transfers';
import { dataOf, pageOf } from '../../wire/answers';
import {
  BULK_BODY_MAX_BYTES,
  bulkBody,
  bulkLineSchema,
  bulkLinesQuery,
  bulkQuery,
  bulkSchemaOfAnswer,
  linesOf,
  placesOfBulk,
  readBulk,
  writeBulk,
  writeBulkLine,
} from '../../wire/bulk-transfers';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../wire/fields';
import { canonicalId } from '../../wire/ids';
import { usedKey } from '../fingerprint';
import { BY_TIME, pageAnswer } from '../page';
import { dataAnswer, reading, replyOf, type Route } from '../route';

const create: Route = {
  method: 'POST',
  path: '/v1/transfers/bulk',
  operation: 'createBulkTransfer',
  needs: 'pay',
  needsActivePartner: true,
  keyed: true,
  places: placesOfBulk,
  writesLater: linesOf,
  bodyMaxBytes: BULK_BODY_MAX_BYTES,
  doc: {
    section: 'Transfers',
    sdk: 'bulkTransfers.create',
    summary: 'Make up to ten thousand transfers',
    description:
      'All lines are checked before anything is accepted: a line that is not well-formed, or that names a wallet or a ' +
      'bank that does not exist, refuses the whole. Then each line is a transfer of its own, in the order of the ' +
      'request, with its own reference, result and events; one that is refused stops no other. A line whose ' +
      'reference was used for the same transfer before gets that transaction.',
    body: bulkBody,
    bodyExample: {
      reference: 'payroll-2026-11',
      transfers: [
        {
          source_wallet: ID_EXAMPLE,
          dest_wallet: OTHER_ID_EXAMPLE,
          amount: 150_000,
          reference: 'order-2001',
        },
      ],
    },
    answer: { status: 202, description: 'Accepted: running', body: dataOf(bulkSchemaOfAnswer) },
    refusals: ['DUPLICATE_REFERENCE', 'LIMIT_EXCEEDED'],
  },
  async handle(call) {
    const read = readBulk(call.body);
    if (!read.ok) return read;
    const accepted = await acceptBulk(call.services, call, read.value, {
      key: usedKey(call, 'createBulkTransfer', read.value),
      write: (bulk) => dataAnswer(call, 202, writeBulk(bulk)),
    });
    return replyOf(accepted);
  },
};

const list = reading({
  method: 'GET',
  path: '/v1/transfers/bulk',
  operation: 'listBulkTransfers',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'bulkTransfers.list',
    summary: 'List the bulk transfers',
    description: 'Newest first. With `status` a page may be short, or empty, and still have a next one.',
    query: bulkQuery,
    answer: { status: 200, description: 'A page of bulk transfers', body: pageOf(bulkSchemaOfAnswer) },
    refusals: [],
  },
  handle(call) {
    const { status = null } = call.query;
    const partnerId = call.partner.id;
    return pageAnswer(call, {
      name: `bulk/${call.environment.name}/${partnerId}/${status ?? ''}`,
      order: BY_TIME,
      find: (page) => listBulks(call.cell, { partnerId, status }, page),
      write: writeBulk,
    });
  },
});

const get: Route = {
  method: 'GET',
  path: '/v1/transfers/bulk/:id',
  operation: 'getBulkTransfer',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'bulkTransfers.get',
    summary: 'Get a bulk transfer',
    description: 'As it is now, with how many of its lines have a result.',
    answer: { status: 200, description: 'The bulk transfer', body: dataOf(bulkSchemaOfAnswer) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const bulk = id && (await findBulk(call.cell, call.partner.id, id));
    return bulk ? done(dataAnswer(call, 200, writeBulk(bulk))) : refuse('NOT_FOUND');
  },
};

/** In the order of the request. */
const BY_PLACE = { read: Number, write: ({ place }: BulkLine) => String(place) };

const lines = reading({
  method: 'GET',
  path: '/v1/transfers/bulk/:id/lines',
  operation: 'listBulkTransferLines',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'bulkTransfers.lines',
    summary: 'List the lines of a bulk transfer',
    description: 'In the order of the request, each with its result: the transaction, or why it was refused.',
    query: bulkLinesQuery,
    answer: { status: 200, description: 'A page of lines', body: pageOf(bulkLineSchema) },
    refusals: [],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    const bulk = id && (await findBulk(call.cell, call.partner.id, id));
    if (!bulk) return refuse('NOT_FOUND');
    const { status = null } = call.query;
    return pageAnswer(call, {
      name: `bulk/${bulk.id}/lines/${status ?? ''}`,
      order: BY_PLACE,
      find: (page) => listLines(call.cell, bulk.id, status, page),
      write: writeBulkLine,
    });
  },
});

const ordering = (order: BulkOrder, summary: string, description: string): Route => ({
  method: 'POST',
  path: `/v1/transfers/bulk/:id/${order}`,
  operation: `${order}BulkTransfer`,
  needs: 'pay',
  needsActivePartner: true,
  harmlessTwice: true,
  bodyOptional: true,
  doc: {
    section: 'Transfers',
    sdk: `bulkTransfers.${order}`,
    summary,
    description,
    answer: { status: 200, description: 'The bulk transfer', body: dataOf(bulkSchemaOfAnswer) },
    refusals: ['INVALID_BULK_STATE'],
  },
  async handle(call) {
    const id = canonicalId(call.params.id ?? '', 'other');
    if (!id) return refuse('NOT_FOUND');
    return map(await changeBulk(call, id, order), (bulk) => dataAnswer(call, 200, writeBulk(bulk)));
  },
});

export const bulkTransferRoutes: readonly Route[] = [
  create,
  list,
  get,
  lines,
  ordering('pause', 'Pause a bulk transfer', 'Lines that have begun are finished; no other line begins.'),
  ordering('resume', 'Resume a bulk transfer', 'Goes on with the lines that have not begun.'),
  ordering(
    'cancel',
    'Cancel a bulk transfer',
    'Lines that have not begun are cancelled, for good. What has happened is not taken back.',
  ),
];
