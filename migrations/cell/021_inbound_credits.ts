/**
 * Invariant: a payment that came in has one row in the cell that the directory has fixed for it, written before it is
 * booked; its id is that of its transaction. It goes to one wallet or back to its payer, never both. A refund is written
 * before it is ordered, and a payment has one at a time.
 */
import { REFUND_STATES, STATES_OF_ONE_REFUND } from '../../src/domain/refunds';
import type { CellPlace, Migration } from '../place';

const textsOf = (values: readonly string[]): string => values.map((value) => `'${value}'`).join(', ');

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
    -- Where people have decided to give it back: the refund that is under way or has succeeded.
    refund_id      uuid UNIQUE,
    created_at     timestamptz(3) NOT NULL DEFAULT now(),
    CONSTRAINT inbound_credits_goes_one_way CHECK (refund_id IS NULL OR allocated_to IS NULL),
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
  -- Only people order a refund; one that has failed lets go of its payment.
  GRANT UPDATE (refund_id) ON ${cell}.inbound_credits TO ${app};

  CREATE TABLE ${cell}.inbound_refunds (
    -- Of the decision, and of the transaction that books it.
    id           uuid PRIMARY KEY,
    credit_id    uuid NOT NULL,
    provider     text NOT NULL,
    amount_kobo  ${cell}.amount_kobo NOT NULL,
    state        text NOT NULL DEFAULT 'sending' CHECK (state IN (${textsOf(REFUND_STATES)})),
    -- An order was sent of which it is not proved that the company did not take it. Written before the order.
    is_posted    boolean NOT NULL DEFAULT false,
    -- The company's own id of the refund.
    provider_ref text,
    -- When the company first said that it had failed.
    failed_at    timestamptz(3),
    created_at   timestamptz(3) NOT NULL DEFAULT now(),
    updated_at   timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE UNIQUE INDEX inbound_refunds_by_provider_ref ON ${cell}.inbound_refunds (provider, provider_ref)
    WHERE state IN (${textsOf(STATES_OF_ONE_REFUND)});
  CREATE UNIQUE INDEX inbound_refunds_one_at_a_time ON ${cell}.inbound_refunds (credit_id)
    WHERE state IN (${textsOf(STATES_OF_ONE_REFUND)});
  GRANT SELECT ON ${cell}.inbound_refunds TO ${app}, ${reconciler};
  -- Only people order a refund.
  GRANT INSERT ON ${cell}.inbound_refunds TO ${api};
  GRANT UPDATE (state, is_posted, provider_ref, failed_at, updated_at) ON ${cell}.inbound_refunds TO ${app};
`;
