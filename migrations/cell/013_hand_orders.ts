/**
 * Invariants: what a person has ordered of a workflow is written here before the workflow is told; an order never
 * changes, and it is used up once, in the commit that carries it out, or withdrawn before. Live has no orders of the sandbox's kinds.
 */
import { HAND_ORDERS } from '../../src/domain/hand-orders';
import type { CellPlace, Migration } from '../place';

export const handOrders: Migration<CellPlace> = ({ cell, app, api, resetter, ifReset }) => {
  const kinds = Object.entries(HAND_ORDERS);
  const pairs = kinds.flatMap(([kind, { verdicts }]) =>
    verdicts.map((verdict) => `('${kind}', '${verdict}')`),
  );
  const ofSandbox = kinds.filter(([, { sandboxOnly }]) => sandboxOnly).map(([kind]) => `'${kind}'`);
  const isLive = ifReset('sandbox') === '';
  return `
  CREATE TABLE ${cell}.hand_orders (
    id          uuid PRIMARY KEY,
    partner_id  uuid NOT NULL,
    kind        text NOT NULL,
    -- The transaction, the session or the partner that the order is about.
    resource_id uuid NOT NULL,
    verdict     text NOT NULL,
    reason      text,
    -- Who ordered it: \`sandbox\`, or the id of an operator.
    actor       text NOT NULL,
    ordered_at  timestamptz(3) NOT NULL DEFAULT now(),
    used_at     timestamptz(3),
    -- Whoever gave it was told that it was not carried out.
    withdrawn_at timestamptz(3),
    CONSTRAINT hand_orders_end_once CHECK (num_nonnulls(used_at, withdrawn_at) < 2),
    CONSTRAINT hand_orders_known CHECK ((kind, verdict) IN (${pairs.join(', ')}))
    ${isLive ? `, CONSTRAINT hand_orders_not_of_sandbox CHECK (kind NOT IN (${ofSandbox.join(', ')}))` : ''}
  );
  CREATE INDEX hand_orders_of_partner ON ${cell}.hand_orders (partner_id);

  -- For the timeline of a transaction.
  CREATE INDEX hand_orders_of_resource ON ${cell}.hand_orders (resource_id);

  CREATE FUNCTION ${cell}.refuse_order_change() RETURNS trigger
  LANGUAGE plpgsql SET search_path = ${cell}, pg_temp AS $$
  BEGIN
    IF TG_OP = 'DELETE' AND current_user = '${resetter}' THEN RETURN OLD; END IF;
    IF TG_OP = 'UPDATE' AND num_nulls(OLD.used_at, OLD.withdrawn_at) = 2 THEN
      OLD.used_at := NEW.used_at;
      OLD.withdrawn_at := NEW.withdrawn_at;
      IF num_nulls(NEW.used_at, NEW.withdrawn_at) = 1 AND NEW IS NOT DISTINCT FROM OLD THEN RETURN NEW; END IF;
    END IF;
    RAISE EXCEPTION 'an order never changes, and is used up or withdrawn once' USING ERRCODE = 'restrict_violation';
  END $$;
  CREATE TRIGGER hand_orders_are_final BEFORE UPDATE OR DELETE ON ${cell}.hand_orders
    FOR EACH ROW EXECUTE FUNCTION ${cell}.refuse_order_change();
  GRANT SELECT, UPDATE (used_at) ON ${cell}.hand_orders TO ${app};
  -- Whoever carries an order out may not give it, nor take it back.
  GRANT INSERT, UPDATE (withdrawn_at) ON ${cell}.hand_orders TO ${api};
  ${ifReset(`GRANT SELECT, DELETE, UPDATE (used_at) ON ${cell}.hand_orders TO ${resetter};`)}
`;
};
