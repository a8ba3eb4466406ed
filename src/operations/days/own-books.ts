/** Where our own money is booked that belongs to no partner: the first cell of an environment. */
import { present } from '../../domain/assert';
import type { Environment, OpenCell } from '../../runtime/environment';

export interface OwnBooks {
  environment: Environment;
  cell: OpenCell;
}

export const ownBooks = (environment: Environment): OwnBooks => ({
  environment,
  cell: present([...environment.cells.values()][0], 'the first cell'),
});
