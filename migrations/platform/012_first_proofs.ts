/**
 * Invariants: what was made for a partner before its address was proved for the first time does not outlive the proof, nor
 * does what was made under an address that its owner takes back. The keys, sessions, invitations and users go in the commit
 * of the proof. The endpoints and the compliance record stand in the cells, which may lie on other servers, so the commit
 * leaves a row for each environment, and the row goes when they have gone.
 */
import type { Migration, PlatformPlace } from '../place';

export const firstProofs: Migration<PlatformPlace> = ({ sandbox, live, access }) => `
  CREATE TABLE platform.endpoint_endings (
    partner_id  uuid NOT NULL REFERENCES platform.partners,
    environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
    -- What was made until then ends, and of that only what was made since the other time, where there is one.
    made_until  timestamptz(3) NOT NULL,
    made_since  timestamptz(3),
    -- Whose proof it was, and from where, for the security events of the endpoints.
    user_id     uuid,
    address     text CHECK (length(address) <= 100),
    PRIMARY KEY (environment, partner_id)
  );
  GRANT SELECT, INSERT, UPDATE (made_until, made_since, user_id, address) ON platform.endpoint_endings TO ${access};
  GRANT SELECT, DELETE ON platform.endpoint_endings TO ${sandbox}, ${live};
  ALTER TABLE platform.endpoint_endings ENABLE ROW LEVEL SECURITY;
  CREATE POLICY endpoint_endings_of_both ON platform.endpoint_endings TO ${access} USING (true);
  CREATE POLICY endpoint_endings_of_live ON platform.endpoint_endings TO ${live} USING (environment = 'live');
  CREATE POLICY endpoint_endings_of_sandbox ON platform.endpoint_endings TO ${sandbox} USING (environment = 'sandbox');

  -- A partner that nobody signs in for any more, and that never proved its address, is closed when another registration takes
  -- its place. It has moved no money in live, which needs the proof. The login of registration can close no other one.
  CREATE FUNCTION platform.close_unproved(of_partner uuid) RETURNS void
  LANGUAGE sql SECURITY DEFINER SET search_path = platform, pg_temp AS $$
    UPDATE partners p SET status = 'closed'
     WHERE p.id = of_partner AND p.email_confirmed_at IS NULL AND p.status IN ('registered', 'pending_review')
       AND NOT EXISTS (SELECT FROM users u WHERE u.partner_id = p.id)
  $$;
  REVOKE ALL ON FUNCTION platform.close_unproved FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.close_unproved TO ${access};
`;
