/** What a credential may do with an operation, whatever the request says. */
import { scopeFor } from '../domain/key-scopes';
import { refuse, type Refused } from '../domain/outcome';
import { may } from '../domain/roles';
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
  if (key && key.allowedCidrs.length > 0 && !isWithin(address, key.allowedCidrs)) return ELSEWHERE;
  if (route.sandboxOnly && !environment.allowsSimulation) return refuse('SANDBOX_ONLY');
  if (environment.requiresActivePartner && route.method !== 'GET' && !route.ofPerson) {
    const suspended = partner.status === 'suspended';
    const needed = route.needsActivePartner && partner.status !== 'active';
    if (suspended || needed) return refuse('PARTNER_NOT_ACTIVE');
  }
  // In live an unconfirmed address could be anybody's: no key works, and a token moves no money (D175).
  const acts = !session || route.needsActivePartner;
  if (environment.requiresActivePartner && acts && !partner.emailIsConfirmed) return UNCONFIRMED;
  if (session && !may(session.role, route.needs, !environment.allowsSimulation)) return NOT_OF_ROLE;
  if (!key) return null;
  const scope = route.tokenOnly ? null : scopeFor(route.needs);
  if (scope === null) return NOT_BY_KEY;
  return key.scopes.includes(scope)
    ? null
    : refuse('FORBIDDEN', { message: `The API key does not have the scope ${scope}` });
}

const ELSEWHERE = refuse('FORBIDDEN', {
  message: 'The API key may not be used from this address',
});

const NOT_BY_KEY = refuse('FORBIDDEN', {
  message: 'An API key may not do this: log in at POST /v1/auth/login, and send the access token',
});

const NOT_OF_ROLE = refuse('FORBIDDEN', { message: 'The role of this user does not allow it' });

const UNCONFIRMED = refuse('FORBIDDEN', {
  message: "This works in live once the owner's email address is confirmed",
});
