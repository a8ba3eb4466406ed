/** The histories of `kyb/...`: a run that continues as a new run, and a live record that moves its partner. */
import type { Client } from '@temporalio/client';
import { reviewCompliance } from '../../src/operations/partners/compliance';
import { kybIntention } from '../../src/contract/intentions';
import { startOptions } from '../../src/relay/start-options';
import { review, STEP_NAMES, submit, submitAll } from './compliance';
import { keepHistory } from './histories';
import type { Platform } from './platform';
import { until } from './until';

export async function keepComplianceHistories(platform: Platform, url: string): Promise<void> {
  const { live } = platform.environments();
  const keep = async (name: string, client: Client, workflowId: string, runId?: string) =>
    keepHistory(name, await client.workflow.getHandle(workflowId, runId).fetchHistory());

  const partner = await platform.partner(url);
  const intention = kybIntention(partner.partnerId);
  const { firstExecutionRunId } = await platform.operator.workflow.start(
    intention.workflowType,
    startOptions({ ...intention, input: { ...intention.input, historyMax: 120 } }, live.taskQueue),
  );
  await submitAll(partner);
  await Promise.all(['approve', 'reject'].map((decision) => review(partner, decision)));
  await until('a new run', async () => {
    await Promise.all(STEP_NAMES.map((step) => submit(partner, step)));
    await review(partner, 'suspend');
    await review(partner, 'reinstate');
    const { runId } = await platform.operator.workflow.getHandle(intention.workflowId).describe();
    return runId !== firstExecutionRunId;
  });
  await keep('kyb-progression-continued', platform.operator, intention.workflowId, firstExecutionRunId);

  const inLive = await platform.inLive(await platform.partner(url), url);
  const tenant = { environment: live, ...(await live.partner(inLive.partnerId)) };
  const decide = (decision: 'claim' | 'approve' | 'reject' | 'suspend' | 'reinstate') =>
    reviewCompliance(tenant, decision, null, 'operator');
  await submitAll(inLive);
  await decide('reject');
  await submit(inLive, 'use-case');
  for (const decision of ['claim', 'approve', 'suspend', 'reinstate'] as const) await decide(decision);
  await keep('kyb-progression-live', live.temporal, `kyb/${inLive.partnerId}`);
}
