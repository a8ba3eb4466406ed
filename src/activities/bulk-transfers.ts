/** The step of `bulk/{id}`: post the next lines of a bulk transfer, and note their results. */
import { heartbeat } from '@temporalio/activity';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BulkStatus, BulkTransfer, LineResult } from '../domain/bulk-transfers';
import { requestOfWorkflow } from '../db/events/intentions';
import { takeTurn, type BulkTurn } from '../db/payments/bulk-transfers';
import { workflowIds, type BulkTransferInput } from '../contract/messages';
import { changeBulk, postLine } from '../operations/money/bulk-transfers';
import { notActive, type Tenant } from '../operations/tenant';
import { bulkEnded } from '../wire/webhooks';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

/** Lines that are posted together: the ledger writes them as one batch, and a crash leaves so many to post again. */
const TOGETHER = 20;
/** The shortest time for them, so that a bulk transfer leaves the ledger to other callers: 500 lines in a second. */
const TOGETHER_MS = 40;
/** How long one step goes on. A worker that is stopped ends it within its grace time. */
const SHIFT_MS = 5_000;
/** How often Temporal hears that the step goes on. A step of a worker that has died begins again after five seconds. */
const BEAT_MS = 1_000;

/** Where a bulk transfer stands after a step. */
export interface BulkProgress {
  status: BulkStatus;
  /** True when no line is left. */
  hasEnded: boolean;
  lines: number;
  accepted: number;
  refused: number;
}

export function bulkTransferActivities({ environment }: Dependencies) {
  return {
    /**
     * Posts lines for some seconds, in their order. A line is taken out of the list before it is posted, and its
     * reference is used once: lines that a crash has left are posted again, which finds the transactions of those that
     * were posted. In live it pauses the bulk transfer of a partner that is not active any more.
     */
    async runLines(input: BulkTransferInput): Promise<BulkProgress> {
      const { partnerId, bulkId } = input;
      const { partner, cell } = await environment.partner(partnerId);
      const requestId = await requestOfWorkflow(cell, workflowIds.bulkTransfer(bulkId));
      const tenant: Tenant = { environment, partner, cell, ...(requestId !== null && { requestId }) };
      if (notActive(tenant)) await changeBulk(tenant, bulkId, 'pause');
      const until = Date.now() + SHIFT_MS;
      const beating = setInterval(() => heartbeat(), BEAT_MS);
      try {
        let results: LineResult[] = [];
        for (;;) {
          const limit = Date.now() < until ? TOGETHER : 0;
          const { bulk, begun } = await turn(tenant, input, results, limit);
          if (begun.length === 0) return progressOf(bulk);
          const pause = sleep(TOGETHER_MS);
          results = await Promise.all(begun.map(({ place, asked }) => postLine(tenant, place, asked)));
          await pause;
        }
      } finally {
        clearInterval(beating);
      }
    },
  };

  async function turn(
    { cell }: Tenant,
    input: BulkTransferInput,
    results: readonly LineResult[],
    limit: number,
  ): Promise<BulkTurn> {
    const { partnerId, bulkId: id } = input;
    const taken = await takeTurn(cell, { partnerId, id }, results, limit, bulkEnded);
    const { endpointIds, ...found } = await stillThere(taken, 'the bulk transfer', cell, input);
    environment.relay.afterCommit(cell, { intentions: [], endpointIds });
    return { ...found, endpointIds };
  }
}

const progressOf = (bulk: BulkTransfer): BulkProgress => ({
  status: bulk.status,
  hasEnded: bulk.endedAt !== null,
  lines: bulk.lines,
  accepted: bulk.acceptedLines,
  refused: bulk.refusedLines,
});
