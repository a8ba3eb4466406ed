/**
 * Invariants: before an order is sent to a company, its attempt is here with one more open POST. A transfer has at most
 * one attempt that a company may have or has taken. An attempt that has ended never changes.
 */
import {
  ATTEMPT_CAUSES,
  ATTEMPT_STATES,
  GIVEN_UP,
  QUERY_OUTCOMES,
  STATES_OF_ONE,
  SUBMIT_OUTCOMES,
} from '../../src/domain/payouts';
import type { CellPlace, Migration } from '../place';

const list = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

export const transferAttempts: Migration<CellPlace> = ({
  cell,
  app,
  api,
  worker,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.transfer_attempts (
    transaction_id uuid NOT NULL REFERENCES ${cell}.transactions (id),
    n              integer NOT NULL CHECK (n >= 1),
    provider       text NOT NULL,
    state          text NOT NULL,
    -- Orders that were sent, and of which it is not proved that the company did not take them.
    open_posts     integer NOT NULL,
    cause          text,
    -- The first of the two keys of a failure.
    failed_at      timestamptz(3),
    provider_ref   text,
    session_id     text,
    code           text,
    fee_kobo       bigint CHECK (fee_kobo >= 0),
    duty_kobo      bigint CHECK (duty_kobo >= 0),
    -- The company waits for a person of ours, who has to confirm the order there.
    needs_authorization boolean NOT NULL DEFAULT false,
    -- When the last order was sent whose answer is not known; null where that is when the attempt was begun.
    sent_at        timestamptz(3),
    -- When the company last answered an order with a no that is in no table.
    declined_at    timestamptz(3),
    -- The last answer: what it was, the company's code of it, and our own fixed words. Never the company's text.
    said           text,
    said_code      text,
    said_reason    text,
    -- When the company asked before it paid, and was told to pay.
    approved_at    timestamptz(3),
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    updated_at     timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (transaction_id, n),
    CONSTRAINT transfer_attempts_states CHECK (state IN (${list(ATTEMPT_STATES)})),
    CONSTRAINT transfer_attempts_causes CHECK (cause IN (${list(ATTEMPT_CAUSES)})),
    CONSTRAINT transfer_attempts_said CHECK (said IN (${list([...new Set([...SUBMIT_OUTCOMES, ...QUERY_OUTCOMES])])})),
    CONSTRAINT transfer_attempts_open_posts CHECK (open_posts >= 0),
    CONSTRAINT transfer_attempts_refused_without_order CHECK (state <> 'refused' OR open_posts = 0)
  );
  CREATE UNIQUE INDEX transfer_attempts_one ON ${cell}.transfer_attempts (transaction_id)
    WHERE state IN (${list(STATES_OF_ONE)});

  -- For the daily question whether a company has paid all the same what was given up.
  CREATE INDEX transfer_attempts_given_up ON ${cell}.transfer_attempts (updated_at)
    WHERE state IN (${list(GIVEN_UP)});

  -- Payments that the company did not ask about first: while there are such, its promise to ask is not believed.
  CREATE INDEX transfer_attempts_unasked ON ${cell}.transfer_attempts (provider, updated_at)
    WHERE state = 'succeeded' AND approved_at IS NULL;

  CREATE FUNCTION ${cell}.refuse_attempt_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'an attempt that has ended never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER transfer_attempts_end_once BEFORE UPDATE ON ${cell}.transfer_attempts
    FOR EACH ROW WHEN (OLD.state NOT IN ('sending', 'accepted'))
    EXECUTE FUNCTION ${cell}.refuse_attempt_change();
  GRANT SELECT ON ${cell}.transfer_attempts TO ${app}, ${reconciler};
  -- Only the steps of a transfer's workflow send orders.
  GRANT INSERT, UPDATE ON ${cell}.transfer_attempts TO ${worker};
  -- The API tells a company to pay when it asks, and releases an attempt that people have looked into.
  GRANT UPDATE (state, cause, approved_at, updated_at) ON ${cell}.transfer_attempts TO ${api};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.transfer_attempts TO ${resetter};`)}
`;
