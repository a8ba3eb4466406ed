/**
 * Invariant: a payment that came in has one row in the cell that the directory has fixed for it, written before it is
 * booked; its id is that of its transaction.
 */
import type { CellPlace, Migration } from '../place';

export const inboundCredits: Migration<CellPlace> = ({ cell, app, api, worker, reconciler }) => `
  CREATE TABLE ${cell}.inbound_credits (
    id             uuid PRIMARY KEY,
    provider       text NOT NULL,
    reference      text NOT NULL,
    -- The company's own id of the payment.
    provider_ref   text NOT NULL,
    amount_kobo    ${cell}.amount_kobo NOT NULL,
    -- Null where the company has not told it.
    fee_kobo       ${cell}.fee_kobo,
    -- Where it was paid to. The bank is null where we do not know it.
    bank_code      text,
    account_number text NOT NULL,
    -- Whose the account was when the payment came; null where it was nobody's.
    partner_id     uuid,
    wallet_id      uuid,
    -- Who has paid: name, bank, account and narration, sealed, because they name a person who is no customer of ours.
    sender_sealed  text,
    -- Where it was unallocated and people have decided whose it is: the wallet, which may be in another cell, and the
    -- transaction that credits it. Written before that transaction, so that a credit goes to one wallet.
    allocated_to   uuid,
    allocated_as   uuid UNIQUE,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT inbound_credits_allocated_whole CHECK ((allocated_to IS NULL) = (allocated_as IS NULL)),
    UNIQUE (provider, reference),
    UNIQUE (provider, provider_ref),
    CONSTRAINT inbound_credits_of_a_wallet CHECK ((partner_id IS NULL) = (wallet_id IS NULL))
  );
  GRANT SELECT ON ${cell}.inbound_credits TO ${app}, ${reconciler};
  -- Only people allocate.
  GRANT UPDATE (allocated_to, allocated_as) ON ${cell}.inbound_credits TO ${api};
  GRANT INSERT ON ${cell}.inbound_credits TO ${worker};
  -- An erasure takes away who has paid.
  GRANT UPDATE (sender_sealed) ON ${cell}.inbound_credits TO ${app};
`;
