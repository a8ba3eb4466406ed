/** The step of the workflow of a scheduled transfer: pays what is due now, and notes the results. */
import { heartbeat } from '@temporalio/activity';
import type {
  RunResult,
  ScheduledRun,
  ScheduledTransfer,
  ScheduleStatus,
} from '../domain/scheduled-transfers';
import { requestOfWorkflow } from '../db/events/intentions';
import { noteResult, type Noted } from '../db/payments/scheduled-runs';
import { takeTurn, type RunTurn } from '../db/payments/scheduled-transfers';
import { workflowIds, type ScheduledTransferInput } from '../contract/messages';
import { payRun } from '../operations/money/scheduled-transfers';
import type { Tenant } from '../operations/tenant';
import { UnavailableError } from '../runtime/unavailable';
import { endSchedule } from '../relay/schedules';
import { scheduledEnded, scheduledRunEnded } from '../wire/webhooks';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';

/** A workflow that comes a little before the due time waits for it; the clocks of the machines differ. */
const NEAR_MS = 90_000;
/** How many results one step notes, so that a worker that is stopped ends it within its grace time. */
const AT_ONCE = 20;
const ANNOUNCE = { run: scheduledRunEnded, end: scheduledEnded };

export interface ScheduleProgress {
  status: ScheduleStatus;
  /** When there is more to do for this workflow (ISO 8601); null where the Schedule begins the next one. */
  lookAgainAt: string | null;
}

export function scheduledTransferActivities({ environment }: Dependencies) {
  return {
    /**
     * Pays each due time, in their order, under its derived reference. The run of a due time is written before anything is
     * posted, so a second call posts the same again, which finds what was posted. Takes the Schedule away at the end.
     */
    async runDue(input: ScheduledTransferInput): Promise<ScheduleProgress> {
      const { partnerId, scheduledTransferId: id } = input;
      const { partner, cell } = await environment.partner(partnerId);
      const requestId = await requestOfWorkflow(cell, workflowIds.scheduledTransfer(id));
      const tenant: Tenant = { environment, partner, cell, ...(requestId !== null && { requestId }) };
      for (let results = 0; ; results++) {
        heartbeat();
        const turn = await stillThere(
          await takeTurn(cell, { partnerId, id, canForward: environment.allowsSimulation }),
          'the scheduled transfer',
          cell,
          input,
        ).catch(unscheduled(id));
        const { status } = turn.schedule;
        switch (turn.kind) {
          case 'over':
            await endSchedule(environment.temporal, workflowIds.scheduledTransfer(id));
            return { status, lookAgainAt: null };
          case 'wait': {
            const isOurs = turn.isForRun || turn.until.getTime() - Date.now() < NEAR_MS;
            return { status, lookAgainAt: isOurs ? turn.until.toISOString() : null };
          }
          case 'try':
            await pay(tenant, turn);
            break;
          case 'give_up':
            await settle(tenant, turn, { status: 'skipped', reason: turn.reason });
            break;
        }
        if (results === AT_ONCE) return { status, lookAgainAt: new Date().toISOString() };
      }
    },
  };

  /** A Schedule without its row starts workflows in vain for ever. */
  function unscheduled(id: string) {
    return async (error: unknown): Promise<never> => {
      await endSchedule(environment.temporal, workflowIds.scheduledTransfer(id));
      throw error;
    };
  }

  async function pay(tenant: Tenant, turn: RunTurn & OfTurn): Promise<void> {
    await settle(tenant, turn, await payRun(tenant, turn));
  }

  /** Where the reference of an unpaid run is used, it was paid before; to post it again finds that and moves nothing. */
  async function settle(tenant: Tenant, turn: RunTurn & OfTurn, result: RunResult): Promise<void> {
    if ((await note(tenant, turn.run, result)) === 'noted') return;
    const found = await payRun(tenant, { ...turn, isPosted: true });
    if ((await note(tenant, turn.run, found)) === 'reference_used') {
      throw new UnavailableError('what was posted for a due time was not found now');
    }
  }

  async function note(
    { cell, partner }: Tenant,
    run: ScheduledRun,
    result: RunResult,
  ): Promise<Noted['kind']> {
    const { scheduledTransferId: id, number } = run;
    const at = { partnerId: partner.id, id, canForward: environment.allowsSimulation };
    const noted = await noteResult(cell, { ...at, number }, result, ANNOUNCE);
    if (noted.kind === 'noted') {
      environment.relay.afterCommit(cell, { intentions: [], endpointIds: noted.endpointIds });
    }
    return noted.kind;
  }
}

interface OfTurn {
  schedule: ScheduledTransfer;
}
