/**
 * Invariant: reconciliation has at most one open finding per class and resource (G34), and never forgets a closed
 * one.
 */
import { FINDING_CLASSES } from '../../src/domain/findings';
import type { CellPlace, Migration } from '../place';

const CLASSES = Object.keys(FINDING_CLASSES).map((name) => `'${name}'`);

export const reconciliation: Migration<CellPlace> = ({ cell, app, reconciler }) => `
  CREATE TABLE ${cell}.recon_findings (
    id          uuid PRIMARY KEY,
    class       text NOT NULL CHECK (class IN (${CLASSES.join(', ')})),
    resource    text NOT NULL,
    detail      json NOT NULL,
    first_seen  timestamptz(3) NOT NULL DEFAULT now(),
    last_seen   timestamptz(3) NOT NULL DEFAULT now(),
    closed_at   timestamptz(3),
    -- Who closed it and why; null where reconciliation saw that it was gone.
    closed_by   text,
    closed_note text,
    CONSTRAINT recon_findings_closed_at_a_time
      CHECK (closed_at IS NOT NULL OR num_nonnulls(closed_by, closed_note) = 0)
  );
  CREATE UNIQUE INDEX recon_findings_open ON ${cell}.recon_findings (class, resource) WHERE closed_at IS NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_findings TO ${app}, ${reconciler};

  -- How far each pass has come.
  CREATE TABLE ${cell}.recon_progress (
    pass       text PRIMARY KEY,
    position   text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_progress TO ${app}, ${reconciler};
`;
