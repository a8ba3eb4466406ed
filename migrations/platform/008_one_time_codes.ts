/**
 * Invariants: the secret of one-time codes is sealed; a code is accepted once, because the step of the last accepted
 * code only grows; of a recovery code only the hash is kept, and it is used once.
 *
 * Operators may delete somebody's codes, and end the sessions of that person. They see neither a secret nor a hash, and
 * can switch nothing on.
 */
import type { Migration, PlatformPlace } from '../place';

export const oneTimeCodes: Migration<PlatformPlace> = ({ access, operator }) => `
  CREATE TABLE platform.totp (
    user_id       uuid PRIMARY KEY REFERENCES platform.users ON DELETE CASCADE,
    secret_sealed text NOT NULL,
    -- null: the user has not shown a code yet, and signs in without one.
    enabled_at    timestamptz(3),
    last_step     bigint NOT NULL DEFAULT 0 CHECK (last_step >= 0)
  );
  CREATE FUNCTION platform.refuse_earlier_step() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a one-time code is accepted once' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER totp_steps_grow BEFORE UPDATE ON platform.totp
    FOR EACH ROW WHEN (NEW.secret_sealed = OLD.secret_sealed AND NEW.last_step < OLD.last_step)
    EXECUTE FUNCTION platform.refuse_earlier_step();
  GRANT SELECT, INSERT, DELETE, UPDATE (secret_sealed, enabled_at, last_step) ON platform.totp TO ${access};

  CREATE TABLE platform.recovery_codes (
    user_id   uuid NOT NULL REFERENCES platform.users ON DELETE CASCADE,
    code_hash bytea NOT NULL CHECK (length(code_hash) = 32), -- SHA-256
    used_at   timestamptz(3),
    PRIMARY KEY (user_id, code_hash)
  );
  GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON platform.recovery_codes TO ${access};

  GRANT SELECT (user_id, enabled_at), DELETE ON platform.totp TO ${operator};
  GRANT SELECT (user_id), DELETE ON platform.recovery_codes TO ${operator};
  GRANT SELECT (id, partner_id, user_id, ended_at), UPDATE (ended_at) ON platform.sessions TO ${operator};
`;
