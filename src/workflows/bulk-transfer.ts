/**
 * Runs the lines of a bulk transfer, step by step, until each has its result. It ends when the bulk transfer is paused, and
 * begins again when it is resumed or cancelled: the rows say what is left (D202).
 */
import { setHandler } from '@temporalio/workflow';
import type { BulkStatus } from '../domain/bulk-transfers';
import { FIRST_STATE, state, wake, type BulkTransferInput } from '../contract/messages';
import { anewWhenLong } from './long-lived';
import { show } from './reading';
import { unlessReset } from './resets';
import { step } from './steps';

/** Every line is posted once, by its reference, so the step is repeated until it has happened. */
const runLines = step(
  'runLines',
  {
    startToCloseTimeout: '2m',
    heartbeatTimeout: '5s',
    retry: { initialInterval: '200ms', backoffCoefficient: 2, maximumInterval: '30s' },
  },
  'Post the next lines',
);

export function bulkTransfer(input: BulkTransferInput): Promise<BulkStatus | 'reset'> {
  return unlessReset(() => run(input));
}

async function run(input: BulkTransferInput): Promise<BulkStatus> {
  const now: { wakes: number; status: BulkStatus } = { wakes: 0, status: 'running' };
  setHandler(
    wake,
    () => {
      now.wakes++;
    },
    { description: 'The bulk transfer was accepted, resumed or cancelled: look at its lines' },
  );
  setHandler(state, () => now.status, { description: 'The status of the bulk transfer' });
  const about = `bulk transfer \`${input.bulkId}\``;
  show(FIRST_STATE.bulkTransfer, about);

  for (;;) {
    const seen = now.wakes;
    const { status, hasEnded, lines, accepted, refused } = await runLines(input);
    now.status = status;
    show(
      status,
      about,
      `Lines: ${String(lines)}. Accepted: ${String(accepted)}. Refused: ${String(refused)}.`,
    );
    if (hasEnded) return status;
    if (status === 'paused' && now.wakes === seen) return status;
    await anewWhenLong<typeof bulkTransfer>(input);
  }
}
