/**
 * Invariant: a security event is never changed, and not deleted before its period is over, not even by the owner of the
 * table by mistake. Whoever has taken over an account cannot hide how.
 *
 * Only registration, sign-in and keys, and the operators, write events. An event that somebody must know of is
 * written with its mails in one statement.
 */
import { keptMs } from '../../src/domain/retention';
import type { Migration, PlatformPlace } from '../place';

export const securityEvents: Migration<PlatformPlace> = ({ access, operator }) => `
  CREATE TABLE platform.security_events (
    id         uuid PRIMARY KEY,
    partner_id uuid NOT NULL REFERENCES platform.partners,
    -- No foreign key: the events of a user who was removed stay.
    user_id    uuid,
    kind       text NOT NULL CHECK (kind ~ '^[a-z_]+[.][a-z_]+$'),
    address    text CHECK (length(address) <= 100),
    detail     jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(detail) = 'object'),
    created_at timestamptz(3) NOT NULL DEFAULT now()
  );
  -- The ids are ordered by time, so this is the order of the list.
  CREATE INDEX security_events_of_partner ON platform.security_events (partner_id, id);
  CREATE FUNCTION platform.refuse_security_event_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = platform, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'a security event is never changed or deleted' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER security_events_are_final BEFORE UPDATE OR TRUNCATE ON platform.security_events
    FOR EACH STATEMENT EXECUTE FUNCTION platform.refuse_security_event_change();
  CREATE TRIGGER security_events_stay BEFORE DELETE ON platform.security_events
    FOR EACH ROW WHEN (OLD.created_at > now() - interval '${keptMs('security_events')} milliseconds')
    EXECUTE FUNCTION platform.refuse_security_event_change();
  GRANT SELECT, INSERT ON platform.security_events TO ${access}, ${operator};
`;
