/**
 * Invariants: only the API writes lines, and what a line asks for never changes, so whoever runs them cannot order money. A
 * line has one result for good; the counts of a bulk transfer are those of its lines.
 */
import { BULK_STATUSES, LINE_STATUSES } from '../../src/domain/bulk-transfers';
import type { CellPlace, Migration } from '../place';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

export const bulkTransfers: Migration<CellPlace> = ({
  cell,
  app,
  api,
  worker,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.bulk_transfers (
    id             uuid PRIMARY KEY,
    partner_id     uuid NOT NULL,
    reference      text NOT NULL,
    status         text NOT NULL CHECK (status IN (${list(BULK_STATUSES)})),
    lines          integer NOT NULL CHECK (lines > 0),
    amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
    accepted_lines integer NOT NULL DEFAULT 0,
    refused_lines  integer NOT NULL DEFAULT 0,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    ended_at       timestamptz(3),
    CONSTRAINT bulk_transfers_counted CHECK (accepted_lines + refused_lines <= lines)
  );
  -- The list of a partner's bulk transfers, newest first.
  CREATE INDEX bulk_transfers_of_partner ON ${cell}.bulk_transfers (partner_id, created_at, id);
  -- What has work left: for reconciliation, and for the count of what a partner has open.
  CREATE INDEX bulk_transfers_unended ON ${cell}.bulk_transfers (partner_id) WHERE ended_at IS NULL;
  GRANT SELECT ON ${cell}.bulk_transfers TO ${app}, ${reconciler};
  GRANT INSERT ON ${cell}.bulk_transfers TO ${api};
  GRANT UPDATE (status) ON ${cell}.bulk_transfers TO ${app};
  GRANT UPDATE (accepted_lines, refused_lines, ended_at) ON ${cell}.bulk_transfers TO ${worker};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.bulk_transfers TO ${resetter};`)}

  CREATE TABLE ${cell}.bulk_transfer_lines (
    id             uuid PRIMARY KEY,
    bulk_id        uuid NOT NULL REFERENCES ${cell}.bulk_transfers,
    place          integer NOT NULL,
    reference      text NOT NULL,
    amount_kobo    bigint NOT NULL CHECK (amount_kobo > 0),
    -- What is to be posted; gone once there is a result, because the transaction has it.
    asked          json,
    -- The name of the bank account in it, sealed; null for a transfer to a wallet. It goes with it.
    account_name_sealed text,
    status         text NOT NULL DEFAULT 'waiting' CHECK (status IN (${list(LINE_STATUSES)})),
    transaction_id uuid,
    refusal        json,
    UNIQUE (bulk_id, place),
    CONSTRAINT bulk_transfer_lines_have_a_result CHECK (
      (status = 'accepted') = (transaction_id IS NOT NULL) AND (status = 'refused') = (refusal IS NOT NULL)),
    CONSTRAINT bulk_transfer_lines_are_asked CHECK ((asked IS NOT NULL) = (status IN ('waiting', 'running'))),
    CONSTRAINT bulk_transfer_lines_name_whom_they_pay CHECK (
      (account_name_sealed IS NOT NULL) = (asked->'to'->'bankCode' IS NOT NULL))
  );
  -- What begins next, and what was begun and has no result yet.
  CREATE INDEX bulk_transfer_lines_open ON ${cell}.bulk_transfer_lines (bulk_id, status, place)
    WHERE status IN ('waiting', 'running');
  CREATE FUNCTION ${cell}.refuse_line_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a line with a result never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER bulk_transfer_lines_end_once BEFORE UPDATE ON ${cell}.bulk_transfer_lines
    FOR EACH ROW WHEN (OLD.asked IS NULL OR (NEW.asked IS NOT NULL AND NEW.asked::text <> OLD.asked::text)
      -- Only the owner, who may change the amount too, seals a name anew under another key.
      OR (NEW.account_name_sealed <> OLD.account_name_sealed
          AND NOT has_column_privilege('${cell}.bulk_transfer_lines', 'amount_kobo', 'UPDATE')))
    EXECUTE FUNCTION ${cell}.refuse_line_change();
  GRANT SELECT ON ${cell}.bulk_transfer_lines TO ${app};
  GRANT INSERT ON ${cell}.bulk_transfer_lines TO ${api};
  GRANT UPDATE (asked, account_name_sealed, status, transaction_id, refusal) ON ${cell}.bulk_transfer_lines TO ${worker};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.bulk_transfer_lines TO ${resetter};`)}
`;
