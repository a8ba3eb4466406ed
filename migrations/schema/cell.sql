-- Made by `npm run schema` out of a migrated database. The reasons are in the migrations.

GRANT USAGE ON SCHEMA cell TO partner_wallet_sandbox_api;
GRANT USAGE ON SCHEMA cell TO partner_wallet_sandbox_reconcile;
GRANT USAGE ON SCHEMA cell TO partner_wallet_sandbox_reset;
GRANT USAGE ON SCHEMA cell TO partner_wallet_sandbox_worker;

CREATE DOMAIN cell.account_status AS text CHECK ((VALUE = ANY (ARRAY['pending'::text, 'active'::text, 'frozen'::text, 'closed'::text])));

CREATE DOMAIN cell.amount_kobo AS bigint CHECK ((VALUE > 0));

CREATE DOMAIN cell.balance_kobo AS bigint CHECK ((VALUE >= 0));

CREATE DOMAIN cell.entry_kobo AS bigint CHECK ((VALUE <> 0));

CREATE DOMAIN cell.entry_step AS text CHECK ((VALUE = ANY (ARRAY['accept'::text, 'settle'::text, 'return'::text])));

CREATE DOMAIN cell.fee_kobo AS bigint CHECK ((VALUE >= 0));

CREATE DOMAIN cell.freezer AS text CHECK ((VALUE = ANY (ARRAY['partner'::text, 'operator'::text])));

CREATE DOMAIN cell.limit_tier AS text CHECK ((VALUE = ANY (ARRAY['unverified'::text, 'tier_1'::text, 'tier_2'::text, 'business'::text])));

CREATE DOMAIN cell.rehearsed AS text CHECK (((VALUE ~ '^[a-z0-9_]+(:[0-9A-Z]+)?$'::text) OR (VALUE IS NULL)));

CREATE DOMAIN cell.transaction_status AS text CHECK ((VALUE = ANY (ARRAY['pending'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'reversed'::text, 'expired'::text])));

CREATE DOMAIN cell.transaction_type AS text CHECK ((VALUE = ANY (ARRAY['wallet_funding'::text, 'wallet_credit'::text, 'wallet_debit'::text, 'p2p_transfer'::text, 'bank_transfer'::text, 'ussd_payment'::text, 'qr_payment'::text, 'split_payment'::text, 'fee_deduction'::text, 'reversal'::text, 'settlement_payout'::text, 'late_payout'::text, 'unallocated_credit'::text, 'credit_refund'::text, 'return_shortfall'::text, 'treasury_entry'::text, 'suspense_move'::text, 'balancing_entry'::text])));

CREATE OR REPLACE FUNCTION cell.begin_reset(asking uuid, ordered uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE now_epoch integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('cell/reset/' || asking, 0));
    INSERT INTO partner_epochs AS known (partner_id, epoch, resetting, order_id, updated_at)
    VALUES (asking, 1, true, ordered, 'epoch')
    ON CONFLICT (partner_id) DO UPDATE SET resetting = true, order_id = ordered,
      epoch = CASE WHEN known.resetting THEN known.epoch ELSE known.epoch + 1 END
    RETURNING epoch INTO now_epoch;
    RETURN now_epoch;
  END $function$;

