/**
 * Invariants: of a one-use token that was mailed only the hash is kept; a token is used once, and only for what its
 * mail was about. Whoever has the token reads mails to the address.
 */
import type { Migration, PlatformPlace } from '../place';

export const mailedTokens: Migration<PlatformPlace> = ({ access, mail }) => `
  CREATE TABLE platform.mailed_tokens (
    token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32), -- SHA-256
    kind       text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
    partner_id uuid NOT NULL REFERENCES platform.partners,
    -- Null for somebody who is not a user yet.
    user_id    uuid REFERENCES platform.users ON DELETE CASCADE,
    -- The role that the user had then: whoever takes an address back gets it back too.
    role       text,
    recipient  text NOT NULL CHECK (recipient = lower(recipient)),
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL CHECK (expires_at > created_at),
    used_at    timestamptz(3)
  );
  CREATE INDEX mailed_tokens_of_user ON platform.mailed_tokens (user_id, kind) WHERE used_at IS NULL;
  -- Whose address may be taken back, so that nobody else gets it meanwhile.
  CREATE INDEX mailed_tokens_of_recipient ON platform.mailed_tokens (recipient, kind) WHERE used_at IS NULL;
  CREATE INDEX mailed_tokens_by_expiry ON platform.mailed_tokens (expires_at);
  GRANT SELECT, INSERT, UPDATE (used_at) ON platform.mailed_tokens TO ${access};
  -- The sender forgets tokens that have expired. It cannot read a hash.
  GRANT SELECT (expires_at), DELETE ON platform.mailed_tokens TO ${mail};
`;
