/**
 * Invariants, kept here whatever the code does: the entries of a transaction's step sum to zero (G2); entries are
 * never changed or deleted (G3); a balance is never below zero (G4) and is the one after the wallet's newest entry; what
 * a transaction moves never changes (both in `ledger-guards.ts`); a transaction names wallets that are there, and an
 * entry names a transaction that is there.
 *
 * A transaction is the partner's record of a movement of money. An entry is its effect on one account: positive
 * for a credit, negative for a debit, in kobo. Keys are ordered by time (R5), and neither a sequence nor a foreign
 * key leaves the cell, so that a cell can be moved to another machine whole. `docs/ledger.md` shows the rows of a
 * transfer.
 *
 * Parents are looked up by triggers, once for all rows of a statement. Foreign keys look up one row after the
 * other, which was a third of what Postgres did for a batch of transfers (decision 0039).
 *
 * A trigger that runs with every transfer runs as whoever writes, and has no settings of its own: the role that
 * writes may read the parents, each table is named with its schema, and the writer's connections keep every plan
 * from reading a whole table. The other triggers run as their owner (SECURITY DEFINER) with a fixed path, because
 * the role that deletes need not be allowed to read.
 */
import { systemAccountId } from '../../src/domain/accounts';
import { SUSPENSE_ACCOUNTS } from '../../src/domain/suspense';
import type { CellPlace, Migration } from '../place';
import {
  fixedTransactions,
  isAheadOfItsAccount,
  newestBalances,
  noteAccountsBehindEntries,
} from '../ledger-guards';

const SUSPENSE = SUSPENSE_ACCOUNTS.map((code) => `'${systemAccountId(code)}'`).join(', ');

export const ledger: Migration<CellPlace> = (place) => `
  ${types(place)}
  ${finality(place)}
  ${accounts(place)}
  ${transactions(place)}
  ${entries(place)}
  ${newestBalances(place)}
  ${fixedTransactions(place)}
`;

/**
 * What a column may hold. These are types and not CHECKs of the tables: Postgres reads the CHECKs of a table anew,
 * as text, for every statement that writes a row (25 us of one transaction), and the CHECK of a type once per
 * connection.
 */
const types = ({ cell, ifReset }: CellPlace): string => `
  CREATE DOMAIN ${cell}.account_status AS text CHECK (VALUE IN ('pending', 'active', 'frozen', 'closed'));
  CREATE DOMAIN ${cell}.freezer AS text CHECK (VALUE IN ('partner', 'operator'));
  CREATE DOMAIN ${cell}.transaction_type AS text CHECK (VALUE IN ('wallet_funding', 'wallet_credit', 'wallet_debit',
    'p2p_transfer', 'bank_transfer', 'ussd_payment', 'qr_payment', 'split_payment', 'fee_deduction', 'reversal',
    'settlement_payout', 'late_payout', 'unallocated_credit', 'credit_refund', 'return_shortfall', 'treasury_entry',
    'suspense_move', 'balancing_entry'));
  CREATE DOMAIN ${cell}.transaction_status AS text CHECK (VALUE IN ('pending', 'processing', 'completed', 'failed',
    'reversed', 'expired'));
  -- Which part of a transaction's life a set of entries is; each happens once (R7).
  CREATE DOMAIN ${cell}.entry_step AS text CHECK (VALUE IN ('accept', 'settle', 'return'));
  CREATE DOMAIN ${cell}.limit_tier AS text CHECK (VALUE IN ('unverified', 'tier_1', 'tier_2', 'business'));
  CREATE DOMAIN ${cell}.amount_kobo AS bigint CHECK (VALUE > 0);
  -- In or out, and not nothing: postings of zero are left out (R7).
  CREATE DOMAIN ${cell}.entry_kobo AS bigint CHECK (VALUE <> 0);
  CREATE DOMAIN ${cell}.balance_kobo AS bigint CHECK (VALUE >= 0);
  CREATE DOMAIN ${cell}.fee_kobo AS bigint CHECK (VALUE >= 0);
  -- What a partner rehearses in its sandbox. Live takes none.
  CREATE DOMAIN ${cell}.rehearsed AS text CHECK (${ifReset("VALUE ~ '^[a-z0-9_]+(:[0-9A-Z]+)?$' OR ")}VALUE IS NULL);
`;

