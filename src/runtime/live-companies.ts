/**
 * The companies that live can have, what each serves, and what each needs: the one list from which the configuration and
 * its refusals come. In production a company is called at its own address alone, because keys and customers' data are
 * sent there.
 */

/** Which companies serve what: each of these variables lists them, the preferred one first. */
export const LIVE_ROLES = ['LIVE_PAYOUTS', 'LIVE_ACCOUNTS', 'LIVE_IDENTITY'] as const;
export type LiveRole = (typeof LIVE_ROLES)[number];

export const LIVE_COMPANIES = {
  paystack: {
    serves: ['LIVE_PAYOUTS'],
    needs: ['PAYSTACK_SECRET_KEY'],
    address: 'PAYSTACK_BASE_URL',
    url: 'https://api.paystack.co',
  },
  monnify: {
    serves: ['LIVE_PAYOUTS', 'LIVE_ACCOUNTS'],
    needs: ['MONNIFY_API_KEY', 'MONNIFY_SECRET_KEY', 'MONNIFY_SOURCE_ACCOUNT'],
    address: 'MONNIFY_BASE_URL',
    url: 'https://api.monnify.com',
  },
  smile: {
    serves: ['LIVE_IDENTITY'],
    needs: ['SMILE_PARTNER_ID', 'SMILE_API_KEY'],
    address: 'SMILE_BASE_URL',
    url: 'https://api.smileidentity.com',
  },
  prembly: {
    serves: ['LIVE_IDENTITY'],
    needs: ['PREMBLY_API_KEY'],
    address: 'PREMBLY_BASE_URL',
    url: 'https://api.prembly.com',
  },
} as const;

export type LiveCompany = keyof typeof LIVE_COMPANIES;

export const LIVE_COMPANY_NAMES = Object.keys(LIVE_COMPANIES) as LiveCompany[];

/** The companies that may be listed for a role. */
export const companiesFor = (role: LiveRole): LiveCompany[] =>
  LIVE_COMPANY_NAMES.filter((name) => LIVE_COMPANIES[name].serves.some((served) => served === role));

/** The companies that have all their keys and get no orders: they are asked about the orders of before. */
export const formerPayers = (
  config: { LIVE_PAYOUTS: LiveProviders } & { [Name in CompanyKey]?: string | undefined },
): LiveCompany[] =>
  companiesFor('LIVE_PAYOUTS').filter(
    (name) =>
      !config.LIVE_PAYOUTS.includes(name) &&
      LIVE_COMPANIES[name].needs.every((key) => config[key] !== undefined),
  );

type CompanyKey = (typeof LIVE_COMPANIES)[LiveCompany]['needs'][number];

/** The gateways that can carry USSD in live, each with a dialect of its own. */
export const USSD_GATEWAYS = ['africas-talking', 'hollatags'] as const;
export type UssdGateway = (typeof USSD_GATEWAYS)[number];

/** Who serves a role in live, the preferred one first: the simulator for a rehearsal, real companies, or nobody. */
export type LiveProviders = readonly (LiveCompany | 'simulator')[];

/** Reads the variable of a role; null where it is not a list of companies that can serve it. */
export function readLiveProviders(role: LiveRole, text: string): LiveProviders | null {
  if (text === 'none') return [];
  if (text === 'simulator') return ['simulator'];
  const names = text.split(',');
  const known = companiesFor(role);
  const isKnown = (name: string): name is LiveCompany => known.some((one) => one === name);
  return names.every(isKnown) && new Set(names).size === names.length ? names : null;
}
