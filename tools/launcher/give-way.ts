/**
 * Who gives way where everything runs on one machine: the worker and Temporal. What they do is written down and can wait
 * a moment; whoever calls the API waits for an answer. Measured: docs/performance.md.
 */
import { writeFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

const { PRIORITY_LOW } = constants.priority;

/** From now on this process gets what the others leave, and its fair share of nothing more. Harmless when repeated. */
export function giveWay(pid: number): void {
  try {
    setPriority(pid, PRIORITY_LOW);
    // Linux may share the processor among sessions first, and looks at priorities only within each of them.
    if (process.platform === 'linux') writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_LOW));
  } catch {
    // It has ended, or it is a system that does not let us: then it goes on as it is.
  }
}