CREATE OR REPLACE FUNCTION cell.erase_checked_person(asking uuid, person text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE told uuid[];
  BEGIN
    IF EXISTS (SELECT FROM wallets WHERE partner_id = asking AND user_ref = person) THEN
      RAISE EXCEPTION 'somebody who has a wallet is erased with it' USING ERRCODE = 'restrict_violation';
    END IF;
    IF is_under_legal_hold(asking, person) THEN
      RAISE EXCEPTION 'nobody under a legal hold is erased' USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE verifications SET number_sealed = NULL, number_index = NULL, expected_name_sealed = NULL,
           found_name_sealed = NULL
     WHERE partner_id = asking AND user_ref = person AND status <> 'pending';
    told := ARRAY(SELECT id FROM events WHERE resource_id IN (
      SELECT id FROM verifications WHERE partner_id = asking AND user_ref = person));
    DELETE FROM deliveries WHERE event_id = ANY(told);
    DELETE FROM events WHERE id = ANY(told);
  END $function$;
GRANT EXECUTE ON FUNCTION cell.erase_checked_person(uuid,text) TO partner_wallet_sandbox_api;
REVOKE ALL ON FUNCTION cell.erase_checked_person(uuid,text) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.erase_person(asking uuid, wallet uuid, person text)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE told uuid[];
  BEGIN
    IF NOT EXISTS (SELECT FROM accounts WHERE id = wallet AND partner_id = asking AND status = 'closed') THEN
      RAISE EXCEPTION 'only the owner of a closed wallet is erased' USING ERRCODE = 'restrict_violation';
    END IF;
    IF is_under_legal_hold(asking, person) THEN
      RAISE EXCEPTION 'nobody under a legal hold is erased' USING ERRCODE = 'restrict_violation';
    END IF;
    UPDATE verifications SET number_sealed = NULL, number_index = NULL, expected_name_sealed = NULL,
           found_name_sealed = NULL
     WHERE partner_id = asking AND user_ref = person AND status <> 'pending';
    told := ARRAY(SELECT id FROM events WHERE resource_id = wallet OR resource_id IN (
      SELECT id FROM verifications WHERE partner_id = asking AND user_ref = person));
    DELETE FROM deliveries WHERE event_id = ANY(told);
    DELETE FROM events WHERE id = ANY(told);
  END $function$;
GRANT EXECUTE ON FUNCTION cell.erase_person(uuid,uuid,text) TO partner_wallet_sandbox_api;
GRANT EXECUTE ON FUNCTION cell.erase_person(uuid,uuid,text) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.erase_person(uuid,uuid,text) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.forget_directors(former uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE
    long_ago CONSTANT timestamptz := now() - interval '157852800000 milliseconds';
    gone integer;
  BEGIN
    IF EXISTS (SELECT FROM compliance_requests WHERE partner_id = former AND asked_at > long_ago)
       OR EXISTS (SELECT FROM wallets w JOIN accounts a USING (id) WHERE w.partner_id = former
                     AND (a.status IN ('active', 'frozen') OR a.updated_at > long_ago))
       OR is_under_legal_hold(former, NULL) THEN
      RETURN 0;
    END IF;
    UPDATE verifications SET number_sealed = NULL, number_index = NULL, expected_name_sealed = NULL,
           found_name_sealed = NULL
     WHERE director_id IN (SELECT id FROM directors WHERE partner_id = former) AND status <> 'pending';
    UPDATE directors SET full_name = 'ERASED', role = 'ERASED', bvn_sealed = NULL, nin_sealed = NULL
     WHERE partner_id = former AND full_name <> 'ERASED';
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
  END $function$;
GRANT EXECUTE ON FUNCTION cell.forget_directors(uuid) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.forget_directors(uuid) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.forget_lone_numbers(after_id uuid, page integer, OUT last uuid, OUT gone integer)
 RETURNS record
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE
    long_ago CONSTANT timestamptz := now() - interval '157852800000 milliseconds';
    seen CONSTANT uuid[] := ARRAY(
      SELECT id FROM verifications
       WHERE id > after_id AND id < rpad(lpad(to_hex((extract(epoch FROM long_ago) * 1000)::bigint), 12, '0'), 32, '0')::uuid
       ORDER BY id LIMIT page);
  BEGIN
    UPDATE verifications v SET number_sealed = NULL, number_index = NULL, expected_name_sealed = NULL,
           found_name_sealed = NULL
     WHERE id = ANY(seen) AND number_sealed IS NOT NULL AND subject = 'end_user' AND status <> 'pending'
       AND updated_at <= long_ago
       AND NOT EXISTS (SELECT FROM wallets w WHERE w.partner_id = v.partner_id AND w.user_ref = v.user_ref)
       AND NOT is_under_legal_hold(v.partner_id, v.user_ref);
    GET DIAGNOSTICS gone = ROW_COUNT;
    last := seen[page];
  END $function$;
GRANT EXECUTE ON FUNCTION cell.forget_lone_numbers(uuid,integer) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.forget_lone_numbers(uuid,integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.is_under_legal_hold(asking uuid, person text)
 RETURNS boolean
 LANGUAGE sql
 STABLE
 SET search_path TO 'cell', 'pg_temp'
AS $function$
    SELECT EXISTS (SELECT FROM legal_holds h WHERE h.partner_id = asking AND h.lifted_at IS NULL
                      AND (h.user_ref IS NULL OR h.user_ref = person));
  $function$;

CREATE OR REPLACE FUNCTION cell.keep_withdrawal(request uuid, of_partner uuid, since timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE
    taken_back CONSTANT timestamptz := (SELECT max(r.asked_at) FROM compliance_moves m
      JOIN compliance_requests r ON r.id = m.request_id
      WHERE m.partner_id = of_partner AND m.trigger = 'withdraw');
  BEGIN
    IF EXISTS (SELECT FROM compliance_requests WHERE id = request) THEN RETURN true; END IF;
    INSERT INTO compliance_requests (id, partner_id, kind, content, actor)
      SELECT request, of_partner, 'withdraw', '{}', 'mailbox'
       WHERE EXISTS (SELECT FROM compliance_requests WHERE partner_id = of_partner
                        AND kind IN ('business_info', 'directors', 'agreements', 'use_case')
                        AND (since IS NULL OR asked_at >= since)
                        AND (taken_back IS NULL OR asked_at > taken_back))
      ON CONFLICT (id) DO NOTHING;
    RETURN EXISTS (SELECT FROM compliance_requests WHERE id = request);
  END $function$;
GRANT EXECUTE ON FUNCTION cell.keep_withdrawal(uuid,uuid,timestamp with time zone) TO partner_wallet_sandbox_api;
GRANT EXECUTE ON FUNCTION cell.keep_withdrawal(uuid,uuid,timestamp with time zone) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.keep_withdrawal(uuid,uuid,timestamp with time zone) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.left_unbalanced(damaged uuid, of_step cell.entry_step, but_for uuid)
 RETURNS numeric
 LANGUAGE sql
 STABLE
 SET search_path TO 'cell', 'pg_temp'
AS $function$
    SELECT coalesce(sum(amount_kobo), 0) FROM (
      SELECT amount_kobo FROM cell.entries WHERE transaction_id = damaged AND step = of_step
      UNION ALL
      SELECT e.amount_kobo FROM cell.repairs p JOIN cell.entries e ON e.transaction_id = p.id
       WHERE p.resource = damaged AND p.step = of_step AND p.id <> but_for) AS booked
  $function$;

CREATE OR REPLACE FUNCTION cell.limit_facts(asking uuid, person text, OUT are_enforced boolean, OUT verified text[], OUT is_sandbox boolean)
 RETURNS record
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('cell/limits/' || asking, 0));
    PERFORM pg_advisory_xact_lock(hashtextextended('cell/limits/' || asking || '/' || person, 0));
    is_sandbox := true;
    are_enforced := EXISTS (SELECT FROM enforced_limits WHERE partner_id = asking);
    verified := ARRAY(SELECT DISTINCT type FROM verifications
                       WHERE partner_id = asking AND user_ref = person AND status = 'verified');
  END $function$;
GRANT EXECUTE ON FUNCTION cell.limit_facts(uuid,text) TO partner_wallet_sandbox_api;
GRANT EXECUTE ON FUNCTION cell.limit_facts(uuid,text) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.limit_facts(uuid,text) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.note_accounts_unlike_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE behind uuid[];
  BEGIN
    -- What another trigger writes here is noted by it.
    IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    SELECT array_agg(written.id) INTO behind FROM written WHERE NOT coalesce(
        (SELECT e.sequence = written.sequence AND e.balance_after_kobo = written.balance_kobo
           FROM cell.entries e WHERE e.account = written.id AND e.sequence IS NOT NULL
          ORDER BY e.sequence DESC LIMIT 1),
        written.sequence = 0 AND written.balance_kobo = 0);
    IF behind IS NULL THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      -- An account that was damaged past all checks can still be frozen.
      SELECT array_agg(written.id) INTO behind FROM written LEFT JOIN replaced USING (id)
       WHERE written.id = ANY(behind)
         AND (written.sequence, written.balance_kobo) IS DISTINCT FROM (replaced.sequence, replaced.balance_kobo);
    END IF;
    UPDATE cell.accounts SET limit_tier = limit_tier WHERE id = ANY(behind);
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.note_ended_endpoint(notice uuid, endpoint uuid, of_user uuid, of_kind text, from_address text, more jsonb)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
AS $function$
    INSERT INTO security_notices (id, partner_id, user_id, kind, address, detail)
      SELECT notice, partner_id, of_user, of_kind, from_address, more FROM webhook_endpoints
       WHERE id = endpoint AND deleted_at IS NOT NULL
         AND of_kind IN ('webhook_endpoint.deleted', 'webhook_endpoint.deleted_live')
  $function$;
GRANT EXECUTE ON FUNCTION cell.note_ended_endpoint(uuid,uuid,uuid,text,text,jsonb) TO partner_wallet_sandbox_api;
GRANT EXECUTE ON FUNCTION cell.note_ended_endpoint(uuid,uuid,uuid,text,text,jsonb) TO partner_wallet_sandbox_worker;
REVOKE ALL ON FUNCTION cell.note_ended_endpoint(uuid,uuid,uuid,text,text,jsonb) FROM PUBLIC;

CREATE OR REPLACE FUNCTION cell.refuse_accounts_unlike_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    PERFORM FROM cell.accounts a WHERE a.id = NEW.id AND NOT coalesce(
        (SELECT e.sequence = a.sequence AND e.balance_after_kobo = a.balance_kobo
           FROM cell.entries e WHERE e.account = a.id AND e.sequence IS NOT NULL
          ORDER BY e.sequence DESC LIMIT 1),
        a.sequence = 0 AND a.balance_kobo = 0);
    IF FOUND THEN
      RAISE EXCEPTION 'the balance of % is not the one after its newest entry', NEW.id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_action_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = 'partner_wallet_sandbox_reset' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'what was done to a wallet is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_another_transaction()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'what transaction % moves is never changed; a correction is a new transaction', OLD.id
      USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_attempt_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'an attempt that has ended never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = 'partner_wallet_sandbox_reset' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'ledger entries are never changed or deleted; a correction is a new transaction'
      USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_compliance_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'what was asked of a compliance record, and what came of it, never changes'
      USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_ended_holds()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    IF OLD.status <> 'open' THEN
      RAISE EXCEPTION 'hold % has ended: %', OLD.id, OLD.status USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_event_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'the payload of an event never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_line_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a line with a result never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_order_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = 'partner_wallet_sandbox_reset' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' AND num_nulls(OLD.used_at, OLD.withdrawn_at) = 2 THEN
      OLD.used_at := NEW.used_at;
      OLD.withdrawn_at := NEW.withdrawn_at;
      IF num_nulls(NEW.used_at, NEW.withdrawn_at) = 1 AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'an order never changes, and is used up or withdrawn once' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaned_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE wrong record;
  BEGIN
    SELECT event_id, endpoint_id INTO wrong FROM inserted
     WHERE (SELECT true FROM cell.events WHERE id = inserted.event_id) IS NULL
        OR (SELECT true FROM cell.webhook_endpoints WHERE id = inserted.endpoint_id) IS NULL;
    IF FOUND THEN
      RAISE EXCEPTION 'a delivery names event % and endpoint %, which are not both there', wrong.event_id,
        wrong.endpoint_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaned_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE wrong record;
  BEGIN
    SELECT source_wallet, dest_wallet,
           (SELECT resetting FROM cell.partner_epochs WHERE partner_id = inserted.partner_id) AS fenced
      INTO wrong FROM inserted
     WHERE (source_wallet IS NOT NULL
            AND (SELECT true FROM cell.accounts WHERE id = inserted.source_wallet) IS NULL)
        OR (dest_wallet IS NOT NULL
            AND (SELECT true FROM cell.accounts WHERE id = inserted.dest_wallet) IS NULL)
        OR (SELECT resetting FROM cell.partner_epochs WHERE partner_id = inserted.partner_id);
    IF wrong.fenced THEN
      RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'serialization_failure';
    ELSIF FOUND THEN
      RAISE EXCEPTION 'a transaction names % and %, which are not both in accounts', wrong.source_wallet,
        wrong.dest_wallet USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaning_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM deliveries WHERE endpoint_id = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of webhook_endpoints is named by deliveries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaning_entries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM entries WHERE transaction_id = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of transactions is named by entries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaning_events_deliveries()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
 SET enable_seqscan TO 'off'
AS $function$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted WHERE (SELECT true FROM deliveries WHERE event_id = deleted.id LIMIT 1);
    IF FOUND THEN
      RAISE EXCEPTION '% of events is named by deliveries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_orphaning_transactions()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_hashjoin TO 'off'
 SET enable_mergejoin TO 'off'
AS $function$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM transactions WHERE source_wallet = deleted.id)
        OR EXISTS (SELECT FROM transactions WHERE dest_wallet = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of accounts is named by transactions', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_repair_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = 'partner_wallet_sandbox_reset' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' AND OLD.approved_at IS NULL THEN
      OLD.approved_at := NEW.approved_at;
      OLD.approved_by := NEW.approved_by;
      IF NEW.approved_at IS NOT NULL AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'a repair never changes, and is approved once' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_run_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a run with a result never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_schedule_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'what a scheduled transfer pays never changes' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_while_resetting(asking uuid)
 RETURNS integer
 LANGUAGE plpgsql
 SET search_path TO 'cell', 'pg_temp'
AS $function$
  DECLARE known partner_epochs;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('cell/reset/' || asking, 0));
    SELECT * INTO known FROM partner_epochs WHERE partner_id = asking;
    IF known.resetting THEN
      RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'cannot_connect_now';
    END IF;
    RETURN coalesce(known.epoch, 0);
  END $function$;

CREATE OR REPLACE FUNCTION cell.refuse_wrong_entries()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
  DECLARE wrong record; behind uuid[]; noted int;
  BEGIN
    PERFORM FROM inserted GROUP BY transaction_id, step
     HAVING (sum(amount_kobo) <> 0
           -- A balancing entry makes good what damage has left in one step of another transaction (010_reconciliation.ts).
           AND sum(amount_kobo) IS DISTINCT FROM (
             SELECT -cell.left_unbalanced(resource, repairs.step, id) FROM cell.repairs
              WHERE id = inserted.transaction_id AND kind = 'step' AND approved_at IS NOT NULL)
        OR (SELECT true FROM cell.transactions WHERE id = inserted.transaction_id) IS NULL) OR bool_or(sequence IS NOT NULL
           AND (SELECT a.sequence >= inserted.sequence FROM cell.accounts a WHERE a.id = account) IS NOT TRUE) LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo INTO wrong
      FROM inserted GROUP BY transaction_id, step HAVING (sum(amount_kobo) <> 0
           -- A balancing entry makes good what damage has left in one step of another transaction (010_reconciliation.ts).
           AND sum(amount_kobo) IS DISTINCT FROM (
             SELECT -cell.left_unbalanced(resource, repairs.step, id) FROM cell.repairs
              WHERE id = inserted.transaction_id AND kind = 'step' AND approved_at IS NOT NULL)
        OR (SELECT true FROM cell.transactions WHERE id = inserted.transaction_id) IS NULL) LIMIT 1;
    IF wrong.sum_kobo <> 0 THEN
      RAISE EXCEPTION 'entries of transaction % (%) sum to %, not zero', wrong.transaction_id, wrong.step,
        wrong.sum_kobo USING ERRCODE = 'check_violation';
    ELSIF FOUND THEN
      RAISE EXCEPTION 'entries name %, which is not in transactions', wrong.transaction_id
        USING ERRCODE = 'foreign_key_violation';
    END IF;
    
    SELECT array_agg(DISTINCT account) INTO behind FROM inserted WHERE sequence IS NOT NULL
           AND (SELECT a.sequence >= inserted.sequence FROM cell.accounts a WHERE a.id = account) IS NOT TRUE;
    IF behind IS NOT NULL THEN
      UPDATE cell.accounts SET limit_tier = limit_tier WHERE id = ANY(behind);
      GET DIAGNOSTICS noted = ROW_COUNT;
      IF noted < cardinality(behind) THEN
        RAISE EXCEPTION 'entries name wallets that are not in accounts' USING ERRCODE = 'foreign_key_violation';
      END IF;
    END IF;
    RETURN NULL;
  END $function$;

CREATE OR REPLACE FUNCTION cell.summarize_moves()
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'cell', 'pg_temp'
 SET lock_timeout TO '100ms'
AS $function$
  BEGIN
    PERFORM brin_summarize_new_values('cell.transactions_by_move');
  EXCEPTION WHEN lock_not_available THEN
    NULL;
  END $function$;

CREATE TABLE cell.accounts (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  status cell.account_status NOT NULL,
  frozen_by cell.freezer,
  frozen_until timestamp(3) with time zone,
  balance_kobo cell.balance_kobo DEFAULT 0 NOT NULL,
  in_flight_kobo cell.balance_kobo DEFAULT 0 NOT NULL,
  held_kobo cell.balance_kobo DEFAULT 0 NOT NULL,
  sequence bigint DEFAULT 0 NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  limit_tier cell.limit_tier,
  counted_from timestamp(3) with time zone DEFAULT now() NOT NULL,
  day_debit_kobo cell.balance_kobo DEFAULT 0 NOT NULL,
  day_ussd_kobo cell.balance_kobo DEFAULT 0 NOT NULL,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_representable CHECK (((((balance_kobo)::bigint + (in_flight_kobo)::bigint) <= '9007199254740991'::bigint) AND ((held_kobo)::bigint <= (balance_kobo)::bigint)))
) WITH (fillfactor=50);
CREATE INDEX accounts_closed ON cell.accounts USING btree (id) WHERE ((status)::text = 'closed'::text);
CREATE INDEX accounts_pending ON cell.accounts USING btree (id) WHERE ((status)::text = 'pending'::text);
CREATE TRIGGER accounts_are_not_emptied BEFORE TRUNCATE ON cell.accounts FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_change();
CREATE TRIGGER accounts_keep_transactions AFTER DELETE ON cell.accounts REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaning_transactions();
CREATE CONSTRAINT TRIGGER accounts_match_at_commit AFTER UPDATE OF limit_tier ON cell.accounts DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN ((pg_trigger_depth() > 0)) EXECUTE FUNCTION cell.refuse_accounts_unlike_entries();
CREATE TRIGGER accounts_match_entries AFTER UPDATE ON cell.accounts REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION cell.note_accounts_unlike_entries();
CREATE TRIGGER accounts_opened_match_entries AFTER INSERT ON cell.accounts REFERENCING NEW TABLE AS written FOR EACH STATEMENT EXECUTE FUNCTION cell.note_accounts_unlike_entries();
GRANT DELETE, SELECT, UPDATE (updated_at) ON cell.accounts TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (balance_kobo, counted_from, day_debit_kobo, day_ussd_kobo, frozen_by, frozen_until, held_kobo, in_flight_kobo, limit_tier, sequence, status, updated_at) ON cell.accounts TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE (balance_kobo, counted_from, day_debit_kobo, day_ussd_kobo, frozen_by, frozen_until, held_kobo, in_flight_kobo, limit_tier, sequence, status, updated_at) ON cell.accounts TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.accounts TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.bulk_transfer_lines (
  id uuid NOT NULL,
  bulk_id uuid NOT NULL,
  place integer NOT NULL,
  reference text NOT NULL,
  amount_kobo bigint NOT NULL,
  asked json,
  account_name_sealed text,
  status text DEFAULT 'waiting'::text NOT NULL,
  transaction_id uuid,
  refusal json,
  CONSTRAINT bulk_transfer_lines_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_transfer_lines_bulk_id_place_key UNIQUE (bulk_id, place),
  CONSTRAINT bulk_transfer_lines_bulk_id_fkey FOREIGN KEY (bulk_id) REFERENCES cell.bulk_transfers(id),
  CONSTRAINT bulk_transfer_lines_amount_kobo_check CHECK ((amount_kobo > 0)),
  CONSTRAINT bulk_transfer_lines_are_asked CHECK (((asked IS NOT NULL) = (status = ANY (ARRAY['waiting'::text, 'running'::text])))),
  CONSTRAINT bulk_transfer_lines_have_a_result CHECK ((((status = 'accepted'::text) = (transaction_id IS NOT NULL)) AND ((status = 'refused'::text) = (refusal IS NOT NULL)))),
  CONSTRAINT bulk_transfer_lines_name_whom_they_pay CHECK (((account_name_sealed IS NOT NULL) = (((asked -> 'to'::text) -> 'bankCode'::text) IS NOT NULL))),
  CONSTRAINT bulk_transfer_lines_status_check CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'accepted'::text, 'refused'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_transfer_lines_open ON cell.bulk_transfer_lines USING btree (bulk_id, status, place) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE TRIGGER bulk_transfer_lines_end_once BEFORE UPDATE ON cell.bulk_transfer_lines FOR EACH ROW WHEN (((old.asked IS NULL) OR ((new.asked IS NOT NULL) AND ((new.asked)::text <> (old.asked)::text)) OR ((new.account_name_sealed <> old.account_name_sealed) AND (NOT has_column_privilege('cell.bulk_transfer_lines'::text, 'amount_kobo'::text, 'UPDATE'::text))))) EXECUTE FUNCTION cell.refuse_line_change();
GRANT DELETE, SELECT ON cell.bulk_transfer_lines TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.bulk_transfer_lines TO partner_wallet_sandbox_api;
GRANT SELECT, UPDATE (account_name_sealed, asked, refusal, status, transaction_id) ON cell.bulk_transfer_lines TO partner_wallet_sandbox_worker;

CREATE TABLE cell.bulk_transfers (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  reference text NOT NULL,
  status text NOT NULL,
  lines integer NOT NULL,
  amount_kobo bigint NOT NULL,
  accepted_lines integer DEFAULT 0 NOT NULL,
  refused_lines integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT bulk_transfers_pkey PRIMARY KEY (id),
  CONSTRAINT bulk_transfers_amount_kobo_check CHECK ((amount_kobo > 0)),
  CONSTRAINT bulk_transfers_counted CHECK (((accepted_lines + refused_lines) <= lines)),
  CONSTRAINT bulk_transfers_lines_check CHECK ((lines > 0)),
  CONSTRAINT bulk_transfers_status_check CHECK ((status = ANY (ARRAY['running'::text, 'paused'::text, 'completed'::text, 'cancelled'::text])))
);
CREATE INDEX bulk_transfers_of_partner ON cell.bulk_transfers USING btree (partner_id, created_at, id);
CREATE INDEX bulk_transfers_unended ON cell.bulk_transfers USING btree (partner_id) WHERE (ended_at IS NULL);
GRANT DELETE, SELECT ON cell.bulk_transfers TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (status) ON cell.bulk_transfers TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.bulk_transfers TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (accepted_lines, ended_at, refused_lines, status) ON cell.bulk_transfers TO partner_wallet_sandbox_worker;

CREATE TABLE cell.compliance_moves (
  request_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  sequence integer NOT NULL,
  trigger text NOT NULL,
  from_status text NOT NULL,
  to_status text NOT NULL,
  moved_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT compliance_moves_pkey PRIMARY KEY (request_id),
  CONSTRAINT compliance_moves_partner_id_sequence_key UNIQUE (partner_id, sequence),
  CONSTRAINT compliance_moves_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES cell.compliance_records(partner_id),
  CONSTRAINT compliance_moves_request_id_fkey FOREIGN KEY (request_id) REFERENCES cell.compliance_requests(id),
  CONSTRAINT compliance_moves_from_status_check CHECK ((from_status = ANY (ARRAY['incomplete'::text, 'submitted'::text, 'under_review'::text, 'approved'::text, 'rejected'::text, 'suspended'::text]))),
  CONSTRAINT compliance_moves_to_status_check CHECK ((to_status = ANY (ARRAY['incomplete'::text, 'submitted'::text, 'under_review'::text, 'approved'::text, 'rejected'::text, 'suspended'::text]))),
  CONSTRAINT compliance_moves_trigger_check CHECK ((trigger = ANY (ARRAY['edit'::text, 'submit'::text, 'claim'::text, 'approve'::text, 'reject'::text, 'suspend'::text, 'reinstate'::text, 'withdraw'::text])))
);
CREATE TRIGGER compliance_moves_are_final BEFORE DELETE OR UPDATE ON cell.compliance_moves FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_compliance_change();
GRANT INSERT, SELECT ON cell.compliance_moves TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.compliance_moves TO partner_wallet_sandbox_worker;

CREATE TABLE cell.compliance_records (
  partner_id uuid NOT NULL,
  status text DEFAULT 'incomplete'::text NOT NULL,
  cac_number text DEFAULT ''::text NOT NULL,
  business_type text DEFAULT ''::text NOT NULL,
  terms_version text DEFAULT ''::text NOT NULL,
  terms_accepted_at timestamp(3) with time zone,
  aml_policy_accepted_at timestamp(3) with time zone,
  dpa_accepted_at timestamp(3) with time zone,
  directors_set_id uuid,
  directors_submitted_at timestamp(3) with time zone,
  use_case_description text DEFAULT ''::text NOT NULL,
  rejection_reason text,
  reviewer text,
  moves integer DEFAULT 0 NOT NULL,
  followed integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT compliance_records_pkey PRIMARY KEY (partner_id),
  CONSTRAINT compliance_records_directors_set_id_fkey FOREIGN KEY (directors_set_id) REFERENCES cell.compliance_requests(id),
  CONSTRAINT compliance_records_business_type_check CHECK ((business_type = ANY (ARRAY[''::text, 'llc'::text, 'sole_prop'::text, 'ngo'::text, 'partnership'::text]))),
  CONSTRAINT compliance_records_followed_moves CHECK (((followed >= 0) AND (followed <= moves))),
  CONSTRAINT compliance_records_status_check CHECK ((status = ANY (ARRAY['incomplete'::text, 'submitted'::text, 'under_review'::text, 'approved'::text, 'rejected'::text, 'suspended'::text])))
);
GRANT INSERT, SELECT, UPDATE ON cell.compliance_records TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.compliance_records TO partner_wallet_sandbox_worker;

CREATE TABLE cell.compliance_requests (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL,
  content json NOT NULL,
  actor text NOT NULL,
  asked_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT compliance_requests_pkey PRIMARY KEY (id),
  CONSTRAINT compliance_requests_kind_check CHECK ((kind = ANY (ARRAY['business_info'::text, 'directors'::text, 'agreements'::text, 'use_case'::text, 'claim'::text, 'approve'::text, 'reject'::text, 'suspend'::text, 'reinstate'::text, 'withdraw'::text])))
);
CREATE TRIGGER compliance_requests_are_final BEFORE DELETE OR UPDATE ON cell.compliance_requests FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_compliance_change();
GRANT INSERT, SELECT ON cell.compliance_requests TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.compliance_requests TO partner_wallet_sandbox_worker;

CREATE TABLE cell.consents (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  verification_id uuid NOT NULL,
  basis text NOT NULL,
  given_at timestamp(3) with time zone,
  text_version text,
  channel text,
  request_id text NOT NULL,
  recorded_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT consents_pkey PRIMARY KEY (id),
  CONSTRAINT consents_verification_id_fkey FOREIGN KEY (verification_id) REFERENCES cell.verifications(id),
  CONSTRAINT consents_are_told_whole CHECK ((num_nulls(given_at, text_version, channel) =
CASE basis
    WHEN 'customer'::text THEN 0
    ELSE 3
END)),
  CONSTRAINT consents_basis_check CHECK ((basis = ANY (ARRAY['customer'::text, 'partner_agreement'::text])))
);
CREATE INDEX consents_of_partner ON cell.consents USING btree (partner_id);
CREATE INDEX consents_of_verification ON cell.consents USING btree (verification_id, id);
GRANT DELETE, SELECT ON cell.consents TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.consents TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.consents TO partner_wallet_sandbox_worker;

CREATE TABLE cell.deliveries (
  endpoint_id uuid NOT NULL,
  event_id uuid NOT NULL,
  event_name text NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  next_attempt_at timestamp(3) with time zone,
  claimed_until timestamp(3) with time zone,
  delivered_at timestamp(3) with time zone,
  last_status smallint,
  last_error text,
  last_duration_ms integer,
  CONSTRAINT deliveries_pkey PRIMARY KEY (event_id, endpoint_id)
) WITH (fillfactor=50);
CREATE INDEX deliveries_due ON cell.deliveries USING btree (endpoint_id, next_attempt_at) WHERE (next_attempt_at IS NOT NULL);
CREATE INDEX deliveries_given_up ON cell.deliveries USING btree (endpoint_id, event_id) WHERE ((next_attempt_at IS NULL) AND (delivered_at IS NULL));
CREATE TRIGGER deliveries_have_parents AFTER INSERT ON cell.deliveries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaned_deliveries();
GRANT DELETE, INSERT, SELECT, UPDATE ON cell.deliveries TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON cell.deliveries TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.deliveries TO partner_wallet_sandbox_api;

CREATE TABLE cell.delivery_tries (
  id uuid NOT NULL,
  event_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  at timestamp(3) with time zone DEFAULT now() NOT NULL,
  status smallint,
  error text,
  duration_ms integer NOT NULL,
  CONSTRAINT delivery_tries_pkey PRIMARY KEY (id),
  CONSTRAINT delivery_tries_event_id_endpoint_id_fkey FOREIGN KEY (event_id, endpoint_id) REFERENCES cell.deliveries(event_id, endpoint_id) ON DELETE CASCADE
);
CREATE INDEX delivery_tries_of_delivery ON cell.delivery_tries USING btree (event_id, endpoint_id, id);
GRANT INSERT, SELECT ON cell.delivery_tries TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.delivery_tries TO partner_wallet_sandbox_api;

CREATE TABLE cell.directors (
  id uuid NOT NULL,
  set_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  "position" smallint NOT NULL,
  full_name text NOT NULL,
  role text NOT NULL,
  bvn_sealed text,
  nin_sealed text,
  CONSTRAINT directors_pkey PRIMARY KEY (id),
  CONSTRAINT directors_set_id_position_key UNIQUE (set_id, "position"),
  CONSTRAINT directors_set_id_fkey FOREIGN KEY (set_id) REFERENCES cell.compliance_requests(id)
);
CREATE INDEX directors_of_partner ON cell.directors USING btree (partner_id);
GRANT INSERT, SELECT ON cell.directors TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.directors TO partner_wallet_sandbox_worker;

CREATE TABLE cell.enforced_limits (
  partner_id uuid NOT NULL,
  since timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT enforced_limits_pkey PRIMARY KEY (partner_id)
);
GRANT DELETE, INSERT, SELECT ON cell.enforced_limits TO partner_wallet_sandbox_api;
GRANT DELETE, SELECT ON cell.enforced_limits TO partner_wallet_sandbox_reset;
GRANT SELECT ON cell.enforced_limits TO partner_wallet_sandbox_worker;

CREATE TABLE cell.entries (
  transaction_id uuid NOT NULL,
  step cell.entry_step NOT NULL,
  account uuid NOT NULL,
  id uuid NOT NULL,
  amount_kobo cell.entry_kobo NOT NULL,
  sequence bigint,
  balance_after_kobo cell.balance_kobo,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT entries_pkey PRIMARY KEY (transaction_id, step, account),
  CONSTRAINT entries_number_with_balance CHECK (((sequence IS NULL) = (balance_after_kobo IS NULL)))
);
CREATE INDEX entries_in_suspense ON cell.entries USING btree (account) INCLUDE (amount_kobo) WHERE (account = ANY (ARRAY['00000000-0000-0000-0000-000000001900'::uuid, '00000000-0000-0000-0000-000000002900'::uuid]));
CREATE UNIQUE INDEX entries_of_wallet ON cell.entries USING btree (account, sequence) WHERE (sequence IS NOT NULL);
CREATE TRIGGER entries_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON cell.entries FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_change();
CREATE TRIGGER entries_are_right AFTER INSERT ON cell.entries REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_wrong_entries();
GRANT DELETE, SELECT ON cell.entries TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.entries TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.entries TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.entries TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.events (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  request_id uuid,
  data text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (id)
);
CREATE INDEX events_of_partner ON cell.events USING btree (partner_id, id);
CREATE INDEX events_of_resource ON cell.events USING btree (resource_id);
CREATE TRIGGER events_are_final BEFORE UPDATE ON cell.events FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_event_change();
CREATE TRIGGER events_are_not_emptied BEFORE TRUNCATE ON cell.events FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_event_change();
CREATE TRIGGER events_keep_deliveries AFTER DELETE ON cell.events REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaning_events_deliveries();
GRANT DELETE, INSERT, SELECT ON cell.events TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON cell.events TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.events TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.events TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.hand_orders (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL,
  resource_id uuid NOT NULL,
  verdict text NOT NULL,
  reason text,
  actor text NOT NULL,
  ordered_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  used_at timestamp(3) with time zone,
  withdrawn_at timestamp(3) with time zone,
  CONSTRAINT hand_orders_pkey PRIMARY KEY (id),
  CONSTRAINT hand_orders_end_once CHECK ((num_nonnulls(used_at, withdrawn_at) < 2)),
  CONSTRAINT hand_orders_known CHECK ((((((kind = 'settle_transfer'::text) AND (verdict = 'completed'::text)) OR ((kind = 'settle_transfer'::text) AND (verdict = 'failed'::text))) OR ((kind = 'pay_ussd'::text) AND (verdict = 'confirmed'::text))) OR ((kind = 'reset_sandbox'::text) AND (verdict = 'confirmed'::text))))
);
CREATE INDEX hand_orders_of_partner ON cell.hand_orders USING btree (partner_id);
CREATE INDEX hand_orders_of_resource ON cell.hand_orders USING btree (resource_id);
CREATE TRIGGER hand_orders_are_final BEFORE DELETE OR UPDATE ON cell.hand_orders FOR EACH ROW EXECUTE FUNCTION cell.refuse_order_change();
GRANT DELETE, SELECT, UPDATE (used_at) ON cell.hand_orders TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (used_at, withdrawn_at) ON cell.hand_orders TO partner_wallet_sandbox_api;
GRANT SELECT, UPDATE (used_at) ON cell.hand_orders TO partner_wallet_sandbox_worker;

CREATE TABLE cell.holds (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  amount_kobo bigint NOT NULL,
  reference text NOT NULL,
  status text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  transaction_id uuid,
  captured_kobo bigint,
  capture_terms text,
  CONSTRAINT holds_pkey PRIMARY KEY (id),
  CONSTRAINT holds_partner_id_reference_key UNIQUE (partner_id, reference),
  CONSTRAINT holds_transaction_id_key UNIQUE (transaction_id),
  CONSTRAINT holds_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES cell.transactions(id),
  CONSTRAINT holds_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES cell.accounts(id),
  CONSTRAINT holds_amount_kobo_check CHECK ((amount_kobo > 0)),
  CONSTRAINT holds_are_captured_by_a_payment CHECK ((num_nonnulls(transaction_id, captured_kobo, capture_terms) =
CASE status
    WHEN 'captured'::text THEN 3
    ELSE 0
END)),
  CONSTRAINT holds_check CHECK (((captured_kobo > 0) AND (captured_kobo <= amount_kobo))),
  CONSTRAINT holds_end_at_a_time CHECK (((status = 'open'::text) = (ended_at IS NULL))),
  CONSTRAINT holds_status_check CHECK ((status = ANY (ARRAY['open'::text, 'captured'::text, 'released'::text, 'expired'::text])))
);
CREATE INDEX holds_of_partner ON cell.holds USING btree (partner_id, created_at, id);
CREATE INDEX holds_of_wallet ON cell.holds USING btree (wallet_id);
CREATE INDEX holds_open ON cell.holds USING btree (id) WHERE (status = 'open'::text);
CREATE INDEX holds_open_of_wallet ON cell.holds USING btree (wallet_id) WHERE (status = 'open'::text);
CREATE TRIGGER holds_end_once BEFORE UPDATE ON cell.holds FOR EACH ROW EXECUTE FUNCTION cell.refuse_ended_holds();
GRANT DELETE, SELECT ON cell.holds TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.holds TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.holds TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.holds TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.idempotency_keys (
  partner_id uuid NOT NULL,
  operation text NOT NULL,
  key text NOT NULL,
  fingerprint text NOT NULL,
  status smallint,
  body_sealed text,
  resource_id uuid,
  transaction_id uuid,
  form text,
  request_id uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT idempotency_keys_pkey PRIMARY KEY (partner_id, operation, key),
  CONSTRAINT idempotency_keys_have_an_answer CHECK (((num_nulls(body_sealed, transaction_id) = 1) AND (num_nulls(resource_id, transaction_id) = 1)))
);
CREATE INDEX idempotency_keys_by_age ON cell.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX idempotency_keys_of_resource ON cell.idempotency_keys USING btree (resource_id) WHERE (resource_id IS NOT NULL);
GRANT DELETE, INSERT, SELECT ON cell.idempotency_keys TO partner_wallet_sandbox_api;
GRANT DELETE, INSERT, SELECT ON cell.idempotency_keys TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON cell.idempotency_keys TO partner_wallet_sandbox_reset;

CREATE TABLE cell.inbound_credits (
  id uuid NOT NULL,
  provider text NOT NULL,
  reference text NOT NULL,
  provider_ref text NOT NULL,
  amount_kobo cell.amount_kobo NOT NULL,
  fee_kobo cell.fee_kobo,
  bank_code text,
  account_number text NOT NULL,
  partner_id uuid,
  wallet_id uuid,
  sender_sealed text,
  allocated_to uuid,
  allocated_as uuid,
  refund_id uuid,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT inbound_credits_pkey PRIMARY KEY (id),
  CONSTRAINT inbound_credits_allocated_as_key UNIQUE (allocated_as),
  CONSTRAINT inbound_credits_provider_provider_ref_key UNIQUE (provider, provider_ref),
  CONSTRAINT inbound_credits_provider_reference_key UNIQUE (provider, reference),
  CONSTRAINT inbound_credits_refund_id_key UNIQUE (refund_id),
  CONSTRAINT inbound_credits_allocated_whole CHECK (((allocated_to IS NULL) = (allocated_as IS NULL))),
  CONSTRAINT inbound_credits_goes_one_way CHECK (((refund_id IS NULL) OR (allocated_to IS NULL))),
  CONSTRAINT inbound_credits_of_a_wallet CHECK (((partner_id IS NULL) = (wallet_id IS NULL)))
);
GRANT INSERT, SELECT, UPDATE (refund_id, sender_sealed) ON cell.inbound_credits TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.inbound_credits TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (allocated_as, allocated_to, refund_id, sender_sealed) ON cell.inbound_credits TO partner_wallet_sandbox_api;

CREATE TABLE cell.inbound_refunds (
  id uuid NOT NULL,
  credit_id uuid NOT NULL,
  provider text NOT NULL,
  amount_kobo cell.amount_kobo NOT NULL,
  state text DEFAULT 'sending'::text NOT NULL,
  is_posted boolean DEFAULT false NOT NULL,
  provider_ref text,
  failed_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT inbound_refunds_pkey PRIMARY KEY (id),
  CONSTRAINT inbound_refunds_state_check CHECK ((state = ANY (ARRAY['sending'::text, 'accepted'::text, 'failed'::text, 'released'::text, 'succeeded'::text])))
);
CREATE UNIQUE INDEX inbound_refunds_by_provider_ref ON cell.inbound_refunds USING btree (provider, provider_ref) WHERE (state = ANY (ARRAY['sending'::text, 'accepted'::text, 'succeeded'::text]));
CREATE UNIQUE INDEX inbound_refunds_one_at_a_time ON cell.inbound_refunds USING btree (credit_id) WHERE (state = ANY (ARRAY['sending'::text, 'accepted'::text, 'succeeded'::text]));
GRANT INSERT, SELECT, UPDATE (failed_at, is_posted, provider_ref, state, updated_at) ON cell.inbound_refunds TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.inbound_refunds TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (failed_at, is_posted, provider_ref, state, updated_at) ON cell.inbound_refunds TO partner_wallet_sandbox_worker;

CREATE TABLE cell.key_days (
  key_id uuid NOT NULL,
  day date NOT NULL,
  requests bigint NOT NULL,
  CONSTRAINT key_days_pkey PRIMARY KEY (key_id, day)
) WITH (fillfactor=50);
CREATE INDEX key_days_by_age ON cell.key_days USING brin (day);
GRANT DELETE, SELECT ON cell.key_days TO partner_wallet_sandbox_worker;
GRANT INSERT, SELECT, UPDATE (requests) ON cell.key_days TO partner_wallet_sandbox_api;

CREATE TABLE cell.legal_holds (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid,
  verification_id uuid,
  user_ref text,
  reason text NOT NULL,
  placed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  lifted_at timestamp(3) with time zone,
  CONSTRAINT legal_holds_pkey PRIMARY KEY (id),
  CONSTRAINT legal_holds_name_one_person CHECK ((num_nonnulls(wallet_id, verification_id) = num_nonnulls(user_ref)))
);
CREATE INDEX legal_holds_by_time ON cell.legal_holds USING btree (placed_at, id);
CREATE INDEX legal_holds_in_force ON cell.legal_holds USING btree (partner_id) WHERE (lifted_at IS NULL);
GRANT INSERT, SELECT, UPDATE (lifted_at) ON cell.legal_holds TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.legal_holds TO partner_wallet_sandbox_worker;

CREATE TABLE cell.own_mfb_credits (
  bank_transfer_id uuid NOT NULL,
  funding_id uuid NOT NULL,
  CONSTRAINT own_mfb_credits_pkey PRIMARY KEY (bank_transfer_id),
  CONSTRAINT own_mfb_credits_funding_id_key UNIQUE (funding_id),
  CONSTRAINT own_mfb_credits_funding_id_fkey FOREIGN KEY (funding_id) REFERENCES cell.transactions(id)
);
GRANT DELETE, SELECT ON cell.own_mfb_credits TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.own_mfb_credits TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.own_mfb_credits TO partner_wallet_sandbox_worker;

CREATE TABLE cell.partner_epochs (
  partner_id uuid NOT NULL,
  epoch integer NOT NULL,
  resetting boolean NOT NULL,
  order_id uuid NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT partner_epochs_pkey PRIMARY KEY (partner_id),
  CONSTRAINT partner_epochs_epoch_check CHECK ((epoch > 0))
);
GRANT INSERT, SELECT, UPDATE ON cell.partner_epochs TO partner_wallet_sandbox_reset;
GRANT SELECT ON cell.partner_epochs TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.partner_epochs TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON cell.partner_epochs TO partner_wallet_sandbox_worker;

CREATE TABLE cell.provider_callbacks (
  id uuid NOT NULL,
  provider text NOT NULL,
  event_id text NOT NULL,
  partner_id uuid,
  transaction_id uuid,
  attempt_n integer,
  provider_reference text NOT NULL,
  outcome text NOT NULL,
  amount_kobo bigint NOT NULL,
  currency text NOT NULL,
  occurred_at timestamp(3) with time zone NOT NULL,
  body_sealed text,
  received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  told_at timestamp(3) with time zone,
  compared_at timestamp(3) with time zone,
  CONSTRAINT provider_callbacks_pkey PRIMARY KEY (id),
  CONSTRAINT provider_callbacks_provider_event_id_key UNIQUE (provider, event_id),
  CONSTRAINT provider_callbacks_of_a_partner CHECK (((partner_id IS NULL) = (transaction_id IS NULL)))
);
CREATE INDEX provider_callbacks_of_transfer ON cell.provider_callbacks USING btree (transaction_id);
CREATE INDEX provider_callbacks_uncompared ON cell.provider_callbacks USING btree (received_at) WHERE (compared_at IS NULL);
CREATE INDEX provider_callbacks_untold ON cell.provider_callbacks USING btree (received_at) WHERE (told_at IS NULL);
CREATE INDEX provider_callbacks_with_body ON cell.provider_callbacks USING btree (received_at) WHERE (body_sealed IS NOT NULL);
GRANT DELETE, SELECT ON cell.provider_callbacks TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.provider_callbacks TO partner_wallet_sandbox_api;
GRANT SELECT, UPDATE (compared_at) ON cell.provider_callbacks TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE ON cell.provider_callbacks TO partner_wallet_sandbox_worker;

CREATE TABLE cell.provider_customers (
  wallet_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  provider text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  closed_at timestamp(3) with time zone,
  CONSTRAINT provider_customers_pkey PRIMARY KEY (wallet_id)
);
GRANT INSERT, SELECT, UPDATE (closed_at) ON cell.provider_customers TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.provider_customers TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (closed_at) ON cell.provider_customers TO partner_wallet_sandbox_api;

CREATE TABLE cell.qr_requests (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  amount_kobo bigint NOT NULL,
  reference text NOT NULL,
  label text NOT NULL,
  payee_name_sealed text,
  description text DEFAULT ''::text NOT NULL,
  metadata json DEFAULT '{}'::json NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  transaction_id uuid,
  paid_by uuid,
  CONSTRAINT qr_requests_pkey PRIMARY KEY (id),
  CONSTRAINT qr_requests_label_key UNIQUE (label),
  CONSTRAINT qr_requests_partner_id_reference_key UNIQUE (partner_id, reference),
  CONSTRAINT qr_requests_transaction_id_key UNIQUE (transaction_id),
  CONSTRAINT qr_requests_paid_by_fkey FOREIGN KEY (paid_by) REFERENCES cell.accounts(id),
  CONSTRAINT qr_requests_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES cell.transactions(id),
  CONSTRAINT qr_requests_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES cell.accounts(id),
  CONSTRAINT qr_requests_amount_kobo_check CHECK ((amount_kobo > 0)),
  CONSTRAINT qr_requests_label_check CHECK ((label ~ '^[0-9A-HJKMNP-TV-Z]{12}$'::text)),
  CONSTRAINT qr_requests_paid_by_somebody CHECK (((transaction_id IS NULL) = (paid_by IS NULL)))
);
CREATE INDEX qr_requests_of_partner ON cell.qr_requests USING btree (partner_id, created_at, id);
CREATE INDEX qr_requests_of_payer ON cell.qr_requests USING btree (paid_by) WHERE (paid_by IS NOT NULL);
CREATE INDEX qr_requests_of_wallet ON cell.qr_requests USING btree (wallet_id);
GRANT DELETE, SELECT ON cell.qr_requests TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.qr_requests TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.qr_requests TO partner_wallet_sandbox_worker;

CREATE UNLOGGED TABLE cell.rate_windows (
  partner_id uuid NOT NULL,
  window_start timestamp with time zone NOT NULL,
  used integer NOT NULL,
  CONSTRAINT rate_windows_pkey PRIMARY KEY (partner_id)
) WITH (fillfactor=50);
GRANT DELETE, INSERT, SELECT, UPDATE ON cell.rate_windows TO partner_wallet_sandbox_worker;
GRANT INSERT, SELECT, UPDATE ON cell.rate_windows TO partner_wallet_sandbox_api;

CREATE TABLE cell.recon_findings (
  id uuid NOT NULL,
  class text NOT NULL,
  resource text NOT NULL,
  detail json NOT NULL,
  first_seen timestamp(3) with time zone DEFAULT now() NOT NULL,
  last_seen timestamp(3) with time zone DEFAULT now() NOT NULL,
  closed_at timestamp(3) with time zone,
  closed_by text,
  closed_note text,
  account text,
  kobo bigint,
  CONSTRAINT recon_findings_pkey PRIMARY KEY (id),
  CONSTRAINT recon_findings_account_check CHECK ((account = ANY (ARRAY['1900'::text, '2900'::text]))),
  CONSTRAINT recon_findings_class_check CHECK ((class = ANY (ARRAY['ledger_unbalanced'::text, 'transaction_unbalanced'::text, 'transaction_impossible'::text, 'balance_mismatch'::text, 'held_mismatch'::text, 'chain_broken'::text, 'entries_missing'::text, 'processing_too_long'::text, 'reversal_missing'::text, 'reversal_repeated'::text, 'provider_contradiction'::text, 'paid_after_all'::text, 'return_unallocated'::text, 'payment_unallocated'::text, 'payment_unconfirmed'::text, 'payment_returned'::text, 'refund_stuck'::text, 'debit_unexplained'::text, 'adjustment_unexplained'::text, 'suspense_differs'::text, 'provider_unknown'::text, 'fee_mismatch'::text, 'event_missing'::text, 'expired_but_open'::text, 'workflow_missing'::text, 'workflow_failing'::text, 'line_unmatched'::text, 'booked_not_at_provider'::text, 'amount_differs'::text, 'status_differs'::text, 'fee_differs'::text, 'paid_twice'::text, 'line_differs'::text, 'balance_differs'::text, 'lost_in_restore'::text]))),
  CONSTRAINT recon_findings_close_without_money CHECK (((closed_at IS NULL) OR (COALESCE(kobo, (0)::bigint) = 0))),
  CONSTRAINT recon_findings_closed_at_a_time CHECK (((closed_at IS NOT NULL) OR (num_nonnulls(closed_by, closed_note) = 0))),
  CONSTRAINT recon_findings_money_in_an_account CHECK (((account IS NULL) = (kobo IS NULL)))
);
CREATE UNIQUE INDEX recon_findings_open ON cell.recon_findings USING btree (class, resource) WHERE (closed_at IS NULL);
GRANT INSERT, SELECT, UPDATE ON cell.recon_findings TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.recon_findings TO partner_wallet_sandbox_reconcile;
GRANT INSERT, SELECT, UPDATE ON cell.recon_findings TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.recon_findings TO partner_wallet_sandbox_worker;

CREATE TABLE cell.recon_progress (
  pass text NOT NULL,
  "position" text NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT recon_progress_pkey PRIMARY KEY (pass)
);
GRANT INSERT, SELECT, UPDATE ON cell.recon_progress TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.recon_progress TO partner_wallet_sandbox_reconcile;
GRANT INSERT, SELECT, UPDATE ON cell.recon_progress TO partner_wallet_sandbox_worker;

CREATE TABLE cell.repairs (
  id uuid NOT NULL,
  proposal_id uuid NOT NULL,
  finding_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL,
  resource uuid NOT NULL,
  step cell.entry_step,
  terms text NOT NULL,
  note text NOT NULL,
  evidence_ref text NOT NULL,
  proposed_by text NOT NULL,
  proposed_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  approved_by text,
  approved_at timestamp(3) with time zone,
  CONSTRAINT repairs_pkey PRIMARY KEY (id),
  CONSTRAINT repairs_finding_id_fkey FOREIGN KEY (finding_id) REFERENCES cell.recon_findings(id),
  CONSTRAINT repairs_approved_by_somebody CHECK (((approved_at IS NULL) = (approved_by IS NULL))),
  CONSTRAINT repairs_by_two_people CHECK ((lower(approved_by) <> lower(proposed_by))),
  CONSTRAINT repairs_kind_check CHECK ((kind = ANY (ARRAY['step'::text, 'account'::text]))),
  CONSTRAINT repairs_of_a_step CHECK (((kind = 'step'::text) = (step IS NOT NULL)))
);
CREATE INDEX repairs_of_partner ON cell.repairs USING btree (partner_id);
CREATE INDEX repairs_of_resource ON cell.repairs USING btree (resource);
CREATE TRIGGER repairs_are_final BEFORE DELETE OR UPDATE ON cell.repairs FOR EACH ROW EXECUTE FUNCTION cell.refuse_repair_change();
GRANT DELETE, SELECT ON cell.repairs TO partner_wallet_sandbox_reset;
GRANT SELECT ON cell.repairs TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.repairs TO partner_wallet_sandbox_reconcile;
GRANT SELECT ON cell.repairs TO partner_wallet_sandbox_worker;

CREATE TABLE cell.requests (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  method text NOT NULL,
  operation text NOT NULL,
  status smallint,
  code text,
  duration_ms integer NOT NULL,
  key_prefix text,
  idempotency_key text,
  replayed boolean NOT NULL,
  fault cell.rehearsed,
  resource_id uuid,
  ignored_fields text,
  request_body text,
  response_body text,
  truncated boolean DEFAULT false NOT NULL,
  CONSTRAINT requests_pkey PRIMARY KEY (partner_id, id)
);
CREATE INDEX requests_by_age ON cell.requests USING brin (id);
CREATE INDEX requests_of_resource ON cell.requests USING btree (resource_id, id) WHERE (resource_id IS NOT NULL);
GRANT DELETE, SELECT ON cell.requests TO partner_wallet_sandbox_worker;
GRANT INSERT, SELECT ON cell.requests TO partner_wallet_sandbox_api;

CREATE TABLE cell.retiring_webhook_secrets (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  endpoint_id uuid NOT NULL,
  secret_sealed text NOT NULL,
  retires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT retiring_webhook_secrets_pkey PRIMARY KEY (id),
  CONSTRAINT retiring_webhook_secrets_endpoint_id_fkey FOREIGN KEY (endpoint_id) REFERENCES cell.webhook_endpoints(id)
);
CREATE INDEX retiring_webhook_secrets_of_endpoint ON cell.retiring_webhook_secrets USING btree (endpoint_id);
GRANT DELETE, INSERT, SELECT, UPDATE ON cell.retiring_webhook_secrets TO partner_wallet_sandbox_worker;
GRANT INSERT, SELECT, UPDATE ON cell.retiring_webhook_secrets TO partner_wallet_sandbox_api;

CREATE TABLE cell.reversals (
  original_id uuid NOT NULL,
  reversal_id uuid NOT NULL,
  CONSTRAINT reversals_pkey PRIMARY KEY (original_id),
  CONSTRAINT reversals_reversal_id_key UNIQUE (reversal_id),
  CONSTRAINT reversals_original_id_fkey FOREIGN KEY (original_id) REFERENCES cell.transactions(id),
  CONSTRAINT reversals_reversal_id_fkey FOREIGN KEY (reversal_id) REFERENCES cell.transactions(id)
);
GRANT DELETE, SELECT ON cell.reversals TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.reversals TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.reversals TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.reversals TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.sandbox_forwards (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  forwarded_ms bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  CONSTRAINT sandbox_forwards_pkey PRIMARY KEY (id),
  CONSTRAINT sandbox_forwards_forwarded_ms_check CHECK ((forwarded_ms > 0))
);
CREATE INDEX sandbox_forwards_of_partner ON cell.sandbox_forwards USING btree (partner_id, at);
GRANT DELETE, SELECT ON cell.sandbox_forwards TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.sandbox_forwards TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.sandbox_forwards TO partner_wallet_sandbox_worker;

CREATE TABLE cell.sandbox_requirements (
  partner_id uuid NOT NULL,
  since timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sandbox_requirements_pkey PRIMARY KEY (partner_id)
);
GRANT DELETE, INSERT, SELECT ON cell.sandbox_requirements TO partner_wallet_sandbox_api;
GRANT DELETE, SELECT ON cell.sandbox_requirements TO partner_wallet_sandbox_reset;

CREATE UNLOGGED TABLE cell.sandbox_storage (
  partner_id uuid NOT NULL,
  erasable_bytes bigint NOT NULL,
  kept_bytes bigint NOT NULL,
  CONSTRAINT sandbox_storage_pkey PRIMARY KEY (partner_id),
  CONSTRAINT sandbox_storage_erasable_bytes_check CHECK ((erasable_bytes >= 0)),
  CONSTRAINT sandbox_storage_kept_bytes_check CHECK ((kept_bytes >= 0))
) WITH (fillfactor=50);
GRANT INSERT, SELECT, UPDATE ON cell.sandbox_storage TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.sandbox_storage TO partner_wallet_sandbox_worker;
GRANT SELECT, UPDATE ON cell.sandbox_storage TO partner_wallet_sandbox_reset;

CREATE TABLE cell.scheduled_transfer_runs (
  scheduled_transfer_id uuid NOT NULL,
  number integer NOT NULL,
  due_at timestamp(3) with time zone NOT NULL,
  reference text NOT NULL,
  status text NOT NULL,
  transaction_id uuid,
  reason text,
  ended_at timestamp(3) with time zone,
  CONSTRAINT scheduled_transfer_runs_pkey PRIMARY KEY (scheduled_transfer_id, number),
  CONSTRAINT scheduled_transfer_runs_scheduled_transfer_id_fkey FOREIGN KEY (scheduled_transfer_id) REFERENCES cell.scheduled_transfers(id),
  CONSTRAINT scheduled_transfer_runs_have_a_result CHECK ((((status = 'paid'::text) = (transaction_id IS NOT NULL)) AND ((status = ANY (ARRAY['waiting'::text, 'skipped'::text, 'failed'::text])) = (reason IS NOT NULL)) AND ((status = ANY (ARRAY['running'::text, 'waiting'::text])) = (ended_at IS NULL)))),
  CONSTRAINT scheduled_transfer_runs_number_check CHECK ((number > 0)),
  CONSTRAINT scheduled_transfer_runs_status_check CHECK ((status = ANY (ARRAY['running'::text, 'waiting'::text, 'paid'::text, 'skipped'::text, 'failed'::text])))
);
CREATE UNIQUE INDEX scheduled_transfer_runs_open ON cell.scheduled_transfer_runs USING btree (scheduled_transfer_id) WHERE (ended_at IS NULL);
CREATE TRIGGER scheduled_transfer_runs_end_once BEFORE UPDATE ON cell.scheduled_transfer_runs FOR EACH ROW WHEN ((old.ended_at IS NOT NULL)) EXECUTE FUNCTION cell.refuse_run_change();
GRANT DELETE, SELECT ON cell.scheduled_transfer_runs TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (ended_at, reason, status, transaction_id) ON cell.scheduled_transfer_runs TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.scheduled_transfer_runs TO partner_wallet_sandbox_api;

CREATE TABLE cell.scheduled_transfers (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  reference text NOT NULL,
  status text NOT NULL,
  source_wallet uuid NOT NULL,
  dest_wallet uuid,
  bank_code text,
  account_number text,
  amount_kobo bigint NOT NULL,
  asked json,
  account_name_sealed text,
  due_at timestamp(3) with time zone,
  rule json,
  count integer,
  on_insufficient_funds text NOT NULL,
  next_number integer DEFAULT 1 NOT NULL,
  next_due_at timestamp(3) with time zone,
  look_at timestamp(3) with time zone,
  paid integer DEFAULT 0 NOT NULL,
  skipped integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT scheduled_transfers_pkey PRIMARY KEY (id),
  CONSTRAINT scheduled_transfers_amount_kobo_check CHECK ((amount_kobo > 0)),
  CONSTRAINT scheduled_transfers_count_check CHECK ((count > 0)),
  CONSTRAINT scheduled_transfers_have_one_destination CHECK (((num_nonnulls(dest_wallet, bank_code) = 1) AND ((bank_code IS NULL) = (account_number IS NULL)))),
  CONSTRAINT scheduled_transfers_have_times CHECK (((num_nonnulls(due_at, rule) = 1) AND ((count IS NULL) OR (rule IS NOT NULL)))),
  CONSTRAINT scheduled_transfers_look_until_they_end CHECK ((((ended_at IS NULL) = (look_at IS NOT NULL)) AND ((ended_at IS NULL) = (asked IS NOT NULL)) AND ((ended_at IS NOT NULL) OR (status = ANY (ARRAY['active'::text, 'cancelled'::text]))))),
  CONSTRAINT scheduled_transfers_name_whom_they_pay CHECK (((account_name_sealed IS NOT NULL) = (((asked -> 'to'::text) -> 'bankCode'::text) IS NOT NULL))),
  CONSTRAINT scheduled_transfers_on_insufficient_funds_check CHECK ((on_insufficient_funds = ANY (ARRAY['skip'::text, 'retry'::text]))),
  CONSTRAINT scheduled_transfers_status_check CHECK ((status = ANY (ARRAY['active'::text, 'completed'::text, 'cancelled'::text, 'failed'::text])))
);
CREATE INDEX scheduled_transfers_of_partner ON cell.scheduled_transfers USING btree (partner_id, created_at, id);
CREATE INDEX scheduled_transfers_to_look_at ON cell.scheduled_transfers USING btree (look_at) WHERE (look_at IS NOT NULL);
CREATE INDEX scheduled_transfers_unended ON cell.scheduled_transfers USING btree (partner_id, look_at) WHERE (ended_at IS NULL);
CREATE TRIGGER scheduled_transfers_stay BEFORE UPDATE ON cell.scheduled_transfers FOR EACH ROW WHEN (((old.asked IS NULL) OR ((new.asked IS NOT NULL) AND ((new.asked)::text <> (old.asked)::text)) OR ((new.account_name_sealed <> old.account_name_sealed) AND (NOT has_column_privilege('cell.scheduled_transfers'::text, 'amount_kobo'::text, 'UPDATE'::text))))) EXECUTE FUNCTION cell.refuse_schedule_change();
GRANT DELETE, SELECT ON cell.scheduled_transfers TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (account_name_sealed, asked, ended_at, look_at, next_due_at, status) ON cell.scheduled_transfers TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.scheduled_transfers TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (account_name_sealed, asked, ended_at, failed, look_at, next_due_at, next_number, paid, skipped, status) ON cell.scheduled_transfers TO partner_wallet_sandbox_worker;

CREATE TABLE cell.security_notices (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  user_id uuid,
  kind text NOT NULL,
  address text,
  detail jsonb NOT NULL,
  happened_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT security_notices_pkey PRIMARY KEY (id),
  CONSTRAINT security_notices_kind_check CHECK ((kind = ANY (ARRAY['webhook_endpoint.added'::text, 'webhook_endpoint.added_live'::text, 'webhook_endpoint.changed'::text, 'webhook_endpoint.changed_live'::text, 'webhook_endpoint.deleted'::text, 'webhook_endpoint.deleted_live'::text, 'webhook_secret.replaced'::text, 'webhook_secret.replaced_live'::text])))
);
GRANT DELETE, INSERT, SELECT ON cell.security_notices TO partner_wallet_sandbox_api;
GRANT DELETE, SELECT ON cell.security_notices TO partner_wallet_sandbox_worker;

CREATE TABLE cell.suspense_postings (
  transaction_id uuid NOT NULL,
  class text NOT NULL,
  resource text NOT NULL,
  account text NOT NULL,
  amount_kobo bigint NOT NULL,
  CONSTRAINT suspense_postings_pkey PRIMARY KEY (transaction_id, account, class),
  CONSTRAINT suspense_postings_account_check CHECK ((account = ANY (ARRAY['1900'::text, '2900'::text])))
);
GRANT DELETE, SELECT ON cell.suspense_postings TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.suspense_postings TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.suspense_postings TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.suspense_postings TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.transactions (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  reference text NOT NULL,
  type cell.transaction_type NOT NULL,
  status cell.transaction_status NOT NULL,
  amount_kobo cell.amount_kobo NOT NULL,
  source_wallet uuid,
  dest_wallet uuid,
  dest_account json,
  account_name_sealed text,
  resolved_name_sealed text,
  customer_fee_kobo cell.fee_kobo NOT NULL,
  merchant_fee_kobo cell.fee_kobo NOT NULL,
  mfb_cost_kobo cell.fee_kobo NOT NULL,
  net_amount_kobo bigint NOT NULL,
  psp_reference text,
  psp_meta json,
  paused boolean DEFAULT false NOT NULL,
  scenario cell.rehearsed,
  split_config json,
  idempotency_key text,
  description text DEFAULT ''::text NOT NULL,
  metadata json DEFAULT '{}'::json NOT NULL,
  failed_reason text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  completed_at timestamp(3) with time zone,
  texts_erased_at timestamp(3) with time zone,
  CONSTRAINT transactions_pkey PRIMARY KEY (id),
  CONSTRAINT transactions_between_two_wallets CHECK (((source_wallet IS DISTINCT FROM dest_wallet) OR (((type)::text = ANY (ARRAY['late_payout'::text, 'unallocated_credit'::text, 'credit_refund'::text, 'return_shortfall'::text, 'treasury_entry'::text, 'suspense_move'::text, 'balancing_entry'::text])) AND (source_wallet IS NULL) AND (dest_wallet IS NULL)))),
  CONSTRAINT transactions_completed_at_a_time CHECK (((((status)::text = 'completed'::text) = (completed_at IS NOT NULL)) OR ((status)::text = 'reversed'::text))),
  CONSTRAINT transactions_to_a_bank_say_where CHECK ((((type)::text <> 'bank_transfer'::text) OR ((source_wallet IS NOT NULL) AND (dest_account IS NOT NULL) AND (account_name_sealed IS NOT NULL))))
);
CREATE INDEX transactions_by_dest ON cell.transactions USING btree (dest_wallet, created_at DESC, id DESC);
CREATE INDEX transactions_by_move ON cell.transactions USING brin (updated_at) WITH (pages_per_range='16', autosummarize='on');
CREATE INDEX transactions_by_source ON cell.transactions USING btree (source_wallet, created_at DESC, id DESC);
CREATE INDEX transactions_of_partner ON cell.transactions USING btree (partner_id, created_at, id);
CREATE INDEX transactions_open ON cell.transactions USING btree (created_at) WHERE ((status)::text = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE INDEX transactions_open_by_dest ON cell.transactions USING btree (dest_wallet) WHERE (((status)::text = ANY (ARRAY['pending'::text, 'processing'::text])) AND (dest_wallet IS NOT NULL));
CREATE INDEX transactions_open_by_source ON cell.transactions USING btree (source_wallet) WHERE ((status)::text = ANY (ARRAY['pending'::text, 'processing'::text]));
CREATE TRIGGER transactions_are_fixed AFTER UPDATE ON cell.transactions FOR EACH ROW WHEN ((((((((((((old.id IS DISTINCT FROM new.id) OR (old.partner_id IS DISTINCT FROM new.partner_id)) OR (old.reference IS DISTINCT FROM new.reference)) OR ((old.type)::text IS DISTINCT FROM (new.type)::text)) OR ((old.amount_kobo)::bigint IS DISTINCT FROM (new.amount_kobo)::bigint)) OR (old.source_wallet IS DISTINCT FROM new.source_wallet)) OR (old.dest_wallet IS DISTINCT FROM new.dest_wallet)) OR ((old.customer_fee_kobo)::bigint IS DISTINCT FROM (new.customer_fee_kobo)::bigint)) OR ((old.merchant_fee_kobo)::bigint IS DISTINCT FROM (new.merchant_fee_kobo)::bigint)) OR ((old.mfb_cost_kobo)::bigint IS DISTINCT FROM (new.mfb_cost_kobo)::bigint)) OR (old.net_amount_kobo IS DISTINCT FROM new.net_amount_kobo))) EXECUTE FUNCTION cell.refuse_another_transaction();
CREATE TRIGGER transactions_are_not_emptied BEFORE TRUNCATE ON cell.transactions FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_change();
CREATE TRIGGER transactions_have_parents AFTER INSERT ON cell.transactions REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaned_transactions();
CREATE TRIGGER transactions_keep_entries AFTER DELETE ON cell.transactions REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaning_entries();
GRANT DELETE, SELECT ON cell.transactions TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (account_name_sealed, completed_at, description, dest_account, failed_reason, metadata, paused, psp_meta, psp_reference, resolved_name_sealed, status, texts_erased_at, updated_at) ON cell.transactions TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE (account_name_sealed, completed_at, description, dest_account, failed_reason, metadata, paused, psp_meta, psp_reference, resolved_name_sealed, status, texts_erased_at, updated_at) ON cell.transactions TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.transactions TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.transfer_attempts (
  transaction_id uuid NOT NULL,
  n integer NOT NULL,
  provider text NOT NULL,
  state text NOT NULL,
  open_posts integer NOT NULL,
  cause text,
  failed_at timestamp(3) with time zone,
  provider_ref text,
  session_id text,
  code text,
  fee_kobo bigint,
  duty_kobo bigint,
  needs_authorization boolean DEFAULT false NOT NULL,
  sent_at timestamp(3) with time zone,
  declined_at timestamp(3) with time zone,
  said text,
  said_code text,
  said_reason text,
  approved_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT transfer_attempts_pkey PRIMARY KEY (transaction_id, n),
  CONSTRAINT transfer_attempts_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES cell.transactions(id),
  CONSTRAINT transfer_attempts_causes CHECK ((cause = ANY (ARRAY['beneficiary'::text, 'float'::text, 'limit'::text, 'access'::text, 'hold'::text, 'declined'::text]))),
  CONSTRAINT transfer_attempts_duty_kobo_check CHECK ((duty_kobo >= 0)),
  CONSTRAINT transfer_attempts_fee_kobo_check CHECK ((fee_kobo >= 0)),
  CONSTRAINT transfer_attempts_n_check CHECK ((n >= 1)),
  CONSTRAINT transfer_attempts_open_posts CHECK ((open_posts >= 0)),
  CONSTRAINT transfer_attempts_refused_without_order CHECK (((state <> 'refused'::text) OR (open_posts = 0))),
  CONSTRAINT transfer_attempts_said CHECK ((said = ANY (ARRAY['accepted'::text, 'exists'::text, 'not_sent'::text, 'refused'::text, 'unknown'::text, 'success'::text, 'failed'::text, 'reversed'::text, 'pending'::text, 'not_found'::text]))),
  CONSTRAINT transfer_attempts_states CHECK ((state = ANY (ARRAY['sending'::text, 'accepted'::text, 'refused'::text, 'released'::text, 'failed'::text, 'failed_over'::text, 'succeeded'::text])))
);
CREATE INDEX transfer_attempts_given_up ON cell.transfer_attempts USING btree (updated_at) WHERE (state = ANY (ARRAY['released'::text, 'failed_over'::text]));
CREATE UNIQUE INDEX transfer_attempts_one ON cell.transfer_attempts USING btree (transaction_id) WHERE (state = ANY (ARRAY['sending'::text, 'accepted'::text, 'failed'::text, 'succeeded'::text]));
CREATE INDEX transfer_attempts_unasked ON cell.transfer_attempts USING btree (provider, updated_at) WHERE ((state = 'succeeded'::text) AND (approved_at IS NULL));
CREATE TRIGGER transfer_attempts_end_once BEFORE UPDATE ON cell.transfer_attempts FOR EACH ROW WHEN ((old.state <> ALL (ARRAY['sending'::text, 'accepted'::text]))) EXECUTE FUNCTION cell.refuse_attempt_change();
GRANT DELETE, SELECT ON cell.transfer_attempts TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.transfer_attempts TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.transfer_attempts TO partner_wallet_sandbox_reconcile;
GRANT SELECT, UPDATE (approved_at, cause, state, updated_at) ON cell.transfer_attempts TO partner_wallet_sandbox_api;

CREATE TABLE cell.used_references (
  partner_id uuid NOT NULL,
  reference text NOT NULL,
  resource_id uuid NOT NULL,
  transaction_id uuid,
  terms text NOT NULL,
  CONSTRAINT used_references_pkey PRIMARY KEY (partner_id, reference)
);
GRANT DELETE, SELECT ON cell.used_references TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (transaction_id) ON cell.used_references TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE (transaction_id) ON cell.used_references TO partner_wallet_sandbox_worker;

CREATE TABLE cell.ussd_pin_attempts (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  session_id uuid NOT NULL,
  gateway_session text NOT NULL,
  hop smallint NOT NULL,
  number smallint NOT NULL,
  outcome text,
  counted_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  decided_at timestamp(3) with time zone,
  CONSTRAINT ussd_pin_attempts_pkey PRIMARY KEY (id),
  CONSTRAINT ussd_pin_attempts_session_id_gateway_session_hop_key UNIQUE (session_id, gateway_session, hop),
  CONSTRAINT ussd_pin_attempts_session_id_number_key UNIQUE (session_id, number),
  CONSTRAINT ussd_pin_attempts_session_id_fkey FOREIGN KEY (session_id) REFERENCES cell.ussd_sessions(id),
  CONSTRAINT ussd_pin_attempts_decided_at_a_time CHECK (((outcome IS NULL) = (decided_at IS NULL))),
  CONSTRAINT ussd_pin_attempts_number_check CHECK (((number >= 1) AND (number <= 3))),
  CONSTRAINT ussd_pin_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['pin_accepted'::text, 'pin_rejected'::text, 'pin_exhausted'::text, 'pin_locked'::text])))
);
GRANT DELETE, SELECT ON cell.ussd_pin_attempts TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.ussd_pin_attempts TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.ussd_pin_attempts TO partner_wallet_sandbox_worker;

CREATE TABLE cell.ussd_sessions (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  transaction_id uuid NOT NULL,
  payer_wallet uuid NOT NULL,
  merchant_wallet uuid NOT NULL,
  merchant_name_sealed text,
  phone text,
  dial_code text NOT NULL,
  status text NOT NULL,
  pin_attempts smallint DEFAULT 0 NOT NULL,
  failure_reason text,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  completed_at timestamp(3) with time zone,
  CONSTRAINT ussd_sessions_pkey PRIMARY KEY (id),
  CONSTRAINT ussd_sessions_transaction_id_key UNIQUE (transaction_id),
  CONSTRAINT ussd_sessions_merchant_wallet_fkey FOREIGN KEY (merchant_wallet) REFERENCES cell.accounts(id),
  CONSTRAINT ussd_sessions_payer_wallet_fkey FOREIGN KEY (payer_wallet) REFERENCES cell.accounts(id),
  CONSTRAINT ussd_sessions_transaction_id_fkey FOREIGN KEY (transaction_id) REFERENCES cell.transactions(id),
  CONSTRAINT ussd_sessions_dial_code_check CHECK ((dial_code ~ '^[0-9]{6}$'::text)),
  CONSTRAINT ussd_sessions_pin_attempts_check CHECK (((pin_attempts >= 0) AND (pin_attempts <= 3))),
  CONSTRAINT ussd_sessions_status_check CHECK ((status = ANY (ARRAY['initiated'::text, 'menu_main'::text, 'pin_entry'::text, 'processing'::text, 'completed'::text, 'failed'::text, 'expired'::text])))
);
CREATE INDEX ussd_sessions_of_merchant ON cell.ussd_sessions USING btree (merchant_wallet);
CREATE INDEX ussd_sessions_of_partner ON cell.ussd_sessions USING btree (partner_id, created_at, id);
CREATE INDEX ussd_sessions_of_payer ON cell.ussd_sessions USING btree (payer_wallet);
CREATE INDEX ussd_sessions_open ON cell.ussd_sessions USING btree (expires_at) WHERE (status = ANY (ARRAY['initiated'::text, 'menu_main'::text, 'pin_entry'::text, 'processing'::text]));
CREATE INDEX ussd_sessions_with_phone ON cell.ussd_sessions USING btree (created_at) WHERE ((phone IS NOT NULL) AND (status = ANY (ARRAY['completed'::text, 'failed'::text, 'expired'::text])));
GRANT DELETE, SELECT ON cell.ussd_sessions TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.ussd_sessions TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.ussd_sessions TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.ussd_sessions TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.verifications (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  subject text NOT NULL,
  user_ref text,
  director_id uuid,
  type text NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  number_sealed text,
  number_index text,
  expected_name_sealed text,
  found_name_sealed text,
  failure_reason text,
  company text,
  watch_listed boolean,
  created_at timestamp(3) with time zone NOT NULL,
  updated_at timestamp(3) with time zone NOT NULL,
  verified_at timestamp(3) with time zone,
  CONSTRAINT verifications_pkey PRIMARY KEY (id),
  CONSTRAINT verifications_failed_for_a_reason CHECK (((status = 'failed'::text) = (failure_reason IS NOT NULL))),
  CONSTRAINT verifications_failure_reason_check CHECK ((failure_reason = ANY (ARRAY['BVN_NOT_FOUND'::text, 'NIN_NOT_FOUND'::text, 'WATCH_LISTED'::text, 'NAME_MISMATCH'::text, 'PROVIDER_UNAVAILABLE'::text]))),
  CONSTRAINT verifications_name_the_director CHECK (((subject = 'director'::text) = (director_id IS NOT NULL))),
  CONSTRAINT verifications_name_the_user CHECK (((subject = 'end_user'::text) = (user_ref IS NOT NULL))),
  CONSTRAINT verifications_never_of_the_watch_list CHECK (((watch_listed IS NOT TRUE) OR (status = 'failed'::text))),
  CONSTRAINT verifications_pending_with_number CHECK (((status <> 'pending'::text) OR ((number_sealed IS NOT NULL) AND (number_index IS NOT NULL)))),
  CONSTRAINT verifications_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'failed'::text]))),
  CONSTRAINT verifications_subject_check CHECK ((subject = ANY (ARRAY['end_user'::text, 'director'::text]))),
  CONSTRAINT verifications_type_check CHECK ((type = ANY (ARRAY['bvn'::text, 'nin'::text]))),
  CONSTRAINT verifications_verified_at_a_time CHECK (((status = 'verified'::text) = (verified_at IS NOT NULL)))
);
CREATE UNIQUE INDEX verifications_of_director ON cell.verifications USING btree (director_id, type) WHERE (director_id IS NOT NULL);
CREATE INDEX verifications_of_user ON cell.verifications USING btree (partner_id, user_ref, created_at DESC, id DESC) WHERE (user_ref IS NOT NULL);
CREATE INDEX verifications_pending ON cell.verifications USING btree (id) WHERE (status = 'pending'::text);
CREATE UNIQUE INDEX verifications_under_way ON cell.verifications USING btree (partner_id, user_ref, number_index) WHERE ((status = 'pending'::text) AND (user_ref IS NOT NULL));
GRANT DELETE, SELECT ON cell.verifications TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE (company, failure_reason, found_name_sealed, status, updated_at, verified_at, watch_listed) ON cell.verifications TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE (company, failure_reason, found_name_sealed, status, updated_at, verified_at, watch_listed) ON cell.verifications TO partner_wallet_sandbox_worker;
GRANT SELECT (id, status) ON cell.verifications TO partner_wallet_sandbox_reconcile;

