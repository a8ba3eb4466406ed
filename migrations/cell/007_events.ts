/**
 * Invariants: an event is written in the commit of the change that it reports, with one delivery per subscribed
 * endpoint (D110); its payload never changes; a delivery names an event and an endpoint that are there.
 *
 * The parents of deliveries are looked up by triggers, as those of the ledger are: see 002_ledger.ts.
 */
import type { CellPlace, Migration } from '../place';

export const events: Migration<CellPlace> = (place) => `
  ${endpointsAndEvents(place)}
  ${deliveries(place)}
`;

const endpointsAndEvents = ({ cell, app, worker, reconciler, resetter, ifReset }: CellPlace): string => `
  CREATE TABLE ${cell}.webhook_endpoints (
    id               uuid PRIMARY KEY,
    partner_id       uuid NOT NULL,
    url              text NOT NULL,
    events           text[] NOT NULL CHECK (cardinality(events) > 0),
    secret_sealed    text NOT NULL,
    is_active        boolean NOT NULL DEFAULT true,
    -- True while nothing is due, so that the writer of a delivery knows which dispatcher to wake (R17).
    asleep           boolean NOT NULL DEFAULT true,
    -- Since when the dispatcher has been called in vain, and the last call; NULL once it is at work or asleep.
    unheard_since    timestamptz(3),
    called_at        timestamptz(3),
    failure_count    integer NOT NULL DEFAULT 0,
    failing_since    timestamptz(3),
    last_success_at  timestamptz(3),
    -- Until its first success an endpoint is tried slowly: nothing is sent before this time (D176).
    trial_after      timestamptz(3),
    -- What goes wrong with its deliveries, and until when, where its partner rehearses that.
    fault            ${cell}.rehearsed,
    fault_until      timestamptz(3),
    created_at       timestamptz(3) NOT NULL DEFAULT now(),
    deleted_at       timestamptz(3)
  );
  CREATE INDEX webhook_endpoints_of_partner ON ${cell}.webhook_endpoints (partner_id) WHERE deleted_at IS NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.webhook_endpoints TO ${app};
  ${ifReset(`GRANT SELECT ON ${cell}.webhook_endpoints TO ${resetter};`)}

  -- Earlier secrets of an endpoint, with which its deliveries are also signed until its receiver has changed over.
  CREATE TABLE ${cell}.retiring_webhook_secrets (
    id            uuid PRIMARY KEY,
    partner_id    uuid NOT NULL,
    endpoint_id   uuid NOT NULL REFERENCES ${cell}.webhook_endpoints,
    secret_sealed text NOT NULL,
    retires_at    timestamptz(3) NOT NULL
  );
  CREATE INDEX retiring_webhook_secrets_of_endpoint ON ${cell}.retiring_webhook_secrets (endpoint_id);
  -- DELETE is for retention, which takes those that are no longer in force.
  GRANT SELECT, INSERT, UPDATE ON ${cell}.retiring_webhook_secrets TO ${app};
  GRANT DELETE ON ${cell}.retiring_webhook_secrets TO ${worker};

  CREATE TABLE ${cell}.events (
    id          uuid PRIMARY KEY,
    partner_id  uuid NOT NULL,
    kind        text NOT NULL,
    resource_id uuid NOT NULL,
    request_id  uuid, -- the request that caused it; null where a workflow did
    -- The text that is sent, so that every attempt sends the same bytes (D143). Null where the text is made from
    -- columns of the resource that never change: of a transaction that was complete at once, and of a wallet that has
    -- got its account, whose name stands in no other row.
    data        text,
    created_at  timestamptz(3) NOT NULL
  );
  -- For reconciliation, which checks that a resource has its event.
  CREATE INDEX events_of_resource ON ${cell}.events (resource_id);
  -- For the list of a partner's events, and of what an endpoint was sent: newest first.
  CREATE INDEX events_of_partner ON ${cell}.events (partner_id, id);
  CREATE FUNCTION ${cell}.refuse_event_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'the payload of an event never changes' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER events_are_final BEFORE UPDATE ON ${cell}.events
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_event_change();
  CREATE TRIGGER events_are_not_emptied BEFORE TRUNCATE ON ${cell}.events
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_event_change();
  -- DELETE is for retention, which takes old events without a delivery.
  GRANT SELECT, INSERT ON ${cell}.events TO ${app};
  GRANT DELETE ON ${cell}.events TO ${worker};
  GRANT SELECT ON ${cell}.events TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.events TO ${resetter};`)}
