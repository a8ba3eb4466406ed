/**
 * Invariants: a BVN or NIN is stored sealed, and compared by a keyed index only; a person's number that is
 * being checked is not checked a second time beside it (D82); a director's is checked once.
 */
import type { Knex } from 'knex';

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    CREATE TABLE ${cell}.verifications (
      id                   uuid PRIMARY KEY,
      partner_id           uuid NOT NULL,
      subject              text NOT NULL CHECK (subject IN ('end_user', 'director')),
      user_ref             text,
      director_id          uuid,
      type                 text NOT NULL CHECK (type IN ('bvn', 'nin')),
      status               text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'verified', 'failed')),
      number_sealed        text NOT NULL,
      number_index         text NOT NULL,
      expected_name_sealed text,
      found_name_sealed    text,
      failure_reason       text CHECK (failure_reason IN ('BVN_NOT_FOUND', 'NIN_NOT_FOUND', 'WATCH_LISTED',
                             'NAME_MISMATCH', 'PROVIDER_UNAVAILABLE')),
      created_at           timestamptz(3) NOT NULL,
      updated_at           timestamptz(3) NOT NULL,
      verified_at          timestamptz(3),
      CHECK ((subject = 'end_user') = (user_ref IS NOT NULL)),
      CHECK ((subject = 'director') = (director_id IS NOT NULL)),
      CHECK ((status = 'verified') = (verified_at IS NOT NULL)),
      CHECK ((status = 'failed') = (failure_reason IS NOT NULL))
    );
    CREATE INDEX verifications_of_user ON ${cell}.verifications (partner_id, user_ref, created_at DESC, id DESC)
      WHERE user_ref IS NOT NULL;
    CREATE UNIQUE INDEX verifications_under_way ON ${cell}.verifications (partner_id, user_ref, number_index)
      WHERE status = 'pending' AND user_ref IS NOT NULL;
    CREATE UNIQUE INDEX verifications_of_director ON ${cell}.verifications (director_id, type)
      WHERE director_id IS NOT NULL;
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`DROP TABLE ${cell}.verifications`);
}

export const identity = { up, down };
