/**
 * Invariant: the tier of a wallet is the one that its owner's verifications give, and in live every wallet has one (D123).
 * Its account has the tier and the use of its day, because a payment locks and writes that row anyway.
 */
import type { CellPlace, Migration } from '../place';

export const limits: Migration<CellPlace> = ({ cell, api, worker, app, resetter, ifReset }) => `
  ${ifReset(`
  -- The partners that have switched limits on for their sandbox. A reset switches them off.
  CREATE TABLE ${cell}.enforced_limits (
    partner_id uuid PRIMARY KEY,
    since      timestamptz(3) NOT NULL DEFAULT now()
  );
  GRANT SELECT, INSERT, DELETE ON ${cell}.enforced_limits TO ${api};
  GRANT SELECT ON ${cell}.enforced_limits TO ${worker};
  GRANT SELECT, DELETE ON ${cell}.enforced_limits TO ${resetter};`)}

  -- What decides the tier of a person's wallet, as it stays until the end of the transaction: nobody switches limits, opens a
  -- wallet of the person or ends a verification of it meanwhile. So whoever comes second sees what the first one did.
  CREATE FUNCTION ${cell}.limit_facts(asking uuid, person text,
    OUT are_enforced boolean, OUT verified text[], OUT is_sandbox boolean)
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(hashtextextended('${cell}/limits/' || asking, 0));
    PERFORM pg_advisory_xact_lock(hashtextextended('${cell}/limits/' || asking || '/' || person, 0));
    is_sandbox := ${ifReset('true') || 'false'};
    are_enforced := ${ifReset('EXISTS (SELECT FROM enforced_limits WHERE partner_id = asking)') || 'true'};
    verified := ARRAY(SELECT DISTINCT type FROM verifications
                       WHERE partner_id = asking AND user_ref = person AND status = 'verified');
  END $$;
  REVOKE ALL ON FUNCTION ${cell}.limit_facts FROM PUBLIC;
  GRANT EXECUTE ON FUNCTION ${cell}.limit_facts TO ${app};
`;