`;

const deliveries = ({ cell, app, worker, resetter, ifReset }: CellPlace): string => `
  CREATE TABLE ${cell}.deliveries (
    endpoint_id     uuid NOT NULL,
    event_id        uuid NOT NULL,
    event_name      text NOT NULL,
    attempts        smallint NOT NULL DEFAULT 0,
    -- Null when there is nothing more to do.
    next_attempt_at timestamptz(3),
    -- This column is in no index, so a claim writes no index entry as long as the page has room for another
    -- version of each of its rows. When 50 deliveries in a row are claimed, 97 of 100 claims find that room; with
    -- a fillfactor of 80 it may be half of them.
    claimed_until   timestamptz(3),
    delivered_at    timestamptz(3),
    last_status     smallint,
    last_error      text,
    last_duration_ms integer,
    -- One delivery per event and endpoint (D110). The event is first, for retention, a reset and the look-up of an
    -- event's deliveries. By endpoint alone only due deliveries are looked up, and the index below serves that.
    PRIMARY KEY (event_id, endpoint_id)
  ) WITH (fillfactor = 50);
  CREATE INDEX deliveries_due ON ${cell}.deliveries (endpoint_id, next_attempt_at)
    WHERE next_attempt_at IS NOT NULL;
  -- What did not arrive and is not tried any more, for the partner to recover. A healthy delivery never enters.
  CREATE INDEX deliveries_given_up ON ${cell}.deliveries (endpoint_id, event_id)
    WHERE next_attempt_at IS NULL AND delivered_at IS NULL;
  GRANT SELECT, INSERT, UPDATE ON ${cell}.deliveries TO ${app};
  GRANT DELETE ON ${cell}.deliveries TO ${worker};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.deliveries TO ${resetter};`)}

  -- The attempts that failed; the last one that did not is in the delivery itself. They go with their delivery.
  CREATE TABLE ${cell}.delivery_tries (
    id          uuid PRIMARY KEY,
    event_id    uuid NOT NULL,
    endpoint_id uuid NOT NULL,
    at          timestamptz(3) NOT NULL DEFAULT now(),
    status      smallint,
    error       text,
    duration_ms integer NOT NULL,
    FOREIGN KEY (event_id, endpoint_id) REFERENCES ${cell}.deliveries ON DELETE CASCADE
  );
  CREATE INDEX delivery_tries_of_delivery ON ${cell}.delivery_tries (event_id, endpoint_id, id);
  GRANT SELECT ON ${cell}.delivery_tries TO ${app};
  GRANT INSERT ON ${cell}.delivery_tries TO ${worker};

  CREATE FUNCTION ${cell}.refuse_orphaned_deliveries() RETURNS trigger
  LANGUAGE plpgsql AS $$
  DECLARE wrong record;
  BEGIN
    SELECT event_id, endpoint_id INTO wrong FROM inserted
     WHERE (SELECT true FROM ${cell}.events WHERE id = inserted.event_id) IS NULL
        OR (SELECT true FROM ${cell}.webhook_endpoints WHERE id = inserted.endpoint_id) IS NULL;
    IF FOUND THEN
      RAISE EXCEPTION 'a delivery names event % and endpoint %, which are not both there', wrong.event_id,
        wrong.endpoint_id USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER deliveries_have_parents AFTER INSERT ON ${cell}.deliveries
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaned_deliveries();

  -- An event or an endpoint that has deliveries cannot be deleted.
  CREATE FUNCTION ${cell}.refuse_orphaning_events_deliveries() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp SET enable_seqscan = off AS $$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted WHERE (SELECT true FROM deliveries WHERE event_id = deleted.id LIMIT 1);
    IF FOUND THEN
      RAISE EXCEPTION '% of events is named by deliveries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER events_keep_deliveries AFTER DELETE ON ${cell}.events
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaning_events_deliveries();

  CREATE FUNCTION ${cell}.refuse_orphaning_deliveries() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM deliveries WHERE endpoint_id = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of webhook_endpoints is named by deliveries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER webhook_endpoints_keep_deliveries AFTER DELETE ON ${cell}.webhook_endpoints
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaning_deliveries();
  CREATE TRIGGER webhook_endpoints_are_not_emptied BEFORE TRUNCATE ON ${cell}.webhook_endpoints
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
`;
