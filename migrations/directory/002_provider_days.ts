/**
 * Invariants: a line of a provider's statement is kept once, by the provider and its id there, and is never changed; a day
 * that two people have closed never changes, and no line is added to it; a kind of treasury entry explains a line once.
 *
 * They belong to no partner, so they lie beside the look-ups of their environment. No column names a person.
 */
import { LINE_SUBJECTS } from '../../src/domain/statement-lines';
import { TREASURY_ENTRY_KINDS } from '../../src/domain/treasury';
import type { DirectoryPlace, Migration } from '../place';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

export const providerDays: Migration<DirectoryPlace> = ({ directory, app, api, reconciler }) => `
  GRANT USAGE ON SCHEMA ${directory} TO ${reconciler};

  -- What was compared of a day, in Lagos, and when. All amounts are of our balance with the provider, unless they say more.
  CREATE TABLE ${directory}.provider_days (
    provider        text NOT NULL,
    day             date NOT NULL,
    opening_kobo    bigint NOT NULL,
    closing_kobo    bigint NOT NULL,
    lines           integer NOT NULL,
    -- The balance by our books, and what the provider has taken for payouts that had not ended in them.
    books_kobo      bigint NOT NULL,
    under_way_kobo  bigint NOT NULL,
    -- By our books: what came in for wallets, and was not settled yet.
    receivable_kobo bigint NOT NULL,
    checked_at      timestamptz(3) NOT NULL DEFAULT now(),
    closed_at       timestamptz(3),
    -- The proposal by which two people have closed it.
    closed_by       uuid,
    PRIMARY KEY (provider, day),
    CONSTRAINT provider_days_closed_by_people CHECK ((closed_at IS NULL) = (closed_by IS NULL))
  );
  CREATE FUNCTION ${directory}.refuse_day_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${directory}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a day that is closed never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER provider_days_stay_closed BEFORE UPDATE OR DELETE ON ${directory}.provider_days
    FOR EACH ROW WHEN (OLD.closed_at IS NOT NULL) EXECUTE FUNCTION ${directory}.refuse_day_change();
  GRANT SELECT ON ${directory}.provider_days TO ${app};
  GRANT SELECT, INSERT, UPDATE (opening_kobo, closing_kobo, lines, books_kobo, under_way_kobo, receivable_kobo,
    checked_at) ON ${directory}.provider_days TO ${reconciler};
  -- Only people close a day.
  GRANT UPDATE (closed_at, closed_by) ON ${directory}.provider_days TO ${api};

  CREATE TABLE ${directory}.provider_lines (
    provider       text NOT NULL,
    line_id        text NOT NULL,
    at             timestamptz(3) NOT NULL,
    -- The day for which it counts: its own, or a later one where its own was closed before it came.
    day            date NOT NULL,
    about          text NOT NULL,
    change_kobo    bigint NOT NULL,
    balance_kobo   bigint,
    reference      text,
    provider_ref   text,
    session_id     text,
    -- The attempt that it is about, once that is known.
    transaction_id uuid,
    n              integer,
    imported_at    timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, line_id),
    CONSTRAINT provider_lines_subjects CHECK (about IN (${list(LINE_SUBJECTS)})),
    CONSTRAINT provider_lines_name_an_attempt CHECK ((transaction_id IS NULL) = (n IS NULL))
  );
  CREATE INDEX provider_lines_of_day ON ${directory}.provider_lines (provider, day);
  CREATE INDEX provider_lines_of_attempt ON ${directory}.provider_lines (transaction_id, n)
    WHERE transaction_id IS NOT NULL;
  CREATE FUNCTION ${directory}.refuse_line_of_closed_day() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${directory}, pg_temp AS $$
  DECLARE closed timestamptz;
  BEGIN
    -- The row of the day is locked, so that it is not closed at the same moment.
    SELECT closed_at INTO closed FROM provider_days WHERE provider = NEW.provider AND day = NEW.day FOR SHARE;
    IF closed IS NOT NULL THEN
      RAISE EXCEPTION 'the day of the line is closed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER provider_lines_of_open_days BEFORE INSERT ON ${directory}.provider_lines
    FOR EACH ROW EXECUTE FUNCTION ${directory}.refuse_line_of_closed_day();
  GRANT SELECT ON ${directory}.provider_lines TO ${app};
  GRANT SELECT, INSERT, UPDATE (transaction_id, n) ON ${directory}.provider_lines TO ${reconciler};

  -- Which line a treasury entry explains. Its money is in the ledger, under the same transaction.
  CREATE TABLE ${directory}.treasury_entries (
    transaction_id uuid PRIMARY KEY,
    entry          text NOT NULL,
    provider       text NOT NULL,
    line_id        text NOT NULL,
    day            date NOT NULL,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT treasury_entries_explain_once UNIQUE (provider, line_id, entry),
    CONSTRAINT treasury_entries_kinds CHECK (entry IN (${list(TREASURY_ENTRY_KINDS)})),
    FOREIGN KEY (provider, line_id) REFERENCES ${directory}.provider_lines
  );
  CREATE TRIGGER treasury_entries_of_open_days BEFORE INSERT ON ${directory}.treasury_entries
    FOR EACH ROW EXECUTE FUNCTION ${directory}.refuse_line_of_closed_day();
  GRANT SELECT ON ${directory}.treasury_entries TO ${app}, ${reconciler};
  -- People book by the API, and an import books what is passed on of payments.
  GRANT INSERT ON ${directory}.treasury_entries TO ${api}, ${reconciler};
`;
