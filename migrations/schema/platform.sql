-- Made by `npm run schema` out of a migrated database. The reasons are in the migrations.

GRANT USAGE ON SCHEMA platform TO partner_wallet_access;
GRANT USAGE ON SCHEMA platform TO partner_wallet_live_partners;
GRANT USAGE ON SCHEMA platform TO partner_wallet_live_status;
GRANT USAGE ON SCHEMA platform TO partner_wallet_mail;
GRANT USAGE ON SCHEMA platform TO partner_wallet_operator;
GRANT USAGE ON SCHEMA platform TO partner_wallet_sandbox_partners;

CREATE OR REPLACE FUNCTION platform.bring_security_event(event_id uuid, of_partner uuid, of_user uuid, what text, from_address text, more jsonb, happened_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  DECLARE
    how_mailed CONSTANT text := CASE what
      WHEN 'webhook_endpoint.added' THEN 'never'
      WHEN 'webhook_endpoint.added_live' THEN 'always'
      WHEN 'webhook_endpoint.changed' THEN 'never'
      WHEN 'webhook_endpoint.changed_live' THEN 'always'
      WHEN 'webhook_endpoint.deleted' THEN 'never'
      WHEN 'webhook_endpoint.deleted_live' THEN 'always'
      WHEN 'webhook_secret.replaced' THEN 'never'
      WHEN 'webhook_secret.replaced_live' THEN 'always'
    END;
  BEGIN
    IF how_mailed IS NULL THEN
      RAISE EXCEPTION 'a cell has no events of this kind' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN write_security_event(event_id, of_partner, of_user, what, from_address, more, how_mailed,
                                least(happened_at, now()));
  END $function$;
GRANT EXECUTE ON FUNCTION platform.bring_security_event(uuid,uuid,uuid,text,text,jsonb,timestamp with time zone) TO partner_wallet_live_partners;
GRANT EXECUTE ON FUNCTION platform.bring_security_event(uuid,uuid,uuid,text,text,jsonb,timestamp with time zone) TO partner_wallet_sandbox_partners;
REVOKE ALL ON FUNCTION platform.bring_security_event(uuid,uuid,uuid,text,text,jsonb,timestamp with time zone) FROM PUBLIC;

CREATE OR REPLACE FUNCTION platform.close_unproved(of_partner uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'platform', 'pg_temp'
AS $function$
    UPDATE partners p SET status = 'closed'
     WHERE p.id = of_partner AND p.email_confirmed_at IS NULL AND p.status IN ('registered', 'pending_review')
       AND NOT EXISTS (SELECT FROM users u WHERE u.partner_id = p.id)
  $function$;
GRANT EXECUTE ON FUNCTION platform.close_unproved(uuid) TO partner_wallet_access;
REVOKE ALL ON FUNCTION platform.close_unproved(uuid) FROM PUBLIC;

CREATE OR REPLACE FUNCTION platform.end_key_after(key_id uuid, overlap_seconds integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'platform', 'pg_temp'
AS $function$
    UPDATE api_keys SET expires_at = least(expires_at, now() + overlap_seconds * interval '1 second') WHERE id = key_id
  $function$;
GRANT EXECUTE ON FUNCTION platform.end_key_after(uuid,integer) TO partner_wallet_access;
REVOKE ALL ON FUNCTION platform.end_key_after(uuid,integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION platform.forget_old(class text, page integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  DECLARE
    gone integer;
    kept CONSTANT interval := CASE class
      WHEN 'sessions' THEN interval '7776000000 milliseconds'
      WHEN 'security_events' THEN interval '63072000000 milliseconds'
      WHEN 'invitations' THEN interval '7776000000 milliseconds'
      WHEN 'users' THEN interval '157852800000 milliseconds'
      WHEN 'contacts' THEN interval '157852800000 milliseconds'
    END;
    long_ago CONSTANT timestamptz := now() - kept;
    made_before CONSTANT uuid :=
      rpad(lpad(to_hex((extract(epoch FROM long_ago) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
  BEGIN
    CASE class
    WHEN 'sessions' THEN
      -- A token that an administrator made may outlive the period.
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE id < made_before AND created_at <= long_ago AND expires_at <= now()
         ORDER BY id LIMIT page);
    WHEN 'security_events' THEN
      DELETE FROM security_events WHERE id IN (
        SELECT id FROM security_events e WHERE id < made_before AND created_at <= long_ago
           AND NOT EXISTS (SELECT FROM partners p WHERE p.id = e.partner_id AND p.legal_holds <> '{}')
         ORDER BY id LIMIT page);
    WHEN 'invitations' THEN
      DELETE FROM invitations WHERE id IN (
        SELECT id FROM invitations WHERE id < made_before AND coalesce(ended_at, expires_at) <= long_ago
         ORDER BY id LIMIT page);
    WHEN 'users' THEN
      -- Sessions, codes and tokens go with their user.
      DELETE FROM users WHERE id IN (
        SELECT u.id FROM users u JOIN partners p ON p.id = u.partner_id
         WHERE p.status = 'closed' AND p.closed_at <= long_ago AND p.legal_holds = '{}' LIMIT page);
    WHEN 'contacts' THEN
      UPDATE partners SET email = '', phone = '', email_confirmed_at = NULL WHERE id IN (
        SELECT id FROM partners WHERE status = 'closed' AND closed_at <= long_ago AND (email, phone) <> ('', '') AND legal_holds = '{}'
         LIMIT page);
    END CASE;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
  END $function$;
GRANT EXECUTE ON FUNCTION platform.forget_old(text,integer) TO partner_wallet_live_partners;
GRANT EXECUTE ON FUNCTION platform.forget_old(text,integer) TO partner_wallet_sandbox_partners;
REVOKE ALL ON FUNCTION platform.forget_old(text,integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION platform.note_expiring_keys()
 RETURNS TABLE(event_id uuid, of_partner uuid, more jsonb)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'platform', 'pg_temp'
AS $function$
    WITH soon AS (
      SELECT k.*, CASE WHEN k.expires_at <= now() + interval '1 days'
                       THEN 1 ELSE 7 END AS days
        FROM api_keys k
       WHERE k.revoked_at IS NULL AND k.expires_at > now()
         AND k.expires_at <= now() + interval '7 days'
    ), due AS (
      SELECT s.*, s.expires_at - s.days * interval '1 day' AS due_at, md5(s.id::text || ' ' || s.days) AS hash FROM soon s
    ), notices AS MATERIALIZED (
      SELECT (lpad(to_hex((extract(epoch FROM due_at) * 1000)::bigint), 12, '0')
               || '8' || left(hash, 3) || '8' || right(hash, 15))::uuid AS id,
             partner_id, due_at,
             jsonb_build_object('id', id, 'key_prefix', key_prefix, 'label', label, 'environment', environment,
                                'days', days::text) AS detail
        FROM due
       -- Whoever makes a key for three days knows that it ends within a week.
       WHERE created_at < due_at
    )
    SELECT n.id, n.partner_id, n.detail FROM notices n
     WHERE write_security_event(n.id, n.partner_id, NULL, 'api_key.expires_soon', NULL, n.detail,
                                'always', n.due_at)
  $function$;
GRANT EXECUTE ON FUNCTION platform.note_expiring_keys() TO partner_wallet_live_partners;
GRANT EXECUTE ON FUNCTION platform.note_expiring_keys() TO partner_wallet_sandbox_partners;
REVOKE ALL ON FUNCTION platform.note_expiring_keys() FROM PUBLIC;

CREATE OR REPLACE FUNCTION platform.note_status()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    IF NEW.status = 'closed' AND NEW.closed_at IS NULL THEN
      NEW.closed_at := now();
    END IF;
    IF NEW.status = 'suspended' AND (TG_OP = 'INSERT' OR OLD.status <> 'suspended') THEN
      NEW.suspended_at := clock_timestamp();
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_audit_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'the audit trail is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_earlier_step()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a one-time code is accepted once' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_security_event_change()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a security event is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_session_revival()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    RAISE EXCEPTION 'a session that has ended never comes back' USING ERRCODE = 'restrict_violation';
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_unadmitted()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    -- Two first operators at the same time would not see each other.
    PERFORM pg_advisory_xact_lock('platform.operators'::regclass::bigint);
    IF NEW.admitted_at IS NOT NULL
       AND (TG_OP = 'INSERT' OR OLD.admitted_at IS NULL OR OLD.token_hash <> NEW.token_hash OR OLD.role <> NEW.role)
       -- The next token of somebody whose admission lasts (src/db/partners/operators.ts, renewToken).
       AND NOT (TG_OP = 'UPDATE' AND OLD.admitted_at IS NOT NULL AND OLD.revoked_at IS NULL AND NEW.admitted_at IS NOT NULL AND NEW.revoked_at IS NULL
                AND (OLD.name, OLD.role, OLD.admitted_at) = (NEW.name, NEW.role, NEW.admitted_at)
                AND OLD.admitted_by IS NOT DISTINCT FROM NEW.admitted_by
                AND NEW.expires_at <= OLD.admitted_at + interval '2592000 seconds')
       -- Without an admitter there must be no other operator, nor one who can get the next token; with one, the token of that
       -- operator must work.
       AND EXISTS (SELECT FROM platform.operators o
                    WHERE o.id = coalesce(NEW.admitted_by, o.id) AND o.name <> NEW.name AND o.role = 'operator' AND o.admitted_at IS NOT NULL AND o.revoked_at IS NULL
                      AND (o.expires_at > now() OR (NEW.admitted_by IS NULL AND o.admitted_at > now() - interval '2592000 seconds')))
           = (NEW.admitted_by IS NULL)
    THEN
      RAISE EXCEPTION 'an operator is admitted by another one who is in force' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION platform.refuse_unapproved()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
  BEGIN
    IF NEW.status IN ('approved', 'applied', 'refused') AND NEW.approvals_needed >
       (SELECT count(*) FROM platform.proposal_approvals v WHERE v.proposal_id = NEW.id) THEN
      RAISE EXCEPTION 'too few people have approved the proposal' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $function$;

CREATE OR REPLACE FUNCTION platform.write_security_event(event_id uuid, of_partner uuid, of_user uuid, what text, from_address text, more jsonb, how_mailed text, happened_at timestamp with time zone)
 RETURNS boolean
 LANGUAGE sql
 SET search_path TO 'platform', 'pg_temp'
AS $function$
    WITH event AS (
      INSERT INTO security_events (id, partner_id, user_id, kind, address, detail, created_at)
      VALUES (event_id, of_partner, of_user, what, from_address, more, happened_at)
      ON CONFLICT (id) DO NOTHING RETURNING *
    ), mails AS (
      INSERT INTO mail_outbox (id, partner_id, kind, recipient, content)
      SELECT gen_random_uuid(), e.partner_id, 'security_event', u.email,
             jsonb_build_object('event', e.kind, 'address', e.address, 'detail', e.detail, 'at', e.created_at)
        FROM event e JOIN users u ON u.partner_id = e.partner_id
       WHERE u.email_confirmed_at IS NOT NULL
         AND (how_mailed = 'always' OR how_mailed = 'hourly' AND NOT EXISTS (
           SELECT FROM mail_outbox m
            WHERE m.recipient = u.email AND m.created_at > now() - interval '1 hour'
              AND m.kind = 'security_event' AND m.content ->> 'event' = e.kind))
    )
    SELECT EXISTS (SELECT FROM event)
  $function$;
GRANT EXECUTE ON FUNCTION platform.write_security_event(uuid,uuid,uuid,text,text,jsonb,text,timestamp with time zone) TO partner_wallet_access;
GRANT EXECUTE ON FUNCTION platform.write_security_event(uuid,uuid,uuid,text,text,jsonb,text,timestamp with time zone) TO partner_wallet_operator;
REVOKE ALL ON FUNCTION platform.write_security_event(uuid,uuid,uuid,text,text,jsonb,text,timestamp with time zone) FROM PUBLIC;

CREATE TABLE platform.api_keys (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  key_hash bytea NOT NULL,
  key_prefix text NOT NULL,
  label text DEFAULT ''::text NOT NULL,
  scopes text[] DEFAULT ARRAY['read'::text, 'payments'::text, 'webhooks'::text, 'admin'::text] NOT NULL,
  allowed_cidrs text[] DEFAULT '{}'::text[] NOT NULL,
  last_used_at timestamp(3) with time zone,
  expires_at timestamp(3) with time zone,
  revoked_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT api_keys_pkey PRIMARY KEY (id),
  CONSTRAINT api_keys_key_hash_key UNIQUE (key_hash),
  CONSTRAINT api_keys_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT api_keys_allowed_cidrs CHECK ((cardinality(allowed_cidrs) <= 20)),
  CONSTRAINT api_keys_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT api_keys_key_hash_check CHECK ((length(key_hash) = 32)),
  CONSTRAINT api_keys_scopes CHECK (((cardinality(scopes) > 0) AND (scopes <@ ARRAY['read'::text, 'payments'::text, 'webhooks'::text, 'admin'::text])))
);
CREATE INDEX api_keys_by_end ON platform.api_keys USING btree (expires_at) WHERE (revoked_at IS NULL);
CREATE INDEX api_keys_of_partner ON platform.api_keys USING btree (partner_id);
ALTER TABLE platform.api_keys ENABLE ROW LEVEL SECURITY;
CREATE POLICY api_keys_of_both ON platform.api_keys AS PERMISSIVE FOR ALL TO partner_wallet_access USING (true);
CREATE POLICY api_keys_of_live ON platform.api_keys AS PERMISSIVE FOR ALL TO partner_wallet_live_partners USING ((environment = 'live'::text));
CREATE POLICY api_keys_of_sandbox ON platform.api_keys AS PERMISSIVE FOR ALL TO partner_wallet_sandbox_partners USING ((environment = 'sandbox'::text));
GRANT INSERT, SELECT, UPDATE (revoked_at) ON platform.api_keys TO partner_wallet_access;
GRANT SELECT, UPDATE (last_used_at) ON platform.api_keys TO partner_wallet_live_partners;
GRANT SELECT, UPDATE (last_used_at) ON platform.api_keys TO partner_wallet_sandbox_partners;

CREATE TABLE platform.audit (
  sequence bigint NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  request_id text NOT NULL,
  operator_id uuid NOT NULL,
  operator_name text NOT NULL,
  action text NOT NULL,
  resource text NOT NULL,
  phase text NOT NULL,
  detail text NOT NULL,
  key_id text NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_pkey PRIMARY KEY (sequence),
  CONSTRAINT audit_hash_check CHECK ((length(hash) = 32)),
  CONSTRAINT audit_key_id_check CHECK ((length(key_id) = 8)),
  CONSTRAINT audit_phase_check CHECK ((phase = ANY (ARRAY['asked'::text, 'done'::text, 'refused'::text, 'failed'::text]))),
  CONSTRAINT audit_sequence_check CHECK ((sequence > 0))
);
CREATE TRIGGER audit_is_final BEFORE DELETE OR UPDATE OR TRUNCATE ON platform.audit FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_audit_change();
GRANT INSERT, SELECT ON platform.audit TO partner_wallet_operator;

CREATE TABLE platform.audit_head (
  only_row boolean DEFAULT true NOT NULL,
  sequence bigint NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT audit_head_pkey PRIMARY KEY (only_row),
  CONSTRAINT audit_head_hash_check CHECK ((length(hash) = 32)),
  CONSTRAINT audit_head_only_row_check CHECK (only_row)
);
GRANT SELECT, UPDATE (hash, sequence) ON platform.audit_head TO partner_wallet_operator;

CREATE TABLE platform.chores (
  chore text NOT NULL,
  at timestamp(3) with time zone NOT NULL,
  by text NOT NULL,
  CONSTRAINT chores_pkey PRIMARY KEY (chore, at),
  CONSTRAINT chores_chore_check CHECK ((chore = ANY (ARRAY['backup'::text, 'anchor'::text])))
);
GRANT INSERT, SELECT ON platform.chores TO partner_wallet_operator;
GRANT SELECT ON platform.chores TO partner_wallet_live_partners;
GRANT SELECT ON platform.chores TO partner_wallet_sandbox_partners;

CREATE TABLE platform.endpoint_endings (
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  made_until timestamp(3) with time zone NOT NULL,
  made_since timestamp(3) with time zone,
  user_id uuid,
  address text,
  CONSTRAINT endpoint_endings_pkey PRIMARY KEY (environment, partner_id),
  CONSTRAINT endpoint_endings_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT endpoint_endings_address_check CHECK ((length(address) <= 100)),
  CONSTRAINT endpoint_endings_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text])))
);
ALTER TABLE platform.endpoint_endings ENABLE ROW LEVEL SECURITY;
CREATE POLICY endpoint_endings_of_both ON platform.endpoint_endings AS PERMISSIVE FOR ALL TO partner_wallet_access USING (true);
CREATE POLICY endpoint_endings_of_live ON platform.endpoint_endings AS PERMISSIVE FOR ALL TO partner_wallet_live_partners USING ((environment = 'live'::text));
CREATE POLICY endpoint_endings_of_sandbox ON platform.endpoint_endings AS PERMISSIVE FOR ALL TO partner_wallet_sandbox_partners USING ((environment = 'sandbox'::text));
GRANT DELETE, SELECT ON platform.endpoint_endings TO partner_wallet_live_partners;
GRANT DELETE, SELECT ON platform.endpoint_endings TO partner_wallet_sandbox_partners;
GRANT INSERT, SELECT, UPDATE (address, made_since, made_until, user_id) ON platform.endpoint_endings TO partner_wallet_access;

CREATE TABLE platform.invitations (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  CONSTRAINT invitations_pkey PRIMARY KEY (id),
  CONSTRAINT invitations_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT invitations_check CHECK ((expires_at > created_at)),
  CONSTRAINT invitations_email_check CHECK ((email = lower(email))),
  CONSTRAINT invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
);
CREATE INDEX invitations_of_partner ON platform.invitations USING btree (partner_id, id);
CREATE UNIQUE INDEX invitations_open ON platform.invitations USING btree (partner_id, email) WHERE (ended_at IS NULL);
GRANT INSERT, SELECT, UPDATE (ended_at, expires_at, role) ON platform.invitations TO partner_wallet_access;

CREATE UNLOGGED TABLE platform.login_attempts (
  who bytea NOT NULL,
  in_a_row integer NOT NULL,
  last_at timestamp(3) with time zone NOT NULL,
  wait_until timestamp(3) with time zone,
  told boolean DEFAULT false NOT NULL,
  CONSTRAINT login_attempts_pkey PRIMARY KEY (who),
  CONSTRAINT login_attempts_in_a_row_check CHECK ((in_a_row >= 0)),
  CONSTRAINT login_attempts_who_check CHECK ((length(who) = 16))
);
CREATE INDEX login_attempts_by_age ON platform.login_attempts USING btree (last_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON platform.login_attempts TO partner_wallet_access;

CREATE TABLE platform.mail_outbox (
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  partner_id uuid NOT NULL,
  kind text NOT NULL,
  recipient text NOT NULL,
  content jsonb DEFAULT '{}'::jsonb NOT NULL,
  token_sealed text,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  due_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  useful_until timestamp(3) with time zone,
  attempts integer DEFAULT 0 NOT NULL,
  sent_at timestamp(3) with time zone,
  given_up_at timestamp(3) with time zone,
  CONSTRAINT mail_outbox_pkey PRIMARY KEY (id),
  CONSTRAINT mail_outbox_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT mail_outbox_attempts_check CHECK ((attempts >= 0)),
  CONSTRAINT mail_outbox_content_check CHECK ((jsonb_typeof(content) = 'object'::text)),
  CONSTRAINT mail_outbox_ends_once CHECK (((sent_at IS NULL) OR (given_up_at IS NULL))),
  CONSTRAINT mail_outbox_forgets_tokens CHECK (((token_sealed IS NULL) OR ((sent_at IS NULL) AND (given_up_at IS NULL)))),
  CONSTRAINT mail_outbox_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  CONSTRAINT mail_outbox_recipient_check CHECK (((length(recipient) <= 254) AND (recipient !~ '[[:cntrl:]]'::text)))
);
CREATE INDEX mail_outbox_due ON platform.mail_outbox USING btree (due_at) WHERE ((sent_at IS NULL) AND (given_up_at IS NULL));
CREATE INDEX mail_outbox_of_partner ON platform.mail_outbox USING btree (partner_id, created_at);
CREATE INDEX mail_outbox_of_recipient ON platform.mail_outbox USING btree (recipient, created_at);
GRANT DELETE, SELECT, UPDATE (attempts, due_at, given_up_at, sent_at, token_sealed) ON platform.mail_outbox TO partner_wallet_mail;
GRANT INSERT (content, id, kind, partner_id, recipient, token_sealed, useful_until), SELECT (content, created_at, kind, partner_id, recipient) ON platform.mail_outbox TO partner_wallet_access;
GRANT INSERT (content, id, kind, partner_id, recipient, token_sealed, useful_until), SELECT (content, created_at, kind, partner_id, recipient) ON platform.mail_outbox TO partner_wallet_operator;

CREATE TABLE platform.mailed_tokens (
  token_hash bytea NOT NULL,
  kind text NOT NULL,
  partner_id uuid NOT NULL,
  user_id uuid,
  role text,
  recipient text NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT mailed_tokens_pkey PRIMARY KEY (token_hash),
  CONSTRAINT mailed_tokens_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT mailed_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES platform.users(id) ON DELETE CASCADE,
  CONSTRAINT mailed_tokens_check CHECK ((expires_at > created_at)),
  CONSTRAINT mailed_tokens_kind_check CHECK ((kind ~ '^[a-z_]+$'::text)),
  CONSTRAINT mailed_tokens_recipient_check CHECK ((recipient = lower(recipient))),
  CONSTRAINT mailed_tokens_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE INDEX mailed_tokens_by_expiry ON platform.mailed_tokens USING btree (expires_at);
CREATE INDEX mailed_tokens_of_recipient ON platform.mailed_tokens USING btree (recipient, kind) WHERE (used_at IS NULL);
CREATE INDEX mailed_tokens_of_user ON platform.mailed_tokens USING btree (user_id, kind) WHERE (used_at IS NULL);
GRANT DELETE, SELECT (expires_at) ON platform.mailed_tokens TO partner_wallet_mail;
GRANT INSERT, SELECT, UPDATE (used_at) ON platform.mailed_tokens TO partner_wallet_access;

CREATE TABLE platform.operators (
  id uuid NOT NULL,
  name text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  token_prefix text NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  revoked_at timestamp(3) with time zone,
  admitted_at timestamp(3) with time zone,
  admitted_by uuid,
  CONSTRAINT operators_pkey PRIMARY KEY (id),
  CONSTRAINT operators_name_key UNIQUE (name),
  CONSTRAINT operators_token_hash_key UNIQUE (token_hash),
  CONSTRAINT operators_admitted_by_fkey FOREIGN KEY (admitted_by) REFERENCES platform.operators(id),
  CONSTRAINT operators_check CHECK ((admitted_by <> id)),
  CONSTRAINT operators_role_check CHECK ((role = ANY (ARRAY['operator'::text, 'viewer'::text]))),
  CONSTRAINT operators_token_hash_check CHECK ((length(token_hash) = 32))
);
CREATE TRIGGER operators_are_admitted BEFORE INSERT OR UPDATE ON platform.operators FOR EACH ROW EXECUTE FUNCTION platform.refuse_unadmitted();
GRANT SELECT (id, name) ON platform.operators TO partner_wallet_live_partners;
GRANT SELECT (id, name) ON platform.operators TO partner_wallet_sandbox_partners;
GRANT SELECT, UPDATE (admitted_at, admitted_by) ON platform.operators TO partner_wallet_operator;

CREATE TABLE platform.partner_cells (
  partner_id uuid NOT NULL,
  environment text NOT NULL,
  cell text NOT NULL,
  CONSTRAINT partner_cells_pkey PRIMARY KEY (partner_id, environment),
  CONSTRAINT partner_cells_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT partner_cells_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text])))
);
GRANT INSERT, SELECT ON platform.partner_cells TO partner_wallet_access;
GRANT SELECT ON platform.partner_cells TO partner_wallet_live_partners;
GRANT SELECT ON platform.partner_cells TO partner_wallet_operator;
GRANT SELECT ON platform.partner_cells TO partner_wallet_sandbox_partners;

CREATE TABLE platform.partners (
  id uuid NOT NULL,
  business_name text NOT NULL,
  email text NOT NULL,
  phone text DEFAULT ''::text NOT NULL,
  status text DEFAULT 'registered'::text NOT NULL,
  tier text DEFAULT 'starter'::text NOT NULL,
  moves_followed integer DEFAULT 0 NOT NULL,
  email_confirmed_at timestamp(3) with time zone,
  suspended_at timestamp(3) with time zone,
  closed_at timestamp(3) with time zone,
  legal_holds uuid[] DEFAULT '{}'::uuid[] NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT partners_pkey PRIMARY KEY (id),
  CONSTRAINT partners_closed_at_a_time CHECK (((status = 'closed'::text) = (closed_at IS NOT NULL))),
  CONSTRAINT partners_status_check CHECK ((status = ANY (ARRAY['registered'::text, 'pending_review'::text, 'active'::text, 'suspended'::text, 'closed'::text]))),
  CONSTRAINT partners_tier_check CHECK ((tier = ANY (ARRAY['starter'::text, 'growth'::text, 'scale'::text])))
);
CREATE INDEX partners_closed ON platform.partners USING btree (id) WHERE (status = 'closed'::text);
CREATE TRIGGER partners_note_status BEFORE INSERT OR UPDATE OF status ON platform.partners FOR EACH ROW EXECUTE FUNCTION platform.note_status();
GRANT INSERT (business_name, email, id, phone), SELECT, UPDATE (email, email_confirmed_at) ON platform.partners TO partner_wallet_access;
GRANT SELECT (id, moves_followed, status), UPDATE (moves_followed, status) ON platform.partners TO partner_wallet_live_status;
GRANT SELECT ON platform.partners TO partner_wallet_live_partners;
GRANT SELECT ON platform.partners TO partner_wallet_sandbox_partners;
GRANT SELECT, UPDATE (legal_holds, status, tier) ON platform.partners TO partner_wallet_operator;

CREATE TABLE platform.people_reads (
  operator_id uuid NOT NULL,
  hour timestamp(3) with time zone NOT NULL,
  used integer NOT NULL,
  CONSTRAINT people_reads_pkey PRIMARY KEY (operator_id),
  CONSTRAINT people_reads_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES platform.operators(id),
  CONSTRAINT people_reads_used_check CHECK ((used > 0))
);
GRANT INSERT, SELECT, UPDATE ON platform.people_reads TO partner_wallet_operator;

CREATE TABLE platform.proposal_approvals (
  proposal_id uuid NOT NULL,
  proposed_by uuid NOT NULL,
  operator_id uuid NOT NULL,
  approved_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT proposal_approvals_pkey PRIMARY KEY (proposal_id, operator_id),
  CONSTRAINT proposal_approvals_operator_id_fkey FOREIGN KEY (operator_id) REFERENCES platform.operators(id),
  CONSTRAINT proposal_approvals_proposal_id_proposed_by_fkey FOREIGN KEY (proposal_id, proposed_by) REFERENCES platform.proposals(id, proposed_by),
  CONSTRAINT proposal_approvals_not_by_proposer CHECK ((operator_id <> proposed_by))
);
GRANT INSERT, SELECT ON platform.proposal_approvals TO partner_wallet_operator;

CREATE TABLE platform.proposals (
  id uuid NOT NULL,
  kind text NOT NULL,
  approvals_needed smallint NOT NULL,
  environment text NOT NULL,
  partner_id uuid,
  terms text NOT NULL,
  status text DEFAULT 'proposed'::text NOT NULL,
  refusal text,
  proposed_by uuid NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  updated_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone DEFAULT (now() + '24:00:00'::interval) NOT NULL,
  CONSTRAINT proposals_pkey PRIMARY KEY (id),
  CONSTRAINT proposals_id_proposed_by_key UNIQUE (id, proposed_by),
  CONSTRAINT proposals_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT proposals_proposed_by_fkey FOREIGN KEY (proposed_by) REFERENCES platform.operators(id),
  CONSTRAINT proposals_about_partners CHECK (((partner_id IS NULL) = (kind = ANY (ARRAY['refund_credit'::text, 'release_refund'::text, 'write_off'::text, 'book_treasury'::text, 'withdraw_line'::text, 'close_day'::text])))),
  CONSTRAINT proposals_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT proposals_need_people CHECK (((((((((((((((((((((((kind = 'adjust_wallet'::text) AND (approvals_needed = 2)) OR ((kind = 'resolve_transfer'::text) AND (approvals_needed = 1))) OR ((kind = 'release_payout'::text) AND (approvals_needed = 1))) OR ((kind = 'allocate_credit'::text) AND (approvals_needed = 1))) OR ((kind = 'allocate_return'::text) AND (approvals_needed = 1))) OR ((kind = 'refund_credit'::text) AND (approvals_needed = 1))) OR ((kind = 'release_refund'::text) AND (approvals_needed = 1))) OR ((kind = 'write_off'::text) AND (approvals_needed = 2))) OR ((kind = 'approve_compliance'::text) AND (approvals_needed = 1))) OR ((kind = 'reinstate_compliance'::text) AND (approvals_needed = 1))) OR ((kind = 'reinstate_partner'::text) AND (approvals_needed = 1))) OR ((kind = 'raise_tier'::text) AND (approvals_needed = 1))) OR ((kind = 'unfreeze_wallet'::text) AND (approvals_needed = 1))) OR ((kind = 'erase_person'::text) AND (approvals_needed = 1))) OR ((kind = 'erase_checked_person'::text) AND (approvals_needed = 1))) OR ((kind = 'place_legal_hold'::text) AND (approvals_needed = 1))) OR ((kind = 'lift_legal_hold'::text) AND (approvals_needed = 1))) OR ((kind = 'reset_codes'::text) AND (approvals_needed = 1))) OR ((kind = 'book_treasury'::text) AND (approvals_needed = 1))) OR ((kind = 'withdraw_line'::text) AND (approvals_needed = 1))) OR ((kind = 'close_day'::text) AND (approvals_needed = 1)))),
  CONSTRAINT proposals_refused_with_refusal CHECK (((status = 'refused'::text) = (refusal IS NOT NULL))),
  CONSTRAINT proposals_status_check CHECK ((status = ANY (ARRAY['proposed'::text, 'approved'::text, 'applied'::text, 'refused'::text, 'rejected'::text])))
);
CREATE INDEX proposals_by_age ON platform.proposals USING btree (created_at DESC, id DESC);
CREATE TRIGGER proposals_are_approved BEFORE INSERT OR UPDATE ON platform.proposals FOR EACH ROW EXECUTE FUNCTION platform.refuse_unapproved();
GRANT INSERT, SELECT, UPDATE (refusal, status, updated_at) ON platform.proposals TO partner_wallet_operator;

CREATE TABLE platform.recovery_codes (
  user_id uuid NOT NULL,
  code_hash bytea NOT NULL,
  used_at timestamp(3) with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (user_id, code_hash),
  CONSTRAINT recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES platform.users(id) ON DELETE CASCADE,
  CONSTRAINT recovery_codes_code_hash_check CHECK ((length(code_hash) = 32))
);
GRANT DELETE, INSERT, SELECT, UPDATE (used_at) ON platform.recovery_codes TO partner_wallet_access;
GRANT DELETE, SELECT (user_id) ON platform.recovery_codes TO partner_wallet_operator;

CREATE TABLE platform.security_events (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  user_id uuid,
  kind text NOT NULL,
  address text,
  detail jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT security_events_pkey PRIMARY KEY (id),
  CONSTRAINT security_events_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT security_events_address_check CHECK ((length(address) <= 100)),
  CONSTRAINT security_events_detail_check CHECK ((jsonb_typeof(detail) = 'object'::text)),
  CONSTRAINT security_events_kind_check CHECK ((kind ~ '^[a-z_]+[.][a-z_]+$'::text))
);
CREATE INDEX security_events_of_partner ON platform.security_events USING btree (partner_id, id);
CREATE TRIGGER security_events_are_final BEFORE UPDATE OR TRUNCATE ON platform.security_events FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_security_event_change();
CREATE TRIGGER security_events_stay BEFORE DELETE ON platform.security_events FOR EACH ROW WHEN ((old.created_at > (now() - '17520:00:00'::interval))) EXECUTE FUNCTION platform.refuse_security_event_change();
GRANT INSERT, SELECT ON platform.security_events TO partner_wallet_access;
GRANT INSERT, SELECT ON platform.security_events TO partner_wallet_operator;

CREATE TABLE platform.sessions (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  user_id uuid,
  environment text NOT NULL,
  address text,
  network bytea,
  proved_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  ended_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES platform.users(id) ON DELETE CASCADE,
  CONSTRAINT sessions_address_check CHECK ((length(address) <= 100)),
  CONSTRAINT sessions_environment_check CHECK ((environment = ANY (ARRAY['sandbox'::text, 'live'::text]))),
  CONSTRAINT sessions_network_check CHECK ((length(network) = 16))
);
CREATE INDEX sessions_of_user ON platform.sessions USING btree (user_id, id);
CREATE TRIGGER sessions_end_for_ever BEFORE UPDATE ON platform.sessions FOR EACH ROW WHEN (((old.ended_at IS NOT NULL) AND (new.ended_at IS DISTINCT FROM old.ended_at))) EXECUTE FUNCTION platform.refuse_session_revival();
GRANT DELETE, INSERT, SELECT, UPDATE (ended_at, proved_at) ON platform.sessions TO partner_wallet_access;
GRANT SELECT (ended_at, id, partner_id, user_id), UPDATE (ended_at) ON platform.sessions TO partner_wallet_operator;

CREATE UNLOGGED TABLE platform.stranger_windows (
  who bytea NOT NULL,
  window_start timestamp(3) with time zone NOT NULL,
  used integer NOT NULL,
  CONSTRAINT stranger_windows_pkey PRIMARY KEY (who),
  CONSTRAINT stranger_windows_who_check CHECK ((length(who) = 16))
);
CREATE INDEX stranger_windows_by_age ON platform.stranger_windows USING btree (window_start);
GRANT DELETE, INSERT, SELECT, UPDATE ON platform.stranger_windows TO partner_wallet_access;

CREATE TABLE platform.totp (
  user_id uuid NOT NULL,
  secret_sealed text NOT NULL,
  enabled_at timestamp(3) with time zone,
  last_step bigint DEFAULT 0 NOT NULL,
  CONSTRAINT totp_pkey PRIMARY KEY (user_id),
  CONSTRAINT totp_user_id_fkey FOREIGN KEY (user_id) REFERENCES platform.users(id) ON DELETE CASCADE,
  CONSTRAINT totp_last_step_check CHECK ((last_step >= 0))
);
CREATE TRIGGER totp_steps_grow BEFORE UPDATE ON platform.totp FOR EACH ROW WHEN (((new.secret_sealed = old.secret_sealed) AND (new.last_step < old.last_step))) EXECUTE FUNCTION platform.refuse_earlier_step();
GRANT DELETE, INSERT, SELECT, UPDATE (enabled_at, last_step, secret_sealed) ON platform.totp TO partner_wallet_access;
GRANT DELETE, SELECT (enabled_at, user_id) ON platform.totp TO partner_wallet_operator;

CREATE TABLE platform.users (
  id uuid NOT NULL,
  partner_id uuid NOT NULL,
  email text NOT NULL,
  password_hash text NOT NULL,
  email_confirmed_at timestamp(3) with time zone,
  owned_at timestamp(3) with time zone,
  created_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  role text DEFAULT 'owner'::text NOT NULL,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_partner_id_fkey FOREIGN KEY (partner_id) REFERENCES platform.partners(id),
  CONSTRAINT users_email_check CHECK ((email = lower(email))),
  CONSTRAINT users_owned_by_the_reader CHECK (((owned_at IS NULL) OR (email_confirmed_at IS NOT NULL))),
  CONSTRAINT users_password_hash_check CHECK ((password_hash ~~ '$argon2id$%'::text)),
  CONSTRAINT users_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'developer'::text, 'finance'::text, 'viewer'::text])))
);
CREATE INDEX users_of_partner ON platform.users USING btree (partner_id, id);
GRANT DELETE, INSERT, SELECT, UPDATE (email, email_confirmed_at, owned_at, password_hash, role) ON platform.users TO partner_wallet_access;
GRANT SELECT (created_at, email, email_confirmed_at, id, partner_id, role) ON platform.users TO partner_wallet_operator;
