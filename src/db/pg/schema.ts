/** The names of schemas, built in one place: they go into SQL text unquoted. */
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
 * The environments in which a partner can be reset, so that a login may delete rows. Live is not among them (R11).
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
