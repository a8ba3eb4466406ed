/**
 * What live will demand of the owner of a wallet, as far as it is configured. A sandbox demands the same for a partner that wants
 * it; what each company demands is in its own folder.
 */
import { companiesFor, type LiveCompany } from './live-companies';
import type { Config } from './config';
import type { Demands } from '../domain/owner-details';
import { MONNIFY_DEMANDS } from '../providers/monnify/accounts';
import { SMILE_DEMANDS } from '../providers/smile/smile';

type Role = 'LIVE_ACCOUNTS' | 'LIVE_IDENTITY';

/** The companies that demand something. */
const DEMANDS: { [Part in keyof Demands]: Partial<Record<LiveCompany, Demands[Part][number]>> } = {
  accounts: { monnify: MONNIFY_DEMANDS },
  identity: { smile: SMILE_DEMANDS },
};

/**
 * The demands of the companies that live has, the preferred one first. Where live has none yet, or only the simulator, those of
 * all that it could have, so that what works in the sandbox works whichever is chosen.
 */
export function demandsOfLive(config: Pick<Config, Role>): Demands {
  const of = <Part extends keyof Demands>(role: Role, part: Part): Demands[Part][number][] => {
    const demanded = (name: LiveCompany) => DEMANDS[part][name] ?? [];
    const chosen = config[role].filter((name) => name !== 'simulator');
    if (chosen.length > 0) return chosen.map(demanded);
    return [[...new Set(companiesFor(role).flatMap(demanded))]];
  };
  return { accounts: of('LIVE_ACCOUNTS', 'accounts'), identity: of('LIVE_IDENTITY', 'identity') };
}
