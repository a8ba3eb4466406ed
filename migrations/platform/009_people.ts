/**
 * Invariants: every user has one role; somebody is invited to a partner once at a time; an invitation ends once: it
 * is accepted or withdrawn, or its time is over.
 */
import { keptMs } from '../../src/domain/retention';
import type { Migration, PlatformPlace } from '../place';

const CLASSES_OF_PEOPLE = (['sessions', 'security_events', 'invitations', 'users', 'contacts'] as const)
  .map((name) => `      WHEN '${name}' THEN interval '${keptMs(name)} milliseconds'`)
  .join('\n');

export const people: Migration<PlatformPlace> = ({ access, operator, sandbox, live }) => `
  -- The first user of a partner has registered it.
  ALTER TABLE platform.users ADD COLUMN role text NOT NULL DEFAULT 'owner'
    CHECK (role IN ('owner', 'developer', 'finance', 'viewer'));
  CREATE INDEX users_of_partner ON platform.users (partner_id, id);
  GRANT UPDATE (role), DELETE ON platform.users TO ${access};
  GRANT SELECT (role, created_at) ON platform.users TO ${operator};

  CREATE TABLE platform.invitations (
    id         uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES platform.partners,
    email      text NOT NULL CHECK (email = lower(email)),
    role       text NOT NULL CHECK (role IN ('owner', 'developer', 'finance', 'viewer')),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL CHECK (expires_at > created_at),
    ended_at   timestamptz(3)
  );
  CREATE UNIQUE INDEX invitations_open ON platform.invitations (partner_id, email) WHERE ended_at IS NULL;
  CREATE INDEX invitations_of_partner ON platform.invitations (partner_id, id);
  GRANT SELECT, INSERT, UPDATE (role, expires_at, ended_at) ON platform.invitations TO ${access};

  -- Retention deletes what is older than its period. The periods are fixed here, so that whoever takes over a login of
  -- a worker can delete nothing that is younger. Ids are ordered by time, so the oldest rows are found by their key.
  CREATE FUNCTION platform.forget_old(class text, page integer) RETURNS integer
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = platform, pg_temp AS $$
  DECLARE
    gone integer;
    kept CONSTANT interval := CASE class
${CLASSES_OF_PEOPLE}
    END;
    long_ago CONSTANT timestamptz := now() - kept;
    made_before CONSTANT uuid :=
      rpad(lpad(to_hex((extract(epoch FROM long_ago) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
  BEGIN
    CASE class
    WHEN 'sessions' THEN
      -- A token that an administrator made may outlive the period.
      DELETE FROM sessions WHERE id IN (
        SELECT id FROM sessions WHERE id < made_before AND created_at <= long_ago AND expires_at <= now()
         ORDER BY id LIMIT page);
    WHEN 'security_events' THEN
      DELETE FROM security_events WHERE id IN (
        SELECT id FROM security_events e WHERE id < made_before AND created_at <= long_ago
           AND NOT EXISTS (SELECT FROM partners p WHERE p.id = e.partner_id AND p.legal_holds <> '{}')
         ORDER BY id LIMIT page);
    WHEN 'invitations' THEN
      DELETE FROM invitations WHERE id IN (
        SELECT id FROM invitations WHERE id < made_before AND coalesce(ended_at, expires_at) <= long_ago
         ORDER BY id LIMIT page);
    WHEN 'users' THEN
      -- Sessions, codes and tokens go with their user.
      DELETE FROM users WHERE id IN (
        SELECT u.id FROM users u JOIN partners p ON p.id = u.partner_id
         WHERE p.status = 'closed' AND p.closed_at <= long_ago AND p.legal_holds = '{}' LIMIT page);
    WHEN 'contacts' THEN
      UPDATE partners SET email = '', phone = '', email_confirmed_at = NULL WHERE id IN (
        SELECT id FROM partners WHERE status = 'closed' AND closed_at <= long_ago AND (email, phone) <> ('', '') AND legal_holds = '{}'
         LIMIT page);
    END CASE;
    GET DIAGNOSTICS gone = ROW_COUNT;
    RETURN gone;
  END $$;
  REVOKE ALL ON FUNCTION platform.forget_old FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.forget_old TO ${sandbox}, ${live};
`;
