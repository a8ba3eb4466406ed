/**
 * Invariants: reconciliation has at most one open finding per class and resource (G34), and never forgets a closed one. What
 * is in an account of suspense is the sum of its open findings (R54): the ledger writes both in one commit, and no money is
 * left in a closed one.
 */
import { FINDING_CLASSES } from '../../src/domain/findings';
import { SUSPENSE_CLASSES } from '../../src/domain/suspense';
import type { CellPlace, Migration } from '../place';

const CLASSES = Object.keys(FINDING_CLASSES).map((name) => `'${name}'`);

/** Classes of findings whose money is a credit, or a debit. */
const holding = (what: 'credit' | 'debit'): string =>
  Object.entries(SUSPENSE_CLASSES)
    .filter(([, { holds }]) => holds === what)
    .map(([name]) => `'${name}'`)
    .join(', ');

/**
 * Nobody takes more out of a finding than is in it, whatever the code does: the commit is refused. A reset takes a partner's
 * postings one after the other, so it is so only where there is none.
 */
const strictly = (ifReset: CellPlace['ifReset']): string =>
  ifReset('-') !== ''
    ? ''
    : `,
    CONSTRAINT recon_findings_give_money_once CHECK (
      (class NOT IN (${holding('credit')}) OR coalesce(kobo, 0) >= 0)
      AND (class NOT IN (${holding('debit')}) OR coalesce(kobo, 0) <= 0))`;

export const reconciliation: Migration<CellPlace> = ({ cell, app, reconciler, resetter, ifReset }) => `
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
    -- The account of suspense whose money it stands for, and how much of it is left; null for a finding without money.
    account     text CHECK (account IN ('1900', '2900')),
    kobo        bigint,
    CONSTRAINT recon_findings_closed_at_a_time
      CHECK (closed_at IS NOT NULL OR num_nonnulls(closed_by, closed_note) = 0),
    CONSTRAINT recon_findings_money_in_an_account CHECK ((account IS NULL) = (kobo IS NULL)),
    CONSTRAINT recon_findings_close_without_money CHECK (closed_at IS NULL OR coalesce(kobo, 0) = 0)${strictly(ifReset)}
  );
  CREATE UNIQUE INDEX recon_findings_open ON ${cell}.recon_findings (class, resource) WHERE closed_at IS NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_findings TO ${app}, ${reconciler};
  ${ifReset(`GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_findings TO ${resetter};`)}

  -- Each posting against suspense with the finding that it belongs to.
  CREATE TABLE ${cell}.suspense_postings (
    transaction_id uuid NOT NULL,
    class          text NOT NULL,
    resource       text NOT NULL,
    account        text NOT NULL CHECK (account IN ('1900', '2900')),
    amount_kobo    bigint NOT NULL,
    PRIMARY KEY (transaction_id, account, class)
  );
  GRANT SELECT, INSERT ON ${cell}.suspense_postings TO ${app};
  GRANT SELECT ON ${cell}.suspense_postings TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.suspense_postings TO ${resetter};`)}

  -- How far each pass has come.
  CREATE TABLE ${cell}.recon_progress (
    pass       text PRIMARY KEY,
    position   text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_progress TO ${app}, ${reconciler};
`;
