/**
 * Invariants: what a column of the ledger may hold, by its type. They were checks of the tables, which Postgres reads
 * anew, as text, for every statement that writes a row: 25 us of a transaction alone. What a domain may hold it reads
 * once on each connection.
 */
import type { Knex } from 'knex';

interface Domain {
  base: 'text' | 'bigint';
  check: string;
  /** As `table.column`; the column's check had the name that Postgres gives. */
  columns: readonly string[];
}

const DOMAINS: Record<string, Domain> = {
  transaction_type: {
    base: 'text',
    check: `VALUE IN ('wallet_funding', 'wallet_credit', 'wallet_debit', 'p2p_transfer', 'bank_transfer',
      'ussd_payment', 'qr_payment', 'split_payment', 'fee_deduction', 'reversal', 'settlement_payout')`,
    columns: ['transactions.type'],
  },
  transaction_status: {
    base: 'text',
    check: `VALUE IN ('pending', 'processing', 'completed', 'failed', 'reversed', 'expired')`,
    columns: ['transactions.status'],
  },
  entry_step: {
    base: 'text',
    check: `VALUE IN ('accept', 'settle', 'return')`,
    columns: ['entries.step'],
  },
  account_status: {
    base: 'text',
    check: `VALUE IN ('pending', 'active', 'frozen', 'closed')`,
    columns: ['accounts.status'],
  },
  freezer: {
    base: 'text',
    check: `VALUE IN ('partner', 'operator')`,
    columns: ['accounts.frozen_by'],
  },
  /** More than nothing. */
  amount_kobo: {
    base: 'bigint',
    check: 'VALUE > 0',
    columns: ['transactions.amount_kobo'],
  },
  /** In or out, and not nothing. */
  entry_kobo: {
    base: 'bigint',
    check: 'VALUE <> 0',
    columns: ['entries.amount_kobo'],
  },
  /** Never below nothing. */
  balance_kobo: {
    base: 'bigint',
    check: 'VALUE >= 0',
    columns: ['accounts.balance_kobo', 'accounts.in_flight_kobo', 'entries.balance_after_kobo'],
  },
  fee_kobo: {
    base: 'bigint',
    check: 'VALUE >= 0',
    columns: [
      'transactions.customer_fee_kobo',
      'transactions.merchant_fee_kobo',
      'transactions.mfb_cost_kobo',
    ],
  },
};

const TABLES = ['accounts', 'transactions', 'entries'];

/** One statement for each table, so that it is rewritten once. */
const alter = (
  cell: string,
  change: (column: string, table: string, name: string, domain: Domain) => string,
) =>
  TABLES.map((table) => {
    const changes = Object.entries(DOMAINS).flatMap(([name, domain]) =>
      domain.columns
        .map((path) => path.split('.') as [string, string])
        .filter(([of]) => of === table)
        .map(([, column]) => change(column, table, name, domain)),
    );
    return `ALTER TABLE ${cell}.${table} ${changes.join(',\n')};`;
  }).join('\n');

async function up(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    -- The tables are written anew; writers wait.
    LOCK TABLE ${TABLES.map((table) => `${cell}.${table}`).join(', ')};
    ${Object.entries(DOMAINS)
      .map(([name, { base, check }]) => `CREATE DOMAIN ${cell}.${name} AS ${base} CHECK (${check});`)
      .join('\n')}
    ${alter(
      cell,
      (column, table, name) =>
        `DROP CONSTRAINT ${table}_${column}_check, ALTER COLUMN ${column} TYPE ${cell}.${name}`,
    )}
  `);
}

async function down(knex: Knex, cell: string): Promise<void> {
  await knex.raw(`
    ${alter(
      cell,
      (column, table, _, { base, check }) =>
        `ALTER COLUMN ${column} TYPE ${base},
         ADD CONSTRAINT ${table}_${column}_check CHECK (${check.replace('VALUE', column)})`,
    )}
    DROP DOMAIN ${Object.keys(DOMAINS)
      .map((name) => `${cell}.${name}`)
      .join(', ')};
  `);
}

export const domains = { up, down };
