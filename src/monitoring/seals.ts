/** Counts what cannot be opened: its key is missing from the configuration, or the text was altered. */
import type { Environment } from '../runtime/environment';
import type { Metrics } from './metrics';

/** Puts a counting seal in front of the seal of each environment. What it throws stays the same. */
export function countUnopened(environments: readonly Environment[], metrics: Metrics): void {
  for (const environment of environments) {
    const { sealing, name } = environment;
    const { open } = sealing;
    // In place, because the cells of the environment have the same seal.
    sealing.open = (sealed, place) => {
      try {
        return open(sealed, place);
      } catch (error) {
        metrics.unopened(name);
        throw error;
      }
    };
  }
}
