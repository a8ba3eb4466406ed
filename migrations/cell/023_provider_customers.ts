/**
 * Invariant: before an account is ordered of a company, its wallet is here with that company. So a wallet has an account
 * with one company alone, and the company is known that must close it.
 */
import type { CellPlace, Migration } from '../place';

export const providerCustomers: Migration<CellPlace> = ({ cell, app, api, worker, reconciler }) => `
  CREATE TABLE ${cell}.provider_customers (
    wallet_id  uuid PRIMARY KEY,
    partner_id uuid NOT NULL,
    provider   text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    -- When the company has given the account up, after the wallet was closed.
    closed_at  timestamptz(3)
  );
  GRANT SELECT ON ${cell}.provider_customers TO ${app}, ${reconciler};
  -- Only the workflow of a wallet orders an account. That of its closing notes the end, or an operator does.
  GRANT INSERT, UPDATE (closed_at) ON ${cell}.provider_customers TO ${worker};
  GRANT UPDATE (closed_at) ON ${cell}.provider_customers TO ${api};
`;
