/**
 * Invariants: an operator's token is kept as a hash only, and ends by itself; the trail of operators is a chain that is never changed
 * or shortened, not even by its owner by mistake (G35); nobody reads or acts before an operator has admitted them, but for the first one, and whoever was admitted gets the next token without being admitted again for 30 days (D91); nobody approves a proposal twice, nor their own, and none is carried out with too few approvals (D14).
 *
 * Operators change partners and write their own trail. They reach the cells with the environments' logins only.
 */
import { OWN_KINDS, PROPOSAL_KINDS, PROPOSAL_LIFE_MS, PROPOSALS } from '../../src/domain/proposals';
import { TOKEN_LIFE_MAX_MS } from '../../src/domain/operators';
import type { Migration, PlatformPlace } from '../place';

const NEEDED = PROPOSAL_KINDS.map((kind) => `('${kind}', ${String(PROPOSALS[kind].approvals)})`).join(', ');

const OWN = OWN_KINDS.map((kind) => `'${kind}'`).join(', ');

/** Somebody who was admitted and whose token was not revoked. */
const admitted = (o: string): string => `${o}.admitted_at IS NOT NULL AND ${o}.revoked_at IS NULL`;

const ADMISSION_LASTS = `interval '${String(TOKEN_LIFE_MAX_MS / 1_000)} seconds'`;

