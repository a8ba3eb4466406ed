/**
 * The logins of the database, declared once (D104): who uses each, and where its rights lie. The set-up makes them,
 * migrations grant to them, and a process opens its connections with its own ones and no others. None is a member of
 * another, so a connection that was taken over stays what it is.
 */

/** The environments: each has data of its own. */
export const ENVIRONMENT_AREAS = ['sandbox', 'live'] as const;
export type EnvironmentArea = (typeof ENVIRONMENT_AREAS)[number];

/**
 * The parts of the data that may lie on servers of their own: partners, users and operators; the sandbox; live.
 */
export const AREAS = ['platform', ...ENVIRONMENT_AREAS] as const;
export type Area = (typeof AREAS)[number];

/** The programs that a login can belong to; the commands are those of an administrator. */
export type Program = 'api' | 'worker' | 'command';

interface LoginFacts {
  readonly area: Area;
  readonly usedBy: readonly Program[];
  /**
   * How many connections each process keeps at most: a number, or `many` for the login of an environment's own work,
   * which has a pool of DATABASE_POOL_MAX and the two of each cell's ledger writer.
   */
  readonly connections: number | 'many';
}

export const LOGINS = {
  /** Owns the schema `platform`. The commands for keys and operators use it too. */
  platform_migrate: { area: 'platform', usedBy: ['command'], connections: 1 },
  /** Registration, sign-in and keys. */
  access: { area: 'platform', usedBy: ['api'], connections: 3 },
  /** Operators and their trail. */
  operator: { area: 'platform', usedBy: ['api', 'command'], connections: 2 },
  /** Sends the mails. */
  mail: { area: 'platform', usedBy: ['worker'], connections: 1 },
  /** What an environment asks about its partners: their keys, status, tier and cell. */
  sandbox_partners: { area: 'platform', usedBy: ['api', 'worker'], connections: 4 },
  live_partners: { area: 'platform', usedBy: ['api', 'worker'], connections: 4 },
  /** Lets the status of a partner follow its live compliance record. Whoever serves partners may not. */
  live_status: { area: 'platform', usedBy: ['worker'], connections: 1 },

  /** Owns the schemas of the sandbox. */
  sandbox_migrate: { area: 'sandbox', usedBy: ['command'], connections: 1 },
  sandbox_api: { area: 'sandbox', usedBy: ['api'], connections: 'many' },
  sandbox_worker: { area: 'sandbox', usedBy: ['worker'], connections: 'many' },
  /** Reads the books and writes findings. */
  sandbox_reconcile: { area: 'sandbox', usedBy: ['worker'], connections: 2 },
  /** Deletes the rows of one partner (R11). Live has no such login. */
  sandbox_reset: { area: 'sandbox', usedBy: ['worker'], connections: 2 },

  live_migrate: { area: 'live', usedBy: ['command'], connections: 1 },
  live_api: { area: 'live', usedBy: ['api'], connections: 'many' },
  live_worker: { area: 'live', usedBy: ['worker'], connections: 'many' },
  live_reconcile: { area: 'live', usedBy: ['worker'], connections: 2 },
} as const satisfies Record<string, LoginFacts>;

export type Login = keyof typeof LOGINS;

export const ALL_LOGINS = Object.keys(LOGINS) as Login[];

/** The name of a login in Postgres. */
export const roleOf = (login: Login): string => `partner_wallet_${login}`;

/** The environment to which a login belongs; undefined for what belongs to people and so to none. */
const environmentOf = (login: Login): EnvironmentArea | undefined =>
  ENVIRONMENT_AREAS.find((name) => login.startsWith(`${name}_`));

/**
 * The logins with which a process of a program connects.
 * @param environments that the process serves; it has no login of another one.
 */
export const loginsOf = (
  program: Program,
  environments: readonly EnvironmentArea[] = ENVIRONMENT_AREAS,
): Login[] =>
  ALL_LOGINS.filter((login) => {
    const environment = environmentOf(login);
    return (
      (LOGINS[login].usedBy as readonly Program[]).includes(program) &&
      (environment === undefined || environments.includes(environment))
    );
  });

/** The logins whose rights lie in an area. */
export const loginsIn = (area: Area): Login[] => ALL_LOGINS.filter((login) => LOGINS[login].area === area);

/** The variable that holds a login's connection string. */
export const urlVariable = (login: Login) => `DATABASE_URL_${login.toUpperCase()}` as LoginVariable;

export type LoginVariable = `DATABASE_URL_${Uppercase<Login>}`;

/** A ledger writer has two lanes, each with a connection of its own. */
const LANES_PER_CELL = 2;

/** How many connections a process keeps at most in the pool of a login. */
export function poolSize(login: Login, settings: { DATABASE_POOL_MAX: number }): number {
  const { connections }: LoginFacts = LOGINS[login];
  return connections === 'many' ? settings.DATABASE_POOL_MAX : connections;
}

/** How many connections one process of a program, which serves these environments, keeps at most to the server of these areas. */
export function connectionBudget(
  program: Program,
  areas: readonly Area[],
  settings: { DATABASE_POOL_MAX: number; CELLS_PER_ENVIRONMENT: number },
  environments: readonly EnvironmentArea[] = ENVIRONMENT_AREAS,
): number {
  return loginsOf(program, environments)
    .filter((login) => areas.includes(LOGINS[login].area))
    .map((login) => {
      const { connections }: LoginFacts = LOGINS[login];
      const lanes = connections === 'many' ? LANES_PER_CELL * settings.CELLS_PER_ENVIRONMENT : 0;
      return poolSize(login, settings) + lanes;
    })
    .reduce((sum, connections) => sum + connections, 0);
}
