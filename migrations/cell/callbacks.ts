/**
 * Invariants: what a provider tells us is kept once per event, whatever it says, and moves nothing by itself;
 * reconciliation has at most one open finding per class and resource, and never forgets a closed one.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${cell}.provider_callbacks (
      id                 uuid PRIMARY KEY,
      provider           text NOT NULL,
      event_id           text NOT NULL,
      -- Both null where the provider named nothing of ours.
      partner_id         uuid,
      transaction_id     uuid,
      provider_reference text NOT NULL,
      outcome            text NOT NULL,
      amount_kobo        bigint NOT NULL,
      currency           text NOT NULL,
      occurred_at        timestamptz(3) NOT NULL,
      -- The bytes as they came, until retention takes them.
      body               text,
      received_at        timestamptz(3) NOT NULL DEFAULT now(),
      -- When its workflow was told to ask the provider; null while that is still to be done.
      told_at            timestamptz(3),
      -- When it was held against our books; null while the two cannot be compared yet.
      compared_at        timestamptz(3),
      UNIQUE (provider, event_id),
      CHECK ((partner_id IS NULL) = (transaction_id IS NULL))
    );
    CREATE INDEX provider_callbacks_of_transfer ON ${cell}.provider_callbacks (transaction_id);
    CREATE INDEX provider_callbacks_untold ON ${cell}.provider_callbacks (received_at) WHERE told_at IS NULL;
    CREATE INDEX provider_callbacks_uncompared ON ${cell}.provider_callbacks (received_at)
      WHERE compared_at IS NULL;
    CREATE INDEX provider_callbacks_with_body ON ${cell}.provider_callbacks (received_at)
      WHERE body IS NOT NULL;

    CREATE TABLE ${cell}.recon_findings (
      id          uuid PRIMARY KEY,
      class       text NOT NULL CHECK (class IN ('ledger_unbalanced', 'transaction_unbalanced',
                    'balance_mismatch', 'chain_broken', 'entries_missing', 'processing_too_long',
                    'reversal_missing', 'reversal_repeated', 'provider_contradiction', 'provider_unknown',
                    'fee_mismatch', 'event_missing', 'expired_but_open', 'workflow_missing')),
      resource    text NOT NULL,
      detail      json NOT NULL,
      first_seen  timestamptz(3) NOT NULL DEFAULT now(),
      last_seen   timestamptz(3) NOT NULL DEFAULT now(),
      closed_at   timestamptz(3),
      -- Who closed it and why; null where reconciliation saw that it was gone.
      closed_by   text,
      closed_note text,
      CHECK (closed_at IS NOT NULL OR num_nonnulls(closed_by, closed_note) = 0)
    );
    CREATE UNIQUE INDEX recon_findings_open ON ${cell}.recon_findings (class, resource)
      WHERE closed_at IS NULL;

    -- How far each pass has come.
    CREATE TABLE ${cell}.recon_progress (
      pass       text PRIMARY KEY,
      position   text NOT NULL,
      updated_at timestamptz(3) NOT NULL DEFAULT now()
    );

    -- Transactions in the order in which they last moved: summaries of page ranges, so that posting costs nothing.
    CREATE INDEX transactions_by_move ON ${cell}.transactions USING brin (updated_at)
      WITH (pages_per_range = 16, autosummarize = on);
    CREATE INDEX accounts_pending ON ${cell}.accounts (id) WHERE status = 'pending';
    CREATE INDEX verifications_pending ON ${cell}.verifications (id) WHERE status = 'pending';
    CREATE INDEX events_of_resource ON ${cell}.events (resource_id);
    -- What retention takes, oldest first.
    CREATE INDEX deliveries_of_event ON ${cell}.deliveries (event_id);
    CREATE INDEX idempotency_keys_by_age ON ${cell}.idempotency_keys (created_at);
    CREATE INDEX workflow_intentions_started ON ${cell}.workflow_intentions (started_at)
      WHERE started_at IS NOT NULL;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    DROP INDEX ${cell}.transactions_by_move, ${cell}.accounts_pending, ${cell}.verifications_pending,
      ${cell}.events_of_resource, ${cell}.deliveries_of_event,
      ${cell}.idempotency_keys_by_age, ${cell}.workflow_intentions_started;
    DROP TABLE ${cell}.recon_progress, ${cell}.recon_findings, ${cell}.provider_callbacks;
  `);
}

export const callbacks = { up, down };
