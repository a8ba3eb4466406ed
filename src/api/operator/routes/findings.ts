/** The findings of reconciliation, for people to read and close. docs/runbook.md has an entry for each class. */
import { done, map, refuse } from '../../../domain/outcome';
import { closeFinding } from '../../../operations/operators/close-finding';
import { findFindingInCells, listFindings } from '../../../db/reconcile/finding-list';
import { findingsQuery, readNote, writeFinding } from '../../../wire/operators';
import { BY_TIME, newestFirst, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import { command, idOf, inEnvironment, list, view } from '../route';

const PATH = '/ops/:environment/findings';

export const findingRoutes = [
  list(
    PATH,
    'listFindings',
    'Open findings of all cells, newest first; `class` filters',
    findingsQuery,
    inEnvironment(async (call) => {
      const { class: findingClass = null } = call.query;
      const { name, cells } = call.environment;
      return pageAnswer(call, {
        name: `ops/${name}/findings/${findingClass ?? ''}`,
        order: BY_TIME,
        find: async (page) => {
          const ofCells = await Promise.all(
            [...cells.values()].map((cell) => listFindings(cell, { ...page, class: findingClass })),
          );
          return ofCells.flat().sort(newestFirst).slice(0, page.limit);
        },
        write: writeFinding,
      });
    }),
  ),
  view(
    `${PATH}/:finding_id`,
    'showFinding',
    'One finding, open or closed',
    inEnvironment(async (call) => {
      const id = idOf(call, 'finding_id');
      const found = id && (await findFindingInCells(call.environment.cells.values(), id));
      return found ? done(dataAnswer(call, 200, writeFinding(found.finding))) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${PATH}/:finding_id/close`,
    'closeFinding',
    'Close a finding with a note; it comes back while its cause is there',
    'The books stay as they are, and the finding comes back while its cause is there',
    readNote,
    inEnvironment(async (call, { note }: { note: string }) => {
      const id = idOf(call, 'finding_id');
      if (id === null) return refuse('NOT_FOUND');
      const closed = await closeFinding(call.environment, id, call.operator.name, note);
      return map(closed, (finding) => dataAnswer(call, 200, writeFinding(finding)));
    }),
  ),
];