/**
 * Entries are final. Exactly one role gets past this trigger, and only to delete; that role has rights in the
 * sandbox's cells alone (R11).
 */
const finality = ({ cell, resetter }: CellPlace): string => `
  CREATE FUNCTION ${cell}.refuse_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = '${resetter}' THEN RETURN NULL; END IF;
    RAISE EXCEPTION 'ledger entries are never changed or deleted; a correction is a new transaction'
      USING ERRCODE = 'restrict_violation';
  END $$;
`;

/** The running state of a wallet's money: the row that a movement locks. */
const accounts = ({ cell, app, reconciler, resetter, ifReset }: CellPlace): string => `
  CREATE TABLE ${cell}.accounts (
    id             uuid PRIMARY KEY,
    partner_id     uuid NOT NULL,
    status         ${cell}.account_status NOT NULL,
    -- Who froze the account. The freeze of an operator is lifted by operators alone.
    frozen_by      ${cell}.freezer,
    -- A freeze may end by itself: every statement that locks or reads the account compares this with the clock
    -- (R33).
    frozen_until   timestamptz(3),
    balance_kobo   ${cell}.balance_kobo NOT NULL DEFAULT 0,
    -- Paid out and not yet known to have arrived: it may come back.
    in_flight_kobo ${cell}.balance_kobo NOT NULL DEFAULT 0,
    -- Set aside by open holds: the sum of their amounts.
    held_kobo      ${cell}.balance_kobo NOT NULL DEFAULT 0,
    -- The running number of the account's last entry (D147).
    sequence       bigint NOT NULL DEFAULT 0,
    updated_at     timestamptz(3) NOT NULL DEFAULT now(),
    -- The tier of the regulator's limits; null where the wallet is under none (D123). The other three are what it has paid
    -- on its day, and mean something only with a tier.
    limit_tier     ${cell}.limit_tier,
    counted_from   timestamptz(3) NOT NULL DEFAULT now(),
    day_debit_kobo ${cell}.balance_kobo NOT NULL DEFAULT 0,
    day_ussd_kobo  ${cell}.balance_kobo NOT NULL DEFAULT 0,
    -- The largest integer that every reader can represent (D153). The sum leaves room for what is in flight to
    -- come back.
    -- One check and not two: Postgres reads each of them anew for every statement that writes a row.
    CONSTRAINT accounts_representable
      CHECK (balance_kobo + in_flight_kobo <= 9007199254740991 AND held_kobo <= balance_kobo)
  -- A movement writes the row anew: half of each page stays free, so that it stays on its page and in its indexes.
  ) WITH (fillfactor = 50);
  -- For the query for wallets that still wait for their account number.
  CREATE INDEX accounts_pending ON ${cell}.accounts (id) WHERE status = 'pending';
  -- For retention, which looks for wallets that were closed long ago.
  CREATE INDEX accounts_closed ON ${cell}.accounts (id) WHERE status = 'closed';
  CREATE TRIGGER accounts_are_not_emptied BEFORE TRUNCATE ON ${cell}.accounts
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
  GRANT SELECT, INSERT ON ${cell}.accounts TO ${app};
  GRANT UPDATE (status, frozen_by, frozen_until, balance_kobo, in_flight_kobo, held_kobo, sequence, updated_at,
    limit_tier, counted_from, day_debit_kobo, day_ussd_kobo) ON ${cell}.accounts TO ${app};
  GRANT SELECT ON ${cell}.accounts TO ${reconciler};
  -- A reset locks rows, for which Postgres demands the right to update at least one column.
  ${ifReset(`GRANT SELECT, DELETE, UPDATE (updated_at) ON ${cell}.accounts TO ${resetter};`)}
`;

