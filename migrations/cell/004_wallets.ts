/**
 * Invariants: a partner has one wallet per customer, for ever (D11); a wallet has all the columns of its bank
 * account or none of them; every freeze, unfreeze, close and reopening leaves a row that is never changed.
 */
import type { CellPlace, Migration } from '../place';

export const wallets: Migration<CellPlace> = ({ cell, app, api, resetter, ifReset }) => `
  -- Who a wallet belongs to. Its money and its status are in the account with the same id.
  CREATE TABLE ${cell}.wallets (
    id             uuid PRIMARY KEY REFERENCES ${cell}.accounts,
    partner_id     uuid NOT NULL,
    user_ref       text NOT NULL,
    currency       text NOT NULL DEFAULT 'NGN' CHECK (currency = 'NGN'), -- D12
    account_number text CHECK (account_number ~ '^[0-9]{10}$'),
    -- Of the account; null before there is one, and after the erasure of its owner.
    account_name_sealed text,
    bank_code      text,
    bank_name      text,
    mfb_reference  text,
    -- What the partner has said of the owner, as JSON; null where that is nothing, and after an erasure.
    metadata_sealed text,
    -- When the data of its owner was erased. The row stays, because the books name it.
    erased_at      timestamptz(3),
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    updated_at     timestamptz(3) NOT NULL DEFAULT now(),
    -- Since when its account can be opened; null while that waits for details about its owner.
    account_wanted_at timestamptz(3) DEFAULT now(),
    -- Since when the opening of its account stands still; null where it does not.
    parked_at      timestamptz(3),
    -- Since when its workflow is to be told that there is news about its owner, or that it was closed.
    news_at        timestamptz(3),
    UNIQUE (partner_id, user_ref),
    UNIQUE (bank_code, account_number),
    CONSTRAINT wallets_with_whole_account
      CHECK (num_nulls(account_number, bank_code, bank_name, mfb_reference) IN (0, 4)
        AND (account_name_sealed IS NULL) = (account_number IS NULL OR erased_at IS NOT NULL))
  );
  -- The list of a partner's wallets, newest first; settlement wallets are hidden from it (D69).
  CREATE INDEX wallets_of_partner ON ${cell}.wallets (partner_id, created_at DESC, id DESC)
    WHERE left(user_ref, 2) <> '__';
  -- The wallets that wait for us or for a company, the longest first, for their gauge.
  CREATE INDEX wallets_wanting_account ON ${cell}.wallets (account_wanted_at)
    WHERE account_number IS NULL AND account_wanted_at IS NOT NULL;
  -- For the sweep, which tells what could not be told at once.
  CREATE INDEX wallets_with_news ON ${cell}.wallets (news_at) WHERE news_at IS NOT NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.wallets TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.wallets TO ${resetter};`)}

  ${ifReset(`
  -- The partners whose sandbox demands of owners what live demands. A reset switches it off.
  CREATE TABLE ${cell}.sandbox_requirements (
    partner_id uuid PRIMARY KEY,
    since      timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT, INSERT, DELETE ON ${cell}.sandbox_requirements TO ${api};
  GRANT SELECT, DELETE ON ${cell}.sandbox_requirements TO ${resetter};`)}

  CREATE TABLE ${cell}.wallet_actions (
    id           uuid PRIMARY KEY,
    partner_id   uuid NOT NULL,
    wallet_id    uuid NOT NULL,
    action       text NOT NULL CHECK (action IN ('freeze', 'unfreeze', 'close', 'reopen')),
    actor        text NOT NULL CHECK (actor IN ('partner', 'operator')),
    operator_id  uuid,
    request_id   text NOT NULL,
    reason       text,
    authority    text,
    frozen_until timestamptz(3),
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT wallet_actions_name_the_operator CHECK ((actor = 'operator') = (operator_id IS NOT NULL))
  );
  CREATE INDEX wallet_actions_of_wallet ON ${cell}.wallet_actions (wallet_id);
  -- As in the ledger, only a sandbox reset gets past this trigger (R11).
  CREATE FUNCTION ${cell}.refuse_action_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = '${resetter}' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'what was done to a wallet is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER wallet_actions_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ${cell}.wallet_actions
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_action_change();
  GRANT SELECT, INSERT ON ${cell}.wallet_actions TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.wallet_actions TO ${resetter};`)}
`;
