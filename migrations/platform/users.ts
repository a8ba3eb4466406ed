/**
 * Invariants: an email belongs to one user for ever, whatever its case; only a slow hash of a password is kept.
 *
 * These rows belong to no environment: one person signs in to both. So they have a database role of their own
 * (`partner_wallet_access`), and the environments' roles stay as narrow as they are: they read neither users
 * nor hashes and can add neither a partner nor a key. The access role in turn sees no cell, and of a partner it
 * writes the columns of a registration alone, so that nobody can register as active or on a higher tier.
 */
import type { Knex } from 'knex';

async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    CREATE TABLE platform.users (
      id            uuid PRIMARY KEY,
      partner_id    uuid NOT NULL REFERENCES platform.partners,
      email         text NOT NULL UNIQUE CHECK (email = lower(email)),
      password_hash text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
      created_at    timestamptz(3) NOT NULL DEFAULT now()
    );

    -- A crash may empty it: then somebody has a few tries more in that minute, and no try costs a flush.
    CREATE UNLOGGED TABLE platform.stranger_windows (
      who          bytea PRIMARY KEY CHECK (length(who) = 16),
      window_start timestamptz(3) NOT NULL,
      used         integer NOT NULL
    );
    CREATE INDEX stranger_windows_by_age ON platform.stranger_windows (window_start);
  `);
}

async function down(knex: Knex): Promise<void> {
  await knex.raw('DROP TABLE platform.users, platform.stranger_windows');
}

export const users = { up, down };
