/**
 * Invariant: the place of a destination is behind everything that was not shipped there, so it only moves forward. It says up to
 * which time the movements of the environment lie outside of the database.
 */
import type { DirectoryPlace, Migration } from '../place';

export const movements: Migration<DirectoryPlace> = ({ directory, app, reconciler }) => `
  CREATE TABLE ${directory}.movements_shipped (
    destination   text PRIMARY KEY,
    shipped_until timestamptz(3) NOT NULL
  );
  GRANT SELECT ON ${directory}.movements_shipped TO ${app};
  GRANT SELECT, INSERT, UPDATE ON ${directory}.movements_shipped TO ${reconciler};
`;
