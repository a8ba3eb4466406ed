/**
 * Invariants: a mail is queued in the commit of its reason, so it is neither lost nor sent for something that did
 * not happen. A one-use token is kept only until its mail was sent or given up, and sealed until then. Nothing in
 * an address can begin another header of a mail.
 *
 * The sender has a login of its own: it reads mails and marks them, and sees no user, no password and no cell.
 */
import { CELL_EVENT_KINDS, SECURITY_EVENT_KINDS } from '../../src/domain/security-events';
import type { Migration, PlatformPlace } from '../place';

export const mailOutbox: Migration<PlatformPlace> = ({ access, operator, mail, sandbox, live }) => `
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
  -- How many mails a partner has had sent lately to addresses that it named.
  CREATE INDEX mail_outbox_of_partner ON platform.mail_outbox (partner_id, created_at);
  GRANT SELECT (partner_id, recipient, kind, content, created_at),
        INSERT (id, partner_id, kind, recipient, content, token_sealed, useful_until)
     ON platform.mail_outbox TO ${access}, ${operator};
  GRANT USAGE ON SCHEMA platform TO ${mail};
  GRANT SELECT, DELETE, UPDATE (token_sealed, due_at, attempts, sent_at, given_up_at)
     ON platform.mail_outbox TO ${mail};

  -- A security event with its mails, in one statement. They go to every user of the partner whose address is confirmed:
  -- an address that nobody has confirmed may be a stranger's. It tells whether the event is new: an event that is written
  -- again under its id changes nothing, and is not mailed again.
  CREATE FUNCTION platform.write_security_event(event_id uuid, of_partner uuid, of_user uuid, what text, from_address text,
    more jsonb, how_mailed text, happened_at timestamptz) RETURNS boolean
  LANGUAGE sql SET search_path = platform, pg_temp AS $$
    WITH event AS (
      INSERT INTO security_events (id, partner_id, user_id, kind, address, detail, created_at)
      VALUES (event_id, of_partner, of_user, what, from_address, more, happened_at)
      ON CONFLICT (id) DO NOTHING RETURNING *
    ), mails AS (
      INSERT INTO mail_outbox (id, partner_id, kind, recipient, content)
      SELECT gen_random_uuid(), e.partner_id, 'security_event', u.email,
             jsonb_build_object('event', e.kind, 'address', e.address, 'detail', e.detail, 'at', e.created_at)
        FROM event e JOIN users u ON u.partner_id = e.partner_id
       WHERE u.email_confirmed_at IS NOT NULL
         AND (how_mailed = 'always' OR how_mailed = 'hourly' AND NOT EXISTS (
           SELECT FROM mail_outbox m
            WHERE m.recipient = u.email AND m.created_at > now() - interval '1 hour'
              AND m.kind = 'security_event' AND m.content ->> 'event' = e.kind))
    )
    SELECT EXISTS (SELECT FROM event)
  $$;
  REVOKE ALL ON FUNCTION platform.write_security_event FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.write_security_event TO ${access}, ${operator};

  -- The same for what has happened in a cell, whose processes know no address of a user. They can bring these kinds only,
  -- so whoever takes over their logins can pretend nothing about passwords, sessions or keys.
  CREATE FUNCTION platform.bring_security_event(event_id uuid, of_partner uuid, of_user uuid, what text, from_address text,
    more jsonb, happened_at timestamptz) RETURNS boolean
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = platform, pg_temp AS $$
  DECLARE
    how_mailed CONSTANT text := CASE what
${CELL_EVENT_KINDS.map((kind) => `      WHEN '${kind}' THEN '${SECURITY_EVENT_KINDS[kind].mailed}'`).join('\n')}
    END;
  BEGIN
    IF how_mailed IS NULL THEN
      RAISE EXCEPTION 'a cell has no events of this kind' USING ERRCODE = 'restrict_violation';
    END IF;
    RETURN write_security_event(event_id, of_partner, of_user, what, from_address, more, how_mailed,
                                least(happened_at, now()));
  END $$;
  REVOKE ALL ON FUNCTION platform.bring_security_event FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION platform.bring_security_event TO ${sandbox}, ${live};
`;
