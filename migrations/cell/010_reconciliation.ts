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

  -- How damage of the books was made good, decided by the administrator and an operator: what it is about, and what
  -- exactly. A row with a transaction has its id. Only the owner writes here, so no process can book what does not balance.
  CREATE TABLE ${cell}.repairs (
    id               uuid PRIMARY KEY,
    proposal_id      uuid NOT NULL,
    finding_id       uuid NOT NULL REFERENCES ${cell}.recon_findings,
    partner_id       uuid NOT NULL,
    kind             text NOT NULL CHECK (kind IN ('step', 'account')),
    -- The transaction with the damaged step, or the wallet.
    resource         uuid NOT NULL,
    step             ${cell}.entry_step,
    -- As JSON: the damage that was seen.
    terms            text NOT NULL,
    note             text NOT NULL,
    evidence_ref     text NOT NULL,
    proposed_by      text NOT NULL,
    proposed_at      timestamptz(3) NOT NULL DEFAULT now(),
    approved_by      text,
    approved_at      timestamptz(3),
    CONSTRAINT repairs_of_a_step CHECK ((kind = 'step') = (step IS NOT NULL)),
    CONSTRAINT repairs_approved_by_somebody CHECK ((approved_at IS NULL) = (approved_by IS NULL)),
    CONSTRAINT repairs_by_two_people CHECK (lower(approved_by) <> lower(proposed_by))
  );
  CREATE INDEX repairs_of_resource ON ${cell}.repairs (resource);
  CREATE INDEX repairs_of_partner ON ${cell}.repairs (partner_id);
  CREATE FUNCTION ${cell}.refuse_repair_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = '${resetter}' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' AND OLD.approved_at IS NULL THEN
      OLD.approved_at := NEW.approved_at;
      OLD.approved_by := NEW.approved_by;
      IF NEW.approved_at IS NOT NULL AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'a repair never changes, and is approved once' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER repairs_are_final BEFORE UPDATE OR DELETE ON ${cell}.repairs
    FOR EACH ROW EXECUTE FUNCTION ${cell}.refuse_repair_change();
  GRANT SELECT ON ${cell}.repairs TO ${app}, ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.repairs TO ${resetter};`)}

  -- What a step of a transaction sums to with the repairs of it, but for one of them: 0, where all is well.
  CREATE FUNCTION ${cell}.left_unbalanced(damaged uuid, of_step ${cell}.entry_step, but_for uuid) RETURNS numeric
  LANGUAGE sql STABLE SET search_path = ${cell}, pg_temp AS $$
    SELECT coalesce(sum(amount_kobo), 0) FROM (
      SELECT amount_kobo FROM ${cell}.entries WHERE transaction_id = damaged AND step = of_step
      UNION ALL
      SELECT e.amount_kobo FROM ${cell}.repairs p JOIN ${cell}.entries e ON e.transaction_id = p.id
       WHERE p.resource = damaged AND p.step = of_step AND p.id <> but_for) AS booked
  $$;

  -- How far each pass has come.
  CREATE TABLE ${cell}.recon_progress (
    pass       text PRIMARY KEY,
    position   text NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.recon_progress TO ${app}, ${reconciler};
`;
