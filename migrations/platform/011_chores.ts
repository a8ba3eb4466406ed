/**
 * Invariant: when a backup or an anchor of the trail was last made is known, from the first day on. The rows of the set-up
 * stand for the moment from which on something is to be done at all.
 */
import { CHORE_NAMES } from '../../src/domain/chores';
import type { Migration, PlatformPlace } from '../place';

const NAMES = CHORE_NAMES.map((chore) => `'${chore}'`).join(', ');

export const chores: Migration<PlatformPlace> = ({ sandbox, live, operator }) => `
  CREATE TABLE platform.chores (
    chore text NOT NULL CHECK (chore IN (${NAMES})),
    -- Of which moment it is, and what has done it.
    at    timestamptz(3) NOT NULL,
    by    text NOT NULL,
    PRIMARY KEY (chore, at)
  );
  INSERT INTO platform.chores (chore, at, by) SELECT chore, now(), 'set-up' FROM unnest(ARRAY[${NAMES}]) AS chore;
  GRANT SELECT ON platform.chores TO ${sandbox}, ${live};
  -- The commands that print an anchor or note a chore have the login of the operators.
  GRANT SELECT, INSERT ON platform.chores TO ${operator};
`;
