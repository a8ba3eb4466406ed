/**
 * How many dispatchers of one environment may send at once in a process: in total, to one host, and to hosts that have
 * never answered. A dispatcher that finds no place goes away and comes back later, so that receivers that hang, however
 * many they are, leave the worker room for everything else (G17, D176).
 */

/** The worker runs a hundred activities of an environment at once: a fifth stays for other work. */
const ALL_MAX = 80;
const TRIALS_MAX = 40;
const OF_HOST_MAX = 40;
const TRIALS_OF_HOST_MAX = 20;
/** Somebody may name the host of somebody else in any number of endpoints. */
const TRIALS_OF_HOST_PER_MINUTE = 300;
const MINUTE_MS = 60_000;
const HOSTS_MAX = 10_000;

interface Host {
  shifts: number;
  trials: number;
  trialsOfMinute: number;
  minuteEndsAt: number;
}

export interface Places {
  /**
   * Takes a place for a shift.
   * @param isOnTrial whether the endpoint has never answered 2xx.
   * @returns a function that gives the place back, to be called once; null when there is none.
   */
  take(url: string, isOnTrial: boolean): (() => void) | null;
}

export function createPlaces(): Places {
  const hosts = new Map<string, Host>();
  let shifts = 0;
  let trials = 0;

  function hostOf(url: string, now: number): Host {
    const name = new URL(url).hostname.replace(/\.$/, '');
    let host = hosts.get(name);
    if (!host) {
      if (hosts.size >= HOSTS_MAX) forgetIdle(now);
      host = { shifts: 0, trials: 0, trialsOfMinute: 0, minuteEndsAt: 0 };
      hosts.set(name, host);
    }
    return host;
  }

  function forgetIdle(now: number): void {
    for (const [name, host] of hosts) if (host.shifts === 0 && host.minuteEndsAt < now) hosts.delete(name);
  }

  return {
    take(url, isOnTrial) {
      const now = performance.now();
      const host = hostOf(url, now);
      if (host.minuteEndsAt < now) {
        host.trialsOfMinute = 0;
        host.minuteEndsAt = now + MINUTE_MS;
      }
      const isFull = shifts >= ALL_MAX || host.shifts >= OF_HOST_MAX;
      const noTrial =
        trials >= TRIALS_MAX ||
        host.trials >= TRIALS_OF_HOST_MAX ||
        host.trialsOfMinute >= TRIALS_OF_HOST_PER_MINUTE;
      if (isFull || (isOnTrial && noTrial)) return null;
      const trial = isOnTrial ? 1 : 0;
      shifts += 1;
      host.shifts += 1;
      trials += trial;
      host.trials += trial;
      host.trialsOfMinute += trial;
      return () => {
        shifts -= 1;
        host.shifts -= 1;
        trials -= trial;
        host.trials -= trial;
      };
    },
  };
}
