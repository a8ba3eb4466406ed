/** What reconciliation has found, for people to look into and to close (docs/runbook.md has an entry for each class). */
import { done, refuse } from '../../../domain/outcome';
import { closeFindingByHand, findFinding, listFindings } from '../../../db/reconcile/finding-list';
import type { OpenCell } from '../../../runtime/environment';
import { findingsQuery, readNote, writeFinding } from '../../../wire/operators';
import { BY_TIME, newestFirst, pageAnswer } from '../../page';
import { dataAnswer } from '../../route';
import {
  command,
  idOf,
  inEnvironment,
  list,
  view,
  type EnvironmentCall,
  type OperatorCode,
  type Served,
} from '../route';

const PATH = '/ops/:environment/findings';

/** A finding belongs to a cell; its id alone says which one after a look into each. */
async function located(call: EnvironmentCall) {
  const id = idOf(call, 'finding_id');
  if (id === null) return null;
  for (const cell of call.environment.cells.values()) {
    const finding = await findFinding(cell, id);
    if (finding) return { cell, finding };
  }
  return null;
}

const show = async (call: EnvironmentCall, cell: OpenCell, id: string): Promise<Served> => {
  const finding = await findFinding(cell, id);
  return finding ? done(dataAnswer(call, 200, writeFinding(finding))) : refuse('NOT_FOUND');
};

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
      const found = await located(call);
      return found ? done(dataAnswer(call, 200, writeFinding(found.finding))) : refuse('NOT_FOUND');
    }),
  ),
  command(
    `${PATH}/:finding_id/close`,
    'closeFinding',
    'Close a finding with a note; it comes back while its cause is there',
    readNote,
    inEnvironment(async (call, { note }: { note: string }) => {
      const found = await located(call);
      if (!found) return refuse('NOT_FOUND');
      const closed = await closeFindingByHand(found.cell, found.finding.id, call.operator.name, note);
      return closed
        ? show(call, found.cell, found.finding.id)
        : refuse<OperatorCode>('INVALID_STATE', { message: 'The finding is closed' });
    }),
  ),
];
