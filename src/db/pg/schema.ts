/** The names of schemas and database roles, built in one place: they go into SQL text unquoted. */
import { ENVIRONMENTS, type EnvironmentName } from '../../domain/partners';

/** The cells of an environment, in order: `sandbox_0`, `sandbox_1`, ... */
export function cellNames(environment: EnvironmentName, cellsPerEnvironment: number): string[] {
  return Array.from({ length: cellsPerEnvironment }, (_, index) => `${environment}_${index}`);
}

/** The cell of a new partner: the last one, because a cell is added when the others are full. */
export const cellForNewPartner = (environment: EnvironmentName, cellsPerEnvironment: number): string =>
  cellNames(environment, cellsPerEnvironment).at(-1) ?? '';

/** The small schema of an environment for look-ups without a partner, such as by account number (R1). */
export const directoryOf = (environment: EnvironmentName): string => `${environment}_directory`;

/**
 * Whose rights a connection has: one environment's, those of registration, sign-in and keys, those of operators,
 * or those of a sandbox reset.
 */
export type DatabaseUser = EnvironmentName | 'access' | 'operator' | 'sandbox_reset';

/** The database role under which one environment's processes work: it cannot see the other's schemas (D104). */
export const roleOf = (user: DatabaseUser): string => `partner_wallet_${user}`;

const OTHER_USERS = ['access', 'operator', 'sandbox_reset'] as const;

/** The roles that the database user of the processes must be a member of. */
export const ROLES: readonly string[] = [...ENVIRONMENTS, ...OTHER_USERS].map(roleOf);

/**
 * The environments in which a partner can be reset, so that a role may delete rows. Live is not among them (R11).
 */
const CAN_BE_RESET: Readonly<Record<EnvironmentName, boolean>> = { sandbox: true, live: false };

/** Every environment with its schemas. */
export function allSchemas(cellsPerEnvironment: number) {
  return ENVIRONMENTS.map((environment) => ({
    environment,
    resets: CAN_BE_RESET[environment],
    directory: directoryOf(environment),
    cells: cellNames(environment, cellsPerEnvironment),
  }));
}