CREATE TABLE cell.wallet_actions (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  action text NOT NULL,
  actor text NOT NULL,
  operator_id uuid,
  request_id text NOT NULL,
  reason text,
  authority text,
  frozen_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT wallet_actions_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_actions_action_check CHECK ((action = ANY (ARRAY['freeze'::text, 'unfreeze'::text, 'close'::text, 'reopen'::text]))),
  CONSTRAINT wallet_actions_actor_check CHECK ((actor = ANY (ARRAY['partner'::text, 'operator'::text]))),
  CONSTRAINT wallet_actions_name_the_operator CHECK (((actor = 'operator'::text) = (operator_id IS NOT NULL)))
);
CREATE INDEX wallet_actions_of_wallet ON cell.wallet_actions USING btree (wallet_id);
CREATE TRIGGER wallet_actions_are_final BEFORE DELETE OR UPDATE OR TRUNCATE ON cell.wallet_actions FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_action_change();
GRANT DELETE, SELECT ON cell.wallet_actions TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.wallet_actions TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.wallet_actions TO partner_wallet_sandbox_worker;

CREATE TABLE cell.wallet_pin_changes (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  knew_current_pin boolean NOT NULL,
  request_id text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT wallet_pin_changes_pkey PRIMARY KEY (id),
  CONSTRAINT wallet_pin_changes_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES cell.accounts(id)
);
CREATE INDEX wallet_pin_changes_of_wallet ON cell.wallet_pin_changes USING btree (wallet_id, id);
GRANT DELETE, SELECT ON cell.wallet_pin_changes TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT ON cell.wallet_pin_changes TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT ON cell.wallet_pin_changes TO partner_wallet_sandbox_worker;

