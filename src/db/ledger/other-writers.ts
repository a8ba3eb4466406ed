/**
 * Whether other processes write payments to this Postgres, too. A look at what its backends do goes with a batch now and
 * then. One look finds another writer or not, as it happens to be, so the last looks count together
 * (docs/decisions/0047).
 */
import type { Step } from '../pg/round';

export interface OtherWriters {
  /** The look, if it is due with the batch that is sent now. */
  look(): Step | null;
  /** Takes what a look has found. */
  noteLook(found: boolean): void;
  /** Whether others keep Postgres busy: they were at work in much of the last half second. */
  areBusy(): boolean;
}

/** Begins each statement that writes plain payments, so that other processes know it. */
export const PLAIN_MARK = '/* plain payments */';

const LOOK_EVERY_MS = 100;
/** How much the newest look counts beside all before it. */
const NEWEST = 0.2;
/** Two processes that do as much as they can find each other in most looks, and one that has little to do in few. */
const BUSY_FROM = 0.3;

/** A login sees what its own connections do, so it finds other processes of the same program. */
const LOOK = {
  statement: {
    text: `SELECT EXISTS (SELECT FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'active'
        AND starts_with(query, '${PLAIN_MARK}')) AS found`,
  },
  values: [],
};

export function watchOtherWriters(now: () => number = () => performance.now()): OtherWriters {
  let lookedAtMs = -LOOK_EVERY_MS;
  let share = 0;
  return {
    look() {
      if (now() - lookedAtMs < LOOK_EVERY_MS) return null;
      lookedAtMs = now();
      return LOOK;
    },
    noteLook(found) {
      share += NEWEST * (Number(found) - share);
    },
    areBusy: () => share > BUSY_FROM,
  };
}
