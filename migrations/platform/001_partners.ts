/**
 * Invariant: a key acts for exactly one partner in exactly one environment, and only its hash is kept (D102).
 *
 * The environments' logins read partners, their cells and keys, and can add neither a partner nor a key. Of the keys
 * each sees and marks those of its own environment only, whatever its statement asks for. The login
 * of registration writes only the columns of a registration, so that nobody can register as active or on a higher
 * tier.
 */
import { KEY_CIDRS_MAX, KEY_SCOPE_NAMES } from '../../src/domain/key-scopes';
import type { Migration, PlatformPlace } from '../place';

const scopes = KEY_SCOPE_NAMES.map((scope) => `'${scope}'`).join(', ');

export const partners: Migration<PlatformPlace> = ({ sandbox, live, status, access, operator }) => `
  GRANT USAGE ON SCHEMA platform TO ${sandbox}, ${live}, ${status}, ${access}, ${operator};

  CREATE TABLE platform.partners (
    id            uuid PRIMARY KEY,
    business_name text NOT NULL,
    email         text NOT NULL,
    phone         text NOT NULL DEFAULT '',
    status        text NOT NULL DEFAULT 'registered' -- D37
                  CHECK (status IN ('registered', 'pending_review', 'active', 'suspended', 'closed')),
    tier          text NOT NULL DEFAULT 'starter' CHECK (tier IN ('starter', 'growth', 'scale')), -- D121
    -- The number of the last move of the live compliance record that the status has followed (R19).
    moves_followed integer NOT NULL DEFAULT 0,
    -- When the owner confirmed the address; live keys work from then on (D175).
    email_confirmed_at timestamptz(3),
    -- When it was suspended last. Who approves a reinstatement approves the end of this suspension and of no later one.
    suspended_at  timestamptz(3),
    -- From here on count the periods of what is known of its people.
    closed_at     timestamptz(3),
    -- The legal holds on the whole partner that are in force, by their ids in the cell.
    legal_holds   uuid[] NOT NULL DEFAULT '{}',
    created_at    timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT partners_closed_at_a_time CHECK ((status = 'closed') = (closed_at IS NOT NULL))
  );
  CREATE INDEX partners_closed ON platform.partners (id) WHERE status = 'closed';
  CREATE FUNCTION platform.note_status() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    IF NEW.status = 'closed' AND NEW.closed_at IS NULL THEN
      NEW.closed_at := now();
    END IF;
    IF NEW.status = 'suspended' AND (TG_OP = 'INSERT' OR OLD.status <> 'suspended') THEN
      NEW.suspended_at := clock_timestamp();
    END IF;
    RETURN NEW;
  END $$;
  CREATE TRIGGER partners_note_status BEFORE INSERT OR UPDATE OF status ON platform.partners
    FOR EACH ROW EXECUTE FUNCTION platform.note_status();
  GRANT SELECT ON platform.partners TO ${sandbox}, ${live}, ${access}, ${operator};
  GRANT INSERT (id, business_name, email, phone) ON platform.partners TO ${access};
  GRANT UPDATE (email, email_confirmed_at) ON platform.partners TO ${access};
  GRANT UPDATE (status, tier, legal_holds) ON platform.partners TO ${operator};
  -- A partner's own status follows its live record alone (D90), by a login that serves no partner.
  GRANT SELECT (id, status, moves_followed), UPDATE (status, moves_followed) ON platform.partners TO ${status};

  -- Which cell holds a partner is a stored row and never computed, so that a partner can be moved (R1).
  CREATE TABLE platform.partner_cells (
    partner_id  uuid NOT NULL REFERENCES platform.partners,
    environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    cell        text NOT NULL,
    PRIMARY KEY (partner_id, environment)
  );
  GRANT SELECT ON platform.partner_cells TO ${sandbox}, ${live}, ${access}, ${operator};
  GRANT INSERT ON platform.partner_cells TO ${access};

  CREATE TABLE platform.api_keys (
    id           uuid PRIMARY KEY,
    partner_id   uuid NOT NULL REFERENCES platform.partners,
    environment  text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    key_hash     bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32), -- SHA-256
    key_prefix   text NOT NULL,
    label        text NOT NULL DEFAULT '',
    scopes       text[] NOT NULL DEFAULT ARRAY[${scopes}],
    -- The networks from which it may be used; empty: from everywhere.
    allowed_cidrs text[] NOT NULL DEFAULT '{}',
    last_used_at timestamptz(3),
    expires_at   timestamptz(3),
    revoked_at   timestamptz(3),
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT api_keys_scopes CHECK (cardinality(scopes) > 0 AND scopes <@ ARRAY[${scopes}]),
    CONSTRAINT api_keys_allowed_cidrs CHECK (cardinality(allowed_cidrs) <= ${String(KEY_CIDRS_MAX)})
  );
  CREATE INDEX api_keys_of_partner ON platform.api_keys (partner_id);
  GRANT SELECT ON platform.api_keys TO ${sandbox}, ${live}, ${access};
  GRANT INSERT, UPDATE (revoked_at) ON platform.api_keys TO ${access};
  GRANT UPDATE (last_used_at) ON platform.api_keys TO ${sandbox}, ${live};
  ALTER TABLE platform.api_keys ENABLE ROW LEVEL SECURITY;
  CREATE POLICY api_keys_of_both ON platform.api_keys TO ${access} USING (true);
  CREATE POLICY api_keys_of_live ON platform.api_keys TO ${live} USING (environment = 'live');
  CREATE POLICY api_keys_of_sandbox ON platform.api_keys TO ${sandbox} USING (environment = 'sandbox');
`;
