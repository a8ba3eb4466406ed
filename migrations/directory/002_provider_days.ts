/**
 * Invariants: a line of a provider's statement is kept once, by the provider, the day on which it happened and its id there,
 * and is never changed: what it says when it comes again stands beside it; two people withdraw a line, and then it does not
 * count; a day that two people have closed never changes, no line is added to it and none is withdrawn from it; a kind of
 * treasury entry explains a line once.
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
    id             uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    provider       text NOT NULL,
    line_id        text NOT NULL,
    at             timestamptz(3) NOT NULL,
    -- The day on which it happened. Lines that people write down are numbered anew each day.
    own_day        date NOT NULL,
    -- Whether it came in a file that people made, and not from the provider itself.
    by_hand        boolean NOT NULL,
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
    -- What the statement says of it now, where that is something else, and the day whose check tells it.
    told_again     json,
    told_again_day date,
    withdrawn_at   timestamptz(3),
    -- The proposal by which two people have withdrawn it.
    withdrawn_by   uuid,
    CONSTRAINT provider_lines_told_again CHECK ((told_again IS NULL) = (told_again_day IS NULL)),
    CONSTRAINT provider_lines_withdrawn_by_people CHECK ((withdrawn_at IS NULL) = (withdrawn_by IS NULL)),
    CONSTRAINT provider_lines_subjects CHECK (about IN (${list(LINE_SUBJECTS)})),
    CONSTRAINT provider_lines_name_an_attempt CHECK ((transaction_id IS NULL) = (n IS NULL))
  );
  CREATE UNIQUE INDEX provider_lines_once ON ${directory}.provider_lines (provider, own_day, line_id)
    WHERE withdrawn_at IS NULL;
  CREATE INDEX provider_lines_by_id ON ${directory}.provider_lines (provider, line_id);
  CREATE INDEX provider_lines_of_day ON ${directory}.provider_lines (provider, day);
  CREATE INDEX provider_lines_told_again ON ${directory}.provider_lines (provider, told_again_day)
    WHERE told_again_day IS NOT NULL;
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
  CREATE TRIGGER provider_lines_stay_on_closed_days BEFORE UPDATE OF withdrawn_at ON ${directory}.provider_lines
    FOR EACH ROW EXECUTE FUNCTION ${directory}.refuse_line_of_closed_day();
  GRANT SELECT ON ${directory}.provider_lines TO ${app};
  GRANT SELECT, INSERT, UPDATE (transaction_id, n, told_again, told_again_day) ON ${directory}.provider_lines
    TO ${reconciler};
  -- Only people withdraw a line.
  GRANT UPDATE (withdrawn_at, withdrawn_by) ON ${directory}.provider_lines TO ${api};

  -- Which line a treasury entry explains. Its money is in the ledger, under the same transaction.
  CREATE TABLE ${directory}.treasury_entries (
    transaction_id uuid PRIMARY KEY,
    entry          text NOT NULL,
    provider       text NOT NULL,
    line           uuid NOT NULL REFERENCES ${directory}.provider_lines,
    day            date NOT NULL,
    -- The entry that this one takes back, because its line was withdrawn.
    undoes         uuid UNIQUE REFERENCES ${directory}.treasury_entries,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT treasury_entries_kinds CHECK (entry IN (${list(TREASURY_ENTRY_KINDS)}))
  );
  CREATE UNIQUE INDEX treasury_entries_explain_once ON ${directory}.treasury_entries (line, entry) WHERE undoes IS NULL;
  CREATE TRIGGER treasury_entries_of_open_days BEFORE INSERT ON ${directory}.treasury_entries
    FOR EACH ROW EXECUTE FUNCTION ${directory}.refuse_line_of_closed_day();
  GRANT SELECT ON ${directory}.treasury_entries TO ${app}, ${reconciler};
  -- People book by the API, and an import books what is passed on of payments.
  GRANT INSERT ON ${directory}.treasury_entries TO ${api}, ${reconciler};
`;
