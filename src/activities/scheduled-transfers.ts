/** The step of the workflow of a scheduled transfer: pays what is due now, and notes the results. */
import { setTimeout as sleep } from 'node:timers/promises';
import { activityInfo, heartbeat } from '@temporalio/activity';
import type {
  RunResult,
  ScheduledRun,
  ScheduledTransfer,
  ScheduleStatus,
} from '../domain/scheduled-transfers';
import { BYTES_PER_RUN, BYTES_PER_TRY } from '../domain/storage';
import { requestOfWorkflow } from '../db/events/intentions';
import { noteResult, type Noted } from '../db/payments/scheduled-runs';
import { findEarlier, takeTurn, type RunTurn } from '../db/payments/scheduled-transfers';
import { workflowIds, type ScheduledTransferInput } from '../contract/messages';
import { payRun } from '../operations/money/scheduled-transfers';
import type { Tenant } from '../operations/tenant';
import { createTurnsByName } from '../runtime/turns';
import { UnavailableError } from '../runtime/unavailable';
import { endSchedule } from '../relay/schedules';
import { scheduledEnded, scheduledRunEnded } from '../wire/webhooks';
import type { Dependencies } from './dependencies';
import { stillThere } from './resets';
import { createCharge } from './storage-charges';

/** A workflow that comes a little before the due time waits for it; the clocks of the machines differ. */
const NEAR_MS = 90_000;
/** How many results one step notes, so that a worker that is stopped ends it within its grace time. */
const AT_ONCE = 20;
/** How long an outage that an earlier due time waits for holds up the later ones of its partner. */
const WAITS_FOR_EARLIER_MS = 30_000;
const FAILS_AGAIN_MS = 5_000;
/**
 * How many workflows of one partner of the sandbox run what is due at the same time in a process, and how long each rests after a
 * result. What a forward has made due is nobody's hurry: it is not to take the machine from the payments of the others, nor the
 * worker's places, of which there are a hundred for all partners. Whoever runs does what is due first for those that wait.
 */
const AT_ONCE_OF_PARTNER = 2;
const REST_MS = 25;
/** When the others look again, and a little later, so that not all come at once. */
const NO_PLACE_MS = 4_000;
const ANNOUNCE = { run: scheduledRunEnded, end: scheduledEnded };

export interface ScheduleProgress {
  status: ScheduleStatus;
  /** When there is more to do for this workflow (ISO 8601); null where the Schedule begins the next one. */
  lookAgainAt: string | null;
}

export function scheduledTransferActivities(dependencies: Dependencies) {
  const { environment } = dependencies;
  const charge = createCharge(dependencies);
  /** One at a time of each partner, or all that wait would run the same. */
  const inTurn = createTurnsByName(1);
  const running = new Map<string, number>();
  /** What failed last of a partner: nobody tries it again at once, or all that wait would try it one after the other. */
  const failures = new Map<string, { id: string; until: number; error: unknown }>();
  return {
    /**
     * Pays each due time, in their order, under its derived reference, and first what is due before it of the same partner,
     * so that the order does not depend on which workflow wakes first. The run of a due time is written before anything is
     * posted, so a second call posts the same again, which finds what was posted. Takes the Schedule away at the end.
     */
    async runDue(input: ScheduledTransferInput): Promise<ScheduleProgress> {
      const leave = takePlace(input.partnerId);
      if (!leave) return { status: 'active', lookAgainAt: soon() };
      return runAll(input).finally(leave);
    },
  };

  /** @returns a function that gives the place back; null where the partner has as many as it may. */
  function takePlace(partnerId: string): (() => void) | null {
    const before = running.get(partnerId) ?? 0;
    if (environment.allowsSimulation && before >= AT_ONCE_OF_PARTNER) return null;
    running.set(partnerId, before + 1);
    return () => {
      const left = (running.get(partnerId) ?? 0) - 1;
      if (left > 0) running.set(partnerId, left);
      else running.delete(partnerId);
    };
  }

  async function runAll(input: ScheduledTransferInput): Promise<ScheduleProgress> {
    const { partnerId, scheduledTransferId: id } = input;
    const { partner, cell } = await environment.partner(partnerId);
    const requestId = await requestOfWorkflow(cell, workflowIds.scheduledTransfer(id));
    const tenant: Tenant = { environment, partner, cell, ...(requestId !== null && { requestId }) };
    const passedOver: string[] = [];
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
          if (!(await ranEarlier(tenant, turn.schedule, passedOver))) await pay(tenant, turn);
          break;
        case 'give_up':
          await settle(tenant, turn, { status: 'skipped', reason: turn.reason });
          break;
      }
      if (results === AT_ONCE) return { status, lookAgainAt: new Date().toISOString() };
      if (environment.allowsSimulation) await sleep(REST_MS);
    }
  }

  /**
   * Runs what is due first of the same partner, whose own workflow may not have woken, once. Whoever else runs it as well
   * finds what was posted.
   * @param passedOver those that are not waited for any more: an outage that one of them waits for holds up the others for a
   *   while, and not for as long as it lasts.
   * @returns false where nothing comes first.
   */
  function ranEarlier(
    tenant: Tenant,
    { id, lookAt }: ScheduledTransfer,
    passedOver: string[],
  ): Promise<boolean> {
    const { cell, partner } = tenant;
    const before = lookAt ?? new Date();
    // Looked for when the turn has come: the one before has run another one.
    return inTurn(`${environment.name}/${partner.id}`, async () => {
      const first = await findEarlier(cell, partner.id, { before, except: [id, ...passedOver] });
      if (first === null) return false;
      heartbeat();
      try {
        const failed = failures.get(partner.id);
        if (failed?.id === first && Date.now() < failed.until) throw failed.error;
        if (!(await runOne(tenant, first, before))) passedOver.push(first);
        failures.delete(partner.id);
      } catch (error) {
        const failed = failures.get(partner.id);
        if (failed?.error !== error)
          failures.set(partner.id, { id: first, until: Date.now() + FAILS_AGAIN_MS, error });
        if (Date.now() - activityInfo().scheduledTimestampMs < WAITS_FOR_EARLIER_MS) throw error;
        passedOver.push(first);
      }
      return true;
    });
  }

  /**
   * @param before what comes first was found before this. Its workflow may have run it meanwhile, and what it has to do next
   *   is not its turn.
   * @returns false where nothing is to be done with it now.
   */
  async function runOne({ cell, partner }: Tenant, id: string, before: Date): Promise<boolean> {
    const requestId = await requestOfWorkflow(cell, workflowIds.scheduledTransfer(id));
    const tenant: Tenant = { environment, partner, cell, ...(requestId !== null && { requestId }) };
    const turn = await takeTurn(cell, {
      partnerId: partner.id,
      id,
      canForward: environment.allowsSimulation,
    });
    if (turn === null || turn.kind === 'over' || turn.kind === 'wait') return false;
    if ((turn.schedule.lookAt ?? before) >= before) return true;
    if (turn.kind === 'try') await pay(tenant, turn);
    else await settle(tenant, turn, { status: 'skipped', reason: turn.reason });
    return true;
  }

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
      await charge(cell, partner.id, 'retry' in result ? BYTES_PER_TRY : BYTES_PER_RUN);
    }
    return noted.kind;
  }
}

const soon = (): string => new Date(Date.now() + NO_PLACE_MS * (1 + Math.random())).toISOString();

interface OfTurn {
  schedule: ScheduledTransfer;
}
