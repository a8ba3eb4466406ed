-- Made by `npm run schema` out of a migrated database. The reasons are in the migrations.

GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_api;
GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_reset;
GRANT USAGE ON SCHEMA directory TO partner_wallet_sandbox_worker;

CREATE SEQUENCE directory.nuban_serial AS bigint INCREMENT 1 MINVALUE 1 MAXVALUE 999999999 START 100000001 CACHE 1 NO CYCLE;
GRANT USAGE ON SEQUENCE directory.nuban_serial TO partner_wallet_sandbox_api;
GRANT USAGE ON SEQUENCE directory.nuban_serial TO partner_wallet_sandbox_worker;

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

CREATE TABLE directory.provider_notices (
  id uuid NOT NULL,
  provider text NOT NULL,
  body_sha256 text NOT NULL,
  reference text NOT NULL,
  body_sealed text,
  received_at timestamp(3) with time zone DEFAULT now() NOT NULL,
  told_at timestamp(3) with time zone,
  CONSTRAINT provider_notices_pkey PRIMARY KEY (id),
  CONSTRAINT provider_notices_provider_body_sha256_key UNIQUE (provider, body_sha256)
);
CREATE INDEX provider_notices_untold ON directory.provider_notices USING btree (received_at) WHERE (told_at IS NULL);
CREATE INDEX provider_notices_with_body ON directory.provider_notices USING btree (received_at) WHERE (body_sealed IS NOT NULL);
GRANT INSERT, SELECT, UPDATE (told_at) ON directory.provider_notices TO partner_wallet_sandbox_api;
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
