/** Partners, their tiers and the environments their credentials belong to (interface: Partner; D103, D121). */
import type { KeyScope } from './key-scopes';
import type { Row } from './machine';

/** Stands where a row must name a partner, and what it is about is nobody's, or not known yet. No partner has it. */
export const OF_NO_PARTNER = '00000000-0000-0000-0000-000000000000';

export const ENVIRONMENTS = ['sandbox', 'live'] as const;
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

export const PARTNER_STATUSES = ['registered', 'pending_review', 'active', 'suspended', 'closed'] as const;
export type PartnerStatus = (typeof PARTNER_STATUSES)[number];

export const PARTNER_TRIGGERS = [
  'compliance_submitted',
  'compliance_approved',
  'compliance_rejected',
  'compliance_withdrawn',
  'suspend',
  'reinstate',
  'close',
] as const;
export type PartnerTrigger = (typeof PARTNER_TRIGGERS)[number];

/** Closing is final (D37). */
export const PARTNER_MACHINE: readonly Row<PartnerStatus, PartnerTrigger>[] = [
  ['registered', 'compliance_submitted', 'pending_review'],
  ['pending_review', 'compliance_approved', 'active'],
  ['pending_review', 'compliance_rejected', 'registered'],
  ['pending_review', 'compliance_withdrawn', 'registered'],
  ['active', 'compliance_withdrawn', 'registered'],
  ['active', 'suspend', 'suspended'],
  ['suspended', 'reinstate', 'active'],
  ['registered', 'close', 'closed'],
  ['pending_review', 'close', 'closed'],
  ['active', 'close', 'closed'],
  ['suspended', 'close', 'closed'],
];

export const TIERS = ['starter', 'growth', 'scale'] as const;
export type Tier = (typeof TIERS)[number];

/** Whether a change of tier allows a partner more. */
export const isRaise = (from: Tier, tier: Tier): boolean => TIERS.indexOf(tier) > TIERS.indexOf(from);

/** The partner for whom a request acts. It is found by the credential, and remembered for some seconds. */
export interface Partner {
  id: string;
  businessName: string;
  status: PartnerStatus;
  tier: Tier;
  /** Whether the owner has confirmed the email address (D175). */
  emailIsConfirmed: boolean;
  /** The Postgres schema that holds everything of this partner in the credential's environment. */
  cell: string;
}

/** A partner as the interface shows it (interface: Partner). */
export interface PartnerRecord {
  id: string;
  businessName: string;
  email: string;
  phone: string;
  status: PartnerStatus;
  tier: Tier;
  createdAt: Date;
}

/** What a caller may be told of the API key with which it calls. */
export type CallersKey = Pick<ApiKey, 'id' | 'keyPrefix' | 'expiresAt' | 'scopes' | 'allowedCidrs'>;

/** An API key as it may be shown after its creation: never the key itself (interface: APIKey; D102). */
export interface ApiKey {
  id: string;
  partnerId: string;
  environment: EnvironmentName;
  /** The first 12 characters and three dots. */
  keyPrefix: string;
  label: string;
  scopes: readonly KeyScope[];
  /** The networks from which it may be used; empty where it may be used from everywhere. */
  allowedCidrs: readonly string[];
  lastUsedAt: Date | null;
  expiresAt: Date | null;
  createdAt: Date;
}
