/**
 * Invariants: a mail is queued in the commit of its reason, so it is neither lost nor sent for something that did
 * not happen. A one-use token is kept only until its mail was sent or given up, and sealed until then. Nothing in
 * an address can begin another header of a mail.
 *
 * The sender has a login of its own: it reads mails and marks them, and sees no user, no password and no cell.
 */
import type { Migration, PlatformPlace } from '../place';

export const mailOutbox: Migration<PlatformPlace> = ({ access, operator, mail }) => `
  CREATE TABLE platform.mail_outbox (
    id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    partner_id   uuid NOT NULL REFERENCES platform.partners,
    kind         text NOT NULL CHECK (kind ~ '^[a-z_]+$'),
    recipient    text NOT NULL CHECK (length(recipient) <= 254 AND recipient !~ '[[:cntrl:]]'),
    -- The values of the template, such as names. No secret is among them.
    content      jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(content) = 'object'),
    token_sealed text,
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    due_at       timestamptz(3) NOT NULL DEFAULT now(),
    -- After this time the mail would be of no use, as with a token that has expired.
    useful_until timestamptz(3),
    attempts     integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    sent_at      timestamptz(3),
    given_up_at  timestamptz(3),
    CONSTRAINT mail_outbox_ends_once CHECK (sent_at IS NULL OR given_up_at IS NULL),
    CONSTRAINT mail_outbox_forgets_tokens
      CHECK (token_sealed IS NULL OR (sent_at IS NULL AND given_up_at IS NULL))
  );
  CREATE INDEX mail_outbox_due ON platform.mail_outbox (due_at) WHERE sent_at IS NULL AND given_up_at IS NULL;
  -- How many mails of a kind an address was sent lately.
  CREATE INDEX mail_outbox_of_recipient ON platform.mail_outbox (recipient, created_at);
  GRANT SELECT (recipient, kind, content, created_at),
        INSERT (id, partner_id, kind, recipient, content, token_sealed, useful_until)
     ON platform.mail_outbox TO ${access}, ${operator};
  GRANT USAGE ON SCHEMA platform TO ${mail};
  GRANT SELECT, DELETE, UPDATE (token_sealed, due_at, attempts, sent_at, given_up_at)
     ON platform.mail_outbox TO ${mail};
`;