export const operators: Migration<PlatformPlace> = ({ sandbox, live, operator }) => `
  CREATE TABLE platform.operators (
    id           uuid PRIMARY KEY,
    name         text NOT NULL UNIQUE,
    role         text NOT NULL CHECK (role IN ('operator', 'viewer')),
    token_hash   bytea NOT NULL UNIQUE CHECK (length(token_hash) = 32), -- SHA-256
    token_prefix text NOT NULL,
    expires_at   timestamptz(3) NOT NULL, -- of the token
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    revoked_at   timestamptz(3),
    -- From then on the token works, and who let it in: null for the first operator.
    admitted_at  timestamptz(3),
    admitted_by  uuid REFERENCES platform.operators CHECK (admitted_by <> id)
  );
  GRANT SELECT, UPDATE (admitted_at, admitted_by) ON platform.operators TO ${operator};
  CREATE FUNCTION platform.refuse_unadmitted() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    -- Two first operators at the same time would not see each other.
    PERFORM pg_advisory_xact_lock('platform.operators'::regclass::bigint);
    IF NEW.admitted_at IS NOT NULL
       AND (TG_OP = 'INSERT' OR OLD.admitted_at IS NULL OR OLD.token_hash <> NEW.token_hash OR OLD.role <> NEW.role)
       -- The next token of somebody whose admission lasts (src/db/partners/operators.ts, renewToken).
       AND NOT (TG_OP = 'UPDATE' AND ${admitted('OLD')} AND ${admitted('NEW')}
                AND (OLD.name, OLD.role, OLD.admitted_at) = (NEW.name, NEW.role, NEW.admitted_at)
                AND OLD.admitted_by IS NOT DISTINCT FROM NEW.admitted_by
                AND NEW.expires_at <= OLD.admitted_at + ${ADMISSION_LASTS})
       -- Without an admitter there must be no other operator, nor one who can get the next token; with one, the token of that
       -- operator must work.
       AND EXISTS (SELECT FROM platform.operators o
                    WHERE o.id = coalesce(NEW.admitted_by, o.id) AND o.name <> NEW.name AND o.role = 'operator' AND ${admitted('o')}
                      AND (o.expires_at > now() OR (NEW.admitted_by IS NULL AND o.admitted_at > now() - ${ADMISSION_LASTS})))
           = (NEW.admitted_by IS NULL)
    THEN
      RAISE EXCEPTION 'an operator is admitted by another one who is in force' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER operators_are_admitted BEFORE INSERT OR UPDATE ON platform.operators
    FOR EACH ROW EXECUTE FUNCTION platform.refuse_unadmitted();
  -- Workflows show a reviewer by name. Nothing else of an operator is readable there.
  GRANT SELECT (id, name) ON platform.operators TO ${sandbox}, ${live};

  -- How often somebody has read people's data in this hour.
  CREATE TABLE platform.people_reads (
    operator_id uuid PRIMARY KEY REFERENCES platform.operators,
    hour        timestamptz(3) NOT NULL,
    used        integer NOT NULL CHECK (used > 0)
  );
  GRANT SELECT, INSERT, UPDATE ON platform.people_reads TO ${operator};

  CREATE TABLE platform.audit (
    sequence      bigint PRIMARY KEY CHECK (sequence > 0),
    at            timestamptz(3) NOT NULL,
    request_id    text NOT NULL,
    operator_id   uuid NOT NULL,
    operator_name text NOT NULL,
    action        text NOT NULL,
    resource      text NOT NULL,
    phase         text NOT NULL CHECK (phase IN ('asked', 'done', 'refused', 'failed')),
    detail        text NOT NULL,
    -- Names the key of the seal, so that a check after a change of the key need not try several.
    key_id        text NOT NULL CHECK (length(key_id) = 8),
    hash          bytea NOT NULL CHECK (length(hash) = 32)
  );
  CREATE FUNCTION platform.refuse_audit_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'the audit trail is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER audit_is_final BEFORE UPDATE OR DELETE OR TRUNCATE ON platform.audit
    FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_audit_change();
  GRANT SELECT, INSERT ON platform.audit TO ${operator};

  -- The end of the chain. Every writer of the trail locks this row first. The last row of a chain that was cut
  -- short differs from this one.
  CREATE TABLE platform.audit_head (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    sequence bigint NOT NULL,
    hash     bytea NOT NULL CHECK (length(hash) = 32)
  );
  INSERT INTO platform.audit_head (sequence, hash) VALUES (0, decode(repeat('00', 32), 'hex'));
  GRANT SELECT, UPDATE (sequence, hash) ON platform.audit_head TO ${operator};

  CREATE TABLE platform.proposals (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL,
    approvals_needed smallint NOT NULL,
    environment      text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    -- Null for what is about our own money.
    partner_id       uuid REFERENCES platform.partners,
    terms            text NOT NULL,
    status           text NOT NULL DEFAULT 'proposed'
                     CHECK (status IN ('proposed', 'approved', 'applied', 'refused', 'rejected')),
    refusal          text,
    proposed_by      uuid NOT NULL REFERENCES platform.operators,
    created_at       timestamptz(3) NOT NULL DEFAULT now(),
    updated_at       timestamptz(3) NOT NULL DEFAULT now(),
    -- Until then it can be approved. Nobody writes that it has expired.
    expires_at       timestamptz(3) NOT NULL DEFAULT now() + interval '${PROPOSAL_LIFE_MS} milliseconds',
    -- For the foreign key of an approval, which says again who proposed.
    UNIQUE (id, proposed_by),
    CONSTRAINT proposals_need_people CHECK ((kind, approvals_needed) IN (${NEEDED})),
    CONSTRAINT proposals_about_partners CHECK ((partner_id IS NULL) = (kind IN (${OWN}))),
    CONSTRAINT proposals_refused_with_refusal CHECK ((status = 'refused') = (refusal IS NOT NULL))
  );
  CREATE INDEX proposals_by_age ON platform.proposals (created_at DESC, id DESC);
  GRANT SELECT, INSERT, UPDATE (status, refusal, updated_at) ON platform.proposals TO ${operator};

  CREATE TABLE platform.proposal_approvals (
    proposal_id uuid NOT NULL,
    proposed_by uuid NOT NULL,
    operator_id uuid NOT NULL REFERENCES platform.operators,
    approved_at timestamptz(3) NOT NULL DEFAULT now(),
    -- One approval per operator, so two approvals are two people.
    PRIMARY KEY (proposal_id, operator_id),
    FOREIGN KEY (proposal_id, proposed_by) REFERENCES platform.proposals (id, proposed_by),
    CONSTRAINT proposal_approvals_not_by_proposer CHECK (operator_id <> proposed_by)
  );
  GRANT SELECT, INSERT ON platform.proposal_approvals TO ${operator};

  CREATE FUNCTION platform.refuse_unapproved() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    IF NEW.status IN ('approved', 'applied', 'refused') AND NEW.approvals_needed >
       (SELECT count(*) FROM platform.proposal_approvals v WHERE v.proposal_id = NEW.id) THEN
      RAISE EXCEPTION 'too few people have approved the proposal' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER proposals_are_approved BEFORE INSERT OR UPDATE ON platform.proposals
    FOR EACH ROW EXECUTE FUNCTION platform.refuse_unapproved();
`;
