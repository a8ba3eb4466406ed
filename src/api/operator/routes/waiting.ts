/** What waits for a person, in one list. docs/operators.md says what each kind is. */
import { listWaitingInCell, listWaitingOnPlatform } from '../../../db/upkeep/waiting';
import { done } from '../../../domain/outcome';
import type { Waiting } from '../../../domain/waiting';
import { writeWaiting } from '../../../wire/operators';
import { dataAnswer } from '../../route';
import { inEnvironment, view } from '../route';

export const waitingRoutes = [
  view(
    '/ops/:environment/waiting',
    'listWaiting',
    'What waits for a person beside findings: companies, proposals, payments without an owner, repairs, tokens; the oldest first',
    inEnvironment(async (call) => {
      const { name, cells } = call.environment;
      const inCells = [...cells.values()].map(async (cell) =>
        (await listWaitingInCell(cell)).map((one): Waiting => ({
          ...one,
          environment: name,
          cell: cell.schema,
        })),
      );
      const onPlatform = (await listWaitingOnPlatform(call.platform)).filter(
        (one) => one.environment === name,
      );
      const all = [...onPlatform, ...(await Promise.all(inCells)).flat()];
      all.sort((one, other) => one.since.getTime() - other.since.getTime());
      return done(dataAnswer(call, 200, all.map(writeWaiting)));
    }),
  ),
];
