/**
 * Invariant: a bank that a company has listed once stays known, with the code and the name that it was first listed by, so a
 * transfer that was accepted never meets a bank that is gone or has become another one. People correct it in the file of banks,
 * which comes first. A row that is lost comes back with the next day's look.
 */
import type { DirectoryPlace, Migration } from '../place';

export const listedBanks: Migration<DirectoryPlace> = ({ directory, app, worker }) => `
  CREATE TABLE ${directory}.listed_banks (
    company         text NOT NULL,
    -- The company's own code of the bank.
    code            text NOT NULL,
    nip_code        text,
    name            text NOT NULL,
    -- Earlier rows come first, so a later row never changes what an earlier one means.
    position        bigint GENERATED ALWAYS AS IDENTITY,
    first_listed_at timestamptz(3) NOT NULL DEFAULT now(),
    PRIMARY KEY (company, code)
  );
  GRANT SELECT ON ${directory}.listed_banks TO ${app};
  GRANT INSERT ON ${directory}.listed_banks TO ${worker};

  -- What the newest look at a company's list has found to differ from our banks: codes, names, and banks that it lists no more.
  CREATE TABLE ${directory}.bank_lists (
    company   text PRIMARY KEY,
    looked_at timestamptz(3) NOT NULL,
    codes     integer NOT NULL,
    names     integer NOT NULL,
    gone      integer NOT NULL
  );
  GRANT SELECT ON ${directory}.bank_lists TO ${app};
  GRANT INSERT, UPDATE ON ${directory}.bank_lists TO ${worker};
`;
