/**
 * Which environments a process serves (`ENVIRONMENTS`). In production each has processes of its own, so that nothing that a
 * partner does in the sandbox takes time or memory from live (R49).
 */
import { ENVIRONMENT_AREAS, type EnvironmentArea } from './logins';

/** What the variable may be. */
export const SERVED = [...ENVIRONMENT_AREAS, 'both'] as const;
export type Served = (typeof SERVED)[number];

/** The environments that a process with this setting opens, the sandbox first. */
export const servedEnvironments = (served: Served): readonly EnvironmentArea[] =>
  served === 'both' ? ENVIRONMENT_AREAS : [served];
