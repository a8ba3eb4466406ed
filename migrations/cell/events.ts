/**
 * Invariants: an event is written in the transaction of what it tells, with one delivery per subscribed
 * endpoint; its payload never changes; an accepted resource's workflow is an intention in the same commit,
 * so that neither a crash nor a stopped Temporal can lose it.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${cell}.webhook_endpoints (
      id               uuid PRIMARY KEY,
      partner_id       uuid NOT NULL,
      url              text NOT NULL,
      events           text[] NOT NULL CHECK (cardinality(events) > 0),
      secret_sealed    text NOT NULL,
      is_active        boolean NOT NULL DEFAULT true,
      asleep           boolean NOT NULL DEFAULT true,
      failure_count    integer NOT NULL DEFAULT 0,
      failing_since    timestamptz(3),
      last_success_at  timestamptz(3),
      created_at       timestamptz(3) NOT NULL DEFAULT now(),
      deleted_at       timestamptz(3)
    );
    CREATE INDEX webhook_endpoints_of_partner ON ${cell}.webhook_endpoints (partner_id)
      WHERE deleted_at IS NULL;

    CREATE TABLE ${cell}.events (
      id          uuid PRIMARY KEY,
      partner_id  uuid NOT NULL,
      kind        text NOT NULL,
      resource_id uuid NOT NULL,
      data        text NOT NULL,
      created_at  timestamptz(3) NOT NULL
    );

    CREATE TABLE ${cell}.deliveries (
      endpoint_id     uuid NOT NULL REFERENCES ${cell}.webhook_endpoints,
      event_id        uuid NOT NULL REFERENCES ${cell}.events,
      event_name      text NOT NULL,
      attempts        smallint NOT NULL DEFAULT 0,
      next_attempt_at timestamptz(3),
      delivered_at    timestamptz(3),
      last_status     smallint,
      last_error      text,
      PRIMARY KEY (endpoint_id, event_id)
    );
    CREATE INDEX deliveries_due ON ${cell}.deliveries (endpoint_id, next_attempt_at)
      WHERE next_attempt_at IS NOT NULL;

    CREATE TABLE ${cell}.workflow_intentions (
      workflow_id   text PRIMARY KEY,
      workflow_type text NOT NULL,
      partner_id    uuid NOT NULL,
      resource_id   uuid NOT NULL,
      title         text NOT NULL,
      input         json NOT NULL,
      attempts      integer NOT NULL DEFAULT 0,
      created_at    timestamptz(3) NOT NULL,
      started_at    timestamptz(3)
    );
    CREATE INDEX workflow_intentions_waiting ON ${cell}.workflow_intentions (created_at)
      WHERE started_at IS NULL;

    CREATE FUNCTION ${cell}.refuse_event_change() RETURNS trigger
    LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
    BEGIN
      RAISE EXCEPTION 'the payload of an event never changes' USING ERRCODE = 'restrict_violation';
    END $$;
    CREATE TRIGGER events_are_final BEFORE UPDATE ON ${cell}.events
      FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_event_change();

    -- Counters are only good for a minute: a crash may forget them, so they skip the write-ahead log.
    CREATE UNLOGGED TABLE ${cell}.rate_windows (
      partner_id   uuid PRIMARY KEY,
      window_start timestamptz NOT NULL,
      used         integer NOT NULL
    ) WITH (fillfactor = 50);
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP TABLE ${cell}.rate_windows, ${cell}.workflow_intentions, ${cell}.deliveries, ${cell}.events,
      ${cell}.webhook_endpoints;
    DROP FUNCTION ${cell}.refuse_event_change();
  `);
}

export const events = { up, down };
