/** The people behind this port: who they are, and who lets in the next one (D91). */
import { listOperators } from '../../../db/partners/operators';
import { done, map, refuse } from '../../../domain/outcome';
import { admit } from '../../../operations/operators/admit';
import { readReason, writeOperator } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { command, idOf, view } from '../route';

export const operatorRoutes = [
  view('/ops/operators', 'listOperators', 'All operators by name, and who has admitted them', async (call) =>
    done(dataAnswer(call, 200, (await listOperators(call.platform)).map(writeOperator))),
  ),
  command(
    '/ops/operators/:operator_id/admit',
    'admitOperator',
    'Let the token of another operator work that the administrator has made',
    'Whoever admits is another person than the one who made the token, and Postgres refuses oneself',
    readReason,
    async (call) => {
      const id = idOf(call, 'operator_id');
      if (id === null) return refuse('NOT_FOUND');
      const admitted = await admit(call.platform, id, call.operator.id);
      return map(admitted, (one) => dataAnswer(call, 200, writeOperator(one)));
    },
  ),
];
