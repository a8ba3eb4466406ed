/**
 * Invariants: an email belongs to one user for ever, whatever its case; only a slow hash of a password is kept.
 *
 * These rows belong to no environment, because one person signs in to both. They have a login of their own:
 * the environments' logins read neither users nor hashes, and the login of registration in turn sees no cell.
 */
import type { Migration, PlatformPlace } from '../place';

export const users: Migration<PlatformPlace> = ({ access, operator }) => `
  CREATE TABLE platform.users (
    id            uuid PRIMARY KEY,
    partner_id    uuid NOT NULL REFERENCES platform.partners,
    email         text NOT NULL UNIQUE CHECK (email = lower(email)),
    password_hash text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
    -- When this person proved to read mails to the address; mails about security go to confirmed addresses only.
    email_confirmed_at timestamptz(3),
    -- When whoever reads mails to the address was shown to know the password, or chose it. Until then the password may be
    -- that of somebody who registered with an address of another.
    owned_at      timestamptz(3),
    created_at    timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT users_owned_by_the_reader CHECK (owned_at IS NULL OR email_confirmed_at IS NOT NULL)
  );
  GRANT SELECT, INSERT, UPDATE (email, email_confirmed_at, owned_at, password_hash) ON platform.users TO ${access};
  GRANT SELECT (id, partner_id, email, email_confirmed_at) ON platform.users TO ${operator};

  -- Calls without a valid credential, counted per address and minute (D150). A crash may empty the table: then
  -- somebody has a few more tries in that minute, and no try costs a flush of the write-ahead log.
  CREATE UNLOGGED TABLE platform.stranger_windows (
    who          bytea PRIMARY KEY CHECK (length(who) = 16),
    window_start timestamptz(3) NOT NULL,
    used         integer NOT NULL
  );
  CREATE INDEX stranger_windows_by_age ON platform.stranger_windows (window_start);
  GRANT SELECT, INSERT, UPDATE, DELETE ON platform.stranger_windows TO ${access};
`;