CREATE TABLE cell.wallet_pins (
  wallet_id uuid NOT NULL,
  partner_id uuid NOT NULL,
  pin_hash text,
  pepper_kid text,
  wrong_in_a_row smallint DEFAULT 0 NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT wallet_pins_pkey PRIMARY KEY (wallet_id),
  CONSTRAINT wallet_pins_wallet_id_fkey FOREIGN KEY (wallet_id) REFERENCES cell.accounts(id),
  CONSTRAINT wallet_pins_hash_with_pepper CHECK (((pin_hash IS NULL) = (pepper_kid IS NULL))),
  CONSTRAINT wallet_pins_wrong_in_a_row_check CHECK (((wrong_in_a_row >= 0) AND (wrong_in_a_row <= 9)))
);
GRANT DELETE, SELECT ON cell.wallet_pins TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.wallet_pins TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.wallet_pins TO partner_wallet_sandbox_worker;

CREATE TABLE cell.wallets (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  user_ref text NOT NULL,
  currency text DEFAULT 'NGN'::text NOT NULL,
  account_number text,
  account_name_sealed text,
  bank_code text,
  bank_name text,
  mfb_reference text,
  metadata_sealed text,
  erased_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  account_wanted_at timestamp(3) with time zone DEFAULT now(),
  parked_at timestamp(3) with time zone,
  news_at timestamp(3) with time zone,
  CONSTRAINT wallets_pkey PRIMARY KEY (id),
  CONSTRAINT wallets_bank_code_account_number_key UNIQUE (bank_code, account_number),
  CONSTRAINT wallets_partner_id_user_ref_key UNIQUE (partner_id, user_ref),
  CONSTRAINT wallets_id_fkey FOREIGN KEY (id) REFERENCES cell.accounts(id),
  CONSTRAINT wallets_account_number_check CHECK ((account_number ~ '^[0-9]{10}$'::text)),
  CONSTRAINT wallets_currency_check CHECK ((currency = 'NGN'::text)),
  CONSTRAINT wallets_with_whole_account CHECK (((num_nulls(account_number, bank_code, bank_name, mfb_reference) = ANY (ARRAY[0, 4])) AND ((account_name_sealed IS NULL) = ((account_number IS NULL) OR (erased_at IS NOT NULL)))))
);
CREATE INDEX wallets_of_partner ON cell.wallets USING btree (partner_id, created_at DESC, id DESC) WHERE ("left"(user_ref, 2) <> '__'::text);
CREATE INDEX wallets_wanting_account ON cell.wallets USING btree (account_wanted_at) WHERE ((account_number IS NULL) AND (account_wanted_at IS NOT NULL));
CREATE INDEX wallets_with_news ON cell.wallets USING btree (news_at) WHERE (news_at IS NOT NULL);
GRANT DELETE, SELECT ON cell.wallets TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.wallets TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.wallets TO partner_wallet_sandbox_worker;

