/**
 * The logins of the database, declared once (D104): who uses each, and where its rights lie. The set-up makes them,
 * migrations grant to them, and a process opens its connections with its own ones and no others. None is a member of
 * another, so a connection that was taken over stays what it is.
 */

/**
 * The parts of the data that may lie on servers of their own: partners, users and operators; the sandbox; live.
 */
export const AREAS = ['platform', 'sandbox', 'live'] as const;
export type Area = (typeof AREAS)[number];

/** The programs that a login can belong to; the commands are those of an administrator. */
export type Program = 'api' | 'worker' | 'command';

interface LoginFacts {
  readonly area: Area;
  readonly usedBy: readonly Program[];
}

export const LOGINS = {
  /** Owns the schema `platform`. The commands for keys and operators use it too. */
  platform_migrate: { area: 'platform', usedBy: ['command'] },
  /** Registration, sign-in and keys. */
  access: { area: 'platform', usedBy: ['api'] },
  /** Operators and their trail. */
  operator: { area: 'platform', usedBy: ['api', 'command'] },
  /** Sends the mails. */
  mail: { area: 'platform', usedBy: ['worker'] },
  /** What an environment asks about its partners: their keys, status, tier and cell. */
  sandbox_partners: { area: 'platform', usedBy: ['api', 'worker'] },
  live_partners: { area: 'platform', usedBy: ['api', 'worker'] },

  /** Owns the schemas of the sandbox. */
  sandbox_migrate: { area: 'sandbox', usedBy: ['command'] },
  sandbox_api: { area: 'sandbox', usedBy: ['api'] },
  sandbox_worker: { area: 'sandbox', usedBy: ['worker'] },
  /** Reads the books and writes findings. */
  sandbox_reconcile: { area: 'sandbox', usedBy: ['worker'] },
  /** Deletes the rows of one partner (R11). Live has no such login. */
  sandbox_reset: { area: 'sandbox', usedBy: ['worker'] },

  live_migrate: { area: 'live', usedBy: ['command'] },
  live_api: { area: 'live', usedBy: ['api'] },
  live_worker: { area: 'live', usedBy: ['worker'] },
  live_reconcile: { area: 'live', usedBy: ['worker'] },
} as const satisfies Record<string, LoginFacts>;

export type Login = keyof typeof LOGINS;

export const ALL_LOGINS = Object.keys(LOGINS) as Login[];

/** The name of a login in Postgres. */
export const roleOf = (login: Login): string => `partner_wallet_${login}`;

/** The logins with which a program connects. */
export const loginsOf = (program: Program): Login[] =>
  ALL_LOGINS.filter((login) => (LOGINS[login].usedBy as readonly Program[]).includes(program));

/** The logins whose rights lie in an area. */
export const loginsIn = (area: Area): Login[] => ALL_LOGINS.filter((login) => LOGINS[login].area === area);

/** The variable that holds a login's connection string. */
export const urlVariable = (login: Login) => `DATABASE_URL_${login.toUpperCase()}` as LoginVariable;

export type LoginVariable = `DATABASE_URL_${Uppercase<Login>}`;
