/**
 * The companies that live can have, and what each needs: the one list from which the configuration and its refusals
 * come. In production a company is called at its own address alone, because keys and customers' data are sent there.
 */

export const LIVE_COMPANIES = {
  paystack: {
    needs: ['PAYSTACK_SECRET_KEY'],
    address: 'PAYSTACK_BASE_URL',
    url: 'https://api.paystack.co',
  },
  smile: {
    needs: ['SMILE_PARTNER_ID', 'SMILE_API_KEY'],
    address: 'SMILE_BASE_URL',
    url: 'https://api.smileidentity.com',
  },
  prembly: {
    needs: ['PREMBLY_API_KEY'],
    address: 'PREMBLY_BASE_URL',
    url: 'https://api.prembly.com',
  },
} as const;

export type LiveCompany = keyof typeof LIVE_COMPANIES;

export const LIVE_COMPANY_NAMES = Object.keys(LIVE_COMPANIES) as LiveCompany[];

/** The gateways that can carry USSD in live, each with a dialect of its own. */
export const USSD_GATEWAYS = ['africas-talking', 'hollatags'] as const;
export type UssdGateway = (typeof USSD_GATEWAYS)[number];

/** Who serves live, the preferred one first: the simulator for a rehearsal, real companies, or nobody. */
export type LiveProviders = readonly (LiveCompany | 'simulator')[];

/** Reads `LIVE_PROVIDERS`; null where it is not a list of companies. */
export function readLiveProviders(text: string): LiveProviders | null {
  if (text === 'none') return [];
  if (text === 'simulator') return ['simulator'];
  const names = text.split(',');
  const isKnown = (name: string): name is LiveCompany => LIVE_COMPANY_NAMES.some((known) => known === name);
  return names.every(isKnown) && new Set(names).size === names.length ? names : null;
}
