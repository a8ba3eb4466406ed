/**
 * Invariant: what a provider tells us is kept once per event, whatever it says, and moves nothing by itself
 * (D115).
 */
import type { CellPlace, Migration } from '../place';

export const providerCallbacks: Migration<CellPlace> = ({
  cell,
  app,
  api,
  reconciler,
  resetter,
  ifReset,
}) => `
  CREATE TABLE ${cell}.provider_callbacks (
    id                 uuid PRIMARY KEY,
    provider           text NOT NULL,
    event_id           text NOT NULL,
    -- Both null where the provider named nothing of ours.
    partner_id         uuid,
    transaction_id     uuid,
    -- Which attempt of the transfer it names; null where the provider knows only transfers.
    attempt_n          integer,
    provider_reference text NOT NULL,
    outcome            text NOT NULL,
    amount_kobo        bigint NOT NULL,
    currency           text NOT NULL,
    occurred_at        timestamptz(3) NOT NULL,
    -- The bytes as they came, sealed, because they may name people; until retention takes them.
    body_sealed        text,
    received_at        timestamptz(3) NOT NULL DEFAULT now(),
    -- When its workflow was told to ask the provider; null while that is still to be done.
    told_at            timestamptz(3),
    -- When the callback was compared with our books; null while the two cannot be compared yet.
    compared_at        timestamptz(3),
    UNIQUE (provider, event_id),
    CONSTRAINT provider_callbacks_of_a_partner CHECK ((partner_id IS NULL) = (transaction_id IS NULL))
  );
  CREATE INDEX provider_callbacks_of_transfer ON ${cell}.provider_callbacks (transaction_id);
  -- What is still to be done with a callback, oldest first: tell, compare, take its bytes away.
  CREATE INDEX provider_callbacks_untold ON ${cell}.provider_callbacks (received_at) WHERE told_at IS NULL;
  CREATE INDEX provider_callbacks_uncompared ON ${cell}.provider_callbacks (received_at) WHERE compared_at IS NULL;
  CREATE INDEX provider_callbacks_with_body ON ${cell}.provider_callbacks (received_at) WHERE body_sealed IS NOT NULL;
  GRANT SELECT, UPDATE ON ${cell}.provider_callbacks TO ${app};
  -- Only what came in over HTTP with its signature is a callback.
  GRANT INSERT ON ${cell}.provider_callbacks TO ${api};
  GRANT SELECT, UPDATE (compared_at) ON ${cell}.provider_callbacks TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.provider_callbacks TO ${resetter};`)}
`;
