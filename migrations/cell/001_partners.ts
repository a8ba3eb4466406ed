/**
 * What a cell keeps per partner, before any of its money. Invariant: while a partner's sandbox is being reset
 * nothing of it is written by anybody else (R11). A writer holds the shared lock of this fence until its commit
 * and a reset takes the lock alone, so every write is either seen by the reset or refused.
 */
import type { CellPlace, Migration } from '../place';

export const partners: Migration<CellPlace> = ({ cell, app, api, worker, reconciler, resetter, ifReset }) => `
  GRANT USAGE ON SCHEMA ${cell} TO ${app}, ${reconciler};
  ${ifReset(`GRANT USAGE ON SCHEMA ${cell} TO ${resetter};`)}

  -- How often a partner was reset. A partner that never was has no row: its epoch is 0.
  CREATE TABLE ${cell}.partner_epochs (
    partner_id uuid PRIMARY KEY,
    epoch      integer NOT NULL CHECK (epoch > 0),
    resetting  boolean NOT NULL,
    -- The hand order that raised the fence last. The steps of a reset work for this order only.
    order_id   uuid NOT NULL,
    updated_at timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT ON ${cell}.partner_epochs TO ${app}, ${reconciler};
  ${ifReset(`GRANT SELECT, INSERT, UPDATE ON ${cell}.partner_epochs TO ${resetter};`)}

  -- A writer's side of the fence. It gives the partner's epoch, which the inputs of workflows carry (R13).
  CREATE FUNCTION ${cell}.refuse_while_resetting(asking uuid) RETURNS integer
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  DECLARE known partner_epochs;
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('${cell}/reset/' || asking, 0));
    SELECT * INTO known FROM partner_epochs WHERE partner_id = asking;
    IF known.resetting THEN
      RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'cannot_connect_now';
    END IF;
    RETURN coalesce(known.epoch, 0);
  END $$;

  -- A reset's side of the fence. A second call within one reset gives the same epoch, so a retry is harmless.
  CREATE FUNCTION ${cell}.begin_reset(asking uuid, ordered uuid) RETURNS integer
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  DECLARE now_epoch integer;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('${cell}/reset/' || asking, 0));
    INSERT INTO partner_epochs AS known (partner_id, epoch, resetting, order_id, updated_at)
    VALUES (asking, 1, true, ordered, 'epoch')
    ON CONFLICT (partner_id) DO UPDATE SET resetting = true, order_id = ordered,
      epoch = CASE WHEN known.resetting THEN known.epoch ELSE known.epoch + 1 END
    RETURNING epoch INTO now_epoch;
    RETURN now_epoch;
  END $$;

  -- Requests counted per partner and minute (D122, R26). A count is good for a minute only: a crash may forget it,
  -- so the table skips the write-ahead log. Half of each page stays free, so that an update stays on its page.
  CREATE UNLOGGED TABLE ${cell}.rate_windows (
    partner_id   uuid PRIMARY KEY,
    window_start timestamptz NOT NULL,
    used         integer NOT NULL
  ) WITH (fillfactor = 50);
  GRANT SELECT, INSERT, UPDATE ON ${cell}.rate_windows TO ${app};
  GRANT DELETE ON ${cell}.rate_windows TO ${worker};

  ${ifReset(`
  -- How much the requests of a partner have stored (D175). The processes add up what they have counted every few
  -- seconds. The table skips the write-ahead log: after a crash of the server a partner may store more than it
  -- should, and loses nothing. Half of each page stays free, so that an update stays on its page.
  CREATE UNLOGGED TABLE ${cell}.sandbox_storage (
    partner_id     uuid PRIMARY KEY,
    erasable_bytes bigint NOT NULL CHECK (erasable_bytes >= 0),
    -- Of what a reset leaves.
    kept_bytes     bigint NOT NULL CHECK (kept_bytes >= 0)
  ) WITH (fillfactor = 50);
  GRANT SELECT, INSERT, UPDATE ON ${cell}.sandbox_storage TO ${app};
  GRANT SELECT, UPDATE ON ${cell}.sandbox_storage TO ${resetter};

  -- How often, and by how much, a partner has moved its deadlines earlier. Something counts as older than its timestamp
  -- says by the sum of what was forwarded since.
  CREATE TABLE ${cell}.sandbox_forwards (
    id           uuid PRIMARY KEY,
    partner_id   uuid NOT NULL,
    forwarded_ms bigint NOT NULL CHECK (forwarded_ms > 0),
    at           timestamptz(3) NOT NULL
  );
  CREATE INDEX sandbox_forwards_of_partner ON ${cell}.sandbox_forwards (partner_id, at);
  GRANT SELECT ON ${cell}.sandbox_forwards TO ${app};
  GRANT INSERT ON ${cell}.sandbox_forwards TO ${api};
  GRANT SELECT, DELETE ON ${cell}.sandbox_forwards TO ${resetter};`)}
`;
