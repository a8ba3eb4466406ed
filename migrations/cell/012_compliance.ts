/**
 * Invariants: a compliance record changes only by a request that was kept before it; what was asked and what came
 * of it are never rewritten; a partner's earlier directors stay, and the record says which set is in force (D89).
 * Directors' numbers are stored sealed and nowhere else (G23). A sandbox reset keeps all of this (D97), so it has
 * no rights here.
 */
import { keptMs } from '../../src/domain/retention';
import type { CellPlace, Migration } from '../place';

export const compliance: Migration<CellPlace> = ({ cell, app, api, worker }) => `
  CREATE FUNCTION ${cell}.refuse_compliance_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'what was asked of a compliance record, and what came of it, never changes'
      USING ERRCODE = 'restrict_violation';
  END $$;

  CREATE TABLE ${cell}.compliance_requests (
    id         uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    kind       text NOT NULL CHECK (kind IN ('business_info', 'directors', 'agreements', 'use_case',
                 'claim', 'approve', 'reject', 'suspend', 'reinstate', 'withdraw')),
    content    json NOT NULL,
    actor      text NOT NULL,
    asked_at   timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TRIGGER compliance_requests_are_final BEFORE UPDATE OR DELETE ON ${cell}.compliance_requests
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_compliance_change();
  GRANT SELECT ON ${cell}.compliance_requests TO ${app};
  -- Whoever follows a request may not make it.
  GRANT INSERT ON ${cell}.compliance_requests TO ${api};

  -- A partner has one record per environment (D90).
  CREATE TABLE ${cell}.compliance_records (
    partner_id             uuid PRIMARY KEY,
    status                 text NOT NULL DEFAULT 'incomplete' -- D38
                           CHECK (status IN ('incomplete', 'submitted', 'under_review', 'approved', 'rejected',
                             'suspended')),
    cac_number             text NOT NULL DEFAULT '',
    business_type          text NOT NULL DEFAULT ''
                           CHECK (business_type IN ('', 'llc', 'sole_prop', 'ngo', 'partnership')),
    terms_version          text NOT NULL DEFAULT '',
    terms_accepted_at      timestamptz(3),
    aml_policy_accepted_at timestamptz(3),
    dpa_accepted_at        timestamptz(3),
    directors_set_id       uuid REFERENCES ${cell}.compliance_requests,
    directors_submitted_at timestamptz(3),
    use_case_description   text NOT NULL DEFAULT '',
    rejection_reason       text,
    reviewer               text,
    -- How many moves the record has made, and how many of them the partner's own status has followed (R19).
    moves                  integer NOT NULL DEFAULT 0,
    followed               integer NOT NULL DEFAULT 0,
    created_at             timestamptz(3) NOT NULL DEFAULT now(),
    updated_at             timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT compliance_records_followed_moves CHECK (followed BETWEEN 0 AND moves)
  );
  GRANT SELECT, INSERT, UPDATE ON ${cell}.compliance_records TO ${app};

  -- One request makes at most one move.
  CREATE TABLE ${cell}.compliance_moves (
    request_id  uuid PRIMARY KEY REFERENCES ${cell}.compliance_requests,
    partner_id  uuid NOT NULL REFERENCES ${cell}.compliance_records,
    sequence    integer NOT NULL,
    trigger     text NOT NULL CHECK (trigger IN ('edit', 'submit', 'claim', 'approve', 'reject', 'suspend',
                  'reinstate', 'withdraw')),
    from_status text NOT NULL CHECK (from_status IN ('incomplete', 'submitted', 'under_review', 'approved',
                  'rejected', 'suspended')),
    to_status   text NOT NULL CHECK (to_status IN ('incomplete', 'submitted', 'under_review', 'approved',
                  'rejected', 'suspended')),
    moved_at    timestamptz(3) NOT NULL DEFAULT now(),
    UNIQUE (partner_id, sequence)
  );
  CREATE TRIGGER compliance_moves_are_final BEFORE UPDATE OR DELETE ON ${cell}.compliance_moves
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_compliance_change();
  GRANT SELECT, INSERT ON ${cell}.compliance_moves TO ${app};

  -- Takes back what was submitted for a partner since a time, where somebody else may have submitted it: all that was, while
  -- the time is null. The request has its id from the proof that takes back, so a second call keeps none. Only here may
  -- the worker keep a request: one that holds back, and that lets nobody act.
  CREATE FUNCTION ${cell}.keep_withdrawal(request uuid, of_partner uuid, since timestamptz) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
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
  END $$;
  REVOKE ALL ON FUNCTION ${cell}.keep_withdrawal FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.keep_withdrawal TO ${app};

  -- The set of directors that one request named, in its order.
  CREATE TABLE ${cell}.directors (
    id         uuid PRIMARY KEY,
    set_id     uuid NOT NULL REFERENCES ${cell}.compliance_requests,
    partner_id uuid NOT NULL,
    position   smallint NOT NULL,
    full_name  text NOT NULL,
    role       text NOT NULL,
    bvn_sealed text,
    nin_sealed text,
    UNIQUE (set_id, position)
  );
  CREATE INDEX directors_of_partner ON ${cell}.directors (partner_id);
  GRANT SELECT ON ${cell}.directors TO ${app};
  GRANT INSERT ON ${cell}.directors TO ${api};
  -- The directors of a partner that has left. The schema platform knows when it left. Here nothing is blanked while the
  -- partner has a wallet open or has asked for something within the period, so that whoever takes over the login of the
  -- worker can blank no director of a partner that works. A second call finds nothing left.
  CREATE FUNCTION ${cell}.forget_directors(former uuid) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp AS $$
  DECLARE
    long_ago CONSTANT timestamptz := now() - interval '${keptMs('directors')} milliseconds';
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
  END $$;
  REVOKE ALL ON FUNCTION ${cell}.forget_directors FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.forget_directors TO ${worker};
`;
