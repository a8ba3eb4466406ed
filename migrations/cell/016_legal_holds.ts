/**
 * Invariant: what is known of somebody under a legal hold is taken away by nobody, neither by an erasure nor by
 * retention. A legal hold is never changed or deleted; it is lifted once.
 */
import type { CellPlace, Migration } from '../place';

export const legalHolds: Migration<CellPlace> = ({ cell, app, api }) => `
  CREATE TABLE ${cell}.legal_holds (
    id              uuid PRIMARY KEY, -- that of the proposal which placed it
    partner_id      uuid NOT NULL,
    -- The person, named by a wallet or a check of theirs. All three are null where the whole partner is meant.
    wallet_id       uuid,
    verification_id uuid,
    user_ref        text,
    reason          text NOT NULL,
    placed_at       timestamptz(3) NOT NULL DEFAULT now(),
    lifted_at       timestamptz(3),
    CONSTRAINT legal_holds_name_one_person
      CHECK (num_nonnulls(wallet_id, verification_id) = num_nonnulls(user_ref))
  );
  CREATE INDEX legal_holds_in_force ON ${cell}.legal_holds (partner_id) WHERE lifted_at IS NULL;
  CREATE INDEX legal_holds_by_time ON ${cell}.legal_holds (placed_at, id);
  -- A person places and lifts it, on the operator port. The worker only asks.
  GRANT SELECT ON ${cell}.legal_holds TO ${app};
  GRANT INSERT, UPDATE (lifted_at) ON ${cell}.legal_holds TO ${api};

  CREATE FUNCTION ${cell}.is_under_legal_hold(asking uuid, person text) RETURNS boolean
  LANGUAGE sql STABLE SET search_path = ${cell}, pg_temp AS $$
    SELECT EXISTS (SELECT FROM legal_holds h WHERE h.partner_id = asking AND h.lifted_at IS NULL
                      AND (h.user_ref IS NULL OR h.user_ref = person));
  $$;
`;
