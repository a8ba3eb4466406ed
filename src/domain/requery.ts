/** When the provider of a transfer is asked again for an outcome that it does not know yet (D58). */
export interface RequerySchedule {
  /** The waits one after the other; the last one repeats until the transfer is late. */
  waitsMs: readonly number[];
  /** At this age an operator is called, and the provider is asked every `lateEveryMs` only. */
  lateAfterMs: number;
  lateEveryMs: number;
  /** At this age the platform stops asking by itself. After that only a callback or an operator ends the wait. */
  untilMs: number;
}

/** The wait after the n-th question, n from 0; null if the platform asks no further question by itself. */
export function waitBeforeAsking(schedule: RequerySchedule, asked: number, ageMs: number): number | null {
  if (ageMs >= schedule.untilMs) return null;
  if (ageMs >= schedule.lateAfterMs) return schedule.lateEveryMs;
  return schedule.waitsMs[Math.min(asked, schedule.waitsMs.length - 1)] ?? schedule.lateEveryMs;
}
