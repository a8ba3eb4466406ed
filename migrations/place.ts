/**
 * Where a migration runs: the names of its schema and of the logins that it grants rights to. The text of
 * a migration names every object with its schema, because knex fixes no search path (R3).
 */

/** The schema `platform`, which both environments share. It may lie on another server than theirs. */
export interface PlatformPlace {
  /** The login with which one environment's processes ask about their partners. */
  sandbox: string;
  live: string;
  /** The login with which the worker of live lets a partner's status follow its compliance record. */
  status: string;
  /** The login of registration, sign-in and keys. */
  access: string;
  /** The login of operators. */
  operator: string;
  /** The login of the sender of mails. */
  mail: string;
}

/** What a schema of one environment is given. */
interface EnvironmentPlace {
  /** Two logins, of the API and of the worker, for a list of grantees. Neither sees the other environment (D104). */
  app: string;
  /** The login of the API, for what only a request or a person may cause. */
  api: string;
  /** The login of the worker, for what only retention and workflows do. */
  worker: string;
  /** The login of reconciliation, which reads the books and writes findings. */
  reconciler: string;
  /** The login of a sandbox reset. */
  resetter: string;
  /** Gives the SQL back where a partner can be reset, and nothing in live, where nobody may delete (R11). */
  ifReset: (sql: string) => string;
}

/** The small schema of look-ups that arrive without a partner (R1). */
export interface DirectoryPlace extends EnvironmentPlace {
  directory: string;
}

/** A schema that holds everything of its partners, so that it can be moved to another machine whole (R1). */
export interface CellPlace extends EnvironmentPlace {
  cell: string;
}

/**
 * Gives the SQL of one migration for one place. A text runs in one transaction. A list runs statement by statement without
 * a transaction, for what Postgres does only there, such as CREATE INDEX CONCURRENTLY; a crash may leave it half done, so
 * it must be harmless to run the whole list again.
 */
export type Migration<Place> = (place: Place) => string | readonly string[];
