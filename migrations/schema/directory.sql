-- Made by `npm run schema` out of a migrated database. The reasons are in the migrations.

GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_api;
GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_reconcile;
GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_reset;
GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_worker;

CREATE SEQUENCE directory.listed_banks_position_seq AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 9223372036854775807 START 1 CACHE 1 NO CYCLE;

CREATE SEQUENCE directory.nuban_serial AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 999999999 START 100000001 CACHE 1 NO CYCLE;
GRANT USAGE ON SEQUENCE directory.nuban_serial TO partner_wallet_sandbox_api;
GRANT USAGE ON SEQUENCE directory.nuban_serial TO partner_wallet_sandbox_worker;

CREATE OR REPLACE FUNCTION directory.refuse_day_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'directory', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a day that is closed never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION directory.refuse_line_of_closed_day()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'directory', 'pg_temp'
AS $function$
  DECLARE closed timestamptz;
  BEGIN
    -- The row of the day is locked, so that it is not closed at the same moment.
    SELECT closed_at INTO closed FROM provider_days WHERE provider = NEW.provider AND day = NEW.day FOR SHARE;
    IF closed IS NOT NULL THEN
      RAISE EXCEPTION 'the day of the line is closed' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $function$;

CREATE TABLE directory.bank_lists (
  company text NOT NULL,
  looked_at timestamp(3) with time zone NOT NULL,
  codes integer NOT NULL,
  names integer NOT NULL,
  gone integer NOT NULL,
  CONSTRAINT bank_lists_pkey PRIMARY KEY (company)
);
GRANT INSERT, SELECT, UPDATE ON directory.bank_lists TO partner_wallet_sandbox_worker;
GRANT SELECT ON directory.bank_lists TO partner_wallet_sandbox_api;

