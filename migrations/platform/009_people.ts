/**
 * Invariants: every user has one role; somebody is invited to a partner once at a time; an invitation ends once: it
 * is accepted or withdrawn, or its time is over.
 */
import type { Migration, PlatformPlace } from '../place';

export const people: Migration<PlatformPlace> = ({ access, operator }) => `
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
`;
