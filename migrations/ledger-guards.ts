/**
 * Two invariants of the ledger that hold whoever writes, the owner of the tables included: at every commit the balance
 * and the running number of a wallet's account are those of its newest entry; and what a transaction moves, between
 * whom and for which fees, is as it was accepted.
 *
 * The first one is looked at once for all rows of a statement, because a constraint trigger of each row would cost a
 * payment three times as much (docs/performance.md). A movement writes its entries and its balances in one statement, so
 * nothing is left to look at later. What is written in another way is noted, and looked at again at its commit.
 */
import type { CellPlace } from './place';

/** Whether an account is as its newest entry has left it; one without entries has nothing. Never null. */
const isAsItsNewestEntry = (cell: string, account: string): string => `coalesce(
        (SELECT e.sequence = ${account}.sequence AND e.balance_after_kobo = ${account}.balance_kobo
           FROM ${cell}.entries e WHERE e.account = ${account}.id AND e.sequence IS NOT NULL
          ORDER BY e.sequence DESC LIMIT 1),
        ${account}.sequence = 0 AND ${account}.balance_kobo = 0)`;

/** Notes the accounts of the variable `behind`: the update leaves everything, and queues `accounts_match_at_commit`. */
const noteThoseBehind = (cell: string): string =>
  `UPDATE ${cell}.accounts SET limit_tier = limit_tier WHERE id = ANY(behind);`;

/** In the trigger of new entries, which are `inserted`: whether an entry's account has not followed it. Never null. */
export const isAheadOfItsAccount = (cell: string): string =>
  `sequence IS NOT NULL
           AND (SELECT a.sequence >= inserted.sequence FROM ${cell}.accounts a WHERE a.id = account) IS NOT TRUE`;

/** In the same trigger: notes the accounts that have not followed. */
export const noteAccountsBehindEntries = (cell: string): string => `
    SELECT array_agg(DISTINCT account) INTO behind FROM inserted WHERE ${isAheadOfItsAccount(cell)};
    IF behind IS NOT NULL THEN
      ${noteThoseBehind(cell)}
      GET DIAGNOSTICS noted = ROW_COUNT;
      IF noted < cardinality(behind) THEN
        RAISE EXCEPTION 'entries name wallets that are not in accounts' USING ERRCODE = 'foreign_key_violation';
      END IF;
    END IF;`;

/** At every commit `balance_kobo` and `sequence` of an account are those of its newest entry. */
export const newestBalances = ({ cell }: CellPlace): string => `
  CREATE FUNCTION ${cell}.note_accounts_unlike_entries() RETURNS trigger
  LANGUAGE plpgsql AS $$
  DECLARE behind uuid[];
  BEGIN
    -- What another trigger writes here is noted by it.
    IF pg_trigger_depth() > 1 THEN RETURN NULL; END IF;
    SELECT array_agg(written.id) INTO behind FROM written WHERE NOT ${isAsItsNewestEntry(cell, 'written')};
    IF behind IS NULL THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' THEN
      -- An account that was damaged past all checks can still be frozen.
      SELECT array_agg(written.id) INTO behind FROM written LEFT JOIN replaced USING (id)
       WHERE written.id = ANY(behind)
         AND (written.sequence, written.balance_kobo) IS DISTINCT FROM (replaced.sequence, replaced.balance_kobo);
    END IF;
    ${noteThoseBehind(cell)}
    RETURN NULL;
  END $$;
  CREATE TRIGGER accounts_opened_match_entries AFTER INSERT ON ${cell}.accounts
    REFERENCING NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.note_accounts_unlike_entries();
  CREATE TRIGGER accounts_match_entries AFTER UPDATE ON ${cell}.accounts
    REFERENCING OLD TABLE AS replaced NEW TABLE AS written FOR EACH STATEMENT
    EXECUTE FUNCTION ${cell}.note_accounts_unlike_entries();

  CREATE FUNCTION ${cell}.refuse_accounts_unlike_entries() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    PERFORM FROM ${cell}.accounts a WHERE a.id = NEW.id AND NOT ${isAsItsNewestEntry(cell, 'a')};
    IF FOUND THEN
      RAISE EXCEPTION 'the balance of % is not the one after its newest entry', NEW.id
        USING ERRCODE = 'check_violation';
    END IF;
    RETURN NULL;
  END $$;
  -- Only triggers note accounts: whoever updates one by a statement of their own is at depth 0. The column is one that no
  -- movement writes, so that a movement does not even ask for the depth.
  CREATE CONSTRAINT TRIGGER accounts_match_at_commit AFTER UPDATE OF limit_tier ON ${cell}.accounts
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (pg_trigger_depth() > 0)
    EXECUTE FUNCTION ${cell}.refuse_accounts_unlike_entries();
`;

/** What a transaction moves, from whom, to whom, and for which fees. */
const FIXED = [
  'id',
  'partner_id',
  'reference',
  'type',
  'amount_kobo',
  'source_wallet',
  'dest_wallet',
  'customer_fee_kobo',
  'merchant_fee_kobo',
  'mfb_cost_kobo',
  'net_amount_kobo',
];

/** The owner meets a trigger; the logins have no right to these columns. A transfer that is complete at once pays nothing for it. */
export const fixedTransactions = ({ cell }: CellPlace): string => `
  CREATE FUNCTION ${cell}.refuse_another_transaction() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    RAISE EXCEPTION 'what transaction % moves is never changed; a correction is a new transaction', OLD.id
      USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER transactions_are_fixed AFTER UPDATE ON ${cell}.transactions FOR EACH ROW
    WHEN ((${FIXED.map((column) => `OLD.${column}`).join(', ')})
          IS DISTINCT FROM (${FIXED.map((column) => `NEW.${column}`).join(', ')}))
    EXECUTE FUNCTION ${cell}.refuse_another_transaction();
`;
