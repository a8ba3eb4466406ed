/**
 * Invariant: a key acts for exactly one partner in exactly one environment, and only its hash is kept.
 * Which cell holds a partner is a stored row, never computed, so that partners can be moved (R1).
 */
import type { Knex } from 'knex';

async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE platform.partners (
      id            uuid PRIMARY KEY,
      business_name text NOT NULL,
      email         text NOT NULL,
      phone         text NOT NULL DEFAULT '',
      status        text NOT NULL DEFAULT 'registered'
                    CHECK (status IN ('registered', 'pending_review', 'active', 'suspended', 'closed')),
      tier          text NOT NULL DEFAULT 'starter' CHECK (tier IN ('starter', 'growth', 'scale')),
      created_at    timestamptz(3) NOT NULL DEFAULT now()
    );

    CREATE TABLE platform.partner_cells (
      partner_id  uuid NOT NULL REFERENCES platform.partners,
      environment text NOT NULL CHECK (environment IN ('sandbox', 'live')),
      cell        text NOT NULL,
      PRIMARY KEY (partner_id, environment)
    );

    CREATE TABLE platform.api_keys (
      id           uuid PRIMARY KEY,
      partner_id   uuid NOT NULL REFERENCES platform.partners,
      environment  text NOT NULL CHECK (environment IN ('sandbox', 'live')),
      key_hash     bytea NOT NULL UNIQUE CHECK (length(key_hash) = 32),
      key_prefix   text NOT NULL,
      label        text NOT NULL DEFAULT '',
      last_used_at timestamptz(3),
      expires_at   timestamptz(3),
      revoked_at   timestamptz(3),
      created_at   timestamptz(3) NOT NULL DEFAULT now()
    );
    CREATE INDEX api_keys_of_partner ON platform.api_keys (partner_id);
  `);
}

async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE platform.api_keys, platform.partner_cells, platform.partners');
}

export const partners = { up, down };