CREATE TABLE cell.webhook_endpoints (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  secret_sealed text NOT NULL,
  is_active boolean DEFAULT true NOT NULL,
  asleep boolean DEFAULT true NOT NULL,
  unheard_since timestamp(3) with time zone,
  called_at timestamp(3) with time zone,
  failure_count integer DEFAULT 0 NOT NULL,
  failing_since timestamp(3) with time zone,
  last_success_at timestamp(3) with time zone,
  trial_after timestamp(3) with time zone,
  fault cell.rehearsed,
  fault_until timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  deleted_at timestamp(3) with time zone,
  CONSTRAINT webhook_endpoints_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_endpoints_events_check CHECK ((cardinality(events) > 0))
);
CREATE INDEX webhook_endpoints_of_partner ON cell.webhook_endpoints USING btree (partner_id) WHERE (deleted_at IS NULL);
CREATE TRIGGER webhook_endpoints_are_not_emptied BEFORE TRUNCATE ON cell.webhook_endpoints FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_change();
CREATE TRIGGER webhook_endpoints_keep_deliveries AFTER DELETE ON cell.webhook_endpoints REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT EXECUTE FUNCTION cell.refuse_orphaning_deliveries();
GRANT INSERT, SELECT, UPDATE ON cell.webhook_endpoints TO partner_wallet_sandbox_api;
GRANT INSERT, SELECT, UPDATE ON cell.webhook_endpoints TO partner_wallet_sandbox_worker;
GRANT SELECT ON cell.webhook_endpoints TO partner_wallet_sandbox_reset;

CREATE TABLE cell.workflow_intentions (
  workflow_id text NOT NULL,
  workflow_type text NOT NULL,
  partner_id uuid NOT NULL,
  resource_id uuid NOT NULL,
  request_id uuid,
  title text NOT NULL,
  input json NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  started_at timestamp(3) with time zone,
  CONSTRAINT workflow_intentions_pkey PRIMARY KEY (workflow_id)
);
CREATE INDEX workflow_intentions_of_partner ON cell.workflow_intentions USING btree (partner_id);
CREATE INDEX workflow_intentions_started ON cell.workflow_intentions USING btree (started_at) WHERE (started_at IS NOT NULL);
CREATE INDEX workflow_intentions_waiting ON cell.workflow_intentions USING btree (created_at) WHERE (started_at IS NULL);
GRANT DELETE, INSERT, SELECT, UPDATE ON cell.workflow_intentions TO partner_wallet_sandbox_worker;
GRANT DELETE, SELECT ON cell.workflow_intentions TO partner_wallet_sandbox_reset;
GRANT INSERT, SELECT, UPDATE ON cell.workflow_intentions TO partner_wallet_sandbox_api;
GRANT SELECT ON cell.workflow_intentions TO partner_wallet_sandbox_reconcile;
