/** What a credential may do with an operation, whatever the request says. */
import { scopeFor } from '../domain/key-scopes';
import { refuse, type Refused } from '../domain/outcome';
import { forbidden } from '../domain/refusal-reasons';
import { may, rolesFor } from '../domain/roles';
import type { Caller } from './authenticate';
import { isWithin } from './networks';
import type { Route } from './route';

/**
 * The refusals that depend on the credential and not on the body, in this order (D95, D103, D128, D135, D175).
 * @param address the caller's.
 * @returns the first of them, or null.
 */
export function gate(
  route: Route,
  { environment, partner, session, key }: Caller,
  address: string,
): Refused | null {
  if (key && key.allowedCidrs.length > 0 && !isWithin(address, key.allowedCidrs))
    return forbidden('network', { address });
  if (route.sandboxOnly && !environment.allowsSimulation) return refuse('SANDBOX_ONLY');
  if (environment.requiresActivePartner && route.method !== 'GET' && !route.ofPerson) {
    const suspended = partner.status === 'suspended';
    const needed = route.needsActivePartner && partner.status !== 'active';
    if (suspended || needed) return refuse('PARTNER_NOT_ACTIVE');
  }
  // In live an unconfirmed address could be anybody's: no key works, and a token moves no money (D175).
  const acts = !session || route.needsActivePartner;
  if (environment.requiresActivePartner && acts && !partner.emailIsConfirmed)
    return forbidden('email_unconfirmed');
  const isLive = !environment.allowsSimulation;
  if (session && !may(session.role, route.needs, isLive)) {
    return forbidden('role', { role: session.role, neededRoles: rolesFor(route.needs, isLive) });
  }
  if (!key) return null;
  const scope = route.tokenOnly ? null : scopeFor(route.needs);
  if (scope === null) return forbidden('access_token');
  if (key.scopes.includes(scope)) return null;
  const message = `The API key does not have the scope ${scope}`;
  return forbidden('scope', { neededScope: scope, scopes: key.scopes }, message);
}
