/**
 * Invariants: a BVN or NIN is stored sealed (G23), and compared by a keyed index only; a person's number that is
 * being checked is not checked a second time meanwhile (D82); a director's is checked once.
 */
import { keptMs } from '../../src/domain/retention';
import type { CellPlace, Migration } from '../place';

export const verifications: Migration<CellPlace> = ({
  cell,
  app,
  api,
  worker,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.verifications (
    id                   uuid PRIMARY KEY,
    partner_id           uuid NOT NULL,
    subject              text NOT NULL CHECK (subject IN ('end_user', 'director')),
    user_ref             text,
    director_id          uuid,
    type                 text NOT NULL CHECK (type IN ('bvn', 'nin')),
    status               text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
    -- Null once the person's data was erased.
    number_sealed        text,
    number_index         text,
    expected_name_sealed text,
    found_name_sealed    text,
    failure_reason       text CHECK (failure_reason IN ('BVN_NOT_FOUND', 'NIN_NOT_FOUND', 'WATCH_LISTED',
                           'NAME_MISMATCH', 'PROVIDER_UNAVAILABLE')),
    -- Which company answered, and whether it said that the person is on the watch list; null where none has said so.
    company              text,
    watch_listed         boolean,
    created_at           timestamptz(3) NOT NULL,
    updated_at           timestamptz(3) NOT NULL,
    verified_at          timestamptz(3),
    CONSTRAINT verifications_name_the_user CHECK ((subject = 'end_user') = (user_ref IS NOT NULL)),
    CONSTRAINT verifications_name_the_director CHECK ((subject = 'director') = (director_id IS NOT NULL)),
    CONSTRAINT verifications_verified_at_a_time CHECK ((status = 'verified') = (verified_at IS NOT NULL)),
    CONSTRAINT verifications_pending_with_number
      CHECK (status <> 'pending' OR (number_sealed IS NOT NULL AND number_index IS NOT NULL)),
    CONSTRAINT verifications_never_of_the_watch_list CHECK (watch_listed IS NOT TRUE OR status = 'failed'),
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
  GRANT SELECT, INSERT, UPDATE (status, failure_reason, found_name_sealed, company, watch_listed, verified_at, updated_at)
    ON ${cell}.verifications TO ${app};
  GRANT SELECT (id, status) ON ${cell}.verifications TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.verifications TO ${resetter};`)}
  -- On what each number was submitted: the consent that the partner told, or else its agreement with the platform.
  -- It proves that the number was asked for rightly, so it is never changed, and it names nobody.
  CREATE TABLE ${cell}.consents (
    id              uuid PRIMARY KEY,
    partner_id      uuid NOT NULL,
    verification_id uuid NOT NULL REFERENCES ${cell}.verifications,
    basis           text NOT NULL CHECK (basis IN ('customer', 'partner_agreement')),
    given_at        timestamptz(3),
    text_version    text,
    channel         text,
    request_id      text NOT NULL,
    recorded_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT consents_are_told_whole
      CHECK (num_nulls(given_at, text_version, channel) = CASE basis WHEN 'customer' THEN 0 ELSE 3 END)
  );
  CREATE INDEX consents_of_verification ON ${cell}.consents (verification_id, id);
  CREATE INDEX consents_of_partner ON ${cell}.consents (partner_id);
  GRANT SELECT, INSERT ON ${cell}.consents TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.consents TO ${resetter};`)}
  -- The one way to take numbers, names and events of a person away: a process may blank them, and never write others.
  CREATE FUNCTION ${cell}.erase_person(asking uuid, wallet uuid, person text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
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
  END $$;
  -- The same for somebody who was checked and never had a wallet.
  CREATE FUNCTION ${cell}.erase_checked_person(asking uuid, person text) RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
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
  END $$;
  REVOKE ALL ON FUNCTION ${cell}.erase_checked_person FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.erase_checked_person TO ${api};
  -- Numbers of people who never had a wallet, whose closing would begin the period. The period is fixed here, so that
  -- whoever takes over the login of the worker can blank nothing that is younger. A page of the rows that are old enough,
  -- by their ids, which are ordered by time; last is null behind the last page.
  CREATE FUNCTION ${cell}.forget_lone_numbers(after_id uuid, page integer, OUT last uuid, OUT gone integer)
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
  DECLARE
    long_ago CONSTANT timestamptz := now() - interval '${keptMs('lone_numbers')} milliseconds';
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
  END $$;
  REVOKE ALL ON FUNCTION ${cell}.forget_lone_numbers FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.forget_lone_numbers TO ${worker};
  REVOKE ALL ON FUNCTION ${cell}.erase_person FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.erase_person TO ${app};
`;
