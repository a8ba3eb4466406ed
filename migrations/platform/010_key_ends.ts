/**
 * Invariants: the end of a key is only ever brought nearer, so nobody brings a key back. A partner hears once, a week before
 * one of its keys ends, and once a day before. The logins of the environments can have this noted, and can pretend nothing
 * with it: what is noted comes from the keys alone.
 */
import { KEY_NOTICE_DAYS } from '../../src/domain/key-scopes';
import { SECURITY_EVENT_KINDS } from '../../src/domain/security-events';
import type { Migration, PlatformPlace } from '../place';

const [FIRST_DAYS, LAST_DAYS] = KEY_NOTICE_DAYS;
const KIND = 'api_key.expires_soon';

export const keyEnds: Migration<PlatformPlace> = ({ sandbox, live, access }) => `
  CREATE FUNCTION platform.end_key_after(key_id uuid, overlap_seconds integer) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = platform, pg_temp AS $$
    UPDATE api_keys SET expires_at = least(expires_at, now() + overlap_seconds * interval '1 second') WHERE id = key_id
  $$;
  REVOKE ALL ON FUNCTION platform.end_key_after FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.end_key_after TO ${access};

  CREATE INDEX api_keys_by_end ON platform.api_keys (expires_at) WHERE revoked_at IS NULL;

  -- The id of an event is made from the key and the time of the notice, so a second call writes nothing. It begins with
  -- that time, as the ids of all security events do.
  CREATE FUNCTION platform.note_expiring_keys() RETURNS TABLE (event_id uuid, of_partner uuid, more jsonb)
  LANGUAGE sql SECURITY DEFINER SET search_path = platform, pg_temp AS $$
    WITH soon AS (
      SELECT k.*, CASE WHEN k.expires_at <= now() + interval '${String(LAST_DAYS)} days'
                       THEN ${String(LAST_DAYS)} ELSE ${String(FIRST_DAYS)} END AS days
        FROM api_keys k
       WHERE k.revoked_at IS NULL AND k.expires_at > now()
         AND k.expires_at <= now() + interval '${String(FIRST_DAYS)} days'
    ), due AS (
      SELECT s.*, s.expires_at - s.days * interval '1 day' AS due_at, md5(s.id::text || ' ' || s.days) AS hash FROM soon s
    ), notices AS MATERIALIZED (
      SELECT (lpad(to_hex((extract(epoch FROM due_at) * 1000)::bigint), 12, '0')
               || '8' || left(hash, 3) || '8' || right(hash, 15))::uuid AS id,
             partner_id, due_at,
             jsonb_build_object('id', id, 'key_prefix', key_prefix, 'label', label, 'environment', environment,
                                'days', days::text) AS detail
        FROM due
       -- Whoever makes a key for three days knows that it ends within a week.
       WHERE created_at < due_at
    )
    SELECT n.id, n.partner_id, n.detail FROM notices n
     WHERE write_security_event(n.id, n.partner_id, NULL, '${KIND}', NULL, n.detail,
                                '${SECURITY_EVENT_KINDS[KIND].mailed}', n.due_at)
  $$;
  REVOKE ALL ON FUNCTION platform.note_expiring_keys FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.note_expiring_keys TO ${sandbox}, ${live};
`;
