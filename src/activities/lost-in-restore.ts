/**
 * After a restore of the database Temporal still knows the workflows that were started since the backup. Those whose
 * resource is forgotten are ended, and become findings for people: the resource was promised to somebody, and money of
 * it may be under way (docs/decisions/0029).
 */
import { heartbeat } from '@temporalio/activity';
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { defaultPayloadConverter } from '@temporalio/common';
import { recordFindings } from '../db/reconcile/findings';
import { attemptOfPayout, payoutReference } from '../domain/payouts';
import {
  knownResources,
  markSearched,
  RESOURCE_KINDS,
  unsearchedRestores,
  type Restore,
  type ResourceKind,
} from '../db/upkeep/restores';
import type { Finding } from '../domain/findings';
import { present } from '../domain/assert';
import { endSchedule } from '../relay/schedules';
import { searchAttributes } from '../contract/messages';
import type { Environment } from '../runtime/environment';
import type { PayoutProgress } from './bank-transfer';

const PAGE = 500;
/** The clocks of Postgres and Temporal may differ by this much. */
const CLOCKS_DIFFER_MS = 60_000;
/** A Schedule adds the time to the id of each workflow that it starts. */
const UUID_LENGTH = 36;

const SCHEDULED = 'scheduled-transfer/' satisfies ResourceKind;

interface Started {
  workflowId: string;
  runId: string;
  kind: ResourceKind;
  resource: string;
  partnerId: string;
  was: string;
}

/**
 * Looks through the workflows that were started between a backup and its restore. A restore that was searched to its
 * end is not searched again; until then a second search finds the same.
 * @returns how many resources the database has forgotten.
 * @throws while Temporal is away.
 */
export async function findLostInRestores(environment: Environment): Promise<number> {
  let lost = 0;
  for (const restore of await unsearchedRestores(environment.pool, environment.directory)) {
    const found = new Map<string, Started>();
    for await (const started of promisedSince(environment, restore)) {
      found.set(started.workflowId, started);
      if (found.size === PAGE) {
        lost += await endForgotten(environment, [...found.values()]);
        found.clear();
      }
    }
    lost += await endForgotten(environment, [...found.values()]);
    await markSearched(environment.pool, environment.directory, restore.id);
  }
  return lost;
}

async function* promisedSince(environment: Environment, restore: Restore): AsyncGenerator<Started> {
  yield* startedBetween(environment, restore);
  yield* schedules(environment);
}

/** All of them, because Temporal does not say here when a Schedule was made. Those with a row are no finding. */
async function* schedules({ temporal }: Environment): AsyncGenerator<Started> {
  for await (const { scheduleId: workflowId, typedSearchAttributes } of temporal.schedule.list()) {
    heartbeat();
    const partnerId = typedSearchAttributes?.get(searchAttributes.partnerId);
    if (!workflowId.startsWith(SCHEDULED) || partnerId === undefined) continue;
    const resource = workflowId.slice(SCHEDULED.length);
    yield { workflowId, runId: '', kind: SCHEDULED, resource, partnerId, was: 'SCHEDULED' };
  }
}

async function* startedBetween(
  { temporal }: Environment,
  { takenAt, restoredAt }: Restore,
): AsyncGenerator<Started> {
  const from = new Date(takenAt.getTime() - CLOCKS_DIFFER_MS).toISOString();
  const to = new Date(restoredAt.getTime() + CLOCKS_DIFFER_MS).toISOString();
  const query = `StartTime >= '${from}' AND StartTime <= '${to}'`;
  for await (const one of temporal.workflow.list({ query })) {
    heartbeat();
    const kind = RESOURCE_KINDS.find((begin) => one.workflowId.startsWith(begin));
    const partnerId = one.typedSearchAttributes.get(searchAttributes.partnerId);
    if (kind === undefined || partnerId === undefined) continue;
    const resource = one.workflowId.slice(kind.length).slice(0, UUID_LENGTH);
    yield { workflowId: one.workflowId, runId: one.runId, kind, resource, partnerId, was: one.status.name };
  }
}

/** Writes a finding for what no cell has, and then ends its workflow, so that a crash between loses nothing. */
async function endForgotten(environment: Environment, started: readonly Started[]): Promise<number> {
  const known = new Set<string>();
  for (const kind of RESOURCE_KINDS) {
    const ids = started.filter((one) => one.kind === kind).map(({ resource }) => resource);
    if (ids.length === 0) continue;
    for (const { pool, schema } of environment.cells.values()) {
      for (const id of await knownResources(pool, schema, kind, ids)) known.add(kind + id);
    }
  }
  const lost = started.filter(({ workflowId }) => !known.has(workflowId));
  for (const one of lost) {
    const { schema } = await cellOf(environment, one.partnerId);
    await recordFindings(environment.pool, schema, [await findingOf(environment, one)]);
    await end(environment, one);
  }
  return lost.length;
}

/** The cell of the partner; the first cell for a partner that is forgotten as well. */
async function cellOf(environment: Environment, partnerId: string) {
  const found = await environment.findPartner(partnerId);
  return found?.cell ?? present([...environment.cells.values()][0], 'a cell');
}

async function findingOf(
  environment: Environment,
  { workflowId, kind, resource, partnerId, was }: Started,
): Promise<Finding> {
  const isPayout = kind === 'bank-transfer/' || kind === 'bank-return/';
  const orders = isPayout ? await possibleOrders(environment, resource) : {};
  return {
    class: 'lost_in_restore',
    resource,
    detail: { workflow_id: workflowId, partner_id: partnerId, was, ...orders },
  };
}

/**
 * By which references which companies may know a transfer that the database has forgotten. The steps of its workflow say
 * how many attempts there were; another one may have been begun since. Too many names are harmless, and one too few
 * would let a payment pass for none.
 */
async function possibleOrders(
  { temporal, providers }: Environment,
  transactionId: string,
): Promise<{ companies: string[]; references: string[] }> {
  const companies = new Set(providers.payouts.map(({ name }) => name));
  let known = 0;
  for (const { reference, facts } of await answersOf(temporal, `bank-transfer/${transactionId}`)) {
    known = Math.max(known, (reference && attemptOfPayout(reference)?.n) || 0);
    if (facts) companies.add(facts.provider);
  }
  const references = Array.from({ length: known + 1 }, (_, place) =>
    payoutReference(transactionId, place + 1),
  );
  return { companies: [...companies], references };
}

/** What the steps of a bank transfer have answered to its workflow; nothing where the workflow is gone. */
async function answersOf(temporal: Client, workflowId: string): Promise<Partial<PayoutProgress>[]> {
  try {
    const { events } = await temporal.workflow.getHandle(workflowId).fetchHistory();
    const payloads = (events ?? []).flatMap(
      (event) => event.activityTaskCompletedEventAttributes?.result?.payloads ?? [],
    );
    return payloads.map((payload) => defaultPayloadConverter.fromPayload(payload));
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return [];
    throw error;
  }
}

async function end({ temporal }: Environment, { workflowId, runId, was }: Started): Promise<void> {
  if (was === 'SCHEDULED') return endSchedule(temporal, workflowId);
  if (was !== 'RUNNING') return;
  try {
    await temporal.workflow
      .getHandle(workflowId, runId)
      .terminate('The database was restored, and has forgotten this');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
