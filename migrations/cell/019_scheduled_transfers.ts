/**
 * Invariants: only the API writes what is to be paid, and it never changes, so whoever runs it cannot order money; a due
 * time has one run, at most one run is open, and a run that has a result never changes.
 */
import { ON_INSUFFICIENT_FUNDS, RUN_STATUSES, SCHEDULE_STATUSES } from '../../src/domain/scheduled-transfers';
import type { CellPlace, Migration } from '../place';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

export const scheduledTransfers: Migration<CellPlace> = ({
  cell,
  app,
  api,
  worker,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.scheduled_transfers (
    id             uuid PRIMARY KEY,
    partner_id     uuid NOT NULL,
    reference      text NOT NULL,
    status         text NOT NULL CHECK (status IN (${list(SCHEDULE_STATUSES)})),
    source_wallet  uuid NOT NULL,
    dest_wallet    uuid,
    bank_code      text,
    account_number text,
    amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
    -- What each run posts; gone when there is no further run, because the transactions have it.
    asked          json,
    -- The name of the bank account in it, sealed; null for transfers to a wallet. It goes with it.
    account_name_sealed text,
    -- Once at a moment, or by a rule of the calendar.
    due_at         timestamptz(3),
    rule           json,
    count          integer CHECK (count > 0),
    on_insufficient_funds text NOT NULL CHECK (on_insufficient_funds IN (${list(ON_INSUFFICIENT_FUNDS)})),
    next_number    integer NOT NULL DEFAULT 1,
    next_due_at    timestamptz(3),
    -- When the workflow has to look: the clock of Temporal is a help, and this is the truth. While a due time has no result it
    -- is that due time, so that those of a partner are run in their order.
    look_at        timestamptz(3),
    paid           integer NOT NULL DEFAULT 0,
    skipped        integer NOT NULL DEFAULT 0,
    failed         integer NOT NULL DEFAULT 0,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    ended_at       timestamptz(3),
    CONSTRAINT scheduled_transfers_have_one_destination CHECK (
      num_nonnulls(dest_wallet, bank_code) = 1 AND (bank_code IS NULL) = (account_number IS NULL)),
    CONSTRAINT scheduled_transfers_have_times CHECK (
      num_nonnulls(due_at, rule) = 1 AND (count IS NULL OR rule IS NOT NULL)),
    CONSTRAINT scheduled_transfers_look_until_they_end CHECK (
      (ended_at IS NULL) = (look_at IS NOT NULL) AND (ended_at IS NULL) = (asked IS NOT NULL)
      AND (ended_at IS NOT NULL OR status IN ('active', 'cancelled'))),
    CONSTRAINT scheduled_transfers_name_whom_they_pay CHECK (
      (account_name_sealed IS NOT NULL) = (asked->'to'->'bankCode' IS NOT NULL))
  );
  -- The list of a partner's scheduled transfers, newest first.
  CREATE INDEX scheduled_transfers_of_partner ON ${cell}.scheduled_transfers (partner_id, created_at, id);
  -- What a partner has open, and which of them is due first.
  CREATE INDEX scheduled_transfers_unended ON ${cell}.scheduled_transfers (partner_id, look_at) WHERE ended_at IS NULL;
  CREATE INDEX scheduled_transfers_to_look_at ON ${cell}.scheduled_transfers (look_at) WHERE look_at IS NOT NULL;
  CREATE FUNCTION ${cell}.refuse_schedule_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'what a scheduled transfer pays never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER scheduled_transfers_stay BEFORE UPDATE ON ${cell}.scheduled_transfers
    FOR EACH ROW WHEN (OLD.asked IS NULL OR (NEW.asked IS NOT NULL AND NEW.asked::text <> OLD.asked::text)
      -- Only the owner, who may change the amount too, seals a name anew under another key.
      OR (NEW.account_name_sealed <> OLD.account_name_sealed
          AND NOT has_column_privilege('${cell}.scheduled_transfers', 'amount_kobo', 'UPDATE')))
    EXECUTE FUNCTION ${cell}.refuse_schedule_change();
  GRANT SELECT ON ${cell}.scheduled_transfers TO ${app}, ${reconciler};
  GRANT INSERT ON ${cell}.scheduled_transfers TO ${api};
  GRANT UPDATE (status, next_due_at, look_at, ended_at, asked, account_name_sealed) ON ${cell}.scheduled_transfers TO ${app};
  GRANT UPDATE (next_number, paid, skipped, failed) ON ${cell}.scheduled_transfers TO ${worker};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.scheduled_transfers TO ${resetter};`)}

  CREATE TABLE ${cell}.scheduled_transfer_runs (
    scheduled_transfer_id uuid NOT NULL REFERENCES ${cell}.scheduled_transfers,
    number         integer NOT NULL CHECK (number > 0),
    due_at         timestamptz(3) NOT NULL,
    reference      text NOT NULL,
    status         text NOT NULL CHECK (status IN (${list(RUN_STATUSES)})),
    transaction_id uuid,
    reason         text,
    ended_at       timestamptz(3),
    PRIMARY KEY (scheduled_transfer_id, number),
    CONSTRAINT scheduled_transfer_runs_have_a_result CHECK (
      (status = 'paid') = (transaction_id IS NOT NULL)
      AND (status IN ('waiting', 'skipped', 'failed')) = (reason IS NOT NULL)
      AND (status IN ('running', 'waiting')) = (ended_at IS NULL))
  );
  CREATE UNIQUE INDEX scheduled_transfer_runs_open ON ${cell}.scheduled_transfer_runs (scheduled_transfer_id)
    WHERE ended_at IS NULL;
  CREATE FUNCTION ${cell}.refuse_run_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a run with a result never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER scheduled_transfer_runs_end_once BEFORE UPDATE ON ${cell}.scheduled_transfer_runs
    FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION ${cell}.refuse_run_change();
  GRANT SELECT ON ${cell}.scheduled_transfer_runs TO ${app};
  GRANT INSERT, UPDATE (status, transaction_id, reason, ended_at) ON ${cell}.scheduled_transfer_runs TO ${worker};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.scheduled_transfer_runs TO ${resetter};`)}
`;
