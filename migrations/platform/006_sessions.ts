/**
 * Invariants: an access token is good only while its session is in force, and a session that has ended never comes
 * back. The row says who signed in, and from where; it holds nothing with which a token can be made.
 *
 * Only the role of sign-in reads and ends sessions. The environments' roles see none.
 */
import type { Migration, PlatformPlace } from '../place';

export const sessions: Migration<PlatformPlace> = ({ access }) => `
  CREATE TABLE platform.sessions (
    id          uuid PRIMARY KEY, -- the token's jti
    partner_id  uuid NOT NULL REFERENCES platform.partners,
    -- null: the administrator has made the token.
    user_id     uuid REFERENCES platform.users ON DELETE CASCADE,
    environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    address     text CHECK (length(address) <= 100),
    -- The hash of the caller's network: sign-ins from a network that is known are throttled by themselves.
    network     bytea CHECK (length(network) = 16),
    proved_at   timestamptz(3) NOT NULL DEFAULT now(),
    expires_at  timestamptz(3) NOT NULL,
    ended_at    timestamptz(3),
    created_at  timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE INDEX sessions_of_user ON platform.sessions (user_id, id);
  CREATE FUNCTION platform.refuse_session_revival() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a session that has ended never comes back' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER sessions_end_for_ever BEFORE UPDATE ON platform.sessions
    FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at)
    EXECUTE FUNCTION platform.refuse_session_revival();
  GRANT SELECT, INSERT, UPDATE (proved_at, ended_at), DELETE ON platform.sessions TO ${access};

  -- Wrong sign-ins in a row, by the hash of an account or of a network. A crash may empty the table: then somebody
  -- has a few more tries, and no try costs a flush of the write-ahead log.
  CREATE UNLOGGED TABLE platform.login_attempts (
    who        bytea PRIMARY KEY CHECK (length(who) = 16),
    in_a_row   integer NOT NULL CHECK (in_a_row >= 0),
    last_at    timestamptz(3) NOT NULL,
    wait_until timestamptz(3),
    -- Whether the owner was told that sign-ins are refused during this wait.
    told       boolean NOT NULL DEFAULT false
  );
  CREATE INDEX login_attempts_by_age ON platform.login_attempts (last_at);
  GRANT SELECT, INSERT, UPDATE, DELETE ON platform.login_attempts TO ${access};
`;
