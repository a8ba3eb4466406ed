/** The table of transaction kinds as pieces of SQL. They hold nothing but the names of the domain's own tables. */
import { typesWhere } from '../../domain/kinds';

/** The types of transactions that a provider ends, such as bank transfers, for `type IN (...)`. */
export const endedByProvider = (): string => listOf(typesWhere(({ life }) => life.endedBy === 'provider'));

/** Rows of names, for `VALUES ...`. */
export const rowsInSql = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => `(${listOf(row)})`).join(', ');

const listOf = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');
