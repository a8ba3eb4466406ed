/** What payments cost: the fees, and a quote of one payment (D190). */
import { done, map } from '../../domain/outcome';
import { kindOf, typesWhere } from '../../domain/kinds';
import { quote } from '../../operations/money/quote';
import { dataOf, listOf } from '../../wire/answers';
import {
  feeRuleSchema,
  quoteBody,
  quoteSchemaOfAnswer,
  readQuote,
  writeFeeRule,
  writeQuote,
} from '../../wire/quotes';
import { ID_EXAMPLE, OTHER_ID_EXAMPLE } from '../../wire/fields';
import { dataAnswer, type Route } from '../route';

const fees: Route = {
  method: 'GET',
  path: '/v1/fees',
  operation: 'listFees',
  needs: 'look',
  doc: {
    section: 'Transfers',
    sdk: 'fees.list',
    summary: 'List the fees',
    description: 'What the source of each type of transaction pays on top of the amount.',
    answer: { status: 200, description: 'One rule for each type', body: listOf(feeRuleSchema) },
    refusals: [],
  },
  handle(call) {
    const paid = typesWhere(({ sourceRefusals }) => sourceRefusals !== null);
    const rules = paid.map((type) => writeFeeRule(type, kindOf(type).fees));
    return Promise.resolve(done(dataAnswer(call, 200, rules)));
  },
};

/** It moves nothing and promises nothing: the books may move before the payment comes. */
const create: Route = {
  method: 'POST',
  path: '/v1/quotes',
  operation: 'createQuote',
  takesOtherFields: true,
  needs: 'look',
  storesNothing: true,
  harmlessTwice: true,
  doc: {
    section: 'Transfers',
    sdk: 'quotes.create',
    summary: 'Quote a payment before it is made',
    description:
      'Takes the body of the transfer, and answers the fees, what the source would be debited, and ' +
      'in `refusal` with what the transfer would be refused at this moment. Nothing moves and no money is kept ' +
      'ready: the balance may change before the transfer comes.',
    body: quoteBody,
    bodyExample: { source_wallet: ID_EXAMPLE, dest_wallet: OTHER_ID_EXAMPLE, amount: 150_000 },
    answer: { status: 200, description: 'What the payment would cost', body: dataOf(quoteSchemaOfAnswer) },
    refusals: ['INVALID_BANK_CODE', 'AMOUNT_TOO_LOW', 'SAME_WALLET_TRANSFER', 'WALLET_NOT_FOUND'],
  },
  async handle(call) {
    const read = readQuote(call.body);
    if (!read.ok) return read;
    return map(await quote(call, read.value), (found) => dataAnswer(call, 200, writeQuote(found)));
  },
};

export const quoteRoutes: readonly Route[] = [fees, create];
