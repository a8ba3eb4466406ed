/**
 * Invariant: what arrives without a partner (an account number, a dial code, a provider's callback about a
 * transfer, a payment from outside) leads to its partner without asking every cell (R1). A row is written before
 * anybody can need it. What a company tells us of money that came in is kept once per body, and moves nothing by itself
 * (D115).
 */
import { NOTICE_SUBJECTS } from '../../src/domain/inbound';
import type { DirectoryPlace, Migration } from '../place';

export const lookUps: Migration<DirectoryPlace> = ({ directory, app, api, worker, resetter, ifReset }) => `
  GRANT USAGE ON SCHEMA ${directory} TO ${app};
  ${ifReset(`GRANT USAGE ON SCHEMA ${directory} TO ${resetter};`)}

  -- One sequence per environment: an account number is issued once, to one wallet, for ever. A reset does not set
  -- it back (D97). Its numbers are places in an order of serials that only the key tells (D171).
  CREATE SEQUENCE ${directory}.nuban_serial AS bigint START WITH 100000001 MAXVALUE 999999999 NO CYCLE;
  GRANT USAGE ON SEQUENCE ${directory}.nuban_serial TO ${app};
  -- The key never changes: with another one a serial could come a second time.
  CREATE TABLE ${directory}.nuban_key (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    key      uuid NOT NULL DEFAULT gen_random_uuid()
  );
  INSERT INTO ${directory}.nuban_key DEFAULT VALUES;
  GRANT SELECT ON ${directory}.nuban_key TO ${app};

  -- A number is unique only within the bank that issues it, so two wallets may have the same one at two banks.
  CREATE TABLE ${directory}.nubans (
    account_number text NOT NULL CHECK (account_number ~ '^[0-9]{10}$'),
    bank_code      text NOT NULL,
    partner_id     uuid NOT NULL,
    wallet_id      uuid NOT NULL UNIQUE,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (bank_code, account_number)
  );
  GRANT SELECT, INSERT ON ${directory}.nubans TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${directory}.nubans TO ${resetter};`)}

  -- A gateway knows neither partner nor cell: the code, the gateway's own session or the phone finds them (D76). A
  -- code leads to one session at a time, and is given out again only when that session's window is over.
  CREATE TABLE ${directory}.dial_codes (
    code            text PRIMARY KEY CHECK (code ~ '^[0-9]{6}$'),
    partner_id      uuid NOT NULL,
    session_id      uuid NOT NULL,
    phone           text,
    gateway_session text,
    -- What the payer has typed in that dialogue, where the gateway sends one input at a time: an x stands for everything
    -- but 1 and 2, so that no PIN is kept.
    typed            text NOT NULL DEFAULT '' CHECK (typed ~ '^[12x]{0,100}$'),
    typed_at         timestamptz(3),
    taken_until      timestamptz(3) NOT NULL
  );
  CREATE INDEX dial_codes_of_phone ON ${directory}.dial_codes (phone, session_id DESC) WHERE phone IS NOT NULL;
  CREATE INDEX dial_codes_of_gateway ON ${directory}.dial_codes (gateway_session) WHERE gateway_session IS NOT NULL;
  CREATE INDEX dial_codes_of_partner ON ${directory}.dial_codes (partner_id); -- for a reset
  GRANT SELECT, INSERT, UPDATE, DELETE ON ${directory}.dial_codes TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${directory}.dial_codes TO ${resetter};`)}

  -- The row is written before the transfer is handed to a provider, so that a callback finds its cell.
  CREATE TABLE ${directory}.submitted_transfers (
    transaction_id uuid PRIMARY KEY,
    partner_id     uuid NOT NULL
  );
  GRANT SELECT, INSERT, DELETE ON ${directory}.submitted_transfers TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${directory}.submitted_transfers TO ${resetter};`)}

  -- Companies number neither their notices nor what is in them, so the body itself says whether it came before.
  CREATE TABLE ${directory}.provider_notices (
    id          uuid PRIMARY KEY,
    provider    text NOT NULL,
    body_sha256 text NOT NULL,
    -- The company's reference of the payment that it is about.
    reference   text NOT NULL,
    -- Whether the payment has come in, or goes back.
    about       text NOT NULL CHECK (about IN (${NOTICE_SUBJECTS.map((one) => `'${one}'`).join(', ')})),
    -- The bytes as they came, sealed, because they name people; until retention takes them.
    body_sealed text,
    received_at timestamptz(3) NOT NULL DEFAULT now(),
    -- When a workflow was told to ask the company; null while that is still to be done.
    told_at     timestamptz(3),
    UNIQUE (provider, body_sha256)
  );
  CREATE INDEX provider_notices_untold ON ${directory}.provider_notices (received_at) WHERE told_at IS NULL;
  CREATE INDEX provider_notices_with_body ON ${directory}.provider_notices (received_at) WHERE body_sealed IS NOT NULL;
  GRANT SELECT, UPDATE (told_at, body_sealed) ON ${directory}.provider_notices TO ${app};
  -- Only what came in over HTTP with its signature is a notice.
  GRANT INSERT ON ${directory}.provider_notices TO ${api};

  -- Which cell books a payment that came in, and for which wallet: the first one to write the row decides, for the
  -- whole environment, so that no two cells book one payment.
  CREATE TABLE ${directory}.inbound_claims (
    provider   text NOT NULL,
    reference  text NOT NULL,
    -- Of the credit, and of its transaction.
    credit_id  uuid NOT NULL UNIQUE,
    cell       text NOT NULL,
    -- Both null where it was nobody's account.
    partner_id uuid,
    wallet_id  uuid,
    claimed_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (provider, reference),
    CONSTRAINT inbound_claims_for_a_wallet CHECK ((partner_id IS NULL) = (wallet_id IS NULL))
  );
  GRANT SELECT ON ${directory}.inbound_claims TO ${app};
  -- Only the workflow of a payment decides about it, after it has asked the company.
  GRANT INSERT ON ${directory}.inbound_claims TO ${worker};

  -- The marks of restores. What the platform did between the two times is forgotten here, and known elsewhere.
  CREATE TABLE ${directory}.restores (
    id          uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    -- Of which moment the data are.
    taken_at    timestamptz(3) NOT NULL,
    restored_at timestamptz(3) NOT NULL DEFAULT now(),
    -- When reconciliation had looked in Temporal for what is forgotten.
    searched_at timestamptz(3),
    CONSTRAINT restores_after_the_backup CHECK (taken_at <= restored_at)
  );
  GRANT SELECT ON ${directory}.restores TO ${app};
  GRANT UPDATE (searched_at) ON ${directory}.restores TO ${worker};
`;