const transactions = ({ cell, app, reconciler, resetter, ifReset }: CellPlace): string => `
  CREATE TABLE ${cell}.transactions (
    id                uuid PRIMARY KEY,
    partner_id        uuid NOT NULL,
    reference         text NOT NULL,
    type              ${cell}.transaction_type NOT NULL,
    status            ${cell}.transaction_status NOT NULL,
    amount_kobo       ${cell}.amount_kobo NOT NULL,
    -- Accounts of this cell, or null where the other side is outside of it.
    source_wallet     uuid,
    dest_wallet       uuid,
    -- The account that a bank transfer goes to: its bank and its number. Both names are sealed: the one that the partner
    -- sent, and the one that the bank has told.
    dest_account      json,
    account_name_sealed text,
    resolved_name_sealed text,
    customer_fee_kobo ${cell}.fee_kobo NOT NULL,
    merchant_fee_kobo ${cell}.fee_kobo NOT NULL,
    mfb_cost_kobo     ${cell}.fee_kobo NOT NULL,
    net_amount_kobo   bigint NOT NULL,
    psp_reference     text,
    psp_meta          json,
    paused            boolean NOT NULL DEFAULT false,
    -- The outcome that a sandbox transfer was asked for; null for the usual one.
    scenario          ${cell}.rehearsed,
    split_config      json,
    idempotency_key   text,
    description       text NOT NULL DEFAULT '',
    metadata          json NOT NULL DEFAULT '{}',
    failed_reason     text,
    created_at        timestamptz(3) NOT NULL,
    updated_at        timestamptz(3) NOT NULL,
    completed_at      timestamptz(3),
    -- Of a leg of a split: when its receiver was erased. From then on the leg shows none of the texts that it shares
    -- with the others.
    texts_erased_at   timestamptz(3),
    -- Only what we have with a provider alone has no wallet.
    CONSTRAINT transactions_between_two_wallets
      CHECK (source_wallet IS DISTINCT FROM dest_wallet
             OR type IN ('late_payout', 'unallocated_credit', 'credit_refund', 'return_shortfall', 'treasury_entry',
                      'suspense_move', 'balancing_entry')
                AND source_wallet IS NULL AND dest_wallet IS NULL),
    -- A completed transaction has the time of its completion, and keeps it when its money comes back later (D30).
    CONSTRAINT transactions_completed_at_a_time
      CHECK ((status = 'completed') = (completed_at IS NOT NULL) OR status = 'reversed'),
    CONSTRAINT transactions_to_a_bank_say_where
      CHECK (type <> 'bank_transfer' OR (source_wallet IS NOT NULL AND dest_account IS NOT NULL
        AND account_name_sealed IS NOT NULL))
  );
  -- The list of a wallet's transactions: newest first (D43), as source or as destination (D51).
  CREATE INDEX transactions_by_source ON ${cell}.transactions (source_wallet, created_at DESC, id DESC);
  CREATE INDEX transactions_by_dest ON ${cell}.transactions (dest_wallet, created_at DESC, id DESC);
  -- The list of a partner's transactions. Its order is the one in which rows are written, so pages are filled to the
  -- end before they are split.
  CREATE INDEX transactions_of_partner ON ${cell}.transactions (partner_id, created_at, id);
  -- What is still to be finished, by age and by wallet. A transfer that is completed from the beginning never
  -- enters these indexes.
  CREATE INDEX transactions_open ON ${cell}.transactions (created_at) WHERE status IN ('pending', 'processing');
  CREATE INDEX transactions_open_by_source ON ${cell}.transactions (source_wallet)
    WHERE status IN ('pending', 'processing');
  CREATE INDEX transactions_open_by_dest ON ${cell}.transactions (dest_wallet)
    WHERE status IN ('pending', 'processing') AND dest_wallet IS NOT NULL;
  -- Transactions in the order in which they last moved, for reconciliation: a summary of each range of pages, so
  -- that a posting does not pay for the index. Every look-up reads the ranges without a summary.
  CREATE INDEX transactions_by_move ON ${cell}.transactions USING brin (updated_at)
    WITH (pages_per_range = 16, autosummarize = on);
  GRANT SELECT, INSERT ON ${cell}.transactions TO ${app};
  -- What it moves is in no list: nobody's login may change that.
  GRANT UPDATE (status, failed_reason, paused, psp_reference, psp_meta, dest_account, account_name_sealed,
    resolved_name_sealed, description, metadata, texts_erased_at, updated_at, completed_at)
    ON ${cell}.transactions TO ${app};
  GRANT SELECT ON ${cell}.transactions TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.transactions TO ${resetter};`)}

  -- Adds new pages to the index above. The function runs as its owner, because only an owner may do this. An
  -- automatic clean-up of the table does the same at its end; the function does not wait for one, because Postgres
  -- cancels a clean-up that somebody has waited for longer than a second.
  CREATE FUNCTION ${cell}.summarize_moves() RETURNS void
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp SET lock_timeout = '100ms' AS $$
  BEGIN
    PERFORM brin_summarize_new_values('${cell}.transactions_by_move');
  EXCEPTION WHEN lock_not_available THEN
    NULL;
  END $$;

  -- A new transaction names wallets that are there, and its partner is not being reset. A writer that holds the
  -- wallets' locks and meets a reset must decide again, hence the code of a failed serialization. A query in a
  -- trigger sees what is committed now, and not what was committed when the statement began. Each wallet is looked
  -- up by a sub-query of its own, which Postgres neither joins nor answers from a list of all rows: one row costs
  -- less, and no plan reads a whole table.
  CREATE FUNCTION ${cell}.refuse_orphaned_transactions() RETURNS trigger
  LANGUAGE plpgsql AS $$
  DECLARE wrong record;
  BEGIN
    SELECT source_wallet, dest_wallet,
           (SELECT resetting FROM ${cell}.partner_epochs WHERE partner_id = inserted.partner_id) AS fenced
      INTO wrong FROM inserted
     WHERE (source_wallet IS NOT NULL
            AND (SELECT true FROM ${cell}.accounts WHERE id = inserted.source_wallet) IS NULL)
        OR (dest_wallet IS NOT NULL
            AND (SELECT true FROM ${cell}.accounts WHERE id = inserted.dest_wallet) IS NULL)
        OR (SELECT resetting FROM ${cell}.partner_epochs WHERE partner_id = inserted.partner_id);
    IF wrong.fenced THEN
      RAISE EXCEPTION 'the sandbox of this partner is being reset' USING ERRCODE = 'serialization_failure';
    ELSIF FOUND THEN
      RAISE EXCEPTION 'a transaction names % and %, which are not both in accounts', wrong.source_wallet,
        wrong.dest_wallet USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER transactions_have_parents AFTER INSERT ON ${cell}.transactions
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaned_transactions();

  -- An account that a transaction names cannot be deleted.
  CREATE FUNCTION ${cell}.refuse_orphaning_transactions() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM transactions WHERE source_wallet = deleted.id)
        OR EXISTS (SELECT FROM transactions WHERE dest_wallet = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of accounts is named by transactions', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER accounts_keep_transactions AFTER DELETE ON ${cell}.accounts
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaning_transactions();
  CREATE TRIGGER transactions_are_not_emptied BEFORE TRUNCATE ON ${cell}.transactions
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
`;

/** Of the entries of one step: they do not sum to zero, or their transaction is not there. */
const isWrong = (cell: string): string => `(sum(amount_kobo) <> 0
           -- A balancing entry makes good what damage has left in one step of another transaction (010_reconciliation.ts).
           AND sum(amount_kobo) IS DISTINCT FROM (
             SELECT -${cell}.left_unbalanced(resource, repairs.step, id) FROM ${cell}.repairs
              WHERE id = inserted.transaction_id AND kind = 'step' AND approved_at IS NOT NULL)
        OR (SELECT true FROM ${cell}.transactions WHERE id = inserted.transaction_id) IS NULL)`;

const entries = ({ cell, app, reconciler, resetter, ifReset }: CellPlace): string => `
  CREATE TABLE ${cell}.entries (
    transaction_id     uuid NOT NULL,
    step               ${cell}.entry_step NOT NULL,
    -- A wallet's account, or one of the platform's own, which have no row in accounts and are summed when asked.
    account            uuid NOT NULL,
    id                 uuid NOT NULL,
    amount_kobo        ${cell}.entry_kobo NOT NULL,
    -- The wallet's own running number, and its balance after this entry (D147). Null for the platform's own
    -- accounts: nobody ever waits for their row.
    sequence           bigint,
    balance_after_kobo ${cell}.balance_kobo,
    created_at         timestamptz(3) NOT NULL,
    -- A step is posted once, with one entry per account (R7).
    PRIMARY KEY (transaction_id, step, account),
    CONSTRAINT entries_number_with_balance CHECK ((sequence IS NULL) = (balance_after_kobo IS NULL))
  );
  -- A wallet has one entry per running number. Half of the entries belong to the platform's own accounts and are
  -- not in this index.
  CREATE UNIQUE INDEX entries_of_wallet ON ${cell}.entries (account, sequence) WHERE sequence IS NOT NULL;
  -- The accounts of suspense have few entries, and are summed every few seconds (R54).
  CREATE INDEX entries_in_suspense ON ${cell}.entries (account) INCLUDE (amount_kobo)
    WHERE account IN (${SUSPENSE});
  CREATE TRIGGER entries_are_final BEFORE UPDATE OR DELETE OR TRUNCATE ON ${cell}.entries
    FOR EACH STATEMENT EXECUTE FUNCTION ${cell}.refuse_change();
  GRANT SELECT, INSERT ON ${cell}.entries TO ${app};
  GRANT SELECT ON ${cell}.entries TO ${reconciler};
  ${ifReset(`GRANT SELECT, DELETE ON ${cell}.entries TO ${resetter};`)}

  -- The entries of a step sum to zero and belong to a transaction that is there, and the accounts of wallets have
  -- followed them. One query looks at all of it, because it then reads the new rows once; what it finds is looked at
  -- again by name. A step is written by one INSERT: a second could not make the first one balance.
  CREATE FUNCTION ${cell}.refuse_wrong_entries() RETURNS trigger
  LANGUAGE plpgsql AS $$
  DECLARE wrong record; behind uuid[]; noted int;
  BEGIN
    PERFORM FROM inserted GROUP BY transaction_id, step
     HAVING ${isWrong(cell)} OR bool_or(${isAheadOfItsAccount(cell)}) LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT transaction_id, step, sum(amount_kobo) AS sum_kobo INTO wrong
      FROM inserted GROUP BY transaction_id, step HAVING ${isWrong(cell)} LIMIT 1;
    IF wrong.sum_kobo <> 0 THEN
      RAISE EXCEPTION 'entries of transaction % (%) sum to %, not zero', wrong.transaction_id, wrong.step,
        wrong.sum_kobo USING ERRCODE = 'check_violation';
    ELSIF FOUND THEN
      RAISE EXCEPTION 'entries name %, which is not in transactions', wrong.transaction_id
        USING ERRCODE = 'foreign_key_violation';
    END IF;
    ${noteAccountsBehindEntries(cell)}
    RETURN NULL;
  END $$;
  CREATE TRIGGER entries_are_right AFTER INSERT ON ${cell}.entries
    REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_wrong_entries();

  -- A transaction that has entries cannot be deleted.
  CREATE FUNCTION ${cell}.refuse_orphaning_entries() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${cell}, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
  DECLARE kept uuid;
  BEGIN
    SELECT id INTO kept FROM deleted
     WHERE EXISTS (SELECT FROM entries WHERE transaction_id = deleted.id) LIMIT 1;
    IF FOUND THEN
      RAISE EXCEPTION '% of transactions is named by entries', kept USING ERRCODE = 'foreign_key_violation';
    END IF;
    RETURN NULL;
  END $$;
  CREATE TRIGGER transactions_keep_entries AFTER DELETE ON ${cell}.transactions
    REFERENCING OLD TABLE AS deleted FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.refuse_orphaning_entries();
`;
