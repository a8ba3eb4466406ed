/**
 * Invariants: a reference, an Idempotency-Key, a reversal and the credit of a transfer to our own bank exist once.
 * Each is the primary key of a small table, because the primary key of transactions is ordered by time and cannot
 * keep them unique (R5).
 */
import type { CellPlace, Migration } from '../place';

export const once: Migration<CellPlace> = ({ cell, app, reconciler, resetter, ifReset }) => `
  -- A reference belongs to one resource, for ever (D45). Only the five kinds of resources that a partner names are
  -- in here, so that no partner can block its own reversal (R6).
  CREATE TABLE ${cell}.used_references (
    partner_id     uuid NOT NULL,
    reference      text NOT NULL,
    resource_id    uuid NOT NULL,
    -- Null for a QR request that nobody has paid yet.
    transaction_id uuid,
    -- What was asked for, so that the same reference with other terms is refused.
    terms          text NOT NULL,
    PRIMARY KEY (partner_id, reference)
  );
  GRANT SELECT, INSERT, UPDATE (transaction_id) ON ${cell}.used_references TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.used_references TO ${resetter};`)}

  -- The first answer to a key, which is given again byte for byte (D44). The answer of the ledger is made again from the
  -- transaction that it began, because what was true when it began never changes.
  CREATE TABLE ${cell}.idempotency_keys (
    partner_id  uuid NOT NULL,
    operation   text NOT NULL,
    key         text NOT NULL,
    fingerprint text NOT NULL,
    -- A kept answer, and the resource that it shows.
    status      smallint,
    body_sealed text,
    resource_id uuid,
    -- Or the transaction, or the first leg of a split, and how the answer was given: its form and the id of its request.
    transaction_id uuid,
    form        text,
    request_id  uuid,
    created_at  timestamptz(3) NOT NULL,
    PRIMARY KEY (partner_id, operation, key),
    CONSTRAINT idempotency_keys_have_an_answer
      CHECK (num_nulls(body_sealed, transaction_id) = 1 AND num_nulls(resource_id, transaction_id) = 1)
  );
  -- A resource is made by one request. For what shows an erased person, and for making answers anew under another key.
  CREATE UNIQUE INDEX idempotency_keys_of_resource ON ${cell}.idempotency_keys (resource_id)
    WHERE resource_id IS NOT NULL;
  CREATE INDEX idempotency_keys_by_age ON ${cell}.idempotency_keys (created_at); -- for retention, oldest first
  GRANT SELECT, INSERT, DELETE ON ${cell}.idempotency_keys TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.idempotency_keys TO ${resetter};`)}

  -- A transaction is reversed once (G11), and a reversal reverses one transaction.
  CREATE TABLE ${cell}.reversals (
    original_id uuid PRIMARY KEY REFERENCES ${cell}.transactions,
    reversal_id uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions
  );
  GRANT SELECT, INSERT ON ${cell}.reversals TO ${app};
  GRANT SELECT ON ${cell}.reversals TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.reversals TO ${resetter};`)}

  -- A bank transfer to one of our own account numbers credits its wallet once (D60, R8), and a payment from outside is
  -- booked once, by the id of its credit. The transfer may be in another cell, so it is no foreign key.
  CREATE TABLE ${cell}.own_mfb_credits (
    bank_transfer_id uuid PRIMARY KEY,
    funding_id       uuid NOT NULL UNIQUE REFERENCES ${cell}.transactions
  );
  GRANT SELECT, INSERT ON ${cell}.own_mfb_credits TO ${app};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.own_mfb_credits TO ${resetter};`)}
`;
