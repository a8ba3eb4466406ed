/**
 * Invariants: what a column of the ledger may hold, by its type. They were checks of the tables, which Postgres reads
 * anew, as text, for every statement that writes a row: 25 us of a transaction alone. What a domain may hold it reads
 * once on each connection.
 */
import type { Knex } from 'knex';

const DOMAINS = {
  transaction_type: {
    base: 'text',
    check: `VALUE IN ('wallet_funding', 'wallet_credit', 'wallet_debit', 'p2p_transfer', 'bank_transfer',
      'ussd_payment', 'qr_payment', 'split_payment', 'fee_deduction', 'reversal', 'settlement_payout')`,
  },
  transaction_status: {
    base: 'text',
    check: `VALUE IN ('pending', 'processing', 'completed', 'failed', 'reversed', 'expired')`,
  },
  entry_step: { base: 'text', check: `VALUE IN ('accept', 'settle', 'return')` },
  account_status: { base: 'text', check: `VALUE IN ('pending', 'active', 'frozen', 'closed')` },
  freezer: { base: 'text', check: `VALUE IN ('partner', 'operator')` },
  amount_kobo: { base: 'bigint', check: 'VALUE > 0' },
  /** In or out, and not nothing. */
  entry_kobo: { base: 'bigint', check: 'VALUE <> 0' },
  balance_kobo: { base: 'bigint', check: 'VALUE >= 0' },
  fee_kobo: { base: 'bigint', check: 'VALUE >= 0' },
};

/** The types of columns; the check that a column had before has the name that Postgres gives. */
const COLUMNS: Record<string, Record<string, keyof typeof DOMAINS>> = {
  accounts: {
    status: 'account_status',
    frozen_by: 'freezer',
    balance_kobo: 'balance_kobo',
    in_flight_kobo: 'balance_kobo',
  },
  transactions: {
    type: 'transaction_type',
    status: 'transaction_status',
    amount_kobo: 'amount_kobo',
    customer_fee_kobo: 'fee_kobo',
    merchant_fee_kobo: 'fee_kobo',
    mfb_cost_kobo: 'fee_kobo',
  },
  entries: { step: 'entry_step', amount_kobo: 'entry_kobo', balance_after_kobo: 'balance_kobo' },
};

type Change = (table: string, column: string, domain: keyof typeof DOMAINS) => string;

/** One statement for each table, so that it is rewritten once. */
const alter = (cell: string, change: Change): string =>
  Object.entries(COLUMNS)
    .map(([table, columns]) => {
      const changes = Object.entries(columns).map(([column, domain]) => change(table, column, domain));
      return `ALTER TABLE ${cell}.${table} ${changes.join(',\n')};`;
    })
    .join('\n');

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- The tables are written anew; writers wait.
    LOCK TABLE ${Object.keys(COLUMNS)
      .map((table) => `${cell}.${table}`)
      .join(', ')};
    ${Object.entries(DOMAINS)
      .map(([name, { base, check }]) => `CREATE DOMAIN ${cell}.${name} AS ${base} CHECK (${check});`)
      .join('\n')}
    ${alter(
      cell,
      (table, column, domain) =>
        `DROP CONSTRAINT ${table}_${column}_check, ALTER COLUMN ${column} TYPE ${cell}.${domain}`,
    )}
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    ${alter(
      cell,
      (table, column, domain) =>
        `ALTER COLUMN ${column} TYPE ${DOMAINS[domain].base},
         ADD CONSTRAINT ${table}_${column}_check CHECK (${DOMAINS[domain].check.replace('VALUE', column)})`,
    )}
    DROP DOMAIN ${Object.keys(DOMAINS)
      .map((name) => `${cell}.${name}`)
      .join(', ')};
  `);
}

export const domains = { up, down };
