/** Moves of a session that the API commits by itself: they move no money, and the workflow is told or finds them. */
import { moveUssdSession } from '../../db/payments/ussd-moves';
import type { UssdSession } from '../../domain/ussd';
import type { Config } from '../../runtime/config';
import type { Environment, OpenCell } from '../../runtime/environment';
import { ussdRules } from './rules';

/**
 * Moves a session as far as its machine allows; a second time it finds the session moved and changes nothing.
 * @returns the session as it is now, or as it was when a reset has taken it meanwhile.
 */
export async function moveHere(
  { config }: { config: Config },
  environment: Environment,
  cell: OpenCell,
  session: UssdSession,
  kind: 'confirm' | 'expire',
): Promise<UssdSession> {
  const rules = ussdRules(environment, config);
  const moved = await moveUssdSession(cell, session.partnerId, session.id, { kind }, rules);
  if (!moved) return session;
  environment.relay.afterCommit(cell, { intentions: [], endpointIds: moved.endpointIds });
  return moved.session;
}
