/** The names of schemas and database roles, built in one place: they go into SQL text unquoted. */
import { ENVIRONMENTS, type EnvironmentName } from '../domain/partners';

/** The cells of an environment, in order: `sandbox_0`, `sandbox_1`, ... */
export function cellNames(environment: EnvironmentName, cellsPerEnvironment: number): string[] {
  return Array.from({ length: cellsPerEnvironment }, (_, index) => `${environment}_${index}`);
}

/** The small schema of look-ups that arrive without a partner, such as an account number (R1). */
export const directoryOf = (environment: EnvironmentName): string => `${environment}_directory`;

/** The database role under which one environment's processes work: it cannot see the other's schemas (D104). */
export const roleOf = (environment: EnvironmentName): string => `partner_wallet_${environment}`;

/** Every environment with its schemas. */
export function allSchemas(cellsPerEnvironment: number) {
  return ENVIRONMENTS.map((environment) => ({
    environment,
    directory: directoryOf(environment),
    cells: cellNames(environment, cellsPerEnvironment),
  }));
}
