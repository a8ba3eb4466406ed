/** The routes of payouts, and the attempts that are open in all cells. */
import { done, map, refuse } from '../../../domain/outcome';
import type { PayoutRoute } from '../../../domain/payout-routes';
import { listUntaken } from '../../../db/payments/company-watch';
import { listPayoutRoutes } from '../../../db/payments/payout-routes';
import { listOpenAttempts } from '../../../db/payments/provider-health';
import { addPayoutRoute, removePayoutRoute } from '../../../operations/operators/payout-routes';
import { readReason } from '../../../wire/operators';
import {
  readPayoutRoute,
  writeOpenAttempt,
  writePayoutRoute,
  writeUntakenTransfer,
} from '../../../wire/payout-routes';
import { dataAnswer } from '../../route';
import { command, idOf, inEnvironment, view } from '../route';

const PATH = '/ops/:environment/payout-routes';
/** More than people can look at. The oldest come first, and leave the list when they end. */
const ATTEMPTS_MAX = 200;

export const payoutRoutes = [
  view(
    PATH,
    'listPayoutRoutes',
    'The routes of payouts, the first ones first; without any the order of `LIVE_PAYOUTS` holds',
    inEnvironment(async (call) => {
      const { pool, directory } = call.environment;
      return done(dataAnswer(call, 200, (await listPayoutRoutes(pool, directory)).map(writePayoutRoute)));
    }),
  ),
  command(
    PATH,
    'addPayoutRoute',
    'Add a route: transfers to a bank, or to any, with an amount in a band go through this company',
    'It chooses among companies that are configured; none of them pays a transfer twice, or to somebody else',
    readPayoutRoute,
    inEnvironment(async (call, asked: Omit<PayoutRoute, 'id'>) =>
      map(await addPayoutRoute(call.environment, asked), (route) =>
        dataAnswer(call, 201, writePayoutRoute(route)),
      ),
    ),
  ),
  command(
    `${PATH}/:route_id/remove`,
    'removePayoutRoute',
    'Remove a route; transfers that it has begun stay with their company',
    'It chooses among companies that are configured; none of them pays a transfer twice, or to somebody else',
    readReason,
    inEnvironment(async (call) => {
      const id = idOf(call, 'route_id');
      if (id === null) return refuse('NOT_FOUND');
      return map(await removePayoutRoute(call.environment, id), (removed) => dataAnswer(call, 200, removed));
    }),
  ),
  view(
    '/ops/:environment/attempts',
    'listOpenAttempts',
    'The attempts to pay bank transfers that are open in all cells, the oldest 200 first',
    inEnvironment(async (call) => {
      const cells = [...call.environment.cells.values()];
      const open = (await Promise.all(cells.map((cell) => listOpenAttempts(cell, ATTEMPTS_MAX)))).flat();
      const oldest = open.sort((one, other) => one.begunAt.getTime() - other.begunAt.getTime());
      return done(dataAnswer(call, 200, oldest.slice(0, ATTEMPTS_MAX).map(writeOpenAttempt)));
    }),
  ),
  view(
    '/ops/:environment/untaken-transfers',
    'listUntakenTransfers',
    'The bank transfers of which no company has an order, the oldest 200 of all cells first',
    inEnvironment(async (call) => {
      const cells = [...call.environment.cells.values()];
      const untaken = (await Promise.all(cells.map((cell) => listUntaken(cell, ATTEMPTS_MAX)))).flat();
      const oldest = untaken.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
      return done(dataAnswer(call, 200, oldest.slice(0, ATTEMPTS_MAX).map(writeUntakenTransfer)));
    }),
  ),
];
