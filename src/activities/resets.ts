/** The steps of `sandbox-reset/{partner id}`, and what other activities need to know of resets. */
import { heartbeat } from '@temporalio/activity';
import { WorkflowNotFoundError } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { present } from '../domain/assert';
import { isRowId, NOT_ORDERED } from '../domain/hand-orders';
import type { Refused } from '../domain/outcome';
import { RESET, WORKFLOWS_OF_A_RESET } from '../domain/resets';
import { assertResetting, beginReset, epochOf, finishReset, NoSuchResetError } from '../db/upkeep/epochs';
import { erasePartner } from '../db/upkeep/erase';
import { openScheduleIds } from '../db/payments/scheduled-transfers';
import { endSchedule } from '../relay/schedules';
import { inTransaction, type Cell } from '../db/pg/postgres';
import { directorsVerificationIds } from '../db/partners/verifications';
import { workflowIds, type OfPartner, type SandboxResetInput } from '../contract/messages';
import { stopping, type Dependencies } from './dependencies';

/**
 * The row that an activity works on.
 * @throws a failure that ends the workflow quietly, when a reset has taken the row since the workflow was
 *   intended (R13); an assertion, when it is missing for no reason that we know.
 */
export async function stillThere<Row>(
  row: Row | null,
  what: string,
  cell: Cell,
  { partnerId, epoch }: OfPartner,
): Promise<Row> {
  if (row === null && (await epochOf(cell, partnerId)) !== epoch) {
    throw ApplicationFailure.create({
      type: RESET,
      message: `${what} is gone with a reset`,
      nonRetryable: true,
      category: 'BENIGN',
    });
  }
  return present(row, what);
}

export function resetActivities({ environment, logger }: Dependencies) {
  const resetPool = () => present(environment.resetPool, 'the login that may delete');
  const cellOf = async ({ partnerId }: SandboxResetInput) => (await environment.partner(partnerId)).cell;

  return {
    /**
     * From here on nothing of the partner is written. The fence stays up however often this is repeated.
     * @returns FORBIDDEN where no order of the API allows the reset; null where it has begun.
     */
    async beginReset(input: SandboxResetInput): Promise<Refused | null> {
      const refused = isRowId(input.orderId)
        ? await beginReset(resetPool(), (await cellOf(input)).schema, input)
        : NOT_ORDERED;
      if (refused) {
        const { partnerId } = input;
        const why = refused.refusal.message;
        logger.warn({ partnerId, why }, 'A sandbox reset named no order that allows it');
      }
      return refused;
    },

    /**
     * Ends the partner's Schedules, and its running workflows by type, but never the reset itself, a dispatcher, or a workflow of the
     * partner's own compliance (R14). A workflow that the list does not show yet ends at its next step, which
     * finds its row deleted.
     */
    async endWorkflowsOfPartner(input: SandboxResetInput): Promise<void> {
      const cell = await cellOf(input);
      await unlessNotOrdered(inTransaction(resetPool(), (trx) => assertResetting(trx, cell.schema, input)));
      const kept = await directorsVerificationIds(cell, input.partnerId);
      const keptIds = kept.map(workflowIds.kycVerification);
      const { workflow } = environment.temporal;
      // A Schedule that is made later finds its row deleted, and is taken away by the workflow that it starts.
      for (const id of await openScheduleIds(resetPool(), cell.schema, input.partnerId)) {
        await endSchedule(environment.temporal, workflowIds.scheduledTransfer(id));
        heartbeat();
      }
      const query =
        `PartnerId = '${input.partnerId}' AND ExecutionStatus = 'Running' AND WorkflowType IN ` +
        `(${WORKFLOWS_OF_A_RESET.map((type) => `'${type}'`).join(', ')})`;
      for await (const { workflowId, runId } of workflow.list({ query })) {
        if (keptIds.includes(workflowId)) continue;
        await workflow
          .getHandle(workflowId, runId)
          .terminate('the sandbox is being reset')
          .catch(unlessEnded);
        heartbeat();
      }
    },

    /** Deletes in small batches. A second run deletes only what the first one has left. */
    async erasePartner(input: SandboxResetInput): Promise<void> {
      const { schema } = await cellOf(input);
      const { directory } = environment;
      await unlessNotOrdered(erasePartner(resetPool(), { ...input, schema, directory }, heartbeat));
    },

    /** Takes the fence down. @returns when that was. */
    async finishReset(input: SandboxResetInput): Promise<string> {
      const { schema } = await cellOf(input);
      const resetAt = await unlessNotOrdered(finishReset(resetPool(), schema, input));
      return resetAt.toISOString();
    },
  };
}

/** What a step gives; a failure that is not repeated where the fence is not up by the order of the input. */
const unlessNotOrdered = <Result>(work: Promise<Result>): Promise<Result> =>
  work.catch((error: unknown) => {
    if (!(error instanceof NoSuchResetError)) throw error;
    throw stopping(NOT_ORDERED);
  });

function unlessEnded(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}
