/** Forward time in the sandbox: deadlines move, and the workflows that wait for them look again (D208). */
import { done, type Outcome, type Refused } from '../domain/outcome';
import { forwardDeadlines, type Moved } from '../db/upkeep/forwards';
import { workflowIds } from '../contract/messages';
import type { Tenant } from './tenant';

/**
 * Moves the deadlines of the partner's sandbox earlier by so many seconds. Each call moves them once more.
 * @param windowMs how long an idempotency key is good for.
 * @param refusalOf whether the sandbox has no room for what so many runs of scheduled transfers write.
 * @returns what was moved; or refused, and nothing has moved: LIMIT_EXCEEDED.
 */
export async function forwardClock(
  { environment, cell, partner }: Tenant,
  forward: { seconds: number; windowMs: number; refusalOf: (runs: number) => Refused | null },
): Promise<Outcome<Moved>> {
  const { seconds, windowMs, refusalOf } = forward;
  const forwarded = await forwardDeadlines(cell, partner.id, {
    seconds,
    windowMs,
    refusalOf: ({ runs }) => refusalOf(runs),
  });
  if (!forwarded.ok) return forwarded;
  const moved = forwarded.value;
  const { relay } = environment;
  relay.forwardLater(
    [
      ...moved.ussdSessions.map((id) => ({ workflowId: workflowIds.ussdSession(id), by: 'time' as const })),
      ...moved.holds.map((id) => ({ workflowId: workflowIds.hold(id), by: 'time' as const })),
      ...moved.transfers.map((id) => ({ workflowId: workflowIds.bankTransfer(id), by: 'provider' as const })),
      ...moved.callbacks.map((id) => ({
        workflowId: workflowIds.simulatorCallback(id),
        by: 'simulator' as const,
      })),
      ...moved.verifications.map((id) => ({
        workflowId: workflowIds.kycVerification(id),
        by: 'bureau' as const,
      })),
    ],
    seconds * 1_000,
  );
  relay.afterCommit(cell, { intentions: moved.dueSchedules, endpointIds: [] });
  await relay.wake(moved.endpointIds.map((endpointId) => ({ partnerId: partner.id, endpointId })));
  return done(moved);
}
