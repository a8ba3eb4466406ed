/**
 * Bounds how many large things a process works on at once, for one partner and for all, so that neither one partner nor
 * many take its memory. A place is taken before anything is done, and nobody waits for one (R55).
 */
import { done, refuse, type Outcome } from '../domain/outcome';

const AGAIN_IN_SECONDS = 5;

export interface Places {
  /**
   * @param what the places are for, as the refusal says it: `statements`.
   * @returns what gives the place back, which does nothing a second time; or refused: RATE_LIMIT_EXCEEDED when the partner
   *   has as many as it may, SERVICE_UNAVAILABLE when there are as many as there may be.
   */
  take(partnerId: string): Outcome<() => void>;
}

/** @param what takes a place, in the plural, as in `large bodies`. */
export function createPlaces(what: string, max: { ofPartner: number; ofAll: number }): Places {
  const taken = new Map<string, number>();
  let all = 0;
  return {
    take(partnerId) {
      const ofPartner = taken.get(partnerId) ?? 0;
      if (ofPartner >= max.ofPartner) {
        return refuse('RATE_LIMIT_EXCEEDED', {
          message: `At most ${String(max.ofPartner)} at once: ${what}`,
          retryAfterSeconds: AGAIN_IN_SECONDS,
        });
      }
      if (all >= max.ofAll) return refuse('SERVICE_UNAVAILABLE', { message: `Too many at once: ${what}` });
      taken.set(partnerId, ofPartner + 1);
      all++;
      let isTaken = true;
      return done(() => {
        if (!isTaken) return;
        isTaken = false;
        all--;
        const left = (taken.get(partnerId) ?? 1) - 1;
        if (left === 0) taken.delete(partnerId);
        else taken.set(partnerId, left);
      });
    },
  };
}
