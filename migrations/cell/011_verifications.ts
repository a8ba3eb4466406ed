/**
 * Invariants: a BVN or NIN is stored sealed (G23), and compared by a keyed index only; a person's number that is
 * being checked is not checked a second time meanwhile (D82); a director's is checked once.
 */
import type { CellPlace, Migration } from '../place';

export const verifications: Migration<CellPlace> = ({ cell, app, reconciler, resetter, ifReset }) => `
  CREATE TABLE ${cell}.verifications (
    id                   uuid PRIMARY KEY,
    partner_id           uuid NOT NULL,
    subject              text NOT NULL CHECK (subject IN ('end_user', 'director')),
    user_ref             text,
    director_id          uuid,
    type                 text NOT NULL CHECK (type IN ('bvn', 'nin')),
    status               text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
    number_sealed        text NOT NULL,
    number_index         text NOT NULL,
    expected_name_sealed text,
    found_name_sealed    text,
    failure_reason       text CHECK (failure_reason IN ('BVN_NOT_FOUND', 'NIN_NOT_FOUND', 'WATCH_LISTED',
                           'NAME_MISMATCH', 'PROVIDER_UNAVAILABLE')),
    created_at           timestamptz(3) NOT NULL,
    updated_at           timestamptz(3) NOT NULL,
    verified_at          timestamptz(3),
    CONSTRAINT verifications_name_the_user CHECK ((subject = 'end_user') = (user_ref IS NOT NULL)),
    CONSTRAINT verifications_name_the_director CHECK ((subject = 'director') = (director_id IS NOT NULL)),
    CONSTRAINT verifications_verified_at_a_time CHECK ((status = 'verified') = (verified_at IS NOT NULL)),
    CONSTRAINT verifications_failed_for_a_reason CHECK ((status = 'failed') = (failure_reason IS NOT NULL))
  );
  -- The list of a customer's verifications, newest first (D84).
  CREATE INDEX verifications_of_user ON ${cell}.verifications (partner_id, user_ref, created_at DESC, id DESC)
    WHERE user_ref IS NOT NULL;
  CREATE UNIQUE INDEX verifications_under_way ON ${cell}.verifications (partner_id, user_ref, number_index)
    WHERE status = 'pending' AND user_ref IS NOT NULL;
  CREATE UNIQUE INDEX verifications_of_director ON ${cell}.verifications (director_id, type)
    WHERE director_id IS NOT NULL;
  CREATE INDEX verifications_pending ON ${cell}.verifications (id) WHERE status = 'pending'; -- what is to be finished
  -- Only the columns of the result can be updated, and not what was asked.
  GRANT SELECT, INSERT, UPDATE (status, failure_reason, found_name_sealed, verified_at, updated_at)
    ON ${cell}.verifications TO ${app};
  GRANT SELECT (id, status) ON ${cell}.verifications TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.verifications TO ${resetter};`)}
`;