CREATE TABLE directory.dial_codes (
  code text NOT NULL,
  partner_id uuid NOT NULL,
  session_id uuid NOT NULL,
  phone text,
  gateway_session text,
  typed text DEFAULT ''::text NOT NULL,
  typed_at timestamp(3) with time zone,
  taken_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT dial_codes_pkey PRIMARY KEY (code),
  CONSTRAINT dial_codes_code_check CHECK ((code ~ '^[0-9]{6}$'::text)),
  CONSTRAINT dial_codes_typed_check CHECK ((typed ~ '^[12x]{0,100}$'::text))
);
CREATE INDEX dial_codes_of_gateway ON directory.dial_codes USING btree (gateway_session) WHERE (gateway_session IS NOT NULL);
CREATE INDEX dial_codes_of_partner ON directory.dial_codes USING btree (partner_id);
CREATE INDEX dial_codes_of_phone ON directory.dial_codes USING btree (phone, session_id DESC) WHERE (phone IS NOT NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON directory.dial_codes TO partner_wallet_sandbox_api;
GRANT DELETE, INSERT, SELECT, UPDATE ON directory.dial_codes TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON directory.dial_codes TO partner_wallet_sandbox_reset;

CREATE TABLE directory.inbound_claims (
  provider text NOT NULL,
  reference text NOT NULL,
  credit_id uuid NOT NULL,
  cell text NOT NULL,
  partner_id uuid,
  wallet_id uuid,
  claimed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT inbound_claims_pkey PRIMARY KEY (provider, reference),
  CONSTRAINT inbound_claims_credit_id_key UNIQUE (credit_id),
  CONSTRAINT inbound_claims_for_a_wallet CHECK (((partner_id IS NULL) = (wallet_id IS NULL)))
);
GRANT INSERT, SELECT ON directory.inbound_claims TO partner_wallet_sandbox_worker;
GRANT SELECT ON directory.inbound_claims TO partner_wallet_sandbox_api;

CREATE TABLE directory.listed_banks (
  company text NOT NULL,
  code text NOT NULL,
  nip_code text,
  name text NOT NULL,
  "position" bigint GENERATED AS IDENTITY NOT NULL,
  first_listed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT listed_banks_pkey PRIMARY KEY (company, code)
);
GRANT INSERT, SELECT ON directory.listed_banks TO partner_wallet_sandbox_worker;
GRANT SELECT ON directory.listed_banks TO partner_wallet_sandbox_api;

CREATE TABLE directory.movements_shipped (
  destination text NOT NULL,
  shipped_until timestamp(3) with time zone NOT NULL,
  CONSTRAINT movements_shipped_pkey PRIMARY KEY (destination)
);
GRANT INSERT, SELECT, UPDATE ON directory.movements_shipped TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON directory.movements_shipped TO partner_wallet_sandbox_api;
GRANT SELECT ON directory.movements_shipped TO partner_wallet_sandbox_worker;

CREATE TABLE directory.nuban_key (
  only_row boolean DEFAULT true NOT NULL,
  key uuid DEFAULT gen_random_uuid() NOT NULL,
  CONSTRAINT nuban_key_pkey PRIMARY KEY (only_row),
  CONSTRAINT nuban_key_only_row_check CHECK (only_row)
);
GRANT SELECT ON directory.nuban_key TO partner_wallet_sandbox_api;
GRANT SELECT ON directory.nuban_key TO partner_wallet_sandbox_worker;

CREATE TABLE directory.nubans (
  account_number text NOT NULL,
  bank_code text NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT nubans_pkey PRIMARY KEY (bank_code, account_number),
  CONSTRAINT nubans_wallet_id_key UNIQUE (wallet_id),
  CONSTRAINT nubans_account_number_check CHECK ((account_number ~ '^[0-9]{10}$'::text))
);
GRANT DELETE, SELECT ON directory.nubans TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON directory.nubans TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON directory.nubans TO partner_wallet_sandbox_worker;

CREATE TABLE directory.payout_routes (
  id uuid NOT NULL,
  bank_code text,
  from_kobo bigint NOT NULL,
  to_kobo bigint,
  provider text NOT NULL,
  priority integer NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT payout_routes_pkey PRIMARY KEY (id),
  CONSTRAINT payout_routes_band CHECK ((to_kobo >= from_kobo)),
  CONSTRAINT payout_routes_from_kobo_check CHECK ((from_kobo >= 0)),
  CONSTRAINT payout_routes_priority_check CHECK (((priority >= 1) AND (priority <= 1000)))
);
GRANT DELETE, INSERT, SELECT ON directory.payout_routes TO partner_wallet_sandbox_api;
GRANT SELECT ON directory.payout_routes TO partner_wallet_sandbox_worker;

CREATE UNLOGGED TABLE directory.provider_breakers (
  provider text NOT NULL,
  bank_code text NOT NULL,
  window_from timestamp(3) with time zone NOT NULL,
  calls integer NOT NULL,
  unknown integer NOT NULL,
  opened_at timestamp(3) with time zone,
  open_until timestamp(3) with time zone,
  is_probing boolean NOT NULL,
  CONSTRAINT provider_breakers_pkey PRIMARY KEY (provider, bank_code)
);
GRANT INSERT, SELECT, UPDATE ON directory.provider_breakers TO partner_wallet_sandbox_worker;
GRANT SELECT ON directory.provider_breakers TO partner_wallet_sandbox_api;

CREATE UNLOGGED TABLE directory.provider_calls (
  provider text NOT NULL,
  work text NOT NULL,
  window_start timestamp(3) with time zone NOT NULL,
  used integer NOT NULL,
  waiting integer DEFAULT 0 NOT NULL,
  closed_until timestamp(3) with time zone,
  CONSTRAINT provider_calls_pkey PRIMARY KEY (provider, work),
  CONSTRAINT provider_calls_work_check CHECK ((work = ANY (ARRAY['orders'::text, 'questions'::text])))
);
GRANT INSERT, SELECT, UPDATE ON directory.provider_calls TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON directory.provider_calls TO partner_wallet_sandbox_worker;

CREATE TABLE directory.provider_days (
  provider text NOT NULL,
  day date NOT NULL,
  opening_kobo bigint NOT NULL,
  closing_kobo bigint NOT NULL,
  lines integer NOT NULL,
  books_kobo bigint NOT NULL,
  under_way_kobo bigint NOT NULL,
  receivable_kobo bigint NOT NULL,
  checked_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  closed_at timestamp(3) with time zone,
  closed_by uuid,
  CONSTRAINT provider_days_pkey PRIMARY KEY (provider, day),
  CONSTRAINT provider_days_closed_by_people CHECK (((closed_at IS NULL) = (closed_by IS NULL)))
);
CREATE TRIGGER provider_days_stay_closed BEFORE DELETE OR UPDATE ON directory.provider_days FOR EACH ROW WHEN ((old.closed_at IS NOT NULL)) EXECUTE FUNCTION directory.refuse_day_change();
GRANT INSERT, SELECT, UPDATE (books_kobo, checked_at, closing_kobo, lines, opening_kobo, receivable_kobo, under_way_kobo) ON directory.provider_days TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON directory.provider_days TO partner_wallet_sandbox_worker;
GRANT SELECT, UPDATE (closed_at, closed_by) ON directory.provider_days TO partner_wallet_sandbox_api;

CREATE TABLE directory.provider_lines (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  provider text NOT NULL,
  line_id text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  own_day date NOT NULL,
  by_hand boolean NOT NULL,
  day date NOT NULL,
  about text NOT NULL,
  change_kobo bigint NOT NULL,
  balance_kobo bigint,
  reference text,
  provider_ref text,
  session_id text,
  transaction_id uuid,
  n integer,
  imported_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  told_again json,
  told_again_day date,
  withdrawn_at timestamp(3) with time zone,
  withdrawn_by uuid,
  CONSTRAINT provider_lines_pkey PRIMARY KEY (id),
  CONSTRAINT provider_lines_name_an_attempt CHECK (((transaction_id IS NULL) = (n IS NULL))),
  CONSTRAINT provider_lines_subjects CHECK ((about = ANY (ARRAY['payout'::text, 'inbound'::text, 'refund'::text, 'settlement'::text, 'other'::text]))),
  CONSTRAINT provider_lines_told_again CHECK (((told_again IS NULL) = (told_again_day IS NULL))),
  CONSTRAINT provider_lines_withdrawn_by_people CHECK (((withdrawn_at IS NULL) = (withdrawn_by IS NULL)))
);
CREATE INDEX provider_lines_by_id ON directory.provider_lines USING btree (provider, line_id);
CREATE INDEX provider_lines_of_attempt ON directory.provider_lines USING btree (transaction_id, n) WHERE (transaction_id IS NOT NULL);
CREATE INDEX provider_lines_of_day ON directory.provider_lines USING btree (provider, day);
CREATE UNIQUE INDEX provider_lines_once ON directory.provider_lines USING btree (provider, own_day, line_id) WHERE (withdrawn_at IS NULL);
CREATE INDEX provider_lines_told_again ON directory.provider_lines USING btree (provider, told_again_day) WHERE (told_again_day IS NOT NULL);
CREATE TRIGGER provider_lines_of_open_days BEFORE INSERT ON directory.provider_lines FOR EACH ROW EXECUTE FUNCTION directory.refuse_line_of_closed_day();
CREATE TRIGGER provider_lines_stay_on_closed_days BEFORE UPDATE OF withdrawn_at ON directory.provider_lines FOR EACH ROW EXECUTE FUNCTION directory.refuse_line_of_closed_day();
GRANT INSERT, SELECT, UPDATE (n, told_again, told_again_day, transaction_id) ON directory.provider_lines TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON directory.provider_lines TO partner_wallet_sandbox_worker;
GRANT SELECT, UPDATE (withdrawn_at, withdrawn_by) ON directory.provider_lines TO partner_wallet_sandbox_api;

CREATE TABLE directory.provider_notices (
  id uuid NOT NULL,
  provider text NOT NULL,
  body_sha256 text NOT NULL,
  reference text NOT NULL,
  about text NOT NULL,
  body_sealed text,
  received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  told_at timestamp(3) with time zone,
  CONSTRAINT provider_notices_pkey PRIMARY KEY (id),
  CONSTRAINT provider_notices_provider_body_sha256_key UNIQUE (provider, body_sha256),
  CONSTRAINT provider_notices_about_check CHECK ((about = ANY (ARRAY['payment'::text, 'return'::text])))
);
CREATE INDEX provider_notices_untold ON directory.provider_notices USING btree (received_at) WHERE (told_at IS NULL);
CREATE INDEX provider_notices_with_body ON directory.provider_notices USING btree (received_at) WHERE (body_sealed IS NOT NULL);
GRANT INSERT, SELECT, UPDATE (body_sealed, told_at) ON directory.provider_notices TO partner_wallet_sandbox_api;
GRANT SELECT, UPDATE (body_sealed, told_at) ON directory.provider_notices TO partner_wallet_sandbox_worker;

CREATE TABLE directory.restores (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  taken_at timestamp(3) with time zone NOT NULL,
  restored_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  searched_at timestamp(3) with time zone,
  CONSTRAINT restores_pkey PRIMARY KEY (id),
  CONSTRAINT restores_after_the_backup CHECK ((taken_at <= restored_at))
);
GRANT SELECT ON directory.restores TO partner_wallet_sandbox_api;
GRANT SELECT, UPDATE (searched_at) ON directory.restores TO partner_wallet_sandbox_worker;

CREATE TABLE directory.submitted_transfers (
  transaction_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  CONSTRAINT submitted_transfers_pkey PRIMARY KEY (transaction_id)
);
GRANT DELETE, INSERT, SELECT ON directory.submitted_transfers TO partner_wallet_sandbox_api;
GRANT DELETE, INSERT, SELECT ON directory.submitted_transfers TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON directory.submitted_transfers TO partner_wallet_sandbox_reset;

CREATE TABLE directory.treasury_entries (
  transaction_id uuid NOT NULL,
  entry text NOT NULL,
  provider text NOT NULL,
  line uuid NOT NULL,
  day date NOT NULL,
  undoes uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT treasury_entries_pkey PRIMARY KEY (transaction_id),
  CONSTRAINT treasury_entries_undoes_key UNIQUE (undoes),
  CONSTRAINT treasury_entries_line_fkey FOREIGN KEY (line) REFERENCES directory.provider_lines(id),
  CONSTRAINT treasury_entries_undoes_fkey FOREIGN KEY (undoes) REFERENCES directory.treasury_entries(transaction_id),
  CONSTRAINT treasury_entries_kinds CHECK ((entry = ANY (ARRAY['prefund'::text, 'withdrawal'::text, 'settlement_to_bank'::text, 'settlement_to_balance'::text, 'refund_taken'::text, 'refund_back'::text, 'fee'::text, 'fee_back'::text, 'fee_owed'::text, 'stamp_duty'::text, 'duty_back'::text, 'duty_paid_on'::text, 'bank_charge'::text, 'bank_duty'::text, 'paid_twice'::text, 'recovered'::text, 'paid_by_hand'::text])))
);
CREATE UNIQUE INDEX treasury_entries_explain_once ON directory.treasury_entries USING btree (line, entry) WHERE (undoes IS NULL);
CREATE TRIGGER treasury_entries_of_open_days BEFORE INSERT ON directory.treasury_entries FOR EACH ROW EXECUTE FUNCTION directory.refuse_line_of_closed_day();
GRANT INSERT, SELECT ON directory.treasury_entries TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON directory.treasury_entries TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON directory.treasury_entries TO partner_wallet_sandbox_worker;

CREATE UNLOGGED TABLE directory.webhook_hosts (
  host text NOT NULL,
  trials boolean NOT NULL,
  busy_until timestamp with time zone NOT NULL,
  granted integer NOT NULL,
  CONSTRAINT webhook_hosts_pkey PRIMARY KEY (host, trials)
) WITH (fillfactor=50);
GRANT INSERT, SELECT, UPDATE ON directory.webhook_hosts TO partner_wallet_sandbox_worker;
